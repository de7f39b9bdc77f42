/// Local minima of grids, against looking at every cell and its eight neighbours.
#include "distance/grid_visit.h"
#include "grid_scene.h"

#include <stdlib.h>
#include <string.h>

static bool isLowest(const float* grid, int rows, int columns, int i, int j)
{
	float value = grid[i * columns + j];
	for (int k = i - 1; k <= i + 1; ++k)
	{
		for (int l = j - 1; l <= j + 1; ++l)
		{
			if (k >= 0 && k < rows && l >= 0 && l < columns && (k != i || l != j))
			{
				float other = grid[k * columns + l];
				if (other < value || (other == value && (k < i || (k == i && l < j))))
				{
					return false;
				}
			}
		}
	}
	return true;
}

static void checkMinimum(const GridScene* scene, const rpMinimum* minimum, int i, int j, float value)
{
	assert_int_equal(minimum->i, i);
	assert_int_equal(minimum->j, j);
	assert_true(minimum->distance == value);
	rpGroundTransform ground;
	rpMetric_Distance(scene->metric, scene->a, i, scene->b, j, &ground);
	assert_memory_equal(&ground, &minimum->alignment, sizeof(ground));
}

static int checkMinima(const GridScene* scene, float threshold)
{
	float* grid = testFillGrid(scene);
	rpMinima minima = {0};
	rpError error = {0};
	assert_true(rpMetric_FindMinima(scene->metric, scene->a, scene->b, threshold, NULL, &minima, &error));
	int halfWindow = rpMetric_GetHalfWindow(scene->metric), found = 0;
	for (int i = halfWindow; i < scene->rows - halfWindow; ++i)
	{
		for (int j = scene->a == scene->b ? i + 2 * halfWindow + 1 : halfWindow; j < scene->columns - halfWindow; ++j)
		{
			float value = grid[i * scene->columns + j];
			if (value < threshold && isLowest(grid, scene->rows, scene->columns, i, j))
			{
				assert_true(found < minima.count);
				checkMinimum(scene, minima.items + found, i, j, value);
				++found;
			}
		}
	}
	assert_int_equal(found, minima.count);
	rpMinima_Free(&minima);
	free(grid);
	return found;
}

// One finder for one pair after another gives the same as a grid for each.
static void checkFinder(const GridScene* scene, const rpProfile* a, const rpProfile* b, rpMinimaFinder* finder)
{
	rpMinima expected = {0}, found = {0};
	assert_true(rpMetric_FindMinima(scene->metric, a, b, 0.3f, NULL, &expected, NULL));
	assert_true(rpMinimaFinder_Find(finder, a, b, 0.3f, &found, NULL));
	assert_true(expected.count > 0);
	assert_int_equal(found.count, expected.count);
	assert_memory_equal(found.items, expected.items, (size_t)found.count * sizeof(rpMinimum));
	rpMinima_Free(&expected);
	rpMinima_Free(&found);
}

static void testFinder(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	for (int kind = 0; kind < 3; ++kind)
	{
		def.window = kind == 0 ? 0.5 : 0.0;
		def.kind = kind == 2 ? rp_metricAngle : rp_metricCloud;
		GridScene scene = testMakeGridScene(&def, 1300, 600);
		rpMinimaFinder finder = {0};
		assert_true(rpMinimaFinder_Make(&finder, scene.metric, NULL));
		checkFinder(&scene, scene.a, scene.b, &finder);
		checkFinder(&scene, scene.a, scene.a, &finder);
		checkFinder(&scene, scene.b, scene.a, &finder);
		checkFinder(&scene, scene.a, scene.b, &finder);
		rpMinimaFinder_Free(&finder);
		testFreeGridScene(&scene);
	}
}

static void testTwoTakes(void** state)
{
	(void)state;
	static const char* const kernels[] = {"portable", "avx2", "best"};
	rpMetricDef def = rpDefaultMetricDef();
	for (int window = 0; window < 2; ++window)
	{
		def.window = window == 0 ? 0.5 : 0.0;
		GridScene scene = testMakeGridScene(&def, 600, 1100);
		for (int k = 0; k < 3; ++k)
		{
			setenv("REPRISE_KERNEL", kernels[k], 1);
			assert_true(checkMinima(&scene, 0.1f) > 20);
			assert_true(checkMinima(&scene, 10.0f) > 100);
		}
		unsetenv("REPRISE_KERNEL");
		testFreeGridScene(&scene);
	}
}

static void testSelf(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	for (int window = 0; window < 3; ++window)
	{
		def.window = window == 0 ? 0.5 : window == 1 ? 0.0 : 0.2;
		GridScene scene = testMakeGridScene(&def, 1300, 20), self = scene;
		self.b = scene.a;
		self.columns = scene.rows;
		assert_true(checkMinima(&self, 0.15f) > 100);
		testFreeGridScene(&scene);
	}
}

// One pose throughout: all values are equal, and of equal neighbours only the first is a minimum.
static void testPlateau(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	GridScene scene = testMakeGridScene(&def, 300, 600);
	rpMotion* moving[] = {scene.motionA, scene.motionB};
	for (int k = 0; k < 2; ++k)
	{
		int joints = moving[k]->skeleton->jointCount;
		for (int i = 1; i < moving[k]->frameCount; ++i)
		{
			moving[k]->rootPositions[i] = moving[k]->rootPositions[0];
			memcpy(moving[k]->rotations + (size_t)i * (size_t)joints, moving[k]->rotations,
				   sizeof(rpQuat) * (size_t)joints);
		}
	}
	rpDestroyProfile(scene.a);
	rpDestroyProfile(scene.b);
	scene.a = testMakeProfile(scene.metric, scene.motionA);
	scene.b = testMakeProfile(scene.metric, scene.motionB);
	checkMinima(&scene, 10.0f);
	testFreeGridScene(&scene);
}

// What was found before stays; a second search appends to it.
static void testAdding(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	GridScene scene = testMakeGridScene(&def, 200, 300);
	rpMinima minima = {0};
	assert_true(rpMetric_FindMinima(scene.metric, scene.a, scene.b, 0.3f, NULL, &minima, NULL));
	int count = minima.count;
	assert_true(count > 0);
	assert_true(rpMetric_FindMinima(scene.metric, scene.a, scene.b, 0.3f, NULL, &minima, NULL));
	assert_int_equal(minima.count, 2 * count);
	assert_memory_equal(minima.items, minima.items + count, sizeof(rpMinimum) * (size_t)count);
	rpMinima_Free(&minima);
	testFreeGridScene(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testTwoTakes), cmocka_unit_test(testFinder), cmocka_unit_test(testSelf),
		cmocka_unit_test(testPlateau),  cmocka_unit_test(testAdding),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
