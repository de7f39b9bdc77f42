/// The performer keeps its promises: planted feet stand still, nothing goes through the floor, flight is free fall.
#include "support.h"

#include "performer/body_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Case
{
	rpAct act;
	float speed, turn;
} Case;

static const Case s_cases[] = {
	{rp_actStand, 0, 0},      {rp_actWave, 0, 0},       {rp_actJump, 0, 0},       {rp_actWalk, 1.35f, 0},
	{rp_actWalk, 0.6f, 0.3f}, {rp_actWalk, 0.7f, 0},    {rp_actWalk, 0.6f, 1.5f}, {rp_actWalk, 1.0f, -0.5f},
	{rp_actWalk, 1.8f, 0},    {rp_actWalk, 2.2f, 0.4f}, {rp_actJog, 1.8f, 0},     {rp_actRun, 3.2f, 0},
	{rp_actRun, 3.0f, -1.0f}, {rp_actRun, 4.0f, 0},     {rp_actRun, 4.0f, 0.5f},
};
#define CASE_COUNT (int)(sizeof(s_cases) / sizeof(s_cases[0]))

static rpMotion* perform(const Case* c, double fps)
{
	rpPerformDef def = rpDefaultPerformDef(c->act);
	def.fps = fps;
	def.seconds = 6.0;
	if (c->speed > 0)
	{
		def.parameters[rp_paramSpeed] = c->speed;
		def.parameters[rp_paramTurn] = c->turn;
	}
	rpError error = {0};
	rpMotion* motion = rpPerform(&def, &error);
	assert_string_equal(error.message, "");
	assert_non_null(motion);
	return motion;
}

static rpVec3 getEffector(const rpMotion* motion, int frame, int effector)
{
	rpVec3 place;
	assert_true(rpMotion_GetEffector(motion, frame, (rpEffector)effector, &place));
	return place;
}

// The contact of an effector that covers a time; NULL if there is none.
static const rpInterval* findContact(const rpMotion* motion, rpEffector effector, double time)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (contact->track == rp_trackContact && contact->effector == effector && contact->start <= time &&
			time < contact->end)
		{
			return contact;
		}
	}
	return NULL;
}

// Toes are down with the ball; the heel leaves before it.
static void testStages(void** state)
{
	(void)state;
	rpMotion* motion = perform(s_cases + 3, 60.0);
	int balls = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* ball = motion->annotations.intervals + i;
		if (ball->track != rp_trackContact || (ball->effector != rp_leftBall && ball->effector != rp_rightBall))
		{
			continue;
		}
		bool isLeft = ball->effector == rp_leftBall;
		const rpInterval* toe = findContact(motion, isLeft ? rp_leftToe : rp_rightToe, ball->start);
		const rpInterval* heel = findContact(motion, isLeft ? rp_leftHeel : rp_rightHeel, ball->start);
		assert_true(toe != NULL && toe->start == ball->start && toe->end == ball->end);
		assert_true(heel == NULL || heel->end <= ball->end);
		++balls;
	}
	assert_true(balls > 2);
	rpDestroyMotion(motion);
}

static void testFeetStandStill(void** state)
{
	(void)state;
	static const double rates[] = {30, 59.94, 120, 240};
	for (int i = 0; i < CASE_COUNT * 4; ++i)
	{
		rpMotion* motion = perform(s_cases + i / 4, rates[i % 4]);
		int contacts = rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0);
		rpInterval* intervals = calloc((size_t)contacts + 1, sizeof(rpInterval));
		rpMotion_GetIntervals(motion, rp_trackContact, intervals, contacts);
		assert_true(contacts >= 4);
		float worst = 0.0f;
		for (int k = 0; k < contacts; ++k)
		{
			rpVec3 first;
			bool started = false;
			for (int f = 0; f < motion->frameCount; ++f)
			{
				double t = f / motion->fps;
				if (t < intervals[k].start || t >= intervals[k].end)
				{
					continue;
				}
				rpVec3 place = getEffector(motion, f, intervals[k].effector);
				first = started ? first : place;
				started = true;
				worst = fmaxf(worst, rpDistance(first, place));
				bool isToe = intervals[k].effector == rp_leftToe || intervals[k].effector == rp_rightToe;
				assert_true(fabsf(place.y - (isToe ? 0.0f : BALL_HEIGHT)) < 1e-3f);
			}
		}
		if (worst >= 1e-3f)
		{
			printf("case %d at %g Hz: a planted foot moves %g m\n", i / 4, rates[i % 4], (double)worst);
		}
		assert_true(worst < 1e-3f);
		free(intervals);
		rpDestroyMotion(motion);
	}
}

