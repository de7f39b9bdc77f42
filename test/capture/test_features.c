/// Features of captured takes against what is known of them: how walks turn (facts.csv was measured by another
/// program), how far and by what angle people jump.
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void measure(const char* take, const char* text, bool findsContacts, float* out)
{
	rpError error = {0};
	rpMotion* motion = testLoadTake(take);
	rpFeatureList* list = rpCreateFeatureList(text, motion->skeleton, NULL, &error);
	rpFeatureStretch stretch = {motion, 0.0, rpMotion_GetDuration(motion)};
	if (list == NULL || (findsContacts && !rpDetectContacts(motion, NULL, NULL, &error)) ||
		!rpFeatureList_Measure(list, &stretch, out, &error))
	{
		fail_msg("%s: %s (%s)", take, error.message, error.hint);
	}
	rpDestroyFeatureList(list);
	rpDestroyMotion(motion);
}

/// Columns of facts.csv.
enum
{
	factPath = 3,
	factNet = 4,
	factSpeed = 5,
	factTurn = 7,
};

static double getFact(const char* take, int column)
{
	static char* facts;
	char path[1024], name[64];
	snprintf(path, sizeof(path), "%s/facts.csv", testMocap());
	facts = facts != NULL ? facts : testReadFile(path, NULL);
	assert_non_null(facts);
	snprintf(name, sizeof(name), "/%s.bvh,", take);
	const char* at = strstr(facts, name);
	assert_non_null(at);
	for (int i = 0; i < column; ++i)
	{
		at = strchr(at, ',') + 1;
	}
	return strtod(at, NULL);
}

// Walks that turn or veer, of two people; the facts' turn is that of the hips.
static void testWalks(void** state)
{
	(void)state;
	static const char* const takes[] = {"16_11", "16_12", "16_13", "16_14", "16_17", "16_18", "16_19",
										"16_20", "16_24", "16_25", "16_26", "16_27", "16_29", "16_30",
										"69_20", "69_24", "69_25", "69_28", "69_29", "69_31", "69_32"};
	int count = sizeof(takes) / sizeof(takes[0]);
	double sum = 0.0, worst = 0.0, speedWorst = 0.0, apart = 0.0;
	for (int i = 0; i < count; ++i)
	{
		float v[RP_MAX_PARAMETERS];
		measure(takes[i], "turn,facing,speed,travel", false, v);
		double turn = (double)v[0] / RP_DEGREE, facing = (double)v[1] / RP_DEGREE;
		double known = getFact(takes[i], factTurn), off = fabs(facing - known);
		print_message("%s: turn %.1f, facing %.1f, facts %.0f degrees; %.2f m/s, facts %.2f\n", takes[i], turn, facing,
					  known, (double)v[2], getFact(takes[i], factSpeed));
		sum += off;
		worst = fmax(worst, off);
		apart += fabs(turn - facing) / count;
		speedWorst = fmax(speedWorst, fabs((double)v[2] - getFact(takes[i], factSpeed)));
		// Takes end in the middle of steps, where hips and travel differ.
		assert_true(turn * facing > 0.0 && fabs(turn - facing) < 30.0);
		assert_float_equal(v[3], getFact(takes[i], factPath), 0.08);
	}
	print_message(
		"facing %.2f degrees from the facts on the average, %.2f at most; speed %.3f m/s at most; turn of travel "
		"%.1f degrees from facing\n",
		sum / count, worst, speedWorst, apart);
	assert_true(worst < 1.0 && speedWorst < 0.05);
}

// Who stands before and after has come as far as the jump is long, but for how they sway.
static void testJumps(void** state)
{
	(void)state;
	static const char* const takes[] = {"118_01", "118_03", "118_05", "118_09", "118_12", "118_18",
										"118_23", "118_27", "13_11",  "13_13",  "16_05",  "16_06"};
	int count = sizeof(takes) / sizeof(takes[0]);
	double sum = 0.0, worst = 0.0;
	for (int i = 0; i < count; ++i)
	{
		float v[RP_MAX_PARAMETERS];
		measure(takes[i], "jump_length,jump_turn,flight", true, v);
		double known = getFact(takes[i], factNet), off = fabs((double)v[0] - known);
		print_message("%s: %.3f m, turn %.1f degrees, %.3f s in the air; the root comes %.2f m\n", takes[i],
					  (double)v[0], (double)v[1] / RP_DEGREE, (double)v[2], known);
		sum += off;
		worst = fmax(worst, off);
		assert_true(fabs((double)v[1]) < 12.0 * RP_DEGREE);
		assert_true(v[2] > 0.25f && v[2] < 0.7f);
	}
	print_message("%.0f mm from where the root comes on the average, %.0f at most\n", 1e3 * sum / count, 1e3 * worst);
	assert_true(sum / count < 0.04 && worst < 0.1);
}

// By the manifest's descriptions: people turn about that far.
static void testTurnsInAir(void** state)
{
	(void)state;
	static const struct
	{
		const char* take;
		double angle;
	} cases[] = {{"83_51", 90.0},  {"83_52", 90.0},  {"83_54", 180.0}, {"83_56", 180.0},
				 {"83_58", 270.0}, {"83_61", 360.0}, {"83_64", -360.0}};
	double sum = 0.0;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		float v[RP_MAX_PARAMETERS];
		measure(cases[i].take, "jump_turn,facing,jump_length", true, v);
		double turn = (double)v[0] / RP_DEGREE, facing = (double)v[1] / RP_DEGREE;
		print_message("%s: feet %.1f, body %.1f, asked for %.0f degrees, %.2f m\n", cases[i].take, turn, facing,
					  cases[i].angle, (double)v[2]);
		sum += fabs(turn - facing);
		assert_true(fabs(turn - cases[i].angle) < 20.0 && fabs(facing - cases[i].angle) < 20.0);
	}
	print_message("feet %.1f degrees from the body on the average\n", sum / 7.0);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testWalks), cmocka_unit_test(testJumps),
									   cmocka_unit_test(testTurnsInAir)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
