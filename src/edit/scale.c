#include "base/error.h"
#include "edit/annotation_edit.h"
#include "edit/body.h"
#include "motion/draft.h"
#include "reprise/edit.h"

static rpJoint scaleJoint(rpJoint joint, const void* context)
{
	joint.offset = rpScale(*(const float*)context, joint.offset);
	return joint;
}

static rpVec3 scaleEnd(rpVec3 offset, const void* context)
{
	return rpScale(*(const float*)context, offset);
}

rpMotion* rpScaleMotion(const rpMotion* motion, float factor, rpError* error)
{
	if (!(factor > 0.0f) || !isfinite(factor))
	{
		rpFail(error, rp_errorArgument, "cannot scale a body by %g; the factor must be positive", (double)factor);
		return NULL;
	}
	rpMotion* result = rpCopyMotion(motion, error);
	if (result == NULL || !rpChangeBody(result, scaleJoint, scaleEnd, &factor, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	size_t count = (size_t)result->frameCount * (size_t)result->skeleton->jointCount;
	for (int i = 0; i < result->frameCount; ++i)
	{
		result->rootPositions[i] = rpScale(factor, result->rootPositions[i]);
	}
	for (size_t i = 0; i < count && result->translations != NULL; ++i)
	{
		result->translations[i] = rpScale(factor, result->translations[i]);
	}
	rpMoveAnnotations(&result->annotations, factor, rpQuat_identity, rpVec3_zero);
	return result;
}
