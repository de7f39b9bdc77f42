/// By the feet alone a cartwheel is a flight; but the centre of mass does not fall, and the hands are down.
#include "analysis/fall.h"
#include "analysis/holds.h"
#include "base/memory.h"

// A hand is down that is no higher than this above the floor, metres, and slower than this, m/s: its point is the base
// of the fingers, and rolls with the palm.
#define LOW_HAND 0.12f
#define STILL_HAND 1.2
#define SPEED_HALF_WINDOW 0.025
// For this long at least, seconds.
#define SHORTEST_HOLD 0.1

/// What is looked at.
typedef struct Search
{
	const rpMotion* motion;
	const rpSupportLoad* load;
	float floor;
	rpHolds* out;
	rpError* error;
} Search;

static bool isHandDown(const Search* search, rpEffector hand, int frame)
{
	const rpMotion* motion = search->motion;
	int halfWindow = (int)fmax(lround(SPEED_HALF_WINDOW * motion->fps), 1.0), last = motion->frameCount - 1;
	int before = frame > halfWindow ? frame - halfWindow : 0,
		after = frame + halfWindow < last ? frame + halfWindow : last;
	rpVec3 from, at, to;
	return rpMotion_GetEffector(motion, before, hand, &from) && rpMotion_GetEffector(motion, frame, hand, &at) &&
		   rpMotion_GetEffector(motion, after, hand, &to) && at.y < search->floor + LOW_HAND &&
		   (double)rpDistance(from, to) * motion->fps < STILL_HAND * (after - before);
}

// All the time that a hand is down around frames first … last; *end is where to go on.
static bool addHand(const Search* search, rpEffector hand, int first, int last, int* end)
{
	int middle = first;
	while (middle <= last && !isHandDown(search, hand, middle))
	{
		++middle;
	}
	int from = middle, to = middle;
	while (middle <= last && from > 0 && isHandDown(search, hand, from - 1))
	{
		--from;
	}
	while (middle <= last && to + 1 < search->motion->frameCount && isHandDown(search, hand, to + 1))
	{
		++to;
	}
	*end = to + 1;
	double fps = search->motion->fps;
	if (middle > last || to - from < SHORTEST_HOLD * fps)
	{
		return true;
	}
	rpHolds* out = search->out;
	if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpInterval), search->error))
	{
		return false;
	}
	out->items[out->count++] = (rpInterval){.track = rp_trackContact,
											.start = from / fps,
											.end = to / fps,
											.effector = hand,
											.supportHeight = search->floor};
	return true;
}

// Mark the frames in which a foot is down or something holds the body.
static void markRests(const rpMotion* motion, const rpRestStretches* rests, const rpHolds* holds, bool* out)
{
	for (int i = 0; i < rests->count + holds->count; ++i)
	{
		const rpInterval* hold = i < rests->count ? NULL : holds->items + (i - rests->count);
		double start = hold != NULL ? hold->start : rests->items[i].start;
		double end = hold != NULL ? hold->end : rests->items[i].end;
		for (int f = (int)ceil(start * motion->fps); f <= end * motion->fps && f < motion->frameCount; ++f)
		{
			out[f] = true;
		}
	}
}

// Frames without rests: a flight, or on the hands.
static bool treatGap(const Search* search, int first, int last)
{
	if (rpMayFly(search->load, first / search->motion->fps, last / search->motion->fps))
	{
		return true;
	}
	bool done = true;
	for (int i = 0; done && i < 2; ++i)
	{
		int next = first;
		while (done && next <= last)
		{
			done = addHand(search, i == 0 ? rp_leftHand : rp_rightHand, next, last, &next);
		}
	}
	return done;
}

bool rpFindHands(const rpMotion* motion, const rpSupportLoad* load, const rpRestStretches* rests, float floor,
				 rpHolds* out, rpError* error)
{
	bool* isRest = rpAllocateZero((size_t)motion->frameCount, sizeof(bool), error);
	if (isRest == NULL)
	{
		return false;
	}
	markRests(motion, rests, out, isRest);
	Search search = {motion, load, floor, out, error};
	int count = 0;
	bool done = true;
	for (int f = 0; done && f <= motion->frameCount; ++f)
	{
		bool isGap = f < motion->frameCount && !isRest[f];
		done = isGap || count == 0 || treatGap(&search, f - count, f - 1);
		count = isGap ? count + 1 : 0;
	}
	rpFree(isRest);
	return done;
}
