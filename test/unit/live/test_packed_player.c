/// Players of packed bundles do as those of exact ones: the same choices, and joints where they were.
#include "locomotion_scene.h"
#include "play_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Far more than clips are off by: held feet pull at what is rounded, knees that are nearly straight the most.
#define MOST_METRES 1e-3f

// Players of locomotion begin where the pose of the first frame faces: 0.05 degrees are 9 cm after 100 m.
#define MOST_APART 0.1f

enum
{
	tickCount = 60 * 60,
};

/// Two players of one model.
typedef struct Twins
{
	void* packed;
	rpBundle* bundles[2];
	rpPlayer* players[2];
	rpPacking packing;
} Twins;

// Of the bytes of an exact bundle.
static Twins makeTwins(const void* bytes, size_t size, bool lockFeet)
{
	Twins twins = {.bundles = {rpCreateBundle(bytes, size, NULL)}};
	size_t packedSize;
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = lockFeet;
	twins.packed = rpPackBundle(twins.bundles[0], &twins.packing, &packedSize, NULL);
	assert_true(twins.packed != NULL && packedSize * 3 < size);
	twins.bundles[1] = rpCreateBundle(twins.packed, packedSize, NULL);
	for (int k = 0; k < 2; ++k)
	{
		twins.players[k] = rpCreatePlayer(twins.bundles[k], &def, NULL);
		assert_non_null(twins.players[k]);
	}
	return twins;
}

static void freeTwins(Twins* twins)
{
	for (int k = 0; k < 2; ++k)
	{
		rpDestroyPlayer(twins->players[k]);
		rpDestroyBundle(twins->bundles[k]);
	}
	rpFreeBytes(twins->packed);
}

// The same clips at the same times: what was chosen is the same.
static void expectSameSources(const rpPlayerReport* a, const rpPlayerReport* b)
{
	assert_int_equal(a->sourceCount, b->sourceCount);
	for (int i = 0; i < a->sourceCount; ++i)
	{
		assert_int_equal(a->sources[i].clip, b->sources[i].clip);
		assert_float_equal(a->sources[i].time, b->sources[i].time, 1e-3);
	}
}

/// What is asked for in a tick.
typedef rpPlayerInput AskFn(int tick);

static rpPlayerInput askDirection(int tick)
{
	float angle = 0.3f * (float)(tick / 300);
	return (rpPlayerInput){.stick = {sinf(angle), cosf(angle)}};
}

// Stand, walk and run, straight on and in curves.
static rpPlayerInput askGait(int tick)
{
	rpPlayerInput input = {.request = tick / 400 % 3};
	input.locomotion.turn = 0.4f * (float)(tick / 200 % 3 - 1);
	return input;
}

static rpPlayerInput askGaitAndDirection(int tick)
{
	rpPlayerInput input = askDirection(tick);
	input.request = 1 + tick / 900 % 2;
	return input;
}

/// How far apart twins are.
typedef struct Apart
{
	/// Metres: the farthest joint, seen from where its root is and faces; roots.
	float joints, roots;

	/// Whether movements are of one kind in all ticks.
	bool sameKinds;
} Apart;

static Apart compare(const Twins* twins, AskFn* ask, bool expectSame)
{
	static rpQuat rotations[2][RP_MAX_JOINTS];
	static rpTransform world[2][RP_MAX_JOINTS];
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(twins->players[0]);
	Apart apart = {.sameKinds = true};
	for (int i = 0; i < tickCount; ++i)
	{
		rpPlayerReport reports[2];
		rpVec3 places[2];
		rpPlayerInput input = ask(i);
		for (int k = 0; k < 2; ++k)
		{
			rpPose pose = {.rotations = rotations[k]};
			rpPlayer_Step(twins->players[k], 1.0 / 60.0, &input, &pose, &reports[k]);
			places[k] = pose.rootPosition;
			rotations[k][0] = rpMulQuat(rpYaw(-rpHeading(rotations[k][0])), rotations[k][0]);
			rpSkeleton_Forward(skeleton, rpVec3_zero, rotations[k], NULL, world[k]);
		}
		if (expectSame)
		{
			expectSameSources(&reports[0], &reports[1]);
		}
		apart.sameKinds = apart.sameKinds && reports[0].movement.kind == reports[1].movement.kind;
		apart.roots = fmaxf(apart.roots, rpDistance(places[0], places[1]));
		for (int joint = 0; joint < skeleton->jointCount; ++joint)
		{
			apart.joints = fmaxf(apart.joints, rpDistance(world[0][joint].p, world[1][joint].p));
		}
	}
	return apart;
}

