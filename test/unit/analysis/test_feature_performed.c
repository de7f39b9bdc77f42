/// Features of what the performer does, against what it was asked for.
#include "support.h"

#include <math.h>

enum
{
	performanceCount = 12,
};

/// An act, what is drawn at random for it, and what is measured.
typedef struct Scene
{
	rpAct act;
	const char* features;

	/// How long, 0: as long as it takes; and what is left out at both ends, seconds.
	double seconds, margin;
	rpParameter drawn[4];
	int drawnCount;
} Scene;

/// A performance and its features.
typedef struct Measured
{
	rpPerformDef def;
	rpMotion* motion;
	rpFeatureStretch stretch;
	float values[RP_MAX_PARAMETERS];
} Measured;

/// How far a feature is from what was asked for, over some performances.
typedef struct Tally
{
	int count;
	double sum, worst, low, high;
} Tally;

static Measured perform(const Scene* scene, uint64_t seed)
{
	rpRandom random = rpSeedRandom(seed);
	Measured measured = {.def = rpDefaultPerformDef(scene->act)};
	rpError error = {0};
	measured.def.seed = seed;
	measured.def.fps = 120.0;
	measured.def.seconds = scene->seconds;
	for (int i = 0; i < scene->drawnCount; ++i)
	{
		rpParameterRange range;
		assert_true(rpAct_GetRange(scene->act, scene->drawn[i], &range));
		measured.def.parameters[scene->drawn[i]] = rpRandom_Range(&random, range.low, range.high);
	}
	measured.motion = rpPerform(&measured.def, NULL);
	assert_non_null(measured.motion);
	measured.stretch =
		(rpFeatureStretch){measured.motion, scene->margin, rpMotion_GetDuration(measured.motion) - scene->margin};
	rpFeatureList* list = rpCreateFeatureList(scene->features, measured.motion->skeleton, NULL, &error);
	if (list == NULL || !rpFeatureList_Measure(list, &measured.stretch, measured.values, &error))
	{
		fail_msg("%s: %s (%s)", scene->features, error.message, error.hint);
	}
	rpDestroyFeatureList(list);
	return measured;
}

static void add(Tally* tally, double value, double asked)
{
	double off = value - asked;
	tally->low = tally->count > 0 ? fmin(tally->low, off) : off;
	tally->high = tally->count > 0 ? fmax(tally->high, off) : off;
	tally->sum += fabs(off);
	tally->worst = fmax(tally->worst, fabs(off));
	++tally->count;
}

static void expect(const char* what, const Tally* tally, double scale, const char* unit, double bar)
{
	print_message("%-32s %8.2f %s off on the average, %8.2f at most\n", what, scale * tally->sum / tally->count, unit,
				  scale * tally->worst);
	assert_true(scale * tally->worst < bar);
}

// ---- places

// The target is in front of where the body stood when it began.
static rpVec3 getTarget(const Measured* measured)
{
	const float* parameters = measured->def.parameters;
	rpVec3 target = {parameters[rp_paramSide], parameters[rp_paramHeight], parameters[rp_paramReach]};
	rpGroundTransform ground = rpMotion_GetGround(measured->motion, 0);
	ground.shift.y = 0.0f;
	return rpGroundTransform_Apply(rpGroundTransform_Invert(ground), target);
}

