/// The player of a space: one motion after another by what is asked for, without jumps; looking ahead changes nothing,
/// going back gives the same.
#include "space_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICK (1.0 / 60.0)

static rpSpace* s_space;
static void* s_bytes;
static size_t s_size;

static int setUp(void** state)
{
	(void)state;
	s_space = testMakeWalkSpace();
	s_bytes = rpWriteSpaceBundle(s_space, &s_size, NULL);
	return s_bytes != NULL ? 0 : -1;
}

static int tearDown(void** state)
{
	(void)state;
	rpFreeBytes(s_bytes);
	rpDestroySpace(s_space);
	return 0;
}

static rpPlayer* createPlayer(rpBundle** bundle)
{
	rpError error = {0};
	*bundle = rpCreateBundle(s_bytes, s_size, &error);
	rpPlayer* player = *bundle != NULL ? rpCreatePlayer(*bundle, NULL, &error) : NULL;
	if (player == NULL)
	{
		fail_msg("%s", error.message);
	}
	return player;
}

// Turns to the left while that is asked for, then to the right; the root never jumps.
static void testSteering(void** state)
{
	(void)state;
	rpBundle* bundle;
	rpPlayer* player = createPlayer(&bundle);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	float turned[2] = {0.0f, 0.0f}, heading = 0.0f, high = s_space->parameters[0].high;
	rpVec3 last = rpVec3_zero;
	for (int i = 0; i < 1200; ++i)
	{
		int side = i >= 600;
		rpPlayerInput input = {.space = {true, {side == 0 ? high : s_space->parameters[0].low}}};
		rpPlayer_Step(player, TICK, &input, &pose, &report);
		// After the motion in play the next one is what was asked for.
		turned[side] += i % 600 > 150 ? rpWrapAngle(report.ground.turn - heading) : 0.0f;
		assert_true(i == 0 || rpDistance(last, pose.rootPosition) < 0.06f);
		last = pose.rootPosition;
		heading = report.ground.turn;
	}
	assert_true(turned[0] > 1.0f);
	assert_true(turned[1] < -1.0f);
	assert_true(report.space.number > 8);
	assert_float_equal(report.space.nearest[0], s_space->parameters[0].low, 1e-3);
	assert_int_equal(report.movement.kind, rp_movementKindCount);
	assert_string_equal(rpPlayer_GetParameter(player, 0, 0)->name, "turn");
	assert_null(rpPlayer_GetParameter(player, 0, 1));
	assert_null(rpPlayer_GetParameter(player, 0, -1));
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
}

// What is no number is the middle of the range, and so is what is not given.
static void testNoNumber(void** state)
{
	(void)state;
	rpBundle* bundle;
	rpPlayer* player = createPlayer(&bundle);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayerInput input = {.space = {true, {NAN}}};
	for (int i = 0; i < 300; ++i)
	{
		rpPlayer_Step(player, TICK, &input, &pose, &report);
		assert_true(isfinite(pose.rootPosition.x));
	}
	const rpSpaceParameter* parameter = &s_space->parameters[0];
	assert_float_equal(report.space.requested[0], 0.5f * (parameter->low + parameter->high), 1e-6);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
}

// What the first step asks for is what the first motion is made by; what is seen before it is the middle.
static void testFirst(void** state)
{
	(void)state;
	rpBundle* bundle;
	rpPlayer* player = createPlayer(&bundle);
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerReport report;
	rpPlayer_Peek(player, 0.5, &pose, &report);
	float middle = report.space.requested[0], low = s_space->parameters[0].low;
	assert_true(middle > low);
	rpPlayerInput input = {.space = {true, {low}}};
	for (int again = 0; again < 2; ++again)
	{
		rpPlayer_Step(player, 0.0, &input, &pose, &report);
		assert_int_equal(report.space.number, 0);
		assert_true(report.space.requested[0] == low);
		assert_float_equal(report.ground.shift.z, again == 0 ? 0.0f : 5.0f, 0.05);
		rpPlayer_Step(player, 3.0, NULL, &pose, &report);
		assert_true(report.space.number > 0 && report.space.requested[0] == middle);
		rpPlayer_Reset(player, (rpGroundTransform){0.0f, {0.0f, 0.0f, 5.0f}});
	}
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
}

static void step(rpPlayer* player, int count, double* sum)
{
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	for (int i = 0; i < count; ++i)
	{
		rpPlayerInput input = {.space = {true, {0.3f}}};
		rpPlayer_Step(player, TICK, &input, &pose, NULL);
		*sum += (double)pose.rootPosition.x + 3.0 * (double)pose.rootPosition.z + (double)rotations[5].x;
	}
}

static void testSnapshot(void** state)
{
	(void)state;
	rpBundle* bundle;
	rpPlayer* player = createPlayer(&bundle);
	void* block = malloc(rpPlayer_GetSnapshotSize(player));
	double before = 0.0, first = 0.0, again = 0.0;
	step(player, 200, &before);
	rpPlayer_TakeSnapshot(player, block);
	rpPlayer_Peek(player, 3.0, NULL, NULL);
	step(player, 300, &first);
	assert_true(rpPlayer_Restore(player, block));
	step(player, 300, &again);
	assert_true(first == again);
	free(block);
	rpDestroyPlayer(player);
	rpDestroyBundle(bundle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSteering),
		cmocka_unit_test(testNoNumber),
		cmocka_unit_test(testFirst),
		cmocka_unit_test(testSnapshot),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
