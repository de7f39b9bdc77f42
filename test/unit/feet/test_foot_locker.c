/// On-line foot lock against the whole motion's, and its limb inverse kinematics against forward kinematics.
#include "feet/leg_rig.h"
#include "performance.h"
#include "support.h"

#include <string.h>

static rpMotion* perform(const char* act, double fps, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(rpAct_Find(act));
	def.fps = fps;
	def.seconds = seconds;
	def.seed = 7;
	return testPerform(&def);
}

static void stretchPath(rpMotion* motion, float share)
{
	rpVec3 first = motion->rootPositions[0];
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i].x += share * (motion->rootPositions[i].x - first.x);
		motion->rootPositions[i].z += share * (motion->rootPositions[i].z - first.z);
	}
}

// The contacts at a frame as bits, and their heights.
static unsigned getContacts(const rpMotion* motion, int frame, float* heights)
{
	unsigned contacts = 0;
	double time = frame / motion->fps, end = rpMotion_GetDuration(motion);
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (contact->track == rp_trackContact && contact->start <= time + 1e-9 &&
			(time < contact->end - 1e-9 || (time >= end - 1e-9 && contact->end >= end - 1e-6)))
		{
			contacts |= 1u << contact->effector;
			heights[contact->effector] = contact->supportHeight;
		}
	}
	return contacts;
}

// The whole motion through a locker; its last pose is repeated until all have come out.
static rpMotion* lockLive(rpFootLocker* locker, const rpMotion* motion, int lookAhead)
{
	rpMotion* result = rpCopyMotion(motion, NULL);
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	int allocations = testCountAllocations();
	for (int i = 0; i < motion->frameCount + lookAhead; ++i)
	{
		int frame = i < motion->frameCount ? i : motion->frameCount - 1, late = i - lookAhead;
		float heights[rp_effectorCount] = {0};
		unsigned contacts = getContacts(motion, frame, heights);
		rpPose in = {.rootPosition = motion->rootPositions[frame],
					 .rotations = motion->rotations + (size_t)frame * jointCount};
		rpPose out = {.rotations = late >= 0 ? result->rotations + (size_t)late * jointCount : NULL};
		assert_int_equal(rpFootLocker_Step(locker, &in, contacts, heights, &out), late >= 0);
		if (late >= 0)
		{
			result->rootPositions[late] = out.rootPosition;
		}
	}
	assert_int_equal(testCountAllocations(), allocations);
	return result;
}

// The same but for the sign, which stands for the same turn.
static bool isSameTurn(const rpQuat* a, const rpQuat* b, size_t count)
{
	bool isSame = true;
	for (size_t i = 0; i < count && isSame; ++i)
	{
		rpQuat c = rpDotQuat(a[i], b[i]) < 0.0f ? rpNegateQuat(b[i]) : b[i];
		isSame = fabsf(a[i].w - c.w) + fabsf(a[i].x - c.x) + fabsf(a[i].y - c.y) + fabsf(a[i].z - c.z) < 1e-6f;
	}
	return isSame;
}

static void testAgrees(void** state)
{
	(void)state;
	static const struct
	{
		const char* act;
		float stretch;
	} cases[] = {{"walk", 0.0f}, {"run", 0.0f},   {"jump", 0.0f}, {"dance", 0.0f}, {"turn", 0.0f},
				 {"kick", 0.0f}, {"walk", 0.03f}, {"run", 0.03f}, {"sneak", 0.03f}};
	const int lookAhead = rpFootLocker_GetFullLookAhead(60.0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		rpMotion* motion = perform(cases[i].act, 60.0, 5.0);
		stretchPath(motion, cases[i].stretch);
		rpMotion* whole = rpCopyMotion(motion, NULL);
		assert_true(rpLockFeet(whole, NULL, NULL, NULL));
		rpFootLocker* locker = rpCreateFootLocker(motion->skeleton, motion->fps, lookAhead, NULL, NULL);
		assert_non_null(locker);
		rpMotion* live = lockLive(locker, motion, lookAhead);
		// But for the end, where the last pose was repeated instead of none.
		int frames = motion->frameCount - lookAhead;
		size_t numbers = (size_t)frames * (size_t)motion->skeleton->jointCount;
		assert_memory_equal(whole->rootPositions, live->rootPositions, (size_t)frames * sizeof(rpVec3));
		assert_true(isSameTurn(whole->rotations, live->rotations, numbers));

		// Once more from the start.
		rpFootLocker_Reset(locker);
		rpMotion* again = lockLive(locker, motion, lookAhead);
		assert_true(rpMotion_Agrees(live, again, 0.0f));
		rpDestroyMotion(again);
		rpDestroyMotion(live);
		rpDestroyFootLocker(locker);
		rpDestroyMotion(whole);
		rpDestroyMotion(motion);
	}
}

