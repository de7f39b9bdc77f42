/// How one passage of a walk fades into the next.
#include "solve/walk_seam.h"
#include "support.h"
#include "tiny_motion.h"

enum
{
	frameCount = 91,
	firstFaded = 31,
	lastFaded = 60,
};

/// Two clips, of which the first fades into the second from frame 30 to frame 61.
typedef struct Scene
{
	rpGraphClip clips[2];
	rpGraph graph;
	rpPassage passages[2];
	rpMotion* out;
} Scene;

static void makeScene(Scene* scene, TinyPace from, TinyPace to)
{
	*scene =
		(Scene){.clips = {{.motion = tinyMakeMotion("from", frameCount, 0.1, from), .frameCount = frameCount},
						  {.motion = tinyMakeMotion("to", frameCount, 0.1, to), .frameCount = frameCount}},
				.passages = {{.clip = 0, .end = 61.0 / 30.0}, {.clip = 1, .start = 1.0, .end = 3.0, .clipStart = 1.0}}};
	scene->graph = (rpGraph){.clips = scene->clips, .clipCount = 2, .fps = 30.0};
	assert_non_null(scene->clips[0].motion);
	assert_non_null(scene->clips[1].motion);
	scene->out = rpCreateMotion(scene->clips[0].motion->skeleton, "out", 30.0, frameCount, NULL);
	assert_non_null(scene->out);
}

// All of the walk: the clips themselves before and after the fade.
static void fade(Scene* scene)
{
	for (int f = 0; f < frameCount; ++f)
	{
		rpPose pose = {.rotations = scene->out->rotations + (size_t)f * 2};
		rpPassage_Sample(&scene->passages[f > lastFaded], &scene->graph, f / 30.0, &pose);
		scene->out->rootPositions[f] = pose.rootPosition;
	}
	assert_true(
		rpPassage_FadeInto(&scene->passages[0], &scene->passages[1], &scene->graph, firstFaded, scene->out, NULL));
}

static void freeScene(Scene* scene)
{
	rpDestroyMotion(scene->clips[0].motion);
	rpDestroyMotion(scene->clips[1].motion);
	rpDestroyMotion(scene->out);
}

static float getWeight(int frame)
{
	float t = (float)(frame - 30) / 31.0f;
	return (2.0f * t - 3.0f) * t * t + 1.0f;
}

// Where places and poses differ by the same all the time, it is the cross-fade of eq. 4.11-4.13.
static void testConstantDifference(void** state)
{
	(void)state;
	Scene scene;
	TinyPace pace = {.step = 0.04f, .rootTurn = 0.0f, .tailTurn = 0.02f};
	makeScene(&scene, pace, pace);
	scene.passages[1].placement = (rpGround){0.6f, {0.2f, 0.1f, 0.0f}};
	// Turned about a body that stays where it is, or it would be somewhere else all the time.
	for (int f = 0; f < frameCount; ++f)
	{
		scene.clips[0].motion->rootPositions[f] = scene.clips[1].motion->rootPositions[f] = (rpVec3){0.3f, 1.0f, 0.2f};
	}
	fade(&scene);
	for (int f = firstFaded; f <= lastFaded; ++f)
	{
		rpQuat turns[2][2];
		rpPose own = {.rotations = turns[0]}, next = {.rotations = turns[1]};
		rpPassage_Sample(&scene.passages[0], &scene.graph, f / 30.0, &own);
		rpPassage_Sample(&scene.passages[1], &scene.graph, f / 30.0, &next);
		rpVec3 place = rpLerp(next.rootPosition, own.rootPosition, getWeight(f));
		assert_true(rpDistance(place, scene.out->rootPositions[f]) < 1e-5f);
		for (int j = 0; j < 2; ++j)
		{
			rpQuat turn = rpSlerp(turns[1][j], turns[0][j], getWeight(f));
			assert_true(rpAngleBetween(turn, scene.out->rotations[2 * f + j]) < 1e-3f);
		}
	}
	freeScene(&scene);
}

// Who goes faster afterwards, and is where he would be in the middle, speeds up all the time and never beyond: by no
// more than 1.5 times the mean. Of turns the same.
static void testVelocities(void** state)
{
	(void)state;
	Scene scene;
	TinyPace slow = {.step = 0.02f, .tailTurn = 0.01f}, fast = {.step = 0.05f, .tailTurn = 0.03f};
	makeScene(&scene, slow, fast);
	float middle = 45.5f;
	scene.passages[1].placement.shift.z = (slow.step - fast.step) * middle;
	fade(&scene);
	float most = 1.5f / 31.0f * 1.02f;
	for (int f = 1; f + 1 < frameCount; ++f)
	{
		const rpVec3* place = &scene.out->rootPositions[f];
		float before = place->z - place[-1].z, after = place[1].z - place->z;
		assert_true(before > slow.step - 1e-5f && before < fast.step + 1e-5f);
		assert_true(after - before > -1e-5f && after - before < (fast.step - slow.step) * most);
		const rpQuat* turn = &scene.out->rotations[2 * f + 1];
		// The tails are 0.91 rad apart in the middle, which are faded as well.
		assert_true(rpAngleBetween(turn[-2], turn[0]) < 0.1f);
	}
	freeScene(&scene);
}

// A walk may end within a fade: what there is of it is as in the whole.
static void testCutShort(void** state)
{
	(void)state;
	Scene whole, cut;
	TinyPace slow = {.step = 0.02f, .rootTurn = 0.01f}, fast = {.step = 0.05f, .rootTurn = -0.02f};
	makeScene(&whole, slow, fast);
	makeScene(&cut, slow, fast);
	fade(&whole);
	cut.out->frameCount = 41;
	assert_true(rpPassage_FadeInto(&cut.passages[0], &cut.passages[1], &cut.graph, firstFaded, cut.out, NULL));
	for (int f = firstFaded; f < 41; ++f)
	{
		assert_memory_equal(&whole.out->rootPositions[f], &cut.out->rootPositions[f], sizeof(rpVec3));
		assert_memory_equal(&whole.out->rotations[2 * f], &cut.out->rotations[2 * f], 2 * sizeof(rpQuat));
	}
	cut.out->frameCount = frameCount;
	freeScene(&whole);
	freeScene(&cut);
}

// Joints that are nearly half a turn away keep to one way round, and change by little from frame to frame.
static void testHalfTurn(void** state)
{
	(void)state;
	Scene scene;
	TinyPace still = {0}, turning = {.tailTurn = 0.01f};
	makeScene(&scene, still, turning);
	// The tail is between 166 and 184 degrees away, and 175 in the middle.
	for (int f = 0; f < frameCount; ++f)
	{
		scene.clips[0].motion->rotations[2 * f + 1] = rpYaw(0.455f - 3.054f);
	}
	fade(&scene);
	for (int f = 1; f < frameCount; ++f)
	{
		const rpQuat* turn = &scene.out->rotations[2 * f + 1];
		assert_true(rpAngleBetween(turn[-2], turn[0]) < 0.25f);
	}
	freeScene(&scene);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testConstantDifference),
		cmocka_unit_test(testVelocities),
		cmocka_unit_test(testCutShort),
		cmocka_unit_test(testHalfTurn),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
