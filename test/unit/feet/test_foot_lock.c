/// Foot lock over whole motions: damaged performances get back feet that rest, and keep their legs.
#include "feet/contact_sweep.h"
#include "math/order.h"
#include "performance.h"
#include "support.h"

#include <stdlib.h>
#include <string.h>

/// How a performance is made worse.
typedef struct Damage
{
	/// The root's path over the floor, longer by this share.
	float scale;
	/// Drift to the side, m/s.
	float drift;
	/// White noise of the root, metres, and of all rotations, radians.
	float noise, turning;
} Damage;

static rpMotion* perform(const char* act, double fps, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(rpAct_Find(act));
	def.fps = fps;
	def.seconds = seconds;
	def.seed = 7;
	return testPerform(&def);
}

static rpVec3 drawVector(rpRandom* random, float deviation)
{
	float x = rpRandom_Normal(random), y = rpRandom_Normal(random), z = rpRandom_Normal(random);
	return rpScale(deviation, (rpVec3){x, y, z});
}

static rpMotion* damage(const rpMotion* truth, Damage with)
{
	rpMotion* motion = rpCopyMotion(truth, NULL);
	assert_non_null(motion);
	rpRandom random = rpSeedRandom(3);
	rpVec3 first = truth->rootPositions[0];
	int jointCount = motion->skeleton->jointCount;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpVec3* p = motion->rootPositions + i;
		rpVec3 displacement = {with.scale * (p->x - first.x) + with.drift * (float)(i / motion->fps), 0.0f,
							   with.scale * (p->z - first.z)};
		*p = rpAdd(rpAdd(*p, displacement), drawVector(&random, with.noise));
		for (int j = 0; with.turning > 0.0f && j < jointCount; ++j)
		{
			rpQuat* q = motion->rotations + (size_t)i * (size_t)jointCount + j;
			*q = rpMulQuat(*q, rpExpQuat(drawVector(&random, with.turning)));
		}
	}
	return motion;
}

static const char* const s_acts[] = {"walk",     "run",   "jump", "dance",    "stand-walk", "turn",     "step-up",
									 "sit-down", "sneak", "kick", "walk-run", "box-dance",  "backwards"};

#define ACT_COUNT (int)(sizeof(s_acts) / sizeof(s_acts[0]))

static rpFootLockReport lock(rpMotion* motion, const rpFootLockDef* def)
{
	rpFootLockReport report;
	rpError error = {0};
	if (!rpLockFeet(motion, def, &report, &error))
	{
		fail_msg("%s", error.message);
	}
	return report;
}

// Edges of contacts are soft, seconds: what is held is what lies between.
#define EDGE 0.055

// The farthest apart that a heel or ball is from where it is in the middle of its contact, metres, over all contacts.
static float measureCores(const rpMotion* motion)
{
	float farthest = 0.0f;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		bool isSole = contact->track == rp_trackContact &&
					  (contact->effector == rp_leftHeel || contact->effector == rp_leftBall ||
					   contact->effector == rp_rightHeel || contact->effector == rp_rightBall);
		int first = (int)ceil((contact->start + EDGE) * motion->fps),
			last = (int)floor((contact->end - EDGE) * motion->fps);
		rpVec3 middle, place;
		if (!isSole || first >= last || last >= motion->frameCount)
		{
			continue;
		}
		assert_true(rpMotion_GetEffector(motion, (first + last) / 2, contact->effector, &middle));
		for (int frame = first; frame <= last; ++frame)
		{
			assert_true(rpMotion_GetEffector(motion, frame, contact->effector, &place));
			farthest = fmaxf(farthest, hypotf(place.x - middle.x, place.z - middle.z));
		}
	}
	return farthest;
}

