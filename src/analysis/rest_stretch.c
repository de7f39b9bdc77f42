/// Finds where points of the feet rest, by speed and height with hysteresis. What is slow depends on the movement
/// around: a captured foot slides by some part of its speed when a runner is fitted to markers. What is low depends on
/// how low the point comes meanwhile: nothing sinks into what it stands on, so the lowest is the support.
#include "analysis/rest_stretch.h"

#include "base/memory.h"

#include <stdlib.h>

// A point is at rest below this part of its fastest movement around, or of how the feet slide anyhow, m/s within these
// bounds; to stay at rest, twice.
#define REST_PART 0.06f
#define SLIDE_PART 2.0f
#define LEAST_SPEED 0.15f
#define MOST_SPEED 0.5f
#define STAY 2.0f
// Not higher above its support than this, metres, which grows with the speed at which feet slide, seconds.
#define LEAST_HEIGHT 0.011f
#define SLIDE_HEIGHT 0.06f
#define MOST_HEIGHT 0.022f
// The support's height is this quantile of the heights within this time to both sides; it is found this often, seconds.
#define LOW_PART 0.2
#define LOW_TIME 0.75
#define LOW_STEP 0.1

// Of the speeds in a contact, the part that is taken for what it has all the time; how many times the noise of a speed
// may be there; for contacts of this length at least, seconds.
#define CREEP_PART 0.25
#define CREEP_NOISE 1.6f
#define CREEP_TIME 0.1
// A foot creeps one way for about this long, seconds, and so far at most, metres.
#define WOBBLE_TIME 0.05
#define MOST_WOBBLE 0.006f

/// What is at hand while a point is searched.
typedef struct Search
{
	const rpFeet* feet;
	const rpRestLimits* limits;
	const rpFootTrack* track;
	int point;

	/// [frameCount] each: height of the support at a frame, and room to sort.
	float* supports;
	float* sorted;
	rpRestStretches* out;
	rpError* error;
} Search;

float rpGetRestSpeed(const rpFeet* feet, const rpRestLimits* limits, int point, int frame)
{
	if (limits->speed > 0.0f)
	{
		return limits->speed;
	}
	float usual = fmaxf(REST_PART * feet->tracks[point].peaks[frame], SLIDE_PART * feet->slides[frame]);
	return fminf(fmaxf(usual, LEAST_SPEED), MOST_SPEED);
}

float rpGetRestHeight(const rpFeet* feet, const rpRestLimits* limits, int frame)
{
	// Feet that slide also sink and rise.
	float usual = fminf(LEAST_HEIGHT + SLIDE_HEIGHT * feet->slides[frame], MOST_HEIGHT);
	return limits->height > 0.0f ? limits->height : usual;
}

static bool isSlow(const Search* search, int frame, float factor)
{
	return search->track->speeds[frame] < factor * rpGetRestSpeed(search->feet, search->limits, search->point, frame);
}

// A quantile of the heights of frames first … last.
static float findHeight(const Search* search, int first, int last, double part)
{
	int count = 0;
	for (int i = first; i <= last; ++i)
	{
		search->sorted[count++] = search->track->smooth[i].y;
	}
	return rpTakeQuantile(search->sorted, count, part);
}

static void findSupports(const Search* search, int first, int last)
{
	int reach = (int)ceil(LOW_TIME * search->feet->fps), step = (int)fmax(LOW_STEP * search->feet->fps, 1.0);
	for (int i = first; i <= last; i += step)
	{
		float low =
			findHeight(search, i - reach > first ? i - reach : first, i + reach < last ? i + reach : last, LOW_PART);
		for (int k = i; k < i + step && k <= last; ++k)
		{
			search->supports[k] = low;
		}
	}
}

static bool isResting(const Search* search, int frame, float factor)
{
	float above = search->track->smooth[frame].y - search->supports[frame];
	float height = rpGetRestHeight(search->feet, search->limits, frame);
	return isSlow(search, frame, factor) && above < factor * height;
}

// A foot of a good capture is still for a part of the time that it rests; what is left of its speed then, beyond the
// noise, it has all the time.
static float findWobble(const Search* search, const rpRestStretch* rest)
{
	int count = 0;
	for (int i = rest->coreFirst; i <= rest->coreLast; ++i)
	{
		search->sorted[count++] = search->track->speeds[i];
	}
	float creep = rpTakeQuantile(search->sorted, count, CREEP_PART);
	float noise = CREEP_NOISE * rpFeet_GetSpeedNoise(search->feet);
	bool known = count >= CREEP_TIME * search->feet->fps;
	return known && creep > noise ? fminf((float)WOBBLE_TIME * sqrtf(creep * creep - noise * noise), MOST_WOBBLE)
								  : 0.0f;
}

static bool addRest(const Search* search, rpRestStretch rest)
{
	rpRestStretches* out = search->out;
	rest.height = findHeight(search, rest.coreFirst, rest.coreLast, 0.5);
	rest.wobble = findWobble(search, &rest);
	rest.start = rest.coreFirst / search->feet->fps;
	rest.end = rest.coreLast / search->feet->fps;
	if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpRestStretch), search->error))
	{
		return false;
	}
	out->items[out->count++] = rest;
	return true;
}

// In a stretch that is slow enough: enter where both limits are kept, leave where twice as much is exceeded.
static bool splitRun(const Search* search, int first, int last)
{
	findSupports(search, first, last);
	for (int i = first; i <= last; ++i)
	{
		if (!isResting(search, i, 1.0f))
		{
			continue;
		}
		rpRestStretch rest = {.point = search->point, .coreFirst = i, .coreLast = i, .first = i, .last = i};
		while (rest.first > first && isResting(search, rest.first - 1, STAY))
		{
			--rest.first;
		}
		while (rest.last < last && isResting(search, rest.last + 1, STAY))
		{
			++rest.last;
			rest.coreLast = isResting(search, rest.last, 1.0f) ? rest.last : rest.coreLast;
		}
		if (!addRest(search, rest))
		{
			return false;
		}
		i = rest.last;
	}
	return true;
}

static bool findPointRests(const Search* search)
{
	int frameCount = search->feet->frameCount;
	for (int i = 0; i < frameCount; ++i)
	{
		int first = i;
		while (i < frameCount && isSlow(search, i, STAY))
		{
			++i;
		}
		if (i > first && !splitRun(search, first, i - 1))
		{
			return false;
		}
	}
	return true;
}

bool rpFindRests(const rpFeet* feet, const rpRestLimits* limits, rpRestStretches* out, rpError* error)
{
	float* scratch = rpAllocate(2 * (size_t)feet->frameCount, sizeof(float), error);
	bool done = scratch != NULL;
	for (int point = 0; done && point < rp_footPointCount; ++point)
	{
		Search search = {.feet = feet,
						 .limits = limits,
						 .track = feet->tracks + point,
						 .point = point,
						 .supports = scratch,
						 .sorted = scratch + feet->frameCount,
						 .out = out,
						 .error = error};
		done = findPointRests(&search);
	}
	rpFree(scratch);
	return done;
}
