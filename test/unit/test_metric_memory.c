/// Each allocation of metrics, profiles and grids fails in turn: an error, and nothing lost.
#include "grid_scene.h"

#include <stdlib.h>

/// One of the calls that allocate; true when it succeeded. What it made is freed.
typedef bool AttemptFn(const GridScene* scene, const rpMetricDef* def, rpError* error);

static bool makeMetric(const GridScene* scene, const rpMetricDef* def, rpError* error)
{
	rpMetric* metric = rpCreateMetric(scene->motionA->skeleton, def, error);
	rpDestroyMetric(metric);
	return metric != NULL;
}

static bool makeProfile(const GridScene* scene, const rpMetricDef* def, rpError* error)
{
	(void)def;
	rpProfile* profile = rpCreateProfile(scene->metric, scene->motionA, error);
	rpDestroyProfile(profile);
	return profile != NULL;
}

static bool fillGrid(const GridScene* scene, const rpMetricDef* def, rpError* error)
{
	(void)def;
	static float values[60 * 70];
	return rpMetric_FillGrid(scene->metric, scene->a, scene->b, values, error);
}

static bool findMinima(const GridScene* scene, const rpMetricDef* def, rpError* error)
{
	(void)def;
	rpMinima minima = {0};
	bool done = rpMetric_FindMinima(scene->metric, scene->a, scene->b, 100.0f, NULL, &minima, error);
	assert_true(!done || minima.count > 0);
	rpMinima_Free(&minima);
	return done;
}

static void failEach(AttemptFn* attempt, const GridScene* scene, const rpMetricDef* def, int least)
{
	int blocks = testCountLiveBlocks();
	for (int n = 0;; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		bool done = attempt(scene, def, &error);
		testFailAllocation(-1);
		assert_int_equal(testCountLiveBlocks(), blocks);
		if (done)
		{
			assert_true(n >= least);
			return;
		}
		assert_int_equal(error.code, rp_errorMemory);
	}
}

static void testEveryAllocation(void** state)
{
	(void)state;
	for (int kind = 0; kind < rp_metricKindCount; ++kind)
	{
		rpMetricDef def = rpDefaultMetricDef();
		def.kind = (rpMetricKind)kind;
		def.placed = true;
		GridScene scene = testMakeGridScene(&def, 60, 70);
		failEach(makeMetric, &scene, &def, 3);
		failEach(makeProfile, &scene, &def, 8);
		failEach(fillGrid, &scene, &def, 2);
		failEach(findMinima, &scene, &def, 3);
		testFreeGridScene(&scene);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEveryAllocation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