static void holdToLock(const char* act, double fps, Damage with)
{
	rpMotion* truth = perform(act, fps, 5.0);
	rpMotion* motion = damage(truth, with);
	rpFootLockReport report = lock(motion, NULL);
	float core = measureCores(motion);
	print_message(
		"%-11s %3.0f Hz %2d contacts, slide %7.2f mm -> %.2f, in their middles %.3f mm, knees %5.2f -> %5.2f rad/s, "
		"root %4.1f mm, missed %.2f mm\n",
		act, fps, report.contactCount, 1e3 * (double)report.before.max, 1e3 * (double)report.after.max,
		1e3 * (double)core, (double)report.kneeSpeedBefore, (double)report.kneeSpeedAfter,
		1e3 * (double)report.rootShift, 1e3 * (double)report.missed);
	assert_true(report.contactCount > 0);
	assert_true(report.before.mean > 2e-3f);
	assert_true(core < 1e-3f);
	assert_true(report.after.mean < 0.25f * report.before.mean);
	assert_true(report.kneeSpeedAfter <= 1.2f * report.kneeSpeedBefore);
	rpDestroyMotion(motion);
	rpDestroyMotion(truth);
}

static void testSlideGoes(void** state)
{
	(void)state;
	for (int i = 0; i < ACT_COUNT; ++i)
	{
		holdToLock(s_acts[i], 120.0, (Damage){.scale = 0.05f, .drift = 0.01f});
	}
}

static void testRates(void** state)
{
	(void)state;
	static const double rates[] = {30.0, 60.0, 90.0, 240.0};
	for (int i = 0; i < 4; ++i)
	{
		holdToLock("walk", rates[i], (Damage){.scale = 0.05f, .drift = 0.01f});
		holdToLock("run", rates[i], (Damage){.scale = 0.05f, .drift = 0.01f});
	}
}

// Noise in the legs, not in the root.
static void testNoisyLegs(void** state)
{
	(void)state;
	rpMotion* truth = perform("walk", 120.0, 4.0);
	rpMotion* motion = damage(truth, (Damage){.turning = 0.002f});
	rpFootLockReport report = lock(motion, NULL);
	float core = measureCores(motion);
	print_message("noisy legs: slide %.2f -> %.3f mm, in their middles %.3f, knees %.2f -> %.2f rad/s\n",
				  1e3 * (double)report.before.mean, 1e3 * (double)report.after.mean, 1e3 * (double)core,
				  (double)report.kneeSpeedBefore, (double)report.kneeSpeedAfter);
	assert_true(core < 2e-3f);
	rpDestroyMotion(motion);
	rpDestroyMotion(truth);
}

/// Accelerations of a joint, m/s²: second differences from frame to frame.
typedef struct Accelerations
{
	float common, greatest; // the 99th percentile and the maximum
} Accelerations;

static Accelerations measureAccelerations(const rpMotion* motion, int joint)
{
	int count = motion->frameCount - 2, jointCount = motion->skeleton->jointCount;
	float* values = malloc((size_t)count * sizeof(float));
	rpVec3* places = malloc((size_t)motion->frameCount * (size_t)jointCount * sizeof(rpVec3));
	rpMotion_ForwardAll(motion, 0, motion->frameCount, places, NULL);
	for (int i = 0; i < count; ++i)
	{
		const rpVec3* p = places + (size_t)i * (size_t)jointCount + joint;
		rpVec3 change = rpSub(rpAdd(p[0], p[2 * jointCount]), rpScale(2.0f, p[jointCount]));
		values[i] = rpLength(change) * (float)(motion->fps * motion->fps);
	}
	qsort(values, (size_t)count, sizeof(float), rpCompareFloats);
	Accelerations result = {values[(int)(0.99 * count)], values[count - 1]};
	free(places);
	free(values);
	return result;
}

