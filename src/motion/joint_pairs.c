/// Left and right: each joint's counterpart, by role, by name, and by place where names say nothing. The result is an
/// involution, and counterparts hang on counterparts wherever the body lets them.
#include "motion/role_names.h"
#include "motion/roles.h"

// How far from its mirrored place a counterpart may be, as part of its distance from the parent.
#define PLACE_TOLERANCE 0.2f

/// The plane between left and right.
typedef struct MidPlane
{
	rpVec3 normal;
	rpVec3 point;
} MidPlane;

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

static MidPlane findPlane(const rpJoint* joints, int jointCount, const rpNameReading* names, const rpTransform* rest)
{
	rpVec3 across = rpVec3_zero, middle = rpVec3_zero;
	int count = 0;
	for (int i = 0; i < jointCount; ++i)
	{
		int other = joints[i].mirror;
		bool left = joints[i].role >= rp_roleLeftClavicle ? joints[i].role < rp_roleRightClavicle : names[i].side > 0;
		if (other >= 0 && other != i && left)
		{
			across = rpAdd(across, rpSub(rest[i].p, rest[other].p));
			middle = rpAdd(middle, rpLerp(rest[i].p, rest[other].p, 0.5f));
			++count;
		}
	}
	if (count == 0 || !(rpLength(across) > 0.0f))
	{
		return (MidPlane){{1.0f, 0.0f, 0.0f}, rest[0].p};
	}
	return (MidPlane){rpNormalize(across), rpScale(1.0f / (float)count, middle)};
}

static rpVec3 reflect(MidPlane plane, rpVec3 p)
{
	return rpMulAdd(p, -2.0f * rpDot(plane.normal, rpSub(p, plane.point)), plane.normal);
}

// The unpaired child of the parent's counterpart that is nearest to the mirrored place; the joint itself on the
// midline.
static int findByPlace(const rpJoint* joints, int jointCount, const rpTransform* rest, MidPlane plane, int joint)
{
	int parent = joints[joint].parent, otherParent = getMirror(joints, parent);
	rpVec3 place = reflect(plane, rest[joint].p);
	float nearest = fmaxf(PLACE_TOLERANCE * rpDistance(rest[joint].p, rest[parent].p), 1e-6f);
	int best = joint;
	for (int i = 0; i < jointCount; ++i)
	{
		float distance = rpDistance(place, rest[i].p);
		bool free = i == joint || (joints[i].mirror < 0 && joints[i].parent == otherParent);
		if (free && i != parent && (i != joint || otherParent == parent) && distance < nearest)
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
	for (int i = 0; i < jointCount; ++i)
	{
		names[i] = rpReadJointName(joints[i].name);
		joints[i].mirror = -1;
	}
	pairByRole(joints, jointCount);
	pairByName(joints, jointCount, names);
	MidPlane plane = findPlane(joints, jointCount, names, rest);
	for (int i = 0; i < jointCount; ++i)
	{
		if (joints[i].mirror < 0)
		{
			pair(joints, i, i == 0 ? i : findByPlace(joints, jointCount, rest, plane, i));
		}
	}
}
