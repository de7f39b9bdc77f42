#include "skeleton_check.h"

#include <stdlib.h>

bool cliCheckSkeletons(cliRun* run, const cliClip* a, const cliClip* b)
{
	if (rpSkeleton_Matches(a->motion->skeleton, b->motion->skeleton))
		return true;
	char* hint =
		cliFormat("if they are people of different size: reprise convert %s --onto %s -o OUT.bvh", b->name, a->name);
	cliFailUsage(run, hint, "%s and %s have different skeletons", a->name, b->name);
	free(hint);
	return false;
}
