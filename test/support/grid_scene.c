#include "grid_scene.h"

#include "performance.h"

#include <stdlib.h>

rpMetric* testMakeMetric(const rpSkeleton* skeleton, const rpMetricDef* def)
{
	rpError error = {0};
	rpMetric* metric = rpCreateMetric(skeleton, def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(metric);
	return metric;
}

rpProfile* testMakeProfile(const rpMetric* metric, const rpMotion* motion)
{
	rpError error = {0};
	rpProfile* profile = rpCreateProfile(metric, motion, &error);
	assert_string_equal(error.message, "");
	assert_non_null(profile);
	return profile;
}

static rpMotion* performTake(int frames, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.fps = 30.0;
	def.seconds = (frames - 1) / 30.0;
	def.seed = seed;
	rpMotion* motion = testPerform(&def);
	assert_int_equal(motion->frameCount, frames);
	return motion;
}

GridScene testMakeGridScene(const rpMetricDef* def, int rows, int columns)
{
	GridScene scene = {.rows = rows, .columns = columns};
	scene.motionA = performTake(rows, 1);
	scene.motionB = performTake(columns, 2);
	scene.metric = testMakeMetric(scene.motionA->skeleton, def);
	scene.a = testMakeProfile(scene.metric, scene.motionA);
	scene.b = testMakeProfile(scene.metric, scene.motionB);
	return scene;
}

void testFreeGridScene(GridScene* scene)
{
	rpDestroyProfile(scene->a);
	rpDestroyProfile(scene->b);
	rpDestroyMetric(scene->metric);
	rpDestroyMotion(scene->motionA);
	rpDestroyMotion(scene->motionB);
}

float* testFillGrid(const GridScene* scene)
{
	rpError error = {0};
	float* values = malloc(sizeof(float) * (size_t)scene->rows * (size_t)scene->columns);
	assert_true(rpMetric_FillGrid(scene->metric, scene->a, scene->b, values, &error));
	return values;
}
