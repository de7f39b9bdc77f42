/// Caps of thresholds within labels and between them.
///
/// However little hangs together, and however long another label is not reached, a threshold should not grow beyond
/// what a blend does well: as much as the calmer of the two motions changes by itself in half a blend. From standing to
/// running no blend leads; but walking may lie between them. Only where no path at all leads from one label to another,
/// over whatever labels, the nearest two are let closer: a join that is seen is better than motion that is never left
/// again.
#include "build/graph_caps.h"

#include "base/memory.h"
#include "math/order.h"

#include <math.h>
#include <stdlib.h>

// A motion is lively where this share of its frames is calmer.
#define LIVELY 0.95

// Someone who hardly moves can still be moved by this share of the greatest distance there is: 8 cm, as slowly as any
// blend.
#define MIN_CAP 0.2f

// Beyond the nearest place of two labels some that are hardly worse are taken.
#define SLACK 1.1f

// How much a label's motion changes in half a blend when it is lively; own is room for a number for each frame.
static float findChange(const rpExamples* examples, int label, float* own)
{
	float scale = (float)examples->usualHalf / (float)examples->changeStep;
	int count = 0;
	for (int f = 0; f < examples->firstFrames[examples->clipCount]; ++f)
	{
		own[count] = examples->changes[f];
		count += (examples->masks[f] >> label & 1) != 0 && !isnan(examples->changes[f]);
	}
	qsort(own, (size_t)count, sizeof(float), rpCompareFloats);
	return count > 0 ? scale * own[(int)(LIVELY * (count - 1))] : 0.0f;
}

static bool setCaps(const rpExamples* examples, float* caps, rpError* error)
{
	int labelCount = examples->labelCount;
	float* room = rpAllocate((size_t)examples->firstFrames[examples->clipCount] + 1, sizeof(float), error);
	float* changes = rpAllocate((size_t)labelCount, sizeof(float), error);
	for (int a = 0; a < labelCount && room != NULL && changes != NULL; ++a)
	{
		changes[a] = findChange(examples, a, room);
		for (int b = 0; b <= a; ++b)
		{
			float cap = fmaxf(fminf(changes[a], changes[b]), MIN_CAP * examples->greatest);
			caps[a * labelCount + b] = caps[b * labelCount + a] = cap;
		}
	}
	bool done = room != NULL && changes != NULL;
	rpFree(room);
	rpFree(changes);
	return done;
}

// Bits of the labels that each label leads to under the caps, over others too. [labelCount]
static void findReached(int labelCount, const float* minima, const float* caps, uint64_t* reached)
{
	for (int a = 0; a < labelCount; ++a)
	{
		reached[a] = 1ull << a;
		for (int b = 0; b < labelCount; ++b)
		{
			reached[a] |= (uint64_t)(minima[a * labelCount + b] <= caps[a * labelCount + b]) << b;
		}
	}
	for (int through = 0; through < labelCount; ++through)
	{
		for (int a = 0; a < labelCount; ++a)
		{
			reached[a] |= (reached[a] >> through & 1) != 0 ? reached[through] : 0;
		}
	}
}

// The nearest two labels of which one does not lead to the other; -1: none that could.
static int findGap(int labelCount, const float* minima, const bool* isOpen, const uint64_t* reached)
{
	int nearest = -1;
	for (int k = 0; k < labelCount * labelCount; ++k)
	{
		bool isGap = isOpen[k] && isfinite(minima[k]) && (reached[k / labelCount] >> (k % labelCount) & 1) == 0;
		nearest = isGap && (nearest < 0 || minima[k] < minima[nearest]) ? k : nearest;
	}
	return nearest;
}

float* rpFindCaps(const rpExamples* examples, rpError* error)
{
	size_t labelCount = (size_t)examples->labelCount;
	float* caps = rpAllocate(labelCount * labelCount, sizeof(float), error);
	if (caps == NULL || !setCaps(examples, caps, error))
	{
		rpFree(caps);
		return NULL;
	}
	return caps;
}

void rpLiftCaps(int labelCount, const float* minima, const bool* isOpen, float* caps)
{
	int gap = -1;
	do
	{
		uint64_t reached[RP_MAX_GRAPH_LABELS] = {0};
		findReached(labelCount, minima, caps, reached);
		gap = findGap(labelCount, minima, isOpen, reached);
		if (gap >= 0)
		{
			caps[gap] = SLACK * minima[gap];
		}
	} while (gap >= 0);
}