// No joint of the result is accelerated much more than the truth is.
static void testNoAccelerationPeaks(void** state)
{
	(void)state;
	static const rpRole roles[] = {rp_rolePelvis,    rp_roleLeftHip,   rp_roleRightHip,  rp_roleLeftKnee,
								   rp_roleRightKnee, rp_roleLeftAnkle, rp_roleRightAnkle};
	for (int i = 0; i < ACT_COUNT; ++i)
	{
		rpMotion* truth = perform(s_acts[i], 120.0, 5.0);
		rpMotion* clip = damage(truth, (Damage){.scale = 0.05f, .drift = 0.01f});
		rpMotion* motion = rpCopyMotion(clip, NULL);
		lock(motion, NULL);
		float worst = 0.0f, worstToTruth = 0.0f;
		for (int k = 0; k < 7; ++k)
		{
			int joint = truth->skeleton->roles[roles[k]];
			Accelerations before = measureAccelerations(clip, joint), after = measureAccelerations(motion, joint);
			Accelerations real = measureAccelerations(truth, joint);
			float bar = fmaxf(fmaxf(before.common, 1.35f * real.greatest), 10.0f);
			worst = fmaxf(worst, after.greatest / before.common);
			worstToTruth = fmaxf(worstToTruth, after.common / fmaxf(real.common, 5.0f));
			if (after.greatest > bar)
			{
				print_message("%s, %s: %.1f m/s2; the clip's 99th percentile is %.1f, the truth's maximum %.1f\n",
							  s_acts[i], rpRole_GetName(roles[k]), (double)after.greatest, (double)before.common,
							  (double)real.greatest);
			}
			assert_true(after.greatest <= bar);
		}
		print_message(
			"%-11s greatest acceleration %.2f of the clip's 99th percentile; 99th percentile %.2f of the truth's\n",
			s_acts[i], (double)worst, (double)worstToTruth);
		rpDestroyMotion(motion);
		rpDestroyMotion(clip);
		rpDestroyMotion(truth);
	}
}

// A clean performance is left nearly as it is.
static void testCleanStaysClean(void** state)
{
	(void)state;
	for (int i = 0; i < ACT_COUNT; ++i)
	{
		rpMotion* truth = perform(s_acts[i], 60.0, 4.0);
		rpMotion* motion = rpCopyMotion(truth, NULL);
		rpFootLockReport report = lock(motion, NULL);
		if (!rpMotion_Agrees(motion, truth, 4e-3f))
		{
			print_message("%s: root shifted by %.2f mm\n", s_acts[i], 1e3 * (double)report.rootShift);
		}
		assert_true(rpMotion_Agrees(motion, truth, 4e-3f));
		assert_null(motion->translations);
		rpDestroyMotion(motion);
		rpDestroyMotion(truth);
	}
}

static void testHeights(void** state)
{
	(void)state;
	rpMotion* motion = perform("step-up", 60.0, 4.0);
	// Every contact at another height than its support's.
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i].y += 0.015f * sinf(0.05f * (float)i);
	}
	rpFootLockDef def = rpDefaultFootLockDef();
	for (int ground = 0; ground < 2; ++ground)
	{
		rpMotion* copy = rpCopyMotion(motion, NULL);
		def.ground = ground == 1;
		lock(copy, &def);
		float low = INFINITY, high = -INFINITY;
		for (int k = 0; k < copy->annotations.intervalCount; ++k)
		{
			const rpInterval* contact = copy->annotations.intervals + k;
			rpVec3 p;
			int frame = rpMotion_GetFrame(copy, 0.5 * (contact->start + contact->end));
			if (contact->track == rp_trackContact && contact->effector == rp_leftBall)
			{
				assert_true(rpMotion_GetEffector(copy, frame, contact->effector, &p));
				low = fminf(low, p.y - contact->supportHeight);
				high = fmaxf(high, p.y - contact->supportHeight);
			}
		}

		print_message("balls are between %.1f and %.1f mm above their supports\n", 1e3 * (double)low,
					  1e3 * (double)high);
		assert_true(def.ground ? high - low < 6e-3f : high - low > 1e-2f);
		rpDestroyMotion(copy);
	}
	rpDestroyMotion(motion);
}

// The greatest shift of the root by the lock.
static float getShift(const rpMotion* before, bool isSeated)
{
	rpMotion* motion = rpCopyMotion(before, NULL);
	rpInterval seat = {.track = rp_trackContact, .start = 0.0, .end = 9.0, .effector = rp_seat};
	assert_true(!isSeated || rpAnnotations_AddInterval(&motion->annotations, &seat, NULL));
	rpFootLockReport report = lock(motion, NULL);
	assert_true(measureCores(motion) < 1e-3f);
	rpDestroyMotion(motion);
	return report.rootShift;
}

// Someone who sits is held by the seat: feet that slide are put right by the legs, not by the body.
static void testSeatHolds(void** state)
{
	(void)state;
	rpMotion* truth = perform("duck", 60.0, 3.0);
	rpMotion* motion = damage(truth, (Damage){.drift = 0.01f});
	float sitting = getShift(motion, true), standing = getShift(motion, false);
	print_message("root shifted by %.1f mm, held by a seat %.1f mm\n", 1e3 * (double)standing, 1e3 * (double)sitting);
	assert_true(sitting < 0.6f * standing);
	rpDestroyMotion(motion);
	rpDestroyMotion(truth);
}

