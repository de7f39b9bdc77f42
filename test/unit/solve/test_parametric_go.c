/// Going to places on parametric graphs: planned and greedily, with headings and without, what cannot be reached; what
/// is planned is what is played; where graphs reach.
#include "parametric_scene.h"
#include "solve/parametric_planner.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE ((float)RP_DEGREE)

/// A graph of walks, ready to plan with.
typedef struct Scene
{
	void* bytes;
	rpBundle* bundle;
	rpParametricPlanner* planner;
} Scene;

/// Walks that turn to both sides, to the right alone, and not at all, by how fast they are.
static Scene s_both, s_right, s_straight;

static void openScene(Scene* scene, rpSpace* space)
{
	const rpSpace* spaces[] = {space};
	const char* names[] = {"walk"};
	size_t size;
	rpError error = {0};
	scene->bytes = testMakeParametricBundle(spaces, names, 1, &size);
	rpDestroySpace(space);
	scene->bundle = rpCreateBundle(scene->bytes, size, &error);
	scene->planner = rpCreateParametricPlanner(scene->bundle, &error);
	if (scene->planner == NULL)
	{
		fail_msg("%s", error.message);
	}
}

static void closeScene(Scene* scene)
{
	rpDestroyParametricPlanner(scene->planner);
	rpDestroyBundle(scene->bundle);
	rpFreeBytes(scene->bytes);
}

static rpSpace* buildSpace(rpMotion** walks, const rpMatch* matches, int count, const char* features)
{
	rpSpaceDef def = rpDefaultSpaceDef();
	rpError error = {0};
	def.features = features;
	rpSpace* space = rpBuildSpace((const rpMotion* const*)walks, count, matches, count, &def, NULL, NULL, &error);
	if (space == NULL)
	{
		fail_msg("%s", error.message);
	}
	return space;
}

// Of the five walks those to the right.
static rpSpace* makeRightSpace(void)
{
	rpMotion* walks[testWalkCount];
	rpMatch matches[testWalkCount];
	testMakeWalks(walks, matches);
	rpSpace* space = buildSpace(walks, matches, 2, "turn");
	testDestroyWalks(walks);
	return space;
}

static rpSpace* makeStraightSpace(void)
{
	rpMotion* walks[3];
	rpMatch matches[3];
	for (int i = 0; i < 3; ++i)
	{
		char name[24];
		rpPerformDef def = rpDefaultPerformDef(rp_actWalk);
		def.fps = 60.0;
		def.seconds = 5.0;
		def.parameters[rp_paramSpeed] = 1.1f + 0.2f * (float)i;
		walks[i] = rpPerform(&def, NULL);
		assert_non_null(walks[i]);
		snprintf(name, sizeof(name), "walk-%d", i);
		assert_true(rpMotion_SetName(walks[i], name, NULL));
		double start = testFindEventAfter(walks[i], "heel_strike_left", 1.0);
		double end = testFindEventAfter(walks[i], "heel_strike_left", start + 0.1);
		matches[i] = (rpMatch){.stretch = {i, false, start, end}, .parent = i - 1};
	}
	rpSpace* space = buildSpace(walks, matches, 3, "speed");
	for (int i = 0; i < 3; ++i)
	{
		rpDestroyMotion(walks[i]);
	}
	return space;
}

static int setUp(void** state)
{
	(void)state;
	testUseCountingAllocator();
	openScene(&s_both, testMakeWalkSpace());
	openScene(&s_right, makeRightSpace());
	openScene(&s_straight, makeStraightSpace());
	return 0;
}

static int tearDown(void** state)
{
	(void)state;
	closeScene(&s_both);
	closeScene(&s_right);
	closeScene(&s_straight);
	return 0;
}

static rpParametricGoDef aim(float x, float z)
{
	rpParametricGoDef def = rpDefaultParametricGoDef();
	def.goal.shift = (rpVec3){x, 0.0f, z};
	return def;
}

