/// Packed clips: no joint of any frame is off by more than is allowed, whatever the motion; both kernels decode the
/// same bits; and numbers that mean nothing are refused.
#include "edit_scene.h"

#include "blend/clip_packer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	maxJoints = 64,
};

// What the task asks for; the packer's own limits are held against it.
#define MOST_METRES 1e-4f
#define MOST_RADIANS (0.05f * (float)RP_DEGREE)

// What sampling by floats may add to that: half a turn of a long chain by polynomials (test_clip.c).
#define SAMPLING 2e-6f

/// A clip, and the same packed.
typedef struct Pair
{
	rpClip *exact, *view;
	rpPackedClip packed;
} Pair;

static Pair pack(const rpMotion* motion)
{
	Pair pair = {.exact = rpCreateClip(motion, NULL)};
	rpError error = {0};
	assert_non_null(pair.exact);
	if (!rpPackClip(pair.exact, &pair.packed, &error))
	{
		fail_msg("%s", error.message);
	}
	pair.view = rpCreateClipView(motion->skeleton, motion->fps, motion->frameCount, NULL, NULL, NULL);
	pair.view->packed = rpPackedClip_Unpack(&pair.packed, pair.exact, NULL);
	assert_non_null(pair.view->packed);
	return pair;
}

static void freePair(Pair* pair)
{
	rpDestroyClip(pair->exact);
	rpDestroyClip(pair->view);
	rpPackedClip_Free(&pair->packed);
}

/// The largest differences, metres and radians.
typedef struct Off
{
	float travel, turn;
} Off;

// The reference kernel gives the same bits.
static void checkPortable(const rpShare* share, const rpPose* pose)
{
	rpQuat rotations[maxJoints];
	rpPose portable = {.rotations = rotations};
	rpClip clip = *share->clip;
	clip.kernel = rpBlendRowsPortable;
	rpBlendClips(&(rpShare){&clip, share->time, share->weight, share->ground}, 1, &portable);
	assert_memory_equal(rotations, pose->rotations, (size_t)clip.skeleton->jointCount * sizeof(rpQuat));
}

// Forward kinematics of both at a time, by the kernel.
static Off compareAt(const rpClip* a, const rpClip* b, double time)
{
	rpQuat rotations[2][maxJoints];
	rpTransform world[2][maxJoints];
	const rpClip* clips[2] = {a, b};
	rpVec3 roots[2];
	Off off = {0};
	for (int k = 0; k < 2; ++k)
	{
		rpPose pose = {.rotations = rotations[k]};
		rpShare share = {clips[k], time, 1.0f, rpGroundTransform_identity};
		rpBlendClips(&share, 1, &pose);
		checkPortable(&share, &pose);
		roots[k] = pose.rootPosition;
		// Around the origin, where floats are fine.
		rpSkeleton_Forward(a->skeleton, rpVec3_zero, rotations[k], NULL, world[k]);
	}
	for (int i = 0; i < a->skeleton->jointCount; ++i)
	{
		rpVec3 shift = rpAdd(rpSub(world[1][i].p, world[0][i].p), rpSub(roots[1], roots[0]));
		rpQuat turn = rpMulQuat(rpConjugate(world[0][i].q), world[1][i].q);
		off.travel = fmaxf(off.travel, rpLength(shift));
		off.turn = fmaxf(off.turn, 2.0f * rpLength((rpVec3){turn.x, turn.y, turn.z}));
	}
	return off;
}

// In all frames and between them.
static Off compare(const Pair* pair, bool between)
{
	Off off = {0};
	for (int i = 0; i < (between ? 3 : 1) * (pair->exact->frameCount - 1) + 1; ++i)
	{
		Off own = compareAt(pair->exact, pair->view, i / pair->exact->fps / (between ? 3.0 : 1.0));
		off.travel = fmaxf(off.travel, own.travel);
		off.turn = fmaxf(off.turn, own.turn);
	}
	return off;
}

static void useKernel(bool portable)
{
	(portable ? setenv("REPRISE_KERNEL", "portable", 1) : unsetenv("REPRISE_KERNEL"));
}

static double getShare(const Pair* pair)
{
	double exact = pair->exact->frameCount * (pair->exact->stride * sizeof(float) + sizeof(rpVec3));
	return (double)(pair->packed.rows.size + pair->packed.blocks.size) / exact;
}

// ---- what people do

