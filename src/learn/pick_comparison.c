/// Whether one metric picks better transitions than another, or chance makes it look so: the bootstrap over clips (B.
/// Efron, "Bootstrap methods: another look at the jackknife", 1979). Clips are drawn, not moments: moments of one clip
/// are alike, and any number of them says no more than their clip does.
#include "base/assert.h"
#include "base/memory.h"
#include "math/order.h"
#include "reprise/metric_fit.h"

#include <stdlib.h>

#define DRAW_COUNT 2000

// Share of the draws that lies outside on either side.
#define TAIL 0.025

typedef enum Figure
{
	figureFrames,
	figureLate,
	figureWrongFoot,
	figureBest,
	figureCount,
} Figure;

/// Sums of scores over pairs of clips.
typedef struct Sums
{
	double parts[figureCount], wholes[figureCount];
} Sums;

static void addScore(Sums* sums, const rpPickScore* score, double times)
{
	const double parts[figureCount] = {score->phaseFrames, score->lateCount, score->wrongFootCount,
									   score->bestPhaseFrames};
	for (int figure = 0; figure < figureCount; ++figure)
	{
		bool isThere = score->momentCount > 0 && (figure != figureBest || score->bestPhaseFrames >= 0.0);
		double whole = figure == figureBest ? 1.0 : score->momentCount;
		sums->parts[figure] += isThere ? times * parts[figure] : 0.0;
		sums->wholes[figure] += isThere ? times * whole : 0.0;
	}
}

// The difference of both with each clip taken so many times, [clipCount].
static void compare(const rpPickScore* first, const rpPickScore* second, const int* times, int clipCount, double* out)
{
	Sums own = {0}, other = {0};
	for (int pair = 0; pair < clipCount * clipCount; ++pair)
	{
		int a = pair / clipCount, b = pair % clipCount;
		if (a != b)
		{
			addScore(&own, &first[pair], (double)times[a] * times[b]);
			addScore(&other, &second[pair], (double)times[a] * times[b]);
		}
	}
	for (int figure = 0; figure < figureCount; ++figure)
	{
		bool isThere = own.wholes[figure] > 0.0 && other.wholes[figure] > 0.0;
		out[figure] =
			isThere ? own.parts[figure] / own.wholes[figure] - other.parts[figure] / other.wholes[figure] : 0.0;
	}
}

static void drawClips(rpRandom* random, int* times, int clipCount)
{
	for (int i = 0; i < clipCount; ++i)
	{
		times[i] = 0;
	}
	for (int i = 0; i < clipCount; ++i)
	{
		++times[rpRandom_Index(random, clipCount)];
	}
}

bool rpComparePicks(const rpPickScore* first, const rpPickScore* second, int clipCount, rpPickComparison* out,
					rpError* error)
{
	RP_ASSERT(first != NULL && second != NULL && clipCount > 0 && out != NULL);
	rpRandom random = rpSeedRandom(1);
	double values[figureCount];
	int* times = rpAllocate((size_t)clipCount, sizeof(int), error);
	double* draws = rpAllocate((size_t)figureCount * DRAW_COUNT, sizeof(double), error);
	bool done = times != NULL && draws != NULL;
	for (int draw = 0; draw < DRAW_COUNT && done; ++draw)
	{
		drawClips(&random, times, clipCount);
		compare(first, second, times, clipCount, values);
		for (int figure = 0; figure < figureCount; ++figure)
		{
			draws[figure * DRAW_COUNT + draw] = values[figure];
		}
	}
	rpPickDifference* const results[figureCount] = {&out->frames, &out->lateShare, &out->wrongFootShare,
													&out->bestFrames};
	for (int i = 0; i < clipCount && done; ++i)
	{
		times[i] = 1;
	}
	if (done)
	{
		compare(first, second, times, clipCount, values);
	}
	for (int figure = 0; figure < figureCount && done; ++figure)
	{
		double* own = draws + (size_t)figure * DRAW_COUNT;
		qsort(own, DRAW_COUNT, sizeof(double), rpCompareDoubles);
		*results[figure] = (rpPickDifference){values[figure], own[(int)(TAIL * DRAW_COUNT)],
											  own[DRAW_COUNT - 1 - (int)(TAIL * DRAW_COUNT)]};
	}
	rpFree(times);
	rpFree(draws);
	return done;
}
