/// The player of a parametric graph: goes where the stick points, hits what it is told to, plays nothing that is too
/// far apart; looking ahead changes nothing, going back gives the same.
#include "parametric_scene.h"

#include "model/parametric_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TICK (1.0 / 60.0)

static rpSpace *s_walks, *s_punches;
static void *s_bytes, *s_punchBytes;
static size_t s_size, s_punchSize;

static int setUp(void** state)
{
	(void)state;
	static const char* const names[] = {"walk"};
	static const char* const punchNames[] = {"punch"};
	s_walks = testMakeWalkSpace();
	s_punches = testMakePunchSpace();
	s_bytes = testMakeParametricBundle((const rpSpace* const*)&s_walks, names, 1, &s_size);
	s_punchBytes = testMakeParametricBundle((const rpSpace* const*)&s_punches, punchNames, 1, &s_punchSize);
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	rpFreeBytes(s_bytes);
	rpFreeBytes(s_punchBytes);
	rpDestroySpace(s_walks);
	rpDestroySpace(s_punches);
	return 0;
}

/// A player and what it shows.
typedef struct Show
{
	rpBundle* bundle;
	rpPlayer* player;
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose;
	rpPlayerReport report;
} Show;

static void openShow(Show* show, const void* bytes, size_t size, const rpPlayerDef* def)
{
	rpError error = {0};
	*show = (Show){.bundle = rpCreateBundle(bytes, size, &error)};
	show->player = show->bundle != NULL ? rpCreatePlayer(show->bundle, def, &error) : NULL;
	if (show->player == NULL)
	{
		fail_msg("%s", error.message);
	}
}

static void closeShow(Show* show)
{
	rpDestroyPlayer(show->player);
	rpDestroyBundle(show->bundle);
}

static void step(Show* show, const rpPlayerInput* input)
{
	show->pose.rotations = show->rotations;
	rpPlayer_Step(show->player, TICK, input, &show->pose, &show->report);
	assert_true(isfinite(show->pose.rootPosition.x) && isfinite(show->rotations[3].w));
}

// The direction that it travels in is that of the stick, after a while, whichever it is; the root never jumps.
static void testSteering(void** state)
{
	(void)state;
	Show show;
	openShow(&show, s_bytes, s_size, NULL);
	assert_string_equal(rpPlayer_GetModel(show.player), "pgraph");
	assert_string_equal(rpPlayer_GetRequest(show.player, 1), "walk");
	assert_null(rpPlayer_GetRequest(show.player, 2));
	assert_string_equal(rpPlayer_GetParameter(show.player, 1, 0)->name, "turn");
	assert_null(rpPlayer_GetParameter(show.player, 0, 0));
	assert_null(rpPlayer_GetParameter(show.player, 1, 1));
	for (int k = 0; k < 6; ++k)
	{
		float angle = 1.7f * (float)k;
		rpPlayerInput input = {.stick = {sinf(angle), cosf(angle)}};
		rpVec3 last = show.pose.rootPosition, middle = rpVec3_zero;
		for (int i = 0; i < 720; ++i)
		{
			step(&show, &input);
			assert_true((k == 0 && i == 0) || rpDistance(last, show.pose.rootPosition) < 0.06f);
			last = show.pose.rootPosition;
			middle = i == 600 ? last : middle;
		}
		rpVec3 way = rpSub(last, middle);
		assert_true(fabsf(rpWrapAngle(atan2f(way.x, way.z) - angle)) < 0.15f);
		assert_true(rpLength(way) > 1.5f);
	}
	assert_int_equal(show.report.movement.kind, rp_movementKindCount);
	closeShow(&show);
}

// At random: every seam is good enough, or said to be forced; values are in boxes.
static void testRandom(void** state)
{
	(void)state;
	Show show;
	rpPlayerInput input = {.parametric = {.isRandom = true}};
	int last = -1, motions = 0, repaired = 0;
	openShow(&show, s_bytes, s_size, NULL);
	for (int i = 0; i < 20000; ++i)
	{
		step(&show, &input);
		const rpParametricReport* report = &show.report.parametric;
		if (report->number == last)
		{
			continue;
		}
		assert_true(report->number == last + 1 && report->node == 0 && report->requestedNode == -1);
		last = report->number;
		++motions;
		repaired += report->repairs > 0;
		assert_true(report->number == 0 || (report->distance <= report->bad && !report->isForced));
		assert_true(report->granted[0] >= report->low[0] - 0.01f && report->granted[0] <= report->high[0] + 0.01f);
		assert_true(report->end > report->start);
	}
	assert_true(motions > 250);
	print_message("%d motions, %d repaired\n", motions, repaired);
	assert_true(100 * repaired <= motions);
	closeShow(&show);
}

