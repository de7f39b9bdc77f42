/// Blends of performances: what their truth promises, the blend must keep.
#include "blend_scene.h"
#include "edit_scene.h"

#include "reprise/analysis.h"
#include "reprise/play/body.h"

#include <string.h>

static rpRegistration* registerTwo(rpMotion* const motions[2], bool freeEnds)
{
	rpRegistrationDef def = rpDefaultRegistrationDef();
	def.freeEnds = freeEnds;
	rpError error = {0};
	rpRegistration* registration = rpCreateRegistration((const rpMotion* const*)motions, 2, &def, &error);
	if (registration == NULL)
	{
		print_error("%s\n", error.message);
	}
	assert_non_null(registration);
	return registration;
}

static float measureSpeed(const rpMotion* motion)
{
	rpVec3 displacement = rpSub(motion->rootPositions[motion->frameCount - 1], motion->rootPositions[0]);
	displacement.y = 0.0f;
	return rpLength(displacement) / (float)rpMotion_GetDuration(motion);
}

static rpMotion* moveAway(rpMotion* motion, rpGroundTransform ground)
{
	rpMotion* moved = rpMoveMotion(motion, ground, NULL);
	assert_non_null(moved);
	rpDestroyMotion(motion);
	return moved;
}

static void testOriginals(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actWalk, rp_paramTurn, 0.0f, 4.0),
							testPerformOne(rp_actWalk, rp_paramTurn, 0.6f, 4.0)};
	motions[0] = moveAway(motions[0], (rpGroundTransform){0.0f, {12.0f, 0.0f, 11.0f}});
	motions[1] = moveAway(motions[1], (rpGroundTransform){2.5f, {-10.0f, 0.0f, -14.0f}});
	rpRegistration* registration = registerTwo(motions, false);
	assert_true(registration->stageCount > 10);
	for (int motion = 0; motion < 2; ++motion)
	{
		testCheckOriginal(registration, motion, rp_blendPlain);
		testCheckOriginal(registration, motion, rp_blendPhysical);
	}
	testDestroyTwo(motions, registration);
}

// Walks of different speed: the speed in between, no foot slides, nothing pops.
static void testWalks(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actWalk, rp_paramSpeed, 1.0f, 4.0),
							testPerformOne(rp_actWalk, rp_paramSpeed, 1.8f, 4.0)};
	rpRegistration* registration = registerTwo(motions, true);
	assert_true(registration->stageCount > 0);
	float last = 0.95f;
	for (int i = 1; i < 4; ++i)
	{
		rpBlendReport report;
		rpMotion* result = testBlendTwo(registration, 0.25f * (float)i, rp_blendAuto, &report);
		float speed = measureSpeed(result);
		assert_int_equal(report.scheme, rp_blendPhysical);
		assert_string_equal(report.reason, "");
		assert_int_equal(report.flightCount, 0);
		assert_true(speed > last + 0.1f && speed < 1.8f);
		assert_true(testMeasureSlide(result) < 1e-3f);
		assert_true(report.velocityJump < 0.02f);
		assert_true(report.footMiss < 1e-3f);
		assert_true(testMeasureAcceleration(result) <
					1.1f * fmaxf(testMeasureAcceleration(motions[0]), testMeasureAcceleration(motions[1])));
		testCheckMotion(result);
		testCheckAnnotations(result);
		rpDestroyMotion(result);
		last = speed;
	}
	testDestroyTwo(motions, registration);
}

// The same length of each phase, by the rule.
static void checkPhaseTimes(const rpRegistration* r, double weight, const rpMotion* result)
{
	double end = 0.0;
	for (int i = 0; i < r->stageCount; ++i)
	{
		double a = r->times[r->stages[i].lastKey] - r->times[r->stages[i].firstKey];
		double b = r->times[r->keyCount + r->stages[i].lastKey] - r->times[r->keyCount + r->stages[i].firstKey];
		end += sqrt((1.0 - weight) * a * a + weight * b * b);
	}
	assert_int_equal(result->frameCount, (int)floor(end * result->fps + 1e-3) + 1);
}