static rpParametricGoDef aimAt(float x, float z, float degrees)
{
	rpParametricGoDef def = aim(x, z);
	def.hasHeading = true;
	def.goal.turn = degrees * DEGREE;
	return def;
}

static rpParametricRoute* go(const Scene* scene, const rpParametricGoDef* def)
{
	rpError error = {0};
	rpParametricRoute* route = rpParametricPlanner_Go(scene->planner, def, &error);
	if (route == NULL)
	{
		fail_msg("%s", error.message);
	}
	return route;
}

// The end is where it says.
static void checkRoute(const rpParametricRoute* route, const rpParametricGoDef* def)
{
	float x = route->end.shift.x - def->goal.shift.x, z = route->end.shift.z - def->goal.shift.z;
	float turn = fabsf(rpWrapAngle(route->end.turn - def->goal.turn));
	assert_float_equal(route->distance, hypotf(x, z), 1e-5);
	assert_float_equal(route->turn, def->hasHeading ? turn : 0.0f, 1e-5);
	bool isThere = route->distance <= def->radius && route->turn <= def->tolerance;
	assert_int_equal(route->isReached, isThere);
	assert_true(route->motionCount > 0 && route->seconds >= 0.0 && route->cost >= route->seconds);
	assert_true(route->motions[0].start == 0.0);
}

// ---- getting there

static void testGoals(void** state)
{
	(void)state;
	const rpParametricGoDef goals[] = {aim(0.0f, 6.0f),           aim(0.0f, -4.0f),           aim(5.0f, 2.0f),
									   aimAt(0.0f, 6.0f, 0.0f),   aimAt(0.0f, 6.0f, 180.0f),  aimAt(0.0f, -5.0f, 0.0f),
									   aimAt(-4.0f, 3.0f, 90.0f), aimAt(3.0f, -3.0f, -120.0f)};
	for (size_t i = 0; i < sizeof(goals) / sizeof(goals[0]); ++i)
	{
		rpParametricRoute* route = go(&s_both, &goals[i]);
		checkRoute(route, &goals[i]);
		assert_true(route->isReached);
		// Nobody goes much faster than 1.6 m/s.
		double straight = hypot((double)goals[i].goal.shift.x, (double)goals[i].goal.shift.z);
		assert_true(route->seconds > (straight - 0.3) / 1.6 && route->seconds < 40.0);
		rpDestroyParametricRoute(route);
	}
}

// From elsewhere it is the same way elsewhere.
static void testStart(void** state)
{
	(void)state;
	rpParametricGoDef def = aimAt(2.0f, 5.0f, 40.0f);
	rpParametricRoute* here = go(&s_both, &def);
	rpGroundTransform start = {1.2f, {3.0f, 0.0f, -7.0f}};
	def.goal = rpGroundTransform_Compose(start, def.goal);
	def.start = start;
	rpParametricRoute* there = go(&s_both, &def);
	assert_true(here->isReached && there->isReached);
	assert_float_equal(here->cost, there->cost, 0.3);
	assert_float_equal(there->motions[0].root.shift.x, 3.0, 1e-4);
	assert_float_equal(there->motions[0].root.turn, 1.2, 1e-4);
	rpDestroyParametricRoute(here);
	rpDestroyParametricRoute(there);
}

// Who is there already need not go.
static void testHere(void** state)
{
	(void)state;
	rpParametricGoDef def = aim(0.0f, 0.0f);
	rpParametricRoute* route = go(&s_both, &def);
	assert_true(route->isReached && route->motionCount == 1 && route->seconds < 0.2);
	rpDestroyParametricRoute(route);
}

