/// On-line locomotion: what is asked for is done, at any tick, without memory, for ever.
#include "live/movement_plan.h"
#include "live/movement_stitch.h"
#include "locomotion_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// The model that all tests play.
typedef struct Scene
{
	TestLocomotion takes;
	rpLocomotion* model;
} Scene;

static Scene s_scene;

static int setUp(void** state)
{
	(void)state;
	s_scene.takes = testPerformAllGaits(60.0, 1);
	s_scene.model = testBuildLocomotion(&s_scene.takes, true);
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyLocomotion(s_scene.model);
	testFreeLocomotion(&s_scene.takes);
	return 0;
}

static rpPlayerInput ask(rpGait gait, double speed, double turnDegrees)
{
	return (rpPlayerInput){.gait = gait, .speed = (float)speed, .turn = (float)(turnDegrees * RP_DEGREE)};
}

// ---- steady gaits

/// What was reached, from one knot to another of the same kind.
typedef struct Steady
{
	double speed, turn, plainSpeed, plainTurn;
} Steady;

static int findKnot(const TestPlay* play, int from, int step, rpMovementKind kind)
{
	for (int i = from; i > 0 && i < play->frameCount; i += step)
	{
		const rpMovementReport* movement = &play->reports[i].movement;
		if (movement->number != play->reports[i - 1].movement.number &&
			(kind == rp_movementKindCount || movement->kind == kind))
		{
			return i;
		}
	}
	fail_msg("no knot");
	return -1;
}

static Steady measureSteady(const TestPlay* play)
{
	rpBody body;
	Steady steady = {0};
	rpVec3* centers = malloc((size_t)play->capacity * sizeof(rpVec3));
	assert_true(rpWeighSkeleton(play->motion->skeleton, NULL, &body, NULL));
	rpBody_GetCenters(&body, play->motion, centers);
	int first = findKnot(play, play->frameCount / 2, 1, rp_movementKindCount);
	int last = findKnot(play, play->frameCount - 1, -1, play->reports[first].movement.kind);
	for (int i = first; i < last; ++i)
	{
		rpVec3 step = rpSub(centers[i + 1], centers[i]);
		float turn = rpMotion_GetGround(play->motion, i + 1).turn - rpMotion_GetGround(play->motion, i).turn;
		steady.speed += hypot((double)step.x, (double)step.z);
		steady.turn += (double)rpWrapAngle(turn);
		steady.plainSpeed += (double)play->reports[i].movement.plainSpeed;
		steady.plainTurn += (double)play->reports[i].movement.plainTurn;
	}
	free(centers);
	steady.speed *= 60.0 / (last - first);
	steady.turn *= 60.0 / (last - first) / RP_DEGREE;
	steady.plainSpeed /= last - first;
	steady.plainTurn /= (last - first) * RP_DEGREE;
	return steady;
}

// Twenty speeds and turns inside what the takes cover.
static void testSteady(void** state)
{
	(void)state;
	double speedSum = 0.0, turnSum = 0.0, plainSpeedSum = 0.0, plainTurnSum = 0.0, slide = 0.0;
	for (int k = 0; k < 20; ++k)
	{
		rpGait gait = k < 10 ? rp_gaitWalk : rp_gaitRun;
		double speed = gait == rp_gaitWalk ? 1.0 + 0.06 * (k % 10) : 2.6 + 0.08 * (k % 10);
		double turn = (k * 7 % 10 - 4.5) / 4.5 * (gait == rp_gaitWalk ? 30.0 : 20.0);
		rpPlayerInput input = ask(gait, speed, turn);
		TestPlay play = testStartPlay(s_scene.model, NULL, 25.0);
		testPlayOn(&play, &input, 25.0);
		testFinishPlay(&play);
		Steady steady = measureSteady(&play);
		rpMeasures measures;
		assert_true(rpEvaluate(play.motion, NULL, &measures, NULL));
		print_message("%s %.2f m/s %6.1f deg/s: %.3f m/s %6.2f deg/s; by inverse distance %.3f %6.2f; slide %.3f mm\n",
					  rpGait_GetName(gait), speed, turn, steady.speed, steady.turn, steady.plainSpeed, steady.plainTurn,
					  measures.values[rp_measureSlideMean]);
		speedSum += fabs(steady.speed / speed - 1.0);
		turnSum += fabs(steady.turn - turn);
		plainSpeedSum += fabs(steady.plainSpeed / speed - 1.0);
		plainTurnSum += fabs(steady.plainTurn - turn);
		slide = fmax(slide, measures.values[rp_measureSlideMean]);
		testEndPlay(&play);
	}
	print_message("speed %.2f %% off (by inverse distance %.2f %%), turn %.2f deg/s (%.2f), slide %.3f mm\n",
				  5.0 * speedSum, 5.0 * plainSpeedSum, turnSum / 20.0, plainTurnSum / 20.0, slide);
	assert_true(speedSum / 20.0 < 0.05);
	assert_true(turnSum / 20.0 < 2.0);
	assert_true(slide < 2.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSteady),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
