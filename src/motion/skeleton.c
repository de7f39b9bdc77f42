/// Skeletons: made in one block of memory, checked once, immutable and counted from then on.
#include "reprise/play/skeleton.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "motion/roles.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// Offsets nearer than this are the same bone, metres.
#define SAME_BONE 1e-4f

// A quaternion whose square is this near to 1 is unit: a few roundings.
#define UNIT_TOLERANCE 1e-6f

/// What rpCreateSkeleton hands out is the public part of this.
typedef struct Skeleton
{
	rpSkeleton body;
	atomic_int owners;
} Skeleton;

rpJoint rpDefaultJoint(void)
{
	return (rpJoint){
		.parent = -1,
		.rest = rpQuat_identity,
		.order = rp_orderZYX,
		.freedoms = rp_freeAll,
		.axes = rpQuat_identity,
		.lower = {1.0f, 1.0f, 1.0f},
		.upper = {-1.0f, -1.0f, -1.0f},
	};
}

rpSkeletonDef rpDefaultSkeletonDef(void)
{
	return (rpSkeletonDef){.guessRoles = true};
}

static bool isFinite(rpVec3 v)
{
	return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

// Left alone when it is unit already, so that a skeleton made from another's definition is the same to the bit.
static rpQuat makeUnit(rpQuat q)
{
	return fabsf(rpDotQuat(q, q) - 1.0f) <= UNIT_TOLERANCE ? q : rpNormalizeQuat(q);
}

// Limits may be infinite.
static bool isNumber(rpVec3 v)
{
	return !isnan(v.x) && !isnan(v.y) && !isnan(v.z);
}

static bool isTurn(rpQuat q)
{
	return isfinite(rpDotQuat(q, q));
}

static int compareNames(const void* a, const void* b)
{
	return strcmp(*(const char* const*)a, *(const char* const*)b);
}

static bool checkNames(const rpJoint* joints, int jointCount, rpError* error)
{
	const char** names = rpAllocate((size_t)jointCount, sizeof(char*), error);
	if (names == NULL)
	{
		return false;
	}
	for (int i = 0; i < jointCount; ++i)
	{
		names[i] = joints[i].name;
	}
	qsort(names, (size_t)jointCount, sizeof(char*), compareNames);
	bool unique = true;
	for (int i = 1; i < jointCount && unique; ++i)
	{
		unique = strcmp(names[i - 1], names[i]) != 0 ||
				 rpFail(error, rp_errorFormat, "two joints are named \"%s\"", names[i]);
	}
	rpFree(names);
	return unique;
}

static bool checkJoint(const rpSkeletonDef* def, int i, rpError* error)
{
	const rpJoint* joint = def->joints + i;
	if (joint->name == NULL || joint->name[0] == 0)
	{
		return rpFail(error, rp_errorFormat, "joint %d has no name", i);
	}
	if (i == 0 ? joint->parent != -1 : joint->parent < 0 || joint->parent >= i)
	{
		return rpFail(error, rp_errorFormat, "joint \"%s\" has parent %d, expected %s", joint->name, joint->parent,
					  i == 0 ? "none" : "an earlier joint");
	}
	if (!isFinite(joint->offset))
	{
		return rpFail(error, rp_errorFormat, "the offset of joint \"%s\" is not finite", joint->name);
	}
	if (!isTurn(joint->rest) || !isTurn(joint->axes))
	{
		return rpFail(error, rp_errorFormat, "the rest rotation or the axes of joint \"%s\" are not finite",
					  joint->name);
	}
	if (!isNumber(joint->lower) || !isNumber(joint->upper))
	{
		return rpFail(error, rp_errorFormat, "the limits of joint \"%s\" are not numbers", joint->name);
	}
	if ((unsigned)joint->order >= rp_eulerOrderCount || (unsigned)joint->role >= rp_roleCount ||
		(joint->freedoms & ~rp_freeAll) != 0)
	{
		return rpFail(error, rp_errorArgument, "joint \"%s\" has an unknown rotation order, role or freedom",
					  joint->name);
	}
	return true;
}

static bool checkRoles(const rpSkeletonDef* def, rpError* error)
{
	const rpJoint* owners[rp_roleCount] = {NULL};
	for (int i = 0; i < def->jointCount; ++i)
	{
		const rpJoint* joint = def->joints + i;
		if (joint->role != rp_roleNone && owners[joint->role] != NULL)
		{
			return rpFail(error, rp_errorFormat, "joints \"%s\" and \"%s\" both have the role %s",
						  owners[joint->role]->name, joint->name, rpRole_GetName(joint->role));
		}
		owners[joint->role] = joint;
	}
	return true;
}

static bool checkDef(const rpSkeletonDef* def, rpError* error)
{
	if (def->jointCount < 1 || def->jointCount > RP_MAX_JOINTS || def->endCount < 0 ||
		def->endCount > 4 * RP_MAX_JOINTS)
	{
		return rpFail(error, rp_errorLimit,
					  "a skeleton of %d joints and %d end sites; 1 to %d joints and up to %d end sites are allowed",
					  def->jointCount, def->endCount, RP_MAX_JOINTS, 4 * RP_MAX_JOINTS);
	}
	for (int i = 0; i < def->jointCount; ++i)
	{
		if (!checkJoint(def, i, error))
		{
			return false;
		}
	}
	for (int i = 0; i < def->endCount; ++i)
	{
		if (def->ends[i].joint < 0 || def->ends[i].joint >= def->jointCount || !isFinite(def->ends[i].offset))
		{
			return rpFail(error, rp_errorFormat, "end site %d belongs to no joint or is not finite", i);
		}
	}
	return checkRoles(def, error);
}

static size_t roundUp(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

// Latin-1 takes up to two bytes of UTF-8 for each of its own.
static size_t getNameSize(const char* name)
{
	return 2 * strlen(name != NULL ? name : "") + 1;
}

static size_t getNamesSize(const rpSkeletonDef* def)
{
	size_t size = 0;
	for (int i = 0; i < def->jointCount; ++i)
	{
		size += getNameSize(def->joints[i].name);
	}
	for (int i = 0; i < def->endCount; ++i)
	{
		size += getNameSize(def->ends[i].name);
	}
	return size;
}

static const char* placeName(char** place, const char* name)
{
	const char* start = *place;
	name = name != NULL ? name : "";
	size_t size = strlen(name);
	if (rpIsUtf8(name, size))
	{
		memcpy(*place, name, size + 1);
	}
	else
	{
		size = rpWriteLatin1(name, size, *place);
	}
	*place += size + 1;
	return start;
}

// One block: the skeleton, its joints, end sites, parents, offsets, names.
static Skeleton* layOut(const rpSkeletonDef* def, rpJoint** joints, rpError* error)
{
	size_t jointCount = (size_t)def->jointCount, endCount = (size_t)def->endCount;
	size_t jointsAt = roundUp(sizeof(Skeleton));
	size_t endsAt = jointsAt + roundUp(jointCount * sizeof(rpJoint));
	size_t parentsAt = endsAt + roundUp(endCount * sizeof(rpEndSite));
	size_t offsetsAt = parentsAt + roundUp(jointCount * sizeof(int));
	size_t namesAt = offsetsAt + roundUp(jointCount * sizeof(rpVec3));
	char* block = rpAllocateZero(namesAt + getNamesSize(def), 1, error);
	if (block == NULL)
	{
		return NULL;
	}
	Skeleton* skeleton = (Skeleton*)block;
	rpEndSite* ends = (rpEndSite*)(block + endsAt);
	int* parents = (int*)(block + parentsAt);
	rpVec3* offsets = (rpVec3*)(block + offsetsAt);
	char* names = block + namesAt;
	*joints = (rpJoint*)(block + jointsAt);
	for (int i = 0; i < def->jointCount; ++i)
	{
		(*joints)[i] = def->joints[i];
		(*joints)[i].name = placeName(&names, def->joints[i].name);
		(*joints)[i].rest = makeUnit(def->joints[i].rest);
		(*joints)[i].axes = makeUnit(def->joints[i].axes);
		parents[i] = def->joints[i].parent;
		offsets[i] = def->joints[i].offset;
	}
	for (int i = 0; i < def->endCount; ++i)
	{
		ends[i] = def->ends[i];
		ends[i].name = placeName(&names, def->ends[i].name);
	}
	skeleton->body.jointCount = def->jointCount;
	skeleton->body.endCount = def->endCount;
	skeleton->body.joints = *joints;
	skeleton->body.ends = ends;
	skeleton->body.parents = parents;
	skeleton->body.offsets = offsets;
	return skeleton;
}

static void indexRoles(rpSkeleton* body)
{
	for (int i = 0; i < rp_roleCount; ++i)
	{
		body->roles[i] = -1;
	}
	for (int i = body->jointCount - 1; i >= 0; --i)
	{
		body->roles[body->joints[i].role] = i;
	}
	body->roles[rp_roleNone] = -1;
}

static float measureHeight(const rpSkeleton* body, const rpTransform* rest)
{
	float low = rest[0].p.y, high = rest[0].p.y;
	for (int i = 0; i < body->jointCount; ++i)
	{
		low = fminf(low, rest[i].p.y);
		high = fmaxf(high, rest[i].p.y);
	}
	for (int i = 0; i < body->endCount; ++i)
	{
		float y = rpTransformPoint(rest[body->ends[i].joint], body->ends[i].offset).y;
		low = fminf(low, y);
		high = fmaxf(high, y);
	}
	return high - low;
}

// From the lower joint up to the upper one, along the bones.
static float measureChain(const rpSkeleton* body, rpRole upper, rpRole lower)
{
	float length = 0.0f;
	int top = body->roles[upper];
	int i = body->roles[lower];
	for (; i >= 0 && i != top; i = body->parents[i])
	{
		length += rpLength(body->offsets[i]);
	}
	return top >= 0 && i == top ? length : 0.0f;
}

static float measureLegs(const rpSkeleton* body)
{
	float left = measureChain(body, rp_roleLeftHip, rp_roleLeftAnkle);
	float right = measureChain(body, rp_roleRightHip, rp_roleRightAnkle);
	return left > 0.0f && right > 0.0f ? 0.5f * (left + right) : fmaxf(left, right);
}

rpSkeleton* rpCreateSkeleton(const rpSkeletonDef* def, rpError* error)
{
	RP_ASSERT(def != NULL && def->joints != NULL && (def->ends != NULL || def->endCount == 0));
	if (!checkDef(def, error))
	{
		return NULL;
	}
	rpTransform* rest = rpAllocate((size_t)def->jointCount, sizeof(rpTransform), error);
	rpJoint* joints = NULL;
	Skeleton* skeleton = rest != NULL ? layOut(def, &joints, error) : NULL;
	if (skeleton == NULL || !checkNames(joints, def->jointCount, error))
	{
		rpFree(rest);
		rpFree(skeleton);
		return NULL;
	}
	rpSkeleton* body = &skeleton->body;
	atomic_init(&skeleton->owners, 1);
	rpSkeleton_GetRest(body, rest);
	if (def->guessRoles)
	{
		rpGuessRoles(joints, body->jointCount, body->ends, body->endCount, rest);
	}
	rpPairJoints(joints, body->jointCount, rest);
	indexRoles(body);
	body->height = measureHeight(body, rest);
	body->legLength = measureLegs(body);
	rpPlaceEffectors(body, rest);
	rpFree(rest);
	return body;
}

rpSkeleton* rpRetainSkeleton(const rpSkeleton* skeleton)
{
	// The count is the one thing about a skeleton that changes.
	Skeleton* counted = (Skeleton*)(uintptr_t)skeleton;
	atomic_fetch_add_explicit(&counted->owners, 1, memory_order_relaxed);
	return &counted->body;
}

void rpReleaseSkeleton(rpSkeleton* skeleton)
{
	if (skeleton != NULL && atomic_fetch_sub_explicit(&((Skeleton*)skeleton)->owners, 1, memory_order_acq_rel) == 1)
	{
		rpFree(skeleton);
	}
}

rpSkeletonDef rpSkeleton_GetDef(const rpSkeleton* skeleton)
{
	return (rpSkeletonDef){
		.joints = skeleton->joints,
		.jointCount = skeleton->jointCount,
		.ends = skeleton->ends,
		.endCount = skeleton->endCount,
		.guessRoles = false,
	};
}

int rpSkeleton_FindJoint(const rpSkeleton* skeleton, const char* name)
{
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		if (strcmp(skeleton->joints[i].name, name) == 0)
		{
			return i;
		}
	}
	return -1;
}

int rpSkeleton_FindRole(const rpSkeleton* skeleton, rpRole role)
{
	RP_ASSERT((unsigned)role < rp_roleCount);
	return skeleton->roles[role];
}

bool rpSkeleton_Matches(const rpSkeleton* a, const rpSkeleton* b)
{
	if (a == b)
	{
		return true;
	}
	if (a->jointCount != b->jointCount)
	{
		return false;
	}
	for (int i = 0; i < a->jointCount; ++i)
	{
		// The root's offset is no bone.
		bool sameBone = i == 0 || rpDistance(a->offsets[i], b->offsets[i]) <= SAME_BONE;
		if (a->parents[i] != b->parents[i] || !sameBone || strcmp(a->joints[i].name, b->joints[i].name) != 0)
		{
			return false;
		}
	}
	return true;
}

void rpSkeleton_GetRest(const rpSkeleton* skeleton, rpTransform* out)
{
	out[0] = (rpTransform){rpVec3_zero, skeleton->joints[0].rest};
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		rpTransform local = {skeleton->offsets[i], skeleton->joints[i].rest};
		out[i] = rpMulTransform(out[skeleton->parents[i]], local);
	}
}
