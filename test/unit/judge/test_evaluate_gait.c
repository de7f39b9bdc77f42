/// The judge's own eyes: stances, steps, knees and hitches from frames alone, on motions whose answer is known.
#include "judge/series.h"
#include "math/order.h"
#include "support.h"
#include "tiny_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rpMotion* performAt(rpAct act, double seconds, double fps, double speed)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = fps;
	def.seconds = seconds;
	if (speed > 0.0)
	{
		def.parameters[rp_paramSpeed] = (float)speed;
	}
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static rpMotion* perform(rpAct act, double seconds)
{
	return performAt(act, seconds, 60.0, 0.0);
}

static rpMeasures evaluate(const rpMotion* motion, const rpMotion* reference)
{
	rpMeasures measures;
	rpError error = {0};
	rpEvaluateDef def = rpDefaultEvaluateDef();
	def.references = &reference;
	def.referenceCount = reference != NULL ? 1 : 0;
	if (!rpEvaluate(motion, &def, &measures, &error))
	{
		fail_msg("%s", error.message);
	}
	return measures;
}

static bool passes(const rpMeasures* measures, rpMeasure measure)
{
	double min, max;
	rpMeasures_GetRange(measures, measure, &min, &max);
	return !(measures->values[measure] > max) && !(measures->values[measure] < min);
}

// Every measure but some is what it was.
static void assertSame(const rpMeasures* a, const rpMeasures* b, double tolerance, rpMeasure but)
{
	for (int i = 0; i < rp_measureCount; ++i)
	{
		double x = a->values[i], y = b->values[i];
		if (i != (int)but && !(isnan(x) && isnan(y)) && !(fabs(x - y) <= tolerance * fmax(1.0, fabs(x))))
		{
			fail_msg("%s was %g and is %g", rpMeasure_GetKey(i), x, y);
		}
	}
}

// ---- feet

// A body that drifts at 0.3 m/s slides on both feet, whatever its contacts say.
static void testDrift(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0);
	rpMeasures before = evaluate(walk, NULL);
	rpMotion* drifting = rpCopyMotion(walk, NULL);
	for (int f = 0; f < drifting->frameCount; ++f)
	{
		drifting->rootPositions[f].x += 0.3f * (float)f / 60.0f;
	}
	rpMeasures after = evaluate(drifting, walk);
	assert_true(before.values[rp_measureSkateRatio] == 0.0 && before.values[rp_measureSlideMax] < 0.1);
	assert_true(after.values[rp_measureSkateRatio] > 0.95 && after.values[rp_measurePushoff] > 0.95);
	assert_float_equal(after.values[rp_measureStanceSpeed], 0.3, 0.03);
	// The middle of a stance: its share of the cycle of two steps, less two frames at both ends and one for the posts.
	double stance = before.values[rp_measureDuty] * 2.0 * before.values[rp_measureStepTime] - 5.0 / 60.0;
	assert_float_equal(after.values[rp_measureSlideMedian], 300.0 * stance, 15.0);
	assert_float_equal(after.values[rp_measureFloor], before.values[rp_measureFloor], 0.1);
	assert_float_equal(after.values[rp_measureKnee], before.values[rp_measureKnee], 0.5);
	assert_false(passes(&after, rp_measureSkateRatio) || passes(&after, rp_measureSlideMedian));
	assert_true(passes(&after, rp_measureFloor) && passes(&after, rp_measureKnee));
	rpDestroyMotion(drifting);
	rpDestroyMotion(walk);
}

