/// Local minima of a grid: cells under a threshold that none of their eight neighbours is below.
#include "base/memory.h"
#include "distance/grid_visit.h"

#include <math.h>
#include <stdlib.h>

// Squares further apart than this, as a fraction, have different roots in single precision.
#define ROOT_SLACK 1e-6f

// Cells that are looked at together.
#define STRETCH 512

void rpMinima_Free(rpMinima* minima)
{
	rpFree(minima->items);
	*minima = (rpMinima){0};
}

// Whether a neighbour keeps a cell from being a minimum: distances are compared, the roots, as a caller sees them. Of
// equal ones the first counts.
static bool isLower(float neighbour, bool earlier, float square)
{
	if (neighbour > square * (1.0f + ROOT_SLACK))
	{
		return false;
	}
	float other = sqrtf(neighbour), own = sqrtf(square);
	return other < own || (earlier && other == own);
}

static bool isMinimum(const rpMinimaSearch* search, int i, int j)
{
	const float* cell =
		search->squares + (size_t)(i - search->firstRow) * search->stride + (size_t)(j - search->firstColumn);
	int up = i > 0 ? -1 : 0, down = i + 1 < search->a->frameCount ? 1 : 0;
	int left = j > 0 ? -1 : 0, right = j + 1 < search->b->frameCount ? 1 : 0;
	for (int r = up; r <= down; ++r)
	{
		for (int c = left; c <= right; ++c)
		{
			bool self = r == 0 && c == 0, earlier = r < 0 || (r == 0 && c < 0);
			if (!self && isLower(cell[(ptrdiff_t)r * (ptrdiff_t)search->stride + c], earlier, *cell))
			{
				return false;
			}
		}
	}
	return true;
}

static bool addMinimum(const rpMinimaSearch* search, int i, int j, float distance, rpMinima* out, rpError* error)
{
	if (!rpGrow(&out->items, &out->capacity, out->count, sizeof(rpMinimum), error))
	{
		return false;
	}
	rpMinimum* minimum = out->items + out->count++;
	*minimum = (rpMinimum){.i = i, .j = j, .distance = distance};
	rpMetric_Distance(search->metric, search->a, i, search->b, j, &minimum->alignment);
	return true;
}

static bool tryCell(const rpMinimaSearch* search, int i, int j, rpMinima* out, rpError* error)
{
	float square = search->squares[(size_t)(i - search->firstRow) * search->stride + (size_t)(j - search->firstColumn)];
	float distance = sqrtf(square);
	return !(distance < search->threshold) || !isMinimum(search, i, j) ||
		   addMinimum(search, i, j, distance, out, error);
}

// Cells of a row with neighbours on all sides: the kernel finds the few that come into question.
static bool searchStretch(const rpMinimaSearch* search, int i, int first, int count, rpMinima* out, rpError* error)
{
	int low[STRETCH];
	rpGridCells cells = {
		.squares = search->squares + (size_t)(i - search->firstRow) * search->stride + (first - search->firstColumn),
		.stride = search->stride,
		.count = count,
		.limit = search->threshold * search->threshold * (1.0f + ROOT_SLACK),
		.slack = 1.0f + ROOT_SLACK,
	};
	int lowCount = search->kernel->findLow(&cells, low);
	for (int k = 0; k < lowCount; ++k)
	{
		if (!tryCell(search, i, first + low[k], out, error))
		{
			return false;
		}
	}
	return true;
}

static int largest(int a, int b)
{
	return a > b ? a : b;
}

static int getMin(int a, int b)
{
	return a < b ? a : b;
}

// Cells first … end-1 of a row; those at the edge of the grid one by one.
static bool searchRow(const rpMinimaSearch* search, int i, int first, int end, rpMinima* out, rpError* error)
{
	bool atEdge = i == 0 || i == search->a->frameCount - 1;
	int count;
	for (int j = first; j < end; j += count)
	{
		bool alone = atEdge || j == 0 || j == search->b->frameCount - 1;
		count = alone ? 1 : getMin(STRETCH, getMin(end, search->b->frameCount - 1) - j);
		if (!(alone ? tryCell(search, i, j, out, error) : searchStretch(search, i, j, count, out, error)))
		{
			return false;
		}
	}
	return true;
}

