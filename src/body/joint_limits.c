/// Do joints bend further than a human's?
///
/// Angles are measured between limbs in the world, through roles, so that any capture's local axes will do.
#include "body/joint_limits.h"

#include "base/memory.h"
#include "math/elementary.h"

/// A joint whose bend has limits: the angle between the bones that meet there, 0 when straight.
typedef struct Hinge
{
	rpRole above, joint, below;

	/// +1 if it bends backwards (knee), -1 forwards; 0 if the direction is not known.
	int direction;

	/// Degrees. Bends in the other direction are negative, where the direction is known.
	double low, high;
} Hinge;

// Passive ranges rather than active ones, since weight and swing push joints further than muscles do: the knee 10
// beyond straight, the elbow to 155 (Norkin & White, "Measurement of Joint Motion", 5th ed., ch. 5 and 9). Someone who
// squats or sits on the heels bends the knees by up to 165 (Mulholland & Wyss 2001, a review); muscles alone do not get
// there.
static const Hinge s_hinges[] = {
	[rp_limitLeftKnee] = {rp_roleLeftHip, rp_roleLeftKnee, rp_roleLeftAnkle, 1, -10.0, 165.0},
	[rp_limitRightKnee] = {rp_roleRightHip, rp_roleRightKnee, rp_roleRightAnkle, 1, -10.0, 165.0},
	[rp_limitLeftElbow] = {rp_roleLeftShoulder, rp_roleLeftElbow, rp_roleLeftWrist, 0, -180.0, 155.0},
	[rp_limitRightElbow] = {rp_roleRightShoulder, rp_roleRightElbow, rp_roleRightWrist, 0, -180.0, 155.0},
};

// A part of the body that can turn against another by so much from the rest pose, in all, degrees. The spine turns 45
// to the side and bends 80 (Norkin & White, ch. 12), together about 90; the neck turns 80 and bends 60 (ch. 11),
// together about 100.
#define SPINE_TURN 90.0
#define NECK_TURN 100.0

// Hips: the thigh goes 30 behind the trunk and is lifted 140 before it (ch. 8); a pelvis captured with a tilt takes 10
// of either.
#define THIGH_BACK 40.0
#define THIGH_LIFT 150.0

const char* rpJointLimit_GetName(rpJointLimit limit)
{
	static const char* const names[] = {
		"left knee", "right knee", "left elbow", "right elbow", "spine", "neck", "left thigh", "right thigh",
	};
	return names[limit];
}

bool rpJointLimits_Open(rpJointLimits* limits, const rpSkeleton* skeleton, rpError* error)
{
	rpTransform* rest = rpAllocate((size_t)skeleton->jointCount, sizeof(rpTransform), error);
	if (rest == NULL)
	{
		return false;
	}
	rpSkeleton_GetRest(skeleton, rest);
	int pelvis = skeleton->roles[rp_rolePelvis], chest = skeleton->roles[rp_roleChest];
	int head = skeleton->roles[rp_roleHead];
	*limits = (rpJointLimits){
		.skeleton = skeleton,
		.pelvis = pelvis >= 0 ? rest[pelvis].q : rpQuat_identity,
		.chest = chest >= 0 ? rest[chest].q : rpQuat_identity,
		.head = head >= 0 ? rest[head].q : rpQuat_identity,
	};
	rpFree(rest);
	return true;
}

static double getBeyond(double degrees, double low, double high)
{
	return fmax(fmax(low - degrees, degrees - high), 0.0);
}

// From the right hip to the left one: the axis that knees turn about.
static rpVec3 getSideAxis(const rpSkeleton* skeleton, const rpTransform* pose)
{
	int left = skeleton->roles[rp_roleLeftHip], right = skeleton->roles[rp_roleRightHip];
	return left >= 0 && right >= 0 ? rpNormalize(rpSub(pose[left].p, pose[right].p)) : rpVec3_zero;
}