// What slides where no contact is stored slides all the same: by the contacts alone this stand is perfect.
static void testSlideBesideContacts(void** state)
{
	(void)state;
	rpMotion* stand = perform(rp_actStand, 4.0);
	rpAnnotations_Clear(&stand->annotations, rp_trackContact, NULL);
	for (rpEffector e = rp_leftHeel; e <= rp_rightToe; ++e)
	{
		rpInterval contact = {.track = rp_trackContact, .start = 0.0, .end = 2.0, .effector = e};
		assert_true(rpAnnotations_AddInterval(&stand->annotations, &contact, NULL));
	}
	for (int f = 120; f < stand->frameCount; ++f)
	{
		stand->rootPositions[f].z += 0.3f * (float)(f - 120) / 60.0f;
	}
	rpMeasures measures = evaluate(stand, NULL);
	assert_float_equal(measures.values[rp_measureSkateRatio], 0.5, 0.05);
	assert_float_equal(measures.values[rp_measureSlideMax], 590.0, 20.0);
	// And no contact where feet rest is a claim that the frames refute.
	assert_float_equal(measures.values[rp_measureContactsDisagree], 0.5, 0.05);
	rpDestroyMotion(stand);
}

static void testRaised(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0);
	rpMotion* raised = rpCopyMotion(walk, NULL);
	for (int f = 0; f < raised->frameCount; ++f)
	{
		raised->rootPositions[f].y += 0.04f;
	}
	rpMeasures before = evaluate(walk, walk), after = evaluate(raised, walk);
	assert_float_equal(after.values[rp_measureFloor] - before.values[rp_measureFloor], 40.0, 0.05);
	// What one frame in 1000 exceeds is another frame where numbers are rounded otherwise: 0.008 m/s of a hitch.
	assertSame(&before, &after, 1e-2, rp_measureFloor);
	assert_true(passes(&before, rp_measureFloor) && !passes(&after, rp_measureFloor));
	rpDestroyMotion(raised);
	rpDestroyMotion(walk);
}

// ---- steps and legs

// A walk whose speed is known goes one step's length in one step's time; its feet come down with its truth's.
static void testSteps(void** state)
{
	(void)state;
	for (int i = 0; i < 3; ++i)
	{
		double speed = 1.0 + 0.3 * i;
		rpMotion* walk = performAt(rp_actWalk, 12.0, 60.0, speed);
		rpMeasures measures = evaluate(walk, NULL);
		double pace = measures.values[rp_measureStepLength] / measures.values[rp_measureStepTime];
		assert_float_equal(pace, speed, 0.06 * speed);
		assert_true(measures.values[rp_measureIrregularity] < 0.1 && measures.stepCount >= 15);
		assert_true(measures.values[rp_measureDuty] > 0.45 && measures.values[rp_measureDuty] < 0.65);
		assert_true(measures.values[rp_measureContactsDisagree] < 0.005);
		rpDestroyMotion(walk);
	}
}

// Every other stride takes one and a half times as long, the ones between three quarters: steps differ.
static void testIrregular(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 12.0);
	rpMeasures even = evaluate(walk, NULL);
	double news[11], olds[11];
	double stride = 2.0 * even.values[rp_measureStepTime];
	for (int i = 0; i < 11; ++i)
	{
		olds[i] = stride * i;
		news[i] = i == 0 ? 0.0 : news[i - 1] + stride * (i % 2 == 0 ? 1.5 : 0.75);
	}
	rpWarp warp = {news, olds, 11, false};
	rpMotion* uneven = rpRetimeMotion(walk, &warp, NULL);
	assert_non_null(uneven);
	rpMeasures measures = evaluate(uneven, walk);
	assert_true(measures.values[rp_measureIrregularity] > 0.3);
	assert_false(passes(&measures, rp_measureIrregularity));
	rpDestroyMotion(uneven);
	rpDestroyMotion(walk);
}

// Knees that are stretched by five degrees show, hips that are not do not.
static void testStraightKnees(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0);
	rpMotion* stiff = rpCopyMotion(walk, NULL);
	int knees[] = {walk->skeleton->roles[rp_roleLeftKnee], walk->skeleton->roles[rp_roleRightKnee]};
	for (int f = 0; f < stiff->frameCount; ++f)
	{
		for (int side = 0; side < 2; ++side)
		{
			rpQuat* q = stiff->rotations + (size_t)f * (size_t)walk->skeleton->jointCount + knees[side];
			*q = rpMulQuat(*q, rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(-5.0 * RP_DEGREE)));
		}
	}
	rpMeasures before = evaluate(walk, walk), after = evaluate(stiff, walk);
	assert_float_equal(before.values[rp_measureKnee] - after.values[rp_measureKnee], 5.0, 0.7);
	assert_float_equal(before.values[rp_measureFlexion], after.values[rp_measureFlexion], 0.01);
	assert_true(passes(&before, rp_measureKnee) && !passes(&after, rp_measureKnee));
	rpDestroyMotion(stiff);
	rpDestroyMotion(walk);
}

