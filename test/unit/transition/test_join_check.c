/// Joins that no blend does well, and where a better one is; capsules; the rhythm of feet over a seam.
#include "analysis/landings.h"
#include "body/capsules.h"
#include "performance.h"
#include "support.h"

#include <math.h>
#include <string.h>

static rpMotion* perform(rpAct act, double seconds, uint64_t seed)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.seconds = seconds;
	def.seed = seed;
	return testPerform(&def);
}

// ---- capsules

// The distance of two segments by trying.
static double searchDistance(rpVec3 a0, rpVec3 a1, rpVec3 b0, rpVec3 b1)
{
	double min = INFINITY;
	for (int i = 0; i <= 200; ++i)
	{
		for (int k = 0; k <= 200; ++k)
		{
			rpVec3 p = rpLerp(a0, a1, (float)i / 200.0f), q = rpLerp(b0, b1, (float)k / 200.0f);
			min = fmin(min, (double)rpDistance(p, q));
		}
	}
	return min;
}

static rpVec3 draw(rpRandom* random)
{
	return (rpVec3){rpRandom_Range(random, -1.0f, 1.0f), rpRandom_Range(random, -1.0f, 1.0f),
					rpRandom_Range(random, -1.0f, 1.0f)};
}

static void testSegments(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(5);
	for (int i = 0; i < 60; ++i)
	{
		rpVec3 a0 = draw(&random), a1 = draw(&random), b0 = draw(&random), b1 = draw(&random);
		a1 = i % 10 == 7 ? a0 : a1;
		b1 = i % 10 == 8 ? b0 : i % 10 == 9 ? rpAdd(b0, rpSub(a1, a0)) : b1;
		double found = (double)rpGetSegmentDistance(a0, a1, b0, b1), expected = searchDistance(a0, a1, b0, b1);
		assert_true(found <= expected + 1e-5 && found >= expected - 0.01);
	}
}

// Nobody who stands or walks is inside himself; arms put through the trunk are.
static void testBody(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 3.0, 2);
	rpCapsules capsules;
	rpTransform pose[RP_MAX_JOINTS];
	assert_true(rpMakeCapsules(walk->skeleton, &capsules) && capsules.count == 12 && capsules.pairCount == 17);
	for (int frame = 0; frame < walk->frameCount; frame += 3)
	{
		rpMotion_Forward(walk, frame, pose);
		for (int pair = 0; pair < capsules.pairCount; ++pair)
		{
			assert_true(rpCapsules_GetDepth(&capsules, pose, pair) < 0.02f);
		}
	}
	// The left elbow where the spine is.
	rpMotion_Forward(walk, 10, pose);
	pose[walk->skeleton->roles[rp_roleLeftElbow]].p = pose[walk->skeleton->roles[rp_roleSpine]].p;
	assert_true(rpCapsules_GetDepth(&capsules, pose, 0) > 0.08f);
	rpDestroyMotion(walk);
}

// ---- feet

static void testPhase(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 6.0, 0);
	rpLanding landings[32];
	int count = rpListLandings(walk, 0.0, 6.0, landings, 32);
	assert_true(count >= 8);
	for (int i = 0; i + 1 < count; ++i)
	{
		assert_int_not_equal(landings[i].foot, landings[i + 1].foot);
		double middle = 0.5 * (landings[i].time + landings[i + 1].time);
		assert_true(fabs(rpGetStridePhase(walk, middle) - (0.25 + 0.5 * landings[i].foot)) < 1e-6);
		// Just after a landing both feet are down.
		assert_int_equal(rpGetSupport(walk, landings[i + 1].time + 0.02), 3);
	}
	rpDestroyMotion(walk);
}

static rpBlendLength makeFixed(const rpMotion* a, double ta, const rpMotion* b, double tb, double seconds)
{
	rpBlendLengthDef def = rpDefaultBlendLengthDef();
	rpBlendLength length;
	def.rule = rp_lengthFixed;
	def.seconds = seconds;
	assert_true(rpFindBlendLength(a, ta, b, tb, &def, &length, NULL));
	assert_true(length.rule == rp_lengthFixed && length.seconds == seconds);
	return length;
}

