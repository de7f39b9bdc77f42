/// The measures of quality, on motions whose answer is known.
#include "support.h"

#include <math.h>
#include <string.h>

static rpMotion* perform(rpAct act, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 60.0;
	def.seconds = seconds;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static rpMeasures evaluate(const rpMotion* motion, const rpEvaluateDef* def)
{
	rpMeasures measures;
	rpError error = {0};
	if (!rpEvaluate(motion, def, &measures, &error))
	{
		fail_msg("%s", error.message);
	}
	return measures;
}

static void testGoodMotion(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 6.0);
	rpMeasures measures = evaluate(walk, NULL);
	assert_true(measures.contactCount >= 20 && measures.stanceCount >= 10);
	assert_true(measures.values[rp_measureSkateRatio] == 0.0);
	assert_true(measures.values[rp_measureSlideMax] < 1.0);
	assert_true(measures.values[rp_measurePenetration] < 1.0);
	assert_true(measures.values[rp_measureFloat] < 1.0);
	assert_true(measures.values[rp_measureLimit] == 0.0);
	assert_true(measures.values[rp_measureStretch] == 0.0);
	assert_true(isnan(measures.values[rp_measureSeamPose]));
	assert_true(isnan(measures.values[rp_measureGravity]));
	assert_true(isnan(measures.values[rp_measurePathMean]));
	assert_true(isnan(measures.contactF1));
	rpDestroyMotion(walk);
}

static void testSeams(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 4.0);
	rpMotion* copy = rpCopyMotion(walk, NULL);
	assert_true(rpAnnotations_AddEvent(&copy->annotations, "seam", 2.0, NULL));
	rpMeasures clean = evaluate(copy, NULL);
	assert_int_equal(clean.seamCount, 1);
	assert_true(clean.values[rp_measureSeamPose] < 1.3);
	assert_true(clean.values[rp_measureSeamVelocity] < 1.5);

	// Cut from one place to another: the step is some centimetres in one frame.
	for (int f = 120; f < copy->frameCount; ++f)
	{
		copy->rootPositions[f].z += 0.2f;
	}
	const rpMotion* references[] = {walk};
	rpEvaluateDef def = rpDefaultEvaluateDef();
	def.references = references;
	def.referenceCount = 1;
	rpMeasures cut = evaluate(copy, &def);
	assert_true(cut.values[rp_measureSeamPose] > 2.5);
	assert_true(cut.values[rp_measureSeamVelocity] > 10.0);
	assert_true(cut.values[rp_measureSeamAcceleration] > 10.0);
	assert_true(cut.values[rp_measureJerk] > 1.1);
	assert_float_equal(evaluate(walk, &def).values[rp_measureJerk], 1.0, 1e-6);
	rpDestroyMotion(copy);
	rpDestroyMotion(walk);
}

// A body that is struck, at first every 0.6 s and then once more after a long rest: a seam at one strike among others
// cannot be distinguished from them, a seam at the lone one is, though the reference's percentile is the same for both.
static void testSeamsAmongStrikes(void** state)
{
	(void)state;
	rpMotion* motion = perform(rp_actStand, 12.0);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		double t = f / 60.0, struck = t < 6.0 ? fmod(t, 0.6) : t >= 9.0 ? t - 9.0 : 1.0;
		motion->rootPositions[f].y += 0.05f * (float)fmax(0.0, 1.0 - struck / 0.1);
	}
	rpMotion* among = rpCopyMotion(motion, NULL);
	assert_true(rpAnnotations_AddEvent(&among->annotations, "seam", 3.0, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "seam", 9.0, NULL));
	double usual = evaluate(among, NULL).values[rp_measureSeamVelocity];
	double lone = evaluate(motion, NULL).values[rp_measureSeamVelocity];
	assert_true(usual < 1.1 && lone > 3.0 * usual);
	rpDestroyMotion(among);
	rpDestroyMotion(motion);
}

