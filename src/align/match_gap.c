#include "align/match_gap.h"

#include <math.h>

// A list hardly grows if it does so by no more than a tenth: stragglers of an act come one by one before it ends.
#define HARDLY 0.1

// Lists of fewer matches end in wide gaps by chance: a query that is unlike the others is far from the first of them.
// So a gap counts by the logarithm of its width times that of the list's length.
static double score(float low, float high, int count)
{
	return log((double)high / (double)low) * log(1.0 + count);
}

// How many are within the greatest distance of a match, itself and what comes with it included.
static int countWithin(const rpMatchGrowth* growth, int index)
{
	float distance = growth->items[index].farthest;
	while (index < growth->count && growth->items[index].farthest <= distance)
	{
		++index;
	}
	return index;
}

// From the match at `first`, where a step up ends: the gap up to the step that lets in more than hardly anything.
static rpMatchGap followGap(const rpMatchGrowth* growth, int first, float end)
{
	int count = countWithin(growth, first);
	int most = count + (int)(HARDLY * count);
	rpMatchGap gap = {
		.low = growth->items[first].farthest, .high = end, .threshold = growth->items[first].farthest, .count = count};
	for (int next = count; next < growth->count; next = gap.count)
	{
		int within = countWithin(growth, next);
		if (within > most)
		{
			gap.high = growth->items[next].farthest;
			break;
		}
		gap.threshold = growth->items[next].farthest;
		gap.count = within;
	}
	gap.threshold = 0.5f * (gap.threshold + gap.high);
	gap.score = score(gap.low, gap.high, gap.count - 1);
	return gap;
}

// Beyond a gap that stands out growth need not go far to show that something else begins; beyond another it may be the
// act itself that begins, at which a query that is unlike the others arrives late. Strides, punches, kicks, jumps, sits
// and pick-ups of performed takes stand out by 0.9 to 2.5, what queries are away from their act by up to 0.7.
#define STANDS_OUT 0.9

// Strides of one foot that lie between strides of the other one are of another phase of what is repeated: once more
// than this share of the list is, one has come in. Among strides of one foot of subjects 16, 35 and 127 it is 0; a
// little beyond, among those of 16, 0.4 to 0.5, and of 69 0.6 to 0.8.
#define MIXED 0.15
// Of the first matches no more than one may be between others for that to tell anything: a query of two strides is
// itself between two others.
#define FIRST_MATCHES 8

// A gap before another phase is taken if it is so clear, by the share of the list up to the phase that it keeps. The
// one after 76 of 94 strides of 16 has 0.7, those soon after queries of 69 have 0.1 at most.
#define CLEAR 0.4

// The list's length before another phase comes in, all of it if none does.
static int countPure(const rpMatchGrowth* growth)
{
	int between = 0, pure = growth->count;
	for (int k = 0; k < growth->count; ++k)
	{
		between += growth->items[k].isBetween ? 1 : 0;
		if (between == 2 && pure == growth->count)
		{
			pure = k;
		}
		if (k < FIRST_MATCHES && between > 1)
		{
			return growth->count;
		}
		if (between > 1 + MIXED * (k + 1))
		{
			return pure;
		}
	}
	return growth->count;
}

rpMatchGap rpFindMatchGap(const rpMatchGrowth* growth, float end)
{
	rpMatchGrowth pure = *growth;
	pure.count = countPure(growth);
	bool isMixed = pure.count < growth->count;
	end = isMixed ? growth->items[pure.count].farthest : end;
	rpMatchGap best = {.high = end, .threshold = end, .count = pure.count};
	for (int k = 1; k < pure.count; k = countWithin(&pure, k))
	{
		rpMatchGap gap = followGap(&pure, k, end);
		best = gap.score > best.score ? gap : best;
	}
	double kept = best.score * best.count / pure.count;
	if (isMixed && kept < CLEAR * STANDS_OUT)
	{
		// No gap to speak of, or one soon after the query: all that came before the other phase.
		float last = growth->items[pure.count - 1].farthest;
		best = (rpMatchGap){
			.low = last, .high = end, .threshold = end, .count = pure.count, .score = STANDS_OUT, .isToPhase = true};
	}
	return best;
}

bool rpMatchGrowth_IsMixed(const rpMatchGrowth* growth)
{
	return countPure(growth) < growth->count;
}

// By what growth must exceed the list up to a gap that stands out, and up to another.
#define SHORTLY_TIMES 3
#define SHORTLY_MORE 20
#define LONG_TIMES 12
#define LONG_MORE 240

bool rpMatchGap_IsPassed(const rpMatchGap* gap, const rpMatchGrowth* growth)
{
	bool standsOut = gap->score > STANDS_OUT;
	int most = (standsOut ? SHORTLY_TIMES : LONG_TIMES) * gap->count + (standsOut ? SHORTLY_MORE : LONG_MORE);
	return gap->score > 0.0 && growth->count > most;
}
