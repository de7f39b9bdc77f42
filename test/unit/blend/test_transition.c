/// Transitions between two motions: frames, times, place, errors.
#include "edit_scene.h"
#include "performance.h"
#include "seams.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rpMotion* makeMotion(const char* name, double fps, int frameCount, uint64_t seed)
{
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, name, fps, frameCount, seed);
	rpReleaseSkeleton(body);
	assert_non_null(motion);
	return motion;
}

static rpMotion* join(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpTransitionDef* def,
					  rpTransitionReport* report)
{
	rpError error = {0};
	rpMotion* motion = rpMakeTransition(a, ta, b, tb, def, report, &error);
	if (motion == NULL)
	{
		fail_msg("%s", error.message);
	}
	testCheckMotion(motion);
	testCheckAnnotations(motion);
	return motion;
}

// Equations 4.11-4.13 written out, with L = 7 at 30 Hz: 15 frames are blended, k = 0 … 2L.
static void testEquations(void** state)
{
	(void)state;
	enum
	{
		L = 7,
		i = 20,
		j = 31,
	};
	rpMotion *a = makeMotion("a", 30.0, 50, 1), *b = makeMotion("b", 30.0, 60, 2);
	rpTransitionDef def = rpDefaultTransitionDef();
	rpTransitionReport report;
	rpGroundTransform ground = {0.7f, {1.0f, 0.0f, -2.0f}};
	def.seconds = (2 * L + 2) / 30.0;
	def.alignment = &ground;
	rpMotion* result = join(a, i / 30.0, b, j / 30.0, &def, &report);
	assert_int_equal(result->frameCount, i + (60 - j));
	assert_true(fabs(report.start - (i - L - 1) / 30.0) < 1e-9 && fabs(report.end - (i + L + 1) / 30.0) < 1e-9);
	for (int k = 0; k <= 2 * L; ++k)
	{
		double t = (k + 1.0) / (2 * L + 2.0);
		float alpha = (float)(2.0 * t * t * t - 3.0 * t * t + 1.0);
		rpVec3 p = a->rootPositions[i - L + k], q = rpGroundTransform_Apply(ground, b->rootPositions[j - L + k]);
		rpVec3 mixed = rpAdd(rpScale(alpha, p), rpScale(1.0f - alpha, q));
		assert_true(rpDistance(mixed, result->rootPositions[i - L + k]) < 1e-5f);
		for (int joint = 0; joint < 10; ++joint)
		{
			rpQuat qa = rpMotion_GetRotations(a, i - L + k)[joint], qb = rpMotion_GetRotations(b, j - L + k)[joint];
			qb = joint == 0 ? rpMulQuat(rpYaw(ground.turn), qb) : qb;
			rpQuat found = rpMotion_GetRotations(result, i - L + k)[joint];
			assert_true(rpAngleBetween(rpSlerp(qb, qa, alpha), found) < 2e-3f);
		}
	}
	// Before it the frames are a's, to the bit; after it b's, moved.
	assert_memory_equal(result->rotations, a->rotations, (i - L) * 10 * sizeof(rpQuat));
	assert_memory_equal(result->rootPositions, a->rootPositions, (i - L) * sizeof(rpVec3));
	for (int frame = i + L + 1; frame < result->frameCount; ++frame)
	{
		rpVec3 expected = rpGroundTransform_Apply(ground, b->rootPositions[frame - i + j]);
		assert_true(rpDistance(expected, result->rootPositions[frame]) < 1e-6f);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(result);
}

// The blend starts at a's moment and ends at b's.
static void testEndsAnchor(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 30.0, 60, 1), *b = makeMotion("b", 30.0, 60, 2);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		rpTransitionReport report;
		def.kind = (rpTransitionKind)kind;
		def.anchor = rp_anchorEnds;
		rpMotion* result = join(a, 1.0, b, 1.0, &def, &report);
		assert_true(fabs(report.start - 1.0) < 1e-9 && fabs(report.end - 1.5) < 1e-9 &&
					fabs(report.bStart - 0.5) < 1e-9);
		assert_memory_equal(result->rotations, a->rotations, 30 * 10 * sizeof(rpQuat));
		// Frame 45 is b's frame 30.
		for (int joint = 1; joint < 10; ++joint)
		{
			assert_true(rpAngleBetween(rpMotion_GetRotations(result, 45)[joint], rpMotion_GetRotations(b, 30)[joint]) <
						1e-3f);
		}
		assert_int_equal(result->frameCount, 45 + 30);
		rpDestroyMotion(result);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// From a motion to itself elsewhere on the floor: every kind gives the motion back, and the transform to there is
// found.
static void testSelf(void** state)
{
	(void)state;
	rpMotion* a = makeMotion("a", 60.0, 120, 3);
	rpGroundTransform ground = {2.5f, {-3.0f, 0.0f, 4.0f}}, back = rpGroundTransform_Invert(ground);
	rpMotion* b = rpMoveMotion(a, ground, NULL);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		rpTransitionReport report;
		def.kind = (rpTransitionKind)kind;
		rpMotion* result = join(a, 1.0, b, 1.0, &def, &report);
		assert_true(testMeasureDistance(a, result) < 2e-4f);
		assert_true(report.distance < 1e-3f && rpDistance(report.alignment.shift, back.shift) < 1e-4f);
		assert_true(fabsf(rpWrapAngle(report.alignment.turn - back.turn)) < 1e-4f);
		rpDestroyMotion(result);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// The distance and the alignment are those of the metric's default, for a blend as long as its window.
static void testMetric(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 30.0, 60, 1), *b = makeMotion("b", 30.0, 60, 2);
	rpMetricDef metricDef = rpDefaultMetricDef();
	rpMetric* metric = rpCreateMetric(a->skeleton, &metricDef, NULL);
	rpProfile *first = rpCreateProfile(metric, a, NULL), *second = rpCreateProfile(metric, b, NULL);
	assert_true(first != NULL && second != NULL);
	rpTransitionDef def = rpDefaultTransitionDef();
	for (int i = 10; i < 50; i += 7)
	{
		rpTransitionReport report;
		rpGroundTransform alignment;
		rpMotion* result = join(a, i / 30.0, b, (60 - i) / 30.0, &def, &report);
		double distance = rpMetric_Distance(metric, first, i, second, 60 - i, &alignment);
		assert_true(fabs(distance - (double)report.distance) < 1e-4);
		assert_true(fabsf(rpWrapAngle(alignment.turn - report.alignment.turn)) < 1e-3f);
		assert_true(rpDistance(alignment.shift, report.alignment.shift) < 1e-3f);
		rpDestroyMotion(result);
	}
	rpDestroyProfile(first);
	rpDestroyProfile(second);
	rpDestroyMetric(metric);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// b at another rate is sampled at a's times.
static void testRates(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 60.0, 120, 1), *b = makeMotion("b", 60.0, 120, 2),
			 *fast = makeMotion("b", 240.0, 477, 2);
	rpMotion* odd = makeMotion("b", 59.94, 119, 2);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		def.kind = (rpTransitionKind)kind;
		rpMotion* expected = join(a, 1.0, b, 1.0, &def, NULL);
		rpMotion* found = join(a, 1.0, fast, 1.0, &def, NULL);
		assert_true(found->fps == 60.0 && testMeasureDistance(expected, found) < 2e-3f);
		rpDestroyMotion(found);
		found = join(a, 1.0, odd, 1.0, &def, NULL);
		assert_int_equal(found->frameCount, 60 + (int)floor((118 - 60) / 59.94 * 60.0 + 1e-3) + 1);
		rpDestroyMotion(found);
		rpDestroyMotion(expected);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(fast);
	rpDestroyMotion(odd);
}

// A blend of no length is a jump cut, put where it fits.
static void testCut(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 30.0, 50, 1), *b = makeMotion("b", 30.0, 60, 2);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		rpTransitionReport report;
		def.kind = (rpTransitionKind)kind;
		def.seconds = 0.0;
		rpMotion* result = join(a, 49 / 30.0, b, 0.0, &def, &report);
		assert_int_equal(result->frameCount, 49 + 60);
		assert_memory_equal(result->rotations, a->rotations, 49 * 10 * sizeof(rpQuat));
		for (int frame = 0; frame < 60; ++frame)
		{
			rpVec3 expected = rpGroundTransform_Apply(report.alignment, b->rootPositions[frame]);
			assert_true(rpDistance(expected, result->rootPositions[49 + frame]) < 1e-5f);
		}
		rpDestroyMotion(result);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Displacements reach to the very ends of the motions; the cross-fade needs room.
static void testNearEnds(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 30.0, 50, 1), *b = makeMotion("b", 30.0, 60, 2);
	rpTransitionDef def = rpDefaultTransitionDef();
	for (int kind = rp_transitionDisplace; kind <= rp_transitionInertial; ++kind)
	{
		def.kind = (rpTransitionKind)kind;
		rpMotion* result = join(a, 49 / 30.0, b, 0.0, &def, NULL);
		assert_int_equal(result->frameCount, 49 + 60);
		rpDestroyMotion(result);
		result = join(a, 0.0, b, 59 / 30.0, &def, NULL);
		assert_int_equal(result->frameCount, 1);
		rpDestroyMotion(result);
	}
	// One blended frame less than the blend has on either side: seven of them for half a second at 30 Hz.
	def.kind = rp_transitionFade;
	def.seconds = 16.0 / 30.0;
	rpMotion* result = join(a, 42 / 30.0, b, 7 / 30.0, &def, NULL);
	rpDestroyMotion(result);
	rpError error = {0};
	assert_null(rpMakeTransition(a, 43 / 30.0, b, 7 / 30.0, &def, NULL, &error));
	assert_non_null(strstr(error.message, "\"a\" is too short"));
	assert_non_null(strstr(error.message, "needs 0.033 s more after its end"));
	assert_null(rpMakeTransition(a, 42 / 30.0, b, 5 / 30.0, &def, NULL, &error));
	assert_non_null(strstr(error.message, "needs 0.067 s more before its start"));
	assert_non_null(strstr(error.hint, "0.067 s later"));
	def.anchor = rp_anchorEnds;
	assert_null(rpMakeTransition(a, 40 / 30.0, b, 59 / 30.0, &def, NULL, &error));
	assert_null(rpMakeTransition(a, 0.0, b, 0.2, &def, NULL, &error));
	result = join(a, 0.0, b, 59 / 30.0, &def, NULL);
	assert_int_equal(result->frameCount, 17);
	rpDestroyMotion(result);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// Bones that change their lengths are blended like everything else.
static void testTranslations(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 30.0, 60, 1), *b = makeMotion("b", 30.0, 60, 2);
	testAddTranslations(b);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		def.kind = (rpTransitionKind)kind;
		rpMotion *there = join(a, 1.0, b, 1.0, &def, NULL), *back = join(b, 1.0, a, 1.0, &def, NULL);
		assert_non_null(there->translations);
		assert_memory_equal(there->translations, a->skeleton->offsets, 10 * sizeof(rpVec3));
		assert_memory_equal(back->translations, b->translations, 10 * sizeof(rpVec3));
		assert_memory_equal(there->translations + 59 * 10, b->translations + 59 * 10, 10 * sizeof(rpVec3));
		float largest = 0.0f, own = 0.0f;
		for (int i = 10; i < 600; ++i)
		{
			largest = fmaxf(largest, rpDistance(there->translations[i], there->translations[i - 10]));
			own = fmaxf(own, rpDistance(b->translations[i], b->translations[i - 10]));
		}
		assert_true(largest < 1.5f * own);
		rpDestroyMotion(there);
		rpDestroyMotion(back);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// ---- the performer

static rpMotion* perform(rpAct act, double seconds, rpParameter parameter, float value)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 120.0;
	def.seconds = seconds;
	if (parameter != rp_parameterCount)
	{
		def.parameters[parameter] = value;
	}
	return testPerform(&def);
}

