/// Each allocation of each edit fails in turn: an error, no leak, the input untouched.
#include "edit_scene.h"

static rpMotion* resample(const rpMotion* motion, rpError* error)
{
	return rpResampleMotion(motion, 47.0, error);
}

static rpMotion* crop(const rpMotion* motion, rpError* error)
{
	return rpCropMotion(motion, 0.2, 0.7, error);
}

static rpMotion* join(const rpMotion* motion, rpError* error)
{
	const rpMotion* const motions[3] = {motion, motion, motion};
	return rpJoinMotions(motions, 3, error);
}

static rpMotion* retime(const rpMotion* motion, rpError* error)
{
	const double newTimes[] = {0.0, 0.7, 2.0}, oldTimes[] = {0.0, 0.3, 1.0};
	rpWarp warp = {newTimes, oldTimes, 3, true};
	return rpRetimeMotion(motion, &warp, error);
}

static rpMotion* move(const rpMotion* motion, rpError* error)
{
	return rpMoveMotion(motion, (rpGroundTransform){1.0f, {1.0f, 2.0f, 3.0f}}, error);
}

static rpMotion* scale(const rpMotion* motion, rpError* error)
{
	return rpScaleMotion(motion, 2.0f, error);
}

static rpMotion* changeAxes(const rpMotion* motion, rpError* error)
{
	return rpChangeAxes(motion, rpYaw(1.0f), error);
}

static rpMotion* replaceSkeleton(const rpMotion* motion, rpError* error)
{
	return rpReplaceSkeleton(motion, motion->skeleton, error);
}

typedef rpMotion* EditFn(const rpMotion* motion, rpError* error);

static void failEach(EditFn* edit, const rpMotion* motion)
{
	int blocks = testCountLiveBlocks();
	for (int n = 0;; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		rpMotion* result = edit(motion, &error);
		testFailAllocation(-1);
		if (result != NULL)
		{
			assert_true(n > 5);
			rpDestroyMotion(result);
			assert_int_equal(testCountLiveBlocks(), blocks);
			return;
		}
		assert_int_equal(error.code, rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
}

static void testEveryAllocation(void** state)
{
	(void)state;
	EditFn* const edits[] = {resample, crop, join, rpMirrorMotion, retime, move, scale, changeAxes, replaceSkeleton};
	for (int twisted = 0; twisted < 2; ++twisted)
	{
		rpSkeleton* body = testMakePuppet(twisted > 0);
		rpMotion* motion = testMakeMotion(body, "take", 30.0, 31, 2);
		testAnnotate(motion);
		testAddTranslations(motion);
		for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); ++i)
		{
			failEach(edits[i], motion);
		}
		rpDestroyMotion(motion);
		rpReleaseSkeleton(body);
	}
	assert_int_equal(testCountLiveBlocks(), 0);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testEveryAllocation)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