// x = t³ has a jerk of 6 everywhere; all joints move alike.
static void testJitter(void** state)
{
	(void)state;
	rpMotion* stand = perform(rp_actStand, 1.0);
	for (int f = 1; f < stand->frameCount; ++f)
	{
		memcpy(stand->rotations + (size_t)f * (size_t)stand->skeleton->jointCount, stand->rotations,
			   (size_t)stand->skeleton->jointCount * sizeof(rpQuat));
		double t = f / 60.0;
		stand->rootPositions[f] = rpAdd(stand->rootPositions[0], (rpVec3){(float)(t * t * t), 0.0f, 0.0f});
	}
	// Floats of about a metre, differenced three times at 60 Hz, carry an error of some hundredths of m/s³.
	assert_float_equal(evaluate(stand, NULL).values[rp_measureJitter], 0.06, 0.01);
	rpDestroyMotion(stand);
}

static void testJoints(void** state)
{
	(void)state;
	rpMotion* stand = perform(rp_actStand, 0.5);
	int knee = stand->skeleton->roles[rp_roleLeftKnee];
	rpQuat* rotation = &stand->rotations[(size_t)5 * (size_t)stand->skeleton->jointCount + (size_t)knee];
	rpQuat was = *rotation;
	// About +X the shank swings forwards: the wrong direction for a knee.
	*rotation = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(-40.0 * RP_DEGREE));
	rpMeasures measures = evaluate(stand, NULL);
	assert_float_equal(measures.values[rp_measureLimit], 30.0, 3.0);
	assert_float_equal(measures.times[rp_measureLimit], 5.0 / 60.0, 1e-9);
	*rotation = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(175.0 * RP_DEGREE));
	assert_float_equal(evaluate(stand, NULL).values[rp_measureLimit], 10.0, 3.0);
	*rotation = was;
	int head = stand->skeleton->roles[rp_roleHead];
	stand->rotations[head] = rpAxisAngle((rpVec3){0.0f, 1.0f, 0.0f}, (float)(150.0 * RP_DEGREE));
	assert_float_equal(evaluate(stand, NULL).values[rp_measureLimit], 50.0, 10.0);
	rpDestroyMotion(stand);
}

// How far limits are exceeded by someone who stands with the left thigh turned by so many degrees about an axis.
static double getThighExcess(rpVec3 axis, double degrees)
{
	rpMotion* stand = perform(rp_actStand, 0.1);
	int hip = stand->skeleton->roles[rp_roleLeftHip];
	stand->rotations[hip] = rpAxisAngle(axis, (float)(degrees * RP_DEGREE));
	double excess = evaluate(stand, NULL).values[rp_measureLimit];
	rpDestroyMotion(stand);
	return excess;
}

static void testThighs(void** state)
{
	(void)state;
	const rpVec3 left = {1.0f, 0.0f, 0.0f}, front = {0.0f, 0.0f, 1.0f};
	assert_float_equal(getThighExcess(left, 65.0), 25.0, 3.0);
	assert_true(getThighExcess(left, -140.0) == 0.0);
	assert_float_equal(getThighExcess(left, -170.0), 20.0, 3.0);
	// Beyond straight up is not counted backwards.
	assert_true(getThighExcess(left, -190.0) > 15.0);
	// Spread to the side it is as far before the body as behind it.
	assert_true(getThighExcess(front, 110.0) == 0.0);
	assert_true(getThighExcess(rpNormalize((rpVec3){-0.1f, 0.0f, 1.0f}), 110.0) == 0.0);
	assert_true(getThighExcess(rpNormalize((rpVec3){0.1f, 0.0f, 1.0f}), 110.0) == 0.0);
}

