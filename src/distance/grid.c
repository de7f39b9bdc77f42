/// Grids of all pairs of frames, tile by tile: workers fill tiles of a group, then the caller's thread hands them out
/// in order, so that results are the same for any number of workers. Memory is that of a group.
#include "base/error.h"
#include "base/memory.h"
#include "distance/grid_visit.h"
#include "distance/tiler.h"
#include "work/parallel.h"

#include <limits.h>
#include <string.h>

// Tiles of a group for each worker: where tiles are kept to be handed out, and where only their minima are.
#define KEPT_TILES 6
#define PASSING_TILES 128

rpGridDef rpDefaultGridDef(void)
{
	return (rpGridDef){0};
}

/// A tile of the group at work.
typedef struct Slot
{
	rpTile tile;
	rpMinima minima;
	bool failed;
} Slot;

/// A walk over a grid.
typedef struct Walk
{
	const rpMetric* metric;
	const rpProfile *a, *b;
	const rpGridDef* def;
	rpTiler tiler;

	bool wantsMinima;
	float threshold;

	/// Pairs with j - i below this need not be filled.
	int firstDiagonal;

	/// Tiles in a band of rows, in the grid, and in a group; the first of the group at work.
	int bandTiles, groupTiles, firstTile;
	int64_t tileCount;
	int workerCount;

	Slot* slots;

	/// [buffers * RP_TILE_BUFFER_SIZE]: one for each slot where tiles are handed out, one for each worker otherwise.
	float* buffers;
} Walk;

static int getMin(int a, int b)
{
	return a < b ? a : b;
}

static rpTile getTile(const Walk* walk, int64_t index)
{
	int row = (int)(index / walk->bandTiles) * RP_TILE_ROWS, column = (int)(index % walk->bandTiles) * RP_TILE_COLUMNS;
	return (rpTile){
		.row = row,
		.column = column,
		.rowCount = getMin(RP_TILE_ROWS, walk->a->frameCount - row),
		.columnCount = getMin(RP_TILE_COLUMNS, walk->b->frameCount - column),
		.stride = RP_TILE_BUFFER_STRIDE,
	};
}

// The tile, with a border of one cell for the neighbours of minima, as far as the grid goes.
static rpRegion getRegion(const Walk* walk, const rpTile* tile)
{
	int border = walk->wantsMinima ? 1 : 0;
	int row = tile->row > 0 ? tile->row - border : 0, column = tile->column > 0 ? tile->column - border : 0;
	return (rpRegion){
		.row = row,
		.column = column,
		.rowCount = getMin(tile->row + tile->rowCount + border, walk->a->frameCount) - row,
		.columnCount = getMin(tile->column + tile->columnCount + border, walk->b->frameCount) - column,
		.firstDiagonal = walk->firstDiagonal,
	};
}

static bool searchTile(const Walk* walk, const rpTile* tile, const rpRegion* region, const float* values, rpMinima* out)
{
	rpMinimaSearch search = {
		.metric = walk->metric,
		.a = walk->a,
		.b = walk->b,
		.kernel = walk->tiler.kernel,
		.threshold = walk->threshold,
		.row = tile->row,
		.column = tile->column,
		.rowCount = tile->rowCount,
		.columnCount = tile->columnCount,
		.squares = values,
		.stride = RP_TILE_BUFFER_STRIDE,
		.firstRow = region->row,
		.firstColumn = region->column,
	};
	return rpSearchMinima(&search, out, NULL);
}

static void workOnTile(int index, int worker, void* context)
{
	Walk* walk = context;
	Slot* slot = walk->slots + index;
	slot->tile = getTile(walk, (int64_t)walk->firstTile + index);
	rpRegion region = getRegion(walk, &slot->tile);
	if (region.column + region.columnCount - 1 - region.row < walk->firstDiagonal)
	{
		return;
	}
	bool handsOut = walk->def->visit != NULL;
	float* values = walk->buffers + (size_t)(handsOut ? index : worker) * RP_TILE_BUFFER_SIZE;
	rpTiler_Fill(&walk->tiler, worker, &region, values, RP_TILE_BUFFER_STRIDE);
	slot->failed = walk->wantsMinima && !searchTile(walk, &slot->tile, &region, values, &slot->minima);
	if (handsOut)
	{
		slot->tile.values = values + (size_t)(slot->tile.row - region.row) * RP_TILE_BUFFER_STRIDE +
							(slot->tile.column - region.column);
		for (int r = 0; r < region.rowCount; ++r)
		{
			walk->tiler.kernel->root(values + (size_t)r * RP_TILE_BUFFER_STRIDE, region.columnCount);
		}
	}
}

static bool appendMinima(rpMinima* to, const rpMinima* from, rpError* error)
{
	for (int i = 0; i < from->count; ++i)
	{
		if (!rpGrow(&to->items, &to->capacity, to->count, sizeof(rpMinimum), error))
		{
			return false;
		}
		to->items[to->count++] = from->items[i];
	}
	return true;
}

static bool stop(rpError* error)
{
	return rpFail(error, rp_errorCancelled, "the comparison was stopped");
}

