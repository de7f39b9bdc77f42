/// Joints: do they bend further than a human's, and do bones keep their length?
///
/// Angles are measured between limbs in the world, through roles, so that any capture's local axes will do.
#include "base/memory.h"
#include "judge/exhibit.h"

/// A joint whose bend has limits: the angle between the bones that meet there, 0 when straight.
typedef struct Hinge
{
	rpRole above, joint, below;

	/// +1 if it bends backwards (knee), -1 forwards; 0 if the direction cannot be told.
	int direction;

	/// Degrees. Bends the other way are negative, where the direction is known.
	double low, high;
} Hinge;

// Passive ranges rather than active ones, since weight and swing push joints further than muscles do: the knee to 155
// in deep kneeling and 10 beyond straight, the elbow to 155 (Norkin & White, "Measurement of Joint Motion", 5th ed.,
// ch. 5 and 9).
static const Hinge s_hinges[] = {
	{rp_roleLeftHip, rp_roleLeftKnee, rp_roleLeftAnkle, 1, -10.0, 155.0},
	{rp_roleRightHip, rp_roleRightKnee, rp_roleRightAnkle, 1, -10.0, 155.0},
	{rp_roleLeftShoulder, rp_roleLeftElbow, rp_roleLeftWrist, 0, -180.0, 155.0},
	{rp_roleRightShoulder, rp_roleRightElbow, rp_roleRightWrist, 0, -180.0, 155.0},
};

/// A part of the body that can turn against another by so much from the rest pose, in all, degrees.
typedef struct Swivel
{
	rpRole base, part;
	double high;
} Swivel;

// The spine turns 45 to the side and bends 80 (Norkin & White, ch. 12), together about 90; the neck turns 80 and bends
// 60 (ch. 11), together about 100.
static const Swivel s_swivels[] = {
	{rp_rolePelvis, rp_roleChest, 90.0},
	{rp_roleChest, rp_roleHead, 100.0},
};

// Hips: the thigh goes 30 behind the trunk and 140 before it (ch. 8); a pelvis captured with a tilt takes 10 of either.
#define THIGH_BACK 40.0
#define THIGH_FRONT 150.0

static bool findJoints(const rpSkeleton* skeleton, const Hinge* hinge, int joints[3])
{
	joints[0] = skeleton->roles[hinge->above];
	joints[1] = skeleton->roles[hinge->joint];
	joints[2] = skeleton->roles[hinge->below];
	return joints[0] >= 0 && joints[1] >= 0 && joints[2] >= 0;
}

// From the right hip to the left one: the axis that knees turn about.
static rpVec3 getSideAxis(const rpExhibit* exhibit, const rpVec3* places)
{
	int left = exhibit->motion->skeleton->roles[rp_roleLeftHip],
		right = exhibit->motion->skeleton->roles[rp_roleRightHip];
	return left >= 0 && right >= 0 ? rpNormalize(rpSub(places[left], places[right])) : rpVec3_zero;
}

static double getBend(const Hinge* hinge, const rpVec3* places, const int joints[3], rpVec3 side)
{
	rpVec3 upper = rpSub(places[joints[1]], places[joints[0]]), lower = rpSub(places[joints[2]], places[joints[1]]);
	rpVec3 normal = rpCross(upper, lower);
	double bend = atan2((double)rpLength(normal), (double)rpDot(upper, lower)) / RP_DEGREE;

	// Turned inwards or outwards by more than 60 degrees a leg no longer tells which way its knee bends.
	double sign = rpDot(rpNormalize(normal), side) * (double)hinge->direction;
	return sign < -0.5 ? -bend : bend;
}

static void measureHinge(const rpExhibit* exhibit, const Hinge* hinge, rpMeasures* out)
{
	int joints[3];
	if (!findJoints(exhibit->motion->skeleton, hinge, joints))
	{
		return;
	}
	for (int f = 0; f < exhibit->frameCount; ++f)
	{
		const rpVec3* places = exhibit->places + (size_t)f * (size_t)exhibit->jointCount;
		double bend = getBend(hinge, places, joints, getSideAxis(exhibit, places));
		double excess = fmax(fmax(hinge->low - bend, bend - hinge->high), 0.0);
		rpMeasures_Worsen(out, rp_measureLimit, excess, f / exhibit->motion->fps);
	}
}

// How far a joint is turned from where the rest pose has it, in the world.
static rpQuat getTurn(const rpExhibit* exhibit, const rpTransform* rest, int frame, int joint)
{
	size_t index = (size_t)frame * (size_t)exhibit->jointCount + (size_t)joint;
	return rpMulQuat(exhibit->turns[index], rpConjugate(rest[joint].q));
}

static void measureSwivel(const rpExhibit* exhibit, const rpTransform* rest, const Swivel* swivel, rpMeasures* out)
{
	int base = exhibit->motion->skeleton->roles[swivel->base], part = exhibit->motion->skeleton->roles[swivel->part];
	for (int f = 0; base >= 0 && part >= 0 && f < exhibit->frameCount; ++f)
	{
		double angle = rpAngleBetween(getTurn(exhibit, rest, f, base), getTurn(exhibit, rest, f, part)) / RP_DEGREE;
		rpMeasures_Worsen(out, rp_measureLimit, fmax(angle - swivel->high, 0.0), f / exhibit->motion->fps);
	}
}

static void measureThigh(const rpExhibit* exhibit, const rpTransform* rest, rpRole hipRole, rpRole kneeRole,
						 rpMeasures* out)
{
	const rpSkeleton* skeleton = exhibit->motion->skeleton;
	int pelvis = skeleton->roles[rp_rolePelvis], hip = skeleton->roles[hipRole], knee = skeleton->roles[kneeRole];
	for (int f = 0; pelvis >= 0 && hip >= 0 && knee >= 0 && f < exhibit->frameCount; ++f)
	{
		const rpVec3* places = exhibit->places + (size_t)f * (size_t)exhibit->jointCount;
		rpQuat upright = rpConjugate(getTurn(exhibit, rest, f, pelvis));
		rpVec3 thigh = rpNormalize(rpRotate(upright, rpSub(places[knee], places[hip])));
		double angle = thigh.z < 0.0f ? asin(fmax(thigh.z, -1.0)) : atan2((double)thigh.z, (double)-thigh.y);
		double degrees = angle / RP_DEGREE, excess = fmax(fmax(-THIGH_BACK - degrees, degrees - THIGH_FRONT), 0.0);
		rpMeasures_Worsen(out, rp_measureLimit, excess, f / exhibit->motion->fps);
	}
}

static bool measureLimits(const rpExhibit* exhibit, rpMeasures* out, rpError* error)
{
	rpTransform* rest = rpAllocate((size_t)exhibit->jointCount, sizeof(rpTransform), error);
	if (rest == NULL)
	{
		return false;
	}
	rpSkeleton_GetRest(exhibit->motion->skeleton, rest);
	for (size_t i = 0; i < sizeof(s_hinges) / sizeof(s_hinges[0]); ++i)
	{
		measureHinge(exhibit, &s_hinges[i], out);
	}
	for (size_t i = 0; i < sizeof(s_swivels) / sizeof(s_swivels[0]); ++i)
	{
		measureSwivel(exhibit, rest, &s_swivels[i], out);
	}
	measureThigh(exhibit, rest, rp_roleLeftHip, rp_roleLeftKnee, out);
	measureThigh(exhibit, rest, rp_roleRightHip, rp_roleRightKnee, out);
	rpFree(rest);
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
