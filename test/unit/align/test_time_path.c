/// Paths through grids of distances, against the plain dynamic programme over every state.
#include "align/time_path.h"
#include "base/memory.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

enum
{
	maxLimit = 9,
};

// The definition itself: state 0 came diagonally, 1 … W after so many steps to the right, W+1 … 2W downwards. Any
// step may follow any other, so long as no run is longer than W. starts and ends: [rows * columns], may be NULL.
static double findCost(rpGridView grid, int limit, const bool* starts, const bool* ends, double reward)
{
	int states = 2 * limit + 1, rows = grid.rows, columns = grid.columns;
	double* costs = malloc(sizeof(double) * (size_t)(rows * columns * states));
	double best = INFINITY;
	for (int i = 0; i < rows; ++i)
	{
		for (int j = 0; j < columns; ++j)
		{
			int cell = i * columns + j;
			double distance = grid.values[cell];
			double* own = costs + cell * states;
			bool start = starts != NULL ? starts[cell] : cell == 0;
			bool end = ends != NULL ? ends[cell] : cell == rows * columns - 1;
			for (int s = 0; s < states; ++s)
			{
				int run = s == 0 ? 0 : (s - 1) % limit + 1;
				bool down = s > limit;
				int fromI = i - (s == 0 || down), fromJ = j - (s == 0 || !down);
				own[s] = s == 0 && start ? distance - reward : INFINITY;
				if (fromI < 0 || fromJ < 0)
				{
					continue;
				}
				const double* from = costs + (fromI * columns + fromJ) * states;
				for (int f = 0; f < states; ++f)
				{
					bool sameKind = f > 0 && s > 0 && (f > limit) == down;
					bool follows = s == 0 || (sameKind ? f == s - 1 : run == 1);
					double cost = from[f] + distance - (s == 0 ? reward : 0.5 * reward);
					own[s] = follows && cost < own[s] ? cost : own[s];
				}
			}
			for (int s = 0; end && s < states; ++s)
			{
				best = own[s] < best ? own[s] : best;
			}
		}
	}
	free(costs);
	return best;
}

static void checkPath(rpGridView grid, int limit, const rpTimePath* path)
{
	double cost = 0.0;
	int right = 0, down = 0;
	for (int k = 0; k < path->count; ++k)
	{
		assert_in_range(path->i[k], 0, grid.rows - 1);
		assert_in_range(path->j[k], 0, grid.columns - 1);
		cost += grid.values[path->i[k] * grid.columns + path->j[k]];
		if (k > 0)
		{
			int di = path->i[k] - path->i[k - 1], dj = path->j[k] - path->j[k - 1];
			assert_true(di >= 0 && di <= 1 && dj >= 0 && dj <= 1 && di + dj > 0);
			right = di == 0 ? right + 1 : 0;
			down = dj == 0 ? down + 1 : 0;
			assert_true(right <= limit && down <= limit);
		}
	}
	assert_true(fabs(cost - path->cost) <= 1e-12 * (1.0 + cost));
}

// Grids of several kinds: noise, a winding valley, zeros with ties, even ground, whole numbers with many ties.
static void fillGrid(rpRandom* random, int kind, float* values, int rows, int columns)
{
	float bend = rpRandom_Range(random, -0.4f, 0.4f), wave = rpRandom_Range(random, 0.0f, 6.0f);
	for (int i = 0; i < rows; ++i)
	{
		for (int j = 0; j < columns; ++j)
		{
			float x = (float)i / (float)rows, y = (float)j / (float)columns;
			float off = fabsf(y - x - bend * x * (1.0f - x) * (1.0f + sinf(wave * x)));
			float noise = rpRandom_Range(random, 0.0f, 1.0f);
			const float kinds[] = {noise, off + 0.02f * noise, noise < 0.7f ? 0.0f : noise, 1.0f, floorf(4.0f * noise)};
			values[i * columns + j] = kinds[kind];
		}
	}
}

