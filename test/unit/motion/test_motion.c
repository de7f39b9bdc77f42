#include "base/memory.h"
#include "bodies.h"
#include "support.h"

#include <string.h>

static rpQuat randomQuat(rpRandom* random)
{
	return rpNormalizeQuat(
		(rpQuat){rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random)});
}

static rpSkeleton* makeSkeleton(void)
{
	static TestBody body;
	TestBodyDef def = testDefaultBodyDef();
	def.turnedFrames = true;
	testLayOutBody(&def, &body);
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, NULL);
	assert_non_null(skeleton);
	return skeleton;
}

static rpMotion* makeMotion(double fps, int frameCount)
{
	rpSkeleton* skeleton = makeSkeleton();
	rpMotion* motion = rpCreateMotion(skeleton, "test", fps, frameCount, NULL);
	assert_non_null(motion);
	rpReleaseSkeleton(skeleton);
	return motion;
}

static void shake(rpMotion* motion, uint64_t seed)
{
	rpRandom random = rpSeedRandom(seed);
	int count = motion->frameCount * motion->skeleton->jointCount;
	for (int i = 0; i < count; ++i)
	{
		motion->rotations[i] = randomQuat(&random);
	}
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i] =
			(rpVec3){rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
	}
}

static void stretch(rpMotion* motion)
{
	size_t count = (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
	motion->translations = rpAllocate(count, sizeof(rpVec3), NULL);
	assert_non_null(motion->translations);
	for (size_t i = 0; i < count; ++i)
	{
		size_t joint = i % (size_t)motion->skeleton->jointCount;
		motion->translations[i] = rpScale(1.0f + 0.01f * (float)(i % 17), motion->skeleton->offsets[joint]);
	}
}

// New motions stand in the rest pose at the origin.
static void testCreate(void** state)
{
	(void)state;
	int before = testCountLiveBlocks();
	rpMotion* motion = makeMotion(60.0, 5);
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform rest[128], pose[128];
	rpSkeleton_GetRest(skeleton, rest);
	for (int frame = 0; frame < 5; ++frame)
	{
		rpMotion_Forward(motion, frame, pose);
		assert_memory_equal(rest, pose, (size_t)skeleton->jointCount * sizeof(rpTransform));
	}
	assert_string_equal(motion->name, "test");
	assert_float_equal(rpMotion_GetDuration(motion), 4.0 / 60.0, 1e-12);
	assert_null(motion->translations);
	rpDestroyMotion(motion);
	rpDestroyMotion(NULL);
	assert_int_equal(testCountLiveBlocks(), before);
}

static void testBadSizes(void** state)
{
	(void)state;
	rpSkeleton* skeleton = makeSkeleton();
	const struct
	{
		double fps;
		int frameCount;
		rpErrorCode code;
	} bad[] = {
		{0.0, 5, rp_errorArgument},
		{-30.0, 5, rp_errorArgument},
		{NAN, 5, rp_errorArgument},
		{INFINITY, 5, rp_errorArgument},
		{30.0, 0, rp_errorLimit},
		{30.0, -1, rp_errorLimit},
		{30.0, RP_MAX_FRAMES + 1, rp_errorLimit},
		{30.0, RP_MAX_FRAMES, rp_errorLimit}, // times 31 joints
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
	{
		rpError error = {0};
		assert_null(rpCreateMotion(skeleton, NULL, bad[i].fps, bad[i].frameCount, &error));
		assert_int_equal(error.code, bad[i].code);
	}
	rpMotion* motion = rpCreateMotion(skeleton, NULL, 30.0, 1, NULL);
	assert_non_null(motion);
	assert_string_equal(motion->name, "");
	assert_float_equal(rpMotion_GetDuration(motion), 0.0, 0.0);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

static void fillAll(rpMotion* motion)
{
	static const double times[] = {0.0, 0.1};
	static const float values[] = {1.0f, 2.0f};
	rpInterval label = {.track = rp_trackLabel, .start = 0.0, .end = 0.1, .name = "walk"};
	rpInterval contact = {.track = rp_trackContact, .start = 0.0, .end = 0.1, .effector = rp_leftBall};
	rpCurve curve = {"speed", rp_curveScalar, 2, times, values};
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &label, NULL));
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &contact, NULL));
	assert_true(rpAnnotations_AddEvent(&motion->annotations, "seam", 0.05, NULL));
	assert_true(rpAnnotations_AddCurve(&motion->annotations, &curve, NULL));
	assert_true(rpMotion_AddInput(motion, "a.bvh", "0123456789abcdef0123456789abcdef", NULL));
	assert_true(rpMotion_AddInput(motion, "b.bvh", "", NULL));
}

