#include "base/error.h"
#include "edit/annotation_edit.h"
#include "edit/body.h"
#include "motion/draft.h"
#include "reprise/edit.h"

// A rotation seen from the new axes: the same turn about the turned axis.
static rpQuat turnRotation(rpQuat rotation, rpQuat q)
{
	rpVec3 v = rpRotate(rotation, (rpVec3){q.x, q.y, q.z});
	return rpNormalizeQuat((rpQuat){q.w, v.x, v.y, v.z});
}

static rpJoint turnJoint(rpJoint joint, const void* context)
{
	rpQuat rotation = *(const rpQuat*)context;
	joint.offset = rpRotate(rotation, joint.offset);
	joint.rest = turnRotation(rotation, joint.rest);
	joint.axes = rpNormalizeQuat(rpMulQuat(rotation, joint.axes));
	return joint;
}

static rpVec3 turnEnd(rpVec3 offset, const void* context)
{
	return rpRotate(*(const rpQuat*)context, offset);
}

rpMotion* rpChangeAxes(const rpMotion* motion, rpQuat rotation, rpError* error)
{
	float square = rpDotQuat(rotation, rotation);
	if (!(square > 0.0f) || !isfinite(square))
	{
		rpFail(error, rp_errorArgument, "cannot turn the axes by (%g, %g, %g, %g), which is no rotation",
			   (double)rotation.w, (double)rotation.x, (double)rotation.y, (double)rotation.z);
		return NULL;
	}
	rotation = rpNormalizeQuat(rotation);
	rpMotion* result = rpCopyMotion(motion, error);
	if (result == NULL || !rpChangeBody(result, turnJoint, turnEnd, &rotation, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	size_t count = (size_t)result->frameCount * (size_t)result->skeleton->jointCount;
	for (int i = 0; i < result->frameCount; ++i)
	{
		result->rootPositions[i] = rpRotate(rotation, result->rootPositions[i]);
	}
	for (size_t i = 0; i < count; ++i)
	{
		result->rotations[i] = turnRotation(rotation, result->rotations[i]);
	}
	for (size_t i = 0; i < count && result->translations != NULL; ++i)
	{
		result->translations[i] = rpRotate(rotation, result->translations[i]);
	}
	rpMoveAnnotations(&result->annotations, 1.0f, rotation, rpVec3_zero);
	return result;
}
