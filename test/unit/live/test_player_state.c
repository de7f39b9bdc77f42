/// Players for games: reset, snapshots, layers, and little stack.
#include "locomotion_scene.h"
#include "play_scene.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum
{
	frameCount = 600,
};

typedef struct Stage
{
	void* bytes;
	rpBundle* bundle;
	rpPlayer* player;
	int jointCount;
} Stage;

static rpBundle* makeLocomotionBundle(void** bytes, size_t* size)
{
	TestLocomotion takes = testPerformAllGaits(60.0, 1);
	rpLocomotion* model = testBuildLocomotion(&takes, false);
	*bytes = rpWriteLocomotionBundle(model, size, NULL);
	rpDestroyLocomotion(model);
	testFreeLocomotion(&takes);
	return rpCreateBundle(*bytes, *size, NULL);
}

static Stage setUp(bool isLocomotion, double lookAhead)
{
	Stage stage = {0};
	size_t size;
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lookAhead = lookAhead;
	stage.bundle =
		isLocomotion ? makeLocomotionBundle(&stage.bytes, &size) : testMakeWalkBundle(5.0, &stage.bytes, &size);
	stage.player = rpCreatePlayer(stage.bundle, &def, NULL);
	assert_non_null(stage.player);
	stage.jointCount = rpPlayer_GetSkeleton(stage.player)->jointCount;
	return stage;
}

static void tearDown(Stage* stage)
{
	rpDestroyPlayer(stage->player);
	rpDestroyBundle(stage->bundle);
	rpFreeBytes(stage->bytes);
}

static rpPlayerInput steer(int frame)
{
	float angle = (float)(frame / 90) * 0.8f;
	return (rpPlayerInput){.stick = {sinf(angle), cosf(angle)},
						   .request = frame / 200 % 2 == 0 ? rp_gaitWalk : rp_gaitRun};
}

/// All that was shown: root positions and rotations.
typedef struct Show
{
	rpVec3 roots[frameCount];
	rpQuat* rotations;
} Show;

static Show* play(const Stage* stage, int first, int count)
{
	Show* show = calloc(1, sizeof(Show));
	show->rotations = calloc((size_t)(frameCount * stage->jointCount), sizeof(rpQuat));
	for (int i = 0; i < count; ++i)
	{
		rpPlayerInput input = steer(first + i);
		rpPlayerReport report;
		rpPose pose = {.rotations = show->rotations + (size_t)(i * stage->jointCount)};
		rpPlayer_Step(stage->player, 1.0 / 60.0, &input, &pose, &report);
		show->roots[i] = pose.rootPosition;
	}
	return show;
}

static void expectSame(const Stage* stage, Show* a, Show* b)
{
	assert_memory_equal(a->roots, b->roots, sizeof(a->roots));
	assert_memory_equal(a->rotations, b->rotations, (size_t)(frameCount * stage->jointCount) * sizeof(rpQuat));
	free(a->rotations);
	free(b->rotations);
	free(a);
	free(b);
}

// After a reset it plays what a new player plays.
static void testReset(void** state)
{
	(void)state;
	for (int kind = 0; kind < 2; ++kind)
	{
		Stage stage = setUp(kind == 1, 0.1);
		Show* first = play(&stage, 0, frameCount);
		rpPlayer_Reset(stage.player, rpGroundTransform_identity);
		expectSame(&stage, first, play(&stage, 0, frameCount));
		tearDown(&stage);
	}
}

