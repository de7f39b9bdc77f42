#include "blend/clip_rounding.h"

#include "base/memory.h"

#include <math.h>

// What is left out of a rotation is at least this in all frames of a block. Of four numbers one is at least 0.5; the
// closer to zero it comes, the more it is off for what the others are.
#define SMALLEST_LEFT 0.35f

// A root that goes farther than this begins another block, metres: 22 bits of its step.
#define FARTHEST_RUN 64.0f

// Joints that turn less than this are still: what floats tell apart.
#define STILL 1e-6f

// The finest step: sums of base and bits are whole floats.
#define FINEST_STEP (1.0f / (float)(1 << 22))

// ---- looking at the clip

static float getPart(rpQuat q, int part)
{
	const float parts[4] = {q.w, q.x, q.y, q.z};
	return parts[part];
}

static rpQuat getRotation(const rpRounding* rounding, int frame, int joint)
{
	rpClipRow row = rpClip_GetRow(rounding->clip, frame);
	return rpClipRow_GetRotation(&row, joint);
}

// Whether a rotation stays with its run, and what can still be left out of it: least holds the smallest that each
// number was so far, in the direction of the first.
static bool extendJoint(rpQuat first, rpQuat q, float* least)
{
	float best = 0.0f, own[4];
	for (int part = 0; part < 4; ++part)
	{
		float value = getPart(first, part) < 0.0f ? -getPart(q, part) : getPart(q, part);
		own[part] = fminf(least[part], value);
		best = fmaxf(best, own[part]);
	}
	for (int part = 0; part < 4 && best >= SMALLEST_LEFT; ++part)
	{
		least[part] = own[part];
	}
	return best >= SMALLEST_LEFT;
}

static uint8_t chooseLeft(rpQuat first, const float* least)
{
	int best = 0;
	for (int part = 1; part < 4; ++part)
	{
		best = least[part] > least[best] ? part : best;
	}
	return (uint8_t)(best | (getPart(first, best) < 0.0f ? rp_packedLeftNegative : 0));
}

// How many frames from one on leave out the same number of a joint.
static int measureRun(rpRounding* rounding, int joint, int start, int end, uint8_t* left)
{
	rpQuat first = getRotation(rounding, start, joint);
	float least[4] = {INFINITY, INFINITY, INFINITY, INFINITY};
	int frame = start;
	while (frame < end && extendJoint(first, getRotation(rounding, frame, joint), least))
	{
		++frame;
	}
	*left = chooseLeft(first, least);
	return frame;
}

static int measureRootRun(const rpClip* clip, int start)
{
	int frame = start + 1;
	while (frame < clip->frameCount && rpDistance(clip->roots[frame], clip->roots[start]) < 0.5f * FARTHEST_RUN)
	{
		++frame;
	}
	return frame;
}

// Cut the clip into runs. A joint that ends one sooner than those before it makes them shorter; what these leave out
// of the longer run does for the shorter one too.
static void cutRuns(rpRounding* rounding)
{
	const rpClip* clip = rounding->clip;
	size_t jointCount = (size_t)rounding->jointCount;
	for (int start = 0, end; start < clip->frameCount; start = end)
	{
		uint8_t* lefts = rounding->lefts + (size_t)start * jointCount;
		end = measureRootRun(clip, start);
		for (int i = 0; i < rounding->jointCount; ++i)
		{
			end = measureRun(rounding, i, start, end, &lefts[i]);
		}
		rounding->cuts[start] = true;
		for (size_t i = jointCount; i < (size_t)(end - start) * jointCount; ++i)
		{
			lefts[i] = lefts[i - jointCount];
		}
	}
}

static bool isStill(const rpRounding* rounding, int joint)
{
	rpQuat first = getRotation(rounding, 0, joint);
	bool still = true;
	for (int frame = 1; frame < rounding->clip->frameCount && still; ++frame)
	{
		rpQuat q = getRotation(rounding, frame, joint);
		still = fabsf(q.w - first.w) < STILL && fabsf(q.x - first.x) < STILL && fabsf(q.y - first.y) < STILL &&
				fabsf(q.z - first.z) < STILL;
	}
	return still;
}

// From the last joint on: children come after their parents. Still joints go along with their parents.
static void measureBones(rpRounding* rounding)
{
	const rpSkeleton* skeleton = rounding->clip->skeleton;
	for (int i = rounding->jointCount - 1; i >= 0; --i)
	{
		int parent = skeleton->parents[i];
		rounding->areStill[i] = isStill(rounding, i);
		float own = rpLength(skeleton->offsets[i]) + (rounding->areStill[i] ? rounding->bones[i] : 0.0f);
		if (parent >= 0)
		{
			rounding->bones[parent] = fmaxf(rounding->bones[parent], own);
		}
	}
}

