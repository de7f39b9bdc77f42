/// Foot lock: damaged performances get back feet that rest, knees and hips that do not shake, and the way of the body.
#include "blend/foot_lock_rig.h"
#include "performance.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/// How a performance is made worse.
typedef struct Damage
{
	/// Root's way over the floor, longer by this share.
	float scale;
	/// White noise of the root, metres.
	float noise;
} Damage;

static rpMotion* perform(const char* act, double fps, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(rpAct_Find(act));
	def.fps = fps;
	def.seconds = seconds;
	def.seed = 7;
	return testPerform(&def);
}

static rpMotion* damage(const rpMotion* truth, Damage with)
{
	rpMotion* motion = rpCopyMotion(truth, NULL);
	assert_non_null(motion);
	rpRandom random = rpSeedRandom(3);
	rpVec3 first = truth->rootPositions[0];
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpVec3* p = motion->rootPositions + i;
		p->x = first.x + (1.0f + with.scale) * (p->x - first.x) + with.noise * rpRandom_Normal(&random);
		p->y += with.noise * rpRandom_Normal(&random);
		p->z = first.z + (1.0f + with.scale) * (p->z - first.z) + with.noise * rpRandom_Normal(&random);
	}
	return motion;
}

static const char* const s_acts[] = {"walk",    "run",      "jump",  "dance", "stand-walk", "turn",
									 "step-up", "sit-down", "sneak", "kick",  "walk-run",   "box-dance"};

#define ACT_COUNT (int)(sizeof(s_acts) / sizeof(s_acts[0]))

static void testSlideGoes(void** state)
{
	(void)state;
	for (int i = 0; i < ACT_COUNT; ++i)
	{
		rpMotion* truth = perform(s_acts[i], 120.0, 5.0);
		rpMotion* motion = damage(truth, (Damage){.scale = 0.05f, .noise = 0.002f});
		rpFootLockReport report;
		assert_true(rpLockFeet(motion, NULL, &report, NULL));
		print_message(
			"%-11s %2d contacts, slide %7.2f mm -> %.3f mm (heels %.3f, balls %.3f), knees %5.2f -> %5.2f rad/s, "
			"stretch %.2f %%\n",
			s_acts[i], report.contactCount, 1e3 * report.before.max, 1e3 * report.after.max, 1e3 * report.heelAfter.max,
			1e3 * report.ballAfter.max, report.kneeSpeedBefore, report.kneeSpeedAfter, 100.0 * report.stretch);
		assert_true(report.contactCount > 0);
		assert_true(report.before.mean > 5e-3f);
		assert_true(report.after.max < 1e-3f);
		assert_true(report.stretch <= 0.03f);
		rpDestroyMotion(motion);
		rpDestroyMotion(truth);
	}
}

static void testNothingToDo(void** state)
{
	(void)state;
	rpMotion* motion = perform("walk", 60.0, 2.0);
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	rpMotion* copy = rpCopyMotion(motion, NULL);
	rpFootLockReport report;
	assert_true(rpLockFeet(motion, NULL, &report, NULL));
	assert_int_equal(report.contactCount, 0);
	assert_memory_equal(motion->rotations, copy->rotations,
						(size_t)motion->frameCount * (size_t)motion->skeleton->jointCount * sizeof(rpQuat));
	assert_memory_equal(motion->rootPositions, copy->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3));
	rpDestroyMotion(copy);
	rpDestroyMotion(motion);
}

static void testWrongInput(void** state)
{
	(void)state;
	rpMotion* motion = perform("walk", 60.0, 1.0);
	rpError error = {0};
	motion->rootPositions[7].y = NAN;
	assert_false(rpLockFeet(motion, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_non_null(strstr(error.message, "frame 7"));
	motion->rootPositions[7].y = 1.0f;
	rpFootLockDef def = rpDefaultFootLockDef();
	def.ease = -1.0;
	assert_false(rpLockFeet(motion, &def, NULL, &error));
	rpDestroyMotion(motion);

	rpJoint joint = rpDefaultJoint();
	joint.name = "Stick";
	joint.parent = -1;
	rpSkeletonDef skeletonDef = rpDefaultSkeletonDef();
	skeletonDef.joints = &joint;
	skeletonDef.jointCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&skeletonDef, NULL);
	motion = rpCreateMotion(skeleton, "stick", 60.0, 3, NULL);
	rpReleaseSkeleton(skeleton);
	error = (rpError){0};
	assert_false(rpLockFeet(motion, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_non_null(strstr(error.message, "no leg"));
	rpDestroyMotion(motion);
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* truth = perform("walk", 30.0, 1.5);
	rpMotion* motion = damage(truth, (Damage){.scale = 0.05f});
	rpMotion* copy = rpCopyMotion(motion, NULL);
	int live = testCountLiveBlocks();
	for (int n = 0;; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		bool done = rpLockFeet(motion, NULL, NULL, &error);
		testFailAllocation(-1);
		if (done)
		{
			assert_true(n > 3);
			break;
		}
		assert_int_equal(error.code, rp_errorMemory);
		assert_true(rpMotion_Agrees(motion, copy, 0.0f));
		assert_int_equal(testCountLiveBlocks(), live);
	}
	rpDestroyMotion(copy);
	rpDestroyMotion(motion);
	rpDestroyMotion(truth);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSlideGoes),
		cmocka_unit_test(testNothingToDo),
		cmocka_unit_test(testWrongInput),
		cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