// What is played is one motion after another as they are made all at once.
static void testSteps(void** state)
{
	(void)state;
	static rpParametricMotion now;
	static rpParametricStep made;
	Show show;
	rpParametricModel model;
	openShow(&show, s_bytes, s_size, NULL);
	assert_true(rpParametricModel_Read(&model, show.bundle, NULL));
	rpPlayerInput input = {.request = 1, .space = {true, {0.4f}}};
	rpParametricMotion_Begin(&model, 0, input.space.values, rpGroundTransform_identity, &now);
	int last = 0;
	for (int i = 0; last < 8; ++i)
	{
		input.space.values[0] = last % 2 == 0 ? -0.3f : 0.4f;
		if (i == 0)
		{
			input.space.values[0] = 0.4f;
		}
		step(&show, &input);
		const rpParametricReport* report = &show.report.parametric;
		if (report->number != last)
		{
			last = report->number;
			rpParametricStep_Make(&model, &now, 0, report->granted, &made);
			now = made.next;
			assert_float_equal(made.distance, report->distance, 1e-4);
			assert_float_equal(now.span.start + now.clip.start, report->start, 1e-3);
		}
	}
	rpParametricModel_Free(&model);
	closeShow(&show);
}

// A place that the fist can be told to hit from where the boxer stands at first.
static rpVec3 drawTarget(rpRandom* random)
{
	rpVec3 place;
	for (int k = 0; k < 3; ++k)
	{
		const rpSpaceParameter* parameter = &s_punches->parameters[k];
		(&place.x)[k] = rpRandom_Range(random, 0.8f * parameter->low + 0.2f * parameter->high,
									   0.2f * parameter->low + 0.8f * parameter->high);
	}
	return place;
}

// The fist comes to where it was told to hit, in the world, also after a few punches, whose ends are not quite where
// they began.
static void testTarget(void** state)
{
	(void)state;
	enum
	{
		targetCount = 8
	};
	Show show;
	float miss[targetCount];
	rpRandom random = rpSeedRandom(4);
	rpPlayerInput input = {.request = 1, .parametric = {.hasTarget = true}};
	openShow(&show, s_punchBytes, s_punchSize, NULL);
	const rpSkeleton* skeleton = rpPlayer_GetSkeleton(show.player);
	int wrist = rpSkeleton_FindRole(skeleton, rp_roleRightWrist), first = 0;
	for (int k = 0; k < targetCount; ++k)
	{
		float nearest = INFINITY, missed = 0.0f;
		input.parametric.target = drawTarget(&random);
		// The one after the next was asked for with this target.
		for (; show.report.parametric.number < first + 2; step(&show, &input))
		{
		}
		for (; show.report.parametric.number < first + 3; step(&show, &input))
		{
			rpTransform world[RP_MAX_JOINTS];
			rpSkeleton_Forward(skeleton, show.pose.rootPosition, show.rotations, NULL, world);
			nearest = fminf(nearest, rpDistance(world[wrist].p, input.parametric.target));
			const rpParametricReport* report = &show.report.parametric;
			missed = rpDistance((rpVec3){report->requested[0], report->requested[1], report->requested[2]},
								(rpVec3){report->granted[0], report->granted[1], report->granted[2]});
		}
		first += 3;
		// Of the few examples here some places are missed by the space itself.
		miss[k] = nearest - missed;
	}
	for (int k = 0; k < targetCount; ++k)
	{
		print_message("%.1f mm\n", 1000.0 * (double)miss[k]);
		assert_true(miss[k] < 0.012f);
	}
	closeShow(&show);
}

// What cannot be hit is said: what was asked for, and what is done instead, within the box.
static void testOutOfReach(void** state)
{
	(void)state;
	Show show;
	rpPlayerInput input = {.request = 1, .parametric = {.hasTarget = true, .target = {5.0f, 1.3f, 1.0f}}};
	openShow(&show, s_punchBytes, s_punchSize, NULL);
	for (; show.report.parametric.number < 2; step(&show, &input))
	{
	}
	const rpParametricReport* report = &show.report.parametric;
	assert_true(report->requested[0] > 3.0f && report->granted[0] <= report->high[0] + 0.01f);
	assert_true(report->granted[0] > 0.5f * (report->low[0] + report->high[0]));
	// No numbers: as if nothing was asked for.
	input.parametric.target = (rpVec3){NAN, INFINITY, 0.0f};
	input.stick = (rpVec2){NAN, NAN};
	input.space = (rpSpaceInput){true, {NAN, NAN, -INFINITY}};
	input.request = 77;
	for (; show.report.parametric.number < 5; step(&show, &input))
	{
	}
	assert_int_equal(show.report.parametric.requestedNode, -1);
	closeShow(&show);
}

