/// Grids of captured takes against clouds laid out point by point, where they were captured and 80 m away.
#include "grid_scene.h"

#include "motion/point_cloud.h"

#include <stdlib.h>
#include <string.h>

#define DRAWS 400

// The cloud of a window, point by point, with the weights of a triangle.
static int layOutCloud(const rpMotion* motion, int frame, int halfWindow, rpVec3* out, float* weights)
{
	int count = 0, joints = motion->skeleton->jointCount;
	for (int r = -halfWindow; r <= halfWindow; ++r)
	{
		int at = frame + r < 0 ? 0 : frame + r >= motion->frameCount ? motion->frameCount - 1 : frame + r;
		rpMotion_ForwardAll(motion, at, 1, out + count, NULL);
		for (int k = 0; k < joints; ++k)
		{
			weights[count++] = (float)(halfWindow + 1 - abs(r));
		}
	}
	return count;
}

static void testAgainstClouds(const GridScene* scene, const float* values, uint64_t seed)
{
	rpRandom random = rpSeedRandom(seed);
	int halfWindow = rpMetric_GetHalfWindow(scene->metric),
		points = (2 * halfWindow + 1) * scene->motionA->skeleton->jointCount;
	rpVec3 *p = malloc(sizeof(rpVec3) * (size_t)points), *q = malloc(sizeof(rpVec3) * (size_t)points);
	float* weights = malloc(sizeof(float) * (size_t)points);
	for (int draw = 0; draw < DRAWS; ++draw)
	{
		int i = rpRandom_Index(&random, scene->rows), j = rpRandom_Index(&random, scene->columns);
		rpGroundTransform ground;
		layOutCloud(scene->motionA, i, halfWindow, p, weights);
		int count = layOutCloud(scene->motionB, j, halfWindow, q, weights);
		double direct = sqrt(rpFitClouds(p, q, weights, count, &ground));
		double value = values[(size_t)i * (size_t)scene->columns + (size_t)j];
		double error = direct >= 5e-3 ? fabs(value - direct) / 1e-4 : fabs(value * value - direct * direct) / 2e-6;
		if (!(error < 1.0))
		{
			print_error("%s (%d) and %s (%d): %g, directly %g\n", scene->motionA->name, i, scene->motionB->name, j,
						value, direct);
		}
		assert_true(error < 1.0);
	}
	free(p);
	free(q);
	free(weights);
}

static rpMotion* loadAt30(const char* path)
{
	rpReadDef def = rpDefaultReadDef();
	rpMotion* whole = rpLoadMotion(path, &def, NULL, NULL);
	assert_non_null(whole);
	rpMotion* motion = rpResampleMotion(whole, 30.0, NULL);
	rpDestroyMotion(whole);
	return motion;
}

static void comparePair(rpMotion* a, rpMotion* b, uint64_t seed)
{
	rpMetricDef def = rpDefaultMetricDef();
	GridScene scene = {.motionA = a, .motionB = b, .rows = a->frameCount, .columns = b->frameCount};
	scene.metric = testMakeMetric(a->skeleton, &def);
	scene.a = testMakeProfile(scene.metric, a);
	scene.b = testMakeProfile(scene.metric, b);
	float* values = testFillGrid(&scene);
	testAgainstClouds(&scene, values, seed);
	free(values);
	rpDestroyProfile(scene.a);
	rpDestroyProfile(scene.b);
	rpDestroyMetric(scene.metric);
}

// Every tenth take with the next one of the same person.
static void testTakes(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths), compared = 0;
	for (int i = 0; i + 1 < count; i += 10)
	{
		rpMotion *a = loadAt30(paths[i]), *b = loadAt30(paths[i + 1]);
		if (rpSkeleton_Matches(a->skeleton, b->skeleton))
		{
			comparePair(a, b, (uint64_t)i);
			rpMotion* far = rpMoveMotion(b, (rpGroundTransform){2.0f, {56.0f, 0.0f, -57.0f}}, NULL);
			comparePair(a, far, (uint64_t)i + 1);
			comparePair(far, far, (uint64_t)i + 2);
			rpDestroyMotion(far);
			++compared;
		}
		rpDestroyMotion(a);
		rpDestroyMotion(b);
	}
	assert_true(compared >= 15);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testTakes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
