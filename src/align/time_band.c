/// Bands of a grid that hold every path up to some cost.
///
/// A path has a cell in every row, and none of them is less than the minimum of its block. So sums of block minima,
/// from the first row down and from the last row up, bound from below what a path through a block costs; and blocks
/// whose bound is above the cost of some path need not be looked at to find the cheapest.
#include "align/time_path.h"
#include "base/memory.h"

#include <math.h>

#define BLOCK_WIDTH 8

bool rpTimeBand_Init(rpTimeBand* band, int rows, rpError* error)
{
	*band = (rpTimeBand){0};
	band->first = rpAllocate((size_t)rows, sizeof(int), error);
	band->last = band->first != NULL ? rpAllocate((size_t)rows, sizeof(int), error) : NULL;
	band->offsets = band->last != NULL ? rpAllocate((size_t)rows + 1, sizeof(size_t), error) : NULL;
	return band->offsets != NULL;
}

void rpTimeBand_Free(rpTimeBand* band)
{
	rpFree(band->first);
	rpFree(band->last);
	rpFree(band->offsets);
	*band = (rpTimeBand){0};
}

static void setOffsets(rpTimeBand* band, int rows)
{
	size_t offset = 0;
	for (int i = 0; i < rows; ++i)
	{
		band->offsets[i] = offset;
		offset += (size_t)(band->last[i] - band->first[i] + 1);
	}
	band->offsets[rows] = offset;
}

void rpTimeBand_SetWhole(rpTimeBand* band, int rows, int columns)
{
	for (int i = 0; i < rows; ++i)
	{
		band->first[i] = 0;
		band->last[i] = columns - 1;
	}
	setOffsets(band, rows);
}

// The minimum cell of each row in each block.
static void poolBlocks(const rpPathBounds* bounds, rpGridView grid, float* restrict out)
{
	int width = bounds->blockWidth, wholeBlocks = grid.columns / width;
	for (int i = 0; i < grid.rows; ++i)
	{
		const float* row = grid.values + (size_t)i * (size_t)grid.columns;
		float* min = out + (size_t)i * (size_t)bounds->blockCount;
		for (int b = 0; b < bounds->blockCount; ++b)
		{
			int end = b < wholeBlocks ? (b + 1) * width : grid.columns;
			min[b] = row[b * width];
			for (int j = b * width + 1; j < end; ++j)
			{
				min[b] = row[j] < min[b] ? row[j] : min[b];
			}
		}
	}
}

static double lesser(double a, double b)
{
	return a < b ? a : b;
}

// The min cost of the rows up to each one for paths that leave it in each block, that row included. A row takes a path
// to the next block at most, and it then has a cell in one of the two.
static void sumDown(const rpPathBounds* bounds, const float* restrict min, double* restrict out)
{
	int count = bounds->blockCount;
	for (int b = 0; b < count; ++b)
	{
		out[b] = b == 0 ? (double)min[0] : INFINITY;
	}
	for (int i = 1; i < bounds->rows; ++i)
	{
		const double* before = out + (size_t)(i - 1) * (size_t)count;
		const float* row = min + (size_t)i * (size_t)count;
		double* sums = out + (size_t)i * (size_t)count;
		sums[0] = before[0] + row[0];
		for (int b = 1; b < count; ++b)
		{
			sums[b] = lesser(before[b] + row[b], before[b - 1] + lesser(row[b - 1], row[b]));
		}
	}
}

// From the last row up: what the rows below cost at least for paths that leave a row in each block; joined with the
// sums from above to bounds of whole paths.
static void boundPaths(rpPathBounds* bounds, const float* restrict min, const double* restrict above, double* below,
					   double* next)
{
	int count = bounds->blockCount;
	for (int b = 0; b < count; ++b)
	{
		below[b] = b == count - 1 ? 0.0 : INFINITY;
	}
	for (int i = bounds->rows - 1; i >= 0; --i)
	{
		size_t offset = (size_t)i * (size_t)count;
		const double* before = i > 0 ? above + offset - count : NULL;
		const float* row = min + offset;
		float* through = bounds->through + offset;
		for (int b = 0; b < count; ++b)
		{
			double cost = above[offset + (size_t)b] + below[b];
			if (b + 1 < count && before != NULL)
			{
				// A path that has a cell here and leaves the row in the next block.
				cost = lesser(cost, before[b] + lesser(row[b], row[b + 1]) + below[b + 1]);
			}
			through[b] = (float)cost;
			double stay = below[b] + row[b];
			next[b] = b + 1 < count ? lesser(stay, below[b + 1] + lesser(row[b], row[b + 1])) : stay;
		}
		double* kept = below;
		below = next;
		next = kept;
	}
	bounds->min = above[(size_t)bounds->rows * (size_t)count - 1];
}

bool rpPathBounds_Init(rpPathBounds* bounds, rpGridView grid, int slopeLimit, rpError* error)
{
	*bounds = (rpPathBounds){.rows = grid.rows, .columns = grid.columns};
	bounds->blockWidth = slopeLimit < BLOCK_WIDTH ? BLOCK_WIDTH : slopeLimit + 1;
	bounds->blockCount = (grid.columns + bounds->blockWidth - 1) / bounds->blockWidth;
	size_t count = (size_t)bounds->blockCount, size = (size_t)grid.rows * count;
	bounds->through = rpAllocate(size, sizeof(float), error);
	float* min = bounds->through != NULL ? rpAllocate(size, sizeof(float), error) : NULL;
	double* above = min != NULL ? rpAllocate(size + 2 * count, sizeof(double), error) : NULL;
	if (above != NULL)
	{
		poolBlocks(bounds, grid, min);
		sumDown(bounds, min, above);
		boundPaths(bounds, min, above, above + size, above + size + count);
	}
	rpFree(min);
	rpFree(above);
	return above != NULL;
}

void rpPathBounds_Free(rpPathBounds* bounds)
{
	rpFree(bounds->through);
	*bounds = (rpPathBounds){0};
}

bool rpPathBounds_GetBand(const rpPathBounds* bounds, double cost, rpTimeBand* band)
{
	for (int i = 0; i < bounds->rows; ++i)
	{
		const float* through = bounds->through + (size_t)i * (size_t)bounds->blockCount;
		int first = 0, last = bounds->blockCount - 1;
		while (first <= last && !(through[first] <= cost))
		{
			++first;
		}
		while (last >= first && !(through[last] <= cost))
		{
			--last;
		}
		if (first > last)
		{
			return false;
		}
		int end = (last + 1) * bounds->blockWidth - 1;
		band->first[i] = first * bounds->blockWidth;
		band->last[i] = end < bounds->columns ? end : bounds->columns - 1;
	}
	// Neither edge goes back.
	for (int i = 1; i < bounds->rows; ++i)
	{
		band->last[i] = band->last[i] > band->last[i - 1] ? band->last[i] : band->last[i - 1];
	}
	for (int i = bounds->rows - 2; i >= 0; --i)
	{
		band->first[i] = band->first[i] < band->first[i + 1] ? band->first[i] : band->first[i + 1];
	}
	setOffsets(band, bounds->rows);
	return true;
}
