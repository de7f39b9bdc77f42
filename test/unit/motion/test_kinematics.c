/// The fast routes, many frames or joints at once, against the ones that take one: the same bits.
#include "edit_scene.h"
#include "motion/kinematics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static rpQuat makeRotation(rpRandom* random)
{
	return rpNormalizeQuat(
		(rpQuat){rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random), rpRandom_Normal(random)});
}

// A chain with branches.
static rpSkeleton* makeSkeleton(int jointCount)
{
	static char names[RP_MAX_JOINTS][16];
	static rpJoint joints[RP_MAX_JOINTS];
	rpRandom random = rpSeedRandom((uint64_t)jointCount);
	for (int i = 0; i < jointCount; ++i)
	{
		snprintf(names[i], sizeof(names[i]), "j%d", i);
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = i == 0 ? -1 : i % 3 == 0 ? rpRandom_Index(&random, i) : i - 1;
		joints[i].offset = (rpVec3){rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointCount;
	def.guessRoles = false;
	return rpCreateSkeleton(&def, NULL);
}

static rpMotion* makeMotion(int jointCount, int frameCount, bool withTranslations)
{
	rpSkeleton* skeleton = makeSkeleton(jointCount);
	rpMotion* motion = rpCreateMotion(skeleton, "random", 30.0, frameCount, NULL);
	assert_non_null(motion);
	rpRandom random = rpSeedRandom(3);
	for (int i = 0; i < frameCount * jointCount; ++i)
	{
		motion->rotations[i] = makeRotation(&random);
		motion->rootPositions[i / jointCount].x = rpRandom_Normal(&random);
	}
	if (withTranslations)
	{
		testAddTranslations(motion);
	}
	rpReleaseSkeleton(skeleton);
	return motion;
}

static void checkAll(const rpMotion* motion, int first, int count)
{
	int jointCount = motion->skeleton->jointCount;
	size_t all = (size_t)count * (size_t)jointCount;
	rpVec3* positions = malloc(all * sizeof(rpVec3));
	rpVec3* positionsOnly = malloc(all * sizeof(rpVec3));
	rpQuat* orientations = malloc(all * sizeof(rpQuat));
	rpQuat* orientationsOnly = malloc(all * sizeof(rpQuat));
	static rpTransform pose[RP_MAX_JOINTS];
	rpMotion_ForwardAll(motion, first, count, positions, orientations);
	rpMotion_ForwardAll(motion, first, count, positionsOnly, NULL);
	rpMotion_ForwardAll(motion, first, count, NULL, orientationsOnly);
	for (int frame = 0; frame < count; ++frame)
	{
		rpMotion_Forward(motion, first + frame, pose);
		for (int i = 0; i < jointCount; ++i)
		{
			assert_memory_equal(positions + frame * jointCount + i, &pose[i].p, sizeof(rpVec3));
			assert_memory_equal(orientations + frame * jointCount + i, &pose[i].q, sizeof(rpQuat));
		}
	}
	assert_memory_equal(positionsOnly, positions, all * sizeof(rpVec3));
	assert_memory_equal(orientationsOnly, orientations, all * sizeof(rpQuat));
	free(positions);
	free(positionsOnly);
	free(orientations);
	free(orientationsOnly);
}

static void testForwardAll(void** state)
{
	(void)state;
	const int jointCounts[] = {1, 2, 31, 256, 257};
	for (size_t n = 0; n < sizeof(jointCounts) / sizeof(jointCounts[0]); ++n)
	{
		for (int withTranslations = 0; withTranslations < 2; ++withTranslations)
		{
			rpMotion* motion = makeMotion(jointCounts[n], 23, withTranslations > 0);
			for (int count = 1; count <= 9; ++count)
			{
				checkAll(motion, count, count);
			}
			checkAll(motion, 0, 23);
			rpDestroyMotion(motion);
		}
	}
}

// One pose, against positions found by walking up the tree with plain rotation matrices in double precision.
static void testForwardByDefinition(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(31, 5, true);
	rpTransform pose[31];
	for (int frame = 0; frame < 5; ++frame)
	{
		rpMotion_Forward(motion, frame, pose);
		for (int joint = 0; joint < 31; ++joint)
		{
			double p[3] = {0.0, 0.0, 0.0};
			for (int i = joint; i > 0; i = motion->skeleton->parents[i])
			{
				rpVec3 offset = motion->translations[frame * 31 + i];
				rpQuat q = motion->rotations[frame * 31 + motion->skeleton->parents[i]];
				double w = q.w, x = q.x, y = q.y, z = q.z;
				double v[3] = {p[0] + offset.x, p[1] + offset.y, p[2] + offset.z};
				p[0] = (w * w + x * x - y * y - z * z) * v[0] + 2 * (x * y - w * z) * v[1] + 2 * (x * z + w * y) * v[2];
				p[1] = 2 * (x * y + w * z) * v[0] + (w * w - x * x + y * y - z * z) * v[1] + 2 * (y * z - w * x) * v[2];
				p[2] = 2 * (x * z - w * y) * v[0] + 2 * (y * z + w * x) * v[1] + (w * w - x * x - y * y + z * z) * v[2];
			}
			rpVec3 root = motion->rootPositions[frame];
			rpVec3 place = {(float)(p[0] + root.x), (float)(p[1] + root.y), (float)(p[2] + root.z)};
			assert_true(rpDistance(place, pose[joint].p) < 3e-5f);
		}
	}
	rpDestroyMotion(motion);
}

// Pairs that are near, nearly near, far, opposite in sign, equal; at any count.
static void testSlerpMany(void** state)
{
	(void)state;
	enum
	{
		count = 400,
	};
	rpQuat a[count], b[count], out[count];
	rpRandom random = rpSeedRandom(5);
	for (int i = 0; i < count; ++i)
	{
		float size = powf(10.0f, rpRandom_Range(&random, -6.0f, 0.3f));
		// Runs of near pairs, so that whole lanes take the straight line.
		size = i % 40 < 20 ? fminf(size, 0.05f) : size;
		rpVec3 turn = rpScale(size, (rpVec3){rpRandom_Normal(&random), rpRandom_Normal(&random), 0.3f});
		a[i] = makeRotation(&random);
		b[i] = i % 7 == 0 ? a[i] : rpNormalizeQuat(rpMulQuat(a[i], rpExpQuat(turn)));
		b[i] = i % 3 == 0 ? rpNegateQuat(b[i]) : b[i];
	}
	const float places[] = {0.0f, 1e-6f, 0.25f, 0.5f, 0.999f, 1.0f};
	for (int n = 0; n < 6; ++n)
	{
		for (int first = 0; first < 9; ++first)
		{
			rpSlerpMany(a + first, b + first, places[n], count - 2 * first, out);
			for (int i = 0; i < count - 2 * first; ++i)
			{
				rpQuat expected = rpSlerp(a[first + i], b[first + i], places[n]);
				assert_memory_equal(out + i, &expected, sizeof(rpQuat));
			}
		}
	}
}

static void testSample(void** state)
{
	(void)state;
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, "take", 30.0, 40, 7);
	rpQuat rotations[10];
	rpPose pose = {.rotations = rotations};
	for (double t = -0.1; t < 1.5; t += 0.0123)
	{
		double place = fmin(fmax(t * 30.0, 0.0), 39.0);
		int frame = (int)place, next = frame < 39 ? frame + 1 : frame;
		rpMotion_Sample(motion, t, &pose);
		for (int i = 0; i < 10; ++i)
		{
			rpQuat expected =
				rpSlerp(motion->rotations[10 * frame + i], motion->rotations[10 * next + i], (float)(place - frame));
			assert_true(rpAngleBetween(expected, rotations[i]) < 1e-6f);
		}
	}
	rpMotion_Sample(motion, 7.0 / 30.0, &pose);
	assert_memory_equal(rotations, motion->rotations + 70, sizeof(rotations));
	rpDestroyMotion(motion);
	rpReleaseSkeleton(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testForwardAll),
		cmocka_unit_test(testForwardByDefinition),
		cmocka_unit_test(testSlerpMany),
		cmocka_unit_test(testSample),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
