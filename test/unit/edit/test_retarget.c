/// One body's motion on another body of the same hierarchy.
#include "edit_scene.h"
#include "performance.h"

#include <string.h>

static rpMotion* perform(rpAct act, float stature)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 60.0;
	def.seconds = 3.0;
	def.stature = stature;
	return testPerform(&def);
}

// Bodies that differ in size alone: the same as scaling. Every resting foot stays where it was, so the lock has nothing
// to do.
static void testSize(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 1.75f);
	rpSkeleton* small = rpCreatePerformerSkeleton(1.5f, NULL);
	rpRetargetDef def = rpDefaultRetargetDef();
	rpRetargetReport report;
	def.lockFeet = false;
	rpMotion* result = rpRetargetMotion(walk, small, &def, &report, NULL);
	assert_non_null(result);
	assert_true(fabsf(report.factor - 1.5f / 1.75f) < 1e-4f && fabsf(report.rise) < 1e-4f);
	rpMotion* scaled = rpScaleMotion(walk, report.factor, NULL);
	assert_true(testMeasureDistance(scaled, result) < 2e-4f);
	assert_true(testAnnotationsAgree(&scaled->annotations, &result->annotations, 2e-4));
	assert_ptr_equal(result->skeleton, small);
	assert_int_equal(report.lock.contactCount, 0);
	rpDestroyMotion(result);
	result = rpRetargetMotion(walk, small, NULL, &report, NULL);
	assert_true(report.lock.contactCount > 4 && report.lock.after.max < 1e-3f);
	assert_true(testMeasureDistance(scaled, result) < 5e-3f);
	assert_null(result->translations);
	rpDestroyMotion(result);
	rpDestroyMotion(scaled);
	rpDestroyMotion(walk);
	rpReleaseSkeleton(small);
}

// A body with the same legs in other proportions, one of them longer: thighs grow, shanks shrink, hips widen.
static rpSkeleton* makeOtherBody(const rpSkeleton* body)
{
	rpJoint joints[128];
	assert_true(body->jointCount <= 128);
	memcpy(joints, body->joints, (size_t)body->jointCount * sizeof(rpJoint));
	for (int side = 0; side < 2; ++side)
	{
		int hip = body->roles[side == 0 ? rp_roleLeftHip : rp_roleRightHip];
		int knee = body->roles[side == 0 ? rp_roleLeftKnee : rp_roleRightKnee];
		int ankle = body->roles[side == 0 ? rp_roleLeftAnkle : rp_roleRightAnkle];
		joints[hip].offset.x *= 1.2f;
		joints[knee].offset = rpScale(1.12f, joints[knee].offset);
		joints[ankle].offset = rpScale(side == 0 ? 0.93f : 0.97f, joints[ankle].offset);
	}
	rpSkeletonDef def = rpSkeleton_GetDef(body);
	def.joints = joints;
	return rpCreateSkeleton(&def, NULL);
}

static float measureBend(const rpMotion* motion, int frame, int side)
{
	const int* roles = motion->skeleton->roles;
	rpTransform world[RP_MAX_JOINTS];
	rpMotion_Forward(motion, frame, world);
	rpVec3 hip = world[roles[side == 0 ? rp_roleLeftHip : rp_roleRightHip]].p;
	rpVec3 knee = world[roles[side == 0 ? rp_roleLeftKnee : rp_roleRightKnee]].p;
	rpVec3 ankle = world[roles[side == 0 ? rp_roleLeftAnkle : rp_roleRightAnkle]].p;
	return rpLength(rpLogQuat(rpRotationBetween(rpSub(knee, hip), rpSub(ankle, knee))));
}