// The greatest change of a joint's velocity from one frame to the next, m/s.
static float getGreatestHitch(const rpMotion* motion, rpRole role)
{
	int joint = motion->skeleton->roles[role];
	rpTransform a[RP_MAX_JOINTS], b[RP_MAX_JOINTS], c[RP_MAX_JOINTS];
	float greatest = 0.0f;
	for (int i = 2; i < motion->frameCount; ++i)
	{
		rpMotion_Forward(motion, i - 2, a);
		rpMotion_Forward(motion, i - 1, b);
		rpMotion_Forward(motion, i, c);
		rpVec3 change = rpSub(rpAdd(a[joint].p, c[joint].p), rpScale(2.0f, b[joint].p));
		greatest = fmaxf(greatest, rpLength(change) * (float)motion->fps);
	}
	return greatest;
}

// How far the balls of the feet slide in the middles of their contacts, at most, metres.
static float getGreatestSlide(const rpMotion* motion)
{
	float greatest = 0.0f;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		bool isBall = contact->track == rp_trackContact &&
					  (contact->effector == rp_leftBall || contact->effector == rp_rightBall);
		int first = (int)ceil((contact->start + 0.055) * motion->fps);
		int last = (int)floor((contact->end - 0.055) * motion->fps);
		rpVec3 a, b;
		if (isBall && first < last && last < motion->frameCount)
		{
			assert_true(rpMotion_GetEffector(motion, first, contact->effector, &a));
			assert_true(rpMotion_GetEffector(motion, last, contact->effector, &b));
			greatest = fmaxf(greatest, hypotf(b.x - a.x, b.z - a.z));
		}
	}
	return greatest;
}

// However short the look-ahead, what bears stays where it is, and neither hips nor knees jump. (Before, a look-ahead of
// 0.1 to 0.3 s made the hip jump by 8 m/s from one frame to the next.)
static void testLooksAhead(void** state)
{
	(void)state;
	static const int lookAheads[] = {0, 1, 2, 5, 10, 20, 30, 60, 240};
	static const rpRole roles[] = {rp_roleLeftHip, rp_roleLeftKnee, rp_roleRightKnee};
	rpMotion* motion = perform("walk-run", 60.0, 6.0);
	stretchPath(motion, 0.05f);
	float slidBefore = getGreatestSlide(motion);
	for (size_t i = 0; i < sizeof(lookAheads) / sizeof(lookAheads[0]); ++i)
	{
		rpFootLocker* locker = rpCreateFootLocker(motion->skeleton, motion->fps, lookAheads[i], NULL, NULL);
		rpMotion* live = lockLive(locker, motion, lookAheads[i]);
		float slide = getGreatestSlide(live);
		print_message("look-ahead %3d: slide %.2f -> %.3f mm;", lookAheads[i], 1e3 * (double)slidBefore,
					  1e3 * (double)slide);
		assert_true(slide < 0.1f * slidBefore);
		for (int k = 0; k < 3; ++k)
		{
			float before = getGreatestHitch(motion, roles[k]), after = getGreatestHitch(live, roles[k]);
			print_message(" %s %.2f -> %.2f m/s", rpRole_GetName(roles[k]), (double)before, (double)after);
			assert_true(after < fmaxf(1.5f * before, 0.3f));
		}
		print_message("\n");
		rpDestroyMotion(live);
		rpDestroyFootLocker(locker);
	}
	rpDestroyMotion(motion);
}

static void testWrongInput(void** state)
{
	(void)state;
	rpMotion* motion = perform("stand", 60.0, 1.0);
	rpError error = {0};
	rpFootLockDef def = rpDefaultFootLockDef();
	assert_null(rpCreateFootLocker(motion->skeleton, 60.0, -1, NULL, &error));
	assert_non_null(strstr(error.message, "0 to 960"));
	assert_null(rpCreateFootLocker(motion->skeleton, 60.0, 961, NULL, &error));
	assert_null(rpCreateFootLocker(motion->skeleton, NAN, 30, NULL, &error));
	assert_null(rpCreateFootLocker(motion->skeleton, 0.0, 30, NULL, &error));
	def.ease = -0.1;
	assert_null(rpCreateFootLocker(motion->skeleton, 60.0, 30, &def, &error));
	rpDestroyFootLocker(NULL);
	int live = testCountLiveBlocks();
	for (int n = 0;; ++n)
	{
		testFailAllocation(n);
		rpFootLocker* locker = rpCreateFootLocker(motion->skeleton, 60.0, 30, NULL, &error);
		testFailAllocation(-1);
		rpDestroyFootLocker(locker);
		assert_int_equal(testCountLiveBlocks(), live);
		if (locker != NULL)
		{
			assert_true(n >= 5);
			break;
		}
		assert_int_equal(error.code, rp_errorMemory);
	}
	rpDestroyMotion(motion);
}