static double getHingeExcess(const rpSkeleton* skeleton, const rpTransform* pose, const Hinge* hinge)
{
	int above = skeleton->roles[hinge->above], joint = skeleton->roles[hinge->joint];
	int below = skeleton->roles[hinge->below];
	if (above < 0 || joint < 0 || below < 0)
	{
		return 0.0;
	}
	rpVec3 upper = rpSub(pose[joint].p, pose[above].p), lower = rpSub(pose[below].p, pose[joint].p);
	rpVec3 normal = rpCross(upper, lower);
	double bend = rpAtan2Double((double)rpLength(normal), (double)rpDot(upper, lower)) / RP_DEGREE;

	// Turned inwards or outwards by more than 60 degrees a leg no longer shows in which direction its knee bends.
	double sign = rpDot(rpNormalize(normal), getSideAxis(skeleton, pose)) * (double)hinge->direction;
	return getBeyond(sign < -0.5 ? -bend : bend, hinge->low, hinge->high);
}

// How far a joint is turned from where the rest pose has it, in the world.
static rpQuat getTurn(const rpTransform* pose, int joint, rpQuat rest)
{
	return rpMulQuat(pose[joint].q, rpConjugate(rest));
}

static double getSwivelExcess(const rpTransform* pose, int base, rpQuat baseRest, int part, rpQuat partRest,
							  double high)
{
	if (base < 0 || part < 0)
	{
		return 0.0;
	}
	double angle = rpAngleBetween(getTurn(pose, base, baseRest), getTurn(pose, part, partRest)) / RP_DEGREE;
	return fmax(angle - high, 0.0);
}

static double getThighExcess(const rpJointLimits* limits, const rpTransform* pose, int hip, int knee)
{
	int pelvis = limits->skeleton->roles[rp_rolePelvis];
	if (pelvis < 0 || hip < 0 || knee < 0)
	{
		return 0.0;
	}
	rpQuat upright = rpConjugate(getTurn(pose, pelvis, limits->pelvis));
	rpVec3 thigh = rpRotate(upright, rpSub(pose[knee].p, pose[hip].p));

	// Lifted from straight down, in any direction: of a knee that is spread to the side it would be left to chance how
	// far it is before the body, seen from there.
	double back = rpAtan2Double((double)-thigh.z, rpHypotDouble((double)thigh.x, (double)thigh.y)) / RP_DEGREE;
	double lift = rpAtan2Double(rpHypotDouble((double)thigh.x, (double)thigh.z), (double)-thigh.y) / RP_DEGREE;
	return fmax(fmax(back - THIGH_BACK, lift - THIGH_LIFT), 0.0);
}

double rpJointLimits_GetExcess(const rpJointLimits* limits, const rpTransform* pose, rpJointLimit limit)
{
	const int* roles = limits->skeleton->roles;
	switch (limit)
	{
	case rp_limitSpine:
		return getSwivelExcess(pose, roles[rp_rolePelvis], limits->pelvis, roles[rp_roleChest], limits->chest,
							   SPINE_TURN);
	case rp_limitNeck:
		return getSwivelExcess(pose, roles[rp_roleChest], limits->chest, roles[rp_roleHead], limits->head, NECK_TURN);
	case rp_limitLeftThigh:
		return getThighExcess(limits, pose, roles[rp_roleLeftHip], roles[rp_roleLeftKnee]);
	case rp_limitRightThigh:
		return getThighExcess(limits, pose, roles[rp_roleRightHip], roles[rp_roleRightKnee]);
	default:
		return getHingeExcess(limits->skeleton, pose, &s_hinges[limit]);
	}
}

double rpJointLimits_GetWorst(const rpJointLimits* limits, const rpTransform* pose, rpJointLimit* what)
{
	double worst = 0.0;
	for (rpJointLimit limit = rp_limitLeftKnee; limit < rp_limitCount; ++limit)
	{
		double excess = rpJointLimits_GetExcess(limits, pose, limit);
		if (excess > worst || limit == rp_limitLeftKnee)
		{
			worst = excess;
			if (what != NULL)
			{
				*what = limit;
			}
		}
	}
	return worst;
}