// A body in flight goes on falling as it did.
static void testFlightsFall(void** state)
{
	(void)state;
	static const char* const acts[] = {"run", "jump", "running-jump"};
	for (int i = 0; i < 3; ++i)
	{
		rpMotion* truth = perform(acts[i], 120.0, 4.0);
		rpMotion* motion = damage(truth, (Damage){.scale = 0.05f, .drift = 0.01f});
		rpFlight before[32], after[32];
		int count = rpFindFlights(motion, before, 32, NULL);
		lock(motion, NULL);
		assert_true(count > 0 && count <= 32);
		assert_int_equal(rpFindFlights(motion, after, 32, NULL), count);
		for (int k = 0; k < count; ++k)
		{
			if (before[k].gravity > 0.0f)
			{
				print_message("%s: %.2f m/s2, held %.2f m/s2\n", acts[i], (double)before[k].gravity,
							  (double)after[k].gravity);
				assert_true(fabsf(after[k].gravity / before[k].gravity - 1.0f) < 0.05f);
			}
		}
		rpDestroyMotion(motion);
		rpDestroyMotion(truth);
	}
}

// The min bend of each knee while its ball bears, radians, summed over stances.
static float sumMinBends(const rpMotion* motion)
{
	const int* roles = motion->skeleton->roles;
	float sum = 0.0f;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		bool isLeft = contact->effector == rp_leftBall, isRight = contact->effector == rp_rightBall;
		if (contact->track != rp_trackContact || (!isLeft && !isRight))
		{
			continue;
		}
		float min = INFINITY;
		int last = rpMotion_GetFrame(motion, contact->end);
		for (int frame = rpMotion_GetFrame(motion, contact->start); frame <= last; ++frame)
		{
			rpTransform pose[RP_MAX_JOINTS];
			rpMotion_Forward(motion, frame, pose);
			rpVec3 knee = pose[roles[isLeft ? rp_roleLeftKnee : rp_roleRightKnee]].p;
			rpVec3 thigh = rpSub(knee, pose[roles[isLeft ? rp_roleLeftHip : rp_roleRightHip]].p);
			rpVec3 shank = rpSub(pose[roles[isLeft ? rp_roleLeftAnkle : rp_roleRightAnkle]].p, knee);
			min = fminf(min, atan2f(rpLength(rpCross(thigh, shank)), rpDot(thigh, shank)));
		}
		sum += min;
	}
	return sum;
}

// Legs stay themselves: knees of stances are as straight as they were. (Reach limited to a share of the leg had raised
// the min bend of captured walks by 3 to 10 degrees.)
static void testLegsStay(void** state)
{
	(void)state;
	static const char* const acts[] = {"walk", "run", "stand-walk", "backwards"};
	for (int i = 0; i < 4; ++i)
	{
		rpMotion* truth = perform(acts[i], 60.0, 5.0);
		rpMotion* motion = damage(truth, (Damage){.scale = 0.05f, .drift = 0.02f});
		rpDestroyMotion(truth);
		float before = sumMinBends(motion);
		lock(motion, NULL);
		int stances = 0;
		for (int k = 0; k < motion->annotations.intervalCount; ++k)
		{
			const rpInterval* contact = motion->annotations.intervals + k;
			stances += contact->track == rp_trackContact &&
					   (contact->effector == rp_leftBall || contact->effector == rp_rightBall);
		}
		double change = (double)(sumMinBends(motion) - before) / stances / RP_DEGREE;
		print_message("%s: the least bend of %d stances changes by %.2f degrees\n", acts[i], stances, change);
		assert_true(fabs(change) < 3.0);
		rpDestroyMotion(motion);
	}
}

static void testNothingToDo(void** state)
{
	(void)state;
	rpMotion* motion = perform("walk", 60.0, 2.0);
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	rpMotion* copy = rpCopyMotion(motion, NULL);
	rpFootLockReport report = lock(motion, NULL);
	assert_int_equal(report.contactCount, 0);
	assert_memory_equal(motion->rotations, copy->rotations,
						(size_t)motion->frameCount * (size_t)motion->skeleton->jointCount * sizeof(rpQuat));
	assert_memory_equal(motion->rootPositions, copy->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3));
	rpDestroyMotion(copy);
	rpDestroyMotion(motion);
}