// A stride later nothing is wrong; half a stride later everything is, and the better join is found.
static void testWrongFoot(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0, 0);
	rpLanding landings[32];
	int count = rpListLandings(walk, 2.0, 6.0, landings, 32);
	assert_true(count >= 4);
	double step = landings[1].time - landings[0].time, from = landings[0].time + 0.5 * step;
	for (int k = 1; k <= 2; ++k)
	{
		double to = from + k * step;
		rpBlendLength length = makeFixed(walk, from, walk, to, 0.3);
		rpJoinReport report;
		assert_true(rpCheckJoin(walk, from, walk, to, &length, &report, NULL));
		if (k == 2)
		{
			assert_true(report.faults == 0 && !report.hasBetter && report.values[rp_faultPhase] < 0.02);
			assert_true(report.values[rp_faultSupport] < 0.1 && report.texts[rp_faultPhase][0] == '\0');
		}
		else
		{
			assert_true((report.faults >> rp_faultSupport & 1) && (report.faults >> rp_faultPhase & 1));
			assert_true(fabs(report.values[rp_faultPhase] - 0.5) < 0.03 && report.values[rp_faultSupport] > 0.5);
			assert_non_null(strstr(report.texts[rp_faultSupport], "different feet"));
			assert_true(report.hasBetter && fabs(report.from - from) < 0.51 && fabs(report.to - to) < 0.51);
			rpJoinReport better;
			assert_true(rpCheckJoin(walk, report.from, walk, report.to, &length, &better, NULL));
			assert_int_equal(better.faults, 0);
		}
		rpBlendLength_Free(&length);
	}
	rpDestroyMotion(walk);
}

// An arm before the trunk and the same arm behind it: half-way it is inside.
static void testCollision(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actStand, 4.0, 0), *b = perform(rp_actStand, 4.0, 0);
	rpMotion* sides[2] = {a, b};
	const int* roles = a->skeleton->roles;
	for (int side = 0; side < 2; ++side)
	{
		for (int frame = 0; frame < sides[side]->frameCount; ++frame)
		{
			rpQuat* rotations = sides[side]->rotations + (size_t)frame * (size_t)a->skeleton->jointCount;
			rpTransform pose[RP_MAX_JOINTS];
			rpMotion_Forward(sides[side], frame, pose);
			// Turn the upper arm so that the forearm lies across the body, before or behind it.
			rpVec3 shoulder = pose[roles[rp_roleLeftShoulder]].p, elbow = pose[roles[rp_roleLeftElbow]].p;
			rpVec3 ahead = {0.0f, -0.25f, side == 0 ? 0.9f : -0.9f};
			ahead = rpRotate(pose[0].q, ahead);
			ahead = rpSub(ahead, rpScale(0.9f, rpNormalize(rpSub(shoulder, pose[roles[rp_roleChest]].p))));
			rpQuat turn = rpRotationBetween(rpSub(elbow, shoulder), ahead);
			int joint = roles[rp_roleLeftShoulder], parent = a->skeleton->parents[joint];
			rpQuat up = pose[parent].q;
			rotations[joint] =
				rpNormalizeQuat(rpMulQuat(rpMulQuat(rpMulQuat(rpConjugate(up), turn), up), rotations[joint]));
		}
		rpMotion_FixHemispheres(sides[side]);
	}
	rpBlendLength length = makeFixed(a, 2.0, b, 2.0, 0.8), still = makeFixed(a, 2.0, a, 2.0, 0.8);
	rpJoinReport report;
	assert_true(rpCheckJoin(a, 2.0, b, 2.0, &length, &report, NULL));
	print_message("inside by %.3f m: %s\n", report.values[rp_faultCollision], report.texts[rp_faultCollision]);
	assert_true(report.faults >> rp_faultCollision & 1);
	assert_true(report.values[rp_faultCollision] > 0.03);
	assert_non_null(strstr(report.texts[rp_faultCollision], "the left forearm passes"));
	assert_true(rpCheckJoin(a, 2.0, a, 2.0, &still, &report, NULL));
	assert_true(report.faults == 0);
	rpBlendLength_Free(&length);
	rpBlendLength_Free(&still);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// ---- where to join

