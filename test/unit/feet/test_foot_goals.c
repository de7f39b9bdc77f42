/// Feet that are told where to be: they get there, and the centre of mass stays where it is told to be.
#include "blend_scene.h"

#include "base/memory.h"
#include "feet/contact_sweep.h"
#include "feet/foot_goals.h"

#include <string.h>

/// A performed run and what is wanted of it: its own feet, each stance moved aside by so much.
typedef struct Scene
{
	rpMotion* motion;
	rpFootRig rig;
	rpBody body;
	rpFootGoal* feet;
	rpVec3* centers;
	bool* isFlight;
} Scene;

static rpTransform getAnkle(const Scene* scene, int frame, int side)
{
	rpTransform world[RP_MAX_JOINTS];
	rpMotion_Forward(scene->motion, frame, world);
	return world[scene->rig.legs[side].ankle];
}

// Every other stance of a foot is moved to the left, the others to the right.
static void plant(Scene* scene, float aside)
{
	rpContactSweep sweep = rpStartContactSweep(scene->motion);
	unsigned before[rp_legCount] = {0};
	float travelled[rp_legCount] = {aside, -aside}, heights[rp_effectorCount];
	for (int frame = 0; frame < scene->motion->frameCount; ++frame)
	{
		unsigned contacts = rpContactSweep_Step(&sweep, frame, heights);
		scene->isFlight[frame] = contacts == 0;
		for (int side = 0; side < rp_legCount; ++side)
		{
			unsigned bits = side == 0 ? 1u << rp_leftHeel | 1u << rp_leftBall : 1u << rp_rightHeel | 1u << rp_rightBall;
			unsigned rests = contacts & bits;
			travelled[side] = rests != 0 && before[side] == 0 ? -travelled[side] : travelled[side];
			rpFootGoal* goal = scene->feet + frame * rp_legCount + side;
			*goal = (rpFootGoal){.isPlanted = rests != 0, .ankle = getAnkle(scene, frame, side)};
			goal->ankle.p.x += travelled[side];
			before[side] = rests;
		}
	}
}

static Scene makeScene(rpAct act, float aside)
{
	Scene scene = {.motion = testPerformOne(act, rp_paramSpeed, act == rp_actRun ? 3.0f : 1.3f, 3.0)};
	size_t frameCount = (size_t)scene.motion->frameCount;
	assert_true(rpFootRig_Init(&scene.rig, scene.motion->skeleton));
	assert_true(rpWeighSkeleton(scene.motion->skeleton, NULL, &scene.body, NULL));
	scene.feet = rpAllocateZero(frameCount * rp_legCount, sizeof(rpFootGoal), NULL);
	scene.centers = rpAllocateZero(frameCount, sizeof(rpVec3), NULL);
	scene.isFlight = rpAllocateZero(frameCount, sizeof(bool), NULL);
	assert_true(scene.feet != NULL && scene.centers != NULL && scene.isFlight != NULL);
	rpBody_GetCenters(&scene.body, scene.motion, scene.centers);
	plant(&scene, aside);
	return scene;
}

static void freeScene(Scene* scene)
{
	rpDestroyMotion(scene->motion);
	rpFree(scene->feet);
	rpFree(scene->centers);
	rpFree(scene->isFlight);
}

static bool reach(const Scene* scene, float* miss, rpError* error)
{
	rpFootGoals goals = {&scene->rig, &scene->body, scene->feet, scene->centers, scene->isFlight};
	return rpReachFootGoals(&goals, scene->motion, miss, error);
}

