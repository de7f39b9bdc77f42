/// One search: ranges of starts are worked on side by side, each with the query's rows of the grid against the columns
/// that it may need. Bounds by blocks leave out most starts; the others are computed exactly.
#include "align/match_search.h"

#include "base/error.h"
#include "base/memory.h"
#include "distance/tiler.h"
#include "work/parallel.h"

#include <math.h>
#include <string.h>

// Starts to a range where all are looked at: enough that the columns beyond its last start are few beside its own, and
// that the sheet stays in the cache of a core.
#define RANGE_STARTS 1024

typedef struct rpSearchWorker
{
	rpTiler tiler;

	/// Distances of the query's rows and the range's columns, [maxRows * stride].
	float* grid;

	/// Scratch memory; distances of all stretches, a row for each start, and which rows are known.
	float *rating, *scratch, *sheet;
	bool* isKnown;

	/// All of the above but the tiler.
	void* memory;

	rpFoundStretches found;
	bool failed;
} Worker;

bool rpFoundStretches_Add(rpFoundStretches* list, rpFoundStretch item, rpError* error)
{
	if (!rpGrow(&list->items, &list->capacity, list->count, sizeof(item), error))
	{
		return false;
	}
	list->items[list->count++] = item;
	return true;
}

bool rpStartRanges_Add(rpStartRanges* ranges, int profile, int first, int count, rpError* error)
{
	for (int at = first; at < first + count; at += RANGE_STARTS)
	{
		int left = first + count - at;
		if (!rpGrow(&ranges->items, &ranges->capacity, ranges->count, sizeof(rpStartRange), error))
		{
			return false;
		}
		ranges->items[ranges->count++] = (rpStartRange){profile, at, left < RANGE_STARTS ? left : RANGE_STARTS};
	}
	return true;
}

// ---- memory

// Starts that are computed for a range: one more on either side, to compare with.
static int countStarts(int count)
{
	return count + 2;
}

// Columns of a range of so many starts; a group of lanes may begin at the last.
static int countColumns(const rpMatchShape* shape, int startCount)
{
	return startCount + RP_MATCH_LANES + shape->maxSteps * shape->hop;
}

static int getWidth(const rpMatchShape* shape)
{
	return shape->maxSteps - shape->minSteps + 1;
}

static size_t getStride(const rpMatchShape* shape)
{
	return (size_t)countColumns(shape, countStarts(RANGE_STARTS)) + RP_GRID_PADDING;
}

static bool makeWorker(const rpMatchSearcher* searcher, Worker* worker, rpError* error)
{
	const rpMatchShape* shape = &searcher->shape;
	int starts = countStarts(RANGE_STARTS), columns = countColumns(shape, starts);
	size_t gridSize = (size_t)searcher->maxFrames * getStride(shape);
	size_t ratingSize = rpMatchShape_GetRatingScratch(shape, columns), scratchSize = rpMatchShape_GetScratch(shape);
	size_t rowCount = (size_t)starts + RP_MATCH_LANES, sheetSize = rowCount * (size_t)getWidth(shape);
	size_t size = gridSize + ratingSize + scratchSize + sheetSize;
	worker->memory = rpAllocate(size * sizeof(float) + rowCount * sizeof(bool), 1, error);
	if (worker->memory == NULL || !rpTiler_Make(&worker->tiler, searcher->metric, 1, error))
	{
		return false;
	}
	worker->grid = worker->memory;
	worker->rating = worker->grid + gridSize;
	worker->scratch = worker->rating + ratingSize;
	worker->sheet = worker->scratch + scratchSize;
	worker->isKnown = (bool*)(worker->sheet + sheetSize);
	return true;
}

bool rpMatchSearcher_Make(rpMatchSearcher* searcher, const rpMetric* metric, const rpProfile* const* profiles,
						  int count, const rpMatchShape* shape, int maxFrames, int threads, rpError* error)
{
	*searcher = (rpMatchSearcher){metric, profiles, count, *shape, maxFrames, NULL, rpCountWorkers(threads)};
	searcher->workers = rpAllocateZero((size_t)searcher->workerCount, sizeof(Worker), error);
	bool done = searcher->workers != NULL;
	for (int w = 0; w < searcher->workerCount && done; ++w)
	{
		done = makeWorker(searcher, &searcher->workers[w], error);
	}
	return done;
}

void rpMatchSearcher_Free(rpMatchSearcher* searcher)
{
	for (int w = 0; searcher->workers != NULL && w < searcher->workerCount; ++w)
	{
		rpTiler_Free(&searcher->workers[w].tiler);
		rpFree(searcher->workers[w].memory);
		rpFree(searcher->workers[w].found.items);
	}
	rpFree(searcher->workers);
	*searcher = (rpMatchSearcher){0};
}

