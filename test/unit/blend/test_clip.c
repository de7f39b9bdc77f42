/// Clips blended at any times, by two routes: the kernels, which give the same bits, and rpMotion_Sample, rpMeanQuat
/// and rpSkeleton_Forward.
#include "edit_scene.h"

#include "blend/clip.h"
#include "reprise/play/blend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxJoints = 40,
	clipCount = 4,
};

// A chain of that many joints with a branch now and then.
static rpSkeleton* makeBody(int jointCount)
{
	static char names[maxJoints][24];
	rpJoint joints[maxJoints];
	for (int i = 0; i < jointCount; ++i)
	{
		snprintf(names[i], sizeof(names[i]), "joint%d", i);
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = i % 5 == 0 ? i / 2 - (i == 0) : i - 1;
		joints[i].offset = (rpVec3){0.03f * (float)(i % 3 - 1), 0.1f, 0.02f * (float)(i % 4 - 1)};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointCount;
	def.guessRoles = false;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	return skeleton;
}

// Rotations that wander by about `step` radians per frame, in either hemisphere.
static rpMotion* makeWanderer(const rpSkeleton* skeleton, int frameCount, float step, uint64_t seed)
{
	rpMotion* motion = rpCreateMotion(skeleton, "wanderer", 60.0, frameCount, NULL);
	assert_non_null(motion);
	rpRandom random = rpSeedRandom(seed);
	int jointCount = skeleton->jointCount;
	for (int i = 0; i < frameCount * jointCount; ++i)
	{
		rpVec3 turn = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		turn = rpScale(step * rpRandom_Range(&random, 0.5f, 1.0f), rpNormalize(turn));
		rpQuat last = i < jointCount ? rpQuat_identity : motion->rotations[i - jointCount];
		rpQuat q = rpNormalizeQuat(rpMulQuat(last, rpExpQuat(turn)));
		motion->rotations[i] = rpRandom_Index(&random, 2) == 0 ? q : rpNegateQuat(q);
		motion->rootPositions[i / jointCount] =
			(rpVec3){rpRandom_Range(&random, -10.0f, 10.0f), 1.0f, rpRandom_Range(&random, -10.0f, 10.0f)};
	}
	return motion;
}

// The direct method.
static void blendDirectly(const rpMotion* const* motions, const rpShare* shares, int count, rpPose* out,
						  rpTransform* world)
{
	rpQuat sampled[clipCount][maxJoints];
	float weights[clipCount], sum = 0.0f;
	int jointCount = motions[0]->skeleton->jointCount;
	out->rootPosition = rpVec3_zero;
	for (int k = 0; k < count; ++k)
	{
		rpPose pose = {.rotations = sampled[k]};
		rpMotion_Sample(motions[k], shares[k].time, &pose);
		sampled[k][0] = rpMulQuat(rpYaw(shares[k].ground.turn), sampled[k][0]);
		weights[k] = shares[k].weight;
		sum += weights[k];
		rpVec3 root = rpGroundTransform_Apply(shares[k].ground, pose.rootPosition);
		out->rootPosition = rpMulAdd(out->rootPosition, weights[k], root);
	}
	out->rootPosition = rpScale(1.0f / sum, out->rootPosition);
	for (int joint = 0; joint < jointCount; ++joint)
	{
		rpQuat column[clipCount];
		for (int k = 0; k < count; ++k)
		{
			column[k] = sampled[k][joint];
		}
		out->rotations[joint] = rpMeanQuat(column, weights, count);
	}
	rpSkeleton_Forward(motions[0]->skeleton, out->rootPosition, out->rotations, NULL, world);
}

static rpShare drawShare(const rpClip* clip, rpRandom* random)
{
	rpShare share = {
		.clip = clip,
		// Beyond both ends too.
		.time = rpRandom_Range(random, -0.1f, (float)rpClip_GetDuration(clip) + 0.1f),
		.weight = rpRandom_Index(random, 5) == 0 ? 0.0f : rpRandom_Range(random, 0.1f, 2.0f),
		.ground = {rpRandom_Range(random, -4.0f, 4.0f), {1.0f, 0.2f, rpRandom_Range(random, -3.0f, 3.0f)}},
	};
	return share;
}

// The reference kernel gives the same bits.
static void checkPortable(const rpShare* shares, int count, const rpPose* pose)
{
	rpQuat rotations[maxJoints];
	rpPose portable = {.rotations = rotations};
	rpShare own[clipCount];
	rpClip first = *shares[0].clip;
	memcpy(own, shares, (size_t)count * sizeof(rpShare));
	first.kernel = rpBlendRowsPortable;
	own[0].clip = &first;
	rpBlendClips(own, count, &portable);
	assert_memory_equal(rotations, pose->rotations, (size_t)first.skeleton->jointCount * sizeof(rpQuat));
}

static float compare(const rpMotion* const* motions, rpShare* shares, int count)
{
	rpQuat fastRotations[maxJoints], rotations[maxJoints];
	rpTransform fastWorld[maxJoints], world[maxJoints];
	rpPose fast = {.rotations = fastRotations}, direct = {.rotations = rotations};
	shares[0].weight += 0.01f;
	rpBlendClipsForward(shares, count, &fast, fastWorld);
	checkPortable(shares, count, &fast);
	blendDirectly(motions, shares, count, &direct, world);
	float largest = rpDistance(fast.rootPosition, direct.rootPosition);
	for (int i = 0; i < motions[0]->skeleton->jointCount; ++i)
	{
		largest = fmaxf(largest, rpDistance(fastWorld[i].p, world[i].p));
		largest = fmaxf(largest, rpAngleBetween(fastWorld[i].q, world[i].q));
		assert_float_equal(rpDotQuat(fastRotations[i], fastRotations[i]), 1.0f, 1e-5f);
	}
	return largest;
}

// The largest difference of the two routes, metres or radians.
static float measure(int jointCount, int frameCount, float step)
{
	rpSkeleton* skeleton = makeBody(jointCount);
	rpRandom random = rpSeedRandom((uint64_t)jointCount);
	rpMotion* motions[clipCount];
	rpClip* clips[clipCount];
	for (int k = 0; k < clipCount; ++k)
	{
		motions[k] = makeWanderer(skeleton, frameCount, step, (uint64_t)(100 * jointCount + k));
		clips[k] = rpCreateClip(motions[k], NULL);
		assert_non_null(clips[k]);
	}
	float largest = 0.0f;
	for (int i = 0; i < 400; ++i)
	{
		rpShare shares[clipCount];
		for (int k = 0; k < clipCount; ++k)
		{
			shares[k] = drawShare(clips[k], &random);
		}
		largest = fmaxf(largest, compare((const rpMotion* const*)motions, shares, 1 + i % clipCount));
	}
	for (int k = 0; k < clipCount; ++k)
	{
		rpDestroyClip(clips[k]);
		rpDestroyMotion(motions[k]);
	}
	rpReleaseSkeleton(skeleton);
	return largest;
}

static void testTwoRoutes(void** state)
{
	(void)state;
	const int counts[] = {1, 2, 7, 8, 9, 16, 31, 40};
	for (int portable = 0; portable < 2; ++portable)
	{
		(portable ? setenv("REPRISE_KERNEL", "portable", 1) : unsetenv("REPRISE_KERNEL"));
		for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i)
		{
			// Small steps as capture has them, large ones, a single frame. Four means of far rotations may add up to
			// little, which makes the most of rounding.
			float fine = measure(counts[i], 50, 0.05f), coarse = measure(counts[i], 5, 2.0f);
			float single = measure(counts[i], 1, 1.0f);
			assert_true(fine < 2e-4f);
			assert_true(coarse < 2e-3f);
			assert_true(single < 2e-3f);
		}
	}
	unsetenv("REPRISE_KERNEL");
}

