/// Stages of stances decoded from evidence made by hand, one test for each rule of order.
#include "analysis/stance_decode.h"
#include "support.h"

#include <string.h>

#define FPS 100.0

enum
{
	frameCount = 200,
};

/// Both feet, and what is said of the left one.
typedef struct Scene
{
	rpVec3 places[rp_footTrackCount][frameCount];
	float parts[2][rp_footPartCount][frameCount];
	float loads[2][frameCount], levels[2][frameCount];
	rpFeet feet;
	rpFootEvidence evidence;
} Scene;

// A foot that points along z and stays where it is, with nothing that speaks for a stance.
static void makeScene(Scene* scene)
{
	memset(scene, 0, sizeof(*scene));
	scene->feet.fps = FPS;
	scene->feet.frameCount = frameCount;
	for (int track = 0; track < rp_footTrackCount; ++track)
	{
		scene->feet.tracks[track].smooth = scene->places[track];
		for (int f = 0; f < frameCount; ++f)
		{
			scene->places[track][f].z = 0.1f * (float)rpGetFootPart(track);
		}
	}
	for (int side = 0; side < 2; ++side)
	{
		scene->evidence.loads[side] = scene->loads[side];
		scene->evidence.levels[side] = scene->levels[side];
		for (int part = 0; part < rp_footPartCount; ++part)
		{
			scene->evidence.points[side][part] = scene->parts[side][part];
			for (int f = 0; f < frameCount; ++f)
			{
				scene->parts[side][part][f] = -2.0f;
			}
		}
	}
}

static void say(Scene* scene, int part, int first, int end, float evidence)
{
	for (int f = first; f < end; ++f)
	{
		scene->parts[0][part][f] = evidence;
	}
}

// The stages in turn, a letter each: swing '-', heel H, flat F, ball B, toe T, last heel X.
static const char* decode(const Scene* scene, unsigned char* stages)
{
	static char text[frameCount + 1];
	assert_true(rpDecodeStances(&scene->evidence, &scene->feet, 0, stages, NULL));
	int count = 0;
	for (int f = 0; f < frameCount; ++f)
	{
		char letter = "-HFBTX"[stages[f]];
		if (count == 0 || text[count - 1] != letter)
		{
			text[count++] = letter;
		}
	}
	text[count] = 0;
	return text;
}

static void expect(const Scene* scene, const char* stages)
{
	unsigned char all[frameCount];
	assert_string_equal(decode(scene, all), stages);
}

// Heel strike, flat, heel off, ball off, toe off, each where the evidence changes.
static void walkersRoll(void** state)
{
	(void)state;
	static Scene scene;
	makeScene(&scene);
	say(&scene, rp_footHeel, 40, 100, 0.8f);
	say(&scene, rp_footBall, 50, 130, 0.8f);
	say(&scene, rp_footToe, 52, 140, 0.8f);
	unsigned char stages[frameCount];
	assert_string_equal(decode(&scene, stages), "-HFBT-");
	assert_true(stages[39] == rp_stageSwing && stages[40] == rp_stageHeel);
	assert_true(stages[99] == rp_stageFlat && stages[100] == rp_stageBall);
	assert_true(stages[129] == rp_stageBall && stages[130] == rp_stageToe);
	assert_true(stages[139] == rp_stageToe && stages[140] == rp_stageSwing);
}

static void runnersLandOnTheBall(void** state)
{
	(void)state;
	static Scene scene;
	makeScene(&scene);
	say(&scene, rp_footBall, 40, 90, 0.8f);
	say(&scene, rp_footToe, 40, 95, 0.8f);
	say(&scene, rp_footHeel, 55, 70, 0.8f);
	expect(&scene, "-BFBT-");
	say(&scene, rp_footHeel, 0, frameCount, -1.0f);
	expect(&scene, "-BT-");
}

// A heel that seems to rest for longer than the ball does not, unless the foot goes backwards.
static void heelsLeaveFirst(void** state)
{
	(void)state;
	static Scene scene;
	makeScene(&scene);
	say(&scene, rp_footHeel, 40, 110, 0.8f);
	say(&scene, rp_footBall, 40, 100, 0.8f);
	say(&scene, rp_footToe, 40, 100, 0.8f);
	unsigned char stages[frameCount];
	const char* ahead = decode(&scene, stages);
	assert_null(strchr(ahead, 'X'));
	for (int f = 101; f < frameCount; ++f)
	{
		for (int track = 0; track < rp_footTrackCount; ++track)
		{
			scene.places[track][f].z -= 0.02f * (float)(f - 100);
		}
	}
	expect(&scene, "-FX-");
}

// What is missing for a few frames is no swing, and what is there for a few is no stance.
static void momentsDoNotCount(void** state)
{
	(void)state;
	static Scene scene;
	makeScene(&scene);
	for (int part = 0; part < rp_footPartCount; ++part)
	{
		say(&scene, part, 40, 120, 0.8f);
		say(&scene, part, 80, 84, -2.0f);
		say(&scene, part, 160, 161, 0.5f);
	}
	unsigned char stages[frameCount];
	decode(&scene, stages);
	for (int f = 0; f < frameCount; ++f)
	{
		assert_int_equal(stages[f] != rp_stageSwing, f >= 40 && f < 120);
	}
}

// A foot in doubt stands where the weight needs it, and does not where the body falls.
static void weightDecides(void** state)
{
	(void)state;
	static Scene scene;
	makeScene(&scene);
	for (int part = 0; part < rp_footPartCount; ++part)
	{
		say(&scene, part, 40, 120, -0.3f);
	}
	expect(&scene, "-");
	for (int f = 40; f < 120; ++f)
	{
		scene.loads[0][f] = 2.5f;
	}
	unsigned char stages[frameCount];
	assert_non_null(strchr("FB", decode(&scene, stages)[1]));
	for (int part = 0; part < rp_footPartCount; ++part)
	{
		say(&scene, part, 40, 120, 0.1f);
	}
	for (int f = 40; f < 120; ++f)
	{
		scene.loads[0][f] = -0.8f;
	}
	expect(&scene, "-");
}

// Motions begin and end anywhere in a stance.
static void motionsCutStances(void** state)
{
	(void)state;
	static Scene scene;
	makeScene(&scene);
	for (int part = 0; part < rp_footPartCount; ++part)
	{
		say(&scene, part, 0, 3, 0.8f);
		say(&scene, part, frameCount - 2, frameCount, 0.8f);
	}
	unsigned char stages[frameCount];
	decode(&scene, stages);
	assert_true(stages[0] == rp_stageFlat && stages[50] == rp_stageSwing && stages[frameCount - 1] == rp_stageFlat);
}

static void allocationsMayFail(void** state)
{
	(void)state;
	static Scene scene;
	makeScene(&scene);
	unsigned char stages[frameCount];
	rpError error = {0};
	testUseCountingAllocator();
	testFailAllocation(0);
	assert_false(rpDecodeStances(&scene.evidence, &scene.feet, 0, stages, &error));
	testFailAllocation(-1);
	assert_int_equal(error.code, rp_errorMemory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walkersRoll),        cmocka_unit_test(runnersLandOnTheBall),
		cmocka_unit_test(heelsLeaveFirst),    cmocka_unit_test(momentsDoNotCount),
		cmocka_unit_test(weightDecides),      cmocka_unit_test(motionsCutStances),
		cmocka_unit_test(allocationsMayFail),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
