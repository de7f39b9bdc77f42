/// Each allocation of metrics, profiles and grids fails in turn: an error, and nothing lost.
#include "grid_scene.h"

/// What is tried.
typedef struct Attempt
{
	const GridScene* scene;
	const rpMetricDef* def;
} Attempt;

static bool makeMetric(void* context, rpError* error)
{
	const GridScene* scene = ((const Attempt*)context)->scene;
	rpMetric* metric = rpCreateMetric(scene->motionA->skeleton, ((const Attempt*)context)->def, error);
	rpDestroyMetric(metric);
	return metric != NULL;
}

static bool makeProfile(void* context, rpError* error)
{
	const GridScene* scene = ((const Attempt*)context)->scene;
	rpProfile* profile = rpCreateProfile(scene->metric, scene->motionA, error);
	rpDestroyProfile(profile);
	return profile != NULL;
}

static bool fillGrid(void* context, rpError* error)
{
	const GridScene* scene = ((const Attempt*)context)->scene;
	static float values[60 * 70];
	return rpMetric_FillGrid(scene->metric, scene->a, scene->b, values, error);
}

static bool findMinima(void* context, rpError* error)
{
	const GridScene* scene = ((const Attempt*)context)->scene;
	rpMinima minima = {0};
	bool done = rpMetric_FindMinima(scene->metric, scene->a, scene->b, 100.0f, NULL, &minima, error);
	assert_true(!done || minima.count > 0);
	rpMinima_Free(&minima);
	return done;
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
		Attempt attempt = {&scene, &def};
		testFailEach(makeMetric, &attempt, 3);
		testFailEach(makeProfile, &attempt, 8);
		testFailEach(fillGrid, &attempt, 2);
		testFailEach(findMinima, &attempt, 3);
		testFreeGridScene(&scene);
	}
}

static bool visitSome(const rpTile* tile, void* context)
{
	(void)context;
	return tile->row < 256;
}

static size_t measurePeak(const rpMetric* metric, const rpMotion* motion)
{
	rpProfile* profile = testMakeProfile(metric, motion);
	rpGridDef def = rpDefaultGridDef();
	def.threads = 1;
	def.visit = visitSome;
	rpError error = {0};
	testStartPeak();
	assert_false(rpMetric_VisitGrid(metric, profile, profile, &def, &error));
	assert_int_equal(error.code, rp_errorCancelled);
	size_t peak = testGetPeak();
	rpDestroyProfile(profile);
	return peak;
}

// A grid takes no more memory for a longer clip.
static void testFlatMemory(void** state)
{
	(void)state;
	for (int kind = 0; kind < rp_metricKindCount; ++kind)
	{
		rpMetricDef def = rpDefaultMetricDef();
		def.kind = (rpMetricKind)kind;
		GridScene scene = testMakeGridScene(&def, 2000, 20);
		rpMotion* tenfold = rpCreateMotion(scene.motionA->skeleton, "tenfold", 30.0, 20000, NULL);
		for (int i = 0; i < 20000; ++i)
		{
			tenfold->rootPositions[i] = scene.motionA->rootPositions[i % 2000];
		}
		size_t peak = measurePeak(scene.metric, scene.motionA), longPeak = measurePeak(scene.metric, tenfold);
		assert_true(peak > 100000 && peak < 20000000);
		assert_true(longPeak < peak + peak / 100);
		rpDestroyMotion(tenfold);
		testFreeGridScene(&scene);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEveryAllocation),
		cmocka_unit_test(testFlatMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
