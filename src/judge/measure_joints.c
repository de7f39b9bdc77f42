/// Joints: do they bend further than a human's, and do bones keep their length?
#include "body/joint_limits.h"
#include "judge/exhibit.h"

static bool measureLimits(const rpExhibit* exhibit, rpMeasures* out, rpError* error)
{
	rpTransform pose[RP_MAX_JOINTS];
	rpJointLimits limits;
	if (!rpJointLimits_Open(&limits, exhibit->motion->skeleton, error))
	{
		return false;
	}
	for (int f = 0; f < exhibit->frameCount; ++f)
	{
		const rpVec3* places = exhibit->places + (size_t)f * (size_t)exhibit->jointCount;
		const rpQuat* turns = exhibit->turns + (size_t)f * (size_t)exhibit->jointCount;
		for (int j = 0; j < exhibit->jointCount; ++j)
		{
			pose[j] = (rpTransform){.q = turns[j], .p = places[j]};
		}
		double excess = rpJointLimits_GetWorst(&limits, pose, NULL);
		rpMeasures_Worsen(out, rp_measureLimit, excess, f / exhibit->motion->fps);
	}
	return true;
}

static void measureStretch(const rpExhibit* exhibit, rpMeasures* out)
{
	const rpMotion* motion = exhibit->motion;
	out->values[rp_measureStretch] = 0.0;
	for (int f = 0; motion->translations != NULL && f < exhibit->frameCount; ++f)
	{
		const rpVec3* bones = motion->translations + (size_t)f * (size_t)exhibit->jointCount;
		for (int j = 1; j < exhibit->jointCount; ++j)
		{
			// Bones of less than a centimetre are joints that share a place.
			double length = rpLength(motion->skeleton->offsets[j]);
			double change = length > 0.01 ? fabs(rpLength(bones[j]) / length - 1.0) : 0.0;
			rpMeasures_Worsen(out, rp_measureStretch, 100.0 * change, f / motion->fps);
		}
	}
}

bool rpMeasureJoints(const rpExhibit* exhibit, rpMeasures* out, rpError* error)
{
	measureStretch(exhibit, out);
	return measureLimits(exhibit, out, error);
}
