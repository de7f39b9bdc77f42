#include "grid_scene.h"

#include "performance.h"

#include <stdlib.h>
#include <string.h>

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
	def.seconds = frames / 30.0 + 1.0;
	def.seed = seed;
	rpMotion* whole = testPerform(&def);
	rpMotion* motion = rpCropFrames(whole, 0, frames, NULL);
	assert_non_null(motion);
	rpDestroyMotion(whole);
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

bool testCopyTile(const rpTile* tile, void* context)
{
	GridCopy* copy = context;
	if (tile->column == 0)
	{
		assert_int_equal(copy->nextColumn, copy->nextRow == 0 && copy->band == 0 ? 0 : copy->stride);
		copy->nextRow += copy->band;
		copy->nextColumn = 0;
		copy->band = tile->rowCount;
	}
	assert_int_equal(tile->row, copy->nextRow);
	assert_int_equal(tile->column, copy->nextColumn);
	assert_int_equal(tile->rowCount, copy->band);
	copy->nextColumn += tile->columnCount;
	for (int r = 0; r < tile->rowCount; ++r)
	{
		memcpy(copy->values + (size_t)(tile->row + r) * (size_t)copy->stride + tile->column,
			   tile->values + (size_t)r * (size_t)tile->stride, sizeof(float) * (size_t)tile->columnCount);
	}
	return true;
}
