/// Registrations of motions whose time and place are known.
#include "edit_scene.h"

#include <stdlib.h>
#include <string.h>

static rpMotion* perform(rpAct act, double seconds, uint64_t seed, int parameter, float value)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 60.0;
	def.seconds = seconds;
	def.seed = seed;
	if (parameter >= 0)
	{
		def.parameters[parameter] = value;
	}
	rpError error = {0};
	rpMotion* motion = rpPerform(&def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(motion);
	return motion;
}

// What every registration must be, whatever the motions are.
static void checkRegistration(const rpRegistration* registration)
{
	int keyCount = registration->keyCount;
	assert_true(keyCount >= 2);
	for (int m = 0; m < registration->motionCount; ++m)
	{
		const double* times = registration->times + m * keyCount;
		const rpGround* grounds = registration->grounds + m * keyCount;
		assert_true(times[0] >= 0.0);
		assert_true(times[keyCount - 1] <= rpMotion_GetDuration(registration->motions[m]) + 1e-9);
		for (int k = 1; k < keyCount; ++k)
		{
			assert_true(times[k] > times[k - 1]);
			assert_true(fabsf(grounds[k].turn - grounds[k - 1].turn) < (float)RP_PI);
		}
	}
	for (int s = 0; s < registration->stageCount; ++s)
	{
		const rpStage* stage = registration->stages + s;
		assert_true(stage->firstKey < stage->lastKey);
		assert_int_equal(stage->firstKey, s > 0 ? stage[-1].lastKey : 0);
		assert_true(s == 0 || stage->contacts != stage[-1].contacts);
		assert_true(s + 1 < registration->stageCount || stage->lastKey == keyCount - 1);
	}
}

// A motion and itself at another pace elsewhere: the pace and the place are found again.
static void testKnownWarp(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 4.0, 3, rp_paramTurn, 0.4f);
	const double newTimes[] = {0.0, 1.0, 2.0, 3.0, 3.6}, oldTimes[] = {0.0, 1.3, 2.1, 3.2, 4.0};
	rpWarp warp = {newTimes, oldTimes, 5, true};
	rpMotion* warped = rpRetimeMotion(walk, &warp, NULL);
	const rpGround ground = {2.0f, {-30.0f, 0.0f, 12.0f}};
	rpMotion* moved = rpMoveMotion(warped, ground, NULL);
	const rpMotion* motions[] = {moved, walk};
	rpRegistration* registration = rpCreateRegistration(motions, 2, NULL, NULL);
	assert_non_null(registration);
	checkRegistration(registration);
	assert_true(registration->costs[1] + registration->costs[0] < 0.05f);
	assert_true(registration->stageCount > 8);
	double end = registration->times[registration->keyCount - 1];
	assert_true(end == rpMotion_GetDuration(moved));
	for (int i = 0; i <= 100; ++i)
	{
		double t = end * i / 100.0;
		assert_true(fabs(rpRegistration_GetTime(registration, 1, t) - rpWarp_Apply(&warp, t)) < 0.03);
		rpGround found = rpRegistration_GetGround(registration, 1, t);
		assert_true(fabsf(rpWrapAngle(found.turn - ground.turn)) < 0.05f);
		int frame = rpMotion_GetFrame(moved, t);
		int other = rpMotion_GetFrame(walk, rpRegistration_GetTime(registration, 1, t));
		rpVec3 root = rpGround_Apply(found, walk->rootPositions[other]);
		assert_true(rpDistance(root, moved->rootPositions[frame]) < 0.06f);
	}
	rpMotion* back = rpRegistration_Retime(registration, 1, NULL);
	assert_non_null(back);
	assert_int_equal(back->frameCount, moved->frameCount);
	assert_true(testMeasureDistance(back, moved) < 0.15f);
	rpDestroyMotion(back);
	rpDestroyRegistration(registration);
	rpDestroyMotion(moved);
	rpDestroyMotion(warped);
	rpDestroyMotion(walk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testKnownWarp)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