// Contacts that overlap, follow each other at once, lie outside, are empty, last a frame.
static void testOddContacts(void** state)
{
	(void)state;
	rpMotion* motion = perform("walk", 60.0, 2.0);
	static const double odd[][2] = {{0.2, 0.5}, {0.3, 0.9}, {0.9, 1.0}, {1.0, 1.01},
									{1.5, 1.5}, {1.9, 9.0}, {3.0, 4.0}};
	for (size_t i = 0; i < sizeof(odd) / sizeof(odd[0]); ++i)
	{
		for (int e = rp_leftHeel; e <= rp_rightToe; ++e)
		{
			rpInterval contact = {
				.track = rp_trackContact, .start = odd[i][0], .end = odd[i][1], .effector = (rpEffector)e};
			assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
		}
	}
	rpFootLockReport report = lock(motion, NULL);
	assert_true(isfinite(report.after.max) && isfinite(report.rootShift));
	for (int i = 0; i < motion->frameCount; ++i)
	{
		const rpQuat* rotations = rpMotion_GetRotations(motion, i);
		for (int j = 0; j < motion->skeleton->jointCount; ++j)
		{
			assert_true(fabsf(rpDotQuat(rotations[j], rotations[j]) - 1.0f) < 1e-4f);
		}
	}
	rpDestroyMotion(motion);

	// A single frame.
	rpMotion* whole = perform("walk", 60.0, 1.0);
	motion = rpCreateMotion(whole->skeleton, "frame", 60.0, 1, NULL);
	rpInterval contact = {.track = rp_trackContact, .start = 0.0, .end = 1.0, .effector = rp_leftHeel};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
	lock(motion, NULL);
	rpDestroyMotion(motion);
	rpDestroyMotion(whole);
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
	error = (rpError){0};
	assert_false(rpLockFeet(motion, NULL, NULL, &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_non_null(strstr(error.message, "no leg"));
	assert_null(rpCreateFootLocker(skeleton, 60.0, 30, NULL, &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpReleaseSkeleton(skeleton);
	rpDestroyMotion(motion);
}

// One foot is said to rest all the time, the other at its end: no body is so long.
static rpMotion* makeImpossible(void)
{
	rpMotion* motion = perform("walk", 30.0, 4.0);
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	rpInterval left = {.track = rp_trackContact, .start = 0.0, .end = 9.0, .effector = rp_leftHeel};
	rpInterval right = {.track = rp_trackContact, .start = 3.5, .end = 9.0, .effector = rp_rightHeel};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &left, NULL));
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &right, NULL));
	return motion;
}

// Bones keep their lengths, and how far feet are out of reach is reported.
static void testOutOfReach(void** state)
{
	(void)state;
	rpMotion* motion = makeImpossible();
	rpFootLockReport report = lock(motion, NULL);
	print_message("out of reach by %.0f mm\n", 1e3 * (double)report.missed);
	assert_true(report.missed > 0.1f);
	assert_null(motion->translations);
	rpDestroyMotion(motion);
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* motion = makeImpossible();
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
			assert_true(n > 4);
			break;
		}
		assert_int_equal(error.code, rp_errorMemory);
		assert_true(rpMotion_Agrees(motion, copy, 0.0f));
		assert_null(motion->translations);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	rpDestroyMotion(copy);
	rpDestroyMotion(motion);
}

// A contact that ends between the last two frames does not hold the last one; one that lasts to the end does.
static void testLastFrame(void** state)
{
	(void)state;
	rpMotion* motion = perform("walk", 60.0, 2.0);
	assert_int_equal(motion->frameCount, 121);
	static const double ends[] = {2.0, 2.5, 1.995, 119.0 / 60.0};
	static const int counts[] = {121, 121, 120, 119};
	for (int i = 0; i < 4; ++i)
	{
		rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
		rpInterval contact = {.track = rp_trackContact, .start = 0.0, .end = ends[i], .effector = rp_leftHeel};
		assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
		rpContactSweep sweep = rpStartContactSweep(motion);
		int count = 0;
		for (int frame = 0; frame < motion->frameCount; ++frame)
		{
			float heights[rp_effectorCount];
			count += rpContactSweep_Step(&sweep, frame, heights) == 1u << rp_leftHeel;
		}
		assert_int_equal(count, counts[i]);
	}
	rpDestroyMotion(motion);
}