static rpMotion* perform(rpAct act, double seconds)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.seconds = seconds;
	def.fps = 120.0;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static void testPerformed(void** state)
{
	(void)state;
	static const struct
	{
		rpAct act;
		double seconds;
	} acts[] = {{rp_actWalk, 40.0}, {rp_actRun, 12.0},  {rp_actTurn, 6.0}, {rp_actPunch, 3.0},
				{rp_actKick, 3.0},  {rp_actDance, 6.0}, {rp_actJump, 3.0}, {rp_actStand, 5.0}};
	for (size_t i = 0; i < sizeof(acts) / sizeof(acts[0]); ++i)
	{
		rpMotion* motion = perform(acts[i].act, acts[i].seconds);
		for (int portable = 0; portable < 2; ++portable)
		{
			useKernel(portable != 0);
			Pair pair = pack(motion);
			Off off = compare(&pair, true);
			print_message("%s: %.1f%%, %.4f mm, %.4f deg\n", motion->name, 100.0 * getShare(&pair),
						  1e3 * (double)off.travel, (double)off.turn / RP_DEGREE);
			assert_true(off.travel <= MOST_METRES + SAMPLING && off.turn <= MOST_RADIANS + SAMPLING);
			assert_true(pair.packed.travel <= MOST_METRES && pair.packed.turn <= MOST_RADIANS);
			// Neither much finer than need be, nor measured as less than it is.
			assert_true(pair.packed.travel > 0.5f * MOST_METRES || pair.packed.turn > 0.5f * MOST_RADIANS);
			Off frames = compare(&pair, false);
			assert_true(fabsf(frames.travel - pair.packed.travel) < SAMPLING);
			assert_true(getShare(&pair) < 0.25);
			freePair(&pair);
		}
		rpDestroyMotion(motion);
	}
	useKernel(false);
}

// ---- what nobody does

static rpSkeleton* makeChain(int jointCount, float bone)
{
	static char names[maxJoints][24];
	rpJoint joints[maxJoints];
	for (int i = 0; i < jointCount; ++i)
	{
		snprintf(names[i], sizeof(names[i]), "joint%d", i);
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = i % 5 == 0 ? i / 2 - (i == 0) : i - 1;
		joints[i].offset = (rpVec3){0.3f * bone * (float)(i % 3 - 1), bone, 0.2f * bone};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointCount;
	def.guessRoles = false;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	return skeleton;
}

// Joints that turn by up to `step` radians in a frame, any way; the root goes by up to `stride` metres.
static rpMotion* wander(int jointCount, int frameCount, float step, float stride)
{
	rpSkeleton* skeleton = makeChain(jointCount, 0.2f);
	rpMotion* motion = rpCreateMotion(skeleton, "wanderer", 60.0, frameCount, NULL);
	rpRandom random = rpSeedRandom((uint64_t)(jointCount + frameCount));
	rpReleaseSkeleton(skeleton);
	for (int i = 0; i < frameCount * jointCount; ++i)
	{
		rpVec3 turn = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
		turn = rpScale(step * rpRandom_Range(&random, 0.5f, 1.0f), rpNormalize(turn));
		rpQuat last = i < jointCount ? rpQuat_identity : motion->rotations[i - jointCount];
		rpQuat q = rpNormalizeQuat(rpMulQuat(last, rpExpQuat(turn)));
		motion->rotations[i] = rpRandom_Index(&random, 2) == 0 ? q : rpNegateQuat(q);
	}
	for (int i = 1; i < frameCount; ++i)
	{
		rpVec3 go = {rpRandom_Normal(&random), 0.1f * rpRandom_Normal(&random), rpRandom_Normal(&random)};
		motion->rootPositions[i] = rpMulAdd(motion->rootPositions[i - 1], stride, go);
	}
	return motion;
}

// Spins, leaps of a kilometre, any number of joints, a single frame: what is off stays within the limits in all frames.
static void testWanderers(void** state)
{
	(void)state;
	static const int counts[] = {1, 2, 7, 8, 9, 17, 40};
	static const struct
	{
		int frameCount;
		float step, stride;
	} ways[] = {{200, 0.05f, 0.01f}, {90, 0.7f, 1.0f}, {60, 3.0f, 300.0f}, {1, 1.0f, 0.0f}, {33, 0.0f, 0.0f}};
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); ++i)
	{
		for (size_t k = 0; k < sizeof(ways) / sizeof(ways[0]); ++k)
		{
			rpMotion* motion = wander(counts[i], ways[k].frameCount, ways[k].step, ways[k].stride);
			Pair pair = pack(motion);
			Off off = compare(&pair, false);
			assert_true(off.travel <= MOST_METRES + SAMPLING && off.turn <= MOST_RADIANS + SAMPLING);
			freePair(&pair);
			rpDestroyMotion(motion);
		}
	}
}

// Two turns a second along 50 m, arms out.
static void testSpin(void** state)
{
	(void)state;
	rpMotion* motion = wander(20, 600, 0.02f, 0.0f);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpQuat turn = rpYaw((float)(4.0 * RP_PI * i / motion->fps));
		motion->rotations[20 * i] = rpMulQuat(turn, motion->rotations[20 * i]);
		motion->rootPositions[i] = (rpVec3){0.0f, 1.0f, 50.0f * (float)i / 600.0f};
	}
	Pair pair = pack(motion);
	Off off = compare(&pair, true);
	assert_true(off.travel <= MOST_METRES + SAMPLING && off.turn <= MOST_RADIANS + SAMPLING);
	assert_true(getShare(&pair) < 0.3);
	freePair(&pair);
	rpDestroyMotion(motion);
}

