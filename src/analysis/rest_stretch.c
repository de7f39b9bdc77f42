/// Finds where points of the feet rest, by speed with hysteresis. What is slow depends on the movement around: a
/// captured foot slides by some part of its speed when a runner is fitted to markers.
#include "analysis/rest_stretch.h"

#include "base/memory.h"

#include <stdlib.h>

// A point is at rest below this part of its fastest movement around, m/s within these bounds; to stay at rest, twice.
#define REST_PART 0.06f
#define LEAST_SPEED 0.15f
#define MOST_SPEED 0.45f
#define STAY 2.0f

float rpGetRestSpeed(const rpFeet* feet, const rpRestLimits* limits, int point, int frame)
{
	if (limits->speed > 0.0f)
	{
		return limits->speed;
	}
	return fminf(fmaxf(REST_PART * feet->tracks[point].peaks[frame], LEAST_SPEED), MOST_SPEED);
}

static bool isSlow(const rpFeet* feet, const rpRestLimits* limits, int point, int frame, float factor)
{
	return feet->tracks[point].speeds[frame] < factor * rpGetRestSpeed(feet, limits, point, frame);
}

static int compareFloats(const void* a, const void* b)
{
	float x = *(const float*)a, y = *(const float*)b;
	return (x > y) - (x < y);
}

static float findHeight(const rpFeet* feet, const rpRestStretch* rest, float* scratch)
{
	int count = 0;
	for (int i = rest->coreFirst; i <= rest->coreLast; ++i)
	{
		scratch[count++] = feet->tracks[rest->point].smooth[i].y;
	}
	qsort(scratch, (size_t)count, sizeof(float), compareFloats);
	return scratch[count / 2];
}

// The stretch grows over its neighbours while they are slow enough to stay and at its height.
static void widen(const rpFeet* feet, const rpRestLimits* limits, rpRestStretch* rest, int before, int behind)
{
	const rpFootTrack* track = feet->tracks + rest->point;
	float limit = STAY * limits->height;
	while (rest->first > before && isSlow(feet, limits, rest->point, rest->first - 1, STAY) &&
		   fabsf(track->smooth[rest->first - 1].y - track->smooth[rest->coreFirst].y) < limit)
	{
		--rest->first;
	}
	while (rest->last < behind && isSlow(feet, limits, rest->point, rest->last + 1, STAY) &&
		   fabsf(track->smooth[rest->last + 1].y - track->smooth[rest->coreLast].y) < limit)
	{
		++rest->last;
	}
}

static bool findPointRests(const rpFeet* feet, const rpRestLimits* limits, int point, float* scratch,
						   rpRestStretches* out, rpError* error)
{
	int i = 0, from = 0;
	while (i < feet->frameCount)
	{
		if (!isSlow(feet, limits, point, i, 1.0f))
		{
			++i;
			continue;
		}
		rpRestStretch rest = {.point = point, .coreFirst = i};
		while (i + 1 < feet->frameCount && isSlow(feet, limits, point, i + 1, 1.0f))
		{
			++i;
		}
		rest.coreLast = i;
		rest.first = rest.coreFirst;
		rest.last = rest.coreLast;
		rest.height = findHeight(feet, &rest, scratch);
		widen(feet, limits, &rest, from, feet->frameCount - 1);
		rest.start = rest.first / feet->fps;
		rest.end = rest.last / feet->fps;
		if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpRestStretch), error))
		{
			return false;
		}
		out->items[out->count++] = rest;
		i = rest.last + 1;
		from = i;
	}
	return true;
}

bool rpFindRests(const rpFeet* feet, const rpRestLimits* limits, rpRestStretches* out, rpError* error)
{
	float* scratch = rpAllocate((size_t)feet->frameCount, sizeof(float), error);
	bool done = scratch != NULL;
	for (int point = 0; done && point < rp_footPointCount; ++point)
	{
		done = findPointRests(feet, limits, point, scratch, out, error);
	}
	rpFree(scratch);
	return done;
}
