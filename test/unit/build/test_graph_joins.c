/// Joins that graphs refuse: feet at different heights, on different feet or elsewhere, bodies and limbs turned away.
#include "build/graph_joins.h"
#include "support.h"

#include <string.h>

static rpMotion* perform(rpAct act, double seconds, const char* name)
{
	rpPerformDef def = rpDefaultPerformDef(act);
	def.fps = 60.0;
	def.seconds = seconds;
	rpMotion* motion = rpPerform(&def, NULL);
	assert_non_null(motion);
	assert_true(rpMotion_SetName(motion, name, NULL));
	return motion;
}

static rpMotion* copyAs(const rpMotion* motion, const char* name)
{
	rpMotion* copy = rpCopyMotion(motion, NULL);
	assert_non_null(copy);
	assert_true(rpMotion_SetName(copy, name, NULL));
	return copy;
}

// The same on a step.
static rpMotion* raise(const rpMotion* motion, float height)
{
	rpMotion* raised = copyAs(motion, "raised");
	for (int f = 0; f < raised->frameCount; ++f)
	{
		raised->rootPositions[f].y += height;
	}
	for (int i = 0; i < raised->annotations.intervalCount; ++i)
	{
		raised->annotations.intervals[i].supportHeight += height;
	}
	return raised;
}

static void gather(rpMotion* const* motions, int count, rpExamples* out)
{
	rpMetricDef metricDef = rpDefaultMetricDef();
	rpMetric* metric = rpCreateMetric(motions[0]->skeleton, &metricDef, NULL);
	rpGraphDef def = rpDefaultGraphDef();
	rpMotion* copies[8];
	assert_non_null(metric);
	assert_in_range(count, 1, 8);
	for (int i = 0; i < count; ++i)
	{
		copies[i] = rpCopyMotion(motions[i], NULL);
	}
	assert_true(rpExamples_Gather(out, copies, count, &def, metric, NULL, NULL));
	rpDestroyMetric(metric);
}

// A frame of the first clip in which the left foot alone has rested for a while and will go on to.
static int findLeftStance(const rpExamples* examples)
{
	for (int f = 30; f + 30 < examples->clips[0].frameCount; ++f)
	{
		bool isStance = true;
		for (int k = -4; k <= 4; ++k)
		{
			const rpFrameFeet* feet = &examples->feet[f + k];
			isStance = isStance && !isnan(feet->supports[0]) && isnan(feet->supports[1]);
		}
		if (isStance)
		{
			return f;
		}
	}
	fail_msg("nobody stands on his left foot");
	return -1;
}

static void testFeet(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 4.0, "walk");
	rpMotion* motions[] = {walk, raise(walk, 0.2f), raise(walk, 0.03f), rpMirrorMotion(walk, NULL)};
	assert_non_null(motions[3]);
	rpExamples examples;
	gather(motions, 4, &examples);
	int f = findLeftStance(&examples);
	rpGroundTransform here = {0}, aside = {.shift = {0.35f, 0.0f, 0.0f}}, back = {.turn = (float)RP_PI};
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, f, 0, f, here), rp_hindranceNone);
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, f, 2, f, here), rp_hindranceNone);
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, f, 1, f, here), rp_hindranceHeight);
	assert_int_equal(rpExamples_CheckJoin(&examples, 1, f, 0, f, here), rp_hindranceHeight);
	assert_int_equal(rpExamples_CheckJoin(&examples, 1, f, 1, f, here), rp_hindranceNone);
	// The mirror image walks through the same place on the other foot.
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, f, 3, f, here), rp_hindranceSupport);
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, f, 0, f, aside), rp_hindranceDrag);
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, f, 0, f, back), rp_hindranceFacing);
	rpExamples_Free(&examples);
	for (int i = 0; i < 4; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
}

