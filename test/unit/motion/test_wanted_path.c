/// The path that a motion was to follow: noted over its time, and carried by edits.
#include "support.h"

#include "reprise/edit.h"

#include <math.h>

// Two metres a second ahead for four seconds, half a metre to the left of the z axis.
static rpMotion* makeWalk(void)
{
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, "straight", 30.0, 121, NULL);
	rpReleaseSkeleton(skeleton);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i] = (rpVec3){0.5f, 0.95f, 2.0f * (float)i / 30.0f};
	}
	return motion;
}

static const rpCurve* getPath(const rpMotion* motion)
{
	const rpCurve* curve = rpAnnotations_FindCurve(&motion->annotations, RP_WANTED_PATH);
	assert_non_null(curve);
	assert_int_equal(curve->kind, rp_curvePoint);
	return curve;
}

static void assertKey(const rpCurve* curve, int key, double time, float x, float z)
{
	assert_true(key < curve->keyCount);
	assert_true(fabs(curve->times[key] - time) < 1e-6);
	assert_true(fabsf(curve->values[3 * key] - x) < 1e-6f && fabsf(curve->values[3 * key + 2] - z) < 1e-6f);
	assert_true(curve->values[3 * key + 1] == 0.0f);
}

// Each point when the root is beside it; a point that stands there twice, once.
static void testTimes(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	const rpVec2 points[] = {{0.0f, 0.0f}, {0.0f, 3.0f}, {0.0f, 3.0f}, {0.0f, 5.0f}, {0.0f, 8.0f}};
	assert_true(rpMotion_NotePath(motion, NULL, points, 5, NULL));
	const rpCurve* path = getPath(motion);
	assert_int_equal(path->keyCount, 4);
	assertKey(path, 0, 0.0, 0.0f, 0.0f);
	assertKey(path, 1, 1.5, 0.0f, 3.0f);
	assertKey(path, 2, 2.5, 0.0f, 5.0f);
	assertKey(path, 3, 4.0, 0.0f, 8.0f);
	rpDestroyMotion(motion);
}

// What the walk never comes to lies within its last frame; a path that crosses itself is not cut short.
static void testEndsAndLoops(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	const rpVec2 far[] = {{0.5f, 0.0f}, {0.5f, 4.0f}, {0.5f, 20.0f}, {0.5f, 40.0f}};
	assert_true(rpMotion_NotePath(motion, NULL, far, 4, NULL));
	const rpCurve* path = getPath(motion);
	assert_int_equal(path->keyCount, 4);
	assertKey(path, 1, 2.0, 0.5f, 4.0f);
	assert_true(path->times[2] > 4.0 - 1.0 / 30.0 && path->times[2] < 4.0);
	assertKey(path, 3, 4.0, 0.5f, 40.0f);
	// Round and round: times increase all the way.
	rpVec2 eight[101];
	for (int i = 0; i <= 100; ++i)
	{
		float angle = 2.0f * (float)RP_PI * (float)i / 100.0f;
		eight[i] = (rpVec2){sinf(2.0f * angle), 2.0f * sinf(angle)};
	}
	for (int i = 0; i < motion->frameCount; ++i)
	{
		float angle = 2.0f * (float)RP_PI * (float)i / 120.0f;
		motion->rootPositions[i] = (rpVec3){sinf(2.0f * angle), 0.95f, 2.0f * sinf(angle)};
	}
	assert_true(rpMotion_NotePath(motion, NULL, eight, 101, NULL));
	path = getPath(motion);
	assert_int_equal(path->keyCount, 101);
	for (int i = 0; i <= 100; ++i)
	{
		assert_true(fabs(path->times[i] - 0.04 * i) < 0.05);
	}
	rpDestroyMotion(motion);
}

static void testEdits(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	const rpVec2 points[] = {{0.25f, 0.0f}, {0.25f, 4.0f}, {0.25f, 8.0f}};
	assert_true(rpMotion_NotePath(motion, NULL, points, 3, NULL));
	rpMotion* cropped = rpCropMotion(motion, 1.0, 3.0, NULL);
	assert_int_equal(getPath(cropped)->keyCount, 3);
	assertKey(getPath(cropped), 0, 0.0, 0.25f, 2.0f);
	assertKey(getPath(cropped), 2, 2.0, 0.25f, 6.0f);
	rpMotion* mirrored = rpMirrorMotion(motion, NULL);
	assertKey(getPath(mirrored), 1, 2.0, -0.25f, 4.0f);
	rpMotion* moved = rpMoveMotion(motion, (rpGroundTransform){0.0f, {1.0f, 0.0f, -1.0f}}, NULL);
	assertKey(getPath(moved), 1, 2.0, 1.25f, 3.0f);
	rpDestroyMotion(cropped);
	rpDestroyMotion(mirrored);
	rpDestroyMotion(moved);
	rpDestroyMotion(motion);
}

static void testRefusals(void** state)
{
	(void)state;
	rpMotion* motion = makeWalk();
	rpError error = {0};
	const rpVec2 points[] = {{0.0f, 0.0f}, {0.0f, 8.0f}};
	assert_false(rpMotion_NotePath(motion, NULL, points, 1, &error));
	assert_int_equal(error.code, rp_errorArgument);
	int live = testCountLiveBlocks();
	bool done = false;
	int attempts = 0;
	for (; !done && attempts < 100; ++attempts)
	{
		testFailAllocation(attempts);
		done = rpMotion_NotePath(motion, NULL, points, 2, &error);
		testFailAllocation(-1);
		assert_true(done || (error.code == rp_errorMemory && testCountLiveBlocks() == live));
	}
	assert_true(done && attempts > 3);
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testTimes),
		cmocka_unit_test(testEndsAndLoops),
		cmocka_unit_test(testEdits),
		cmocka_unit_test(testRefusals),
	};
	return cmocka_run_group_tests_name("wanted path", tests, NULL, NULL);
}