// A root that walks 100 km away is as close to where it was as the floats there are to each other.
static void testFarAway(void** state)
{
	(void)state;
	rpMotion* motion = wander(5, 100, 0.1f, 0.01f);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i].x += 99000.0f;
	}
	Pair pair = pack(motion);
	Off off = compare(&pair, false);
	assert_true(off.travel <= MOST_METRES + SAMPLING);
	freePair(&pair);
	rpDestroyMotion(motion);
}

// One kernel and the other give the same bits, one joint at a time the same to rounding, across blocks too.
static void testKernels(void** state)
{
	(void)state;
	rpMotion* motion = wander(31, 150, 0.6f, 0.1f);
	useKernel(true);
	Pair portable = pack(motion);
	useKernel(false);
	Pair fast = pack(motion);
	assert_true(fast.packed.blockCount > 5);
	assert_int_equal(fast.packed.rows.size, portable.packed.rows.size);
	assert_memory_equal(fast.packed.rows.data, portable.packed.rows.data, fast.packed.rows.size);
	assert_memory_equal(fast.packed.blocks.data, portable.packed.blocks.data, fast.packed.blocks.size);
	for (int i = 0; i < 5 * 149; ++i)
	{
		double time = i / 300.0;
		rpQuat a[maxJoints], b[maxJoints];
		rpPose poses[2] = {{.rotations = a}, {.rotations = b}};
		rpBlendClips(&(rpShare){portable.view, time, 1.0f, rpGroundTransform_identity}, 1, &poses[0]);
		rpBlendClips(&(rpShare){fast.view, time, 1.0f, rpGroundTransform_identity}, 1, &poses[1]);
		assert_memory_equal(a, b, 31 * sizeof(rpQuat));
		for (int joint = 0; joint < 31; ++joint)
		{
			rpQuat one = rpClip_GetRotation(fast.view, joint, time);
			assert_true(fabsf(rpDotQuat(one, b[joint])) > 1.0f - 2e-6f);
		}
		assert_true(rpDistance(poses[0].rootPosition, poses[1].rootPosition) == 0.0f);
	}
	freePair(&portable);
	freePair(&fast);
	rpDestroyMotion(motion);
}

// Joints that never turn take no bits, wherever they are turned to.
static void testStillJoints(void** state)
{
	(void)state;
	rpMotion* motion = wander(20, 300, 0.05f, 0.01f);
	Pair all = pack(motion);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		for (int joint = 1; joint < 20; joint += 2)
		{
			motion->rotations[20 * i + joint] = motion->rotations[joint];
		}
	}
	Pair half = pack(motion);
	Off off = compare(&half, false);
	assert_true(off.travel <= MOST_METRES + SAMPLING && off.turn <= MOST_RADIANS + SAMPLING);
	assert_true(half.packed.rows.size < all.packed.rows.size * 3 / 4);
	for (int i = 0; i < half.packed.blockCount; ++i)
	{
		const char* block = half.packed.blocks.data + (size_t)i * rpGetPackedBlockSize(20);
		const rpPackedJoint* joints = (const rpPackedJoint*)(const void*)(block + sizeof(rpPackedHead));
		for (int joint = 1; joint < 20; joint += 2)
		{
			assert_true(joints[joint].widths[0] + joints[joint].widths[1] + joints[joint].widths[2] == 0);
		}
	}
	for (int i = 0; i < motion->frameCount * 20; ++i)
	{
		motion->rotations[i] = motion->rotations[i % 20];
	}
	for (int i = 0; i < motion->frameCount; ++i)
	{
		motion->rootPositions[i] = motion->rootPositions[0];
	}
	Pair still = pack(motion);
	assert_int_equal(still.packed.rows.size, motion->frameCount);
	assert_int_equal(still.packed.blockCount, 1);
	freePair(&all);
	freePair(&half);
	freePair(&still);
	rpDestroyMotion(motion);
}

// ---- numbers that mean nothing

// Whether what a clip was packed to can be unpacked, and is just that.
static bool unpack(const Pair* pair, int frameCount, int blockCount, int64_t byteCount)
{
	rpPackedSource source = {.jointCount = pair->exact->skeleton->jointCount,
							 .frameCount = frameCount,
							 .steps = pair->packed.steps,
							 .blocks = pair->packed.blocks.data,
							 .bytes = (const uint8_t*)pair->packed.rows.data,
							 .blockCount = blockCount,
							 .byteCount = byteCount};
	rpError error = {0};
	int blocks;
	int64_t bytes;
	rpPackedRows* rows = rpCreatePackedRows(&source, &blocks, &bytes, &error);
	bool isWhole = rows != NULL && blocks == blockCount && bytes == byteCount;
	assert_true(rows != NULL || error.code == rp_errorFormat);
	rpDestroyPackedRows(rows);
	return isWhole;
}