// No velocity changes much more from frame to frame than it does in the clips themselves; nothing jumps. A displacement
// that fades while a foot leaves the floor adds its own little change to that of the foot.
#define OWN_SHARE 1.1
static void checkSeam(const char* what, const rpMotion* a, double ta, const rpMotion* b, double seconds)
{
	float distance = 0.0f;
	double tb = testFindMoment(a, ta, b, 0.5, &distance);
	double own =
		fmax(testMeasureVelocityJump(a, 0.0, 1e9, NULL, NULL), testMeasureVelocityJump(b, 0.0, 1e9, NULL, NULL));
	printf("%s: at %.3f s, %.0f mm apart; the clips' own %.3f m/s;", what, tb, 1e3 * (double)distance, own);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		rpTransitionReport report;
		const char* joint = "";
		double when = 0.0;
		def.kind = (rpTransitionKind)kind;
		def.seconds = seconds;
		rpMotion* result = join(a, ta, b, tb, &def, &report);
		double jump = testMeasureVelocityJump(result, report.start - 0.1, report.end + 0.1, &joint, &when);
		printf(" %s %.3f", rpTransitionKind_GetName(def.kind), jump);

		// At the cut itself: no more than both clips' own there, and what a decaying offset needs.
		double atSeam = testMeasureVelocityJump(result, report.seam - 0.02, report.seam + 0.02, NULL, NULL);
		double there = testMeasureVelocityJump(a, ta - 0.05, ta + 0.05, NULL, NULL) +
					   testMeasureVelocityJump(b, tb - 0.05, tb + 0.05, NULL, NULL);
		assert_true(atSeam <= there + 0.05);
		if (kind != rp_transitionLinear && jump > OWN_SHARE * own)
		{
			fail_msg("%s: the velocity of %s jumps by %.3f m/s at %.3f s, in the clips by %.3f", what, joint, jump,
					 when, own);
		}
		rpDestroyMotion(result);
	}
	printf("\n");
}

