/// Grids of distances: the fast route against the direct formula, whatever the kernel, the window, the place and the
/// number of threads.
#include "grid_scene.h"

#include "distance/metric.h"
#include "distance/tiler.h"

#include <stdlib.h>
#include <string.h>

// The promise of the grid: roots within 1e-4 m from 5 mm on, squares within 2e-6 m² below.
static void testAgainstDirect(const GridScene* scene, const float* values, int step)
{
	for (int i = 0; i < scene->rows; i += step)
	{
		for (int j = 0; j < scene->columns; j += step)
		{
			double direct = rpMetric_Distance(scene->metric, scene->a, i, scene->b, j, NULL);
			double value = values[(size_t)i * (size_t)scene->columns + (size_t)j];
			double error = direct >= 5e-3 ? fabs(value - direct) / 1e-4 : fabs(value * value - direct * direct) / 2e-6;
			if (!(error < 1.0))
			{
				print_error("(%d, %d): %g, directly %g\n", i, j, value, direct);
			}
			assert_true(error < 1.0);
		}
	}
}

static void testEveryKernel(void** state)
{
	(void)state;
	static const char* const kernels[] = {"portable", "avx2", "best"};
	for (int window = 0; window < 8; ++window)
	{
		static const double seconds[] = {0.5, 0.0, 0.1, 1.0, 0.47, 0.5, 0.5, 0.8};
		static const rpWindowShape shapes[] = {rp_windowTriangle, rp_windowTriangle, rp_windowTriangle,
											   rp_windowTriangle, rp_windowTriangle, rp_windowBox,
											   rp_windowGauss,    rp_windowGauss};
		rpMetricDef def = rpDefaultMetricDef();
		def.window = seconds[window];
		def.shape = shapes[window];
		for (int placed = 0; placed < 2; ++placed)
		{
			def.placed = placed > 0;
			GridScene scene = testMakeGridScene(&def, 290, 530);
			float* all[3];
			for (int k = 0; k < 3; ++k)
			{
				setenv("REPRISE_KERNEL", kernels[k], 1);
				all[k] = testFillGrid(&scene);
				testAgainstDirect(&scene, all[k], 7);
				// The same bits from every kernel, so that graphs are the same on every machine.
				assert_memory_equal(all[k], all[0], (size_t)scene.rows * (size_t)scene.columns * sizeof(float));
			}
			for (int k = 0; k < 3; ++k)
			{
				free(all[k]);
			}
			unsetenv("REPRISE_KERNEL");
			testFreeGridScene(&scene);
		}
	}
}

// The longest windows: more frames than the clips have, and a prime number of them.
static void testLongWindows(void** state)
{
	(void)state;
	static const double seconds[] = {4.0, 16.0};
	for (int shape = 0; shape < rp_windowShapeCount; ++shape)
	{
		for (int k = 0; k < 2; ++k)
		{
			rpMetricDef def = rpDefaultMetricDef();
			def.window = seconds[k];
			def.shape = (rpWindowShape)shape;
			GridScene scene = testMakeGridScene(&def, 70, 90);
			float* values = testFillGrid(&scene);
			testAgainstDirect(&scene, values, 6);
			free(values);
			testFreeGridScene(&scene);
		}
	}
}

// Every value, to the byte, whatever the number of threads.
static void testThreads(void** state)
{
	(void)state;
	rpMetricDef metricDef = rpDefaultMetricDef();
	GridScene scene = testMakeGridScene(&metricDef, 700, 1200);
	float* first = testFillGrid(&scene);
	rpMinima firstMinima = {0};
	for (int threads = 1; threads <= 3; ++threads)
	{
		size_t size = sizeof(float) * 700 * 1200;
		GridCopy copy = {malloc(size), 1200, 0, 0, 0};
		rpGridDef def = rpDefaultGridDef();
		def.visit = testCopyTile;
		def.visitContext = &copy;
		def.threads = threads;
		rpMinima minima = {0};
		assert_true(rpMetric_FindMinima(scene.metric, scene.a, scene.b, 0.2f, &def, &minima, NULL));
		assert_memory_equal(copy.values, first, size);
		assert_true(minima.count > 20);
		if (threads == 1)
		{
			firstMinima = minima;
		}
		else
		{
			assert_int_equal(minima.count, firstMinima.count);
			assert_memory_equal(minima.items, firstMinima.items, sizeof(rpMinimum) * (size_t)minima.count);
			rpMinima_Free(&minima);
		}
		free(copy.values);
	}
	rpMinima_Free(&firstMinima);
	free(first);
	testFreeGridScene(&scene);
}

static double s_lastFraction;

static bool noteProgress(double fraction, const char* what, void* context)
{
	assert_true(fraction > s_lastFraction && fraction <= 1.0);
	assert_non_null(what);
	s_lastFraction = fraction;
	return context == NULL || --*(int*)context > 0;
}

static bool visitSome(const rpTile* tile, void* context)
{
	assert_true(tile->rowCount > 0);
	return --*(int*)context > 0;
}