bool rpMatchSearcher_ListAll(const rpMatchSearcher* searcher, rpStartRanges* out, rpError* error)
{
	bool done = true;
	for (int p = 0; p < searcher->profileCount && done; ++p)
	{
		int starts = searcher->profiles[p]->frameCount - searcher->shape.minSteps * searcher->shape.hop;
		done = starts <= 0 || rpStartRanges_Add(out, p, 0, starts, error);
	}
	return done;
}

// ---- one range

/// A range at work.
typedef struct Scope
{
	Worker* worker;
	rpMatchShape shape;
	rpFrameStretch query;
	const rpProfile* profile;
	rpStartRange range;
	float threshold;

	/// The first start that is computed, how many are; the columns, and floats from row to row.
	int first, starts, columns;
	size_t stride;
} Scope;

static int getMin(int a, int b)
{
	return a < b ? a : b;
}

// Cells of rows of a and columns of b, which the tiler is aimed at; rows `stride` apart, RP_GRID_PADDING floats more
// than there are columns.
static void fillRegion(const rpTiler* tiler, rpFrameStretch a, int column, int columns, float* values, size_t stride)
{
	int rows = a.last - a.first + 1;
	for (int row = 0; row < rows; row += RP_MAX_REGION_ROWS)
	{
		for (int at = 0; at < columns; at += RP_MAX_REGION_COLUMNS)
		{
			rpRegion region = {
				.row = a.first + row,
				.column = column + at,
				.rowCount = getMin(RP_MAX_REGION_ROWS, rows - row),
				.columnCount = getMin(RP_MAX_REGION_COLUMNS, columns - at),
				.firstDiagonal = -a.last,
			};
			rpTiler_Fill(tiler, 0, &region, values + (size_t)row * stride + at, stride);
		}
	}
	for (int i = 0; i < rows; ++i)
	{
		tiler->kernel->root(values + (size_t)i * stride, columns);
	}
}

// Cells of the query's rows; infinite beyond the end of the motion.
static void fillGrid(const Scope* scope)
{
	int known = getMin(scope->columns, scope->profile->frameCount - scope->first);
	fillRegion(&scope->worker->tiler, scope->query, scope->first, known, scope->worker->grid, scope->stride);
	for (int i = 0; i <= scope->query.last - scope->query.first; ++i)
	{
		float* row = scope->worker->grid + (size_t)i * scope->stride;
		for (int j = known; j < scope->columns; ++j)
		{
			row[j] = INFINITY;
		}
	}
}

// Distances of the stretches from all starts that may have one within the threshold. False: there is none.
static bool measure(const Scope* scope)
{
	const Worker* worker = scope->worker;
	const float* ratings =
		rpRateStarts(&scope->shape, worker->grid, scope->stride, scope->columns, scope->threshold, worker->rating);
	bool isAny = false;
	memset(worker->isKnown, 0, (size_t)(scope->starts + RP_MATCH_LANES) * sizeof(bool));
	for (int start = 0; start < scope->starts;)
	{
		if (ratings[start] > 0.0f)
		{
			++start;
			continue;
		}
		rpMeasureStarts(&scope->shape, worker->grid + start, scope->stride, worker->scratch,
						worker->sheet + (size_t)start * (size_t)getWidth(&scope->shape));
		memset(worker->isKnown + start, 1, RP_MATCH_LANES * sizeof(bool));
		start += RP_MATCH_LANES;
		isAny = true;
	}
	return isAny;
}

// Of equal neighbours the first counts.
static bool isLowest(const Scope* scope, int start, int k)
{
	int width = getWidth(&scope->shape);
	const float* sheet = scope->worker->sheet;
	float own = sheet[(ptrdiff_t)start * width + k];
	for (int ds = -1; ds <= 1; ++ds)
	{
		for (int de = -1; de <= 1; ++de)
		{
			// Which end is a frame away from a start a frame away is the same step where hops are longer than frames.
			int s = start + ds, other = k + de;
			if ((ds == 0 && de == 0) || s < 0 || !scope->worker->isKnown[s] || other < 0 || other >= width)
			{
				continue;
			}
			float value = sheet[(ptrdiff_t)s * width + other];
			bool isEarlier = ds < 0 || (ds == 0 && de < 0);
			if (value < own || (isEarlier && value == own))
			{
				return false;
			}
		}
	}
	return true;
}

