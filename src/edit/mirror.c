/// Left and right exchanged.
///
/// Where the joint frames of both sides are mirror images of each other, local rotations (w, x, y, z) become
/// (w, x, -y, -z) and change sides. Where they are not, each joint has a constant correction, and the work is done on
/// world orientations.
#include "base/memory.h"
#include "edit/annotation_edit.h"
#include "edit/reflection.h"
#include "motion/draft.h"
#include "reprise/edit.h"

// Corrections smaller than this half sine are rounding.
#define NO_CORRECTION 1e-4f

/// How a skeleton is mirrored.
typedef struct Plan
{
	const rpSkeleton* skeleton;

	/// [jointCount], from rpFindCorrections.
	rpQuat* corrections;

	/// Scratch, [jointCount]: world orientations before and after.
	rpQuat *before, *after;

	/// No joint needs a correction, and counterparts hang on counterparts: local rotations can be exchanged.
	bool isSimple;
} Plan;

static bool checkIsSimple(const Plan* plan)
{
	bool isSimple = true;
	for (int i = 1; isSimple && i < plan->skeleton->jointCount; ++i)
	{
		int other = rpGetCounterpart(plan->skeleton, i);
		isSimple = rpGetCounterpart(plan->skeleton, plan->skeleton->parents[i]) == plan->skeleton->parents[other];
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
	rpQuat* memory = rpAllocate(3 * jointCount, sizeof(rpQuat), error);
	if (memory == NULL || !rpFindCorrections(skeleton, memory, error))
	{
		rpFree(memory);
		return false;
	}
	*plan = (Plan){skeleton, memory, memory + jointCount, memory + 2 * jointCount, false};
	plan->isSimple = checkIsSimple(plan);
	return true;
}

static void exchangeRotations(const Plan* plan, const rpQuat* from, rpQuat* to)
{
	for (int i = 0; i < plan->skeleton->jointCount; ++i)
	{
		to[rpGetCounterpart(plan->skeleton, i)] = rpReflectRotation(from[i]);
	}
}

static void mirrorRotations(const Plan* plan, const rpQuat* from, rpQuat* to)
{
	const rpSkeleton* skeleton = plan->skeleton;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		plan->before[i] = i == 0 ? from[0] : rpMulQuat(plan->before[skeleton->parents[i]], from[i]);
		plan->after[rpGetCounterpart(skeleton, i)] =
			rpMulQuat(rpReflectRotation(plan->before[i]), plan->corrections[i]);
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
		to[rpGetCounterpart(plan->skeleton, i)] = rpRotate(correction, rpReflectVector(from[i]));
	}
}

static void mirrorFrames(const Plan* plan, const rpMotion* from, rpMotion* to)
{
	size_t jointCount = (size_t)from->skeleton->jointCount;
	for (int frame = 0; frame < from->frameCount; ++frame)
	{
		size_t first = (size_t)frame * jointCount;
		to->rootPositions[frame] = rpReflectVector(from->rootPositions[frame]);
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
