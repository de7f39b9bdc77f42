/// Actions keep what every performance must, and hit, touch, take and pass under what they are asked to.
#include "performance.h"
#include "support.h"

#include "performer/body_plan.h"

#include <stdio.h>
#include <stdlib.h>

static void testBars(void** state)
{
	(void)state;
	for (int act = 0; act < rp_actCount; ++act)
	{
		const char* only = getenv("PERFORMANCE_ACT");
		if (only != NULL && rpAct_Find(only) != (rpAct)act)
		{
			continue;
		}
		for (uint64_t draw = 0; rpAct_GetKind((rpAct)act) == rp_kindAction && draw < 12; ++draw)
		{
			rpPerformDef def = testDrawPerformance((rpAct)act, draw);
			testHoldToBars(&def);
			testHoldToAccelerations(&def);
		}
	}
}

// The event must be there, and an effector at the target then. Between frames the hand is fast, so look finely.
static float getMiss(rpAct act, const char* event, uint64_t draw)
{
	rpPerformDef def = testDrawPerformance(act, draw);
	def.fps = 1000.0;
	rpMotion* motion = testPerform(&def);
	double time = testFindEvent(motion, event);
	assert_true(time > 0.0);
	int frame = (int)round(time * motion->fps);
	rpTransform world[rp_performerJointCount];
	rpMotion_Forward(motion, frame, world);
	rpVec3 target = {def.parameters[rp_paramSide], def.parameters[rp_paramHeight], def.parameters[rp_paramReach]};
	int foot = def.parameters[rp_paramFoot] > 0.5f ? rp_rightToeBase : rp_leftToeBase;
	rpVec3 hand = testGetEffectorAt(motion, time, rp_rightHand), other = testGetEffectorAt(motion, time, rp_leftHand);
	rpVec3 fists[2] = {rpLerp(world[rp_leftWrist].p, other, 0.5f), rpLerp(world[rp_rightWrist].p, hand, 0.5f)};
	int side = def.parameters[rp_paramHand] > 0.5f ? 1 : 0;
	rpVec3 place = act == rp_actPunch || act == rp_actGuardPunch ? fists[side]
				   : act == rp_actKick                           ? world[foot].p
				   : act == rp_actPickUp                         ? rpLerp(fists[0], fists[1], 0.5f)
				   : side == 1                                   ? hand
																 : other;
	rpDestroyMotion(motion);
	float miss = rpDistance(place, target);
	if (miss > 0.01f)
	{
		printf("%s %llu: misses (%.2f %.2f %.2f) by %.3f m\n", rpAct_GetName(act), (unsigned long long)draw,
			   (double)target.x, (double)target.y, (double)target.z, (double)miss);
	}
	return miss;
}

static void testTargets(void** state)
{
	(void)state;
	static const struct
	{
		rpAct act;
		const char* event;
	} acts[] = {{rp_actPunch, "hit"},
				{rp_actKick, "hit"},
				{rp_actReach, "touch"},
				{rp_actPickUp, "grasp"},
				{rp_actGuardPunch, "hit"}};
	float worst = 0.0f;
	for (size_t i = 0; i < 5; ++i)
	{
		for (uint64_t draw = 0; draw < 40; ++draw)
		{
			worst = fmaxf(worst, getMiss(acts[i].act, acts[i].event, draw));
		}
	}
	assert_true(worst < 0.01f);
}

static void checkDucks(rpAct act)
{
	for (uint64_t draw = 0; draw < 30; ++draw)
	{
		rpPerformDef def = testDrawPerformance(act, draw);
		rpMotion* motion = testPerform(&def);
		double time = testFindEvent(motion, "under");
		rpTransform world[rp_performerJointCount];
		rpMotion_Forward(motion, (int)round(time * motion->fps), world);
		float scale = def.stature / PERFORMER_HEIGHT;
		float top = rpTransformPoint(world[rp_head], (rpVec3){0.0f, 0.17f * scale, 0.0f}).y;
		if (top >= def.parameters[rp_paramHeight])
		{
			printf("duck %llu: %.3f m instead of %.3f\n", (unsigned long long)draw, (double)top,
				   (double)def.parameters[rp_paramHeight]);
		}
		assert_true(top < def.parameters[rp_paramHeight]);
		// Not lower than it must.
		assert_true(top > def.parameters[rp_paramHeight] - 0.15f * scale);
		rpDestroyMotion(motion);
	}
}

static void testDucksBelow(void** state)
{
	(void)state;
	checkDucks(rp_actDuck);
	checkDucks(rp_actGuardDuck);
}

// The height of what is stood or sat on is reported with the contacts: at the beginning and at the end.
static void testSupports(void** state)
{
	(void)state;
	static const struct
	{
		rpAct act;
		bool before, after;
		rpEffector effector;
	} acts[] = {{rp_actStepUp, false, true, rp_leftBall},     {rp_actStepDown, true, false, rp_rightBall},
				{rp_actSitDown, false, true, rp_seat},        {rp_actRise, true, false, rp_seat},
				{rp_actWalkStepUp, false, true, rp_leftBall}, {rp_actWalkStepOff, true, false, rp_rightBall},
				{rp_actWalkSit, false, true, rp_seat},        {rp_actRiseWalk, true, false, rp_seat}};
	for (int i = 0; i < 80; ++i)
	{
		rpPerformDef def = testDrawPerformance(acts[i % 8].act, (uint64_t)i);
		rpMotion* motion = testPerform(&def);
		rpInterval contacts[128];
		int count = rpMotion_GetIntervals(motion, rp_trackContact, contacts, 128);
		bool before = false, after = false;
		for (int k = 0; k < count; ++k)
		{
			bool high = contacts[k].effector == acts[i % 8].effector &&
						fabsf(contacts[k].supportHeight - def.parameters[rp_paramHeight]) < 1e-4f;
			// Someone who walks has the foot down now and then.
			before = before || (high && contacts[k].start < 1.0);
			after = after || (high && contacts[k].end > rpMotion_GetDuration(motion) - 1.0);
		}
		assert_true(before == acts[i % 8].before);
		assert_true(after == acts[i % 8].after);
		rpDestroyMotion(motion);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testBars),
		cmocka_unit_test(testTargets),
		cmocka_unit_test(testDucksBelow),
		cmocka_unit_test(testSupports),
	};
	return cmocka_run_group_tests_name("performer_actions", tests, NULL, NULL);
}
