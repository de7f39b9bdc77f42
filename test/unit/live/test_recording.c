/// Recordings: what a player showed, whole and as a stream; runs of movements; what becomes of orders.
#include "locomotion_scene.h"
#include "reprise/play/recording.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static TestLocomotion s_scene;
static rpLocomotion* s_model;

static int makeModel(void** state)
{
	(void)state;
	s_scene = testPerformAllGaits(60.0, 1);
	s_model = testBuildLocomotion(&s_scene, false);
	return 0;
}

static int dropModel(void** state)
{
	(void)state;
	rpDestroyLocomotion(s_model);
	testFreeLocomotion(&s_scene);
	return 0;
}

static const rpOrder s_orders[] = {{0.0, {.request = rp_gaitStand}},
								   {1.0, {.request = rp_gaitWalk, .locomotion.speed = 1.3f}},
								   {6.0, {.request = rp_gaitWalk, .locomotion.speed = 1.2f, .locomotion.turn = 0.4f}},
								   {10.0, {.request = rp_gaitStand}}};
enum
{
	orderCount = sizeof(s_orders) / sizeof(s_orders[0]),
};

/// What is asked for, until when; and the frames that came.
typedef struct Script
{
	double end;
	const rpMotion* whole;
	bool isKnown;
	int count;

	/// The most memory that recording took, bytes.
	size_t peak;
} Script;

static bool steer(void* context, const rpPlayer* player, double time, rpPlayerInput* out)
{
	(void)player;
	int k = orderCount - 1;
	// Over and over.
	double since = fmod(time, 14.0);
	while (s_orders[k].time > since)
	{
		--k;
	}
	*out = s_orders[k].input;
	return time < ((const Script*)context)->end;
}

static bool hear(void* context, const rpMotion* motion, int frame, const rpPose* pose, rpError* error)
{
	(void)error;
	Script* script = context;
	assert_int_equal(frame, script->count++);
	assert_null(motion->rotations);
	assert_true(script->isKnown ? motion->frameCount > frame : motion->frameCount == 0);
	if (script->whole != NULL)
	{
		size_t size = (size_t)motion->skeleton->jointCount * sizeof(rpQuat);
		assert_memory_equal(&pose->rootPosition, &script->whole->rootPositions[frame], sizeof(rpVec3));
		assert_memory_equal(pose->rotations, rpMotion_GetRotations(script->whole, frame), size);
	}
	return true;
}

static bool record(Script* script, bool isStreamed, double seconds, rpRecording* out, rpError* error)
{
	TestPlay play = testStartPlay(s_model, NULL, 1.0);
	rpRecordDef def = rpDefaultRecordDef();
	def.seconds = seconds;
	def.steer = steer;
	def.context = script;
	def.addFrame = isStreamed ? hear : NULL;
	def.frameContext = script;
	def.mayEnd = !script->isKnown;
	testStartPeak();
	bool done = rpRecordPlayer(play.player, &def, out, error);
	script->peak = testGetPeak();
	testEndPlay(&play);
	return done;
}

static void assertSameRuns(const rpRecording* a, const rpRecording* b)
{
	assert_int_equal(a->runCount, b->runCount);
	assert_int_equal(a->seamCount, b->seamCount);
	for (int i = 0; i < a->runCount; ++i)
	{
		assert_int_equal(a->runs[i].first, b->runs[i].first);
		assert_int_equal(a->runs[i].asked, b->runs[i].asked);
		assert_int_equal(a->runs[i].movement.number, b->runs[i].movement.number);
	}
	assert_int_equal(a->motion->annotations.intervalCount, b->motion->annotations.intervalCount);
	assert_int_equal(a->motion->annotations.eventCount, b->motion->annotations.eventCount);
}

// The same frames, runs and notes, however it ends.
static void testStream(void** state)
{
	(void)state;
	for (int ends = 0; ends < 2; ++ends)
	{
		rpRecording whole, streamed;
		Script script = {.end = ends ? 9.0 : 1e9, .isKnown = !ends};
		assert_true(record(&script, false, 14.0, &whole, NULL));
		assert_int_equal(whole.motion->frameCount, ends ? 540 : 841);
		script.whole = whole.motion;
		assert_true(record(&script, true, 14.0, &streamed, NULL));
		assert_int_equal(script.count, whole.motion->frameCount);
		assert_int_equal(streamed.motion->frameCount, whole.motion->frameCount);
		assert_null(streamed.motion->rotations);
		assertSameRuns(&whole, &streamed);
		rpRecording_Free(&whole);
		rpRecording_Free(&streamed);
	}
}