// Those that the ends cut are too short to judge.
static void checkFlights(const rpMotion* result, int expected)
{
	rpFlight flights[64];
	int count = rpFindFlights(result, flights, 64, NULL), longCount = 0;
	for (int i = 0; i < count; ++i)
	{
		if (flights[i].end - flights[i].start > 0.05)
		{
			++longCount;
			assert_true(flights[i].residual < 1e-3f);
			assert_float_equal(flights[i].gravity, 9.81f, 0.1f);
		}
	}
	assert_int_equal(longCount, expected);
}

static void testRuns(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actRun, rp_paramSpeed, 2.5f, 3.0),
							testPerformOne(rp_actRun, rp_paramSpeed, 4.0f, 3.0)};
	rpRegistration* registration = registerTwo(motions, true);
	assert_true(registration->stageCount > 6);
	rpBlendReport report;
	rpMotion* result = testBlendTwo(registration, 0.4f, rp_blendAuto, &report);
	float speed = measureSpeed(result);
	assert_int_equal(report.scheme, rp_blendPhysical);
	assert_true(report.flightCount > 3);
	assert_int_equal(report.phaseCount, registration->stageCount);
	assert_true(speed > 2.8f && speed < 3.7f);
	assert_true(testMeasureSlide(result) < 1e-3f);
	assert_true(report.velocityJump < 0.1f);
	checkFlights(result, report.flightCount);
	checkPhaseTimes(registration, 0.4, result);

	// The same at another rate.
	rpBlendDef def = rpDefaultBlendDef();
	const float weights[2] = {0.6f, 0.4f};
	def.weights = weights;
	def.fps = 240.0;
	rpMotion* finer = rpRegistration_Blend(registration, &def, NULL, NULL);
	assert_non_null(finer);
	assert_true(finer->fps == 240.0);
	assert_in_range(finer->frameCount, 2 * result->frameCount - 1, 2 * result->frameCount);
	for (int frame = 0; frame < result->frameCount; ++frame)
	{
		assert_true(rpDistance(result->rootPositions[frame], finer->rootPositions[2 * frame]) < 2e-3f);
	}
	rpDestroyMotion(finer);
	rpDestroyMotion(result);
	testDestroyTwo(motions, registration);
}

// A short jump and a long one: the flight between them lasts as the rule says and is a parabola.
static void testJumps(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actJump, rp_paramDistance, 0.5f, 0.0),
							testPerformOne(rp_actJump, rp_paramDistance, 1.5f, 0.0)};
	TestPair pair;
	testRegisterJumps(&pair, motions);
	for (int i = 0; i <= 4; ++i)
	{
		double weight = 0.25 * i;
		rpBlendReport report;
		rpMotion* result = testBlendTwo(&pair.registration, (float)weight, rp_blendAuto, &report);
		assert_int_equal(report.scheme, rp_blendPhysical);
		assert_int_equal(report.flightCount, 1);
		checkFlights(result, 1);
		checkPhaseTimes(&pair.registration, weight, result);
		rpFlight flight;
		assert_int_equal(rpFindFlights(result, &flight, 1, NULL), 1);
		double a = pair.times[2] - pair.times[1], b = pair.times[6] - pair.times[5];
		assert_float_equal(flight.end - flight.start, sqrt((1.0 - weight) * a * a + weight * b * b), 2e-3);
		rpVec3 displacement = rpSub(result->rootPositions[result->frameCount - 1], result->rootPositions[0]);
		assert_float_equal(displacement.z, 0.5 + weight, 0.08);
		assert_true(report.velocityJump < 0.3f);
		assert_true(testMeasureSlide(result) < 1e-3f);
		assert_true(testMeasureAcceleration(result) <
					1.1f * fmaxf(testMeasureAcceleration(motions[0]), testMeasureAcceleration(motions[1])));
		rpDestroyMotion(result);
	}
	testDestroyTwo(motions, NULL);
}