static void testCopy(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 7);
	shake(motion, 1);
	stretch(motion);
	fillAll(motion);
	rpMotion* copy = rpCopyMotion(motion, NULL);
	assert_non_null(copy);
	size_t count = 7 * (size_t)motion->skeleton->jointCount;
	assert_ptr_equal(copy->skeleton, motion->skeleton);
	assert_memory_equal(copy->rotations, motion->rotations, count * sizeof(rpQuat));
	assert_memory_equal(copy->translations, motion->translations, count * sizeof(rpVec3));
	assert_memory_equal(copy->rootPositions, motion->rootPositions, 7 * sizeof(rpVec3));
	assert_int_equal(copy->annotations.intervalCount, 2);
	assert_int_equal(copy->annotations.eventCount, 1);
	assert_int_equal(copy->annotations.curveCount, 1);
	assert_int_equal(copy->inputCount, 2);
	assert_string_equal(copy->inputs[0].hash, "0123456789abcdef0123456789abcdef");
	// Deep: the original may go.
	rpDestroyMotion(motion);
	assert_string_equal(copy->annotations.intervals[0].name, "walk");
	assert_string_equal(copy->inputs[1].name, "b.bvh");
	assert_string_equal(copy->name, "test");
	rpDestroyMotion(copy);
}

static void testNamesAndInputs(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 1);
	assert_true(rpMotion_SetName(motion, motion->name, NULL));
	assert_string_equal(motion->name, "test");
	assert_true(rpMotion_SetName(motion, NULL, NULL));
	assert_string_equal(motion->name, "");
	for (int i = 0; i < 3; ++i)
	{
		assert_true(rpMotion_AddInput(motion, "a.bvh", "00", NULL));
		assert_true(rpMotion_AddInput(motion, "a.bvh", "01", NULL));
		assert_true(rpMotion_AddInput(motion, "a.bvh", NULL, NULL));
	}
	assert_int_equal(motion->inputCount, 3);
	assert_string_equal(motion->inputs[2].hash, "");
	rpDestroyMotion(motion);
}

static void testFrames(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(10.0, 21);
	assert_int_equal(rpMotion_GetFrame(motion, 0.0), 0);
	assert_int_equal(rpMotion_GetFrame(motion, 0.049), 0);
	assert_int_equal(rpMotion_GetFrame(motion, 0.051), 1);
	assert_int_equal(rpMotion_GetFrame(motion, 2.0), 20);
	assert_int_equal(rpMotion_GetFrame(motion, 1e300), 20);
	assert_int_equal(rpMotion_GetFrame(motion, INFINITY), 20);
	assert_int_equal(rpMotion_GetFrame(motion, -1e300), 0);
	assert_int_equal(rpMotion_GetFrame(motion, NAN), 0);
	assert_ptr_equal(rpMotion_GetRotations(motion, 3), motion->rotations + 3 * motion->skeleton->jointCount);
	rpDestroyMotion(motion);
}