// A fast walk is held against the fast one of two references.
static void testPace(void** state)
{
	(void)state;
	rpMotion* fast = performAt(rp_actWalk, 8.0, 60.0, 1.6);
	rpMotion* slow = performAt(rp_actWalk, 20.0, 60.0, 1.0);
	const rpMotion* references[] = {slow, fast};
	rpEvaluateDef def = {.references = references, .referenceCount = 2};
	rpMeasures measures;
	assert_true(rpEvaluate(fast, &def, &measures, NULL));
	assert_float_equal(measures.standards[rp_measureStepLength], measures.values[rp_measureStepLength], 1e-3);
	assert_float_equal(measures.standards[rp_measureStepTime], measures.values[rp_measureStepTime], 1e-3);
	assert_float_equal(measures.standards[rp_measureKnee], measures.values[rp_measureKnee], 0.1);
	measures = evaluate(fast, slow);
	assert_false(passes(&measures, rp_measureStepLength));
	rpDestroyMotion(fast);
	rpDestroyMotion(slow);
}

// ---- hitches

// The hips leap by 13 cm from one frame to the next: 8 m/s. No reference is needed to see that.
static void testHipJump(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0);
	rpMeasures before = evaluate(walk, NULL);
	assert_true(before.values[rp_measureHipJump] < 0.3 && passes(&before, rp_measureHipJump));
	for (int f = 240; f < walk->frameCount; ++f)
	{
		walk->rootPositions[f].z += 8.0f / 60.0f;
	}
	rpMeasures after = evaluate(walk, NULL);
	assert_float_equal(after.values[rp_measureHipJump], 8.0, 0.3);
	assert_float_equal(after.times[rp_measureHipJump], 4.0, 0.05);
	assert_false(passes(&after, rp_measureHipJump));
	rpDestroyMotion(walk);
}

// A wrist that twitches every quarter of a second is the joint that hitches.
static void testHitch(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0);
	rpMotion* twitching = rpCopyMotion(walk, NULL);
	int elbow = walk->skeleton->roles[rp_roleRightElbow];
	for (int f = 0; f < walk->frameCount; f += 15)
	{
		rpQuat* q = twitching->rotations + (size_t)f * (size_t)walk->skeleton->jointCount + elbow;
		*q = rpMulQuat(*q, rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, 0.3f));
	}
	rpMeasures measures = evaluate(twitching, walk);
	assert_int_equal(measures.hitchRole, rp_roleRightWrist);
	assert_true(measures.values[rp_measureHitch] > 3.0 * measures.standards[rp_measureHitch]);
	assert_false(passes(&measures, rp_measureHitch));
	rpDestroyMotion(twitching);
	rpDestroyMotion(walk);
}

// ---- contacts

static void testShiftedContacts(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0);
	assert_true(evaluate(walk, NULL).values[rp_measureContactsDisagree] < 0.002);
	rpMotion* late = rpCopyMotion(walk, NULL);
	rpAnnotations_Clear(&late->annotations, rp_trackContact, NULL);
	for (int i = 0; i < walk->annotations.intervalCount; ++i)
	{
		rpInterval interval = walk->annotations.intervals[i];
		interval.start += 0.3;
		interval.end += 0.3;
		assert_true(interval.track != rp_trackContact ||
					rpAnnotations_AddInterval(&late->annotations, &interval, NULL));
	}
	rpMeasures before = evaluate(walk, NULL), after = evaluate(late, NULL);
	assert_true(after.values[rp_measureContactsDisagree] > 0.3);
	assertSame(&before, &after, 1e-12, rp_measureContactsDisagree);
	rpAnnotations_Clear(&late->annotations, rp_trackContact, NULL);
	assert_true(isnan(evaluate(late, NULL).values[rp_measureContactsDisagree]));
	rpDestroyMotion(late);
	rpDestroyMotion(walk);
}