static void testGraph(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(5.0, true);
	size_t size;
	void* bytes = rpWriteGraphBundle(graph, &size, NULL);
	for (int lock = 0; lock < 2; ++lock)
	{
		Twins twins = makeTwins(bytes, size, lock != 0);
		Apart apart = compare(&twins, askDirection, true);
		print_message("graph, feet %s: joints %.3f mm, roots %.3f mm apart in a minute\n", lock != 0 ? "held" : "free",
					  1e3 * (double)apart.joints, 1e3 * (double)apart.roots);
		assert_true(apart.joints > 0.0f && fmaxf(apart.joints, apart.roots) < (lock != 0 ? MOST_METRES : 2.5e-4f));
		freeTwins(&twins);
	}
	rpFreeBytes(bytes);
	rpDestroyGraph(graph);
}

static void testLocomotion(void** state)
{
	(void)state;
	TestLocomotion takes = testPerformAllGaits(60.0, 4);
	rpLocomotion* model = testBuildLocomotion(&takes, false);
	size_t size;
	void* bytes = rpWriteLocomotionBundle(model, &size, NULL);
	Twins twins = makeTwins(bytes, size, true);
	Apart apart = compare(&twins, askGait, true);
	print_message("locomotion by turns: joints %.3f mm, roots %.1f mm apart in a minute\n", 1e3 * (double)apart.joints,
				  1e3 * (double)apart.roots);
	assert_true(apart.sameKinds && apart.joints < 5.0f * MOST_METRES && apart.roots < MOST_APART);
	freeTwins(&twins);

	// By directions each movement answers to where the last one led: what is off comes back, and neighbours change.
	twins = makeTwins(bytes, size, true);
	apart = compare(&twins, askGaitAndDirection, false);
	print_message("by directions: roots %.0f mm apart\n", 1e3 * (double)apart.roots);
	assert_true(apart.roots < 0.5f);
	freeTwins(&twins);
	rpFreeBytes(bytes);
	rpDestroyLocomotion(model);
	testFreeLocomotion(&takes);
}

// A snapshot goes on as the player that it was taken of.
static void testSnapshot(void** state)
{
	(void)state;
	void* bytes;
	size_t size;
	rpBundle* bundle = testMakeWalkBundle(4.0, &bytes, &size);
	Twins twins = makeTwins(bytes, size, true);
	rpQuat a[RP_MAX_JOINTS], b[RP_MAX_JOINTS];
	rpPose poses[2] = {{.rotations = a}, {.rotations = b}};
	rpPlayerInput input = {.stick = {0.3f, 1.0f}};
	rpPlayer* player = twins.players[1];
	for (int i = 0; i < 200; ++i)
	{
		rpPlayer_Step(player, 1.0 / 60.0, &input, &poses[0], NULL);
	}
	void* kept = malloc(rpPlayer_GetSnapshotSize(player));
	rpPlayer_TakeSnapshot(player, kept);
	for (int k = 0; k < 2; ++k)
	{
		for (int i = 0; i < 300; ++i)
		{
			rpPlayer_Step(player, 1.0 / 60.0, &input, &poses[k], NULL);
		}
		assert_true(rpPlayer_Restore(player, kept));
	}
	assert_memory_equal(a, b, (size_t)rpPlayer_GetSkeleton(player)->jointCount * sizeof(rpQuat));
	free(kept);
	freeTwins(&twins);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGraph),
		cmocka_unit_test(testLocomotion),
		cmocka_unit_test(testSnapshot),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
