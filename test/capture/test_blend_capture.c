/// Blends of captured walks, runs, jumps and punches: each half of two, and all of one.
#include "blend_scene.h"
#include "edit_scene.h"

#include "reprise/analysis.h"
#include "reprise/registration.h"

#include <stdio.h>

// Seconds before and after the fastest moment of a hand that make a punch.
#define PUNCH 0.5

static float measureSpeed(const rpMotion* motion, double start, double end)
{
	double travelled = 0.0;
	int first = rpMotion_GetFrame(motion, start), last = rpMotion_GetFrame(motion, end);
	for (int frame = first; frame < last; ++frame)
	{
		rpVec3 step = rpSub(motion->rootPositions[frame + 1], motion->rootPositions[frame]);
		step.y = 0.0f;
		travelled += (double)rpLength(step);
	}
	return (float)(travelled / (end - start));
}

// Half of each: as fast as between them, as smooth as the rougher of them.
static void checkHalf(const rpRegistration* r, const char* name, rpBlendScheme scheme)
{
	rpBlendReport report;
	rpMotion* half = testBlendTwo(r, 0.5f, scheme, &report);
	testCheckMotion(half);
	testCheckAnnotations(half);
	const double *a = r->times, *b = r->times + r->keyCount;
	int last = r->keyCount - 1;
	float speedA = measureSpeed(r->motions[0], a[0], a[last]), speedB = measureSpeed(r->motions[1], b[0], b[last]);
	float speed = measureSpeed(half, 0.0, rpMotion_GetDuration(half));
	float rough = fmaxf(testMeasureAcceleration(r->motions[0]), testMeasureAcceleration(r->motions[1]));
	float own = testMeasureAcceleration(half);
	printf("%s: %s, %d phases, %d flights, jump %.3f m/s, miss %.2f mm, speed %.2f of %.2f and %.2f m/s, %.0f of %.0f "
		   "m/s2\n",
		   name, report.scheme == rp_blendPhysical ? "physical" : "plain", report.phaseCount, report.flightCount,
		   (double)report.velocityJump, 1e3 * (double)report.footMiss, (double)speed, (double)speedA, (double)speedB,
		   (double)own, (double)rough);
	assert_true(speed > 0.85f * fminf(speedA, speedB) - 0.05f && speed < 1.1f * fmaxf(speedA, speedB) + 0.05f);
	assert_true(own < 1.15f * rough);
	assert_true(report.velocityJump < 0.5f);
	assert_true(report.footMiss < 0.01f);
	rpDestroyMotion(half);
}

// Takes both motions.
static void check(const char* name, rpMotion* a, rpMotion* b)
{
	rpMotion* motions[2] = {a, b};
	for (int i = 0; i < 2; ++i)
	{
		assert_true(rpDetectContacts(motions[i], NULL, NULL, NULL));
	}
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.freeEnds = true;
	rpError error = {0};
	rpRegistration* r = rpCreateRegistration((const rpMotion* const*)motions, 2, &def, &error);
	if (r == NULL)
	{
		print_error("%s: %s\n", name, error.message);
	}
	assert_non_null(r);
	for (int scheme = rp_blendPlain; scheme <= rp_blendPhysical; ++scheme)
	{
		checkHalf(r, name, (rpBlendScheme)scheme);
		testCheckOriginal(r, 0, (rpBlendScheme)scheme);
		testCheckOriginal(r, 1, (rpBlendScheme)scheme);
	}
	rpDestroyRegistration(r);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

static void testWalks(void** state)
{
	(void)state;
	check("walks of two speeds", testLoadTake("16_15"), testLoadTake("16_21"));
	check("walks, one of them veers", testLoadTake("16_16"), testLoadTake("16_12"));
	check("walks that turn", testLoadTake("16_17"), testLoadTake("16_18"));
}

static void testRuns(void** state)
{
	(void)state;
	check("runs", testLoadTake("16_35"), testLoadTake("16_45"));
	check("runs ahead and to the side", testLoadTake("16_45"), testLoadTake("16_39"));
}

static void testJumps(void** state)
{
	(void)state;
	check("forward jumps", testLoadTake("16_05"), testLoadTake("16_06"));
	check("jumps of 118", testLoadTake("118_01"), testLoadTake("118_03"));
}

// A stretch about the fastest moment of the right hand after a time.
static rpMotion* cutPunch(const rpMotion* motion, double after, double before)
{
	double best = 0.0, moment = after;
	rpVec3 last, hand;
	int first = rpMotion_GetFrame(motion, after);
	assert_true(rpMotion_GetEffector(motion, first, rp_rightHand, &last));
	for (int frame = first + 1; frame < motion->frameCount && frame < before * motion->fps; ++frame)
	{
		assert_true(rpMotion_GetEffector(motion, frame, rp_rightHand, &hand));
		double speed = (double)rpDistance(hand, last) * motion->fps;
		moment = speed > best ? frame / motion->fps : moment;
		best = fmax(best, speed);
		last = hand;
	}
	assert_true(best > 3.0);
	rpMotion* punch = rpCropMotion(motion, fmax(moment - PUNCH, 0.0), moment + PUNCH, NULL);
	assert_non_null(punch);
	return punch;
}

static void testPunches(void** state)
{
	(void)state;
	rpMotion* lunges = testLoadTake("135_09");
	check("lunge punches", cutPunch(lunges, 1.5, 3.5), cutPunch(lunges, 5.0, 7.5));
	rpDestroyMotion(lunges);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testWalks),
		cmocka_unit_test(testRuns),
		cmocka_unit_test(testJumps),
		cmocka_unit_test(testPunches),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