static void testSample(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(10.0, 11);
	int count = motion->skeleton->jointCount;
	shake(motion, 2);
	stretch(motion);
	rpQuat rotations[128];
	rpVec3 translations[128];
	rpPose pose = {.rotations = rotations, .translations = translations};
	for (int n = -5; n < 115; ++n)
	{
		double seconds = 0.01 * n;
		double place = fmin(fmax(seconds * 10.0, 0.0), 10.0);
		int frame = (int)place < 10 ? (int)place : 9;
		float t = (float)(place - frame);
		rpMotion_Sample(motion, seconds, &pose);
		rpVec3 root = rpLerp(motion->rootPositions[frame], motion->rootPositions[frame + 1], t);
		assert_true(rpDistance(root, pose.rootPosition) < 1e-5f);
		for (int i = 0; i < count; ++i)
		{
			rpQuat a = rpMotion_GetRotations(motion, frame)[i], b = rpMotion_GetRotations(motion, frame + 1)[i];
			assert_true(rpAngleBetween(rotations[i], rpSlerp(a, b, t)) < 1e-4f);
			rpVec3 from = motion->translations[frame * count + i], to = motion->translations[(frame + 1) * count + i];
			assert_true(rpDistance(translations[i], rpLerp(from, to, t)) < 1e-5f);
		}
	}
	// On a frame: that frame, to the bit. Without room for translations: none are written.
	pose.translations = NULL;
	rpMotion_Sample(motion, 0.5, &pose);
	assert_memory_equal(rotations, rpMotion_GetRotations(motion, 5), (size_t)count * sizeof(rpQuat));
	rpMotion_Sample(motion, NAN, &pose);
	assert_memory_equal(rotations, rpMotion_GetRotations(motion, 0), (size_t)count * sizeof(rpQuat));
	rpDestroyMotion(motion);
}

// A root that turns evenly about the vertical while it moves along: every joint's velocities are known.
static void testVelocitiesOfTurning(void** state)
{
	(void)state;
	const double fps = 120.0;
	const float speed = 1.5f, turning = 2.0f;
	rpMotion* motion = makeMotion(fps, 61);
	const rpSkeleton* skeleton = motion->skeleton;
	for (int frame = 0; frame < 61; ++frame)
	{
		float t = (float)(frame / fps);
		motion->rootPositions[frame] = (rpVec3){0.3f, 1.0f, speed * t};
		rpQuat* root = motion->rotations + (size_t)frame * (size_t)skeleton->jointCount;
		*root = rpMulQuat(rpYaw(turning * t), skeleton->joints[0].rest);
	}
	rpVec3 linear[128], angular[128];
	rpTransform pose[128];
	for (int frame = 0; frame < 61; ++frame)
	{
		bool inside = frame > 0 && frame < 60;
		assert_true(rpMotion_GetVelocities(motion, frame, linear, angular, NULL));
		rpMotion_Forward(motion, frame, pose);
		for (int i = 0; i < skeleton->jointCount; ++i)
		{
			rpVec3 arm = rpSub(pose[i].p, motion->rootPositions[frame]);
			rpVec3 expected = rpAdd((rpVec3){0.0f, 0.0f, speed}, rpCross((rpVec3){0.0f, turning, 0.0f}, arm));
			// One-sided differences lag by half a frame: half of its share of the centripetal acceleration.
			float tolerance = inside ? 2e-3f : 0.5f * turning * turning * rpLength(arm) / (float)fps + 2e-3f;
			assert_true(rpDistance(linear[i], expected) < tolerance);
			assert_true(rpDistance(angular[i], (rpVec3){0.0f, turning, 0.0f}) < 2e-3f);
		}
	}
	assert_true(rpMotion_GetVelocities(motion, 3, NULL, angular, NULL));
	assert_true(rpMotion_GetVelocities(motion, 3, linear, NULL, NULL));
	rpDestroyMotion(motion);
}

static void testVelocitiesOfStillness(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 1);
	rpVec3 linear[128], angular[128];
	assert_true(rpMotion_GetVelocities(motion, 0, linear, angular, NULL));
	for (int i = 0; i < motion->skeleton->jointCount; ++i)
	{
		assert_float_equal(rpLength(linear[i]) + rpLength(angular[i]), 0.0f, 0.0f);
	}
	rpDestroyMotion(motion);
}