// The greedy way comes to places; with headings it goes round and round (Fig. 6.10), and the plan does not.
static void testGreedy(void** state)
{
	(void)state;
	rpParametricGoDef def = aim(3.0f, 6.0f);
	def.isGreedy = true;
	rpParametricRoute* route = go(&s_both, &def);
	checkRoute(route, &def);
	assert_true(route->isReached);
	rpDestroyParametricRoute(route);
	def = aimAt(2.0f, 4.0f, 170.0f);
	def.isGreedy = true;
	route = go(&s_both, &def);
	checkRoute(route, &def);
	assert_false(route->isReached);
	rpDestroyParametricRoute(route);
	def.isGreedy = false;
	route = go(&s_both, &def);
	assert_true(route->isReached && route->seconds < 15.0);
	rpDestroyParametricRoute(route);
}

// Line 2684: who only turns to the right gets to the left by that.
static void testRightTurns(void** state)
{
	(void)state;
	double left, right;
	rpParametricPlanner_GetCircles(s_right.planner, &left, &right);
	assert_true(isinf(left) && right > 0.5 && right < 3.0);
	const rpParametricGoDef goals[] = {aim(4.0f, 1.0f), aimAt(3.0f, 3.0f, 90.0f)};
	for (int i = 0; i < 2; ++i)
	{
		rpParametricRoute* route = go(&s_right, &goals[i]);
		checkRoute(route, &goals[i]);
		assert_true(route->isReached);
		for (int k = 0; k < route->motionCount; ++k)
		{
			assert_true(route->motions[k].granted[0] < 0.0f);
		}
		rpDestroyParametricRoute(route);
	}
}

// ---- what is out of reach

static void testTooFar(void** state)
{
	(void)state;
	rpParametricGoDef def = aim(0.0f, 20.0f);
	def.maxSeconds = 4.0;
	rpParametricRoute* route = go(&s_both, &def);
	checkRoute(route, &def);
	// The nearest is straight ahead, as far as four seconds go.
	assert_false(route->isReached);
	assert_true(route->seconds <= 4.0 + 1e-6 && route->end.shift.z > 3.5f && fabsf(route->end.shift.x) < 1.0f);
	rpDestroyParametricRoute(route);
	def.isGreedy = true;
	route = go(&s_both, &def);
	checkRoute(route, &def);
	assert_false(route->isReached);
	rpDestroyParametricRoute(route);
}

static void testNoTurning(void** state)
{
	(void)state;
	double left, right;
	rpParametricPlanner_GetCircles(s_straight.planner, &left, &right);
	assert_true(isinf(left) && isinf(right));
	rpParametricGoDef def = aim(2.0f, 4.0f);
	rpParametricRoute* route = go(&s_straight, &def);
	checkRoute(route, &def);
	assert_false(route->isReached);
	// Strides sway, so that it is not quite straight.
	assert_float_equal(route->end.shift.x, 0.0, 0.6);
	assert_float_equal(route->end.shift.z, 4.0, 0.6);
	rpDestroyParametricRoute(route);
	def = aim(0.0f, 4.0f);
	route = go(&s_straight, &def);
	assert_true(route->isReached);
	rpDestroyParametricRoute(route);
}

static void testArguments(void** state)
{
	(void)state;
	rpParametricGoDef bad[9];
	for (int i = 0; i < 9; ++i)
	{
		bad[i] = aim(1.0f, 2.0f);
	}
	bad[0].goal.shift.x = NAN;
	bad[1].start.turn = INFINITY;
	bad[2].startNode = 1;
	bad[3].goalNode = -2;
	bad[4].radius = 0.0f;
	bad[5].tolerance = -1.0f;
	bad[6].maxMotions = 0;
	bad[7].maxSeconds = (double)NAN;
	bad[8].width = 0;
	for (int i = 0; i < 9; ++i)
	{
		rpError error = {0};
		assert_null(rpParametricPlanner_Go(s_both.planner, &bad[i], &error));
		assert_int_equal(error.code, rp_errorArgument);
	}
	rpParametricReachDef reach = rpDefaultParametricReachDef();
	reach.seconds = 0.0;
	assert_null(rpParametricPlanner_FindReach(s_both.planner, &reach, NULL));
	reach.seconds = 1.0;
	reach.startNode = 7;
	assert_null(rpParametricPlanner_FindReach(s_both.planner, &reach, NULL));
}

