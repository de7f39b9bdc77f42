/// Players: the motion of a walk, at any tick, without memory, where it is steered to.
#include "live/player_kind.h"
#include "play_scene.h"

#include <stdlib.h>
#include <string.h>

/// A player at work.
typedef struct Stage
{
	void* bytes;
	rpBundle* bundle;
	rpPlayer* player;
	rpPose pose;
	rpPlayerReport report;
} Stage;

static Stage setUp(const rpPlayerDef* def)
{
	Stage stage = {0};
	size_t size;
	rpError error = {0};
	stage.bundle = testMakeWalkBundle(5.0, &stage.bytes, &size);
	stage.player = rpCreatePlayer(stage.bundle, def, &error);
	if (stage.player == NULL)
	{
		fail_msg("%s", error.message);
	}
	stage.pose.rotations = malloc((size_t)rpPlayer_GetSkeleton(stage.player)->jointCount * sizeof(rpQuat));
	return stage;
}

static void tearDown(Stage* stage)
{
	free(stage->pose.rotations);
	rpDestroyPlayer(stage->player);
	rpDestroyBundle(stage->bundle);
	rpFreeBytes(stage->bytes);
}

static rpPlayerInput steer(double degrees)
{
	return (rpPlayerInput){.stick = {(float)sin(degrees * RP_DEGREE), (float)cos(degrees * RP_DEGREE)}};
}

static rpVec3 getPlace(const Stage* stage, int joint)
{
	rpTransform world[RP_MAX_JOINTS];
	rpSkeleton_Forward(rpPlayer_GetSkeleton(stage->player), stage->pose.rootPosition, stage->pose.rotations, NULL,
					   world);
	return world[joint].p;
}

static void testSteering(void** state)
{
	(void)state;
	for (int k = 0; k < 8; ++k)
	{
		rpPlayerDef def = rpDefaultPlayerDef();
		def.start = (rpGroundTransform){0.5f, {3.0f, 0.0f, -2.0f}};
		Stage stage = setUp(&def);
		rpPlayerInput input = steer(45.0 * k);
		rpPlayer_Step(stage.player, 0.0, &input, &stage.pose, &stage.report);
		assert_float_equal(stage.report.ground.shift.x, 3.0, 0.03);
		assert_float_equal(stage.report.ground.shift.z, -2.0, 0.03);
		assert_float_equal(stage.report.ground.turn, 0.5, 0.05);
		rpVec3 middle = {0};
		for (int i = 0; i < 30 * 60; ++i)
		{
			rpPlayer_Step(stage.player, 1.0 / 60.0, &input, &stage.pose, &stage.report);
			middle = i == 10 * 60 ? stage.pose.rootPosition : middle;
		}
		// Turned round within ten seconds, then on a straight line.
		rpVec3 displacement = rpSub(stage.pose.rootPosition, middle);
		double angle = atan2((double)displacement.x, (double)displacement.z) - 45.0 * k * RP_DEGREE;
		double length = hypot((double)displacement.x, (double)displacement.z);
		print_message("to %d: %.1f m, %.1f degrees off\n", 45 * k, length,
					  (double)rpWrapAngle((float)angle) / RP_DEGREE);
		assert_true(length > 10.0);
		assert_true(fabs((double)rpWrapAngle((float)angle)) < 12.0 * RP_DEGREE);
		tearDown(&stage);
	}
}

// The frames are those of the clips that the report names.
static void testSources(void** state)
{
	(void)state;
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = false;
	Stage stage = setUp(&def);
	rpGraph* graph = testMakeWalkGraph(5.0, false);
	int seams = 0, contacts = 0;
	for (int i = 0; i < 1200; ++i)
	{
		rpPlayerInput input = steer(i < 600 ? 0.0 : 120.0);
		rpPlayer_Step(stage.player, 1.0 / 60.0, &input, &stage.pose, &stage.report);
		const rpPlayerReport* report = &stage.report;
		float sum = 0.0f;
		for (int k = 0; k < report->sourceCount; ++k)
		{
			sum += report->sources[k].weight;
			assert_string_equal(rpPlayer_GetClipName(stage.player, report->sources[k].clip),
								graph->clips[report->sources[k].clip].name);
		}
		assert_float_equal(sum, 1.0, 1e-5);
		assert_true(report->labels == 1);
		seams += report->sourceCount == 2;
		contacts += report->contacts != 0;
		if (report->sourceCount == 1)
		{
			rpQuat rotations[RP_MAX_JOINTS];
			rpPose own = {.rotations = rotations};
			rpMotion_Sample(graph->clips[report->sources[0].clip].motion, report->sources[0].time, &own);
			for (int j = 1; j < rpPlayer_GetSkeleton(stage.player)->jointCount; ++j)
			{
				assert_true(rpAngleBetween(own.rotations[j], stage.pose.rotations[j]) < 2e-3f);
			}
			assert_float_equal(own.rootPosition.y, stage.pose.rootPosition.y, 1e-3);
		}
	}
	assert_true(seams > 50 && contacts > 1100);
	assert_string_equal(rpPlayer_GetLabel(stage.player, 0), "walk");
	assert_null(rpPlayer_GetLabel(stage.player, 1));
	assert_null(rpPlayer_GetClipName(stage.player, -1));
	rpDestroyGraph(graph);
	tearDown(&stage);
}

