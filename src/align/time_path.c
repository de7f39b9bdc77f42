/// The cheapest path through a grid of distances, by dynamic programming with a slope limit: continuous, monotone, and
/// never more than so many steps in one motion alone (L. Kovar & M. Gleicher, Flexible automatic motion blending with
/// registration curves, 2003).
///
/// A step in one motion directly followed by one in the other is never cheaper than one in both, which leaves a cell
/// out and makes both runs shorter. So it is enough to look at paths in which a diagonal step stands between any two
/// runs, and those need one number for each cell: A, the cheapest path that comes to it diagonally. The cheapest path
/// to it at all, B, is the minimum of A here, of A up to slopeLimit cells to the left plus the cells between, and of
/// the same upwards. Nothing in a row depends on its left neighbour's result, so that rows are computed in vectors.
#include "align/time_path.h"
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Rows of numbers that a search works on, beside those of the runs downwards.
#define LINE_COUNT 5

/// What a search keeps. Rows of numbers are [columns] with `limit` infinite ones before them.
typedef struct Search
{
	rpGridView grid;
	int limit;

	/// Taken off the cost for each step in both motions, half of it for steps in one: 0 unless ends are free.
	double reward;

	/// How far the ends of rows and columns may hang over; 0 where the first cell and the last are given.
	int rowSlack, columnSlack;

	const rpTimeBand* band;

	/// A for every cell of the band.
	double* diagonal;

	/// The row's distances, B of the row before and of this one, runs to the right; runs downwards of each length.
	double* memory;
	double* distances;
	double *before, *best;
	double *right, *nextRight;
	double** down;
} Search;

void rpTimePath_Free(rpTimePath* path)
{
	rpFree(path->i);
	rpFree(path->j);
	*path = (rpTimePath){0};
}

double rpTimePath_GetLength(const rpTimePath* path)
{
	int last = path->count - 1;
	return 1.0 + 0.5 * (path->i[last] - path->i[0] + path->j[last] - path->j[0]);
}

static void freeSearch(Search* search)
{
	rpFree(search->diagonal);
	rpFree(search->memory);
	rpFree(search->down);
}

// Room for a search, its band given. Free it in any case.
static bool makeSearch(Search* search, rpError* error)
{
	size_t width = (size_t)search->grid.columns + (size_t)search->limit;
	size_t lineCount = LINE_COUNT + 1 + (size_t)search->limit;
	search->diagonal = rpAllocate(search->band->offsets[search->grid.rows], sizeof(double), error);
	search->memory = search->diagonal != NULL ? rpAllocate(lineCount * width, sizeof(double), error) : NULL;
	search->down = search->memory != NULL ? rpAllocate(1 + (size_t)search->limit, sizeof(double*), error) : NULL;
	return search->down != NULL;
}

// Nothing was come to yet.
static void clearLines(Search* search)
{
	size_t width = (size_t)search->grid.columns + (size_t)search->limit;
	size_t lineCount = LINE_COUNT + 1 + (size_t)search->limit;
	for (size_t i = 0; i < lineCount * width; ++i)
	{
		search->memory[i] = INFINITY;
	}
	double* line = search->memory + search->limit;
	double** lines[LINE_COUNT] = {&search->distances, &search->before, &search->best, &search->right,
								  &search->nextRight};
	for (int i = 0; i < LINE_COUNT; ++i, line += width)
	{
		*lines[i] = line;
	}
	for (int r = 0; r <= search->limit; ++r, line += width)
	{
		search->down[r] = line;
	}
}

// Whether a path may start at a cell of the first row or column, or end at one of the last.
static bool mayStart(const Search* search, int i, int j)
{
	return (j == 0 && i <= search->rowSlack) || (i == 0 && j <= search->columnSlack);
}

static bool mayEnd(const Search* search, int i, int j)
{
	int rowsLeft = search->grid.rows - 1 - i, columnsLeft = search->grid.columns - 1 - j;
	return (columnsLeft == 0 && rowsLeft <= search->rowSlack) || (rowsLeft == 0 && columnsLeft <= search->columnSlack);
}

// A of a row's cells: from the row before, or as the first of a path.
static void comeDiagonally(Search* search, int i, int first, int last, double* restrict out)
{
	const double* restrict distances = search->distances;
	const double* restrict before = search->before - 1;
	double reward = search->reward;
	for (int j = first; j <= last; ++j)
	{
		out[j] = before[j] + (distances[j] - reward);
	}
	int startEnd = i == 0 ? search->columnSlack : 0;
	for (int j = first; j <= last && j <= startEnd; ++j)
	{
		out[j] = mayStart(search, i, j) ? distances[j] - reward : INFINITY;
	}
}