static void testFlightAndBalance(void** state)
{
	(void)state;
	rpMotion* jump = perform(rp_actJump, 3.0);
	rpMeasures measures = evaluate(jump, NULL);
	assert_true(measures.flightCount >= 1);
	assert_true(measures.values[rp_measureGravity] < 0.02);
	// Played 1.5 times as fast it falls at 2.25 g.
	jump->fps = 90.0;
	double times[] = {0.0, 2.0}, old[] = {0.0, 3.0};
	rpWarp warp = {times, old, 2, false};
	jump->fps = 60.0;
	rpMotion* fast = rpRetimeMotion(jump, &warp, NULL);
	assert_non_null(fast);
	assert_float_equal(evaluate(fast, NULL).values[rp_measureGravity], 1.25, 0.1);
	rpDestroyMotion(fast);
	rpDestroyMotion(jump);

	rpMotion* stand = perform(rp_actStand, 2.0);
	assert_true(evaluate(stand, NULL).values[rp_measureBalance] == 0.0);
	// Contacts do not matter: on the left heel alone nobody would stand.
	rpAnnotations_Clear(&stand->annotations, rp_trackContact, NULL);
	rpInterval heel = {.track = rp_trackContact, .start = 0.0, .end = 2.0, .effector = rp_leftHeel};
	assert_true(rpAnnotations_AddInterval(&stand->annotations, &heel, NULL));
	assert_true(evaluate(stand, NULL).values[rp_measureBalance] == 0.0);
	rpDestroyMotion(stand);
}

// Lift the left foot for most of the time, by hip and knee, up and down by turns so that it never rests.
static void liftFoot(rpMotion* motion)
{
	const rpSkeleton* body = motion->skeleton;
	int hip = body->roles[rp_roleLeftHip], knee = body->roles[rp_roleLeftKnee];
	for (int f = 0; f < motion->frameCount; ++f)
	{
		double lift = 0.5 + 0.1 * sin(2.0 * RP_PI * 2.0 * f / motion->fps);
		lift *= fmin(fmax((f - 24) / 12.0, 0.0), 1.0);
		rpQuat* rotations = motion->rotations + (size_t)f * (size_t)body->jointCount;
		rpVec3 left = {1.0f, 0.0f, 0.0f};
		rotations[hip] = rpMulQuat(rotations[hip], rpAxisAngle(left, (float)-lift));
		rotations[knee] = rpMulQuat(rotations[knee], rpAxisAngle(left, (float)(2.0 * lift)));
	}
}

// Nobody stands still on one foot with his weight between both. But someone who sways, pushed to the left by the right
// foot while standing on it, presses on it.
static void testSway(void** state)
{
	(void)state;
	rpMotion* stand = perform(rp_actStand, 2.4);
	liftFoot(stand);
	double between = evaluate(stand, NULL).values[rp_measureBalance];
	assert_true(between > 0.4);
	for (int f = 0; f < stand->frameCount; ++f)
	{
		// To and fro over the right foot, at the left of it when it pushes to the left.
		double time = f / stand->fps, within = fmod(time, 0.3) - 0.15;
		stand->rootPositions[f].x += (float)(0.5 * 0.9 * (within * within - 0.0225));
	}
	assert_true(evaluate(stand, NULL).values[rp_measureBalance] < 0.7 * between);
	rpDestroyMotion(stand);
}

// A body that leans over with both feet down falls.
static void testLeaning(void** state)
{
	(void)state;
	rpMotion* stand = perform(rp_actStand, 2.0);
	int ankle = stand->skeleton->roles[rp_roleLeftAnkle];
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(stand, 0, pose);
	rpVec3 pivot = pose[ankle].p;
	for (int f = 0; f < stand->frameCount; ++f)
	{
		rpQuat lean = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(20.0 * RP_DEGREE));
		rpVec3 away = rpSub(stand->rootPositions[f], (rpVec3){stand->rootPositions[f].x, pivot.y, pivot.z});
		stand->rootPositions[f] = rpAdd((rpVec3){stand->rootPositions[f].x, pivot.y, pivot.z}, rpRotate(lean, away));
		rpQuat* root = stand->rotations + (size_t)f * (size_t)stand->skeleton->jointCount;
		*root = rpMulQuat(lean, *root);
	}
	assert_true(evaluate(stand, NULL).values[rp_measureBalance] == 1.0);
	rpDestroyMotion(stand);
}

