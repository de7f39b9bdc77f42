/// Jumps keep what every performance must: over their whole ranges, in any manner, at any rate.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"

#include <string.h>

static void testBars(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		for (uint64_t draw = 0; rpAct_GetKind((rpAct)act) == rp_kindJump && draw < 24; ++draw)
		{
			rpPerformDef def = testDrawPerformance((rpAct)act, draw);
			testHoldToBars(&def);
		}
	}
}

// The feet land as far away and as far turned as was asked for.
static void testLandsWhereTold(void** state)
{
	(void)state;
	for (uint64_t draw = 0; draw < 20; ++draw)
	{
		rpPerformDef def = testDrawPerformance(rp_actJump, draw);
		def.seconds = 0.0;
		rpMotion* motion = testPerform(&def);
		rpVec3 feet[2] = {rpVec3_zero, rpVec3_zero};
		int last = motion->frameCount - 1;
		for (int end = 0; end < 2; ++end)
		{
			rpVec3 left, right;
			rpTransform world[rp_performerJointCount];
			rpMotion_Forward(motion, end * last, world);
			left = world[rp_leftAnkle].p;
			right = world[rp_rightAnkle].p;
			feet[end] = rpLerp(left, right, 0.5f);
		}
		assert_true(fabsf(rpDistance(feet[0], feet[1]) - def.parameters[rp_paramDistance]) < 1e-3f);
		rpDestroyMotion(motion);
	}
}

static void testPhases(void** state)
{
	(void)state;
	for (uint64_t draw = 0; draw < 10; ++draw)
	{
		rpPerformDef def = testDrawPerformance(rp_actJump, draw);
		def.seconds = 0.0;
		rpMotion* motion = testPerform(&def);
		rpInterval phases[8];
		assert_int_equal(rpMotion_GetIntervals(motion, rp_trackPhase, phases, 8), 5);
		static const char* const names[] = {"S", "D", "F", "D", "S"};
		for (int i = 0; i < 5; ++i)
		{
			assert_string_equal(phases[i].name, names[i]);
		}
		rpDestroyMotion(motion);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testBars),
		cmocka_unit_test(testLandsWhereTold),
		cmocka_unit_test(testPhases),
	};
	return cmocka_run_group_tests_name("performer_jumps", tests, NULL, NULL);
}