// One more step to the right for runs of all starts: to = from, a cell further.
static void stepRight(const double* restrict distances, const double* restrict from, double reward, int first, int last,
					  double* restrict to, double* restrict best)
{
	for (int j = first; j <= last; ++j)
	{
		double cost = from[j - 1] + (distances[j] - reward);
		to[j] = cost;
		best[j] = cost < best[j] ? cost : best[j];
	}
}

static void stepDown(const double* restrict distances, const double* restrict from, double reward, int first, int last,
					 double* restrict to, double* restrict best)
{
	for (int j = first; j <= last; ++j)
	{
		double cost = from[j] + (distances[j] - reward);
		to[j] = cost;
		best[j] = cost < best[j] ? cost : best[j];
	}
}

static void swapLines(double** a, double** b)
{
	double* kept = *a;
	*a = *b;
	*b = kept;
}

// Nothing comes from the left of the band, where lines may still hold an older row.
static void closeLeft(const Search* search, double* line, int first)
{
	for (int k = 1; k <= search->limit; ++k)
	{
		line[first - k] = INFINITY;
	}
}

static void searchRow(Search* search, int i)
{
	int first = search->band->first[i], last = search->band->last[i], limit = search->limit;
	size_t width = (size_t)last - (size_t)first + 1;
	const float* values = search->grid.values + (size_t)i * (size_t)search->grid.columns;
	double half = 0.5 * search->reward;
	for (int j = first; j <= last; ++j)
	{
		search->distances[j] = values[j];
	}
	double* best = search->best;
	comeDiagonally(search, i, first, last, best);
	memcpy(search->diagonal + search->band->offsets[i], best + first, width * sizeof(double));

	// Longest run first: each is the next shorter one of the row before, whose line it then leaves free.
	double* longest = search->down[limit];
	for (int r = limit; r > 0; --r)
	{
		search->down[r] = search->down[r - 1];
	}
	search->down[0] = longest;
	memcpy(search->right + first, best + first, width * sizeof(double));
	closeLeft(search, search->right, first);
	for (int r = 0; r < limit; ++r)
	{
		closeLeft(search, search->nextRight, first);
		stepRight(search->distances, search->right, half, first, last, search->nextRight, best);
		swapLines(&search->right, &search->nextRight);
	}
	for (int r = limit; r > 0; --r)
	{
		// down[r] holds the run of r - 1 steps up to the row before; in place, it becomes that of r.
		stepDown(search->distances, search->down[r], half, first, last, search->nextRight, best);
		swapLines(&search->down[r], &search->nextRight);
	}
	memcpy(search->down[0] + first, search->diagonal + search->band->offsets[i], width * sizeof(double));
	closeLeft(search, best, first);
	swapLines(&search->before, &search->best);
}

static double getDistance(const Search* search, int i, int j)
{
	return search->grid.values[(size_t)i * (size_t)search->grid.columns + (size_t)j];
}

static double getDiagonal(const Search* search, int i, int j)
{
	const rpTimeBand* band = search->band;
	bool inside = i >= 0 && j >= 0 && j >= band->first[i] && j <= band->last[i];
	return inside ? search->diagonal[band->offsets[i] + (size_t)(j - band->first[i])] : INFINITY;
}

// Cost of coming diagonally to the start of a run of some steps in one motion that ends here, and of that run.
static double getRun(const Search* search, int i, int j, int down, int right)
{
	int steps = down + right;
	double cost = getDiagonal(search, i - down, j - right);
	for (int k = steps - 1; k >= 0 && cost < INFINITY; --k)
	{
		cost += getDistance(search, down > 0 ? i - k : i, right > 0 ? j - k : j) - 0.5 * search->reward;
	}
	return cost;
}

// The run in which the cheapest path to a cell ends: steps downwards, or steps to the right as a negative number.
static int findRun(const Search* search, int i, int j, double* cost)
{
	int run = 0;
	*cost = getDiagonal(search, i, j);
	for (int r = 1; r <= search->limit; ++r)
	{
		double right = getRun(search, i, j, 0, r), down = getRun(search, i, j, r, 0);
		if (right < *cost)
		{
			*cost = right;
			run = -r;
		}
		if (down < *cost)
		{
			*cost = down;
			run = r;
		}
	}
	return run;
}

static void addCell(rpTimePath* path, int i, int j)
{
	path->i[path->count] = i;
	path->j[path->count++] = j;
}

static void reversePath(rpTimePath* path)
{
	for (int a = 0, b = path->count - 1; a < b; ++a, --b)
	{
		int i = path->i[a], j = path->j[a];
		path->i[a] = path->i[b];
		path->j[a] = path->j[b];
		path->i[b] = i;
		path->j[b] = j;
	}
}