static void testNothingBelowFloor(void** state)
{
	(void)state;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpMotion* motion = perform(s_cases + i, 120);
		for (int f = 0; f < motion->frameCount; ++f)
		{
			for (int effector = rp_leftHeel; effector <= rp_rightToe; ++effector)
			{
				float height = getEffector(motion, f, effector).y;
				if (height < -2e-3f)
				{
					printf("case %d frame %d: a foot at %g m\n", i, f, (double)height);
				}
				assert_true(height > -2e-3f);
			}
		}
		rpDestroyMotion(motion);
	}
}

// Joints move and turn smoothly: no frame to frame change stands out from its neighbours.
static void testContinuity(void** state)
{
	(void)state;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpMotion* motion = perform(s_cases + i, 240);
		int jointCount = motion->skeleton->jointCount;
		for (int f = 1; f < motion->frameCount; ++f)
		{
			const rpQuat* a = rpMotion_GetRotations(motion, f - 1);
			const rpQuat* b = rpMotion_GetRotations(motion, f);
			for (int j = 0; j < jointCount; ++j)
			{
				// 45 rad/s is beyond the ankle of a sprinter; a knee that pops does more.
				float rate = rpAngleBetween(a[j], b[j]) * 240.0f;
				if (rate > 45.0f || rpDotQuat(a[j], b[j]) < 0.0f)
				{
					printf("case %d frame %d %s: %g rad/s\n", i, f, motion->skeleton->joints[j].name, (double)rate);
				}
				assert_true(rate <= 45.0f);
				assert_true(rpDotQuat(a[j], b[j]) > 0.0f);
				assert_true(fabsf(rpDotQuat(b[j], b[j]) - 1.0f) < 1e-5f);
			}
		}
		rpDestroyMotion(motion);
	}
}

static void testKneesBendForwards(void** state)
{
	(void)state;
	for (int i = 0; i < CASE_COUNT; ++i)
	{
		rpMotion* motion = perform(s_cases + i, 60);
		rpTransform world[64];
		for (int f = 0; f < motion->frameCount; ++f)
		{
			rpMotion_Forward(motion, f, world);
			for (int side = 0; side < 2; ++side)
			{
				int hip = rpSkeleton_FindRole(motion->skeleton, side == 0 ? rp_roleLeftHip : rp_roleRightHip);
				rpVec3 line = rpNormalize(rpSub(world[hip + 2].p, world[hip].p));
				rpVec3 knee = rpSub(world[hip + 1].p, world[hip].p);
				knee = rpMulAdd(knee, -rpDot(knee, line), line);
				rpVec3 left = rpRotate(world[0].q, (rpVec3){1, 0, 0});
				assert_true(rpLength(knee) > 0.01f);
				// The axis from the line to the knee points to the left when the knee points forwards.
				assert_true(rpDot(rpCross(rpNormalize(knee), line), left) > 0.7f);
			}
		}
		rpDestroyMotion(motion);
	}
}