// A knee that bends evenly: the shank turns with it about the knee's axis in the world, the thigh stands still.
static void testVelocitiesOfBending(void** state)
{
	(void)state;
	const float bending = 1.2f;
	rpMotion* motion = makeMotion(100.0, 21);
	const rpSkeleton* skeleton = motion->skeleton;
	int knee = skeleton->roles[rp_roleLeftKnee], hip = skeleton->roles[rp_roleLeftHip];
	int ankle = skeleton->roles[rp_roleLeftAnkle];
	for (int frame = 0; frame < 21; ++frame)
	{
		rpQuat* q = motion->rotations + (size_t)frame * (size_t)skeleton->jointCount + knee;
		*q = rpMulQuat(rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, bending * (float)frame / 100.0f), *q);
	}
	rpVec3 linear[128], angular[128];
	rpTransform pose[128];
	assert_true(rpMotion_GetVelocities(motion, 10, linear, angular, NULL));
	rpMotion_Forward(motion, 10, pose);
	rpVec3 spin = rpRotate(pose[hip].q, (rpVec3){bending, 0.0f, 0.0f});
	assert_true(rpLength(linear[knee]) < 1e-4f && rpLength(angular[hip]) < 1e-3f);
	assert_true(rpDistance(angular[knee], spin) < 2e-3f && rpDistance(angular[ankle], spin) < 2e-3f);
	assert_true(rpDistance(linear[ankle], rpCross(spin, rpSub(pose[ankle].p, pose[knee].p))) < 1e-3f);
	rpDestroyMotion(motion);
}

static void testEffectors(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 3);
	shake(motion, 4);
	rpTransform pose[128];
	rpVec3 place;
	rpMotion_Forward(motion, 2, pose);
	assert_true(rpMotion_GetEffector(motion, 2, rp_rightHeel, &place));
	rpAttachment at = motion->skeleton->effectors[rp_rightHeel];
	assert_true(rpDistance(place, rpTransformPoint(pose[at.joint], at.offset)) < 1e-6f);
	rpDestroyMotion(motion);

	rpJoint joint = rpDefaultJoint();
	joint.name = "camera";
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = &joint;
	def.jointCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	motion = rpCreateMotion(skeleton, NULL, 30.0, 1, NULL);
	assert_non_null(motion);
	assert_false(rpMotion_GetEffector(motion, 0, rp_rightHeel, &place));
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

static void testGround(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 2);
	motion->rotations[0] = rpMulQuat(rpYaw(0.7f), rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, 0.3f));
	motion->rootPositions[0] = (rpVec3){2.0f, 0.9f, -3.0f};
	rpGroundTransform ground = rpMotion_GetGround(motion, 0);
	assert_float_equal(ground.turn, 0.7f, 1e-5f);
	assert_float_equal(ground.shift.x, 2.0f, 0.0f);
	assert_float_equal(ground.shift.y, 0.0f, 0.0f);
	assert_float_equal(ground.shift.z, -3.0f, 0.0f);
	rpDestroyMotion(motion);
}

// Signs at random, lengths at random: the same rotations, unit, in one hemisphere.
static void testHemispheres(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 50);
	int jointCount = motion->skeleton->jointCount, count = 50 * jointCount;
	rpRandom random = rpSeedRandom(6);
	for (int i = 0; i < count; ++i)
	{
		float angle = 0.1f * (float)(i / jointCount) + (float)(i % jointCount);
		rpQuat q = rpAxisAngle(rpNormalize((rpVec3){1.0f, (float)(i % jointCount), 0.5f}), angle);
		float scale = (rpRandom_Index(&random, 2) == 0 ? -1.0f : 1.0f) * rpRandom_Range(&random, 0.5f, 2.0f);
		motion->rotations[i] = (rpQuat){scale * q.w, scale * q.x, scale * q.y, scale * q.z};
	}
	rpMotion* copy = rpCopyMotion(motion, NULL);
	assert_non_null(copy);
	rpMotion_FixHemispheres(copy);
	for (int i = 0; i < count; ++i)
	{
		rpQuat q = copy->rotations[i];
		assert_float_equal(rpDotQuat(q, q), 1.0f, 1e-5f);
		assert_true(rpAngleBetween(q, rpNormalizeQuat(motion->rotations[i])) < 1e-5f);
		assert_true(i < jointCount ? q.w >= 0.0f : rpDotQuat(q, copy->rotations[i - jointCount]) >= 0.0f);
	}
	// Once is enough.
	memcpy(motion->rotations, copy->rotations, (size_t)count * sizeof(rpQuat));
	rpMotion_FixHemispheres(copy);
	for (int i = 0; i < count; ++i)
	{
		assert_true(rpDotQuat(motion->rotations[i], copy->rotations[i]) > 0.999999f);
	}
	rpDestroyMotion(motion);
	rpDestroyMotion(copy);
}

