#include "build/graph_candidates.h"

#include "base/error.h"
#include "base/memory.h"
#include "build/candidate_rows.h"
#include "build/graph_joins.h"
#include "build/graph_pauses.h"
#include "distance/grid_visit.h"
#include "work/clock.h"
#include "work/parallel.h"

#include <math.h>
#include <stdlib.h>

enum
{
	// Pairs that go to the cores together at most. Cores wait for each other between blocks: of short clips these take
	// long enough for that not to count: 0.09 s of work with 5,000 clips of a second (264 s in 3,052 blocks).
	blockSize = 4096,
};

// A pair of more tiles than this is compared by all cores at once, instead of by one beside other pairs; and tiles of
// a block at most, enough for all cores: memory is that of its minima, and work can be stopped between blocks.
#define MANY_TILES 64
#define BLOCK_TILES (16 * MANY_TILES)

/// A pair of clips, all its minima, and those that transitions may be made of.
typedef struct Pair
{
	int a, b;
	rpMinima minima, kept;
	int refusedCount;
	bool isKnown, isCompared, failed;
} Pair;

typedef struct Comparison
{
	const rpExamples* examples;
	const rpMetric* metric;
	const rpGraphDef* def;
	float limit;
	rpProfile** profiles;
	rpPauses* pauses;

	/// [workerCount]
	rpMinimaFinder* finders;
	int workerCount;

	/// A block, and cells of the grids of its pairs.
	Pair pairs[blockSize];
	int pairCount;
	int64_t cellCount;
	rpCandidateRows rows;
} Comparison;

