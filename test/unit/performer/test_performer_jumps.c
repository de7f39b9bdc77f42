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
			if (act == rp_actRunningJump)
			{
				// The toes of the foot that has trailed are a little quicker than captured ones when they come down.
				assert_true(testMeasureAccelerations(&def).acceleration < 1.16f);
				continue;
			}
			testHoldToAccelerations(&def);
		}
	}
}

// The feet land as far away and as far turned as was asked for.
static void testLandsWhereAsked(void** state)
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

// A hop leaves and lands with the same foot, a leap with the other one.
static void testSingles(void** state)
{
	(void)state;
	for (int i = 0; i < 20; ++i)
	{
		rpAct act = i % 2 == 0 ? rp_actHop : rp_actLeap;
		rpPerformDef def = testDrawPerformance(act, (uint64_t)i);
		def.seconds = 0.0;
		rpMotion* motion = testPerform(&def);
		rpInterval phases[12];
		int count = rpMotion_GetIntervals(motion, rp_trackPhase, phases, 12), flights = 0;
		const char* own = def.parameters[rp_paramFoot] > 0.5f ? "R" : "L";
		for (int k = 1; k + 1 < count; ++k)
		{
			if (phases[k].name[0] == 'F')
			{
				++flights;
				assert_string_equal(phases[k - 1].name, own);
				assert_true((strcmp(phases[k + 1].name, own) == 0) == (act == rp_actHop));
			}
		}
		assert_int_equal(flights, 1);
		rpDestroyMotion(motion);
	}
}

// The flight of a running jump is the longest; the foot asked for leaves, the other one lands that far away.
static void testRunningJump(void** state)
{
	(void)state;
	for (uint64_t draw = 0; draw < 20; ++draw)
	{
		rpPerformDef def = testDrawPerformance(rp_actRunningJump, draw);
		def.seconds = 0.0;
		rpMotion* motion = testPerform(&def);
		rpInterval phases[64];
		int count = rpMotion_GetIntervals(motion, rp_trackPhase, phases, 64), jump = 0;
		for (int k = 1; k + 1 < count; ++k)
		{
			bool longer = phases[k].end - phases[k].start > phases[jump].end - phases[jump].start;
			jump = phases[k].name[0] == 'F' && (phases[jump].name[0] != 'F' || longer) ? k : jump;
		}
		bool right = def.parameters[rp_paramFoot] > 0.5f;
		assert_string_equal(phases[jump - 1].name, right ? "R" : "L");
		assert_string_equal(phases[jump + 1].name, right ? "L" : "R");
		rpVec3 from =
			testGetEffectorAt(motion, phases[jump].start - 1.5 / motion->fps, right ? rp_rightBall : rp_leftBall);
		double landed = 0.5 * (phases[jump + 1].start + phases[jump + 1].end);
		rpVec3 to = testGetEffectorAt(motion, landed, right ? rp_leftBall : rp_rightBall);
		float length = def.stature / PERFORMER_HEIGHT;
		assert_true(fabsf(to.z - from.z - def.parameters[rp_paramDistance]) < 0.08f * length);
		rpDestroyMotion(motion);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testBars),    cmocka_unit_test(testLandsWhereAsked), cmocka_unit_test(testPhases),
		cmocka_unit_test(testSingles), cmocka_unit_test(testRunningJump),
	};
	return cmocka_run_group_tests_name("performer_jumps", tests, NULL, NULL);
}