// The wrist is always as far from what the hand is at.
static void testHands(void** state)
{
	(void)state;
	static const Scene scenes[] = {
		{rp_actPunch, "right_wrist@hit,right_wrist@farthest", 0, 0, {rp_paramHeight, rp_paramReach, rp_paramSide}, 3},
		{rp_actReach, "right_wrist@touch,right_wrist@farthest", 0, 0, {rp_paramHeight, rp_paramReach, rp_paramSide}, 3},
	};
	for (int k = 0; k < 2; ++k)
	{
		Tally hand = {0}, apex = {0};
		for (int i = 0; i < performanceCount; ++i)
		{
			Measured measured = perform(&scenes[k], 10 + (uint64_t)i);
			const float* v = measured.values;
			add(&hand, rpDistance((rpVec3){v[0], v[1], v[2]}, getTarget(&measured)), 0.0);
			add(&apex, rpDistance((rpVec3){v[0], v[1], v[2]}, (rpVec3){v[3], v[4], v[5]}), 0.0);
			rpDestroyMotion(measured.motion);
		}
		print_message("%s: the wrist is %.1f to %.1f mm from the target\n", rpAct_GetName(scenes[k].act),
					  1e3 * hand.low, 1e3 * hand.high);
		assert_true(hand.high - hand.low < 0.004);
		expect("  @farthest from the event", &apex, 1e3, "mm", k == 0 ? 5.0 : 400.0);
	}
}

static void testKick(void** state)
{
	(void)state;
	static const Scene scene = {rp_actKick, "right_ball@hit", 0, 0, {rp_paramHeight, rp_paramReach}, 2};
	Tally off = {0};
	for (int i = 0; i < performanceCount; ++i)
	{
		Measured measured = perform(&scene, 30 + (uint64_t)i);
		const float* v = measured.values;
		add(&off, rpDistance((rpVec3){v[0], v[1], v[2]}, getTarget(&measured)), 0.0);
		rpDestroyMotion(measured.motion);
	}
	expect("kick: ball of the foot", &off, 1e3, "mm", 12.0);
}

// What is asked for is the height of the top of the head.
static void testDuck(void** state)
{
	(void)state;
	static const Scene scene = {rp_actDuck, "head.y@lowest,pelvis.y@start-pelvis.y@lowest", 0, 0, {rp_paramHeight}, 1};
	Tally off = {0};
	for (int i = 0; i < performanceCount; ++i)
	{
		Measured measured = perform(&scene, 50 + (uint64_t)i);
		add(&off, measured.values[0], measured.def.parameters[rp_paramHeight]);
		assert_true(measured.values[1] > 0.0f && measured.values[1] < 0.6f);
		rpDestroyMotion(measured.motion);
	}
	print_message("duck: the head's joint is %.1f to %.1f mm from the height asked for\n", 1e3 * off.low,
				  1e3 * off.high);
	assert_true(off.low > -0.3 && off.high - off.low < 0.1);
}

// ---- travel

static void testTravel(void** state)
{
	(void)state;
	static const Scene scenes[] = {
		{rp_actWalk, "turn,facing,speed,travel", 9.0, 2.0, {rp_paramSpeed, rp_paramTurn}, 2},
		{rp_actRun, "turn,facing,speed,travel", 9.0, 2.0, {rp_paramSpeed, rp_paramTurn}, 2},
		{rp_actBackwards, "turn,facing,speed,travel", 9.0, 2.0, {rp_paramSpeed, rp_paramTurn}, 2},
	};
	// The path sways with the steps, the more the slower; and what it cuts off in
	// bends of half a metre is no speed.
	// In the air the pelvis of a runner turns against the legs.
	static const double turnBars[] = {8.0, 1.0, 15.0}, facingBars[] = {5.0, 1.5, 4.0};
	for (int k = 0; k < 3; ++k)
	{
		Tally turn = {0}, facing = {0}, speed = {0};
		for (int i = 0; i < performanceCount; ++i)
		{
			Measured measured = perform(&scenes[k], 70 + (uint64_t)i);
			double seconds = measured.stretch.end - measured.stretch.start;
			double asked = seconds * (double)measured.def.parameters[rp_paramTurn];
			add(&turn, measured.values[0], asked);
			add(&facing, measured.values[1], asked);
			add(&speed, measured.values[2], measured.def.parameters[rp_paramSpeed]);
			assert_float_equal(measured.values[3], seconds * (double)measured.values[2], 1e-4);
			rpDestroyMotion(measured.motion);
		}
		print_message("%s, 5 s:\n", rpAct_GetName(scenes[k].act));
		expect("  turn", &turn, 1.0 / RP_DEGREE, "deg", turnBars[k]);
		expect("  facing", &facing, 1.0 / RP_DEGREE, "deg", facingBars[k]);
		expect("  speed", &speed, 1e3, "mm/s", 100.0);
	}
}