// The path that ends at a cell, found again from the end.
static bool followBack(const Search* search, int i, int j, rpTimePath* out, rpError* error)
{
	size_t max = (size_t)i + (size_t)j + 1;
	out->i = rpAllocate(max, sizeof(int), error);
	out->j = out->i != NULL ? rpAllocate(max, sizeof(int), error) : NULL;
	if (out->j == NULL)
	{
		rpTimePath_Free(out);
		return false;
	}
	for (bool more = true; more;)
	{
		double cost;
		int run = findRun(search, i, j, &cost);
		RP_ASSERT(cost < INFINITY);
		for (int k = 0; k < abs(run); ++k)
		{
			addCell(out, i, j);
			i -= run > 0;
			j -= run < 0;
		}
		addCell(out, i, j);
		more = i > 0 && j > 0;
		--i;
		--j;
	}
	reversePath(out);
	out->cost = 0.0;
	for (int k = 0; k < out->count; ++k)
	{
		out->cost += getDistance(search, out->i[k], out->j[k]);
	}
	return true;
}

/// The cheapest cell that a path may end at.
typedef struct End
{
	int i, j;
	double cost;
} End;

static void lookForEnd(const Search* search, int i, End* end)
{
	bool lastRow = i == search->grid.rows - 1;
	int lastColumn = search->grid.columns - 1;
	int from = lastRow ? lastColumn - search->columnSlack : lastColumn;
	// The row just done is the one "before" the next.
	for (int j = from > search->band->first[i] ? from : search->band->first[i]; j <= search->band->last[i]; ++j)
	{
		if (mayEnd(search, i, j) && search->before[j] < end->cost)
		{
			*end = (End){i, j, search->before[j]};
		}
	}
}

// Search the band. The path is empty where there is none; false when memory ran out.
static bool runSearch(Search* search, rpTimePath* out, rpError* error)
{
	*out = (rpTimePath){0};
	clearLines(search);
	End end = {-1, -1, INFINITY};
	for (int i = 0; i < search->grid.rows; ++i)
	{
		searchRow(search, i);
		lookForEnd(search, i, &end);
	}
	return end.i < 0 || followBack(search, end.i, end.j, out, error);
}

// One search from the first cell to the last.
static bool searchBand(rpGridView grid, int slopeLimit, const rpTimeBand* band, rpTimePath* out, rpError* error)
{
	Search search = {.grid = grid, .limit = slopeLimit, .band = band};
	*out = (rpTimePath){0};
	bool done = makeSearch(&search, error) && runSearch(&search, out, error);
	freeSearch(&search);
	return done;
}

static bool failNoPath(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error)
{
	rpTimePath_Free(out);
	rpFail(error, rp_errorNoSolution,
		   "no path through %d by %d frames makes at most %d steps in one motion alone: one is too long for the other",
		   grid.rows, grid.columns, slopeLimit);
	rpError_SetHint(error, "crop the longer one, allow a steeper path, or leave the ends free");
	return false;
}

bool rpFindTimePathWhole(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error)
{
	rpTimeBand band;
	bool done = rpTimeBand_Init(&band, grid.rows, error);
	*out = (rpTimePath){0};
	if (done)
	{
		rpTimeBand_SetWhole(&band, grid.rows, grid.columns);
		done = searchBand(grid, slopeLimit, &band, out, error);
	}
	rpTimeBand_Free(&band);
	return done && (out->count > 0 || failNoPath(grid, slopeLimit, out, error));
}

// A path through n rows takes at most slopeLimit steps to the right in each, and a diagonal one between two.
static bool canReach(int rows, int columns, int slopeLimit)
{
	return columns <= (long long)rows * (slopeLimit + 1);
}

// The share that a path may cost more than the smallest bound before the band is widened for it.
#define FIRST_SLACK 1.02

// Bounds are sums in another order and in single precision: rounding must not shut the best path out.
#define BOUND_SLACK 1e-6

// In a band that holds all paths up to some cost; if the best in it costs more, then once more in the band of that.
static bool findInBands(rpGridView grid, int slopeLimit, const rpPathBounds* bounds, rpTimeBand* band, rpTimePath* out,
						rpError* error)
{
	double allowed = FIRST_SLACK * bounds->min;
	for (;;)
	{
		if (!rpPathBounds_GetBand(bounds, allowed, band))
		{
			rpTimeBand_SetWhole(band, grid.rows, grid.columns);
		}
		if (!searchBand(grid, slopeLimit, band, out, error))
		{
			return false;
		}
		// What is outside costs more than what was allowed.
		double needed = out->count > 0 ? out->cost * (1.0 + BOUND_SLACK) : INFINITY;
		if (needed <= allowed)
		{
			return out->count > 0 || failNoPath(grid, slopeLimit, out, error);
		}
		allowed = needed;
		rpTimePath_Free(out);
	}
}