// Back to any moment, and on from there as before; with layers, with and without look-ahead.
static void testSnapshots(void** state)
{
	(void)state;
	for (int kind = 0; kind < 4; ++kind)
	{
		Stage stage = setUp(kind % 2 == 1, kind < 2 ? 0.0 : 0.3);
		rpLeanDef lean = rpDefaultLeanDef();
		assert_int_equal(rpPlayer_AddLayer(stage.player, rpFindLayerKind("lean"), &lean, NULL), 0);
		size_t size = rpPlayer_GetSnapshotSize(stage.player);
		void* block = malloc(size);
		for (int moment = 0; moment < 5; ++moment)
		{
			Show* before = play(&stage, 0, 37 + 61 * moment);
			free(before->rotations);
			free(before);
			int allocations = testCountAllocations();
			rpPlayer_TakeSnapshot(stage.player, block);
			Show* once = play(&stage, 500, frameCount);
			assert_true(rpPlayer_Restore(stage.player, block));
			assert_int_equal(testCountAllocations(), allocations);
			expectSame(&stage, once, play(&stage, 500, frameCount));
		}
		print_message("a snapshot: %zu bytes\n", size);

		// Of another player, or of one that has got a layer since, it is refused.
		Stage other = setUp(kind % 2 == 1, kind < 2 ? 0.0 : 0.3);
		assert_false(rpPlayer_Restore(other.player, block));
		assert_int_equal(rpPlayer_AddLayer(stage.player, rpFindLayerKind("lean"), &lean, NULL), 1);
		assert_false(rpPlayer_Restore(stage.player, block));
		free(block);
		tearDown(&other);
		tearDown(&stage);
	}
}

// ---- layers

/// A layer of the test's own: it lifts the body, and counts.
typedef struct LiftState
{
	int count;
	double last;
} LiftState;

static void lift(const void* def, void* memory, const rpLayerFrame* frame, rpPose* pose)
{
	LiftState* state = memory;
	assert_true(state->count == 0 || frame->time > state->last);
	assert_true(frame->sourceCount > 0 && frame->weight > 0.0f && frame->weight <= 1.0f);
	++state->count;
	state->last = frame->time;
	pose->rootPosition.y += frame->weight * *(const float*)def;
}

static const rpLayerKind s_lift = {"lift", sizeof(float), sizeof(LiftState), NULL, lift};

