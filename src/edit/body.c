#include "edit/body.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

static void setSkeleton(rpMotion* motion, rpSkeleton* skeleton)
{
	rpReleaseSkeleton(motion->skeleton);
	motion->skeleton = skeleton;
}

bool rpChangeBody(rpMotion* motion, rpJoint (*changeJoint)(rpJoint joint, const void* context),
				  rpVec3 (*changeEnd)(rpVec3 offset, const void* context), const void* context, rpError* error)
{
	rpSkeletonDef def = rpSkeleton_GetDef(motion->skeleton);
	rpJoint* joints = rpAllocate((size_t)def.jointCount, sizeof(rpJoint), error);
	rpEndSite* ends = rpAllocate((size_t)def.endCount, sizeof(rpEndSite), error);
	rpSkeleton* skeleton = NULL;
	if (joints != NULL && ends != NULL)
	{
		for (int i = 0; i < def.jointCount; ++i)
		{
			joints[i] = changeJoint(def.joints[i], context);
		}
		for (int i = 0; i < def.endCount; ++i)
		{
			ends[i] = def.ends[i];
			ends[i].offset = changeEnd(ends[i].offset, context);
		}
		def.joints = joints;
		def.ends = ends;
		skeleton = rpCreateSkeleton(&def, error);
	}
	rpFree(joints);
	rpFree(ends);
	if (skeleton != NULL)
	{
		setSkeleton(motion, skeleton);
	}
	return skeleton != NULL;
}

static bool checkJoints(const rpSkeleton* old, const rpSkeleton* new, rpError* error)
{
	if (old->jointCount != new->jointCount)
	{
		return rpFail(error, rp_errorArgument, "the clip's skeleton has %d joints, the new one %d", old->jointCount,
					  new->jointCount);
	}
	for (int i = 0; i < old->jointCount; ++i)
	{
		if (strcmp(old->joints[i].name, new->joints[i].name) != 0 || old->parents[i] != new->parents[i])
		{
			return rpFail(error, rp_errorArgument,
						  "joint %d is \"%s\" (parent %d) in the clip and \"%s\" (parent %d) in the new skeleton", i,
						  old->joints[i].name, old->parents[i], new->joints[i].name, new->parents[i]);
		}
	}
	return true;
}

rpMotion* rpReplaceSkeleton(const rpMotion* motion, const rpSkeleton* skeleton, rpError* error)
{
	rpMotion* result = checkJoints(motion->skeleton, skeleton, error) ? rpCopyMotion(motion, error) : NULL;
	if (result != NULL)
	{
		setSkeleton(result, rpRetainSkeleton(skeleton));
	}
	return result;
}
