#include "motion/same_body.h"

#include "base/error.h"

#include <string.h>

// As rpSkeleton_Matches has it, metres.
#define SAME_BONE 1e-4f

// Fills error with the first difference. Returns whether only the lengths and directions of bones differ.
static bool findDifference(const rpSkeleton* a, const rpSkeleton* b, rpError* error)
{
	int bone = 0;
	if (a->jointCount != b->jointCount)
	{
		rpFail(error, rp_errorArgument, "the skeletons differ: one has %d joints, the other %d", a->jointCount,
			   b->jointCount);
	}
	for (int i = 0; i < a->jointCount && i < b->jointCount; ++i)
	{
		const rpJoint *first = a->joints + i, *second = b->joints + i;
		if (strcmp(first->name, second->name) != 0)
		{
			return rpFail(error, rp_errorArgument,
						  "the skeletons differ: joint %d is \"%s\" in one and \"%s\" in the other", i, first->name,
						  second->name);
		}
		if (first->parent != second->parent)
		{
			return rpFail(error, rp_errorArgument, "the skeletons differ: joint \"%s\" has different parents",
						  first->name);
		}
		if (bone == 0 && i > 0 && !(rpDistance(first->offset, second->offset) <= SAME_BONE))
		{
			bone = i;
		}
	}
	if (a->jointCount != b->jointCount)
	{
		return false;
	}
	rpFail(error, rp_errorArgument, "the skeletons differ: the offsets of joint \"%s\" are %g m apart",
		   a->joints[bone].name, (double)rpDistance(a->offsets[bone], b->offsets[bone]));
	return true;
}

bool rpCheckSameBody(const rpMotion* a, const rpMotion* b, const char* what, rpError* error)
{
	if (rpSkeleton_Matches(a->skeleton, b->skeleton))
	{
		return true;
	}
	if (findDifference(a->skeleton, b->skeleton, error))
	{
		rpError_SetHint(error,
						"\"%s\" and \"%s\" cannot be %s as they are: put one onto the other's skeleton first (reprise "
						"convert --onto)",
						a->name, b->name, what);
	}
	else
	{
		rpError_SetHint(error, "\"%s\" and \"%s\" cannot be %s", a->name, b->name, what);
	}
	return false;
}