static void testKernelChoice(void** state)
{
	(void)state;
	rpSkeleton* skeleton = makeBody(9);
	rpMotion* motion = makeWanderer(skeleton, 3, 0.1f, 1);
	setenv("REPRISE_KERNEL", "portable", 1);
	rpClip* portable = rpCreateClip(motion, NULL);
	unsetenv("REPRISE_KERNEL");
	rpClip* fast = rpCreateClip(motion, NULL);
	assert_non_null(portable);
	assert_non_null(fast);
	assert_ptr_equal(portable->kernel, rpBlendRowsPortable);
#ifdef __x86_64__
	if (__builtin_cpu_supports("avx2"))
	{
		assert_ptr_equal(fast->kernel, rpBlendRowsAvx2);
	}
#endif
	rpDestroyClip(portable);
	rpDestroyClip(fast);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

// With all weight on one share its clip comes back, frame by frame, and neither takes more than its joints' room.
static void testOneShare(void** state)
{
	(void)state;
	rpSkeleton* skeleton = makeBody(13);
	rpMotion* motion = makeWanderer(skeleton, 20, 0.3f, 5);
	rpClip* clip = rpCreateClip(motion, NULL);
	assert_non_null(clip);
	assert_float_equal(rpClip_GetDuration(clip), 19.0 / 60.0, 1e-12);
	for (int frame = 0; frame < 20; ++frame)
	{
		rpQuat rotations[16] = {[13] = {7.0f, 7.0f, 7.0f, 7.0f}};
		rpPose pose = {.rotations = rotations};
		rpShare shares[2] = {{clip, frame / 60.0, 0.3f, rpGroundTransform_identity},
							 {clip, 0.1, 0.0f, {1.0f, {1.0f, 2, 3}}}};
		rpBlendClips(shares, 2, &pose);
		assert_true(rpDistance(pose.rootPosition, motion->rootPositions[frame]) < 1e-5f);
		for (int i = 0; i < 13; ++i)
		{
			assert_true(rpAngleBetween(rotations[i], motion->rotations[13 * frame + i]) < 1e-6f);
		}
		assert_true(rotations[13].w == 7.0f);
	}
	rpDestroyClip(clip);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

static void testMeans(void** state)
{
	(void)state;
	rpVec3 axis = rpNormalize((rpVec3){1.0f, 2.0f, -0.5f});
	rpQuat a = rpAxisAngle(axis, 0.2f), b = rpAxisAngle(axis, 1.4f);
	const float half[2] = {1.0f, 1.0f}, quarter[2] = {3.0f, 1.0f};

	// The middle of the arc; by hand, tan of half the angle from a is sin / (3 + cos) of half the angle between them.
	rpQuat two[2] = {a, b};
	assert_true(rpAngleBetween(rpMeanQuat(two, half, 2), rpAxisAngle(axis, 0.8f)) < 1e-6f);
	float angle = 2.0f * atan2f(sinf(0.6f), 3.0f + cosf(0.6f));
	assert_true(rpAngleBetween(rpMeanQuat(two, quarter, 2), rpAxisAngle(axis, 0.2f + angle)) < 1e-6f);

	// The other hemisphere is the same rotation.
	two[1] = rpNegateQuat(b);
	assert_true(rpAngleBetween(rpMeanQuat(two, half, 2), rpAxisAngle(axis, 0.8f)) < 1e-6f);

	// Turns about the three axes by the same angle, equally: about the diagonal, by symmetry.
	rpQuat three[3] = {rpFromEuler((rpVec3){0.6f, 0, 0}, rp_orderXYZ), rpFromEuler((rpVec3){0, 0.6f, 0}, rp_orderXYZ),
					   rpFromEuler((rpVec3){0, 0, 0.6f}, rp_orderXYZ)};
	const float equal[3] = {0.2f, 0.2f, 0.2f};
	rpVec3 mean = rpLogQuat(rpMeanQuat(three, equal, 3));
	assert_float_equal(mean.x, mean.y, 1e-6f);
	assert_float_equal(mean.x, mean.z, 1e-6f);
	assert_float_equal(rpLength(mean), 2.0f * atanf(sinf(0.3f) / (sqrtf(3.0f) * cosf(0.3f))), 1e-6f);
	const float one[3] = {0.0f, 5.0f, 0.0f};
	assert_true(rpAngleBetween(rpMeanQuat(three, one, 3), three[1]) < 1e-6f);
}

static void testBadMotions(void** state)
{
	(void)state;
	rpSkeleton* skeleton = makeBody(5);
	rpMotion* motion = makeWanderer(skeleton, 4, 0.1f, 1);
	rpError error = {0};
	motion->rotations[7].x = NAN;
	assert_null(rpCreateClip(motion, &error));
	assert_int_equal(error.code, rp_errorArgument);
	motion->rotations[7] = rpQuat_identity;
	motion->rootPositions[2].z = INFINITY;
	assert_null(rpCreateClip(motion, &error));
	motion->rootPositions[2].z = 0.0f;
	testAddTranslations(motion);
	assert_null(rpCreateClip(motion, &error));
	assert_non_null(strstr(error.message, "rigid"));
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpSkeleton* skeleton = makeBody(5);
	rpMotion* motion = makeWanderer(skeleton, 4, 0.1f, 1);
	int blocks = testCountLiveBlocks(), failures = 0;
	rpClip* clip = NULL;
	for (; clip == NULL; ++failures)
	{
		rpError error = {0};
		testFailAllocation(failures);
		clip = rpCreateClip(motion, &error);
		testFailAllocation(-1);
		assert_true(clip != NULL || error.code == rp_errorMemory);
		assert_true(clip != NULL || testCountLiveBlocks() == blocks);
	}
	assert_int_equal(failures, 5);

	// Blending itself allocates nothing.
	rpQuat rotations[5];
	rpPose pose = {.rotations = rotations};
	rpTransform world[5];
	rpShare share = {clip, 0.02, 1.0f, rpGroundTransform_identity};
	int before = testCountAllocations();
	rpBlendClipsForward(&share, 1, &pose, world);
	assert_int_equal(testCountAllocations(), before);
	rpDestroyClip(clip);
	rpDestroyClip(NULL);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
	assert_int_equal(testCountLiveBlocks(), 0);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testMeans),    cmocka_unit_test(testTwoRoutes),  cmocka_unit_test(testKernelChoice),
		cmocka_unit_test(testOneShare), cmocka_unit_test(testBadMotions), cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
