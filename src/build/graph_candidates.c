#include "build/graph_candidates.h"

#include "base/error.h"
#include "base/memory.h"
#include "build/graph_joins.h"
#include "build/graph_pauses.h"
#include "distance/metric.h"
#include "work/clock.h"
#include "work/parallel.h"

#include <stdlib.h>

// Sides of the cells that hold but a few minima, seconds.
#define CELL_SECONDS 0.5

/// A pair of clips, its minima, and how it went.
typedef struct Pair
{
	int a, b;
	rpMinima minima;
	bool isKnown, failed;
	rpError error;
} Pair;

typedef struct Comparison
{
	const rpMetric* metric;
	rpProfile** profiles;
	rpPauses* pauses;
	Pair* pairs;
	int pairCount;
} Comparison;

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

static int compareDistances(const void* a, const void* b)
{
	const rpMinimum* x = a;
	const rpMinimum* y = b;
	if (x->distance != y->distance)
	{
		return x->distance < y->distance ? -1 : 1;
	}
	return compareMinima(a, b);
}

static void comparePair(int index, void* context)
{
	Comparison* comparison = context;
	Pair* pair = &comparison->pairs[index];
	rpGridDef def = rpDefaultGridDef();
	def.threads = 1;
	if (!pair->isKnown)
	{
		const rpProfile *a = comparison->profiles[pair->a], *b = comparison->profiles[pair->b];
		float limit = comparison->metric->kind == rp_metricCloud ? RP_CANDIDATE_LIMIT : RP_ANGLE_LIMIT;
		pair->failed = !rpMetric_FindMinima(comparison->metric, a, b, limit, &def, &pair->minima, &pair->error) ||
					   !rpAddPauseMinima(comparison->metric, a, &comparison->pauses[pair->a], b,
										 &comparison->pauses[pair->b], limit, &pair->minima, &pair->error);
	}
}

static bool makeProfiles(const rpExamples* examples, const rpMetric* metric, Comparison* out, rpError* error)
{
	out->profiles = rpAllocateZero((size_t)examples->clipCount, sizeof(rpProfile*), error);
	out->pauses = rpAllocateZero((size_t)examples->clipCount, sizeof(rpPauses), error);
	bool done = out->profiles != NULL && out->pauses != NULL;
	for (int c = 0; c < examples->clipCount && done; ++c)
	{
		out->profiles[c] = rpCreateProfile(metric, examples->clips[c].motion, error);
		done = out->profiles[c] != NULL &&
			   rpFindPauses(metric, out->profiles[c], examples->changes + examples->firstFrames[c], &out->pauses[c],
							error);
	}
	return done;
}

// Minima that were kept must lie inside the clips; otherwise they are of no use.
static bool areInside(const rpExamples* examples, const Pair* pair)
{
	for (int k = 0; k < pair->minima.count; ++k)
	{
		const rpMinimum* minimum = &pair->minima.items[k];
		if (minimum->i < 0 || minimum->i >= examples->clips[pair->a].frameCount || minimum->j < 0 ||
			minimum->j >= examples->clips[pair->b].frameCount || !(minimum->distance >= 0.0f))
		{
			return false;
		}
	}
	return true;
}

static void findKnown(const rpExamples* examples, const rpMinimaStore* store, Pair* pair)
{
	bool isFound = store != NULL && store->find != NULL && store->find(pair->a, pair->b, &pair->minima, store->context);
	pair->isKnown = isFound && areInside(examples, pair);
	if (!pair->isKnown)
	{
		rpMinima_Free(&pair->minima);
	}
}

static bool makePairs(const rpExamples* examples, const rpMinimaStore* store, Comparison* out, rpError* error)
{
	size_t count = (size_t)examples->clipCount * ((size_t)examples->clipCount + 1) / 2;
	out->pairs = rpAllocateZero(count, sizeof(Pair), error);
	if (out->pairs == NULL)
	{
		return false;
	}
	for (int a = 0; a < examples->clipCount; ++a)
	{
		for (int b = a; b < examples->clipCount; ++b)
		{
			Pair* pair = &out->pairs[out->pairCount++];
			*pair = (Pair){.a = a, .b = b};
			findKnown(examples, store, pair);
		}
	}
	return true;
}

// Keep the best of each cell. Sorted by distance, each minimum looks whether its cell is full; cells are few where
// minima are, so the list of those kept is short enough to be counted through.
static bool thin(rpMinima* minima, const rpExamples* examples, const rpGraphDef* def, rpError* error)
{
	int cell = (int)lround(CELL_SECONDS * examples->fps), columns = 1, rows = 1;
	if (minima->count == 0)
	{
		return true;
	}
	for (int k = 0; k < minima->count; ++k)
	{
		rows = minima->items[k].i / cell >= rows ? minima->items[k].i / cell + 1 : rows;
		columns = minima->items[k].j / cell >= columns ? minima->items[k].j / cell + 1 : columns;
	}
	uint8_t* counts = rpAllocateZero((size_t)rows * (size_t)columns, 1, error);
	if (counts == NULL)
	{
		return false;
	}
	qsort(minima->items, (size_t)minima->count, sizeof(rpMinimum), compareDistances);
	int kept = 0;
	for (int k = 0; k < minima->count; ++k)
	{
		uint8_t* count =
			&counts[(size_t)(minima->items[k].i / cell) * (size_t)columns + (size_t)(minima->items[k].j / cell)];
		if (*count < def->perCell)
		{
			++*count;
			minima->items[kept++] = minima->items[k];
		}
	}
	minima->count = kept;
	qsort(minima->items, (size_t)kept, sizeof(rpMinimum), compareMinima);
	rpFree(counts);
	return true;
}