// ---- the legs

static rpVec3 drawVector(rpRandom* random, float reach)
{
	float x = rpRandom_Range(random, -reach, reach), y = rpRandom_Range(random, -reach, reach);
	return (rpVec3){x, y, rpRandom_Range(random, -reach, reach)};
}

// The direction in which a knee stands off the line from hip to ankle, unit.
static rpVec3 getKneeDirection(const rpLeg* leg, const rpTransform* world, float* off)
{
	rpVec3 along = rpNormalize(rpSub(world[leg->ankle].p, world[leg->hip].p));
	rpVec3 thigh = rpSub(world[leg->knee].p, world[leg->hip].p);
	rpVec3 bend = rpMulAdd(thigh, -rpDot(thigh, along), along);
	*off = rpLength(bend);
	return rpNormalize(bend);
}

static void applySolution(const rpLeg* leg, const rpLegSolution* solution, rpQuat* rotations)
{
	rotations[leg->hip] = solution->hip;
	rotations[leg->knee] = solution->knee;
	rotations[leg->ankle] = solution->ankle;
	rotations[leg->ball] = solution->ball;
}

static void testLegsReach(void** state)
{
	(void)state;
	rpMotion* motion = perform("take", 60.0, 8.0);
	const rpSkeleton* skeleton = motion->skeleton;
	rpFootRig rig;
	assert_true(rpFootRig_Init(&rig, skeleton));
	rpRandom random = rpSeedRandom(11);
	float farthest = 0.0f, widest = 0.0f;
	int count = 0;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		const rpLeg* leg = rig.legs + frame % 2;
		rpTransform old[RP_MAX_JOINTS], new[RP_MAX_JOINTS];
		rpQuat rotations[RP_MAX_JOINTS];
		memcpy(rotations, rpMotion_GetRotations(motion, frame), (size_t)skeleton->jointCount * sizeof(rpQuat));
		rpSkeleton_Forward(skeleton, motion->rootPositions[frame], rotations, NULL, old);
		rpVec3 shift = drawVector(&random, 0.03f);
		rpLegGoal goal = {.ankle.p = rpAdd(old[leg->ankle].p, drawVector(&random, 0.08f)),
						  .ankle.q = rpMulQuat(rpExpQuat(drawVector(&random, 0.2f)), old[leg->ankle].q)};
		rpLegSolution solution;
		rpLeg_Solve(leg, &rig, old, shift, &goal, &solution);
		applySolution(leg, &solution, rotations);
		rpSkeleton_Forward(skeleton, rpAdd(motion->rootPositions[frame], shift), rotations, NULL, new);
		rpVec3 reach = rpSub(goal.ankle.p, new[leg->hip].p);
		float length = rpDistance(old[leg->hip].p, old[leg->knee].p) + rpDistance(old[leg->knee].p, old[leg->ankle].p);
		if (rpLength(reach) > 0.9995f * length)
		{
			continue;
		}
		farthest = fmaxf(farthest, rpDistance(new[leg->ankle].p, goal.ankle.p));
		assert_true(rpAngleBetween(new[leg->ankle].q, goal.ankle.q) < 2e-3f);

		// The knee's direction goes along with the leg by the smallest turn.
		float oldOff, newOff;
		rpVec3 oldKnee = getKneeDirection(leg, old, &oldOff), newKnee = getKneeDirection(leg, new, &newOff);
		rpQuat swing = rpRotationBetween(rpSub(old[leg->ankle].p, old[leg->hip].p), reach);
		if (oldOff > 0.05f && newOff > 0.02f)
		{
			widest = fmaxf(widest, acosf(fminf(rpDot(rpRotate(swing, oldKnee), newKnee), 1.0f)));
			++count;
		}
	}
	print_message("%d legs: ankles %.1e m off their goals, knees turned by %.3f degrees\n", count, (double)farthest,
				  (double)widest / RP_DEGREE);
	assert_true(count > 100);
	assert_true(farthest < 1e-5f);
	assert_true(widest < 0.5 * RP_DEGREE);
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testAgrees),
		cmocka_unit_test(testLooksAhead),
		cmocka_unit_test(testWrongInput),
		cmocka_unit_test(testLegsReach),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