// Rows are those of the longer motion: bounds count every row, but not steps within one.
static bool findExactly(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error)
{
	rpTimeBand band;
	rpPathBounds bounds;
	bool done = rpTimeBand_Init(&band, grid.rows, error);
	done = rpPathBounds_Init(&bounds, grid, slopeLimit, done ? error : NULL) && done;
	done = done && findInBands(grid, slopeLimit, &bounds, &band, out, error);
	rpPathBounds_Free(&bounds);
	rpTimeBand_Free(&band);
	return done;
}

static void transpose(rpGridView grid, float* out)
{
	// In small squares, which stay in the nearest cache.
	const int side = 16;
	for (int top = 0; top < grid.rows; top += side)
	{
		int bottom = top + side < grid.rows ? top + side : grid.rows;
		for (int left = 0; left < grid.columns; left += side)
		{
			int right = left + side < grid.columns ? left + side : grid.columns;
			for (int j = left; j < right; ++j)
			{
				for (int i = top; i < bottom; ++i)
				{
					out[(size_t)j * (size_t)grid.rows + (size_t)i] =
						grid.values[(size_t)i * (size_t)grid.columns + (size_t)j];
				}
			}
		}
	}
}

static bool findTransposed(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error)
{
	float* values = rpAllocate((size_t)grid.rows * (size_t)grid.columns, sizeof(float), error);
	if (values == NULL)
	{
		return false;
	}
	transpose(grid, values);
	rpGridView turned = {values, grid.columns, grid.rows};
	bool done = findExactly(turned, slopeLimit, out, error);
	rpFree(values);
	if (done)
	{
		int* kept = out->i;
		out->i = out->j;
		out->j = kept;
	}
	return done;
}

bool rpFindTimePath(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error)
{
	RP_ASSERT(grid.rows > 0 && grid.columns > 0 && slopeLimit > 0);
	*out = (rpTimePath){0};
	if (!canReach(grid.rows, grid.columns, slopeLimit) || !canReach(grid.columns, grid.rows, slopeLimit))
	{
		return failNoPath(grid, slopeLimit, out, error);
	}
	return grid.columns > grid.rows ? findTransposed(grid, slopeLimit, out, error)
									: findExactly(grid, slopeLimit, out, error);
}

// How much of a motion may hang over at either end: a third, or of the longer one all but half of the shorter's length.
static int getSlack(int own, int other)
{
	int third = own / 3, rest = own - (other + 1) / 2;
	return own > other && rest > third ? rest : third;
}

// Dinkelbach's method: with the mean of the best path so far as reward for every step, a path that costs less than
// nothing has a smaller mean; when there is none, that mean is the minimum.
static bool lowerMean(Search* search, rpTimePath* best, rpError* error)
{
	double mean = best->count > 0 ? best->cost / rpTimePath_GetLength(best) : INFINITY;
	bool done = true;
	for (bool better = true; done && better;)
	{
		rpTimePath path;
		search->reward = mean < INFINITY ? mean : 0.0;
		done = runSearch(search, &path, error);
		double pathMean = path.count > 0 ? path.cost / rpTimePath_GetLength(&path) : INFINITY;
		better = done && pathMean < mean * (1.0 - 1e-12);
		rpTimePath_Free(better ? best : &path);
		if (better)
		{
			*best = path;
			mean = pathMean;
		}
	}
	return done;
}

bool rpFindTimePathFree(rpGridView grid, int slopeLimit, rpTimePath* out, rpError* error)
{
	RP_ASSERT(grid.rows > 0 && grid.columns > 0 && slopeLimit > 0);
	*out = (rpTimePath){0};
	rpTimeBand band;
	Search search = {
		.grid = grid,
		.limit = slopeLimit,
		.rowSlack = getSlack(grid.rows, grid.columns),
		.columnSlack = getSlack(grid.columns, grid.rows),
		.band = &band,
	};
	bool done = rpTimeBand_Init(&band, grid.rows, error);
	if (done)
	{
		rpTimeBand_SetWhole(&band, grid.rows, grid.columns);
		done = makeSearch(&search, error) && lowerMean(&search, out, error);
	}
	freeSearch(&search);
	rpTimeBand_Free(&band);
	if (!done)
	{
		rpTimePath_Free(out);
		return false;
	}
	return out->count > 0 || failNoPath(grid, slopeLimit, out, error);
}