// ---- what is planned is what is played

static void testPlayed(void** state)
{
	(void)state;
	const Scene* scenes[] = {&s_both, &s_both, &s_right};
	const rpParametricGoDef goals[] = {aimAt(-3.0f, -4.0f, 70.0f), aim(2.0f, 5.0f), aim(4.0f, 1.0f)};
	for (int i = 0; i < 3; ++i)
	{
		rpError error = {0};
		rpParametricRoute* route = go(scenes[i], &goals[i]);
		rpPlayer* player = rpCreatePlayer(scenes[i]->bundle, NULL, &error);
		rpRecordDef def = rpDefaultRecordDef();
		rpRecording recording;
		def.seconds = 100.0;
		def.steer = rpParametricRoute_Steer;
		def.context = route;
		def.mayEnd = true;
		assert_non_null(player);
		assert_true(rpRecordPlayer(player, &def, &recording, &error));
		assert_float_equal(recording.motion->frameCount / 60.0, route->seconds, 0.02);
		for (int k = 0; k < recording.runCount; ++k)
		{
			const rpParametricReport* played = &recording.runs[k].parametric;
			assert_true(played->number < route->motionCount);
			assert_true(played->achieved[0] == route->motions[played->number].granted[0]);
			assert_true(played->start == route->motions[played->number].start);
		}
		// Held feet take the body along by a few centimetres.
		rpPose last = rpMotion_GetPose(recording.motion, recording.motion->frameCount - 1);
		rpGroundTransform end = rpPose_GetGround(&last);
		assert_true(hypotf(end.shift.x - route->end.shift.x, end.shift.z - route->end.shift.z) < 0.08f);
		assert_true(fabsf(rpWrapAngle(end.turn - route->end.turn)) < 4.0f * DEGREE);
		rpRecording_Free(&recording);
		rpDestroyPlayer(player);
		rpDestroyParametricRoute(route);
	}
}

static bool isSame(const rpParametricRoute* a, const rpParametricRoute* b)
{
	bool is = a->motionCount == b->motionCount && a->seconds == b->seconds && a->distance == b->distance;
	for (int i = 0; i < a->motionCount && is; ++i)
	{
		is = a->motions[i].requested[0] == b->motions[i].requested[0];
	}
	return is;
}

// Whatever was asked before, and with a planner of its own.
static void testDeterminism(void** state)
{
	(void)state;
	rpParametricGoDef def = aimAt(2.5f, 4.5f, -60.0f), other = aimAt(-5.0f, 1.0f, 10.0f);
	rpParametricRoute* first = go(&s_both, &def);
	rpDestroyParametricRoute(go(&s_both, &other));
	rpParametricRoute* again = go(&s_both, &def);
	Scene fresh = {.planner = rpCreateParametricPlanner(s_both.bundle, NULL)};
	assert_non_null(fresh.planner);
	rpParametricRoute* alone = go(&fresh, &def);
	assert_true(isSame(first, again) && isSame(first, alone));
	rpDestroyParametricRoute(first);
	rpDestroyParametricRoute(again);
	rpDestroyParametricRoute(alone);
	rpDestroyParametricPlanner(fresh.planner);
}

// ---- the table