// In the air against on both feet, though no joint is far from where it is in the other.
static void testFlight(void** state)
{
	(void)state;
	rpMotion* jump = perform(rp_actJump, 0.0, "jump");
	rpMotion* held = copyAs(jump, "held");
	rpMotion* motions[] = {jump, held};
	rpExamples examples;
	gather(motions, 2, &examples);
	int flight = -1;
	for (int f = 20; f + 20 < examples.clips[0].frameCount && flight < 0; ++f)
	{
		bool isFlight = isnan(examples.feet[f].supports[0]) && isnan(examples.feet[f].supports[1]);
		flight = isFlight ? f + 4 : -1;
	}
	assert_true(flight > 0);
	rpGroundTransform here = {0};
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, flight, 1, flight, here), rp_hindranceNone);
	// One flies from the floor, the other from a step.
	for (int f = examples.firstFrames[1]; f < examples.firstFrames[2]; ++f)
	{
		examples.feet[f].level += 0.3f;
	}
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, flight, 1, flight, here), rp_hindranceHeight);
	for (int f = examples.firstFrames[1]; f < examples.firstFrames[2]; ++f)
	{
		examples.feet[f].level -= 0.3f;
		examples.feet[f].supports[0] = examples.feet[f].supports[1] = 0.0f;
	}
	assert_int_equal(rpExamples_CheckJoin(&examples, 0, flight, 1, flight, here), rp_hindranceSupport);
	rpExamples_Free(&examples);
	rpDestroyMotion(jump);
	rpDestroyMotion(held);
}

// An arm half a turn away is as near as one that hangs beside it, but nobody knows in which direction it goes.
static void testTwist(void** state)
{
	(void)state;
	rpMotion* stand = perform(rp_actStand, 3.0, "stand");
	rpMotion* twisted = copyAs(stand, "twisted");
	int shoulder = rpSkeleton_FindRole(stand->skeleton, rp_roleLeftShoulder);
	assert_true(shoulder > 0);
	const float angles[] = {2.0f, 2.9f};
	const rpHindrance expected[] = {rp_hindranceNone, rp_hindranceTwist};
	for (int k = 0; k < 2; ++k)
	{
		rpQuat turn = {cosf(0.5f * angles[k]), sinf(0.5f * angles[k]), 0.0f, 0.0f};
		for (int f = 0; f < stand->frameCount; ++f)
		{
			size_t at = (size_t)f * (size_t)stand->skeleton->jointCount + (size_t)shoulder;
			twisted->rotations[at] = rpMulQuat(stand->rotations[at], turn);
		}
		rpMotion* motions[] = {stand, twisted};
		rpExamples examples;
		gather(motions, 2, &examples);
		assert_int_equal(rpExamples_CheckJoin(&examples, 0, 45, 1, 45, (rpGroundTransform){0}), expected[k]);
		rpExamples_Free(&examples);
	}
	rpDestroyMotion(stand);
	rpDestroyMotion(twisted);
}

static int countBetween(const rpGraph* graph, const char* from, const char* to)
{
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		count += rpGraphEdge_IsTransition(edge) &&
				 strcmp(graph->clips[graph->nodes[edge->from].clip].name, from) == 0 &&
				 strcmp(graph->clips[graph->nodes[edge->to].clip].name, to) == 0;
	}
	return count;
}

// A walk on the floor and one on a step, 0.15 m apart by the metric: no threshold joins them.
static void testBuild(void** state)
{
	(void)state;
	rpMotion* walk = perform(rp_actWalk, 6.0, "walk");
	rpMotion* motions[] = {walk, raise(walk, 0.15f)};
	rpGraphDef def = rpDefaultGraphDef();
	rpGraphReport report;
	def.threshold = 0.3f;
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, 2, &def, &report, NULL);
	assert_non_null(graph);
	assert_int_equal(countBetween(graph, "walk", "raised"), 0);
	assert_true(countBetween(graph, "walk", "walk") + countBetween(graph, "raised", "raised") > 10);
	assert_true(report.refusedCount > 10 && report.refusedCount < report.minimumCount);
	rpDestroyGraph(graph);
	rpGraphReport_Free(&report);
	def.anySupport = true;
	graph = rpBuildGraphOf((const rpMotion* const*)motions, 2, &def, &report, NULL);
	assert_non_null(graph);
	assert_true(countBetween(graph, "walk", "raised") > 10);
	assert_int_equal(report.refusedCount, 0);
	rpDestroyGraph(graph);
	rpGraphReport_Free(&report);
	rpDestroyMotion(motions[0]);
	rpDestroyMotion(motions[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(testFeet), cmocka_unit_test(testFlight),
									   cmocka_unit_test(testTwist), cmocka_unit_test(testBuild)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