// Falls that no body has are seen with contacts that are found, too: a fall too slow is not taken for a stance.
static void testFalseFalls(void** state)
{
	(void)state;
	rpMotion* jump = perform(rp_actJump, 3.0);
	double times[] = {0.0, 6.0}, old[] = {0.0, 3.0};
	rpWarp warp = {times, old, 2, false};
	rpMotion* slow = rpRetimeMotion(jump, &warp, NULL);
	assert_non_null(slow);
	assert_float_equal(evaluate(slow, NULL).values[rp_measureGravity], 0.75, 0.1);
	rpDestroyMotion(slow);

	// Hovering: as high as it gets, all the time that it flies. It is in the air for no shorter, and falls by nothing.
	rpFlight flight;
	assert_true(rpFindFlights(jump, &flight, 1, NULL) >= 1);
	int first = (int)ceil(flight.start * jump->fps), last = (int)floor(flight.end * jump->fps);
	for (int f = first; f <= last; ++f)
	{
		jump->rootPositions[f].y = jump->rootPositions[(first + last) / 2].y;
	}
	rpMeasures hover = evaluate(jump, NULL);
	assert_true(hover.values[rp_measureGravity] > 0.7 || hover.values[rp_measureHipJump] > 2.2);
	rpDestroyMotion(jump);
}

static rpMotion* makeLine(rpVec2 from, rpVec2 to)
{
	rpMotion* stand = perform(rp_actStand, 2.0);
	for (int f = 0; f < stand->frameCount; ++f)
	{
		float t = (float)f / (float)(stand->frameCount - 1);
		stand->rootPositions[f].x = from.x + t * (to.x - from.x);
		stand->rootPositions[f].z = from.y + t * (to.y - from.y);
	}
	return stand;
}

static void testRootPath(void** state)
{
	(void)state;
	rpVec2 points[] = {{0.0f, 0.0f}, {0.0f, 1.0f}, {0.0f, 4.0f}};
	rpEvaluateDef def = rpDefaultEvaluateDef();
	def.path = points;
	def.pathCount = 3;

	// Beside the path.
	rpMotion* beside = makeLine((rpVec2){0.3f, 0.0f}, (rpVec2){0.3f, 4.0f});
	rpMeasures measures = evaluate(beside, &def);
	assert_float_equal(measures.values[rp_measurePathMean], 0.3, 1e-5);
	assert_float_equal(measures.values[rp_measurePathMax], 0.3, 1e-5);
	assert_float_equal(measures.values[rp_measurePathRms], 0.3, 1e-5);
	assert_float_equal(measures.values[rp_measureArcMean], 0.3, 1e-4);
	rpDestroyMotion(beside);

	// Back to the start: only forward counts, so the return is away from the path's last place.
	rpMotion* back = makeLine((rpVec2){0.0f, 2.0f}, (rpVec2){0.0f, 0.0f});
	def.pathCount = 2;
	assert_float_equal(evaluate(back, &def).values[rp_measurePathMax], 1.0, 1e-5);
	rpDestroyMotion(back);

	// Half as far as the path, on it: no error at the nearest point, none at equal arc length.
	def.pathCount = 3;
	rpMotion* half = makeLine((rpVec2){0.0f, 0.0f}, (rpVec2){0.0f, 2.0f});
	measures = evaluate(half, &def);
	assert_float_equal(measures.values[rp_measurePathMax], 0.0, 1e-5);
	assert_float_equal(measures.values[rp_measureArcMax], 0.0, 1e-4);
	rpDestroyMotion(half);
}

