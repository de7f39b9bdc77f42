/// What a path asks of a graph, and whether a walk follows it: known turns of the performer, drawn circles and corners.
#include "locomotion_scene.h"
#include "play_scene.h"
#include "reprise/evaluate.h"

#include <math.h>

enum
{
	clipCount = 3,
	pointCount = 121,
};

// Degrees a second to the left; at 1.35 m/s that is so much over 1.35 a metre.
static const float s_turns[clipCount] = {0.0f, 10.0f, 20.0f};
static rpGraph* s_graph;

static int setUp(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	for (int i = 0; i < clipCount; ++i)
	{
		motions[i] = testPerformTurning(rp_actWalk, 8.0, s_turns[i], (uint64_t)i + 1,
										i == 0   ? "a"
										: i == 1 ? "b"
												 : "c");
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

// To the left, or with a negative radius to the right.
static void drawCircle(float radius, rpVec2* points)
{
	for (int i = 0; i < pointCount; ++i)
	{
		float angle = 2.0f * (float)RP_PI * (float)i / (pointCount - 1);
		points[i] = (rpVec2){radius - radius * cosf(angle), fabsf(radius) * sinf(angle)};
	}
}

static rpPathDef makeDef(const rpVec2* points, int count)
{
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = count;
	return def;
}

static bool follows(const rpPathDef* def, rpPathReport* report)
{
	rpWalk* walk = rpGraph_FollowPath(s_graph, def, report, NULL);
	assert_non_null(walk);
	rpDestroyWalk(walk);
	return report->isFollowed;
}

static void testCircles(void** state)
{
	(void)state;
	rpVec2 points[pointCount];
	rpPathReport report;
	rpPathNeed need;
	double most = (double)s_turns[2] / 1.35;
	// Wide to the left: what the clips do themselves. Narrow: neither clips nor bends.
	drawCircle(5.0f, points);
	rpPathDef def = makeDef(points, pointCount);
	assert_true(follows(&def, &report) && report.errorLimit == 0.5);
	assert_true(rpGraph_FindPathNeed(s_graph, &def, &need, NULL) && !need.isBeyond);
	assert_true(fabs(need.left / RP_DEGREE - most) < 4.0 && need.right / RP_DEGREE > -4.0);
	drawCircle(0.7f, points);
	assert_false(follows(&def, &report));
	assert_true(fabs(report.errorLimit - 0.15) < 1e-6);
	assert_true(rpGraph_FindPathNeed(s_graph, &def, &need, NULL) && need.isBeyond && !need.isCorner);
	assert_true(fabs(need.turn * 0.7 - 1.0) < 0.05);
	// To the right only bends help.
	drawCircle(-1.5f, points);
	assert_true(rpGraph_FindPathNeed(s_graph, &def, &need, NULL) && need.isBeyond);
	assert_true(fabs(need.turn * 1.5 + 1.0) < 0.05);
	def.maxBend = 0.0;
	assert_false(follows(&def, &report));
}

static void testCorner(void** state)
{
	(void)state;
	const rpVec2 there[] = {{0.0f, 0.0f}, {0.0f, 6.0f}, {0.02f, 0.0f}};
	rpPathDef def = makeDef(there, 3);
	rpPathReport report;
	rpPathNeed need;
	assert_false(follows(&def, &report));
	assert_true(rpGraph_FindPathNeed(s_graph, &def, &need, NULL) && need.isBeyond && need.isCorner);
	assert_true(fabs(need.at - 6.0) < 0.1);
}

static void testLimit(void** state)
{
	(void)state;
	const rpVec2 line[] = {{0.0f, 0.0f}, {0.0f, 20.0f}};
	rpPathDef def = makeDef(line, 2);
	rpPathReport report;
	assert_true(follows(&def, &report));
	// The same limit as that of who evaluates the motion.
	assert_true(rpGetPathErrorLimit(line, 2) == rpMeasure_GetDefaultLimit(rp_measurePathMean));
	def.pointCount = 1;
	rpPathNeed need;
	assert_false(rpGraph_FindPathNeed(s_graph, &def, &need, NULL));
}

static bool find(void* context, rpError* error)
{
	rpPathNeed need;
	return rpGraph_FindPathNeed(s_graph, context, &need, error);
}

static void testMemory(void** state)
{
	(void)state;
	const rpVec2 line[] = {{0.0f, 0.0f}, {0.0f, 5.0f}};
	rpPathDef def = makeDef(line, 2);
	testFailEach(find, &def, 5);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCircles),
		cmocka_unit_test(testCorner),
		cmocka_unit_test(testLimit),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, setUp, tearDown);
}
