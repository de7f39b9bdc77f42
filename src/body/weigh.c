/// How heavy the parts of a body are. P. de Leva, "Adjustments to Zatsiorsky-Seluyanov's segment inertia parameters",
/// Journal of Biomechanics 29 (1996): masses, centres and radii of gyration, the means of women and men.
#include "base/error.h"
#include "reprise/play/body.h"

// Height in metres squared times this is the default mass: a body mass index of 22.
#define MASS_INDEX 22.0f

/// A segment in the table. It reaches from its joint to another point; lengths are fractions of that.
typedef struct Entry
{
	/// Of the whole body's mass, for one side.
	float mass;

	/// The centre, from the joint's end.
	float center;

	/// Radii of gyration about the long axis and across it.
	float along, across;
} Entry;

static const Entry s_head = {0.0681f, 0.50f, 0.261f, 0.295f};
static const Entry s_upperArm = {0.0263f, 0.5763f, 0.153f, 0.270f};
static const Entry s_forearm = {0.0150f, 0.4567f, 0.108f, 0.264f};
static const Entry s_hand = {0.00585f, 0.7687f, 0.368f, 0.537f};
static const Entry s_thigh = {0.1447f, 0.3854f, 0.156f, 0.349f};
static const Entry s_shank = {0.0457f, 0.4432f, 0.098f, 0.261f};
static const Entry s_foot = {0.0133f, 0.4215f, 0.132f, 0.268f};

// The trunk's three parts stand on the line from between the hips to the base of the neck: centres along it from
// below, radii as fractions of it.
static const Entry s_lowerTrunk = {0.1182f, 0.11f, 0.155f, 0.150f};
static const Entry s_middleTrunk = {0.1549f, 0.49f, 0.170f, 0.163f};
static const Entry s_upperTrunk = {0.1571f, 0.90f, 0.190f, 0.175f};

/// What is at hand while a skeleton is weighed.
typedef struct Scale
{
	const rpSkeleton* skeleton;
	rpTransform rest[RP_MAX_JOINTS];
	rpBody* body;
} Scale;

rpBodyDef rpDefaultBodyDef(void)
{
	return (rpBodyDef){0};
}

static rpVec3 toJoint(const Scale* scale, int joint, rpVec3 point)
{
	return rpRotate(rpConjugate(scale->rest[joint].q), rpSub(point, scale->rest[joint].p));
}

static rpVec3 getEffector(const Scale* scale, rpEffector effector)
{
	rpAttachment at = scale->skeleton->effectors[effector];
	return rpTransformPoint(scale->rest[at.joint], at.offset);
}

// A segment on a joint, from one point of the rest pose to another. Masses are fractions until the end.
static void addSegment(Scale* scale, const Entry* entry, int joint, rpVec3 from, rpVec3 to)
{
	rpVec3 line = rpSub(to, from);
	float length = rpLength(line);
	scale->body->segments[scale->body->segmentCount++] = (rpSegment){
		.joint = joint,
		.mass = entry->mass,
		.center = toJoint(scale, joint, rpMulAdd(from, entry->center, line)),
		.axis = rpRotate(rpConjugate(scale->rest[joint].q), rpNormalize(line)),
		.along = entry->mass * entry->along * entry->along * length * length,
		.across = entry->mass * entry->across * entry->across * length * length,
	};
}

static void addBone(Scale* scale, const Entry* entry, rpRole from, rpRole to)
{
	int upper = scale->skeleton->roles[from], lower = scale->skeleton->roles[to];
	if (upper >= 0 && lower >= 0)
	{
		addSegment(scale, entry, upper, scale->rest[upper].p, scale->rest[lower].p);
	}
}

static void addLimbs(Scale* scale)
{
	const rpSkeleton* skeleton = scale->skeleton;
	for (int side = 0; side < 2; ++side)
	{
		bool left = side == 0;
		int ankle = skeleton->roles[left ? rp_roleLeftAnkle : rp_roleRightAnkle];
		int wrist = skeleton->roles[left ? rp_roleLeftWrist : rp_roleRightWrist];
		rpEffector heel = left ? rp_leftHeel : rp_rightHeel, toe = left ? rp_leftToe : rp_rightToe;
		rpEffector hand = left ? rp_leftHand : rp_rightHand;
		addBone(scale, &s_thigh, left ? rp_roleLeftHip : rp_roleRightHip, left ? rp_roleLeftKnee : rp_roleRightKnee);
		addBone(scale, &s_shank, left ? rp_roleLeftKnee : rp_roleRightKnee,
				left ? rp_roleLeftAnkle : rp_roleRightAnkle);
		addBone(scale, &s_upperArm, left ? rp_roleLeftShoulder : rp_roleRightShoulder,
				left ? rp_roleLeftElbow : rp_roleRightElbow);
		addBone(scale, &s_forearm, left ? rp_roleLeftElbow : rp_roleRightElbow,
				left ? rp_roleLeftWrist : rp_roleRightWrist);
		if (ankle >= 0 && skeleton->effectors[heel].joint >= 0 && skeleton->effectors[toe].joint >= 0)
		{
			addSegment(scale, &s_foot, ankle, getEffector(scale, heel), getEffector(scale, toe));
		}
		if (wrist >= 0 && skeleton->effectors[hand].joint >= 0)
		{
			addSegment(scale, &s_hand, wrist, scale->rest[wrist].p, getEffector(scale, hand));
		}
	}
}

