/// Joints: do they bend further than a human's, and do bones keep their length?
#include "body/joint_limits.h"
#include "judge/measure_input.h"

static bool measureLimits(const rpMeasureInput* input, rpMeasures* out, rpError* error)
{
	rpTransform pose[RP_MAX_JOINTS];
	rpJointLimits limits;
	if (!rpJointLimits_Open(&limits, input->motion->skeleton, error))
	{
		return false;
	}
	for (int f = 0; f < input->frameCount; ++f)
	{
		const rpVec3* places = input->places + (size_t)f * (size_t)input->jointCount;
		const rpQuat* turns = input->turns + (size_t)f * (size_t)input->jointCount;
		for (int j = 0; j < input->jointCount; ++j)
		{
			pose[j] = (rpTransform){.q = turns[j], .p = places[j]};
		}
		double excess = rpJointLimits_GetWorst(&limits, pose, NULL);
		rpMeasures_KeepWorst(out, rp_measureLimit, excess, f / input->motion->fps);
	}
	return true;
}

static void measureStretch(const rpMeasureInput* input, rpMeasures* out)
{
	const rpMotion* motion = input->motion;
	out->values[rp_measureStretch] = 0.0;
	for (int f = 0; motion->translations != NULL && f < input->frameCount; ++f)
	{
		const rpVec3* bones = motion->translations + (size_t)f * (size_t)input->jointCount;
		for (int j = 1; j < input->jointCount; ++j)
		{
			// Bones of less than a centimetre are joints that share a place.
			double length = rpLength(motion->skeleton->offsets[j]);
			double change = length > 0.01 ? fabs(rpLength(bones[j]) / length - 1.0) : 0.0;
			rpMeasures_KeepWorst(out, rp_measureStretch, 100.0 * change, f / motion->fps);
		}
	}
}

bool rpMeasureJoints(const rpMeasureInput* input, rpMeasures* out, rpError* error)
{
	measureStretch(input, out);
	return measureLimits(input, out, error);
}