// Two ways to one answer: at a point of the grid the table has what the step itself does.
static void testTable(void** state)
{
	(void)state;
	rpParametricPlanner* planner = s_both.planner;
	rpCourse course;
	assert_true(rpCourse_Create(&course, &planner->model, rpGroundTransform_identity, NULL));
	const rpMoveGrid* grid = &planner->moves.nodes[0].grid;
	for (int point = 3; point < grid->count; point += 7)
	{
		for (int choice = 0; choice < planner->moves.edges[0].choices.count; choice += 3)
		{
			float from[RP_MAX_SPACE_PARAMETERS], part[RP_MAX_SPACE_PARAMETERS];
			rpMoveStep step;
			course.count = 0;
			assert_true(rpCourse_MakeRoom(&course, NULL));
			rpMoveGrid_GetPart(grid, point, from);
			rpCourse_BeginAt(&course, 0, from);
			rpMoveGrid_GetPart(&planner->moves.edges[0].choices, choice, part);
			assert_true(rpCourse_MakeRoom(&course, NULL) && rpCourse_AppendAt(&course, 0, part));
			const rpParametricMotion* next = &course.motions[1].motion;
			double begins = next->span.start + next->clip.start;
			rpGroundTransform root = rpCourse_GetRoot(&course, 1, begins);
			assert_true(rpParametricMoves_Choose(&planner->moves, 0, course.motions[0].requested, choice, &step));
			assert_float_equal(step.seconds, begins, 1e-4);
			assert_float_equal(step.place.x, root.shift.x, 1e-3);
			assert_float_equal(step.place.z, root.shift.z, 1e-3);
			assert_float_equal(rpWrapAngle(step.place.turn - root.turn), 0.0, 1e-3);
			assert_float_equal(step.asked[0], next->clip.asked[0], 1e-4);
		}
	}
	rpCourse_Free(&course);
}

// ---- ways with turns

static void testTurningWays(void** state)
{
	(void)state;
	const rpTurningCircles both = {1.0, 1.0}, right = {(double)INFINITY, 2.0};
	const rpTurningPlace from = {0.0, 0.0, 0.0};
	assert_float_equal(rpTurningCircles_FindWay(&both, from, (rpTurningPlace){0.0, 5.0, 0.0}), 5.0, 1e-6);
	assert_float_equal(rpTurningCircles_FindWay(&both, from, (rpTurningPlace){2.0, 0.0, RP_PI}), RP_PI, 1e-6);
	assert_float_equal(rpTurningCircles_FindWay(&both, from, (rpTurningPlace){2.0, 2.0, 0.0}), RP_PI, 1e-6);
	assert_float_equal(rpTurningCircles_FindWay(&right, from, (rpTurningPlace){-4.0, -3.0, RP_PI}), 2.0 * RP_PI + 3.0,
					   1e-6);
	assert_float_equal(rpTurningCircles_FindWay(&right, from, (rpTurningPlace){0.0, 0.0, 0.0}), 0.0, 1e-6);
	assert_float_equal(rpTurningCircles_FindWayToPlace(&both, from, 0.0, 3.0), 3.0, 1e-6);
	assert_float_equal(rpTurningCircles_FindWayToPlace(&both, from, 2.0, -4.0), RP_PI + 4.0, 1e-6);
	// Three quarters round to the right, and on.
	assert_float_equal(rpTurningCircles_FindWayToPlace(&right, from, 3.0, -2.0), 3.0 * RP_PI + 5.0, 1e-6);
	// In the middle of the circle to the left, only the other one leads there.
	assert_true(rpTurningCircles_FindWayToPlace(&both, from, 1.0, 0.0) > 4.0);
	assert_true(isinf(rpTurningCircles_FindWayToPlace(&right, from, -2.0, 0.0)));
}

// ---- reaches

static rpReach* findReach(const Scene* scene, double seconds, int effort)
{
	rpParametricReachDef def = rpDefaultParametricReachDef();
	rpError error = {0};
	def.seconds = seconds;
	def.effort = effort;
	rpReach* reach = rpParametricPlanner_FindReach(scene->planner, &def, &error);
	if (reach == NULL)
	{
		fail_msg("%s", error.message);
	}
	return reach;
}

