/// Local minima of a grid: cells under a threshold that none of their eight neighbours is below.
#include "base/memory.h"
#include "compare/grid_visit.h"

#include <math.h>
#include <stdlib.h>

// Squares further apart than this, as a fraction, have different roots in single precision.
#define ROOT_SLACK 1e-6f

// Cells that are looked at together: most such stretches have nothing under the threshold.
#define STRETCH 64

void rpMinima_Free(rpMinima* minima)
{
	rpFree(minima->items);
	*minima = (rpMinima){0};
}

static bool anyBelow(const float* squares, int count, float limit)
{
	int below = 0;
	for (int i = 0; i < count; ++i)
	{
		below += squares[i] < limit;
	}
	return below > 0;
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

static bool searchStretch(const rpMinimaSearch* search, int i, int first, int count, float limit, rpMinima* out,
						  rpError* error)
{
	const float* squares = search->squares + (size_t)(i - search->firstRow) * search->stride;
	for (int j = first; j < first + count; ++j)
	{
		float square = squares[j - search->firstColumn];
		if (square < limit && sqrtf(square) < search->threshold && isMinimum(search, i, j) &&
			!addMinimum(search, i, j, sqrtf(square), out, error))
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

static int least(int a, int b)
{
	return a < b ? a : b;
}

bool rpSearchMinima(const rpMinimaSearch* search, rpMinima* out, rpError* error)
{
	int reach = search->metric->reach;
	float limit = search->threshold * search->threshold * (1.0f + ROOT_SLACK);
	int lastRow = least(search->row + search->rowCount, search->a->frameCount - reach);
	int lastColumn = least(search->column + search->columnCount, search->b->frameCount - reach);
	for (int i = largest(search->row, reach); i < lastRow; ++i)
	{
		// Of a profile with itself one half, without the band within a window of the diagonal.
		int first = largest(search->column, search->a == search->b ? i + 2 * reach + 1 : reach);
		const float* squares = search->squares + (size_t)(i - search->firstRow) * search->stride;
		for (int j = first; j < lastColumn; j += STRETCH)
		{
			int count = least(STRETCH, lastColumn - j);
			if (anyBelow(squares + (j - search->firstColumn), count, limit) &&
				!searchStretch(search, i, j, count, limit, out, error))
			{
				return false;
			}
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