static bool collect(const Scope* scope)
{
	int width = getWidth(&scope->shape);
	bool done = true;
	for (int at = 0; at < scope->range.count; ++at)
	{
		int column = scope->range.first + at, start = column - scope->first;
		const float* row = scope->worker->sheet + (size_t)start * (size_t)width;
		for (int k = 0; k < width && done && scope->worker->isKnown[start]; ++k)
		{
			if (row[k] <= scope->threshold && isLowest(scope, start, k))
			{
				rpFrameStretch stretch = {scope->range.profile, column,
										  column + (scope->shape.minSteps + k) * scope->shape.hop};
				done = rpFoundStretches_Add(&scope->worker->found, (rpFoundStretch){stretch, row[k]}, NULL);
			}
		}
	}
	return done;
}

// ---- all of them

typedef struct Search
{
	const rpMatchSearcher* searcher;
	rpFrameStretch query;
	float threshold;
	const rpStartRanges* ranges;

	/// [ranges->count]: whose list has what was found, from where, and how many there are.
	struct
	{
		int worker, first, count;
	} * results;
} Search;

static void searchRange(int index, int workerIndex, void* context)
{
	Search* search = context;
	const rpMatchSearcher* searcher = search->searcher;
	Worker* worker = &searcher->workers[workerIndex];
	rpStartRange range = search->ranges->items[index];
	Scope scope = {
		.worker = worker,
		.shape = searcher->shape,
		.query = search->query,
		.profile = searcher->profiles[range.profile],
		.range = range,
		.threshold = search->threshold,
		.first = range.first > 0 ? range.first - 1 : 0,
		.starts = countStarts(range.count),
		.stride = getStride(&searcher->shape),
	};
	scope.shape.rows = (search->query.last - search->query.first) / scope.shape.hop + 1;
	scope.columns = countColumns(&scope.shape, scope.starts);
	int before = worker->found.count;
	rpTiler_Aim(&worker->tiler, searcher->profiles[search->query.profile], scope.profile);
	fillGrid(&scope);
	worker->failed = (measure(&scope) && !collect(&scope)) || worker->failed;
	search->results[index].worker = workerIndex;
	search->results[index].first = before;
	search->results[index].count = worker->found.count - before;
}

static bool gather(const Search* search, rpFoundStretches* out, rpError* error)
{
	bool done = true;
	for (int r = 0; r < search->ranges->count && done; ++r)
	{
		const Worker* worker = &search->searcher->workers[search->results[r].worker];
		for (int k = 0; k < search->results[r].count && done; ++k)
		{
			done = rpFoundStretches_Add(out, worker->found.items[search->results[r].first + k], error);
		}
	}
	return done;
}

bool rpMatchSearcher_Find(rpMatchSearcher* searcher, rpFrameStretch query, float threshold, const rpStartRanges* ranges,
						  rpFoundStretches* out, rpError* error)
{
	Search search = {.searcher = searcher, .query = query, .threshold = threshold, .ranges = ranges};
	search.results = rpAllocateZero((size_t)ranges->count + 1, sizeof(*search.results), error);
	bool done = search.results != NULL;
	if (done)
	{
		for (int w = 0; w < searcher->workerCount; ++w)
		{
			searcher->workers[w].found.count = 0;
			searcher->workers[w].failed = false;
		}
		rpParallelWork(ranges->count, searcher->workerCount, searchRange, &search);
	}
	for (int w = 0; w < searcher->workerCount && done; ++w)
	{
		done = !searcher->workers[w].failed || rpFail(error, rp_errorMemory, "out of memory for matches");
	}
	done = done && gather(&search, out, error);
	rpFree(search.results);
	return done;
}

bool rpMatchSearcher_FillPair(const rpMatchSearcher* searcher, rpFrameStretch a, rpFrameStretch b, float* out,
							  rpError* error)
{
	int rows = a.last - a.first + 1, columns = b.last - b.first + 1;
	size_t stride = (size_t)columns + RP_GRID_PADDING;
	rpTiler tiler = {0};
	float* values = rpAllocate((size_t)rows * stride, sizeof(float), error);
	bool done = values != NULL && rpTiler_Make(&tiler, searcher->metric, 1, error);
	if (done)
	{
		rpTiler_Aim(&tiler, searcher->profiles[a.profile], searcher->profiles[b.profile]);
		fillRegion(&tiler, a, b.first, columns, values, stride);
		for (int i = 0; i < rows; ++i)
		{
			memcpy(out + (size_t)i * (size_t)columns, values + (size_t)i * stride, (size_t)columns * sizeof(float));
		}
	}
	rpTiler_Free(&tiler);
	rpFree(values);
	return done;
}