static bool unpackAll(const Pair* pair)
{
	return unpack(pair, pair->exact->frameCount, pair->packed.blockCount, (int64_t)pair->packed.rows.size);
}

#define EXPECT_NONE(field, value)         \
	do                                    \
	{                                     \
		__typeof__(field) kept = (field); \
		(field) = (value);                \
		assert_false(unpackAll(&pair));   \
		(field) = kept;                   \
		assert_true(unpackAll(&pair));    \
	} while (0)

static void testDamage(void** state)
{
	(void)state;
	rpMotion* motion = wander(3, 100, 0.6f, 0.1f);
	Pair pair = pack(motion);
	int blockCount = pair.packed.blockCount;
	int64_t size = (int64_t)pair.packed.rows.size;
	rpPackedHead* head = (rpPackedHead*)(void*)pair.packed.blocks.data;
	rpPackedJoint* joint = (rpPackedJoint*)(void*)(pair.packed.blocks.data + sizeof(rpPackedHead));
	assert_true(unpackAll(&pair));
	assert_false(unpack(&pair, 101, blockCount, size));
	assert_false(unpack(&pair, 99, blockCount, size));
	assert_false(unpack(&pair, 100, blockCount - 1, size));
	assert_false(unpack(&pair, 100, blockCount, size - 1));
	EXPECT_NONE(head->frameCount, 0);
	EXPECT_NONE(head->frameCount, -1);
	EXPECT_NONE(head->frameCount, INT32_MAX);
	EXPECT_NONE(head->frameCount, head->frameCount + 1);
	EXPECT_NONE(head->origin[1], NAN);
	EXPECT_NONE(head->origin[2], 2e5f);
	EXPECT_NONE(head->widths[0], 25);
	EXPECT_NONE(head->widths[0], 255);
	EXPECT_NONE(head->reserved, 1);
	EXPECT_NONE(joint->bases[0], rp_packedMaxBase + 1);
	EXPECT_NONE(joint->bases[0], INT32_MIN);
	EXPECT_NONE(joint->bases[2], rp_packedMaxBase);
	EXPECT_NONE(joint->widths[1], 25);
	EXPECT_NONE(joint->left, 8);
	EXPECT_NONE(pair.packed.steps[0], NAN);
	EXPECT_NONE(pair.packed.steps[0], 0.0f);
	EXPECT_NONE(pair.packed.steps[1], -1e-5f);
	EXPECT_NONE(pair.packed.steps[2], INFINITY);
	EXPECT_NONE(pair.packed.steps[3], 1.0f);
	freePair(&pair);
	rpDestroyMotion(motion);
}

// A body of kilometres cannot be packed to a tenth of a millimetre.
static void testGiant(void** state)
{
	(void)state;
	rpSkeleton* skeleton = makeChain(5, 20000.0f);
	rpMotion* motion = rpCreateMotion(skeleton, "giant", 60.0, 10, NULL);
	rpRandom random = rpSeedRandom(1);
	for (int i = 0; i < 50; ++i)
	{
		motion->rotations[i] = rpExpQuat((rpVec3){rpRandom_Normal(&random), 0.3f, 0.1f});
	}
	rpClip* clip = rpCreateClip(motion, NULL);
	rpPackedClip packed;
	rpError error = {0};
	assert_false(rpPackClip(clip, &packed, &error));
	assert_int_equal(error.code, rp_errorLimit);
	rpPackedClip_Free(&packed);
	rpDestroyClip(clip);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
}

static bool packAgain(void* context, rpError* error)
{
	rpPackedClip packed;
	bool done = rpPackClip(context, &packed, error);
	rpPackedRows* rows = done ? rpPackedClip_Unpack(&packed, context, error) : NULL;
	rpDestroyPackedRows(rows);
	rpPackedClip_Free(&packed);
	return rows != NULL;
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* motion = wander(9, 70, 0.3f, 0.1f);
	rpClip* clip = rpCreateClip(motion, NULL);
	testFailEach(packAgain, clip, 20);
	rpDestroyClip(clip);
	rpDestroyMotion(motion);
	assert_int_equal(testCountLiveBlocks(), 0);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testPerformed), cmocka_unit_test(testWanderers), cmocka_unit_test(testFarAway),
		cmocka_unit_test(testSpin),      cmocka_unit_test(testKernels),   cmocka_unit_test(testStillJoints),
		cmocka_unit_test(testDamage),    cmocka_unit_test(testGiant),     cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
