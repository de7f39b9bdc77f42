/// Seams of walks: the fade of one passage into the next.
///
/// A cross-fade of poses (eq. 4.11-4.13 of Kovar's thesis) is p = b + w d, with d what a differs by from b and w the
/// share of a. Where a and b move differently, d = v t around the middle, its velocity overshoots both (w' d) and then
/// changes three times as fast as it would have to: by 3 v / T, with T how long the fade takes. So it is velocities
/// that are faded here, p' = b' + w d', which never changes by more than 1.5 v / T; and what the places differ by on
/// the whole is faded as it was. Integrated by parts, that is
///
///     p = b + w d + I - (1 - w) m     with I(t) the integral of -w' d from the start to t, and m that to the end,
///
/// the mean of d. It begins and ends as the cross-fade does, and is the same where d is constant. Differences of
/// rotations are rotation vectors, from b's own.
#include "solve/walk_seam.h"

#include "base/memory.h"
#include "reprise/math.h"
#include "solve/walk_floor.h"

#include <string.h>

/// A fade in the making. Moments are its start, the frames in it, and its end.
typedef struct Fade
{
	const rpPassage *passage, *next;
	const rpGraph* graph;
	double fps;
	int first, count, jointCount;

	/// [count * rowSize]: what the passage differs by from the next, the root's place first, then the rotations of the
	/// joints.
	rpVec3* rows;
	int rowSize;

	/// [rowSize], the integrals over all of the fade, and up to a moment.
	rpVec3* means;
	rpVec3* sums;

	/// [jointCount], the rotations that the passage differs by in the middle: they tell which way round.
	rpQuat* middles;
	rpPose own, other;
} Fade;

void rpPassage_Sample(const rpPassage* passage, const rpGraph* graph, double time, rpPose* pose)
{
	const rpMotion* motion = graph->clips[passage->clip].motion;
	double clipTime = passage->clipStart + time - passage->start;
	rpMotion_Sample(motion, clipTime, pose);
	pose->rootPosition = rpGround_Apply(passage->placement, pose->rootPosition);
	if (passage->floor != NULL)
	{
		pose->rootPosition.y -= rpWalkFloor_GetRise(passage->floor, passage, motion, clipTime);
	}
	pose->rotations[0] = rpMulQuat(rpYaw(passage->placement.turn), pose->rotations[0]);
}

static double getTime(const Fade* fade, int moment)
{
	return moment == 0                 ? fade->next->start
		   : moment == fade->count - 1 ? fade->passage->end
									   : (fade->first + moment - 1) / fade->fps;
}

// The weight of the passage that is left, eq. 4.12.
static float getWeight(const Fade* fade, int moment)
{
	double length = fade->passage->end - fade->next->start;
	float t = (float)((getTime(fade, moment) - fade->next->start) / length);
	return (2.0f * t - 3.0f) * t * t + 1.0f;
}

static void sampleBoth(Fade* fade, double time)
{
	rpPassage_Sample(fade->passage, fade->graph, time, &fade->own);
	rpPassage_Sample(fade->next, fade->graph, time, &fade->other);
}

static rpQuat getDifference(const Fade* fade, int joint)
{
	return rpMulQuat(rpConjugate(fade->other.rotations[joint]), fade->own.rotations[joint]);
}

// A joint that is nearly half a turn away would change its mind about the way round.
static void chooseWays(Fade* fade)
{
	sampleBoth(fade, 0.5 * (fade->next->start + fade->passage->end));
	for (int i = 0; i < fade->jointCount; ++i)
	{
		rpQuat q = getDifference(fade, i);
		fade->middles[i] = q.w < 0.0f ? rpNegateQuat(q) : q;
	}
}

// Rotation vector of a quaternion of either sign: up to a whole turn.
static rpVec3 getVector(rpQuat q)
{
	rpVec3 half = {q.x, q.y, q.z};
	float sine = rpLength(half);
	return sine < 1e-6f ? rpScale(2.0f, half) : rpScale(2.0f * atan2f(sine, q.w) / sine, half);
}