static void checkWhole(rpGridView grid, int limit)
{
	double expected = findCost(grid, limit, NULL, NULL, 0.0);
	rpTimePath banded, whole;
	rpError error = {0};
	bool found = rpFindTimePath(grid, limit, &banded, &error);
	assert_true(rpFindTimePathWhole(grid, limit, &whole, NULL) == found);
	if (!found)
	{
		assert_true(isinf(expected));
		assert_int_equal(error.code, rp_errorNoSolution);
		assert_int_equal(banded.count, 0);
		return;
	}
	checkPath(grid, limit, &banded);
	checkPath(grid, limit, &whole);
	assert_int_equal(banded.i[0], 0);
	assert_int_equal(banded.j[0], 0);
	assert_int_equal(banded.i[banded.count - 1], grid.rows - 1);
	assert_int_equal(banded.j[banded.count - 1], grid.columns - 1);
	assert_true(fabs(banded.cost - expected) <= 1e-10 * (1.0 + expected));
	assert_true(fabs(whole.cost - expected) <= 1e-10 * (1.0 + expected));
	rpTimePath_Free(&banded);
	rpTimePath_Free(&whole);
}

static void testWhole(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(11);
	float* values = malloc(sizeof(float) * 90 * 90);
	for (int n = 0; n < 600; ++n)
	{
		int limit = 1 + rpRandom_Index(&random, maxLimit);
		int rows = 1 + rpRandom_Index(&random, n % 7 == 0 ? 90 : 40), columns = 1 + rpRandom_Index(&random, 40);
		fillGrid(&random, n % 5, values, rows, columns);
		checkWhole((rpGridView){values, rows, columns}, limit);
	}
	free(values);
}

// Large enough that the band leaves most of the grid out; the same cells then, not only the same cost.
static void testBand(void** state)
{
	(void)state;
	enum
	{
		rows = 420,
		columns = 300
	};
	rpRandom random = rpSeedRandom(12);
	float* values = malloc(sizeof(float) * rows * columns);
	for (int n = 0; n < 6; ++n)
	{
		fillGrid(&random, n < 4 ? 1 : 0, values, rows, columns);
		rpGridView grid = {values, rows, columns};
		rpTimePath banded, whole;
		assert_true(rpFindTimePath(grid, 3, &banded, NULL));
		assert_true(rpFindTimePathWhole(grid, 3, &whole, NULL));
		assert_int_equal(banded.count, whole.count);
		assert_memory_equal(banded.i, whole.i, sizeof(int) * (size_t)whole.count);
		assert_memory_equal(banded.j, whole.j, sizeof(int) * (size_t)whole.count);
		rpTimePath_Free(&banded);
		rpTimePath_Free(&whole);
	}
	free(values);
}

// Every block of the bounds against the cheapest path that has a cell in it, found by making all else of its row
// impassable.
static void testBounds(void** state)
{
	(void)state;
	enum
	{
		rows = 24,
		columns = 22,
		limit = 3
	};
	rpRandom random = rpSeedRandom(13);
	float values[rows * columns], walled[rows * columns];
	int tight = 0;
	for (int n = 0; n < 10; ++n)
	{
		fillGrid(&random, n % 5, values, rows, columns);
		rpGridView grid = {values, rows, columns};
		rpPathBounds bounds;
		assert_true(rpPathBounds_Init(&bounds, grid, limit, NULL));
		double best = findCost(grid, limit, NULL, NULL, 0.0);
		assert_true(bounds.min <= best * (1.0 + 1e-9));
		for (int k = 0; k < rows * columns; ++k)
		{
			// A path through this cell: rows before it only left of it, rows after it only right of it.
			int i = k / columns, j = k % columns;
			for (int cell = 0; cell < rows * columns; ++cell)
			{
				int ci = cell / columns, cj = cell % columns;
				bool wall = (ci < i && cj > j) || (ci > i && cj < j);
				walled[cell] = wall ? 1e6f : values[cell];
			}
			double cost = findCost((rpGridView){walled, rows, columns}, limit, NULL, NULL, 0.0);
			double bound = bounds.through[i * bounds.blockCount + j / bounds.blockWidth];
			assert_true(cost >= 1e5 || bound <= cost * (1.0 + 1e-6));
			tight += cost < 1e5 && bound > 0.5 * cost;
		}
		rpPathBounds_Free(&bounds);
	}
	assert_true(tight > 500);
}

static int getSlack(int own, int other)
{
	int third = own / 3, rest = own - (other + 1) / 2;
	return own > other && rest > third ? rest : third;
}

