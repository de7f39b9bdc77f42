/// Evidence per frame. A point bears while it is slow and low, so the weaker of both decides. What is slow depends on
/// the movement around: a captured foot slides by some part of its speed when a runner is fitted to markers. What is
/// low is decided by the foot itself, which sinks into nothing: where it is lowest shortly before or after is the
/// floor.
///
/// The weight has its say where the points are in doubt (support_load.c): a body that does not fall has a foot down;
/// one that presses on the ground where the resting foot is not has the other one down too; one that falls freely has
/// none.
#include "analysis/foot_evidence.h"

#include "base/memory.h"
#include "reprise/play/body.h"

#include <stdlib.h>

// It is in doubt whether a point rests at this part of its fastest movement around, or so many times how fast feet
// slide anyhow, m/s within these bounds.
#define REST_PART 0.1f
#define SLIDE_PART 3.0f
#define MIN_SPEED 0.25f
#define MAX_SPEED 0.8f
// And at this height above what is under it, metres, which grows with the speed at which feet slide, seconds: feet that
// slide also sink and rise.
#define MIN_HEIGHT 0.02f
#define SLIDE_HEIGHT 0.05f
#define MAX_HEIGHT 0.035f
// Toes rise by more while they push off: the foot rolls over what is under their tips.
#define TOE_ROLL 1.5f
// Feet of captures slope down to the heel by up to this many times the difference that marks a heel on tiptoe: nobody
// stands on the heels for long.
#define MAX_SLOPE 3.0f
// What is under a foot is where it is lowest within this time before, or after, seconds: less than any stance on
// stairs, from which the foot goes on down.
#define LEVEL_TIME 0.3
// A body that falls with this part of gravity flies, with less than this part it is borne. Captured flights: 0.8 and
// more; walkers: 0.15 at most.
#define FLYING_FALL 0.7
#define BORNE_FALL 0.25
// How long before and after a moment its fall and its pressure are taken from, seconds.
#define FALL_HALF_WINDOW 0.045
#define PRESSURE_HALF_WINDOW 0.12
// Pressure this far outside of a foot is not borne by it, and this much farther certainly not, metres.
#define OUTSIDE 0.07
#define FAR_OUTSIDE 0.1
// The weight outvotes points that are in doubt, but not two that are surely up; a fall, none that surely rest.
#define LOAD 2.5f
#define FLIGHT 0.85f
// A foot that is this much more likely down than the other is the one that bears.
#define CLEARLY 1.0f

static bool allocate(rpFootEvidence* evidence, int frameCount, rpError* error)
{
	size_t count = (size_t)frameCount;
	float* memory = rpAllocateZero(2 * (rp_footPartCount + 2) * count, sizeof(float), error);
	evidence->memory = memory;
	for (int side = 0; memory != NULL && side < 2; ++side)
	{
		for (int part = 0; part < rp_footPartCount; ++part, memory += count)
		{
			evidence->points[side][part] = memory;
		}
		evidence->loads[side] = memory;
		evidence->levels[side] = memory + count;
		memory += 2 * count;
	}
	return memory != NULL;
}

float rpGetRestSpeed(const rpFeet* feet, const rpRestLimits* limits, int track, int frame)
{
	// Toes whip in captures.
	int like = track < rp_footPointCount ? track : rpGetFootTrack(rpGetFootSide(track), rp_footBall);
	float usual = fmaxf(REST_PART * feet->tracks[like].peaks[frame], SLIDE_PART * feet->slides[frame]);
	return limits->speed > 0.0f ? limits->speed : fminf(fmaxf(usual, MIN_SPEED), MAX_SPEED);
}

float rpGetRestHeight(const rpFeet* feet, const rpRestLimits* limits, int frame)
{
	float usual = fminf(MIN_HEIGHT + SLIDE_HEIGHT * feet->slides[frame], MAX_HEIGHT);
	return limits->height > 0.0f ? limits->height : usual;
}

