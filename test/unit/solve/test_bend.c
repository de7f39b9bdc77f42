/// Bending: from straight walks alone curves are followed, feet rest all the same, and nothing is bent without need.
#include "locomotion_scene.h"
#include "play_scene.h"
#include "timeline/timeline.h"

#include <math.h>
#include <stdlib.h>

enum
{
	clipCount = 3,
	pointCount = 121,
};

static rpGraph* s_graph;

static int setUp(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	for (int i = 0; i < clipCount; ++i)
	{
		motions[i] = testPerformTurning(rp_actWalk, 6.0, 0.0f, (uint64_t)i + 1, i == 0 ? "a" : i == 1 ? "b" : "c");
	}
	rpGraphDef def = rpDefaultGraphDef();
	s_graph = rpBuildGraphOf((const rpMotion* const*)motions, clipCount, &def, NULL, NULL);
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
	return s_graph != NULL ? 0 : -1;
}

static int tearDown(void** state)
{
	(void)state;
	rpDestroyGraph(s_graph);
	return 0;
}

static rpPathDef layCircle(rpVec2* points, float radius)
{
	for (int i = 0; i < pointCount; ++i)
	{
		float angle = (float)(2.0 * RP_PI * i / (pointCount - 1));
		points[i] = (rpVec2){radius - radius * cosf(angle), radius * sinf(angle)};
	}
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = pointCount;
	return def;
}

// Every frame's root, from the circle.
static double getFarthest(const rpMotion* motion, float radius)
{
	double farthest = 0.0;
	for (int f = 0; f < motion->frameCount; ++f)
	{
		rpVec3 root = motion->rootPositions[f];
		farthest = fmax(farthest, fabs((double)(hypotf(root.x - radius, root.z) - radius)));
	}
	return farthest;
}

// What is shown, not what was planned, is near the circle; and what moves is human.
static void testCircle(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpPathReport report;
	rpPathDef def = layCircle(points, 3.0f);
	rpWalk* walk = rpGraph_FollowPath(s_graph, &def, &report, NULL);
	assert_non_null(walk);
	rpMotion* motion = rpWalk_MakeMotion(walk, s_graph, 60.0, true, NULL);
	double farthest = getFarthest(motion, 3.0f);
	print_message("a circle of 3 m: %.3f m from it at most, bent by up to %.2f rad/m\n", farthest, report.bend);
	assert_true(farthest < 0.2 && report.covered > 0.95);
	assert_true(report.bend > 0.2 && report.bend <= def.maxBend + 0.05);

	// The report says what is shown: feet move the body by less than this.
	assert_float_equal(report.errorMax, farthest, 0.05);
	rpGroundTransform end = rpWalk_GetEnd(walk, s_graph);
	rpVec3 last = motion->rootPositions[motion->frameCount - 1];
	assert_true(hypotf(end.shift.x - last.x, end.shift.z - last.z) < 0.05f);

	rpMeasures measures;
	rpEvaluateDef evaluating = rpDefaultEvaluateDef();
	assert_true(rpEvaluate(motion, &evaluating, &measures, NULL));
	print_message("skate %.3f, joints beyond limits %.1f degrees\n", measures.values[rp_measureSkateRatio],
				  measures.values[rp_measureLimit]);
	assert_true(measures.values[rp_measureSkateRatio] < 0.02 && measures.values[rp_measureLimit] < 1.0);
	rpDestroyMotion(motion);
	rpDestroyWalk(walk);
}

static void testNoNeed(void** state)
{
	(void)state;
	const rpVec2 line[] = {{0.0f, 0.0f}, {0.0f, 12.0f}};
	rpPathReport report;
	rpPathDef def = rpDefaultPathDef();
	def.points = line;
	def.pointCount = 2;
	rpWalk* walk = rpGraph_FollowPath(s_graph, &def, &report, NULL);
	assert_non_null(walk);
	assert_null(walk->bends);
	assert_true(report.bend == 0.0);
	rpDestroyWalk(walk);

	// Nor where it must not be.
	rpVec2 points[pointCount];
	def = layCircle(points, 3.0f);
	def.maxBend = 0.0;
	walk = rpGraph_FollowPath(s_graph, &def, &report, NULL);
	assert_true(walk == NULL || (walk->bends == NULL && report.errorMean > 0.3));
	rpDestroyWalk(walk);
}

// Between knots it is smooth, and a turn about a place far away stays one.
static void testKnots(void** state)
{
	(void)state;
	rpGroundTransform knots[61];
	const float rate = 0.5f;
	const rpVec3 pivot = {40.0f, 0.0f, -20.0f};
	for (int i = 0; i <= 60; ++i)
	{
		float turn = rate * (float)i / 30.0f;
		rpGroundTransform about = {turn, rpVec3_zero};
		knots[i] = (rpGroundTransform){turn, rpSub(pivot, rpGroundTransform_Apply(about, pivot))};
	}
	rpBend bend = {knots, 61, 30.0};
	for (int i = 30; i < 1500; ++i)
	{
		rpGroundTransform ground = rpBend_Get(&bend, i / 1000.0 + 0.1);
		assert_float_equal(ground.turn, rate * ((float)i / 1000.0f + 0.1f), 1e-5f);
		assert_true(rpDistance(rpGroundTransform_Apply(ground, pivot), pivot) < 1e-3f);
	}
	assert_memory_equal(&knots[60], &(rpGroundTransform[]){rpBend_Get(&bend, 9.0)}, sizeof(rpGroundTransform));
}

// Locomotion turns beyond its takes, as far as it is allowed to, and not without that.
static void testLocomotion(void** state)
{
	(void)state;
	const char* scripts[] = {"stand 2; walk 8 1.3 0; stand 2; walk 6 1.5 0; stand 2"};
	TestLocomotion takes = testPerformLocomotion(scripts, 1, 60.0, 3);
	rpLocomotion* model = testBuildLocomotion(&takes, true);
	for (int bends = 0; bends < 2; ++bends)
	{
		rpPlayerDef def = rpDefaultPlayerDef();
		def.locomotion.maxBend = bends == 1 ? def.locomotion.maxBend : 0.0f;
		TestPlay play = testStartPlay(model, &def, 20.0);
		rpPlayerInput input = {.request = rp_gaitWalk, .locomotion.speed = 1.3f, .locomotion.turn = 0.5f};
		testPlayOn(&play, &input, 19.0);
		double turned = 0.0;
		for (int i = 361; i < play.frameCount; ++i)
		{
			turned += (double)rpWrapAngle(play.reports[i].ground.turn - play.reports[i - 1].ground.turn);
		}
		double rate = turned * 60.0 / (play.frameCount - 361);
		print_message("0.5 rad/s asked for: %.2f done\n", rate);
		assert_true(bends == 1 ? fabs(rate - 0.5) < 0.07 : fabs(rate) < 0.1);
		testEndPlay(&play);
	}
	rpDestroyLocomotion(model);
	testFreeLocomotion(&takes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCircle),
		cmocka_unit_test(testNoNeed),
		cmocka_unit_test(testKnots),
		cmocka_unit_test(testLocomotion),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