static void testStopping(void** state)
{
	(void)state;
	rpMetricDef metricDef = rpDefaultMetricDef();
	GridScene scene = testMakeGridScene(&metricDef, 1500, 1600);
	rpGridDef def = rpDefaultGridDef();
	rpError error = {0};
	int left = 3;
	def.visit = visitSome;
	def.visitContext = &left;
	assert_false(rpMetric_VisitGrid(scene.metric, scene.a, scene.b, &def, &error));
	assert_int_equal(error.code, rp_errorCancelled);
	assert_int_equal(left, 0);

	// With one thread, groups are small enough for progress to be reported more than once.
	rpMinima minima = {0};
	def = rpDefaultGridDef();
	def.threads = 1;
	def.visit = visitSome;
	def.visitContext = &left;
	left = 1 << 20;
	def.progress = noteProgress;
	s_lastFraction = 0.0;
	assert_true(rpMetric_FindMinima(scene.metric, scene.a, scene.b, 0.1f, &def, &minima, &error));
	assert_true(s_lastFraction == 1.0);
	rpMinima_Free(&minima);
	int times = 1;
	s_lastFraction = 0.0;
	def.progressContext = &times;
	assert_false(rpMetric_FindMinima(scene.metric, scene.a, scene.b, 0.1f, &def, &minima, &error));
	assert_int_equal(error.code, rp_errorCancelled);
	assert_true(s_lastFraction < 1.0);
	rpMinima_Free(&minima);
	testFreeGridScene(&scene);
}

// Distances do not change when a clip stands elsewhere and looks elsewhere, 80 m away too.
static void testInvariance(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	GridScene scene = testMakeGridScene(&def, 120, 150);
	float* values = testFillGrid(&scene);
	rpRandom random = rpSeedRandom(3);
	for (int draw = 0; draw < 6; ++draw)
	{
		rpGroundTransform ground = {
			rpRandom_Range(&random, -3.0f, 3.0f),
			{rpRandom_Range(&random, -80.0f, 80.0f), 0.0f, rpRandom_Range(&random, -80.0f, 80.0f)},
		};
		rpMotion* moved = rpMoveMotion(draw % 2 == 0 ? scene.motionA : scene.motionB, ground, NULL);
		rpProfile* profile = testMakeProfile(scene.metric, moved);
		GridScene other = scene;
		other.a = draw % 2 == 0 ? profile : scene.a;
		other.b = draw % 2 == 0 ? scene.b : profile;
		float* others = testFillGrid(&other);
		testAgainstDirect(&other, others, 3);
		for (int k = 0; k < 120 * 150; ++k)
		{
			// Moved, each place is off by half a unit in the last place of 80 m.
			assert_float_equal(others[k], values[k], 3e-5);
		}
		free(others);
		rpDestroyProfile(profile);
		rpDestroyMotion(moved);
	}
	free(values);
	testFreeGridScene(&scene);
}

// A take with itself: zero on the diagonal, and the same on both sides of it.
static void testSelf(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	GridScene scene = testMakeGridScene(&def, 400, 30);
	GridScene self = scene;
	self.b = scene.a;
	self.columns = scene.rows;
	float* values = testFillGrid(&self);
	testAgainstDirect(&self, values, 1);
	for (int i = 0; i < 400; ++i)
	{
		assert_true(values[i * 400 + i] * values[i * 400 + i] < 1e-6f);
		for (int j = 0; j < i; ++j)
		{
			float value = values[i * 400 + j], other = values[j * 400 + i];
			assert_float_equal(value * value, other * other, 1e-6 + 1e-4 * value);
		}
	}
	free(values);
	testFreeGridScene(&scene);
}

// Zigzags at a sprinter's speed: 80 m from end to end, with corners that no smooth track follows.
static rpMotion* makeWanderer(const rpMotion* motion)
{
	rpMotion* result = rpCopyMotion(motion, NULL);
	assert_non_null(result);
	for (int i = 0; i < result->frameCount; ++i)
	{
		int leg = i / 37, step = i % 37;
		float along = 0.3f * (float)(leg % 2 == 0 ? step : 37 - step);
		result->rootPositions[i].x = along + 0.1f * (float)i;
		result->rootPositions[i].z = 80.0f - 0.05f * (float)i;
	}
	return result;
}

static void testWanderer(void** state)
{
	(void)state;
	rpMetricDef def = rpDefaultMetricDef();
	GridScene scene = testMakeGridScene(&def, 800, 30);
	rpMotion* wanderer = makeWanderer(scene.motionA);
	rpProfile* profile = testMakeProfile(scene.metric, wanderer);
	GridScene self = scene;
	self.a = profile;
	self.b = profile;
	self.columns = scene.rows;
	float* values = testFillGrid(&self);
	testAgainstDirect(&self, values, 3);
	free(values);
	rpDestroyProfile(profile);
	rpDestroyMotion(wanderer);
	testFreeGridScene(&scene);
}

// One frame, fewer frames than a window, and sizes about those of blocks and tiles.
static void testSizes(void** state)
{
	(void)state;
	static const int sizes[][2] = {{1, 1}, {1, 40}, {40, 1}, {5, 9}, {15, 16}, {256, 512}, {257, 513}, {82, 49}};
	rpMetricDef def = rpDefaultMetricDef();
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); ++i)
	{
		GridScene scene = testMakeGridScene(&def, sizes[i][0], sizes[i][1]);
		float* values = testFillGrid(&scene);
		testAgainstDirect(&scene, values, sizes[i][0] > 100 ? 5 : 1);
		free(values);
		testFreeGridScene(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEveryKernel), cmocka_unit_test(testLongWindows), cmocka_unit_test(testThreads),
		cmocka_unit_test(testStopping),    cmocka_unit_test(testInvariance),  cmocka_unit_test(testSelf),
		cmocka_unit_test(testWanderer),    cmocka_unit_test(testSizes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