static void testTurnOnTheSpot(void** state)
{
	(void)state;
	static const Scene scene = {rp_actTurn, "facing", 0, 0, {rp_paramAngle}, 1};
	Tally facing = {0};
	for (int i = 0; i < performanceCount; ++i)
	{
		Measured measured = perform(&scene, 90 + (uint64_t)i);
		add(&facing, measured.values[0], measured.def.parameters[rp_paramAngle]);
		rpDestroyMotion(measured.motion);
	}
	expect("turn on the spot: facing", &facing, 1.0 / RP_DEGREE, "deg", 3.0);
}

// ---- contacts

static void testJumps(void** state)
{
	(void)state;
	static const Scene scenes[] = {
		{rp_actJump, "jump_length,jump_turn,facing,flight", 0, 0, {rp_paramDistance, rp_paramAngle}, 2},
		// Who turns on one foot has it elsewhere than the body.
		{rp_actHop, "jump_length,jump_turn,facing,flight", 0, 0, {rp_paramDistance}, 1},
		{rp_actLeap, "jump_length,jump_turn,facing,flight", 0, 0, {rp_paramDistance}, 1},
		{rp_actRunningJump, "jump_length,jump_turn,facing,flight", 0, 0, {rp_paramDistance, rp_paramSpeed}, 2},
	};
	for (int k = 0; k < 4; ++k)
	{
		Tally length = {0}, turn = {0};
		for (int i = 0; i < performanceCount; ++i)
		{
			Measured measured = perform(&scenes[k], 110 + (uint64_t)i);
			add(&length, measured.values[0], measured.def.parameters[rp_paramDistance]);
			add(&turn, measured.values[1], measured.def.parameters[rp_paramAngle]);
			assert_true(measured.values[3] > 0.08f && measured.values[3] < 0.9f);
			rpDestroyMotion(measured.motion);
		}
		print_message("%s:\n", rpAct_GetName(scenes[k].act));
		expect("  jump_length", &length, 1e3, "mm", 60.0);
		expect("  jump_turn", &turn, 1.0 / RP_DEGREE, "deg", 15.0);
	}
}

static void testSteps(void** state)
{
	(void)state;
	static const Scene scenes[] = {{rp_actStepUp, "support_height,support_length", 0, 0, {rp_paramHeight}, 1},
								   {rp_actStepDown, "support_height,support_length", 0, 0, {rp_paramHeight}, 1}};
	for (int k = 0; k < 2; ++k)
	{
		Tally height = {0}, length = {0};
		for (int i = 0; i < performanceCount; ++i)
		{
			Measured measured = perform(&scenes[k], 130 + (uint64_t)i);
			double asked = (double)measured.def.parameters[rp_paramHeight];
			add(&height, measured.values[0], k == 0 ? asked : -asked);
			// STEP_FORWARD and STEP_FORWARD_DOWN of src/performer/action_step.c.
			add(&length, measured.values[1], k == 0 ? 0.42 : 0.36);
			rpDestroyMotion(measured.motion);
		}
		expect(k == 0 ? "step up: support_height" : "step down: support_height", &height, 1e3, "mm", 1.0);
		expect(k == 0 ? "step up: support_length" : "step down: support_length", &length, 1e3, "mm", 10.0);
	}
}

