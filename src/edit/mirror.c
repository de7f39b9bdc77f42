/// Left and right exchanged.
///
/// With S the reflection in the plane x = 0, a joint that is turned in the world by D from its rest orientation hands
/// S D S to its counterpart. Where the frames of both sides are mirror images of each other, that is: local rotations
/// (w, x, y, z) become (w, x, -y, -z) and change sides. Where they are not (files whose joint axes follow the bones),
/// each joint has a constant correction, and the work is done on world orientations. A body whose sides do not lie
/// along x in its rest pose is reflected in its own middle plane there.
#include "base/memory.h"
#include "edit/annotation_edit.h"
#include "edit/draft.h"

// A rest pose whose sides lie within this cosine of the x axis lies along it: bodies are a little uneven (20 degrees).
#define ALONG_X 0.94f

// Corrections smaller than this half sine are rounding.
#define NO_CORRECTION 1e-4f

/// How a skeleton is mirrored.
typedef struct Plan
{
	const rpSkeleton* skeleton;

	/// [jointCount]: G of the counterpart is S G S * corrections[joint].
	rpQuat* corrections;

	/// Scratch, [jointCount]: world orientations before and after.
	rpQuat *before, *after;

	/// No joint needs a correction, and counterparts hang on counterparts: local rotations can be exchanged.
	bool isSimple;
} Plan;

static rpVec3 reflectVector(rpVec3 v)
{
	return (rpVec3){-v.x, v.y, v.z};
}

// S q S
static rpQuat reflectRotation(rpQuat q)
{
	return (rpQuat){q.w, q.x, -q.y, -q.z};
}

static int getCounterpart(const rpSkeleton* skeleton, int joint)
{
	int other = skeleton->joints[joint].mirror;
	return joint > 0 && other > 0 && skeleton->joints[other].mirror == joint ? other : joint;
}

// The direction between the sides in the rest pose; its sign does not matter.
static rpVec3 findSideways(const rpSkeleton* skeleton, const rpTransform* rest)
{
	rpVec3 sum = rpVec3_zero;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		rpVec3 across = rpSub(rest[i].p, rest[getCounterpart(skeleton, i)].p);
		sum = rpMulAdd(sum, rpDot(sum, across) < 0.0f ? -1.0f : 1.0f, across);
	}
	sum = rpNormalize(sum);
	bool isAlongX = fabsf(sum.x) > ALONG_X || rpDot(sum, sum) == 0.0f;
	return isAlongX ? (rpVec3){1.0f, 0.0f, 0.0f} : sum;
}

// S after the reflection in the plane across a direction n: a rotation.
static rpQuat turnToX(rpVec3 n)
{
	return (rpQuat){n.x, 0.0f, n.z, -n.y};
}

static bool checkIsSimple(const Plan* plan)
{
	bool isSimple = true;
	for (int i = 1; isSimple && i < plan->skeleton->jointCount; ++i)
	{
		int other = getCounterpart(plan->skeleton, i);
		isSimple = getCounterpart(plan->skeleton, plan->skeleton->parents[i]) == plan->skeleton->parents[other];
	}
	for (int i = 0; isSimple && i < plan->skeleton->jointCount; ++i)
	{
		rpQuat c = plan->corrections[i];
		isSimple = rpLength((rpVec3){c.x, c.y, c.z}) < NO_CORRECTION;
	}
	return isSimple;
}

static bool makePlan(const rpSkeleton* skeleton, Plan* plan, rpError* error)
{
	size_t jointCount = (size_t)skeleton->jointCount;
	rpTransform* rest = rpAllocate(jointCount, sizeof(rpTransform), error);
	rpQuat* memory = rpAllocate(3 * jointCount, sizeof(rpQuat), error);
	if (rest == NULL || memory == NULL)
	{
		rpFree(rest);
		rpFree(memory);
		return false;
	}
	*plan = (Plan){skeleton, memory, memory + jointCount, memory + 2 * jointCount, false};
	rpSkeleton_GetRest(skeleton, rest);
	rpQuat turn = turnToX(findSideways(skeleton, rest));
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		rpQuat other = rest[getCounterpart(skeleton, i)].q;
		plan->corrections[i] =
			rpNormalizeQuat(rpMulQuat(reflectRotation(rpConjugate(rest[i].q)), rpMulQuat(turn, other)));
	}
	plan->isSimple = checkIsSimple(plan);
	rpFree(rest);
	return true;
}

static void exchangeRotations(const Plan* plan, const rpQuat* from, rpQuat* to)
{
	for (int i = 0; i < plan->skeleton->jointCount; ++i)
	{
		to[getCounterpart(plan->skeleton, i)] = reflectRotation(from[i]);
	}
}

static void mirrorRotations(const Plan* plan, const rpQuat* from, rpQuat* to)
{
	const rpSkeleton* skeleton = plan->skeleton;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		plan->before[i] = i == 0 ? from[0] : rpMulQuat(plan->before[skeleton->parents[i]], from[i]);
		plan->after[getCounterpart(skeleton, i)] = rpMulQuat(reflectRotation(plan->before[i]), plan->corrections[i]);
	}
	to[0] = rpNormalizeQuat(plan->after[0]);
	for (int i = 1; i < skeleton->jointCount; ++i)
	{
		to[i] = rpNormalizeQuat(rpMulQuat(rpConjugate(plan->after[skeleton->parents[i]]), plan->after[i]));
	}
}

// A joint's translation is in its parent's frame, and goes to its counterpart's parent's.
static void mirrorTranslations(const Plan* plan, const rpVec3* from, rpVec3* to)
{
	to[0] = from[0];
	for (int i = 1; i < plan->skeleton->jointCount; ++i)
	{
		rpQuat correction = rpConjugate(plan->corrections[plan->skeleton->parents[i]]);
		to[getCounterpart(plan->skeleton, i)] = rpRotate(correction, reflectVector(from[i]));
	}
}

static void mirrorFrames(const Plan* plan, const rpMotion* from, rpMotion* to)
{
	size_t jointCount = (size_t)from->skeleton->jointCount;
	for (int frame = 0; frame < from->frameCount; ++frame)
	{
		size_t first = (size_t)frame * jointCount;
		to->rootPositions[frame] = reflectVector(from->rootPositions[frame]);
		(plan->isSimple ? exchangeRotations : mirrorRotations)(plan, from->rotations + first, to->rotations + first);
		if (from->translations != NULL)
		{
			mirrorTranslations(plan, from->translations + first, to->translations + first);
		}
	}
	rpAlignHemispheres(to);
}

rpMotion* rpMirrorMotion(const rpMotion* motion, rpError* error)
{
	Plan plan;
	if (!makePlan(motion->skeleton, &plan, error))
	{
		return NULL;
	}
	rpMotion* result = rpDraftMotion(motion, motion->fps, motion->frameCount, error);
	if (result != NULL)
	{
		mirrorFrames(&plan, motion, result);
	}
	rpFree(plan.corrections);
	if (result != NULL && !rpMirrorAnnotations(&motion->annotations, &result->annotations, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}
