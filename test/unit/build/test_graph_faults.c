/// Broken stretches of clips: a graph does without them.
#include "play_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 3,
};

static const double s_start = 2.0, s_end = 2.2;

static void performAll(rpMotion* motions[clipCount])
{
	motions[0] = testPerformTurning(rp_actWalk, 5.0, 0.0f, 1, "straight");
	motions[1] = testPerformTurning(rp_actWalk, 5.0, 30.0f, 2, "left");
	motions[2] = testPerformTurning(rp_actWalk, 5.0, -30.0f, 3, "right");
}

static void destroyAll(rpMotion* motions[clipCount])
{
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
}

// Turn the head by so many degrees at all moments of a stretch.
static void turnHead(rpMotion* motion, double start, double end, double degrees)
{
	int jointCount = motion->skeleton->jointCount, head = motion->skeleton->roles[rp_roleHead];
	for (int f = (int)lround(start * motion->fps); f <= (int)lround(end * motion->fps); ++f)
	{
		motion->rotations[f * jointCount + head] =
			rpAxisAngle((rpVec3){0.0f, 1.0f, 0.0f}, (float)(degrees * RP_DEGREE));
	}
}

static rpGraph* build(rpMotion* const* motions, const rpGraphDef* def, rpGraphReport* report)
{
	rpError error = {0};
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, clipCount, def, report, &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	return graph;
}

static bool meets(const rpGraph* graph, int clip, int first, int last, const char* name)
{
	return strncmp(graph->clips[clip].name, name, strlen(name)) == 0 && last / graph->fps >= s_start - 1e-6 &&
		   first / graph->fps <= s_end + 1e-6;
}

// How many edges show some of the stretch of a clip, or blend with it.
static int countEdges(const rpGraph* graph, const char* name)
{
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
		bool isTransition = rpGraphEdge_IsTransition(edge);
		count += meets(graph, from->clip, from->frame, from->frame + edge->frameCount, name) ||
				 (isTransition && meets(graph, to->clip, to->frame - edge->frameCount, to->frame, name));
	}
	return count;
}

static int countWarnings(const rpGraphReport* report, const char* text)
{
	int count = 0;
	for (int i = 0; i < report->warningCount; ++i)
	{
		count += strstr(report->warnings[i], text) != NULL;
	}
	return count;
}

static void testJoints(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	rpGraphReport report;
	rpGraphDef def = rpDefaultGraphDef();
	performAll(motions);
	rpGraph* whole = build(motions, &def, &report);
	assert_int_equal(report.leftOutCount, 0);
	assert_true(countEdges(whole, "left") > 0);
	rpGraphReport_Free(&report);

	turnHead(motions[1], s_start, s_end, 130.0);
	rpGraph* graph = build(motions, &def, &report);
	assert_int_equal(countEdges(graph, "left"), 0);
	assert_true(countEdges(graph, "straight") > 0 && countEdges(graph, "right") > 0);
	// A fifth of a second and a tenth on either side of it.
	assert_int_equal(report.leftOutCount, (int)lround((s_end - s_start + 0.2) * graph->fps) + 1);
	assert_int_equal(countWarnings(&report, "left from 1.90 to 2.30 s: the neck is"), 1);
	assert_int_equal(countWarnings(&report, "left out"), 1);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);

	// Kept on request: what is so short still finds its places.
	def.keepFaults = true;
	graph = build(motions, &def, &report);
	assert_true(countEdges(graph, "left") > 0);
	assert_int_equal(report.leftOutCount, 0);
	assert_int_equal(countWarnings(&report, "left out"), 0);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);
	rpDestroyGraph(whole);
	destroyAll(motions);
}

// What rpEvaluate lets pass is not left out, nor is a body that limits do not fit.
static void testNoFaults(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	rpGraphReport report;
	rpGraphDef def = rpDefaultGraphDef();
	performAll(motions);
	turnHead(motions[1], s_start, s_end, 95.0);
	turnHead(motions[2], 0.0, 5.0, 130.0);
	rpGraph* graph = build(motions, &def, &report);
	assert_int_equal(report.leftOutCount, 0);
	assert_int_equal(countWarnings(&report, "right: most of it is beyond human limits"), 1);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);
	destroyAll(motions);
}

