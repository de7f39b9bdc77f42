/// Blend lengths with any time path, by dynamic programming: Wang's thesis only mentions it (section V.3). All starts
/// of the second motion are tried, all ends of the first come with each of them.
///
/// As in time_path.c a diagonal step stands between any two runs in one motion alone: A is the cheapest path that comes
/// to a cell diagonally, B the cheapest at all.
#include "base/memory.h"
#include "transition/blend_window.h"

/// What a search keeps, all [fromCount * toCount]: cell (n, m) is n steps after a's moment and m before b's.
typedef struct Search
{
	int rows, columns;
	int limit;
	double* cells;

	/// A and B.
	double* diagonal;
	double* best;
} Search;

static size_t getCell(const Search* search, int n, int m)
{
	return (size_t)n * (size_t)search->columns + (size_t)m;
}

// The cheapest of the runs that come to a cell along one motion, by (dn, dm) a step.
static double comeAlong(const Search* search, int n, int m, int dn, int dm, int start)
{
	double cost = 0.0, best = INFINITY;
	for (int run = 1; run <= search->limit; ++run)
	{
		cost += search->cells[getCell(search, n, m)];
		n -= dn;
		m -= dm;
		if (n < 0 || m > start)
		{
			break;
		}
		best = fmin(best, cost + search->diagonal[getCell(search, n, m)]);
	}
	return best;
}

// All paths that start `start` steps before b's moment.
static void searchFrom(const Search* search, int start)
{
	for (int n = 0; n < search->rows; ++n)
	{
		for (int m = start; m >= 0; --m)
		{
			size_t cell = getCell(search, n, m);
			double before = n == 0 && m == start ? 0.0
							: n > 0 && m < start ? search->best[getCell(search, n - 1, m + 1)]
												 : INFINITY;
			search->diagonal[cell] = before + search->cells[cell];
			search->best[cell] = fmin(search->diagonal[cell], fmin(comeAlong(search, n, m, 1, 0, start),
																   comeAlong(search, n, m, 0, -1, start)));
		}
	}
}

static void chooseEnd(const Search* search, int start, int shortest, rpWarpChoice* out)
{
	for (int n = 1; n < search->rows; ++n)
	{
		double length = 1.0 + 0.5 * (n + start), cost = search->best[getCell(search, n, 0)] / length;
		if ((n >= shortest || start >= shortest) && cost < out->cost)
		{
			*out = (rpWarpChoice){n, start, cost};
		}
	}
}

bool rpBlendWindow_FindTimePath(const rpBlendWindow* window, int shortest, int slopeLimit, rpWarpChoice* out,
								rpError* error)
{
	size_t count = (size_t)window->fromCount * (size_t)window->toCount;
	Search search = {.rows = window->fromCount, .columns = window->toCount, .limit = slopeLimit};
	*out = (rpWarpChoice){.cost = INFINITY};
	search.cells = rpAllocate(3 * count, sizeof(double), error);
	if (search.cells == NULL)
	{
		return false;
	}
	search.diagonal = search.cells + count;
	search.best = search.diagonal + count;
	for (int n = 0; n < search.rows; ++n)
	{
		for (int m = 0; m < search.columns; ++m)
		{
			search.cells[getCell(&search, n, m)] = rpBlendWindow_Compare(window, n, m);
		}
	}
	for (int start = 1; start < search.columns; ++start)
	{
		searchFrom(&search, start);
		chooseEnd(&search, start, shortest, out);
	}
	rpFree(search.cells);
	return true;
}

float* rpBlendWindow_MakeGrid(const rpBlendWindow* window, int from, int to, rpError* error)
{
	float* values = rpAllocate((size_t)(from + 1) * (size_t)(to + 1), sizeof(float), error);
	float* next = values;
	for (int n = 0; values != NULL && n <= from; ++n)
	{
		for (int m = to; m >= 0; --m)
		{
			*next++ = (float)rpBlendWindow_Compare(window, n, m);
		}
	}
	return values;
}