static int comparePlaces(const rpMinimum* x, const rpMinimum* y)
{
	return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

// ---- minima that transitions may be made of

/// A minimum, and which cell it is in.
typedef struct CellMinimum
{
	int row, column;
	rpMinimum minimum;
} CellMinimum;

static int compareCells(const void* a, const void* b)
{
	const CellMinimum *x = a, *y = b;
	if (x->row != y->row || x->column != y->column)
	{
		return x->row != y->row ? (x->row > y->row) - (x->row < y->row)
								: (x->column > y->column) - (x->column < y->column);
	}
	const rpMinimum *p = &x->minimum, *q = &y->minimum;
	return p->distance != q->distance ? (p->distance > q->distance) - (p->distance < q->distance) : comparePlaces(p, q);
}

// Keep the best of each cell.
static bool thin(rpMinima* minima, const rpExamples* examples, int perCell, rpError* error)
{
	int cell = (int)lround(RP_CELL_SECONDS * examples->fps), kept = 0, inCell = 0;
	CellMinimum* items = rpAllocate((size_t)minima->count, sizeof(CellMinimum), error);
	for (int k = 0; k < minima->count && items != NULL; ++k)
	{
		items[k] = (CellMinimum){minima->items[k].i / cell, minima->items[k].j / cell, minima->items[k]};
	}
	if (items != NULL && minima->count > 0)
	{
		qsort(items, (size_t)minima->count, sizeof(CellMinimum), compareCells);
	}
	for (int k = 0; k < minima->count && items != NULL; ++k)
	{
		bool isNew = k == 0 || items[k].row != items[k - 1].row || items[k].column != items[k - 1].column;
		inCell = isNew ? 1 : inCell + 1;
		if (inCell <= perCell)
		{
			minima->items[kept++] = items[k].minimum;
		}
	}
	minima->count = items != NULL ? kept : minima->count;
	rpFree(items);
	return items != NULL;
}

static bool isLeftOut(const rpExamples* examples, const Pair* pair, const rpMinimum* minimum)
{
	return examples->isLeftOut[examples->firstFrames[pair->a] + minimum->i] ||
		   examples->isLeftOut[examples->firstFrames[pair->b] + minimum->j];
}

// Minima in what is left out, and where feet do not fit, take no other's place in a cell.
static bool choose(Pair* pair, const rpExamples* examples, const rpGraphDef* def, rpError* error)
{
	rpMinima* kept = &pair->kept;
	kept->items = rpAllocate((size_t)pair->minima.count, sizeof(rpMinimum), error);
	if (kept->items == NULL)
	{
		return false;
	}
	kept->capacity = pair->minima.count;
	for (int k = 0; k < pair->minima.count; ++k)
	{
		const rpMinimum* minimum = &pair->minima.items[k];
		if (isLeftOut(examples, pair, minimum))
		{
			continue;
		}
		bool fits = def->anySupport || rpExamples_CheckJoin(examples, pair->a, minimum->i, pair->b, minimum->j,
															minimum->alignment) == rp_hindranceNone;
		pair->refusedCount += !fits;
		if (fits)
		{
			kept->items[kept->count++] = *minimum;
		}
	}
	return thin(kept, examples, def->perCell, error);
}

// ---- one pair

static bool addPauses(const Comparison* comparison, Pair* pair, rpError* error)
{
	return rpAddPauseMinima(comparison->metric, comparison->profiles[pair->a], &comparison->pauses[pair->a],
							comparison->profiles[pair->b], &comparison->pauses[pair->b], comparison->limit,
							&pair->minima, error);
}

static void comparePair(int index, int worker, void* context)
{
	Comparison* comparison = context;
	Pair* pair = &comparison->pairs[index];
	if (!pair->isKnown && !pair->isCompared)
	{
		const rpProfile *a = comparison->profiles[pair->a], *b = comparison->profiles[pair->b];
		pair->failed =
			!rpMinimaFinder_Find(&comparison->finders[worker], a, b, comparison->limit, &pair->minima, NULL) ||
			!addPauses(comparison, pair, NULL);
	}
	pair->failed = pair->failed || !choose(pair, comparison->examples, comparison->def, NULL);
}

static bool compareByAll(const Comparison* comparison, Pair* pair, rpError* error)
{
	pair->isCompared = true;
	return rpMetric_FindMinima(comparison->metric, comparison->profiles[pair->a], comparison->profiles[pair->b],
							   comparison->limit, NULL, &pair->minima, error) &&
		   addPauses(comparison, pair, error);
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

static bool hasManyTiles(const rpExamples* examples, const Pair* pair)
{
	int64_t rows = examples->clips[pair->a].frameCount / RP_TILE_ROWS + 1;
	return rows * (examples->clips[pair->b].frameCount / RP_TILE_COLUMNS + 1) > MANY_TILES;
}

// ---- a block of pairs

static bool collectPair(Comparison* comparison, const Pair* pair, const rpMinimaStore* store, rpGraphReport* report,
						rpError* error)
{
	if (pair->failed)
	{
		return rpFail(error, rp_errorMemory, "out of memory for the minima of two clips");
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
		report->refusedCount += pair->refusedCount;
	}
	bool done = true;
	for (int k = 0; k < pair->kept.count && done; ++k)
	{
		const rpMinimum* m = &pair->kept.items[k];
		rpCandidate candidate = {pair->a, m->i, pair->b, m->j, m->distance, m->alignment};
		done = rpCandidateRows_Offer(&comparison->rows, &candidate, error);
	}
	return done;
}

static void clearBlock(Comparison* comparison)
{
	for (int k = 0; k < comparison->pairCount; ++k)
	{
		rpMinima_Free(&comparison->pairs[k].minima);
		rpMinima_Free(&comparison->pairs[k].kept);
	}
	comparison->pairCount = 0;
	comparison->cellCount = 0;
}

static bool compareBlock(Comparison* comparison, const rpMinimaStore* store, rpGraphReport* report, rpError* error)
{
	bool done = true;
	rpParallelWork(comparison->pairCount, comparison->workerCount, comparePair, comparison);
	for (int k = 0; k < comparison->pairCount && done; ++k)
	{
		done = collectPair(comparison, &comparison->pairs[k], store, report, error);
	}
	clearBlock(comparison);
	return done;
}

static bool reportProgress(const rpGraphDef* def, double fraction, rpError* error)
{
	return def->progress == NULL || def->progress(fraction, "comparing clips", def->progressContext) ||
		   rpFail(error, rp_errorCancelled, "stopped");
}

static bool isFull(const Comparison* comparison)
{
	return comparison->pairCount == blockSize ||
		   comparison->cellCount >= (int64_t)BLOCK_TILES * RP_TILE_ROWS * RP_TILE_COLUMNS;
}

static bool comparePairs(Comparison* comparison, const rpMinimaStore* store, rpGraphReport* report, rpError* error)
{
	const rpExamples* examples = comparison->examples;
	double total = 0.5 * examples->clipCount * (examples->clipCount + 1.0), count = 0.0;
	bool done = true;
	for (int a = 0; a < examples->clipCount && done; ++a)
	{
		for (int b = a; b < examples->clipCount && done; ++b)
		{
			Pair* pair = &comparison->pairs[comparison->pairCount++];
			*pair = (Pair){.a = a, .b = b};
			comparison->cellCount += (int64_t)examples->clips[a].frameCount * examples->clips[b].frameCount;
			findKnown(examples, store, pair);
			bool isLarge = !pair->isKnown && hasManyTiles(examples, pair);
			done = !isLarge || compareByAll(comparison, pair, error);
			count += 1.0;
			if (done && (isLarge || isFull(comparison) || count == total))
			{
				done = compareBlock(comparison, store, report, error) &&
					   reportProgress(comparison->def, count / total, error);
			}
		}
	}
	clearBlock(comparison);
	return done;
}

// ---- all of it

static bool makeProfiles(const rpExamples* examples, Comparison* out, rpError* error)
{
	out->profiles = rpAllocateZero((size_t)examples->clipCount, sizeof(rpProfile*), error);
	out->pauses = rpAllocateZero((size_t)examples->clipCount, sizeof(rpPauses), error);
	bool done = out->profiles != NULL && out->pauses != NULL;
	for (int c = 0; c < examples->clipCount && done; ++c)
	{
		out->profiles[c] = rpCreateProfile(out->metric, examples->clips[c].motion, error);
		done = out->profiles[c] != NULL &&
			   rpFindPauses(out->metric, out->profiles[c], examples->changes + examples->firstFrames[c],
							&out->pauses[c], error);
	}
	return done;
}

static bool makeFinders(Comparison* comparison, rpError* error)
{
	comparison->workerCount = rpCountWorkers(0);
	comparison->finders = rpAllocateZero((size_t)comparison->workerCount, sizeof(rpMinimaFinder), error);
	bool done = comparison->finders != NULL;
	for (int w = 0; w < comparison->workerCount && done; ++w)
	{
		done = rpMinimaFinder_Make(&comparison->finders[w], comparison->metric, error);
	}
	return done;
}

static void freeProfiles(Comparison* comparison)
{
	for (int c = 0; c < comparison->examples->clipCount && comparison->profiles != NULL; ++c)
	{
		rpDestroyProfile(comparison->profiles[c]);
	}
	for (int c = 0; c < comparison->examples->clipCount && comparison->pauses != NULL; ++c)
	{
		rpFree(comparison->pauses[c].items);
	}
	rpFree(comparison->pauses);
	rpFree(comparison->profiles);
	comparison->pauses = NULL;
	comparison->profiles = NULL;
}

static void freeComparison(Comparison* comparison)
{
	for (int w = 0; w < comparison->workerCount && comparison->finders != NULL; ++w)
	{
		rpMinimaFinder_Free(&comparison->finders[w]);
	}
	rpFree(comparison->finders);
	rpCandidateRows_Free(&comparison->rows);
	rpFree(comparison);
}

bool rpFindCandidates(const rpExamples* examples, const rpMetric* metric, const rpGraphDef* def,
					  const rpMinimaStore* store, rpCandidates* out, rpGraphReport* report, rpError* error)
{
	double start = rpGetSeconds();
	Comparison* comparison = rpAllocateZero(1, sizeof(Comparison), error);
	if (comparison == NULL)
	{
		return false;
	}
	comparison->examples = examples;
	comparison->metric = metric;
	comparison->def = def;
	comparison->limit = metric->kind == rp_metricCloud ? RP_CANDIDATE_LIMIT : RP_ANGLE_LIMIT;
	bool done = makeProfiles(examples, comparison, error) && makeFinders(comparison, error) &&
				rpCandidateRows_Make(&comparison->rows, examples, error) &&
				comparePairs(comparison, store, report, error);
	// What was compared is not needed to collect what was found.
	freeProfiles(comparison);
	done = done && rpCandidateRows_Collect(&comparison->rows, out, error);
	freeComparison(comparison);
	if (report != NULL)
	{
		report->compareSeconds = rpGetSeconds() - start;
	}
	return done;
}