// Feet rest, on their supports; knees are bent as they were; the rest of the body is turned as it was.
static void testProportions(void** state)
{
	(void)state;
	const rpAct acts[] = {rp_actWalk, rp_actRun, rp_actJump, rp_actStepUp};
	for (int n = 0; n < 4; ++n)
	{
		rpMotion* motion = perform(acts[n], 1.75f);
		rpSkeleton* body = makeOtherBody(motion->skeleton);
		rpRetargetReport report;
		rpMotion* result = rpRetargetMotion(motion, body, NULL, &report, NULL);
		assert_non_null(result);
		testCheckMotion(result);
		assert_true(fabsf(report.factor - body->legLength / motion->skeleton->legLength) < 1e-6f);
		print_message("%s: slide %.2f -> %.2f mm\n", rpAct_GetName(acts[n]), 1e3 * (double)report.lock.before.mean,
					  1e3 * (double)report.lock.after.mean);
		assert_true(report.lock.before.mean > 2e-3f && report.lock.after.mean < 0.2f * report.lock.before.mean);
		assert_true(report.lock.after.mean < 2e-3f && result->translations == NULL);
		float bend = 0.0f;
		int chest = motion->skeleton->roles[rp_roleChest];
		for (int frame = 0; frame < motion->frameCount; ++frame)
		{
			for (int side = 0; side < 2; ++side)
			{
				bend += fabsf(measureBend(result, frame, side) - measureBend(motion, frame, side));
			}
			assert_true(rpAngleBetween(rpMotion_GetRotations(result, frame)[chest],
									   rpMotion_GetRotations(motion, frame)[chest]) < 1e-3f);
		}
		assert_true(bend / (float)(2 * motion->frameCount) < (float)(5.0 * RP_DEGREE));
		rpDestroyMotion(result);
		rpDestroyMotion(motion);
		rpReleaseSkeleton(body);
	}
}

// There and back again.
static void testBack(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 1.75f);
	rpSkeleton* body = makeOtherBody(walk->skeleton);
	rpRetargetDef def = rpDefaultRetargetDef();
	def.lockFeet = false;
	rpMotion* there = rpRetargetMotion(walk, body, &def, NULL, NULL);
	rpMotion* back = rpRetargetMotion(there, walk->skeleton, &def, NULL, NULL);
	assert_true(testMeasureDistance(walk, back) < 1e-3f);
	assert_true(testAnnotationsAgree(&walk->annotations, &back->annotations, 1e-3));
	rpDestroyMotion(walk);
	rpDestroyMotion(there);
	rpDestroyMotion(back);
	rpReleaseSkeleton(body);
}

// Bones that change their length, a motion without contacts, a body whose legs are not known.
static void testOdd(void** state)
{
	(void)state;
	rpSkeleton *puppet = testMakePuppet(false), *legless;
	rpMotion* motion = testMakeMotion(puppet, "odd", 30.0, 40, 5);
	testAddTranslations(motion);
	rpRetargetReport report;
	rpMotion* result = rpRetargetMotion(motion, puppet, NULL, &report, NULL);
	assert_true(report.factor == 1.0f && report.rise == 0.0f && report.lock.contactCount == 0);
	assert_true(testMeasureDistance(motion, result) < 1e-5f);
	rpDestroyMotion(result);

	rpJoint joints[10];
	memcpy(joints, puppet->joints, sizeof(joints));
	for (int i = 0; i < 10; ++i)
	{
		joints[i].role = rp_roleNone;
		joints[i].offset = rpScale(2.0f, joints[i].offset);
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 10;
	def.guessRoles = false;
	legless = rpCreateSkeleton(&def, NULL);
	result = rpRetargetMotion(motion, legless, NULL, &report, NULL);
	assert_non_null(result);
	assert_true(report.factor > 1.5f && report.factor < 2.5f && report.lock.contactCount == 0);
	rpDestroyMotion(result);

	rpMotion* walk = perform(rp_actWalk, 1.75f);
	rpError error = {0};
	assert_null(rpRetargetMotion(motion, walk->skeleton, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, "joints"));
	motion->rotations[3].w = NAN;
	testAnnotate(motion);
	assert_null(rpRetargetMotion(motion, puppet, NULL, NULL, &error));
	assert_non_null(strstr(error.message, "not finite"));
	rpDestroyMotion(walk);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(puppet);
	rpReleaseSkeleton(legless);
}

static void testMemory(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 1.75f);
	rpSkeleton* body = makeOtherBody(walk->skeleton);
	int live = testCountLiveBlocks(), n = 0;
	rpMotion* result = NULL;
	for (; result == NULL && n < 100000; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		result = rpRetargetMotion(walk, body, NULL, NULL, &error);
		testFailAllocation(-1);
		assert_true(result != NULL || (error.code == rp_errorMemory && testCountLiveBlocks() == live));
	}
	assert_true(n > 20);
	rpDestroyMotion(result);
	assert_int_equal(testCountLiveBlocks(), live);
	rpDestroyMotion(walk);
	rpReleaseSkeleton(body);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSize), cmocka_unit_test(testProportions), cmocka_unit_test(testBack),
		cmocka_unit_test(testOdd),  cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