// Switched on and off it is eased without a jump in its weight or the rate of it, in steps and when it is peeked at.
static void testSwitching(void** state)
{
	(void)state;
	size_t size;
	void* bytes;
	rpBundle* bundle = testMakeWalkBundle(5.0, &bytes, &size);
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = false;
	rpPlayer *plain = rpCreatePlayer(bundle, &def, NULL), *lifted = rpCreatePlayer(bundle, &def, NULL);
	const float height = 1.0f;
	int layer = rpPlayer_AddLayer(lifted, &s_lift, &height, NULL);
	assert_int_equal(layer, 0);
	assert_int_equal(rpPlayer_FindLayer(lifted, "lift"), 0);
	assert_int_equal(rpPlayer_FindLayer(plain, "lift"), -1);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose a = {.rotations = rotations}, b = {.rotations = rotations};
	float last = 1.0f, lastRate = 0.0f, fastest = 0.0f;
	for (int i = 0; i < 400; ++i)
	{
		if (i % 50 == 49)
		{
			// In the middle of the path, too.
			rpPlayer_SwitchLayer(lifted, layer, i / 50 % 2 == 0 ? 0.0f : 1.0f, i < 200 ? 0.5 : 1.5);
		}
		rpPlayer_Step(plain, 1.0 / 60.0, NULL, &a, NULL);
		rpPlayer_Step(lifted, 1.0 / 60.0, NULL, &b, NULL);
		float weight = b.rootPosition.y - a.rootPosition.y, rate = 60.0f * (weight - last);
		assert_true(weight > -1e-4f && weight < 1.0001f);
		fastest = fmaxf(fastest, fabsf(rate - lastRate) * 60.0f);
		last = weight;
		lastRate = rate;
		rpPlayer_Peek(plain, 0.21, &a, NULL);
		rpPlayer_Peek(lifted, 0.21, &b, NULL);
		assert_true(i % 50 < 10 || i % 50 > 45 || fabsf(b.rootPosition.y - a.rootPosition.y - weight) < 0.9f);
	}
	// A cubic from 0 to 1 in half a second changes its rate by 6 / 0.5² per second at most.
	print_message("the weight's rate changes by %.1f per second at most\n", (double)fastest);
	assert_true(fastest < 25.0f);
	rpDestroyPlayer(plain);
	rpDestroyPlayer(lifted);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

static float getRoll(const rpPose* pose)
{
	// How far the root's own up points to its left.
	rpVec3 up = rpRotate(pose->rotations[0], (rpVec3){0.0f, 1.0f, 0.0f});
	float heading = rpHeading(pose->rotations[0]);
	return atan2f(up.x * cosf(heading) - up.z * sinf(heading), up.y);
}

// Someone who walks in a circle to the left leans to the left, and the reverse.
static void testLean(void** state)
{
	(void)state;
	Stage stage = setUp(true, 0.0);
	Stage plain = setUp(true, 0.0);
	rpLeanDef def = {.gain = 1.0f, .maxLean = 0.4f};
	assert_int_equal(rpPlayer_AddLayer(stage.player, rpFindLayerKind("lean"), &def, NULL), 0);
	for (int side = -1; side <= 1; side += 2)
	{
		rpQuat rotations[2][RP_MAX_JOINTS];
		rpPose leaning = {.rotations = rotations[0]}, upright = {.rotations = rotations[1]};
		rpPlayerInput input = {.request = rp_gaitRun, .locomotion.turn = 0.5f * (float)side};
		double lean = 0.0, turned = 0.0, speed = 0.0;
		float before = 0.0f;
		for (int i = 0; i < 900; ++i)
		{
			rpPlayerReport report;
			rpPlayer_Step(stage.player, 1.0 / 60.0, &input, &leaning, &report);
			rpPlayer_Step(plain.player, 1.0 / 60.0, &input, &upright, NULL);
			lean += i >= 300 ? (double)(getRoll(&leaning) - getRoll(&upright)) / 600.0 : 0.0;
			turned += i >= 300 ? (double)rpWrapAngle(report.ground.turn - before) / 10.0 : 0.0;
			speed = (double)report.movement.speed;
			before = report.ground.turn;
		}
		double balance = atan2(speed * turned, 9.81);
		print_message("%.2f m/s, %.2f rad/s: leans by %.3f, balance is at %.3f\n", speed, turned, lean, balance);
		assert_true(lean * side > 0.0 && fabs(lean - balance) < 0.3 * fabs(balance));
	}
	tearDown(&stage);
	tearDown(&plain);
}

// A bundle holds its model and any number of layers; what is damaged is refused.
static void testBundledLayers(void** state)
{
	(void)state;
	size_t size, plainSize;
	void* plain;
	rpBundle* bundle = testMakeWalkBundle(5.0, &plain, &plainSize);
	rpLeanDef def = rpDefaultLeanDef();
	void* bytes = rpBundle_WithLayer(bundle, rpFindLayerKind("lean"), &def, &size, NULL);
	rpBundle* leaning = rpCreateBundle(bytes, size, NULL);
	void* twice = rpBundle_WithLayer(leaning, rpFindLayerKind("lean"), &def, &size, NULL);
	rpBundle* leaningTwice = rpCreateBundle(twice, size, NULL);
	rpPlayer* players[] = {rpCreatePlayer(bundle, NULL, NULL), rpCreatePlayer(leaning, NULL, NULL),
						   rpCreatePlayer(leaningTwice, NULL, NULL)};
	for (int i = 0; i < 3; ++i)
	{
		assert_non_null(players[i]);
		assert_int_equal(rpPlayer_FindLayer(players[i], "lean"), i - 1);
		rpDestroyPlayer(players[i]);
	}
	def.maxLean = INFINITY;
	rpError error = {0};
	assert_null(rpBundle_WithLayer(bundle, rpFindLayerKind("lean"), &def, &size, &error));
	assert_int_equal(error.code, rp_errorArgument);

	// As a damaged file would have it.
	rpBundleWriter writer = {0};
	char record[64] = "lean";
	memcpy(record + 16, &def, sizeof(def));
	for (int i = 0; i < 2; ++i)
	{
		assert_true(rpBundleWriter_AddAllBut(&writer, bundle, "LAYR", NULL));
		assert_true(rpBundleWriter_Add(&writer, "LAYR", record, 1, sizeof(record), NULL));
		void* damaged = rpBundleWriter_Finish(&writer, &size, NULL);
		rpBundle* opened = rpCreateBundle(damaged, size, NULL);
		assert_non_null(opened);
		assert_null(rpCreatePlayer(opened, NULL, &error));
		rpDestroyBundle(opened);
		rpFreeBytes(damaged);
		rpBundleWriter_Free(&writer);
		memset(record, 'x', 16);
	}
	rpDestroyBundle(leaningTwice);
	rpDestroyBundle(leaning);
	rpDestroyBundle(bundle);
	rpFreeBytes(twice);
	rpFreeBytes(bytes);
	rpFreeBytes(plain);
}

static void testRefusedLayers(void** state)
{
	(void)state;
	Stage stage = setUp(false, 0.0);
	rpLeanDef lean = {.gain = NAN, .maxLean = 0.1f};
	rpError error = {0};
	assert_int_equal(rpPlayer_AddLayer(stage.player, rpFindLayerKind("lean"), &lean, &error), -1);
	assert_int_equal(error.code, rp_errorArgument);
	assert_null(rpFindLayerKind("learn"));
	lean.gain = 0.5f;
	for (int i = 0; i < RP_MAX_LAYERS; ++i)
	{
		assert_int_equal(rpPlayer_AddLayer(stage.player, rpFindLayerKind("lean"), &lean, NULL), i);
	}
	assert_int_equal(rpPlayer_AddLayer(stage.player, rpFindLayerKind("lean"), &lean, &error), -1);
	assert_int_equal(error.code, rp_errorLimit);
	tearDown(&stage);
}

// ---- stack

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#else
#define IS_SANITIZED false
#endif

enum
{
	stackSize = 1 << 20,
};

static void* doNothing(void* context)
{
	return context;
}

static void* tick(void* context)
{
	const Stage* stage = context;
	static rpQuat rotations[RP_MAX_JOINTS];
	static rpPlayerReport report;
	rpPose pose = {.rotations = rotations};
	for (int i = 0; i < 3000; ++i)
	{
		rpPlayerInput input = steer(i);
		rpPlayer_Step(stage->player, 1.0 / 60.0, i % 500 < 100 ? NULL : &input, &pose, &report);
		rpPlayer_Peek(stage->player, 0.3, &pose, &report);
	}
	return NULL;
}

// How deep a thread went into a stack that was painted before.
static size_t measureStack(void* (*run)(void*), void* context)
{
	unsigned char* stack = aligned_alloc(4096, stackSize);
	memset(stack, 0xa5, stackSize);
	pthread_attr_t attributes;
	pthread_t thread;
	assert_int_equal(pthread_attr_init(&attributes), 0);
	assert_int_equal(pthread_attr_setstack(&attributes, stack, stackSize), 0);
	assert_int_equal(pthread_create(&thread, &attributes, run, context), 0);
	assert_int_equal(pthread_join(thread, NULL), 0);
	size_t untouched = 0;
	while (untouched < stackSize && stack[untouched] == 0xa5)
	{
		++untouched;
	}
	pthread_attr_destroy(&attributes);
	free(stack);
	return stackSize - untouched;
}

static void testStack(void** state)
{
	(void)state;
	for (int kind = 0; kind < 2; ++kind)
	{
		Stage stage = setUp(kind == 1, 0.0);
		size_t empty = measureStack(doNothing, &stage), used = measureStack(tick, &stage);
		print_message("%s: %zu bytes of stack in a tick\n", kind == 1 ? "locomotion" : "graph", used - empty);
		assert_true(IS_SANITIZED || used - empty <= 8192);
		tearDown(&stage);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testReset),         cmocka_unit_test(testSnapshots),     cmocka_unit_test(testSwitching),
		cmocka_unit_test(testLean),          cmocka_unit_test(testRefusedLayers), cmocka_unit_test(testStack),
		cmocka_unit_test(testBundledLayers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