bool rpSearchMinima(const rpMinimaSearch* search, rpMinima* out, rpError* error)
{
	int halfWindow = search->metric->halfWindow;
	int lastRow = getMin(search->row + search->rowCount, search->a->frameCount - halfWindow);
	int lastColumn = getMin(search->column + search->columnCount, search->b->frameCount - halfWindow);
	for (int i = largest(search->row, halfWindow); i < lastRow; ++i)
	{
		// Of a profile with itself one half, without the band within a window of the diagonal.
		int first = largest(search->column, search->a == search->b ? i + 2 * halfWindow + 1 : halfWindow);
		if (!searchRow(search, i, first, lastColumn, out, error))
		{
			return false;
		}
	}
	return true;
}

static int compareMinima(const void* a, const void* b)
{
	const rpMinimum *x = a, *y = b;
	return x->i != y->i ? (x->i > y->i) - (x->i < y->i) : (x->j > y->j) - (x->j < y->j);
}

void rpSortMinima(rpMinimum* items, int count)
{
	if (count > 0)
	{
		qsort(items, (size_t)count, sizeof(rpMinimum), compareMinima);
	}
}

bool rpMetric_FindMinima(const rpMetric* metric, const rpProfile* a, const rpProfile* b, float threshold,
						 const rpGridDef* def, rpMinima* out, rpError* error)
{
	rpGridDef plain = rpDefaultGridDef();
	return rpVisitGrid(metric, a, b, def != NULL ? def : &plain, threshold, out, error);
}

// ---- one pair after another

bool rpMinimaFinder_Make(rpMinimaFinder* finder, const rpMetric* metric, rpError* error)
{
	finder->buffer = rpAllocate(RP_TILE_BUFFER_SIZE, sizeof(float), error);
	return finder->buffer != NULL && rpTiler_Make(&finder->tiler, metric, 1, error);
}

void rpMinimaFinder_Free(rpMinimaFinder* finder)
{
	rpTiler_Free(&finder->tiler);
	rpFree(finder->buffer);
	*finder = (rpMinimaFinder){0};
}

// Of the cells from (row, column) on; their neighbours are filled too.
static bool searchTile(rpMinimaFinder* finder, int row, int column, float threshold, rpMinima* out, rpError* error)
{
	const rpTiler* tiler = &finder->tiler;
	const rpProfile *a = tiler->a, *b = tiler->b;
	int halfWindow = tiler->metric->halfWindow, rows = getMin(RP_TILE_ROWS, a->frameCount - halfWindow - row);
	int columns = getMin(RP_TILE_COLUMNS, b->frameCount - halfWindow - column);
	int firstRow = largest(row - 1, 0), firstColumn = largest(column - 1, 0);
	rpRegion region = {
		.row = firstRow,
		.column = firstColumn,
		.rowCount = getMin(row + rows + 1, a->frameCount) - firstRow,
		.columnCount = getMin(column + columns + 1, b->frameCount) - firstColumn,
		.firstDiagonal = a == b ? 2 * halfWindow - 1 : -a->frameCount,
	};
	rpMinimaSearch search = {tiler->metric,
							 a,
							 b,
							 tiler->kernel,
							 threshold,
							 row,
							 column,
							 rows,
							 columns,
							 finder->buffer,
							 RP_TILE_BUFFER_STRIDE,
							 firstRow,
							 firstColumn};
	if (region.column + region.columnCount - 1 - region.row < region.firstDiagonal)
	{
		return true;
	}
	rpTiler_Fill(tiler, 0, &region, finder->buffer, RP_TILE_BUFFER_STRIDE);
	return rpSearchMinima(&search, out, error);
}

bool rpMinimaFinder_Find(rpMinimaFinder* finder, const rpProfile* a, const rpProfile* b, float threshold, rpMinima* out,
						 rpError* error)
{
	int halfWindow = finder->tiler.metric->halfWindow, known = out->count;
	bool done = true;
	rpTiler_Aim(&finder->tiler, a, b);
	for (int row = halfWindow; row < a->frameCount - halfWindow && done; row += RP_TILE_ROWS)
	{
		for (int column = halfWindow; column < b->frameCount - halfWindow && done; column += RP_TILE_COLUMNS)
		{
			done = searchTile(finder, row, column, threshold, out, error);
		}
	}
	rpSortMinima(out->items + known, out->count - known);
	return done;
}