// How much higher than the ball another point is in frames in which both are still and the foot may be flat; as in the
// rest pose if there are none.
static float findOffset(const rpFeet* feet, const rpRestLimits* limits, int side, int part)
{
	const rpFootTrack* ball = feet->tracks + rpGetFootTrack(side, rp_footBall);
	const rpFootTrack* other = feet->tracks + rpGetFootTrack(side, part);
	const rpFootTrack* heel = feet->tracks + rpGetFootTrack(side, rp_footHeel);
	int count = 0;
	for (int f = 0; f < feet->frameCount; ++f)
	{
		float slow = 0.5f * rpGetRestSpeed(feet, limits, rpGetFootTrack(side, rp_footBall), f);
		float rise = heel->smooth[f].y - ball->smooth[f].y;
		bool isFlat = rise < feet->hanging && rise > -MAX_SLOPE * feet->hanging;
		if (isFlat && ball->speeds[f] < slow && heel->speeds[f] < slow)
		{
			feet->scratch[count++] = other->smooth[f].y - ball->smooth[f].y;
		}
	}
	return count > 0 ? rpTakeQuantile(feet->scratch, count, 0.5) : feet->offsets[side][part];
}

// The lowest of a foot's heel and ball, as high as the ball would be on a foot that stands flat there.
static float getLowest(const rpFeet* feet, int side, int frame)
{
	float heel = feet->tracks[rpGetFootTrack(side, rp_footHeel)].smooth[frame].y - feet->offsets[side][rp_footHeel];
	return fminf(heel, feet->tracks[rpGetFootTrack(side, rp_footBall)].smooth[frame].y);
}

// The minimum of `values` in a window that ends at each frame, or, backwards, begins there. `queue` holds the frames
// that may still become the minimum, in order: each enters and leaves once.
static void findMin(const float* values, int count, int halfWindow, bool isBackwards, int* queue, float* out)
{
	int first = 0, end = 0;
	for (int i = 0; i < count; ++i)
	{
		int frame = isBackwards ? count - 1 - i : i;
		while (end > first && values[queue[end - 1]] >= values[frame])
		{
			--end;
		}
		queue[end++] = frame;
		first += abs(queue[first] - frame) > halfWindow;
		out[frame] = values[queue[first]];
	}
}

static void findLevels(const rpFeet* feet, int side, float* levels)
{
	float *lowest = feet->scratch, *after = feet->scratch + feet->frameCount;
	int* queue = (int*)(void*)(feet->scratch + 2 * (size_t)feet->frameCount);
	int halfWindow = (int)ceil(LEVEL_TIME * feet->fps);
	for (int f = 0; f < feet->frameCount; ++f)
	{
		lowest[f] = getLowest(feet, side, f);
	}
	findMin(lowest, feet->frameCount, halfWindow, false, queue, levels);
	findMin(lowest, feet->frameCount, halfWindow, true, queue, after);
	for (int f = 0; f < feet->frameCount; ++f)
	{
		levels[f] = fmaxf(levels[f], after[f]);
	}
}

// How far a value is below what is in doubt, as evidence.
static float judge(float value, float doubtful)
{
	return fminf(fmaxf(1.0f - value / doubtful, -RP_MAX_DOUBT), 1.0f);
}

static void judgePoint(rpFootEvidence* evidence, const rpFeet* feet, const rpRestLimits* limits, int side, int part)
{
	int index = rpGetFootTrack(side, part);
	const rpFootTrack* track = feet->tracks + index;
	float roll = part == rp_footToe ? TOE_ROLL : 1.0f;
	for (int f = 0; f < feet->frameCount; ++f)
	{
		float above = track->smooth[f].y - feet->offsets[side][part] - evidence->levels[side][f];
		evidence->points[side][part][f] = fminf(judge(track->speeds[f], rpGetRestSpeed(feet, limits, index, f)),
												judge(above, roll * rpGetRestHeight(feet, limits, f)));
	}
}