bool rpRounding_Create(rpRounding* rounding, const rpClip* clip, rpError* error)
{
	size_t jointCount = (size_t)clip->skeleton->jointCount, frameCount = (size_t)clip->frameCount;
	*rounding = (rpRounding){
		.clip = clip,
		.jointCount = (int)jointCount,
		.steps = rpAllocate(jointCount, sizeof(float), error),
		.numbers = rpAllocate(frameCount * jointCount, rp_packedSlots * sizeof(int32_t), error),
		.lefts = rpAllocate(frameCount * jointCount, 1, error),
		.cuts = rpAllocateZero(frameCount, sizeof(bool), error),
		.areStill = rpAllocate(jointCount, sizeof(bool), error),
		.bones = rpAllocateZero(jointCount, sizeof(float), error),
		.exact = rpAllocate(jointCount, sizeof(rpQuat), error),
		.rounded = rpAllocate(jointCount, sizeof(rpQuat), error),
	};
	if (rounding->steps == NULL || rounding->numbers == NULL || rounding->lefts == NULL || rounding->cuts == NULL ||
		rounding->areStill == NULL || rounding->bones == NULL || rounding->exact == NULL || rounding->rounded == NULL)
	{
		return false;
	}
	cutRuns(rounding);
	measureBones(rounding);
	return true;
}

void rpRounding_Free(rpRounding* rounding)
{
	rpFree(rounding->steps);
	rpFree(rounding->numbers);
	rpFree(rounding->lefts);
	rpFree(rounding->cuts);
	rpFree(rounding->areStill);
	rpFree(rounding->bones);
	rpFree(rounding->exact);
	rpFree(rounding->rounded);
	*rounding = (rpRounding){0};
}

// ---- rounding

static void chooseSteps(rpRounding* rounding, const rpCoarseness* coarseness)
{
	for (int i = 0; i < rounding->jointCount; ++i)
	{
		float bone = rounding->bones[i];
		float step = coarseness->travel < coarseness->step * bone ? coarseness->travel / bone : coarseness->step;
		rounding->steps[i] = fmaxf(step, FINEST_STEP);
	}
}

// As rpPackedGroup_Get decodes it.
static rpQuat roundRotation(rpQuat q, uint8_t left, float step, int32_t* numbers)
{
	float parts[4] = {q.w, q.x, q.y, q.z}, rest = 1.0f;
	int index = left & rp_packedLeftMask;
	parts[index] = q.w;
	for (int slot = 0; slot < rp_packedSlots; ++slot)
	{
		numbers[slot] = (int32_t)rintf(parts[slot + 1] / step);
		parts[slot + 1] = (float)numbers[slot] * step;
		rest -= parts[slot + 1] * parts[slot + 1];
	}
	parts[0] = parts[index];
	parts[index] = sqrtf(fmaxf(rest, 0.0f)) * ((left & rp_packedLeftNegative) != 0 ? -1.0f : 1.0f);
	return (rpQuat){parts[0], parts[1], parts[2], parts[3]};
}

static void roundFrame(rpRounding* rounding, int frame)
{
	rpClipRow row = rpClip_GetRow(rounding->clip, frame);
	const int* parents = rounding->clip->skeleton->parents;
	for (int i = 0; i < rounding->jointCount; ++i)
	{
		size_t at = (size_t)frame * (size_t)rounding->jointCount + (size_t)i;
		int parent = parents[i];
		rpQuat own = rpClipRow_GetRotation(&row, i), wanted = own;
		rounding->exact[i] = parent >= 0 ? rpMulQuat(rounding->exact[parent], own) : own;
		if (parent >= 0 && !rounding->areStill[i])
		{
			wanted = rpNormalizeQuat(rpMulQuat(rpConjugate(rounding->rounded[parent]), rounding->exact[i]));
		}
		rpQuat q =
			roundRotation(wanted, rounding->lefts[at], rounding->steps[i], rounding->numbers + rp_packedSlots * at);
		rounding->rounded[i] = parent >= 0 ? rpMulQuat(rounding->rounded[parent], q) : q;
	}
}

void rpRounding_Round(rpRounding* rounding, const rpCoarseness* coarseness)
{
	chooseSteps(rounding, coarseness);
	for (int frame = 0; frame < rounding->clip->frameCount; ++frame)
	{
		roundFrame(rounding, frame);
	}
}