// Whatever the ticks, it is the same motion at the same time.
static void testTicks(void** state)
{
	(void)state;
	Stage even = setUp(NULL), odd = setUp(NULL), slow = setUp(NULL);
	rpRandom random = rpSeedRandom(1);
	rpPlayerInput input = steer(90.0);
	double time = 0.0;
	for (int i = 1; i <= 300; ++i)
	{
		rpPlayer_Step(even.player, 1.0 / 60.0, &input, &even.pose, &even.report);
		if (i % 2 == 0)
		{
			rpPlayer_Step(slow.player, 1.0 / 30.0, &input, &slow.pose, &slow.report);
			assert_true(rpDistance(getPlace(&even, 5), getPlace(&slow, 5)) < 1e-4f);
			assert_int_equal(even.report.contacts, slow.report.contacts);
		}
		while (time < i / 60.0)
		{
			double dt = fmin((double)rpRandom_Range(&random, 0.0f, 0.02f), i / 60.0 - time);
			rpPlayer_Step(odd.player, dt, &input, &odd.pose, &odd.report);
			time = i / 60.0 - time - dt < 1e-9 ? i / 60.0 : time + dt;
		}
		assert_true(rpDistance(getPlace(&even, 5), getPlace(&odd, 5)) < 1e-3f);
	}
	tearDown(&even);
	tearDown(&odd);
	tearDown(&slow);
}

// What was peeked is what comes, but for the lock of frames that were far ahead.
static void testPeek(void** state)
{
	(void)state;
	rpPlayerDef def = rpDefaultPlayerDef();
	for (int locked = 0; locked < 2; ++locked)
	{
		def.lockFeet = locked == 1;
		Stage stage = setUp(&def);
		rpPlayerInput input = steer(-60.0);
		rpQuat rotations[RP_MAX_JOINTS];
		for (int i = 0; i < 20; ++i)
		{
			double ahead = 0.1 + 0.2 * i;
			rpPose peeked = {.rotations = rotations};
			rpPlayerReport report;
			rpPlayer_Step(stage.player, 0.31, &input, &stage.pose, &stage.report);
			rpPlayer_Peek(stage.player, ahead, &peeked, &report);
			rpPlayer_Step(stage.player, ahead, &input, &stage.pose, &stage.report);
			float limit = locked ? 0.12f : 2e-3f;
			assert_true(rpDistance(peeked.rootPosition, stage.pose.rootPosition) < limit);
			assert_float_equal(report.time, stage.report.time, 1e-9);
			assert_int_equal(report.sources[0].clip, stage.report.sources[0].clip);
			assert_float_equal(report.sources[0].time, stage.report.sources[0].time, 1e-6);
		}
		tearDown(&stage);
	}
}

// An hour of whims: no dead end, no jump, nothing that is not finite.
static void testHour(void** state)
{
	(void)state;
	Stage stage = setUp(NULL);
	rpRandom random = rpSeedRandom(7);
	rpPlayerInput input = {0};
	rpVec3 last = {0};
	float fastest = 0.0f;
	for (int i = 0; i < 30 * 3600; ++i)
	{
		input = i % 40 == 0 ? steer((double)rpRandom_Range(&random, 0.0f, 360.0f)) : input;
		rpPlayer_Step(stage.player, 1.0 / 30.0, i % 1000 < 100 ? NULL : &input, &stage.pose, &stage.report);
		rpVec3 root = stage.pose.rootPosition;
		assert_true(isfinite(root.x) && isfinite(root.y) && isfinite(root.z) && root.y > 0.5f && root.y < 1.5f);
		// Far from the start places are rounded to less than a millimetre.
		fastest = i > 0 ? fmaxf(fastest, 30.0f * rpDistance(root, last)) : 0.0f;
		last = root;
	}
	print_message("an hour: %.0f m from the start, %.2f m/s at the fastest\n", hypot((double)last.x, (double)last.z),
				  (double)fastest);
	assert_true(fastest < 3.5f);
	assert_float_equal(stage.report.time, 3600.0, 1e-3);
	tearDown(&stage);
}

