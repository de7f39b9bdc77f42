/// Where a player stands: quietly, as takes begin and end, though they hold stands with arms held up.
#include "live/stand_choice.h"
#include "support.h"

#include <math.h>

enum
{
	takeCount = 3,
};

static rpLocomotion* s_model;
static void* s_bytes;
static rpBundle* s_bundle;

// Takes with everything that the performer can do: people wave, box and reach while they stand.
static int setUp(void** state)
{
	(void)state;
	rpMotion* takes[takeCount];
	rpLocomotionDef def = rpDefaultLocomotionDef();
	size_t size;
	for (int i = 0; i < takeCount; ++i)
	{
		rpPerformDef perform = rpDefaultPerformDef(rp_actTake);
		perform.fps = 60.0;
		perform.seconds = 60.0;
		perform.seed = 500 + (uint64_t)i;
		takes[i] = rpPerform(&perform, NULL);
		assert_non_null(takes[i]);
	}
	def.mirror = true;
	s_model = rpBuildLocomotionOf((const rpMotion* const*)takes, takeCount, &def, NULL, NULL);
	assert_non_null(s_model);
	s_bytes = rpWriteLocomotionBundle(s_model, &size, NULL);
	s_bundle = rpCreateBundle(s_bytes, size, NULL);
	for (int i = 0; i < takeCount; ++i)
	{
		rpDestroyMotion(takes[i]);
	}
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyBundle(s_bundle);
	rpFreeBytes(s_bytes);
	rpDestroyLocomotion(s_model);
	return 0;
}

static float getHigherHand(const rpSkeleton* skeleton, const rpPose* pose, rpTransform* world)
{
	rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, NULL, world);
	return fmaxf(world[skeleton->roles[rp_roleLeftWrist]].p.y, world[skeleton->roles[rp_roleRightWrist]].p.y);
}

// How high hands are in the takes' own stands, at most.
static float getHighestInTakes(void)
{
	const rpLocomotionNode* node = &s_model->nodes[rp_movementS];
	rpQuat rotations[RP_MAX_JOINTS];
	rpTransform world[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	float highest = 0.0f;
	for (int i = node->firstMovement; i < node->firstMovement + node->movementCount; ++i)
	{
		const rpMovement* stand = &s_model->movements[i];
		for (int k = 0; stand->start + 0.1 * k < stand->end; ++k)
		{
			rpMotion_Sample(s_model->takes[stand->take], stand->start + 0.1 * k, &pose);
			highest = fmaxf(highest, getHigherHand(s_model->takes[0]->skeleton, &pose, world));
		}
	}
	return highest;
}

/// What stands looked like in play.
typedef struct Stands
{
	float highest;
	double speed;
	int frameCount;
} Stands;

// Stand, go, stand, go, with each of several seeds.
static void playStands(uint64_t seed, Stands* stands)
{
	rpPlayerDef def = rpDefaultPlayerDef();
	def.locomotion.seed = seed;
	rpPlayer* player = rpCreatePlayer(s_bundle, &def, NULL);
	assert_non_null(player);
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(player);
	rpQuat rotations[RP_MAX_JOINTS];
	rpTransform world[RP_MAX_JOINTS];
	rpVec3 last[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	bool stood = false;
	for (int i = 0; i < 40 * 60; ++i)
	{
		rpPlayerInput input = {.request = i / 300 % 2 == 0   ? rp_gaitStand
										  : i / 600 % 2 == 0 ? rp_gaitWalk
															 : rp_gaitRun};
		rpPlayer_Step(player, 1.0 / 60.0, &input, &pose, &report);
		float highest = getHigherHand(skeleton, &pose, world);
		bool isStand = report.movement.kind == rp_movementS && stood;
		double squares = 0.0;
		for (int k = 0; k < skeleton->jointCount; ++k)
		{
			squares += pow(60.0 * (double)rpDistance(world[k].p, last[k]), 2.0) / skeleton->jointCount;
			last[k] = world[k].p;
		}
		stood = report.movement.kind == rp_movementS;
		stands->highest = isStand ? fmaxf(stands->highest, highest) : stands->highest;
		stands->speed += isStand ? sqrt(squares) : 0.0;
		stands->frameCount += isStand;
	}
	rpDestroyPlayer(player);
}

static void standsQuietly(void** state)
{
	(void)state;
	Stands stands = {0};
	for (uint64_t seed = 0; seed < 4; ++seed)
	{
		playStands(seed, &stands);
	}
	float inTakes = getHighestInTakes();
	print_message("hands at %.2f m at most, in the takes' stands %.2f; joints at %.3f m/s; %d frames\n",
				  (double)stands.highest, (double)inTakes, stands.speed / stands.frameCount, stands.frameCount);
	assert_true(stands.frameCount > 2000);
	assert_true(inTakes > 1.1f);
	assert_true(stands.highest < 1.0f);
	assert_true(stands.speed / stands.frameCount < 0.02);
}

// What is kept of a stand is inside it, and the cheapest is begun with.
static void keepsWhatIsQuiet(void** state)
{
	(void)state;
	rpGaitModel model;
	assert_true(rpGaitModel_Read(&model, s_bundle, NULL));
	const rpLocomotionNode* node = &model.graph->nodes[rp_movementS];
	rpStandStart start = rpChooseStand(&model, NULL);
	for (int i = 0; i < node->movementCount; ++i)
	{
		const rpMovement* movement = &model.graph->movements[node->firstMovement + i];
		const rpStand* stand = &model.stands[i];
		assert_true(stand->from >= movement->start && stand->to <= movement->end && stand->from < stand->to);
		assert_true(stand->cost > 0.0f && stand->cost >= model.stands[start.movement - node->firstMovement].cost);
	}
	rpGaitModel_Free(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(standsQuietly), cmocka_unit_test(keepsWhatIsQuiet)};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