// The same with a registration that was found, though one lands on its heels and the other on its balls.
static void testFoundJumps(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actJump, rp_paramDistance, 0.5f, 0.0),
							testPerformOne(rp_actJump, rp_paramDistance, 1.5f, 0.0)};
	rpRegistration* registration = registerTwo(motions, false);
	assert_true(registration->stageCount > 2);
	rpBlendReport report;
	rpMotion* result = testBlendTwo(registration, 0.5f, rp_blendAuto, &report);
	assert_int_equal(report.scheme, rp_blendPhysical);
	checkFlights(result, 1);
	checkPhaseTimes(registration, 0.5, result);
	assert_true(testMeasureSlide(result) < 1e-3f);
	assert_true(report.velocityJump < 0.1f);
	rpDestroyMotion(result);
	testDestroyTwo(motions, registration);
}

// A jump ahead and one with a turn in the air: half the turn, the centre of mass on a parabola over a straight line.
static void testTurningJumps(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actJump, rp_paramAngle, 0.0f, 0.0),
							testPerformOne(rp_actJump, rp_paramAngle, 1.5f, 0.0)};
	rpRegistration* registration = registerTwo(motions, false);
	assert_true(registration->stageCount > 2);
	rpBlendReport report;
	rpMotion* result = testBlendTwo(registration, 0.5f, rp_blendAuto, &report);
	assert_int_equal(report.flightCount, 1);
	checkFlights(result, 1);
	float turn = rpHeading(rpMotion_GetRotations(result, result->frameCount - 1)[0]) -
				 rpHeading(rpMotion_GetRotations(result, 0)[0]);
	assert_float_equal(turn, 0.75f, 0.1f);
	assert_true(testMeasureSlide(result) < 1e-3f);
	rpDestroyMotion(result);
	testDestroyTwo(motions, registration);
}

static rpVec3 getFist(const rpMotion* motion)
{
	double best = 0.0;
	rpVec3 place = rpVec3_zero;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpVec3 hand;
		assert_true(rpMotion_GetEffector(motion, frame, rp_rightHand, &hand));
		double reach = (double)hand.z;
		place = reach > best ? hand : place;
		best = fmax(best, reach);
	}
	return place;
}

// Punches at two heights: the fist reaches its farthest in between.
static void testPunches(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actPunch, rp_paramHeight, 1.2f, 0.0),
							testPerformOne(rp_actPunch, rp_paramHeight, 1.6f, 0.0)};
	rpRegistration* registration = registerTwo(motions, false);
	rpVec3 low = getFist(motions[0]), high = getFist(motions[1]);
	for (int i = 1; i < 4; ++i)
	{
		rpMotion* result = testBlendTwo(registration, 0.25f * (float)i, rp_blendAuto, NULL);
		rpVec3 fist = getFist(result);
		assert_float_equal(fist.y, low.y + 0.25f * (float)i * (high.y - low.y), 0.04f);
		assert_true(testMeasureSlide(result) < 1e-3f);
		rpDestroyMotion(result);
	}
	testDestroyTwo(motions, registration);
}