static void testNoAllocations(void** state)
{
	(void)state;
	Stage stage = setUp(NULL);
	testFailAllocation(-1);
	int before = testCountAllocations();
	for (int i = 0; i < 2000; ++i)
	{
		rpPlayerInput input = steer(i);
		rpPlayer_Step(stage.player, i % 7 * 0.01, i % 5 == 0 ? NULL : &input, &stage.pose, &stage.report);
		rpPlayer_Peek(stage.player, i % 11 * 0.1, &stage.pose, NULL);
	}
	assert_int_equal(testCountAllocations(), before);
	tearDown(&stage);
}

// Resting feet rest.
static void testFeet(void** state)
{
	(void)state;
	Stage stage = setUp(NULL);
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(stage.player);
	rpMotion* motion = rpCreateMotion(skeleton, "played", 60.0, 1200, NULL);
	double slide = 0.0;
	int resting = 0;
	rpVec3 last = {0};
	for (int i = 0; i < 1200; ++i)
	{
		rpPlayerInput input = steer(i < 400 ? 0.0 : i < 800 ? 90.0 : 200.0);
		unsigned before = stage.report.contacts;
		rpVec3 ball;
		rpPlayer_Step(stage.player, 1.0 / 60.0, &input, &stage.pose, &stage.report);
		motion->rootPositions[i] = stage.pose.rootPosition;
		memcpy(motion->rotations + (size_t)i * (size_t)skeleton->jointCount, stage.pose.rotations,
			   (size_t)skeleton->jointCount * sizeof(rpQuat));
		assert_true(rpMotion_GetEffector(motion, i, rp_leftBall, &ball));
		if ((before & stage.report.contacts & 1u << rp_leftBall) != 0)
		{
			slide += hypot((double)(ball.x - last.x), (double)(ball.z - last.z));
			++resting;
		}
		last = ball;
	}
	print_message("a resting ball slides by %.2f mm per frame, %d frames\n", 1e3 * slide / resting, resting);
	assert_true(resting > 400);
	assert_true(slide / resting < 0.5e-3);
	rpDestroyMotion(motion);
	tearDown(&stage);
}

static void testRefusals(void** state)
{
	(void)state;
	rpError error = {0};
	void* bytes;
	size_t size;
	rpBundle* bundle = testMakeWalkBundle(3.0, &bytes, &size);
	rpPlayerDef def = rpDefaultPlayerDef();
	def.fps = 0.0;
	assert_null(rpCreatePlayer(bundle, &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	rpBundleWriter writer = {0};
	assert_true(rpBundleWriter_Add(&writer, "XXXX", "abcd", 1, 4, NULL));
	bytes = rpBundleWriter_Finish(&writer, &size, NULL);
	bundle = rpCreateBundle(bytes, size, NULL);
	assert_null(rpCreatePlayer(bundle, NULL, &error));
	assert_int_equal(error.code, rp_errorMissing);
	rpBundleWriter_Free(&writer);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

static void testFailingMemory(void** state)
{
	(void)state;
	void* bytes;
	size_t size;
	rpBundle* bundle = testMakeWalkBundle(3.0, &bytes, &size);
	int blocks = testCountLiveBlocks(), n = 0;
	for (bool done = false; !done; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		rpPlayer* player = rpCreatePlayer(bundle, NULL, &error);
		testFailAllocation(-1);
		done = player != NULL;
		assert_true(done || error.code == rp_errorMemory);
		rpDestroyPlayer(player);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 20);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSteering), cmocka_unit_test(testSources),       cmocka_unit_test(testTicks),
		cmocka_unit_test(testPeek),     cmocka_unit_test(testNoAllocations), cmocka_unit_test(testHour),
		cmocka_unit_test(testFeet),     cmocka_unit_test(testRefusals),      cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