// The lowest that toes come, metres.
static float getLowestToe(const rpMotion* motion)
{
	float lowest = INFINITY;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpVec3 left, right;
		assert_true(rpMotion_GetEffector(motion, i, rp_leftToe, &left));
		assert_true(rpMotion_GetEffector(motion, i, rp_rightToe, &right));
		lowest = fminf(lowest, fminf(left.y, right.y));
	}
	return lowest;
}

// Toes that a capture bends down, as they push off, stay above the floor; and nothing else is touched for it.
static void testToesStayUp(void** state)
{
	(void)state;
	rpMotion* truth = perform("walk", 60.0, 5.0);
	rpMotion* motion = rpCopyMotion(truth, NULL);
	int jointCount = motion->skeleton->jointCount;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		float bend = 4.0f * fmaxf(sinf(0.2f * (float)i) - 0.8f, 0.0f);
		for (int side = 0; side < 2; ++side)
		{
			int ball = motion->skeleton->roles[side == 0 ? rp_roleLeftBall : rp_roleRightBall];
			rpQuat* q = motion->rotations + (size_t)i * (size_t)jointCount + ball;
			*q = rpMulQuat(*q, rpExpQuat((rpVec3){bend, 0.0f, 0.0f}));
		}
	}
	float usual = getLowestToe(truth), before = getLowestToe(motion);
	lock(motion, NULL);
	float after = getLowestToe(motion);
	print_message("toes at %.1f mm, bent down to %.1f mm, raised to %.1f mm\n", 1e3 * (double)usual,
				  1e3 * (double)before, 1e3 * (double)after);
	// Their usual height is a mean with the bent ones in it.
	assert_true(before < usual - 0.03f && after > usual - 0.022f);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpVec3 a, b;
		assert_true(rpMotion_GetEffector(truth, i, rp_leftBall, &a));
		assert_true(rpMotion_GetEffector(motion, i, rp_leftBall, &b));
		assert_true(rpDistance(a, b) < 0.003f);
	}
	rpDestroyMotion(truth);
	rpDestroyMotion(motion);
}

// A contact that a seam has cut in two, or left a stub of beside it, is held all the same.
static void testSeamsAreHeld(void** state)
{
	(void)state;
	for (int i = 0; i < 2; ++i)
	{
		rpMotion* motion = perform("walk", 120.0, 4.0);
		rpAnnotations* notes = &motion->annotations;
		int longest = 0;
		for (int k = 0; k < notes->intervalCount; ++k)
		{
			const rpInterval* contact = notes->intervals + k;
			bool isBall = contact->track == rp_trackContact && contact->effector == rp_leftBall;
			longest = isBall && contact->start > 1.0 && contact->end < 3.0 ? k : longest;
		}
		rpInterval second = notes->intervals[longest];
		double middle = 0.5 * (second.start + second.end);
		// In two, with 15 ms in between; or with a stub, 30 ms before, that is swept along.
		notes->intervals[longest].start = i == 0 ? second.start : second.start - 0.06;
		notes->intervals[longest].end = i == 0 ? middle - 0.015 : second.start - 0.03;
		second.start = i == 0 ? middle : second.start;
		assert_true(rpAnnotations_AddInterval(notes, &second, NULL));
		// The whole body slides by 5 cm/s.
		for (int f = 0; f < motion->frameCount; ++f)
		{
			motion->rootPositions[f].x += 0.05f * (float)(f / motion->fps);
		}
		lock(motion, NULL);
		rpVec3 first, last;
		int begin = (int)ceil((second.start + EDGE) * motion->fps), end = (int)floor((second.end - EDGE) * motion->fps);
		assert_true(rpMotion_GetEffector(motion, begin, rp_leftBall, &first));
		assert_true(rpMotion_GetEffector(motion, end, rp_leftBall, &last));
		print_message("case %d: %.3f mm over %d frames\n", i, 1e3 * (double)rpDistance(first, last), end - begin);
		assert_true(end - begin > 10 && hypotf(last.x - first.x, last.z - first.z) < 0.0005f);
		rpDestroyMotion(motion);
	}
}