static rpVec3 getMiddle(const Scale* scale, rpRole left, rpRole right, int otherwise)
{
	int a = scale->skeleton->roles[left], b = scale->skeleton->roles[right];
	return a >= 0 && b >= 0 ? rpLerp(scale->rest[a].p, scale->rest[b].p, 0.5f) : scale->rest[otherwise].p;
}

static int firstOf(int a, int b)
{
	return a >= 0 ? a : b;
}

// The highest point above a joint: an end site or joint that moves with it.
static rpVec3 findTop(const Scale* scale, int joint, rpVec3 up)
{
	const rpSkeleton* skeleton = scale->skeleton;
	rpVec3 top = scale->rest[joint].p;
	for (int i = 0; i < skeleton->endCount; ++i)
	{
		int at = skeleton->ends[i].joint;
		while (at > joint)
		{
			at = skeleton->parents[at];
		}
		rpVec3 point = rpTransformPoint(scale->rest[skeleton->ends[i].joint], skeleton->ends[i].offset);
		top = at == joint && rpDot(up, rpSub(point, top)) > 0.0f ? point : top;
	}
	return top;
}

static void addTrunkAndHead(Scale* scale)
{
	const int* roles = scale->skeleton->roles;
	int pelvis = roles[rp_rolePelvis];
	int chest = firstOf(roles[rp_roleChest], firstOf(roles[rp_roleSpine], pelvis));
	int spine = firstOf(roles[rp_roleSpine], chest);
	int head = firstOf(roles[rp_roleHead], roles[rp_roleNeck]);
	int neck = firstOf(roles[rp_roleNeck], head);
	rpVec3 bottom = getMiddle(scale, rp_roleLeftHip, rp_roleRightHip, pelvis);
	rpVec3 top = neck >= 0 ? scale->rest[neck].p : getMiddle(scale, rp_roleLeftShoulder, rp_roleRightShoulder, chest);
	addSegment(scale, &s_lowerTrunk, pelvis, bottom, top);
	addSegment(scale, &s_middleTrunk, spine, bottom, top);
	addSegment(scale, &s_upperTrunk, chest, bottom, top);
	if (head >= 0)
	{
		addSegment(scale, &s_head, head, scale->rest[neck].p, findTop(scale, head, rpSub(top, bottom)));
	}
}

// What the skeleton lacks is carried by all the others, in proportion.
static void scaleMasses(rpBody* body, float mass)
{
	float sum = 0.0f;
	for (int i = 0; i < body->segmentCount; ++i)
	{
		sum += body->segments[i].mass;
	}
	for (int i = 0; i < body->segmentCount; ++i)
	{
		rpSegment* segment = body->segments + i;
		segment->mass *= mass / sum;
		segment->along *= mass / sum;
		segment->across *= mass / sum;
	}
	body->mass = mass;
}

bool rpWeighSkeleton(const rpSkeleton* skeleton, const rpBodyDef* def, rpBody* out, rpError* error)
{
	const int* roles = skeleton->roles;
	bool hasLegs = roles[rp_roleLeftKnee] >= 0 || roles[rp_roleRightKnee] >= 0;
	if (roles[rp_rolePelvis] < 0 || !hasLegs)
	{
		rpFail(error, rp_errorArgument, "a skeleton without %s cannot be weighed", hasLegs ? "pelvis" : "legs");
		rpError_SetHint(error, "say which joints these are (--role left_knee=JOINT)");
		return false;
	}
	Scale scale = {.skeleton = skeleton, .body = out};
	*out = (rpBody){0};
	rpSkeleton_GetRest(skeleton, scale.rest);
	addTrunkAndHead(&scale);
	addLimbs(&scale);
	float mass = def != NULL ? def->mass : 0.0f;
	scaleMasses(out, mass > 0.0f ? mass : MASS_INDEX * skeleton->height * skeleton->height);
	return true;
}