// The minimum mean is the reward at which the cheapest path costs nothing.
static void checkFree(rpGridView grid, int limit)
{
	int rows = grid.rows, columns = grid.columns;
	bool* starts = calloc((size_t)(rows * columns), sizeof(bool));
	bool* ends = calloc((size_t)(rows * columns), sizeof(bool));
	int rowSlack = getSlack(rows, columns), columnSlack = getSlack(columns, rows);
	for (int i = 0; i <= rowSlack; ++i)
	{
		starts[i * columns] = true;
		ends[(rows - 1 - i) * columns + columns - 1] = true;
	}
	for (int j = 0; j <= columnSlack; ++j)
	{
		starts[j] = true;
		ends[(rows - 1) * columns + columns - 1 - j] = true;
	}
	rpTimePath path;
	if (rpFindTimePathFree(grid, limit, &path, NULL))
	{
		checkPath(grid, limit, &path);
		int last = path.count - 1;
		assert_true(starts[path.i[0] * columns + path.j[0]]);
		assert_true(ends[path.i[last] * columns + path.j[last]]);
		double mean = path.cost / rpTimePath_GetLength(&path);
		assert_true(fabs(findCost(grid, limit, starts, ends, mean)) < 1e-9);
		rpTimePath_Free(&path);
	}
	else
	{
		assert_true(isinf(findCost(grid, limit, starts, ends, 0.0)));
	}
	free(starts);
	free(ends);
}

static void testFree(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(14);
	float* values = malloc(sizeof(float) * 60 * 60);
	for (int n = 0; n < 200; ++n)
	{
		int rows = 1 + rpRandom_Index(&random, 60), columns = 1 + rpRandom_Index(&random, 60);
		fillGrid(&random, n % 5, values, rows, columns);
		checkFree((rpGridView){values, rows, columns}, 1 + rpRandom_Index(&random, 5));
	}
	free(values);
}

// A valley that starts a quarter into one motion and leaves a quarter of the other over is found as it is.
static void testOverhang(void** state)
{
	(void)state;
	enum
	{
		rows = 80,
		columns = 80,
		shift = 20
	};
	float* values = malloc(sizeof(float) * rows * columns);
	for (int i = 0; i < rows; ++i)
	{
		for (int j = 0; j < columns; ++j)
		{
			values[i * columns + j] = 0.01f + 0.01f * fabsf((float)(i - j - shift));
		}
	}
	rpTimePath path;
	assert_true(rpFindTimePathFree((rpGridView){values, rows, columns}, 3, &path, NULL));
	assert_int_equal(path.count, rows - shift);
	assert_int_equal(path.i[0], shift);
	assert_int_equal(path.j[0], 0);
	assert_int_equal(path.i[path.count - 1], rows - 1);
	assert_int_equal(path.j[path.count - 1], columns - 1 - shift);
	rpTimePath_Free(&path);
	free(values);
}

static void testTooSteep(void** state)
{
	(void)state;
	float values[40] = {0};
	rpTimePath path;
	rpError error = {0};
	assert_true(rpFindTimePath((rpGridView){values, 10, 4}, 2, &path, NULL));
	rpTimePath_Free(&path);
	assert_false(rpFindTimePath((rpGridView){values, 4, 10}, 1, &path, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_true(strlen(error.hint) > 0);
	assert_false(rpFindTimePath((rpGridView){values, 10, 4}, 1, &path, NULL));
}

static void failInTurn(bool (*find)(rpGridView, int, rpTimePath*, rpError*), rpGridView grid)
{
	int live = testCountLiveBlocks();
	bool done = false;
	int failures = 0;
	for (int n = 0; !done; ++n)
	{
		rpTimePath path;
		rpError error = {0};
		testFailAllocation(n);
		done = find(grid, 3, &path, &error);
		testFailAllocation(-1);
		failures += !done;
		assert_true(done || error.code == rp_errorMemory);
		rpTimePath_Free(&path);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(failures >= 6);
}

static void testMemory(void** state)
{
	(void)state;
	testUseCountingAllocator();
	rpRandom random = rpSeedRandom(15);
	float values[30 * 25];
	fillGrid(&random, 0, values, 30, 25);
	failInTurn(rpFindTimePath, (rpGridView){values, 30, 25});
	failInTurn(rpFindTimePath, (rpGridView){values, 25, 30});
	failInTurn(rpFindTimePathWhole, (rpGridView){values, 30, 25});
	failInTurn(rpFindTimePathFree, (rpGridView){values, 30, 25});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testWhole),  cmocka_unit_test(testBand),     cmocka_unit_test(testBounds),
		cmocka_unit_test(testFree),   cmocka_unit_test(testOverhang), cmocka_unit_test(testTooSteep),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