static void testFindJoin(void** state)
{
	(void)state;
	rpMotion *a = perform(rp_actWalk, 5.0, 3), *b = perform(rp_actRun, 5.0, 4);
	rpMetricDef def = rpDefaultMetricDef();
	rpMetric* metric = rpCreateMetric(a->skeleton, &def, NULL);
	rpProfile *p = rpCreateProfile(metric, a, NULL), *q = rpCreateProfile(metric, b, NULL);
	double best = INFINITY, from = NAN, to = NAN;
	int row = 0, column = 0;
	float distance;
	for (int i = 15; i <= 135; ++i)
	{
		for (int j = 15; j <= 135; ++j)
		{
			double value = rpMetric_Distance(metric, p, i, q, j, NULL);
			row = value < best ? i : row;
			column = value < best ? j : column;
			best = fmin(best, value);
		}
	}
	assert_true(rpFindJoin(a, b, metric, rp_anchorCentre, 0.5, &from, &to, &distance, NULL));
	assert_true(fabs(from - row / 30.0) < 1e-9 && fabs(to - column / 30.0) < 1e-9);
	assert_true(fabs((double)distance - best) < 1e-4);
	// One moment given.
	from = 2.0;
	to = NAN;
	assert_true(rpFindJoin(a, b, NULL, rp_anchorCentre, 0.5, &from, &to, &distance, NULL));
	assert_true(from == 2.0 && isfinite(to) && (double)distance >= best - 1e-4);
	// Given by the ends: apart by the length of the blend that is centred there.
	double start = NAN, end = NAN;
	from = row / 30.0;
	to = column / 30.0;
	assert_true(rpFindJoin(a, b, metric, rp_anchorEnds, 0.5, &start, &end, NULL, NULL));
	assert_true(start < from && end > to && fabs((from - start) - (end - to)) < 1e-6);
	rpError error = {0};
	start = end = NAN;
	assert_false(rpFindJoin(a, b, metric, rp_anchorCentre, 3.0, &start, &end, NULL, &error));
	assert_non_null(strstr(error.message, "too short to be joined"));
	rpDestroyProfile(p);
	rpDestroyProfile(q);
	rpDestroyMetric(metric);
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

// ---- the rhythm over a seam

static double measurePhaseError(const rpMotion* walk, double from, double to)
{
	rpBlendLength length = makeFixed(walk, from, walk, to, 0.2);
	rpMotion* result = rpMakeBlend(walk, from, walk, to, &length, NULL, NULL, NULL);
	rpMeasures measures;
	assert_true(rpEvaluate(result, NULL, &measures, NULL));
	rpDestroyMotion(result);
	rpBlendLength_Free(&length);
	return measures.values[rp_measurePhase];
}

static void testRhythm(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 8.0, 0);
	rpLanding landings[32];
	int count = rpListLandings(walk, 2.0, 7.0, landings, 32);
	assert_true(count >= 6);
	double step = landings[1].time - landings[0].time, from = landings[0].time + 0.75 * step;
	assert_true(measurePhaseError(walk, from, from + 2.0 * step) < 0.02);
	// A fifth of a step too late or too early is a tenth of a stride.
	double late = measurePhaseError(walk, from, from + 1.8 * step);
	assert_true(fabs(late - 0.1) < 0.02);
	// Half a stride away: the foot that has just come down comes down again, or the next one far too soon.
	assert_true(measurePhaseError(walk, from, from + step) > 0.2);
	rpMeasures measures;
	assert_true(rpEvaluate(walk, NULL, &measures, NULL));
	assert_true(isnan(measures.values[rp_measurePhase]));
	rpDestroyMotion(walk);
}

// Somebody who runs so fast that feet rest for an eighth of a second keeps the rhythm all the same.
static void testQuickRhythm(void** state)
{
	(void)state;
	rpMotion* run = perform(rp_actRun, 8.0, 0);
	run->fps *= 1.6;
	for (int i = 0; i < run->annotations.intervalCount; ++i)
	{
		run->annotations.intervals[i].start /= 1.6;
		run->annotations.intervals[i].end /= 1.6;
	}
	rpLanding landings[32];
	int count = rpListLandings(run, 1.0, 4.0, landings, 32);
	assert_true(count >= 8);
	double step = (landings[7].time - landings[0].time) / 7.0;
	for (int k = 0; k < 4; ++k)
	{
		double from = landings[0].time + (0.2 + 0.25 * k) * step;
		assert_true(measurePhaseError(run, from, from + 2.0 * step) < 0.06);
		assert_true(measurePhaseError(run, from, from + step) > 0.2);
	}
	rpDestroyMotion(run);
}

// Nobody who stands for long has a rhythm.
static void testStandingRhythm(void** state)
{
	(void)state;
	rpMotion *stop = perform(rp_actWalkStand, 6.0, 0), *start = perform(rp_actStandWalk, 5.0, 0);
	rpBlendLength length = makeFixed(stop, 5.4, start, 0.6, 0.2);
	rpMotion* result = rpMakeBlend(stop, 5.4, start, 0.6, &length, NULL, NULL, NULL);
	rpMeasures measures;
	assert_true(rpEvaluate(result, NULL, &measures, NULL));
	assert_true(isnan(measures.values[rp_measurePhase]));
	rpDestroyMotion(result);
	rpBlendLength_Free(&length);
	rpDestroyMotion(start);
	rpDestroyMotion(stop);
}

// Every allocation fails in turn; nothing is lost.
static void testMemory(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 4.0, 0);
	rpBlendLength length = makeFixed(walk, 1.8, walk, 2.3, 0.3);
	int before = testCountLiveBlocks();
	bool done = false;
	for (int n = 0; !done; n += n < 60 ? 1 : 37)
	{
		rpError error = {0};
		rpJoinReport report;
		double from = NAN, to = NAN;
		testFailAllocation(n);
		done = rpCheckJoin(walk, 1.8, walk, 2.3, &length, &report, &error) &&
			   rpFindJoin(walk, walk, NULL, rp_anchorEnds, 0.5, &from, &to, NULL, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), before);
	}
	rpBlendLength_Free(&length);
	rpDestroyMotion(walk);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSegments),  cmocka_unit_test(testBody),        cmocka_unit_test(testPhase),
		cmocka_unit_test(testWrongFoot), cmocka_unit_test(testCollision),   cmocka_unit_test(testFindJoin),
		cmocka_unit_test(testRhythm),    cmocka_unit_test(testQuickRhythm), cmocka_unit_test(testStandingRhythm),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