// A motion whose feet are where they should be comes back, wherever its root was before.
static void testNothingToDo(void** state)
{
	(void)state;
	Scene scene = makeScene(rp_actWalk, 0.0f);
	const rpMotion* motion = scene.motion;
	size_t count = (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
	rpQuat* rotations = rpAllocate(count, sizeof(rpQuat), NULL);
	rpVec3* roots = rpAllocate((size_t)motion->frameCount, sizeof(rpVec3), NULL);
	assert_true(rotations != NULL && roots != NULL);
	memcpy(rotations, motion->rotations, count * sizeof(rpQuat));
	memcpy(roots, motion->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3));
	memset(motion->rootPositions, 0, (size_t)motion->frameCount * sizeof(rpVec3));
	float miss = 1.0f;
	assert_true(reach(&scene, &miss, NULL));
	assert_true(miss == 0.0f);
	assert_memory_equal(rotations, motion->rotations, count * sizeof(rpQuat));
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		assert_true(rpDistance(roots[frame], motion->rootPositions[frame]) < 1e-5f);
	}
	rpFree(rotations);
	rpFree(roots);
	freeScene(&scene);
}

// Feet that are moved aside: planted ones are where they should be, the centre of mass comes down at most, and not in
// flight.
static void checkMoved(rpAct act, float aside, float maxMissed)
{
	Scene scene = makeScene(act, aside);
	float rough = testMeasureAcceleration(scene.motion), miss, farthest = 0.0f, sideways = 0.0f, lowest = 0.0f;
	float inFlight = 0.0f;
	int flightCount = 0;
	assert_true(reach(&scene, &miss, NULL));
	for (int frame = 0; frame < scene.motion->frameCount; ++frame)
	{
		rpTransform world[RP_MAX_JOINTS];
		rpMotion_Forward(scene.motion, frame, world);
		rpVec3 off = rpSub(rpBody_GetCenter(&scene.body, world), scene.centers[frame]);
		sideways = fmaxf(sideways, hypotf(off.x, off.z));
		lowest = fmaxf(lowest, -off.y);
		assert_true(off.y < 1e-4f);
		inFlight = fmaxf(inFlight, scene.isFlight[frame] ? rpLength(off) : 0.0f);
		flightCount += scene.isFlight[frame];
		for (int side = 0; side < rp_legCount; ++side)
		{
			const rpFootGoal* goal = scene.feet + frame * rp_legCount + side;
			float away = rpDistance(goal->ankle.p, world[scene.rig.legs[side].ankle].p);
			farthest = goal->isPlanted ? fmaxf(farthest, away) : farthest;
			assert_true(!goal->isPlanted || rpAngleBetween(goal->ankle.q, world[scene.rig.legs[side].ankle].q) < 1e-3f);
		}
	}
	float own = testMeasureAcceleration(scene.motion);
	print_message("%g m aside: ankles %.2g mm off, centres %.2g mm, lowered by %.2g mm, %.0f of %.0f m/s2\n",
				  (double)aside, 1e3 * (double)farthest, 1e3 * (double)sideways, 1e3 * (double)lowest, (double)own,
				  (double)rough);
	assert_true(fabsf(farthest - miss) < 1e-5f);
	assert_true(farthest < maxMissed);
	assert_true(sideways < 1e-4f && inFlight < 1e-4f);
	assert_true((act == rp_actRun) == (flightCount > 0));
	assert_true(lowest < 0.02f);
	assert_true(own < 1.1f * rough);
	freeScene(&scene);
}

static void testMovedFeet(void** state)
{
	(void)state;
	checkMoved(rp_actWalk, 0.01f, 1e-3f);
	checkMoved(rp_actWalk, 0.03f, 1e-3f);
	checkMoved(rp_actRun, 0.01f, 1e-3f);
}

static void testFailingMemory(void** state)
{
	(void)state;
	Scene scene = makeScene(rp_actWalk, 0.01f);
	int blocks = testCountLiveBlocks(), n = 0;
	bool done = false;
	for (; !done; ++n)
	{
		rpError error = {0};
		float miss;
		testFailAllocation(n);
		done = reach(&scene, &miss, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 3);
	freeScene(&scene);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testNothingToDo),
		cmocka_unit_test(testMovedFeet),
		cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests_name("foot goals", tests, NULL, NULL);
}
