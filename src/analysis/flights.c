/// When a body flies: nothing touches anything, and its centre of mass goes along a parabola.
#include "analysis/fall.h"
#include "base/error.h"
#include "base/memory.h"
#include "reprise/play/body.h"

// Frames that a parabola must have to be fitted with an error.
enum
{
	fewestFrames = 5,
};

static bool touchesSomething(const rpMotion* motion, double seconds)
{
	for (int effector = 0; effector < rp_effectorCount; ++effector)
	{
		if (rpMotion_IsInContact(motion, (rpEffector)effector, seconds))
		{
			return true;
		}
	}
	return false;
}

// A gap between contacts is a flight if the body falls in it with this part of gravity, or if both feet come this high
// above what they rested on, metres. In walking, contacts that were found too short leave gaps with neither.
#define MIN_FALL (0.4f * (float)RP_GRAVITY)
#define MIN_CLEARANCE 0.03f

// The mean height of the supports left and reached by a gap.
static float getSupport(const rpMotion* motion, double start, double end)
{
	float sum = 0.0f;
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		bool isBeside = fabs(interval->end - start) < 0.05 || fabs(interval->start - end) < 0.05;
		if (rpInterval_IsFootContact(interval) && isBeside)
		{
			sum += interval->supportHeight;
			++count;
		}
	}
	return count > 0 ? sum / (float)count : 0.0f;
}

// How high the lower foot is above its resting height, at the highest; negative where the body has no feet.
static float getClearance(const rpMotion* motion, double start, double end)
{
	static const rpEffector feet[] = {rp_leftHeel, rp_leftBall, rp_rightHeel, rp_rightBall};
	float ground = getSupport(motion, start, end) + motion->skeleton->soleHeight, highest = -1.0f;
	int first = (int)ceil(start * motion->fps - 1e-6), last = (int)floor(end * motion->fps + 1e-6);
	for (int frame = first; frame <= last && frame < motion->frameCount; ++frame)
	{
		float lowest = INFINITY;
		for (int i = 0; i < 4; ++i)
		{
			rpVec3 place;
			lowest = rpMotion_GetEffector(motion, frame, feet[i], &place) ? fminf(lowest, place.y - ground) : lowest;
		}
		highest = isfinite(lowest) ? fmaxf(highest, lowest) : highest;
	}
	return highest;
}

static bool isFlight(const rpMotion* motion, const rpFlight* gap)
{
	return gap->gravity > MIN_FALL || getClearance(motion, gap->start, gap->end) > MIN_CLEARANCE;
}

// Share of a gap's frames at either end that the parabola is not fitted to.
#define EDGE_SHARE 0.15

static rpFlight measureFlight(const rpMotion* motion, const rpVec3* centers, double start, double end)
{
	int first = (int)ceil(start * motion->fps - 1e-6), last = (int)floor(end * motion->fps + 1e-6);
	rpFlight flight = {.start = start, .end = end};
	// Contacts are found a little late and lost a little early: the middle of a gap is flight, its ends may be not.
	int margin = (int)(EDGE_SHARE * (last - first + 1));
	first += margin;
	last -= margin;
	if (last - first + 1 >= fewestFrames)
	{
		double deviation, residual;
		flight.gravity = (float)rpFitFall(centers + first, last - first + 1, motion->fps, &deviation, &residual);
		flight.gravityError = (float)deviation;
		flight.residual = (float)residual;
	}
	return flight;
}

static double findNextTouch(const rpMotion* motion, double seconds, double duration)
{
	double next = duration;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track == rp_trackContact && interval->start > seconds && interval->start < next)
		{
			next = interval->start;
		}
	}
	return next;
}

// The flights lie between the ends of contacts and the next beginnings.
static int listFlights(const rpMotion* motion, const rpVec3* centers, rpFlight* out, int capacity)
{
	double duration = rpMotion_GetDuration(motion), from = 0.0;
	int count = 0;
	while (from < duration)
	{
		if (touchesSomething(motion, from))
		{
			double end = duration;
			bool found = false;
			for (int i = 0; i < motion->annotations.intervalCount; ++i)
			{
				const rpInterval* interval = motion->annotations.intervals + i;
				if (interval->track == rp_trackContact && interval->end > from && interval->end < duration &&
					!touchesSomething(motion, interval->end) && (!found || interval->end < end))
				{
					end = interval->end;
					found = true;
				}
			}
			from = end;
			continue;
		}
		double next = findNextTouch(motion, from, duration);
		rpFlight gap = measureFlight(motion, centers, from, next);
		if (isFlight(motion, &gap))
		{
			if (count < capacity)
			{
				out[count] = gap;
			}
			++count;
		}
		from = next;
	}
	return count;
}

int rpFindFlights(const rpMotion* motion, rpFlight* out, int capacity, rpError* error)
{
	rpBody body;
	if (!rpWeighSkeleton(motion->skeleton, NULL, &body, error))
	{
		return -1;
	}
	rpVec3* centers = rpAllocate((size_t)motion->frameCount, sizeof(rpVec3), error);
	if (centers == NULL)
	{
		return -1;
	}
	rpBody_GetCenters(&body, motion, centers);
	int count = listFlights(motion, centers, out, capacity);
	rpFree(centers);
	return count;
}