static void testJumpFalls(void** state)
{
	(void)state;
	rpPerformDef def = rpDefaultPerformDef(rp_actJump);
	def.fps = 240;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	rpInterval phases[8];
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackPhase, phases, 8), 5);
	static const char* const names[] = {"S", "D", "F", "D", "S"};
	for (int i = 0; i < 5; ++i)
	{
		assert_string_equal(phases[i].name, names[i]);
	}
	const rpVec3* centers = (const rpVec3*)rpAnnotations_FindCurve(&motion->annotations, "com")->values;
	int first = (int)ceil(phases[2].start * 240) + 1, last = (int)(phases[2].end * 240) - 1;
	assert_true(last - first > 100);
	for (int f = first + 10; f <= last - 10; ++f)
	{
		const rpVec3* p = centers + f;
		double fall = ((double)p[-10].y - 2.0 * p[0].y + p[10].y) * 240 * 240 / 100;
		assert_true(fabs(fall + 9.81) < 0.05);
	}
	rpDestroyMotion(motion);
}

static void testGoesWhereAsked(void** state)
{
	(void)state;
	Case straight = {rp_actWalk, 1.2f, 0}, circle = {rp_actRun, 3.0f, 0.5f};
	rpMotion* motion = perform(&straight, 60);
	rpVec3 end = rpSub(motion->rootPositions[motion->frameCount - 1], motion->rootPositions[0]);
	assert_true(fabsf(end.z - 7.2f) < 0.06f && fabsf(end.x) < 0.07f);
	rpDestroyMotion(motion);

	// A turn to the left goes towards +x, on a circle of radius speed / turn.
	motion = perform(&circle, 60);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		rpVec3 p = motion->rootPositions[f];
		assert_true(fabsf(hypotf(p.x - 6.0f, p.z) - 6.0f) < 0.12f);
	}
	assert_true(motion->rootPositions[60].x > 0.5f);
	rpDestroyMotion(motion);
}

static void testSkeleton(void** state)
{
	(void)state;
	rpSkeleton* skeleton = rpCreatePerformerSkeleton(1.75f, NULL);
	assert_non_null(skeleton);
	assert_true(fabsf(skeleton->height - 1.75f) < 1e-4f);
	assert_true(fabsf(skeleton->legLength - 0.8595f) < 1e-4f);
	for (int role = rp_roleNone + 1; role < rp_roleCount; ++role)
	{
		assert_true(skeleton->roles[role] >= 0);
	}
	rpReleaseSkeleton(skeleton);
}

static void testRefusals(void** state)
{
	(void)state;
	rpError error;
	rpPerformDef bad[7];
	for (int i = 0; i < 7; ++i)
	{
		bad[i] = rpDefaultPerformDef(rp_actWalk);
	}
	bad[0].act = rp_actCount;
	bad[1].fps = 0;
	bad[2].fps = NAN;
	bad[3].seconds = -1;
	bad[4].parameters[rp_paramSpeed] = 20;
	bad[5].parameters[rp_paramSpeed] = NAN;
	bad[6].parameters[rp_paramTurn] = 9;
	for (int i = 0; i < 7; ++i)
	{
		error = (rpError){0};
		assert_null(rpPerform(bad + i, &error));
		assert_int_equal(error.code, rp_errorArgument);
	}
	rpPerformDef one = rpDefaultPerformDef(rp_actRun);
	one.seconds = 1e-3;
	rpMotion* motion = rpPerform(&one, &error);
	assert_int_equal(motion->frameCount, 1);
	rpDestroyMotion(motion);
	assert_int_equal(rpAct_Find("jump"), rp_actJump);
	assert_int_equal(rpAct_Find("fly"), rp_actCount);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSkeleton),       cmocka_unit_test(testStages),
		cmocka_unit_test(testFeetStandStill), cmocka_unit_test(testNothingBelowFloor),
		cmocka_unit_test(testContinuity),     cmocka_unit_test(testKneesBendForwards),
		cmocka_unit_test(testJumpFalls),      cmocka_unit_test(testGoesWhereAsked),
		cmocka_unit_test(testRefusals),
	};
	return cmocka_run_group_tests_name("performer", tests, NULL, NULL);
}
