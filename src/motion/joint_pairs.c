/// Left and right: each joint's counterpart, by role, by name, and by place where names say nothing. The result is an
/// involution, and counterparts hang on counterparts wherever the body lets them.
#include "motion/role_names.h"
#include "motion/roles.h"

#include <float.h>

// How far from its mirrored place a counterpart may be, as part of its own size: on the midline, and on limbs that are
// counterparts already.
#define MIDLINE_TOLERANCE 0.2f
#define LIMB_TOLERANCE 2.0f

static void pair(rpJoint* joints, int a, int b)
{
	joints[a].mirror = b;
	joints[b].mirror = a;
}

static void pairByRole(rpJoint* joints, int jointCount)
{
	int roles[rp_roleCount];
	for (int i = 0; i < rp_roleCount; ++i)
	{
		roles[i] = -1;
	}
	for (int i = jointCount - 1; i >= 0; --i)
	{
		roles[joints[i].role] = i;
	}
	for (int role = rp_roleNone + 1; role < rp_roleCount; ++role)
	{
		int other = roles[rpRole_Mirror((rpRole)role)];
		if (roles[role] >= 0 && other >= 0)
		{
			pair(joints, roles[role], other);
		}
	}
}

static int getMirror(const rpJoint* joints, int joint)
{
	return joint >= 0 ? joints[joint].mirror : -1;
}

// Among the children of the parent's counterpart first, then anywhere.
static int findByName(const rpJoint* joints, int jointCount, const rpNameReading* names, int joint, bool anywhere)
{
	int parent = getMirror(joints, joints[joint].parent);
	for (int i = 0; i < jointCount; ++i)
	{
		if (i != joint && joints[i].mirror < 0 && names[joint].side != 0 && names[i].side == -names[joint].side &&
			names[i].key == names[joint].key && (anywhere || joints[i].parent == parent))
		{
			return i;
		}
	}
	return -1;
}

static void pairByName(rpJoint* joints, int jointCount, const rpNameReading* names)
{
	for (int i = 0; i < jointCount; ++i)
	{
		int other = joints[i].mirror < 0 ? findByName(joints, jointCount, names, i, false) : -1;
		other = joints[i].mirror < 0 && other < 0 ? findByName(joints, jointCount, names, i, true) : other;
		if (other >= 0)
		{
			pair(joints, i, other);
		}
		else if (joints[i].mirror < 0 && names[i].side == 0 && joints[i].parent < 0)
		{
			joints[i].mirror = i;
		}
	}
}

// What carries counterparts is a counterpart itself, or the midline.
static void pairUpwards(rpJoint* joints, int jointCount)
{
	for (int i = jointCount - 1; i > 0; --i)
	{
		int mirror = joints[i].mirror;
		int a = joints[i].parent, b = mirror >= 0 ? joints[mirror].parent : -1;
		if (b >= 0 && joints[a].mirror < 0 && joints[b].mirror < 0)
		{
			pair(joints, a, b);
		}
	}
}

// Where the longest path down from each joint ends.
static void findTips(const rpJoint* joints, int jointCount, const rpTransform* rest, rpVec3* tips)
{
	float reaches[RP_MAX_JOINTS] = {0.0f};
	for (int i = 0; i < jointCount; ++i)
	{
		tips[i] = rest[i].p;
	}
	for (int i = jointCount - 1; i > 0; --i)
	{
		int parent = joints[i].parent;
		float reach = reaches[i] + rpDistance(rest[i].p, rest[parent].p);
		if (reach > reaches[parent])
		{
			reaches[parent] = reach;
			tips[parent] = tips[i];
		}
	}
}

// The direction from right to left.
static rpVec3 findLeft(const rpJoint* joints, int jointCount, const rpNameReading* names, const rpTransform* rest)
{
	rpVec3 across = rpVec3_zero;
	for (int i = 0; i < jointCount; ++i)
	{
		int other = joints[i].mirror;
		bool left = joints[i].role >= rp_roleLeftClavicle ? joints[i].role < rp_roleRightClavicle : names[i].side > 0;
		if (other >= 0 && other != i && left)
		{
			across = rpAdd(across, rpSub(rest[i].p, rest[other].p));
		}
	}
	return rpLength(across) > 0.0f ? rpNormalize(across) : (rpVec3){1.0f, 0.0f, 0.0f};
}

static rpVec3 reflect(rpVec3 left, rpVec3 v)
{
	return rpMulAdd(v, -2.0f * rpDot(left, v), left);
}

// The unpaired child of the parent's counterpart that is nearest to the mirrored place, and ends nearest to the
// mirrored end; the joint itself on the midline.
static int findByPlace(const rpJoint* joints, int jointCount, const rpTransform* rest, const rpVec3* tips, rpVec3 left,
					   int joint)
{
	int parent = joints[joint].parent, otherParent = getMirror(joints, parent);
	// Seen from the parents, since bodies are not quite even.
	rpVec3 place = reflect(left, rpSub(rest[joint].p, rest[parent].p));
	rpVec3 tip = reflect(left, rpSub(tips[joint], rest[parent].p));
	float size = rpDistance(rest[joint].p, rest[parent].p) + rpDistance(tips[joint], rest[joint].p);
	// A joint of no size at all finds one on its own place.
	float nearest = FLT_MIN + size * (otherParent == parent ? MIDLINE_TOLERANCE : LIMB_TOLERANCE);
	int best = joint;
	for (int i = 1; i < jointCount; ++i)
	{
		bool free = i == joint ? otherParent == parent : joints[i].mirror < 0 && joints[i].parent == otherParent;
		if (!free)
		{
			continue;
		}
		float distance = rpDistance(place, rpSub(rest[i].p, rest[otherParent].p)) +
						 rpDistance(tip, rpSub(tips[i], rest[otherParent].p));
		if (distance < nearest)
		{
			nearest = distance;
			best = i;
		}
	}
	return best;
}

void rpPairJoints(rpJoint* joints, int jointCount, const rpTransform* rest)
{
	rpNameReading names[RP_MAX_JOINTS];
	rpVec3 tips[RP_MAX_JOINTS];
	for (int i = 0; i < jointCount; ++i)
	{
		names[i] = rpReadJointName(joints[i].name);
		joints[i].mirror = -1;
	}
	pairByRole(joints, jointCount);
	pairByName(joints, jointCount, names);
	pairUpwards(joints, jointCount);
	findTips(joints, jointCount, rest, tips);
	rpVec3 left = findLeft(joints, jointCount, names, rest);
	for (int i = 0; i < jointCount; ++i)
	{
		if (joints[i].mirror < 0)
		{
			int other = i == 0 ? i : findByPlace(joints, jointCount, rest, tips, left, i);
			bool mutual = other != i && findByPlace(joints, jointCount, rest, tips, left, other) == i;
			pair(joints, i, mutual ? other : i);
		}
	}
}