static void testAgrees(void** state)
{
	(void)state;
	rpMotion* a = makeMotion(30.0, 9);
	shake(a, 3);
	rpMotion* b = rpCopyMotion(a, NULL);
	assert_non_null(b);
	assert_true(rpMotion_Agrees(a, b, 0.0f));
	// The other sign is the same rotation.
	b->rotations[40] = rpNegateQuat(b->rotations[40]);
	assert_true(rpMotion_Agrees(a, b, 1e-6f));
	b->rootPositions[8].x += 0.01f;
	assert_true(rpMotion_Agrees(a, b, 0.011f));
	assert_false(rpMotion_Agrees(a, b, 0.009f));
	b->rootPositions[8].x = NAN;
	assert_false(rpMotion_Agrees(a, b, 1e9f));
	b->rootPositions[8] = a->rootPositions[8];
	b->fps = 31.0;
	assert_false(rpMotion_Agrees(a, b, 1.0f));
	b->fps = 30.0;
	b->frameCount = 8;
	assert_false(rpMotion_Agrees(a, b, 1.0f));
	rpDestroyMotion(a);
	rpDestroyMotion(b);
}

static void testIntervals(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 90);
	for (int i = 0; i < 5; ++i)
	{
		rpInterval phase = {.track = rp_trackPhase, .start = 0.5 * (4 - i), .end = 2.5, .name = i % 2 == 0 ? "L" : "R"};
		rpInterval label = {.track = rp_trackLabel, .start = 0.0, .end = 1.0, .name = "walk"};
		assert_true(rpAnnotations_AddInterval(&motion->annotations, &phase, NULL));
		assert_true(rpAnnotations_AddInterval(&motion->annotations, &label, NULL));
	}
	rpInterval out[3];
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackPhase, out, 3), 5);
	for (int i = 0; i < 3; ++i)
	{
		assert_float_equal(out[i].start, 0.5 * i, 0.0);
		assert_int_equal(out[i].track, rp_trackPhase);
	}
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackPhase, NULL, 0), 5);
	assert_int_equal(rpMotion_GetIntervals(motion, rp_trackContact, out, 3), 0);
	rpDestroyMotion(motion);
}

static void testEveryAllocation(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 4);
	stretch(motion);
	fillAll(motion);
	int before = testCountLiveBlocks();
	rpMotion* copy = NULL;
	int n = 0;
	for (; copy == NULL; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		copy = rpCopyMotion(motion, &error);
		testFailAllocation(-1);
		assert_true(copy != NULL || error.code == rp_errorMemory);
		assert_true(copy != NULL || testCountLiveBlocks() == before);
	}
	assert_true(n > 12);
	testFailAllocation(0);
	rpError error = {0};
	rpVec3 linear[128];
	assert_false(rpMotion_SetName(copy, "other", &error));
	assert_int_equal(error.code, rp_errorMemory);
	assert_string_equal(copy->name, "test");
	assert_false(rpMotion_AddInput(copy, "c.bvh", "", NULL));
	assert_false(rpMotion_GetVelocities(copy, 0, linear, NULL, NULL));
	testFailAllocation(1);
	assert_false(rpMotion_AddInput(copy, "c.bvh", "", NULL));
	testFailAllocation(-1);
	assert_int_equal(copy->inputCount, 2);
	rpDestroyMotion(copy);
	assert_int_equal(testCountLiveBlocks(), before);
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCreate),
		cmocka_unit_test(testBadSizes),
		cmocka_unit_test(testCopy),
		cmocka_unit_test(testNamesAndInputs),
		cmocka_unit_test(testFrames),
		cmocka_unit_test(testSample),
		cmocka_unit_test(testVelocitiesOfTurning),
		cmocka_unit_test(testVelocitiesOfStillness),
		cmocka_unit_test(testVelocitiesOfBending),
		cmocka_unit_test(testEffectors),
		cmocka_unit_test(testGround),
		cmocka_unit_test(testHemispheres),
		cmocka_unit_test(testAgrees),
		cmocka_unit_test(testIntervals),
		cmocka_unit_test(testEveryAllocation),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
