/// When feet pass from one passage of a walk to the next.
#include "solve/walk_handover.h"
#include "solve/walk_seam.h"
#include "support.h"

static const rpEffector s_soles[rp_handoverFeet][2] = {{rp_leftHeel, rp_leftBall}, {rp_rightHeel, rp_rightBall}};

/// Two clips of 4 s, of which the first fades into the second for 0.6 s.
typedef struct Scene
{
	rpGraphClip clips[2];
	rpGraph graph;
	rpPassage passages[2];
	rpMotion* out;
} Scene;

static const double s_start = 1.2, s_end = 1.8, s_middle = 1.5, s_fps = 60.0;

static rpMotion* perform(rpAct act)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = s_fps;
	def.seconds = 4.0;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	return motion;
}

static rpVec3 getSole(const rpMotion* motion, int frame, int foot)
{
	rpVec3 heel, ball;
	assert_true(rpMotion_GetEffector(motion, frame, s_soles[foot][0], &heel));
	assert_true(rpMotion_GetEffector(motion, frame, s_soles[foot][1], &ball));
	return rpScale(0.5f, rpAdd(heel, ball));
}

static bool rests(const rpMotion* motion, double time, int foot)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		if (interval->track == rp_trackContact && rpGetHandoverFoot(interval->effector) == foot &&
			interval->start <= time && interval->end > time)
		{
			return true;
		}
	}
	return false;
}

// A time at which a foot is in the middle of its swing.
static double findSwing(const rpMotion* walk, int foot)
{
	double time = 1.5;
	while (rests(walk, time, foot) || rests(walk, time - 0.15, foot) || rests(walk, time + 0.15, foot))
	{
		time += 0.01;
		assert_true(time < 3.0);
	}
	return time;
}

// One stands, the other walks; the swinging foot of the walk is where it stands in the middle of the fade.
static void makeScene(Scene* scene, int walking, int foot)
{
	*scene = (Scene){.graph = {.clips = scene->clips, .clipCount = 2, .fps = 30.0}};
	double swing = 0.0;
	for (int i = 0; i < 2; ++i)
	{
		rpMotion* motion = perform(i == walking ? rp_actWalk : rp_actStand);
		scene->clips[i] = (rpGraphClip){.motion = motion, .frameCount = 120};
		swing = i == walking ? findSwing(motion, foot) : swing;
	}
	double walkStart = swing - s_middle;
	scene->passages[0] = (rpPassage){.clip = 0, .end = s_end};
	scene->passages[1] = (rpPassage){.clip = 1, .start = s_start, .end = 3.0, .clipStart = s_start};
	scene->passages[walking].clipStart += walkStart;
	rpVec3 standing = getSole(scene->clips[1 - walking].motion, (int)lround(s_middle * s_fps), foot);
	rpVec3 swinging = getSole(scene->clips[walking].motion, (int)lround(swing * s_fps), foot);
	rpVec3 shift = rpSub(standing, swinging);
	scene->passages[walking].placement.shift = (rpVec3){shift.x, 0.0f, shift.z};
	scene->out = rpCreateMotion(scene->clips[0].motion->skeleton, "out", s_fps, 150, NULL);
	assert_non_null(scene->out);
	size_t jointCount = (size_t)scene->out->skeleton->jointCount;
	int first = (int)lround(s_start * s_fps) + 1;
	for (int f = 0; f < scene->out->frameCount; ++f)
	{
		rpPose pose = {.rotations = scene->out->rotations + (size_t)f * jointCount};
		rpPassage_Sample(&scene->passages[f >= first], &scene->graph, f / s_fps, &pose);
		scene->out->rootPositions[f] = pose.rootPosition;
	}
	assert_true(rpPassage_FadeInto(&scene->passages[0], &scene->passages[1], &scene->graph, first, scene->out, NULL));
}

static void freeScene(Scene* scene)
{
	rpDestroyMotion(scene->clips[0].motion);
	rpDestroyMotion(scene->clips[1].motion);
	rpDestroyMotion(scene->out);
}

// A foot that stands and then swings is let go before the middle, while it is still where it stood; one that goes on
// standing is not.
static void testLettingGo(void** state)
{
	(void)state;
	for (int foot = 0; foot < rp_handoverFeet; ++foot)
	{
		Scene scene;
		makeScene(&scene, 1, foot);
		rpHandover handover = rpFindHandover(&scene.passages[0], &scene.passages[1], &scene.graph, scene.out);
		double leave = handover.leave[foot];
		assert_true(leave < s_middle - 0.03 && leave > s_start);
		assert_float_equal(handover.enter[foot], s_middle, 1e-9);
		assert_float_equal(handover.leave[1 - foot], s_middle, 1e-9);
		assert_float_equal(handover.enter[1 - foot], s_middle, 1e-9);
		int last = (int)lround(leave * s_fps) - 1, middle = (int)lround(s_middle * s_fps);
		rpVec3 stood = getSole(scene.clips[0].motion, last, foot);
		assert_true(rpDistance(getSole(scene.out, last, foot), stood) <= 0.02f);
		assert_true(rpDistance(getSole(scene.out, middle, foot), stood) > 0.03f);
		freeScene(&scene);
	}
}

// And one that swings and then stands is held once it has come.
static void testHolding(void** state)
{
	(void)state;
	for (int foot = 0; foot < rp_handoverFeet; ++foot)
	{
		Scene scene;
		makeScene(&scene, 0, foot);
		rpHandover handover = rpFindHandover(&scene.passages[0], &scene.passages[1], &scene.graph, scene.out);
		double enter = handover.enter[foot];
		assert_true(enter > s_middle + 0.03 && enter < s_end);
		assert_float_equal(handover.leave[foot], s_middle, 1e-9);
		assert_float_equal(handover.enter[1 - foot], s_middle, 1e-9);
		int first = (int)lround(enter * s_fps) + 1;
		assert_true(rpDistance(getSole(scene.out, first, foot), getSole(scene.clips[1].motion, first, foot)) <= 0.02f);
		freeScene(&scene);
	}
}

static void testFeet(void** state)
{
	(void)state;
	assert_int_equal(rpGetHandoverFoot(rp_leftToe), 0);
	assert_int_equal(rpGetHandoverFoot(rp_rightHeel), 1);
	assert_int_equal(rpGetHandoverFoot(rp_seat), -1);
	assert_int_equal(rpGetHandoverFoot(rp_leftHand), -1);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testLettingGo),
		cmocka_unit_test(testHolding),
		cmocka_unit_test(testFeet),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