static void testMirror(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	rpGraphReport report;
	rpGraphDef def = rpDefaultGraphDef();
	performAll(motions);
	turnHead(motions[1], s_start, s_end, 130.0);
	def.mirror = true;
	rpGraph* graph = build(motions, &def, &report);
	assert_int_equal(countEdges(graph, "left"), 0);
	assert_int_equal(report.leftOutCount, 2 * ((int)lround((s_end - s_start + 0.2) * graph->fps) + 1));
	assert_int_equal(countWarnings(&report, "left out"), 1);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);
	destroyAll(motions);
}

// Down and up again in a third of a second each: a body that is gone from one frame to the next is another fault.
static void sink(rpMotion* motion, float depth)
{
	for (int f = (int)lround((s_start - 0.33) * motion->fps); f <= (int)lround((s_end + 0.33) * motion->fps); ++f)
	{
		double time = f / motion->fps, outside = fmax(fmax(s_start - time, time - s_end), 0.0);
		motion->rootPositions[f].y -= depth * (float)(0.5 + 0.5 * cos(RP_PI * fmin(outside / 0.33, 1.0)));
	}
}

// Take away that feet rest anywhere near the stretch.
static void forgetContacts(rpMotion* motion)
{
	rpInterval* intervals = motion->annotations.intervals;
	int kept = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		bool isNear = intervals[i].track == rp_trackContact && intervals[i].end > s_start - 0.5 &&
					  intervals[i].start < s_end + 0.5;
		if (!isNear)
		{
			intervals[kept++] = intervals[i];
		}
	}
	motion->annotations.intervalCount = kept;
}

// A body in the ground is lifted by its resting feet; where no foot is known to rest, feet are raised by 5 cm at most.
static void testSunken(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	rpGraphReport report;
	rpGraphDef def = rpDefaultGraphDef();
	performAll(motions);
	sink(motions[1], 0.15f);
	rpGraph* graph = build(motions, &def, &report);
	assert_int_equal(report.leftOutCount, 0);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);

	forgetContacts(motions[1]);
	graph = build(motions, &def, &report);
	assert_int_equal(countEdges(graph, "left"), 0);
	assert_int_equal(countWarnings(&report, "a foot sinks in by"), 1);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);
	destroyAll(motions);
}

static char* exportGraph(rpLibrary* library)
{
	rpGraph* graph = rpBuildGraph(library, NULL, NULL, NULL);
	assert_non_null(graph);
	char* text = rpGraph_Export(graph, NULL);
	assert_non_null(text);
	rpDestroyGraph(graph);
	return text;
}

// Step by step is the same as at once.
static void testSteps(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	performAll(motions);
	turnHead(motions[1], s_start, s_end, 130.0);
	rpLibrary* steps = rpOpenLibrary(testPath("steps.reprise"), rp_openCreate, NULL);
	rpLibrary* once = rpOpenLibrary(testPath("once.reprise"), rp_openCreate, NULL);
	for (int i = 0; i < clipCount; ++i)
	{
		assert_true(rpLibrary_AddClip(steps, motions[i], NULL, NULL, NULL) > 0);
		assert_true(rpLibrary_AddClip(once, motions[i], NULL, NULL, NULL) > 0);
		rpFreeText(exportGraph(steps));
	}
	char *a = exportGraph(steps), *b = exportGraph(once);
	assert_string_equal(a, b);
	rpFreeText(a);
	rpFreeText(b);
	rpCloseLibrary(steps);
	rpCloseLibrary(once);
	destroyAll(motions);
}

static bool buildBroken(rpMotion* const* motions, rpError* error)
{
	rpGraphReport report;
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, 1, NULL, &report, error);
	if (graph != NULL)
	{
		rpGraphReport_Free(&report);
	}
	rpDestroyGraph(graph);
	return graph != NULL;
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	performAll(motions);
	turnHead(motions[0], s_start, s_end, 130.0);
	sink(motions[0], 0.2f);
	int blocks = testCountLiveBlocks(), n = 0;
	// Each allocation in turn at first, then in growing steps: there are thousands.
	for (bool done = false; !done; n += 1 + n / 8)
	{
		rpError error = {0};
		testFailAllocation(n);
		done = buildBroken(motions, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 50);
	destroyAll(motions);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testJoints), cmocka_unit_test(testNoFaults), cmocka_unit_test(testMirror),
		cmocka_unit_test(testSunken), cmocka_unit_test(testSteps),    cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