// A step is above the floor of the time around: no stance is seen there, and nothing is said against the contacts.
static void testStep(void** state)
{
	(void)state;
	rpMotion* climb = perform(rp_actStepUp, 4.0);
	rpMeasures measures = evaluate(climb, NULL);
	assert_true(measures.contactCount >= 6 && measures.values[rp_measureContactsDisagree] < 0.01);
	rpDestroyMotion(climb);
}

// ---- any rate, any place, any side

static void testRates(void** state)
{
	(void)state;
	static const double rates[] = {24.0, 30.0, 50.0, 100.0, 119.88, 240.0};
	rpMotion* walk = performAt(rp_actWalk, 8.0, 60.0, 0.0);
	rpMeasures at60 = evaluate(walk, NULL);
	for (int i = 0; i < 6; ++i)
	{
		rpMotion* other = performAt(rp_actWalk, 8.0, rates[i], 0.0);
		rpMeasures measures = evaluate(other, NULL);
		assert_true(measures.values[rp_measureSkateRatio] < 0.01 && measures.values[rp_measureSlideMax] < 3.0);
		assert_float_equal(measures.values[rp_measureFloor], at60.values[rp_measureFloor], 0.5);
		assert_float_equal(measures.values[rp_measureStepTime], at60.values[rp_measureStepTime], 0.01);
		assert_float_equal(measures.values[rp_measureStepLength], at60.values[rp_measureStepLength], 0.01);
		assert_float_equal(measures.values[rp_measureDuty], at60.values[rp_measureDuty], 0.03);
		assert_float_equal(measures.values[rp_measureKnee], at60.values[rp_measureKnee], 0.5);
		assert_float_equal(measures.values[rp_measureHitch], at60.values[rp_measureHitch], 0.15);
		for (int f = 0; f < other->frameCount; ++f)
		{
			other->rootPositions[f].x += 0.3f * (float)(f / rates[i]);
		}
		assert_true(evaluate(other, NULL).values[rp_measureSkateRatio] > 0.95);
		rpDestroyMotion(other);
	}
	rpDestroyMotion(walk);
}

static void testMirroredAndMoved(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 6.0);
	rpMotion* mirrored = rpMirrorMotion(walk, NULL);
	rpMotion* moved = rpMoveMotion(walk, (rpGroundTransform){1.1f, {3.0f, 0.0f, -2.0f}}, NULL);
	assert_true(mirrored != NULL && moved != NULL);
	rpMeasures before = evaluate(walk, NULL);
	rpMeasures after = evaluate(mirrored, NULL);
	assertSame(&before, &after, 5e-3, rp_measureCount);
	after = evaluate(moved, NULL);
	assertSame(&before, &after, 5e-3, rp_measureCount);
	rpDestroyMotion(mirrored);
	rpDestroyMotion(moved);
	rpDestroyMotion(walk);
}

static void testNothingToMeasure(void** state)
{
	(void)state;
	// No legs: nothing of feet; its joints move all the same.
	rpMotion* tiny = tinyMakeMotion("tiny", 60, 1.0, (TinyPace){0.02f, 0.0f, 0.1f});
	rpMeasures measures = evaluate(tiny, NULL);
	assert_int_equal(measures.stanceCount, 0);
	assert_true(isnan(measures.values[rp_measureSkateRatio]) && isnan(measures.values[rp_measureFloor]));
	assert_true(isnan(measures.values[rp_measureKnee]) && isnan(measures.values[rp_measureContactsDisagree]));
	rpDestroyMotion(tiny);
	// Someone who stands makes no steps; three frames show no stance; one shows no velocity.
	rpMotion* stand = perform(rp_actStand, 2.0);
	measures = evaluate(stand, NULL);
	assert_int_equal(measures.stanceCount, 2);
	assert_true(isnan(measures.values[rp_measureStepTime]) && isnan(measures.values[rp_measureDuty]));
	assert_true(isnan(measures.values[rp_measurePushoff]) && measures.values[rp_measureSkateRatio] == 0.0);
	for (int count = 1; count < 14; count += 4)
	{
		rpMotion* part = rpCropFrames(stand, 0, count, NULL);
		measures = evaluate(part, stand);
		assert_true(measures.stanceCount == (count < 12 ? 0 : 2));
		assert_true(count > 1 || isnan(measures.values[rp_measureHipJump]));
		rpDestroyMotion(part);
	}
	rpDestroyMotion(stand);
}