static rpMotion* makeContacts(const double (*times)[2], int count)
{
	rpMotion* stand = perform(rp_actStand, 4.0);
	rpAnnotations_Clear(&stand->annotations, rp_trackContact, NULL);
	for (int i = 0; i < count; ++i)
	{
		rpInterval contact = {
			.track = rp_trackContact, .start = times[i][0], .end = times[i][1], .effector = rp_leftBall};
		assert_true(rpAnnotations_AddInterval(&stand->annotations, &contact, NULL));
	}
	return stand;
}

static void testContactScore(void** state)
{
	(void)state;
	const double truthTimes[][2] = {{0.0, 1.0}, {2.0, 3.0}, {3.5, 3.8}};
	// The first overlaps by 0.9 / 1.1, the second by 0.4 / 1.0: too little.
	const double foundTimes[][2] = {{0.1, 1.1}, {2.0, 2.4}};
	rpMotion* truth = makeContacts(truthTimes, 3);
	rpMotion* found = makeContacts(foundTimes, 2);
	rpMotion* none = makeContacts(NULL, 0);
	assert_float_equal(rpScoreContacts(found, truth), 2.0 * 1 / 5.0, 1e-12);
	assert_float_equal(rpScoreContacts(truth, truth), 1.0, 1e-12);
	assert_float_equal(rpScoreContacts(none, truth), 0.0, 1e-12);
	assert_true(isnan(rpScoreContacts(none, none)));
	rpEvaluateDef def = rpDefaultEvaluateDef();
	def.truth = truth;
	assert_float_equal(evaluate(found, &def).contactF1, 0.4, 1e-12);
	rpDestroyMotion(truth);
	rpDestroyMotion(found);
	rpDestroyMotion(none);
}

static void testBadInput(void** state)
{
	(void)state;
	rpMotion* stand = perform(rp_actStand, 0.5);
	rpMeasures measures;
	rpError error = {0};
	stand->rotations[7].x = NAN;
	assert_false(rpEvaluate(stand, NULL, &measures, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpDestroyMotion(stand);

	// A single frame has no velocities, and no harm in that.
	rpMotion* walk = perform(rp_actWalk, 1.0);
	rpMotion* frame = rpCropFrames(walk, 10, 1, NULL);
	assert_true(rpEvaluate(frame, NULL, &measures, &error));
	assert_true(isnan(measures.values[rp_measureJitter]));
	rpDestroyMotion(frame);
	rpDestroyMotion(walk);
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* jump = perform(rp_actJump, 2.0);
	assert_true(rpAnnotations_AddEvent(&jump->annotations, "seam", 1.0, NULL));
	const rpMotion* references[] = {jump};
	rpEvaluateDef def = rpDefaultEvaluateDef();
	def.references = references;
	def.referenceCount = 1;
	int blocks = testCountLiveBlocks();
	bool done = false;
	int n = 0;
	for (; !done; ++n)
	{
		rpMeasures measures;
		rpError error = {0};
		testFailAllocation(n);
		done = rpEvaluate(jump, &def, &measures, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 5);
	rpDestroyMotion(jump);
}

static void testNames(void** state)
{
	(void)state;
	for (int i = 0; i < rp_measureCount; ++i)
	{
		assert_int_equal(rpMeasure_Find(rpMeasure_GetKey(i)), i);
		assert_true(rpMeasure_GetDefaultLimit(i) > 0.0);
	}
	assert_int_equal(rpMeasure_Find("nonsense"), rp_measureCount);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGoodMotion),
		cmocka_unit_test(testSeams),
		cmocka_unit_test(testSeamsAmongStrikes),
		cmocka_unit_test(testJitter),
		cmocka_unit_test(testJoints),
		cmocka_unit_test(testThighs),
		cmocka_unit_test(testFlightAndBalance),
		cmocka_unit_test(testSway),
		cmocka_unit_test(testLeaning),
		cmocka_unit_test(testFalseFalls),
		cmocka_unit_test(testRootPath),
		cmocka_unit_test(testContactScore),
		cmocka_unit_test(testBadInput),
		cmocka_unit_test(testFailingMemory),
		cmocka_unit_test(testNames),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