static bool handOut(Walk* walk, Slot* slot, rpMinima* minima, rpError* error)
{
	const rpGridDef* def = walk->def;
	if (slot->failed)
	{
		return rpFail(error, rp_errorMemory, "out of memory for the minima of a grid");
	}
	if (minima != NULL && !appendMinima(minima, &slot->minima, error))
	{
		return false;
	}
	slot->minima.count = 0;
	return def->visit == NULL || def->visit(&slot->tile, def->visitContext) || stop(error);
}

static bool walkGroup(Walk* walk, int64_t first, rpMinima* minima, rpError* error)
{
	const rpGridDef* def = walk->def;
	int count = (int)(walk->tileCount - first < walk->groupTiles ? walk->tileCount - first : walk->groupTiles);
	walk->firstTile = (int)first;
	rpParallelWork(count, walk->workerCount, workOnTile, walk);
	for (int i = 0; i < count; ++i)
	{
		if (!handOut(walk, walk->slots + i, minima, error))
		{
			return false;
		}
	}
	double fraction = (double)(first + count) / (double)walk->tileCount;
	return def->progress == NULL || def->progress(fraction, "comparing frames", def->progressContext) || stop(error);
}

static bool startWalk(Walk* walk, rpError* error)
{
	walk->bandTiles = (walk->b->frameCount + RP_TILE_COLUMNS - 1) / RP_TILE_COLUMNS;
	walk->tileCount = (int64_t)walk->bandTiles * ((walk->a->frameCount + RP_TILE_ROWS - 1) / RP_TILE_ROWS);
	if (walk->tileCount > INT_MAX)
	{
		return rpFail(error, rp_errorLimit, "a grid of %d by %d frames is too large", walk->a->frameCount,
					  walk->b->frameCount);
	}
	// More workers than tiles would only take memory.
	int workerCount = rpCountWorkers(walk->def->threads);
	workerCount = workerCount < walk->tileCount ? workerCount : (int)walk->tileCount;
	walk->workerCount = workerCount;
	bool handsOut = walk->def->visit != NULL;
	walk->groupTiles = workerCount * (handsOut ? KEPT_TILES : PASSING_TILES);
	if (walk->groupTiles > walk->tileCount)
	{
		walk->groupTiles = (int)walk->tileCount;
	}
	walk->slots = rpAllocateZero((size_t)walk->groupTiles, sizeof(Slot), error);
	size_t buffers = (size_t)(handsOut ? walk->groupTiles : workerCount);
	walk->buffers = rpAllocate(buffers * RP_TILE_BUFFER_SIZE, sizeof(float), error);
	bool done =
		walk->slots != NULL && walk->buffers != NULL && rpTiler_Make(&walk->tiler, walk->metric, workerCount, error);
	if (done)
	{
		rpTiler_Aim(&walk->tiler, walk->a, walk->b);
	}
	return done;
}

static void endWalk(Walk* walk)
{
	for (int i = 0; walk->slots != NULL && i < walk->groupTiles; ++i)
	{
		rpMinima_Free(&walk->slots[i].minima);
	}
	rpFree(walk->slots);
	rpFree(walk->buffers);
	rpTiler_Free(&walk->tiler);
}

bool rpVisitGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b, const rpGridDef* def, float threshold,
				 rpMinima* minima, rpError* error)
{
	Walk walk = {
		.metric = metric,
		.a = a,
		.b = b,
		.def = def,
		.wantsMinima = minima != NULL,
		.threshold = threshold,
		// A minimum is a window off the diagonal, and its neighbours are two diagonals nearer.
		.firstDiagonal = minima != NULL && a == b && def->visit == NULL ? 2 * metric->halfWindow - 1 : -a->frameCount,
	};
	int known = minima != NULL ? minima->count : 0;
	bool done = startWalk(&walk, error);
	for (int64_t first = 0; done && first < walk.tileCount; first += walk.groupTiles)
	{
		done = walkGroup(&walk, first, minima, error);
	}
	endWalk(&walk);
	if (minima != NULL && done)
	{
		rpSortMinima(minima->items + known, minima->count - known);
	}
	return done;
}

bool rpMetric_VisitGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b, const rpGridDef* def,
						rpError* error)
{
	return def->visit == NULL || rpVisitGrid(metric, a, b, def, 0.0f, NULL, error);
}

/// Where FillGrid copies tiles to.
typedef struct Sheet
{
	float* values;
	size_t stride;
} Sheet;

static bool copyTile(const rpTile* tile, void* context)
{
	const Sheet* sheet = context;
	for (int r = 0; r < tile->rowCount; ++r)
	{
		memcpy(sheet->values + (size_t)(tile->row + r) * sheet->stride + tile->column,
			   tile->values + (size_t)r * (size_t)tile->stride, (size_t)tile->columnCount * sizeof(float));
	}
	return true;
}

bool rpMetric_FillGrid(const rpMetric* metric, const rpProfile* a, const rpProfile* b, float* out, rpError* error)
{
	Sheet sheet = {out, (size_t)b->frameCount};
	rpGridDef def = rpDefaultGridDef();
	def.visit = copyTile;
	def.visitContext = &sheet;
	return rpMetric_VisitGrid(metric, a, b, &def, error);
}