static void measure(Fade* fade)
{
	chooseWays(fade);
	for (int k = 0; k < fade->count; ++k)
	{
		rpVec3* row = fade->rows + (size_t)k * (size_t)fade->rowSize;
		sampleBoth(fade, getTime(fade, k));
		row[0] = rpSub(fade->own.rootPosition, fade->other.rootPosition);
		for (int i = 0; i < fade->jointCount; ++i)
		{
			rpQuat q = getDifference(fade, i);
			row[i + 1] = getVector(rpDotQuat(q, fade->middles[i]) < 0.0f ? rpNegateQuat(q) : q);
		}
	}
}

// Add the integral over the step before a moment, by the trapezoid rule.
static void addStep(const Fade* fade, int moment, rpVec3* sums)
{
	const rpVec3* row = fade->rows + (size_t)moment * (size_t)fade->rowSize;
	float share = 0.5f * (getWeight(fade, moment - 1) - getWeight(fade, moment));
	for (int i = 0; i < fade->rowSize; ++i)
	{
		sums[i] = rpMulAdd(sums[i], share, rpAdd(row[i - fade->rowSize], row[i]));
	}
}

static void findMeans(Fade* fade)
{
	memset(fade->means, 0, (size_t)fade->rowSize * sizeof(rpVec3));
	for (int k = 1; k < fade->count; ++k)
	{
		addStep(fade, k, fade->means);
	}
}

static void makeFrame(Fade* fade, int moment, rpMotion* out)
{
	const rpVec3* row = fade->rows + (size_t)moment * (size_t)fade->rowSize;
	float weight = getWeight(fade, moment);
	int frame = fade->first + moment - 1;
	rpQuat* rotations = out->rotations + (size_t)frame * (size_t)fade->jointCount;
	rpPassage_Sample(fade->next, fade->graph, getTime(fade, moment), &fade->other);
	for (int i = 0; i < fade->rowSize; ++i)
	{
		rpVec3 rest = rpMulAdd(fade->sums[i], weight - 1.0f, fade->means[i]);
		rpVec3 offset = rpMulAdd(rest, weight, row[i]);
		if (i == 0)
		{
			out->rootPositions[frame] = rpAdd(fade->other.rootPosition, offset);
		}
		else
		{
			rotations[i - 1] = rpNormalizeQuat(rpMulQuat(fade->other.rotations[i - 1], rpExpQuat(offset)));
		}
	}
}

static void makeFrames(Fade* fade, rpMotion* out)
{
	memset(fade->sums, 0, (size_t)fade->rowSize * sizeof(rpVec3));
	for (int k = 1; k < fade->count - 1 && fade->first + k - 1 < out->frameCount; ++k)
	{
		addStep(fade, k, fade->sums);
		makeFrame(fade, k, out);
	}
}

static bool allocate(Fade* fade, rpError* error)
{
	size_t jointCount = (size_t)fade->jointCount, rowSize = (size_t)fade->rowSize;
	fade->rows = rpAllocate((size_t)fade->count * rowSize, sizeof(rpVec3), error);
	fade->means = rpAllocate(2 * rowSize, sizeof(rpVec3), error);
	fade->middles = rpAllocate(3 * jointCount, sizeof(rpQuat), error);
	if (fade->rows == NULL || fade->means == NULL || fade->middles == NULL)
	{
		return false;
	}
	fade->sums = fade->means + rowSize;
	fade->own.rotations = fade->middles + jointCount;
	fade->other.rotations = fade->own.rotations + jointCount;
	return true;
}

bool rpPassage_FadeInto(const rpPassage* passage, const rpPassage* next, const rpGraph* graph, int first, rpMotion* out,
						rpError* error)
{
	Fade fade = {.passage = passage, .next = next, .graph = graph, .fps = out->fps, .first = first, .count = 2};
	fade.jointCount = out->skeleton->jointCount;
	fade.rowSize = fade.jointCount + 1;
	while ((first + fade.count - 2) / fade.fps < passage->end)
	{
		++fade.count;
	}
	bool done = allocate(&fade, error);
	if (done)
	{
		measure(&fade);
		findMeans(&fade);
		makeFrames(&fade, out);
	}
	rpFree(fade.rows);
	rpFree(fade.means);
	rpFree(fade.middles);
	return done;
}
