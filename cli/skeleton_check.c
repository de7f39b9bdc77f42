#include "skeleton_check.h"

#include <stdlib.h>

bool cliCheckSkeletons(cliRun* run, const cliClip* a, const cliClip* b)
{
	if (rpSkeleton_Matches(a->motion->skeleton, b->motion->skeleton))
		return true;
	char *from = cliQuote(b->text), *onto = cliQuote(a->text);
	char* hint = cliFormat("if they are people of different size: reprise convert %s --onto %s -o OUT.bvh", from, onto);
	cliFailUsage(run, hint, "%s and %s have different skeletons", a->name, b->name);
	free(hint);
	free(onto);
	free(from);
	return false;
}
