/// Transitions between pauses.
///
/// Transitions are local minima of the distance. Of two stretches of standing still all moments are alike: the distance
/// is small all over, and its minima, if there are any, are where the sway of the one happens to meet the other's; in a
/// few seconds there may be none, and nobody could stay standing. But where nobody moves one moment is as good as
/// another, so transitions are put where they are of most use: from the end of a pause to the beginning.
#include "build/graph_pauses.h"

#include "base/memory.h"

#include <stdlib.h>

// Still: what is half a window later differs by less than this, metres. Captured people who stand give 0.002 to 0.01,
// slow walks 0.05 and more.
#define STILL 0.015

int rpGetPauseStep(const rpMetric* metric)
{
	return rpMetric_GetHalfWindow(metric) + 1;
}

// NAN for frames that have no whole window, or none half a window later.
static void findChanges(const rpMetric* metric, const rpProfile* profile, float* changes)
{
	int step = rpGetPauseStep(metric), frameCount = rpProfile_GetFrameCount(profile), end = frameCount - step;
	for (int f = 0; f < frameCount; ++f)
	{
		bool isInside = f >= step && f + step < end;
		changes[f] = isInside ? (float)rpMetric_Distance(metric, profile, f, profile, f + step, NULL) : NAN;
	}
}

bool rpFindPauses(const rpMetric* metric, const rpProfile* profile, float* changes, rpPauses* out, rpError* error)
{
	int halfWindow = rpMetric_GetHalfWindow(metric), step = rpGetPauseStep(metric), first = -1;
	int end = rpProfile_GetFrameCount(profile) - halfWindow - 1;
	findChanges(metric, profile, changes);
	for (int f = step; f <= end; ++f)
	{
		bool isStill = changes[f] < (float)STILL;
		first = isStill && first < 0 ? f : first;
		if (isStill || first < 0)
		{
			continue;
		}
		// The frame before was the last to be like the one a step later, which is still as well.
		rpPause pause = {first, f - 1 + step};
		first = -1;
		if (pause.last - pause.first > 2 * halfWindow)
		{
			if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpPause), error))
			{
				return false;
			}
			out->items[out->count++] = pause;
		}
	}
	return true;
}

static int compareMinima(const void* a, const void* b)
{
	const rpMinimum* x = a;
	const rpMinimum* y = b;
	if (x->i != y->i)
	{
		return x->i < y->i ? -1 : 1;
	}
	return x->j < y->j ? -1 : x->j > y->j;
}

// The minima that were there are in order.
static bool isKnown(const rpMinima* minima, int count, int i, int j)
{
	rpMinimum key = {.i = i, .j = j};
	return count > 0 && bsearch(&key, minima->items, (size_t)count, sizeof(rpMinimum), compareMinima) != NULL;
}

bool rpAddPauseMinima(const rpMetric* metric, const rpProfile* a, const rpPauses* pausesOfA, const rpProfile* b,
					  const rpPauses* pausesOfB, float limit, rpMinima* out, rpError* error)
{
	int known = out->count, band = 2 * rpMetric_GetHalfWindow(metric);
	for (int k = 0; k < pausesOfA->count * pausesOfB->count * 2; ++k)
	{
		rpPause own = pausesOfA->items[k / 2 / pausesOfB->count], other = pausesOfB->items[k / 2 % pausesOfB->count];
		rpMinimum place = {.i = k % 2 == 0 ? own.first : own.last, .j = k % 2 == 0 ? other.last : other.first};
		// Of a motion with itself one half, as with all minima.
		if ((a == b && place.j <= place.i + band) || isKnown(out, known, place.i, place.j))
		{
			continue;
		}
		place.distance = (float)rpMetric_Distance(metric, a, place.i, b, place.j, &place.alignment);
		if (place.distance < limit)
		{
			if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpMinimum), error))
			{
				return false;
			}
			out->items[out->count++] = place;
		}
	}
	if (out->count > known)
	{
		qsort(out->items, (size_t)out->count, sizeof(rpMinimum), compareMinima);
	}
	return true;
}