static void testPerformer(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 4.0, rp_parameterCount, 0.0f);
	rpMotion* curve = perform(rp_actWalk, 4.0, rp_paramTurn, 0.6f);
	rpMotion* run = perform(rp_actRun, 4.0, rp_parameterCount, 0.0f);
	rpMotion* punch = perform(rp_actPunch, 4.0, rp_parameterCount, 0.0f);
	rpMotion* stop = perform(rp_actWalkStand, 0.0, rp_parameterCount, 0.0f);
	checkSeam("walk to walk", walk, 2.0, curve, 0.5);
	checkSeam("walk to run", walk, 2.0, run, 0.5);
	checkSeam("run to walk", run, 2.0, walk, 0.5);
	checkSeam("stand to punch", stop, rpMotion_GetDuration(stop) - 0.5, punch, 0.5);
	rpDestroyMotion(walk);
	rpDestroyMotion(curve);
	rpDestroyMotion(run);
	rpDestroyMotion(punch);
	rpDestroyMotion(stop);
}

// ---- what goes wrong

static void expectError(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpTransitionDef* def,
						const char* part, const char* hint)
{
	rpError error = {0};
	assert_null(rpMakeTransition(a, ta, b, tb, def, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	if (strstr(error.message, part) == NULL || (hint != NULL && strstr(error.hint, hint) == NULL))
	{
		fail_msg("\"%s\" is not in \"%s\" (\"%s\")", part, error.message, error.hint);
	}
}

static void testErrors(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 30.0, 60, 1), *b = makeMotion("b", 30.0, 60, 2), *one = makeMotion("one", 30.0, 1, 2);
	rpMotion* larger = rpScaleMotion(b, 1.1f, NULL);
	rpPerformDef other = rpDefaultPerformDef(rp_actWalk);
	rpMotion* performer = testPerform(&other);
	rpTransitionDef def = rpDefaultTransitionDef();
	expectError(a, 1.0, larger, 1.0, &def, "the offsets of joint", "convert --onto");
	expectError(a, 1.0, performer, 1.0, &def, "the skeletons differ", "cannot be joined");
	expectError(a, 1.0, one, 0.0, &def, "\"one\" has a single frame", NULL);
	expectError(one, 0.0, a, 0.0, &def, "\"one\" has a single frame", NULL);
	expectError(a, 2.5, b, 1.0, &def, "the moment 2.5 s lies outside \"a\", which lasts 1.967 s", NULL);
	expectError(a, 1.0, b, -1.0, &def, "the moment -1 s lies outside \"b\"", NULL);
	expectError(a, 1.0, b, (double)NAN, &def, "lies outside", NULL);
	def.seconds = -0.5;
	expectError(a, 1.0, b, 1.0, &def, "a blend of -0.5 s", NULL);
	def.seconds = (double)INFINITY;
	expectError(a, 1.0, b, 1.0, &def, "a blend of inf s", NULL);
	def.seconds = 100.0;
	expectError(a, 1.0, b, 1.0, &def, "\"a\" is too short", "a displacement");
	def = rpDefaultTransitionDef();
	rpGroundTransform ground = {0.0f, {NAN, 0.0f, 0.0f}};
	def.alignment = &ground;
	expectError(a, 1.0, b, 1.0, &def, "cannot align by", NULL);
	def = rpDefaultTransitionDef();
	b->rotations[325].x = NAN;
	expectError(a, 1.0, b, 1.0, &def, "frame 32 of \"b\" holds a number that is not finite", NULL);
	def.kind = rp_transitionKindCount;
	expectError(a, 1.0, b, 1.0, &def, "no transition of kind 5", NULL);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
	rpDestroyMotion(one);
	rpDestroyMotion(larger);
	rpDestroyMotion(performer);
}

static void testMemory(void** state)
{
	(void)state;
	rpMotion *a = makeMotion("a", 30.0, 60, 1), *b = makeMotion("b", 30.0, 60, 2);
	testAnnotate(a);
	testAnnotate(b);
	testAddTranslations(b);
	for (int kind = 0; kind < rp_transitionKindCount; ++kind)
	{
		rpTransitionDef def = rpDefaultTransitionDef();
		def.kind = (rpTransitionKind)kind;
		int live = testCountLiveBlocks();
		rpMotion* result = NULL;
		int n = 0;
		for (; result == NULL && n < 10000; ++n)
		{
			rpError error = {0};
			testFailAllocation(n);
			result = rpMakeTransition(a, 1.0, b, 1.0, &def, NULL, &error);
			testFailAllocation(-1);
			assert_true(result != NULL || error.code == rp_errorMemory);
			assert_true(result != NULL || testCountLiveBlocks() == live);
		}
		assert_true(n > 20);
		rpDestroyMotion(result);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

static void testNames(void** state)
{
	(void)state;
	assert_int_equal(rpTransitionKind_Find("displace"), rp_transitionDisplace);
	assert_int_equal(rpTransitionKind_Find("inertial"), rp_transitionInertial);
	assert_int_equal(rpTransitionKind_Find("wipe"), rp_transitionKindCount);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEquations),    cmocka_unit_test(testEndsAnchor), cmocka_unit_test(testSelf),
		cmocka_unit_test(testRates),        cmocka_unit_test(testCut),        cmocka_unit_test(testNearEnds),
		cmocka_unit_test(testTranslations), cmocka_unit_test(testPerformer),  cmocka_unit_test(testErrors),
		cmocka_unit_test(testMemory),       cmocka_unit_test(testMetric),     cmocka_unit_test(testNames),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