// A foot that goes from its heel onto its ball at once, with its heel held lower than it was, does not jump.
static void testPointsChange(void** state)
{
	(void)state;
	rpMotion* motion = perform("stand", 60.0, 2.0);
	int ankle = motion->skeleton->roles[rp_roleLeftAnkle], jointCount = motion->skeleton->jointCount;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpQuat* q = motion->rotations + (size_t)i * (size_t)jointCount + ankle;
		*q = rpMulQuat(*q, rpExpQuat((rpVec3){0.4f, 0.0f, 0.0f}));
	}
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	// The right heel, on the floor, and the left one, above it, have one height on average.
	const rpInterval contacts[] = {
		{.track = rp_trackContact, .start = 0.0, .end = 2.0, .effector = rp_rightHeel},
		{.track = rp_trackContact, .start = 0.0, .end = 1.0, .effector = rp_leftHeel},
		{.track = rp_trackContact, .start = 1.0, .end = 2.0, .effector = rp_leftBall},
	};
	for (int i = 0; i < 3; ++i)
	{
		assert_true(rpAnnotations_AddInterval(&motion->annotations, contacts + i, NULL));
	}
	lock(motion, NULL);
	float fastest = 0.0f, last = 0.0f, moved = 0.0f, first = 0.0f;
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpTransform pose[RP_MAX_JOINTS];
		rpMotion_Forward(motion, i, pose);
		fastest = i > 0 ? fmaxf(fastest, fabsf(pose[ankle].p.y - last)) : 0.0f;
		last = pose[ankle].p.y;
		first = i == 55 ? last : first;
		moved = i == 75 ? fabsf(last - first) : moved;
	}
	print_message("the ankle moves by %.1f mm in all, by %.1f mm in a frame\n", 1e3 * (double)moved,
				  1e3 * (double)fastest);
	assert_true(moved > 0.004f && fastest < 0.3f * moved);
	rpDestroyMotion(motion);
}

// Feet that stand while the whole body is carried back, as blends do: the heel was put down before that, the ball after
// it, so that their mean places come near each other. The foot keeps its direction, and does not stand on its tip.
static void testCarriedFeet(void** state)
{
	(void)state;
	float lowest = 0.0f, minAlong = 1.0f;
	for (int k = 0; k < 12; ++k)
	{
		rpMotion* motion = perform("stand", 60.0, 2.0);
		rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
		for (int i = 0; i < 4; ++i)
		{
			bool isHeel = i < 2;
			const rpInterval contact = {
				.track = rp_trackContact,
				.start = isHeel ? 0.0 : 1.0,
				.end = 2.0,
				.effector = isHeel ? (i == 0 ? rp_leftHeel : rp_rightHeel) : (i == 2 ? rp_leftBall : rp_rightBall),
			};
			assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
		}
		rpVec3 heel, ball, stood[2];
		assert_true(rpMotion_GetEffector(motion, 60, rp_leftHeel, &heel));
		assert_true(rpMotion_GetEffector(motion, 60, rp_leftBall, &ball));
		rpVec3 displacement = {ball.x - heel.x, 0.0f, ball.z - heel.z};
		for (int f = 0; f < motion->frameCount; ++f)
		{
			float u = fminf(fmaxf((float)f / 60.0f - 0.9f, 0.0f) / 0.2f, 1.0f);
			motion->rootPositions[f] = rpMulAdd(motion->rootPositions[f], -0.25f * (float)k * u, displacement);
		}
		lock(motion, NULL);
		for (int f = 0; f < motion->frameCount; ++f)
		{
			assert_true(rpMotion_GetEffector(motion, f, rp_leftHeel, &stood[0]));
			assert_true(rpMotion_GetEffector(motion, f, rp_leftBall, &stood[1]));
			lowest = fminf(lowest, fminf(stood[0].y - heel.y, stood[1].y - ball.y));
			minAlong =
				fminf(minAlong, rpDot(rpSub(stood[1], stood[0]), displacement) / rpDot(displacement, displacement));
		}
		rpDestroyMotion(motion);
	}
	print_message("carried feet are %.1f mm lower at most, and go on for %.2f of their length\n", -1e3 * (double)lowest,
				  (double)minAlong);
	assert_true(lowest > -0.01f && minAlong > 0.95f);
}