static void testReach(void** state)
{
	(void)state;
	rpReach *near = findReach(&s_both, 2.0, 1000000), *far = findReach(&s_both, 4.0, 1000000);
	assert_true(near->isWhole && far->isWhole && far->area > 2.0 * near->area && near->area > 1.0);
	for (int i = 0; i < far->width * far->width; ++i)
	{
		double x = i % far->width - far->width / 2, z = i / far->width - far->width / 2;
		double way = (hypot(x, z) - 1.5) * (double)far->cell;
		assert_true(isinf(far->times[i]) || way < 1.7 * (double)far->times[i]);
		assert_int_equal(isfinite(far->times[i]), far->headings[i] != 0);
	}
	rpDestroyReach(near);
	// What cannot be looked at wholly says so.
	near = findReach(&s_both, 4.0, 50);
	assert_true(!near->isWhole && near->placeCount == 50 && near->area < far->area);
	rpDestroyReach(near);
	rpDestroyReach(far);
	// To the left of the start who only turns to the right gets late or not at all.
	far = findReach(&s_right, 4.0, 1000000);
	double sides[2] = {0.0, 0.0};
	for (int i = 0; i < far->width * far->width; ++i)
	{
		sides[i % far->width > far->width / 2] += isfinite(far->times[i]);
	}
	assert_true(sides[0] > 3.0 * sides[1]);
	rpDestroyReach(far);
}

// Where a plan leads in the time is reached.
static void testReachHasRoutes(void** state)
{
	(void)state;
	rpReach* reach = findReach(&s_both, 5.0, 2000000);
	rpRandom random = rpSeedRandom(4);
	int count = 0;
	for (int i = 0; i < 20; ++i)
	{
		rpParametricGoDef def = aim(rpRandom_Range(&random, -4.0f, 4.0f), rpRandom_Range(&random, -2.0f, 5.0f));
		rpParametricRoute* route = go(&s_both, &def);
		if (route->isReached && route->seconds < 4.5)
		{
			// Or a cell beside it.
			int column = (int)floorf(route->end.shift.x / reach->cell + 0.5f * (float)reach->width);
			int row = (int)floorf(route->end.shift.z / reach->cell + 0.5f * (float)reach->width);
			bool isReached = false;
			for (int k = 0; k < 9; ++k)
			{
				isReached = isReached || isfinite(reach->times[(row + k / 3 - 1) * reach->width + column + k % 3 - 1]);
			}
			assert_true(isReached);
			++count;
		}
		rpDestroyParametricRoute(route);
	}
	assert_true(count > 5);
	rpDestroyReach(reach);
}

// ---- memory

static bool attempt(void* context, rpError* error)
{
	(void)context;
	rpParametricPlanner* planner = rpCreateParametricPlanner(s_both.bundle, error);
	rpParametricGoDef def = aimAt(0.5f, 2.5f, 40.0f);
	rpParametricReachDef reachDef = rpDefaultParametricReachDef();
	reachDef.seconds = 1.2;
	reachDef.effort = 1000;
	def.width = 16;
	def.maxSeconds = 6.0;
	rpParametricRoute* route = planner != NULL ? rpParametricPlanner_Go(planner, &def, error) : NULL;
	rpReach* reach = route != NULL ? rpParametricPlanner_FindReach(planner, &reachDef, error) : NULL;
	bool done = reach != NULL;
	rpDestroyReach(reach);
	rpDestroyParametricRoute(route);
	rpDestroyParametricPlanner(planner);
	return done;
}

static void testMemory(void** state)
{
	(void)state;
	testFailEach(attempt, NULL, 30);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testGoals),       cmocka_unit_test(testStart),          cmocka_unit_test(testHere),
		cmocka_unit_test(testGreedy),      cmocka_unit_test(testRightTurns),     cmocka_unit_test(testTooFar),
		cmocka_unit_test(testNoTurning),   cmocka_unit_test(testArguments),      cmocka_unit_test(testPlayed),
		cmocka_unit_test(testDeterminism), cmocka_unit_test(testTable),          cmocka_unit_test(testTurningWays),
		cmocka_unit_test(testReach),       cmocka_unit_test(testReachHasRoutes), cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