static void testSeats(void** state)
{
	(void)state;
	static const Scene scenes[] = {{rp_actSitDown, "seat_height", 0, 0, {rp_paramHeight}, 1},
								   {rp_actRise, "seat_height", 0, 0, {rp_paramHeight}, 1}};
	for (int k = 0; k < 2; ++k)
	{
		Tally height = {0};
		for (int i = 0; i < performanceCount; ++i)
		{
			Measured measured = perform(&scenes[k], 150 + (uint64_t)i);
			add(&height, measured.values[0], measured.def.parameters[rp_paramHeight]);
			rpDestroyMotion(measured.motion);
		}
		expect(k == 0 ? "sit down: seat_height" : "rise: seat_height", &height, 1e3, "mm", 1.0);
	}
}

// ---- rates

/// Something that is measured at two rates.
typedef struct RateCase
{
	rpAct act;
	const char* features;
	double seconds, start;

	/// Millimetres, degrees, hundredths of a metre per second.
	double bar;
} RateCase;

static void measureAtRate(const RateCase* scene, double fps, rpFeatureList** list, float* out)
{
	rpPerformDef def = rpDefaultPerformDef(scene->act);
	def.fps = fps;
	def.seed = 7;
	def.seconds = scene->seconds;
	def.parameters[rp_paramTurn] = scene->seconds > 0.0 ? 0.5f : 0.0f;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	rpFeatureStretch stretch = {motion, scene->start, rpMotion_GetDuration(motion) - 0.21};
	rpDestroyFeatureList(*list);
	*list = rpCreateFeatureList(scene->features, motion->skeleton, NULL, NULL);
	assert_non_null(*list);
	assert_true(rpFeatureList_Measure(*list, &stretch, out, NULL));
	rpDestroyMotion(motion);
}

// 30 frames per second show nearly what 120 do; of what is as fast as fists and feet that hit, 2 mm less.
static void testRates(void** state)
{
	(void)state;
	static const RateCase cases[] = {
		{rp_actReach, "right_wrist@touch,right_wrist@farthest", 0.0, 0.137, 0.2},
		{rp_actDuck, "head@lowest,pelvis.y@lowest", 0.0, 0.137, 0.2},
		{rp_actPunch, "right_wrist@hit,right_wrist@farthest", 0.0, 0.137, 1.0},
		{rp_actKick, "right_ankle@hit,right_ankle.y@highest", 0.0, 0.137, 2.0},
		{rp_actKick, "right_ankle.speed@fastest", 0.0, 0.137, 0.08},
		{rp_actWalk, "turn,facing", 6.0, 1.137, 0.1},
		{rp_actWalk, "speed,travel,duration", 6.0, 1.137, 1.0},
	};
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); ++k)
	{
		float values[2][RP_MAX_PARAMETERS];
		rpFeatureList* list = NULL;
		measureAtRate(&cases[k], 30.0, &list, values[0]);
		measureAtRate(&cases[k], 120.0, &list, values[1]);
		for (int i = 0; i < rpFeatureList_GetCount(list); ++i)
		{
			const rpFeatureInfo* info = rpFeatureList_GetInfo(list, i);
			bool isLength = info->unit == rp_unitMetre;
			double scale = (double)rpFeatureUnit_GetScale(info->unit) * (isLength ? 1e3 : 1.0);
			double off = scale * fabs((double)values[0][i] - (double)values[1][i]);
			print_message("%s %s %.3f %s, at 30 Hz %.3f off\n", rpAct_GetName(cases[k].act), info->name,
						  scale * (double)values[1][i], isLength ? "mm" : rpFeatureUnit_GetName(info->unit), off);
			assert_true(off < cases[k].bar);
		}
		rpDestroyFeatureList(list);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testHands),  cmocka_unit_test(testKick),          cmocka_unit_test(testDuck),
		cmocka_unit_test(testTravel), cmocka_unit_test(testTurnOnTheSpot), cmocka_unit_test(testJumps),
		cmocka_unit_test(testSteps),  cmocka_unit_test(testSeats),         cmocka_unit_test(testRates),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