// Weights that change from the one to the other: it starts as the one and ends as the other, and nothing pops.
static void testChangingWeights(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actRun, rp_paramSpeed, 2.5f, 3.0),
							testPerformOne(rp_actRun, rp_paramSpeed, 4.0f, 3.0)};
	rpRegistration* registration = registerTwo(motions, true);
	const float weights[] = {1.0f, 0.0f, 1.0f, 0.0f, 0.0f, 3.0f, 0.0f, 1.0f}, keys[] = {0.0f, 0.25f, 0.75f, 1.0f};
	for (int scheme = rp_blendPlain; scheme <= rp_blendPhysical; ++scheme)
	{
		rpBlendDef def = {weights, keys, 4, (rpBlendScheme)scheme, 120.0};
		rpBlendReport report;
		rpMotion* result = rpRegistration_Blend(registration, &def, &report, NULL);
		assert_non_null(result);
		assert_int_equal(report.scheme, scheme);
		int last = result->frameCount - 1, span = 40;
		float first = rpDistance(result->rootPositions[span], result->rootPositions[0]) * 120.0f / (float)span;
		float final =
			rpDistance(result->rootPositions[last - span], result->rootPositions[last]) * 120.0f / (float)span;
		assert_true(first < 3.0f && final > 3.4f);
		assert_true(testMeasureAcceleration(result) < 1.3f * testMeasureAcceleration(motions[1]));
		if (scheme == rp_blendPhysical)
		{
			checkFlights(result, report.flightCount);
			assert_true(testMeasureSlide(result) < 1e-3f);
		}
		rpDestroyMotion(result);
	}
	testDestroyTwo(motions, registration);
}

static void testNotes(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actWalk, rp_paramTurn, 0.0f, 4.0),
							testPerformOne(rp_actWalk, rp_paramTurn, 0.6f, 4.0)};
	rpError error = {0};
	assert_true(rpMotion_SetName(motions[0], "straight", &error) && rpMotion_SetName(motions[1], "curve", &error));
	rpRegistration* registration = registerTwo(motions, false);
	for (int scheme = rp_blendPlain; scheme <= rp_blendPhysical; ++scheme)
	{
		rpMotion* result = testBlendTwo(registration, 0.25f, (rpBlendScheme)scheme, NULL);
		testCheckAnnotations(result);
		assert_string_equal(result->name, "straight+curve");
		int contacts = rpMotion_GetIntervals(motions[0], rp_trackContact, NULL, 0);
		assert_in_range(rpMotion_GetIntervals(result, rp_trackContact, NULL, 0), contacts - 2, contacts);
		assert_int_equal(rpMotion_GetIntervals(result, rp_trackLabel, NULL, 0),
						 rpMotion_GetIntervals(motions[0], rp_trackLabel, NULL, 0));
		rpInterval sources[64];
		int sourceCount = rpMotion_GetIntervals(result, rp_trackSource, sources, 64);
		assert_in_range(sourceCount, 2, 64);

		// The turn asked for is the mean of those; the centre of mass is where its curve has it.
		const rpCurve* turn = rpAnnotations_FindCurve(&result->annotations, rpParameter_GetKey(rp_paramTurn));
		assert_non_null(turn);
		float value, center[3];
		rpCurve_Sample(turn, 1.0, &value);
		const rpCurve* asked = rpAnnotations_FindCurve(&motions[1]->annotations, rpParameter_GetKey(rp_paramTurn));
		assert_float_equal(value, 0.25f * asked->values[0], 1e-4f);
		rpBody body;
		assert_true(rpWeighSkeleton(result->skeleton, NULL, &body, NULL));
		rpTransform world[RP_MAX_JOINTS];
		rpMotion_Forward(result, 200, world);
		rpVec3 real = rpBody_GetCenter(&body, world);
		rpCurve_Sample(rpAnnotations_FindCurve(&result->annotations, "com"), 200 / result->fps, center);
		assert_true(rpDistance(real, (rpVec3){center[0], center[1], center[2]}) <
					(scheme == rp_blendPhysical ? 1e-3f : 0.03f));
		rpDestroyMotion(result);
	}
	testDestroyTwo(motions, registration);
}

// The farthest that a joint is from where another motion has it in the same frame, seen from the root, metres.
static float compareFrames(const rpMotion* a, const rpMotion* b)
{
	rpTransform worldA[RP_MAX_JOINTS], worldB[RP_MAX_JOINTS];
	float worst = 0.0f;
	for (int frame = 0; frame < a->frameCount && frame < b->frameCount; ++frame)
	{
		rpMotion_Forward(a, frame, worldA);
		rpMotion_Forward(b, frame, worldB);
		for (int i = 1; i < a->skeleton->jointCount; ++i)
		{
			rpVec3 inA = rpSub(worldA[i].p, worldA[0].p), inB = rpSub(worldB[i].p, worldB[0].p);
			worst = fmaxf(worst, rpDistance(inA, inB));
		}
	}
	return worst;
}