// Every allocation fails in turn; nothing is lost.
static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* walk = performAt(rp_actWalk, 4.0, 50.0, 0.0);
	assert_true(rpAnnotations_AddEvent(&walk->annotations, "seam", 2.0, NULL));
	const rpMotion* references[] = {walk};
	rpEvaluateDef def = {.references = references, .referenceCount = 1};
	int blocks = testCountLiveBlocks(), n = 0;
	for (bool done = false; !done; ++n)
	{
		rpMeasures measures;
		rpError error = {0};
		testFailAllocation(n);
		done = rpEvaluate(walk, &def, &measures, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 100);
	rpDestroyMotion(walk);
}

// ---- the means, each against the plain method

static void testRunningFloor(void** state)
{
	(void)state;
	enum
	{
		count = 500,
		halfWindow = 90,
	};
	rpVec3 points[count];
	float floor[count], window[2 * halfWindow + 1];
	rpRandom random = rpSeedRandom(7);
	for (int f = 0; f < count; ++f)
	{
		points[f] = (rpVec3){0.0f, rpRandom_Range(&random, 0.0f, 1.0f), 0.0f};
	}
	assert_true(rpFindRunningFloor(points, count, floor, NULL));
	for (int f = 0; f < count; ++f)
	{
		for (int k = -halfWindow; k <= halfWindow; ++k)
		{
			int at = f + k < 0 ? 0 : f + k < count ? f + k : count - 1;
			window[k + halfWindow] = points[at].y;
		}
		qsort(window, 2 * halfWindow + 1, sizeof(float), rpCompareFloats);
		assert_true(floor[f] == window[5]);
	}
}

static void testSamples(void** state)
{
	(void)state;
	rpSamples few = {0}, wanted = {0};
	double median;
	assert_true(isnan(rpSamples_GetQuantile(&few, 0.5)) && isnan(rpSamples_GetMean(&few)));
	for (int i = 4; i >= 0; --i)
	{
		assert_true(rpSamples_Add(&few, i * i, 0.5 * i, NULL));
		assert_true(rpSamples_Add(&wanted, 0.0, 1.4, NULL));
	}
	assert_true(rpGetMedianAtPace(&few, &wanted, &median, NULL) && median == 9.0);
	assert_true(rpSamples_GetWorstKey(&few) == 2.0 && rpSamples_GetMean(&few) == 6.0);
	assert_float_equal(rpSamples_GetShareAbove(&few, 4.0), 0.4, 1e-9);
	assert_float_equal(rpSamples_GetQuantile(&few, 0.9), 9.0 + 0.6 * 7.0, 1e-6);
	rpSamples_Free(&few);
	rpSamples_Free(&wanted);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testDrift),
		cmocka_unit_test(testSlideBesideContacts),
		cmocka_unit_test(testRaised),
		cmocka_unit_test(testSteps),
		cmocka_unit_test(testIrregular),
		cmocka_unit_test(testStraightKnees),
		cmocka_unit_test(testPace),
		cmocka_unit_test(testHipJump),
		cmocka_unit_test(testHitch),
		cmocka_unit_test(testShiftedContacts),
		cmocka_unit_test(testRates),
		cmocka_unit_test(testMirroredAndMoved),
		cmocka_unit_test(testNothingToMeasure),
		cmocka_unit_test(testRunningFloor),
		cmocka_unit_test(testSamples),
		cmocka_unit_test(testStep),
		cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