static void addContact(rpMotion* motion, rpEffector effector, double start, double end)
{
	const rpInterval contact = {.track = rp_trackContact, .start = start, .end = end, .effector = effector};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
}

// Feet that go below the floor while they are free are kept on it.
static void testFreeFeetStayUp(void** state)
{
	(void)state;
	rpMotion* motion = perform("stand", 60.0, 2.0);
	rpVec3 stood;
	assert_true(rpMotion_GetEffector(motion, 60, rp_leftBall, &stood));
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	for (rpEffector effector = rp_leftHeel; effector <= rp_rightToe; ++effector)
	{
		addContact(motion, effector, 0.0, 0.5);
		addContact(motion, effector, 1.5, 2.0);
	}
	for (int f = 36; f < 84; ++f)
	{
		motion->rootPositions[f].y -= 0.03f - 0.03f * cosf((float)(RP_PI / 24.0) * (float)(f - 36));
	}
	float before = 0.0f, after = 0.0f;
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int f = 0; f < motion->frameCount; ++f)
		{
			rpVec3 ball;
			assert_true(rpMotion_GetEffector(motion, f, rp_leftBall, &ball));
			*(pass == 0 ? &before : &after) = fminf(pass == 0 ? before : after, ball.y - stood.y);
		}
		if (pass == 0)
		{
			lock(motion, NULL);
		}
	}
	print_message("free feet %.1f mm below the floor, %.1f mm when kept on it\n", -1e3 * (double)before,
				  -1e3 * (double)after);
	// Knees that stood still take their time.
	assert_true(before < -0.055f && after > -0.03f);
	rpDestroyMotion(motion);
}

// A foot that is carried along on its ball, and rests on its heel a moment after, does not snap back in that moment.
static void testCarriedFootIsNotSnapped(void** state)
{
	(void)state;
	rpMotion* motion = perform("stand", 120.0, 3.0);
	rpAnnotations_Clear(&motion->annotations, rp_trackContact, NULL);
	addContact(motion, rp_rightBall, 0.0, 3.0);
	addContact(motion, rp_leftBall, 0.0, 1.5);
	addContact(motion, rp_leftHeel, 1.53, 3.0);
	for (int f = 0; f < motion->frameCount; ++f)
	{
		float u = fminf(fmaxf((float)f / 120.0f - 1.1f, 0.0f) / 0.4f, 1.0f);
		motion->rootPositions[f].x += 0.25f * u * u * (3.0f - 2.0f * u);
	}
	lock(motion, NULL);
	rpVec3 old, new;
	float fastest = 0.0f;
	assert_true(rpMotion_GetEffector(motion, 0, rp_leftBall, &old));
	for (int f = 1; f < motion->frameCount; ++f, old = new)
	{
		assert_true(rpMotion_GetEffector(motion, f, rp_leftBall, &new));
		fastest = fmaxf(fastest, 120.0f * rpDistance(old, new));
	}
	print_message("a carried foot goes over at %.2f m/s\n", (double)fastest);
	assert_true(fastest < 1.2f);
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSlideGoes),
		cmocka_unit_test(testRates),
		cmocka_unit_test(testNoisyLegs),
		cmocka_unit_test(testNoAccelerationPeaks),
		cmocka_unit_test(testCleanStaysClean),
		cmocka_unit_test(testHeights),
		cmocka_unit_test(testSeatHolds),
		cmocka_unit_test(testNothingToDo),
		cmocka_unit_test(testOddContacts),
		cmocka_unit_test(testWrongInput),
		cmocka_unit_test(testOutOfReach),
		cmocka_unit_test(testFailingMemory),
		cmocka_unit_test(testFlightsFall),
		cmocka_unit_test(testLegsStay),
		cmocka_unit_test(testLastFrame),
		cmocka_unit_test(testToesStayUp),
		cmocka_unit_test(testSeamsAreHeld),
		cmocka_unit_test(testPointsChange),
		cmocka_unit_test(testCarriedFeet),
		cmocka_unit_test(testFreeFeetStayUp),
		cmocka_unit_test(testCarriedFootIsNotSnapped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
