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