// How much the points of a foot speak for a stance of any kind.
static float getStance(const rpFootEvidence* evidence, int side, int frame)
{
	float heel = evidence->points[side][rp_footHeel][frame], ball = evidence->points[side][rp_footBall][frame];
	float toe = evidence->points[side][rp_footToe][frame];
	return fmaxf(fmaxf(heel, toe), fmaxf(ball + toe, heel + ball + toe));
}

// How far outside of a foot, or of both, the body presses on the ground, metres.
static double getOutside(const rpFeet* feet, const rpSupportLoad* load, int frame, int firstSide, int lastSide)
{
	rpVec2 points[rp_footTrackCount];
	float ground = INFINITY;
	int count = 0;
	for (int side = firstSide; side <= lastSide; ++side)
	{
		for (int part = 0; part < rp_footPartCount; ++part)
		{
			rpVec3 place = feet->tracks[rpGetFootTrack(side, part)].smooth[frame];
			points[count++] = (rpVec2){place.x, place.z};
			ground = fminf(ground, place.y);
		}
	}
	return rpSupportLoad_GetOutside(load, frame, points, count, ground, PRESSURE_HALF_WINDOW);
}

// How much the body needs a foot, 0 … 1, given what the points say of it and of the other one.
static float getNeed(const rpFeet* feet, const rpSupportLoad* load, int side, int frame, float own, float other)
{
	if (other <= 0.0f)
	{
		return own > other - CLEARLY ? 1.0f : 0.0f;
	}
	if (own > 0.0f || own < -LOAD)
	{
		return 0.0f;
	}
	double alone = getOutside(feet, load, frame, side ^ 1, side ^ 1);
	bool helps = alone > OUTSIDE && getOutside(feet, load, frame, 0, 1) < OUTSIDE;
	return helps ? (float)fmin((alone - OUTSIDE) / FAR_OUTSIDE, 1.0) : 0.0f;
}

static void weigh(rpFootEvidence* evidence, const rpFeet* feet, const rpSupportLoad* load, int frame)
{
	double fall = -(double)rpSupportLoad_GetAcceleration(load, frame, FALL_HALF_WINDOW).y / RP_GRAVITY;
	float flies = (float)fmin(fmax((fall - FLYING_FALL) / (1.0 - FLYING_FALL), 0.0), 1.0);
	float borne = (float)fmin(fmax((BORNE_FALL - fall) / BORNE_FALL, 0.0), 1.0);
	float stances[2] = {getStance(evidence, 0, frame), getStance(evidence, 1, frame)};
	for (int side = 0; side < 2; ++side)
	{
		float need = borne > 0.0f ? getNeed(feet, load, side, frame, stances[side], stances[side ^ 1]) : 0.0f;
		evidence->loads[side][frame] = LOAD * borne * need - FLIGHT * flies;
	}
}

bool rpFootEvidence_Gather(rpFootEvidence* evidence, rpFeet* feet, const rpRestLimits* limits,
						   const rpSupportLoad* load, const rpHolds* holds, rpError* error)
{
	if (!allocate(evidence, feet->frameCount, error))
	{
		return false;
	}
	for (int side = 0; side < 2; ++side)
	{
		feet->offsets[side][rp_footHeel] = findOffset(feet, limits, side, rp_footHeel);
		feet->offsets[side][rp_footToe] = findOffset(feet, limits, side, rp_footToe);
		findLevels(feet, side, evidence->levels[side]);
		for (int part = 0; part < rp_footPartCount; ++part)
		{
			judgePoint(evidence, feet, limits, side, part);
		}
	}
	for (int f = 0; load != NULL && f < feet->frameCount; ++f)
	{
		if (!rpHolds_Cover(holds, f / feet->fps))
		{
			weigh(evidence, feet, load, f);
		}
	}
	return true;
}

void rpFootEvidence_Free(rpFootEvidence* evidence)
{
	rpFree(evidence->memory);
	evidence->memory = NULL;
}
