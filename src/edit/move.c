#include "base/error.h"
#include "edit/annotation_edit.h"
#include "motion/draft.h"
#include "reprise/edit.h"

static bool isFinite(rpGroundTransform ground)
{
	return isfinite(ground.turn) && isfinite(ground.shift.x) && isfinite(ground.shift.y) && isfinite(ground.shift.z);
}

rpMotion* rpMoveMotion(const rpMotion* motion, rpGroundTransform ground, rpError* error)
{
	if (!isFinite(ground))
	{
		rpFail(error, rp_errorArgument, "cannot move a clip by (%g, %g, %g) m and %g rad", (double)ground.shift.x,
			   (double)ground.shift.y, (double)ground.shift.z, (double)ground.turn);
		return NULL;
	}
	rpMotion* result = rpCopyMotion(motion, error);
	if (result == NULL)
	{
		return NULL;
	}
	rpQuat turn = rpYaw(ground.turn);
	for (int i = 0; i < result->frameCount; ++i)
	{
		rpQuat* root = result->rotations + (size_t)i * (size_t)result->skeleton->jointCount;
		*root = rpNormalizeQuat(rpMulQuat(turn, *root));
		result->rootPositions[i] = rpGroundTransform_Apply(ground, result->rootPositions[i]);
	}
	rpMoveAnnotations(&result->annotations, 1.0f, turn, ground.shift);
	return result;
}