// Who can only turn to the right gets to the left by that (Heck 6.2.2.3: "two large right hand turns").
static void testRightTurns(void** state)
{
	(void)state;
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	rpSpaceDef def = rpDefaultSpaceDef();
	static const char* const names[] = {"right"};
	Show show;
	size_t size;
	def.features = "turn";
	testMakeWalks(walks, matches);
	// Turns by -40 and -20 degrees a second, and straight on.
	rpSpace* space = rpBuildSpace((const rpMotion* const*)walks, 3, matches, 3, &def, NULL, NULL, NULL);
	testDestroyWalks(walks);
	assert_true(space != NULL && space->parameters[0].high < 0.05f);
	void* bytes = testMakeParametricBundle((const rpSpace* const*)&space, names, 1, &size);
	openShow(&show, bytes, size, NULL);
	rpPlayerInput input = {.stick = {1.0f, 0.0f}};
	float turned = 0.0f, last = 0.0f;
	rpVec3 before = rpVec3_zero, now = rpVec3_zero;
	for (int i = 0; i < 1200; ++i)
	{
		step(&show, &input);
		turned += i > 0 ? rpWrapAngle(show.report.ground.turn - last) : 0.0f;
		last = show.report.ground.turn;
		before = i == 1100 ? show.pose.rootPosition : before;
		now = show.pose.rootPosition;
	}
	print_message("turned %.2f\n", (double)turned);
	// Three quarters of a turn to the right, and there it stays.
	assert_float_equal(turned, -1.5 * RP_PI, 0.5);
	rpVec3 way = rpSub(now, before);
	assert_true(fabsf(rpWrapAngle(atan2f(way.x, way.z) - (float)(0.5 * RP_PI))) < 0.2f);
	closeShow(&show);
	rpFreeBytes(bytes);
	rpDestroySpace(space);
}

// ---- going back, looking ahead

static double walk(Show* show, int count)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		float angle = 0.01f * (float)i;
		rpPlayerInput input = {.stick = {sinf(angle), cosf(angle)}, .parametric = {.isRandom = i % 300 > 200}};
		step(show, &input);
		sum +=
			(double)show->pose.rootPosition.x + 3.0 * (double)show->pose.rootPosition.z + (double)show->rotations[5].x;
	}
	return sum;
}

static void testSnapshot(void** state)
{
	(void)state;
	Show show;
	openShow(&show, s_bytes, s_size, NULL);
	void* block = malloc(rpPlayer_GetSnapshotSize(show.player));
	// In the middle of planning, too.
	for (int start = 200; start < 260; start += 7)
	{
		rpPlayer_Reset(show.player, rpGroundTransform_identity);
		walk(&show, start);
		rpPlayer_TakeSnapshot(show.player, block);
		rpPlayer_Peek(show.player, 3.0, NULL, NULL);
		double first = walk(&show, 200);
		assert_true(rpPlayer_Restore(show.player, block));
		rpPlayer_Peek(show.player, 0.3, NULL, NULL);
		assert_true(walk(&show, 200) == first);
	}
	free(block);
	closeShow(&show);
}

// What is seen ahead is what comes, if the input stays; feet are held later.
static void testPeek(void** state)
{
	(void)state;
	Show show;
	rpQuat rotations[RP_MAX_JOINTS];
	rpPose pose = {.rotations = rotations};
	rpPlayerDef def = rpDefaultPlayerDef();
	def.lockFeet = false;
	openShow(&show, s_bytes, s_size, &def);
	rpPlayerInput input = {.stick = {0.5f, 0.5f}};
	for (int i = 0; i < 60; ++i)
	{
		step(&show, &input);
	}
	rpPlayer_Peek(show.player, 5.0, &pose, NULL);
	for (int i = 0; i < 300; ++i)
	{
		step(&show, &input);
	}
	assert_true(rpDistance(pose.rootPosition, show.pose.rootPosition) < 1e-3f);
	closeShow(&show);
}

// The same motion at any rate of ticks.
static void testTicks(void** state)
{
	(void)state;
	rpVec3 places[2];
	for (int k = 0; k < 2; ++k)
	{
		Show show;
		rpPlayerInput input = {.stick = {-1.0f, 0.2f}};
		openShow(&show, s_bytes, s_size, NULL);
		show.pose.rotations = show.rotations;
		for (int i = 0; i < (k == 0 ? 600 : 50); ++i)
		{
			rpPlayer_Step(show.player, k == 0 ? TICK : 12.0 * TICK, &input, &show.pose, &show.report);
		}
		places[k] = show.pose.rootPosition;
		closeShow(&show);
	}
	assert_true(rpDistance(places[0], places[1]) < 1e-4f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSteering), cmocka_unit_test(testRandom),     cmocka_unit_test(testSteps),
		cmocka_unit_test(testTarget),   cmocka_unit_test(testOutOfReach), cmocka_unit_test(testRightTurns),
		cmocka_unit_test(testSnapshot), cmocka_unit_test(testPeek),       cmocka_unit_test(testTicks),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