static bool isLeftOut(const rpExamples* examples, const Pair* pair, const rpMinimum* minimum)
{
	return examples->isLeftOut[examples->firstFrames[pair->a] + minimum->i] ||
		   examples->isLeftOut[examples->firstFrames[pair->b] + minimum->j];
}

// Minima in what is left out take no other's place in a cell.
static void dropLeftOut(Pair* pair, const rpExamples* examples)
{
	rpMinima* minima = &pair->minima;
	int kept = 0;
	for (int k = 0; k < minima->count; ++k)
	{
		if (!isLeftOut(examples, pair, &minima->items[k]))
		{
			minima->items[kept++] = minima->items[k];
		}
	}
	minima->count = kept;
}

// Leave out what feet do not allow, so that it takes no other's place in a cell.
static int dropRefused(Pair* pair, const rpExamples* examples)
{
	rpMinima* minima = &pair->minima;
	int kept = 0, count = minima->count;
	for (int k = 0; k < count; ++k)
	{
		const rpMinimum* minimum = &minima->items[k];
		if (rpExamples_CheckJoin(examples, pair->a, minimum->i, pair->b, minimum->j, minimum->alignment) ==
			rp_hindranceNone)
		{
			minima->items[kept++] = *minimum;
		}
	}
	minima->count = kept;
	return count - kept;
}

static bool addPair(const Pair* pair, rpCandidates* out, rpError* error)
{
	for (int k = 0; k < pair->minima.count; ++k)
	{
		const rpMinimum* minimum = &pair->minima.items[k];
		if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpCandidate), error))
		{
			return false;
		}
		out->items[out->count++] =
			(rpCandidate){pair->a, minimum->i, pair->b, minimum->j, minimum->distance, minimum->alignment};
	}
	return true;
}

static bool collect(Comparison* comparison, const rpExamples* examples, const rpGraphDef* def,
					const rpMinimaStore* store, rpCandidates* out, rpGraphReport* report, rpError* error)
{
	for (int k = 0; k < comparison->pairCount; ++k)
	{
		Pair* pair = &comparison->pairs[k];
		if (pair->failed)
		{
			if (error != NULL)
			{
				*error = pair->error;
			}
			return false;
		}
		if (store != NULL && store->keep != NULL && !pair->isKnown &&
			!store->keep(pair->a, pair->b, &pair->minima, store->context, error))
		{
			return false;
		}
		if (report != NULL)
		{
			report->minimumCount += pair->minima.count;
			report->comparedCount += !pair->isKnown;
		}
		dropLeftOut(pair, examples);
		int refused = def->anySupport ? 0 : dropRefused(pair, examples);
		if (report != NULL)
		{
			report->refusedCount += refused;
		}
		if (!thin(&pair->minima, examples, def, error) || !addPair(pair, out, error))
		{
			return false;
		}
	}
	return true;
}

static bool reportProgress(const rpGraphDef* def, double fraction, rpError* error)
{
	return def->progress == NULL || def->progress(fraction, "comparing clips", def->progressContext) ||
		   rpFail(error, rp_errorCancelled, "stopped");
}

// Pairs go to the cores in blocks, so that progress can be reported and the work be stopped between them.
static bool comparePairs(Comparison* comparison, const rpGraphDef* def, rpError* error)
{
	enum
	{
		blockSize = 64,
	};
	Comparison block = *comparison;
	for (int first = 0; first < comparison->pairCount; first += blockSize)
	{
		int left = comparison->pairCount - first;
		block.pairs = comparison->pairs + first;
		rpParallelFor(left < blockSize ? left : blockSize, comparePair, &block);
		if (!reportProgress(def, (double)(first + blockSize) / (comparison->pairCount + blockSize), error))
		{
			return false;
		}
	}
	return true;
}

static void freeComparison(Comparison* comparison, int clipCount)
{
	for (int c = 0; c < clipCount && comparison->profiles != NULL; ++c)
	{
		rpDestroyProfile(comparison->profiles[c]);
	}
	for (int c = 0; c < clipCount && comparison->pauses != NULL; ++c)
	{
		rpFree(comparison->pauses[c].items);
	}
	rpFree(comparison->pauses);
	for (int k = 0; k < comparison->pairCount; ++k)
	{
		rpMinima_Free(&comparison->pairs[k].minima);
	}
	rpFree(comparison->profiles);
	rpFree(comparison->pairs);
}

bool rpFindCandidates(const rpExamples* examples, const rpMetric* metric, const rpGraphDef* def,
					  const rpMinimaStore* store, rpCandidates* out, rpGraphReport* report, rpError* error)
{
	Comparison comparison = {.metric = metric};
	double start = rpGetSeconds();
	bool done = makeProfiles(examples, metric, &comparison, error) && makePairs(examples, store, &comparison, error) &&
				comparePairs(&comparison, def, error) && collect(&comparison, examples, def, store, out, report, error);
	freeComparison(&comparison, examples->clipCount);
	if (report != NULL)
	{
		report->compareSeconds = rpGetSeconds() - start;
	}
	return done;
}