// A little of the other motion changes a little: nothing depends on whether it has any weight.
static void testSmallWeights(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformOne(rp_actJump, rp_paramDistance, 0.5f, 0.0),
							testPerformOne(rp_actJump, rp_paramDistance, 1.5f, 0.0)};
	rpRegistration* registration = registerTwo(motions, false);
	for (int scheme = rp_blendPlain; scheme <= rp_blendPhysical; ++scheme)
	{
		for (int end = 0; end < 2; ++end)
		{
			float nearly = end == 0 ? 1e-3f : 1.0f - 1e-3f;
			rpMotion* all = testBlendTwo(registration, (float)end, (rpBlendScheme)scheme, NULL);
			rpMotion* nearlyAll = testBlendTwo(registration, nearly, (rpBlendScheme)scheme, NULL);
			assert_true(compareFrames(all, nearlyAll) < 3e-3f);
			rpDestroyMotion(all);
			rpDestroyMotion(nearlyAll);
		}
	}
	testDestroyTwo(motions, registration);
}

// The turn of a steady path to the left, rad/s: the line through the headings of all frames, as the pelvis swings to
// and fro on it.
static double measureTurning(const rpMotion* motion)
{
	double heading = 0.0, middle = 0.5 * (motion->frameCount - 1), sum = 0.0, squares = 0.0;
	for (int frame = 1; frame < motion->frameCount; ++frame)
	{
		heading += (double)rpWrapAngle(rpHeading(rpMotion_GetRotations(motion, frame)[0]) -
									   rpHeading(rpMotion_GetRotations(motion, frame - 1)[0]));
		sum += (frame - middle) * heading;
		squares += (frame - middle) * (frame - middle);
	}
	squares += middle * middle;
	return sum / squares * motion->fps;
}

// Three walks: all of one is that one, a third of each is between them.
static void testThreeWalks(void** state)
{
	(void)state;
	const float turns[3] = {-0.4f, 0.0f, 0.6f};
	rpMotion* motions[3];
	for (int i = 0; i < 3; ++i)
	{
		motions[i] = testPerformOne(rp_actWalk, rp_paramTurn, turns[i], 4.0);
	}
	rpRegistration* registration = rpCreateRegistration((const rpMotion* const*)motions, 3, NULL, NULL);
	assert_non_null(registration);
	assert_true(registration->stageCount > 10);
	for (int i = 0; i < 3; ++i)
	{
		testCheckOriginal(registration, i, rp_blendPhysical);
		testCheckOriginal(registration, i, rp_blendPlain);
	}
	rpBlendReport report;
	rpMotion* third = rpRegistration_Blend(registration, NULL, &report, NULL);
	assert_non_null(third);
	assert_int_equal(report.scheme, rp_blendPhysical);
	assert_true(testMeasureSlide(third) < 1e-3f);
	double seconds = rpMotion_GetDuration(third);
	assert_float_equal(measureTurning(third) * seconds, 0.2 / 3.0 * seconds, 0.1);
	rpDestroyMotion(third);
	rpDestroyRegistration(registration);
	for (int i = 0; i < 3; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testOriginals),  cmocka_unit_test(testWalks),           cmocka_unit_test(testRuns),
		cmocka_unit_test(testJumps),      cmocka_unit_test(testFoundJumps),      cmocka_unit_test(testTurningJumps),
		cmocka_unit_test(testPunches),    cmocka_unit_test(testChangingWeights), cmocka_unit_test(testNotes),
		cmocka_unit_test(testThreeWalks), cmocka_unit_test(testSmallWeights),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