// Runs say of each frame what the player says of it; rotations are unit and in one hemisphere.
static void testRuns(void** state)
{
	(void)state;
	rpRecording recording;
	Script script = {.end = 1e9, .isKnown = true};
	assert_true(record(&script, false, 14.0, &recording, NULL));
	TestPlay play = testStartPlay(s_model, NULL, 1.0);
	int jointCount = recording.motion->skeleton->jointCount, run = 0;
	for (int frame = 0; frame < recording.motion->frameCount; ++frame)
	{
		rpPlayerReport report;
		rpPlayerInput input;
		(void)steer(&script, play.player, frame / 60.0, &input);
		rpPose pose = {.rotations = malloc((size_t)jointCount * sizeof(rpQuat))};
		rpPlayer_Step(play.player, frame > 0 ? 1.0 / 60.0 : 0.0, &input, &pose, &report);
		free(pose.rotations);
		run += run + 1 < recording.runCount && recording.runs[run + 1].first == frame;
		const rpMovementRun* now = &recording.runs[run];
		assert_int_equal(now->asked, rpPlayerInput_GetGait(&input));
		assert_int_equal(now->movement.number, report.movement.number);
		assert_true(now->movement.speed == report.movement.speed && now->movement.turn == report.movement.turn);
		assert_int_equal(now->movement.isAnswer, report.movement.isAnswer);
		const rpQuat* rotations = rpMotion_GetRotations(recording.motion, frame);
		for (int i = 0; i < jointCount && frame > 0; ++i)
		{
			assert_true(rpDotQuat(rotations[i], rotations[i - jointCount]) >= 0.0f);
		}
	}
	assert_int_equal(run, recording.runCount - 1);
	assert_true(recording.runCount < recording.motion->frameCount / 10);
	testEndPlay(&play);
	rpRecording_Free(&recording);
}

// What became of orders, against a count frame by frame.
static void testAnswers(void** state)
{
	(void)state;
	rpRecording recording;
	rpAnswer answers[orderCount];
	rpAnswerSummary summary;
	Script script = {.end = 1e9, .isKnown = true};
	assert_true(record(&script, false, 14.0, &recording, NULL));
	rpRecording_Judge(&recording, s_orders, orderCount, answers, &summary);
	assert_int_equal(summary.judgedCount, 2);
	assert_true(fabs(answers[1].speed - 1.3) < 0.2 && answers[1].seconds > 1.0 && answers[1].response >= 0.0);
	assert_true(answers[2].start == 6.0 && answers[2].end == 10.0 && answers[2].turn > 0.1);
	rpGaitMiss misses[rp_gaitCount];
	rpRecording_FindMisses(&recording, 7u, 4.0, misses);
	assert_true(misses[rp_gaitWalk].seconds == 0.0 && misses[rp_gaitStand].seconds == 0.0);
	// One second of standing on is no miss for the patient, and one for those who know that it cannot be.
	double stood = 0.0;
	for (int i = 0; i < recording.runCount; ++i)
	{
		recording.runs[i].asked = i == 0 ? rp_gaitRun : rp_gaitWalk;
		stood = i == 1 ? recording.runs[i].first / 60.0 : stood;
	}
	rpRecording_FindMisses(&recording, 7u, 4.0, misses);
	assert_true(misses[rp_gaitRun].seconds == 0.0);
	rpRecording_FindMisses(&recording, 3u, 4.0, misses);
	assert_float_equal(misses[rp_gaitRun].seconds, stood, 1e-9);
	assert_float_equal(misses[rp_gaitRun].shown[rp_gaitStand], stood, 1e-9);
	rpRecording_Free(&recording);
}

// Beyond annotations and runs a recording takes no more memory the longer it is.
static void testMemory(void** state)
{
	(void)state;
	size_t peaks[2];
	static const double seconds[2] = {30.0, 630.0};
	for (int k = 0; k < 2; ++k)
	{
		rpRecording recording;
		Script script = {.end = 1e9, .isKnown = true};
		assert_true(record(&script, true, seconds[k], &recording, NULL));
		peaks[k] = script.peak;
		rpRecording_Free(&recording);
	}
	double perSecond = ((double)peaks[1] - (double)peaks[0]) / (seconds[1] - seconds[0]);
	print_message("%.0f bytes for each second of motion\n", perSecond);
	assert_true(perSecond < 4096.0);
}

static bool attempt(void* context, rpError* error)
{
	rpPlayer* player = context;
	rpRecordDef def = rpDefaultRecordDef();
	Script script = {.end = 0.5};
	def.steer = steer;
	def.context = def.frameContext = &script;
	def.addFrame = hear;
	def.mayEnd = true;
	rpRecording recording;
	bool done = rpRecordPlayer(player, &def, &recording, error);
	rpRecording_Free(&recording);
	return done;
}

static void testRefusals(void** state)
{
	(void)state;
	TestPlay play = testStartPlay(s_model, NULL, 1.0);
	testFailEach(attempt, play.player, 5);
	static const double bad[][2] = {{0.0, 1.0},   {-1.0, 1.0}, {1001.0, 1.0},
									{60.0, -1.0}, {60.0, 1e9}, {60.0, (double)NAN}};
	for (int i = 0; i < 6; ++i)
	{
		rpRecording recording;
		rpError error = {0};
		rpRecordDef def = rpDefaultRecordDef();
		def.fps = bad[i][0];
		def.seconds = bad[i][1];
		assert_false(rpRecordPlayer(play.player, &def, &recording, &error));
		assert_int_equal(error.code, rp_errorArgument);
	}
	testEndPlay(&play);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testStream), cmocka_unit_test(testRuns),     cmocka_unit_test(testAnswers),
		cmocka_unit_test(testMemory), cmocka_unit_test(testRefusals),
	};
	return cmocka_run_group_tests(tests, makeModel, dropModel);
}
