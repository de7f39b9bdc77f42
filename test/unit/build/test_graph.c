/// Motion graphs: what is built from the performer's motion, kept in a library and found again.
#include "play_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	clipCount = 5,
};

static void performAll(rpMotion* motions[clipCount])
{
	motions[0] = testPerformTurning(rp_actWalk, 5.0, 0.0f, 1, "straight");
	motions[1] = testPerformTurning(rp_actWalk, 5.0, 30.0f, 2, "left");
	motions[2] = testPerformTurning(rp_actWalk, 5.0, -30.0f, 3, "right");
	motions[3] = testPerformTurning(rp_actSneak, 6.0, 0.0f, 4, "sneak");
	motions[4] = testPerformTurning(rp_actSneak, 6.0, 20.0f, 5, "sneak left");
}

static void destroyAll(rpMotion* motions[clipCount])
{
	for (int i = 0; i < clipCount; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
}

static rpGraph* build(rpMotion* const* motions, int count, const rpGraphDef* def, rpGraphReport* report)
{
	rpError error = {0};
	rpGraph* graph = rpBuildGraphOf((const rpMotion* const*)motions, count, def, report, &error);
	if (graph == NULL)
	{
		fail_msg("%s", error.message);
	}
	return graph;
}

static void checkShape(const rpGraph* graph)
{
	int next = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		const rpGraphNode* node = &graph->nodes[n];
		assert_int_equal(node->firstEdge, next);
		assert_true(node->edgeCount > 0);
		next += node->edgeCount;
	}
	assert_int_equal(next, graph->edgeCount);
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
		assert_true(edge->labels != 0);
		if (!rpGraphEdge_IsTransition(edge))
		{
			assert_int_equal(from->clip, to->clip);
			assert_int_equal(to->frame - from->frame, edge->frameCount);
		}
		else
		{
			assert_true(edge->frameCount >= 2 * (graph->halfWindow + 1) && edge->frameCount % 2 == 0);
			assert_int_equal(edge->fromMiddle - from->frame, edge->frameCount / 2);
			assert_int_equal(to->frame - edge->toMiddle, edge->frameCount / 2);
		}
		for (int f = 1; f <= edge->frameCount; ++f)
		{
			assert_true(graph->lengths[edge->firstPoint + f] >= graph->lengths[edge->firstPoint + f - 1]);
		}
	}
}

// The root's path is whole: where an edge ends, moved as the walk moves on, the next one begins.
static void checkPaths(const rpGraph* graph)
{
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		rpVec2 end = graph->path[edge->firstPoint + edge->frameCount];
		const rpGraphNode* to = &graph->nodes[edge->to];
		for (int k = 0; k < to->edgeCount; ++k)
		{
			rpVec2 start = graph->path[graph->edges[to->firstEdge + k].firstPoint];
			rpVec3 moved = {start.x, 0.0f, start.y};
			moved = rpGraphEdge_IsTransition(edge) ? rpGroundTransform_Apply(edge->alignment, moved) : moved;
			assert_float_equal(moved.x, end.x, 1e-4);
			assert_float_equal(moved.z, end.y, 1e-4);
		}
	}
}

static void testBuild(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	rpGraphReport report;
	rpGraphDef def = rpDefaultGraphDef();
	performAll(motions);
	rpGraph* graph = build(motions, clipCount, &def, &report);
	checkShape(graph);
	checkPaths(graph);
	assert_int_equal(graph->labelCount, 2);
	assert_true(report.transitionCount > 50);
	assert_true(report.connectivityCount > 4);

	// Every label's component goes on for ever, and each is reached from the other.
	bool* component = calloc((size_t)graph->nodeCount, sizeof(bool));
	for (int label = 0; label < 2; ++label)
	{
		assert_true(rpGraph_FindComponent(graph, label, component, NULL) > 10);
	}
	assert_int_equal(report.warningCount <= 2, 1);
	int walk = rpGraph_FindLabel(graph, "walk"), sneak = rpGraph_FindLabel(graph, "sneak");
	assert_true(walk >= 0 && sneak >= 0 && rpGraph_FindLabel(graph, "fly") == -1);
	int there = 0, back = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const char* from = graph->clips[graph->nodes[graph->edges[e].from].clip].name;
		const char* to = graph->clips[graph->nodes[graph->edges[e].to].clip].name;
		there += strncmp(from, "sneak", 5) != 0 && strncmp(to, "sneak", 5) == 0;
		back += strncmp(from, "sneak", 5) == 0 && strncmp(to, "sneak", 5) != 0;
	}
	assert_true(there > 0 && back > 0);
	free(component);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);
	destroyAll(motions);
}

static void testThresholds(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	performAll(motions);
	rpThreshold never[] = {{"walk", "sneak", 0.0f}, {"sneak", "walk", 0.0f}};
	rpGraphDef def = rpDefaultGraphDef();
	def.thresholds = never;
	def.thresholdCount = 2;
	rpGraphReport report;
	rpGraph* graph = build(motions, clipCount, &def, &report);
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		assert_true(graph->edges[e].labels == 1 || graph->edges[e].labels == 2);
	}
	bool isWarned = false;
	for (int i = 0; i < report.warningCount; ++i)
	{
		isWarned |= strstr(report.warnings[i], "no path to \"walk\"") != NULL;
	}
	assert_true(isWarned);
	rpGraphReport_Free(&report);
	rpDestroyGraph(graph);

	// A threshold of nothing allows nothing.
	def = rpDefaultGraphDef();
	def.threshold = 1e-6f;
	rpError error = {0};
	assert_null(rpBuildGraphOf((const rpMotion* const*)motions, clipCount, &def, &report, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	assert_true(error.hint[0] != 0);

	// Transitions between equal contact states alone.
	def = rpDefaultGraphDef();
	def.sameContacts = true;
	graph = build(motions, clipCount, &def, NULL);
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (rpGraphEdge_IsTransition(edge))
		{
			int a = graph->firstContacts[graph->nodes[edge->from].clip],
				b = graph->firstContacts[graph->nodes[edge->to].clip];
			assert_int_equal(graph->contacts[a + edge->fromMiddle], graph->contacts[b + edge->toMiddle]);
		}
	}
	rpDestroyGraph(graph);
	destroyAll(motions);
}

// Of standing still the distance has hardly any minimum: nobody could stay.
static void testPauses(void** state)
{
	(void)state;
	rpMotion* motions[2] = {testPerformTurning(rp_actStand, 6.0, 0.0f, 1, "stand"),
							testPerformTurning(rp_actStand, 5.0, 0.0f, 2, "other")};
	for (int count = 1; count <= 2; ++count)
	{
		rpGraphReport report;
		rpGraph* graph = build(motions, count, NULL, &report);
		checkShape(graph);
		checkPaths(graph);
		int inside = 0, all = 0;
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			inside += !rpGraphEdge_IsTransition(&graph->edges[e]) ? graph->edges[e].frameCount : 0;
		}
		for (int c = 0; c < graph->clipCount; ++c)
		{
			all += graph->clips[c].frameCount;
		}
		assert_true(inside > 0.7 * all);
		assert_int_equal(report.warningCount, 0);
		rpWalk* walk = rpGraph_WalkAtRandom(graph, 120.0, 1, 3, NULL);
		assert_non_null(walk);
		rpDestroyWalk(walk);
		rpGraphReport_Free(&report);
		rpDestroyGraph(graph);
	}
	rpDestroyMotion(motions[0]);
	rpDestroyMotion(motions[1]);
}

static void testMirror(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	performAll(motions);
	rpGraphDef def = rpDefaultGraphDef();
	def.mirror = true;
	rpGraph* graph = build(motions, clipCount, &def, NULL);
	assert_int_equal(graph->clipCount, 2 * clipCount);
	assert_string_equal(graph->clips[clipCount + 1].name, "left~");
	checkShape(graph);
	checkPaths(graph);
	rpDestroyGraph(graph);
	destroyAll(motions);
}

// A node of a label at so many seconds of its clip or later, -1: there is none. goals, [nodeCount], become all of them.
static int findNodes(const rpGraph* graph, const char* label, double seconds, bool* goals)
{
	int first = -1;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		const char* name = graph->clips[graph->nodes[n].clip].name;
		goals[n] = strncmp(name, label, strlen(label)) == 0 && graph->nodes[n].frame >= seconds * graph->fps;
		first = goals[n] && first < 0 ? n : first;
	}
	return first;
}

// Seconds from one node to the nearest of the goals, INFINITY: there is no path.
static double findSeconds(const rpGraph* graph, int from, const bool* goals)
{
	rpWalk* walk = rpGraph_WalkFastest(graph, from, goals, NULL);
	double seconds = walk != NULL ? rpWalk_GetDuration(walk, graph) : INFINITY;
	rpDestroyWalk(walk);
	return seconds;
}

// Nothing of rising goes on for ever, but someone who sits can rise, and stands then.
static void testActs(void** state)
{
	(void)state;
	rpMotion* motions[6];
	for (int i = 0; i < 6; ++i)
	{
		const rpAct acts[] = {rp_actStand, rp_actSitDown, rp_actRise};
		const char* names[] = {"stand", "sit-down", "rise"};
		motions[i] = testPerformTurning(acts[i / 2], i < 2 ? 4.0 : 5.0, 0.0f, (uint64_t)i, names[i / 2]);
	}
	for (int strict = 0; strict < 2; ++strict)
	{
		rpGraphDef def = rpDefaultGraphDef();
		def.strictPruning = strict == 1;
		rpGraph* graph = build(motions, 6, &def, NULL);
		bool* goals = calloc((size_t)graph->nodeCount, sizeof(bool));
		int seated = findNodes(graph, "sit-down", 2.5, goals), stand = findNodes(graph, "stand", 0.0, goals);
		checkShape(graph);
		assert_true(seated >= 0 && stand >= 0);
		double seconds = findSeconds(graph, seated, goals);
		assert_true(strict == 1 ? isinf(seconds) : seconds > 1.0 && seconds < 8.0);
		free(goals);
		rpDestroyGraph(graph);
	}
	for (int i = 0; i < 6; ++i)
	{
		rpDestroyMotion(motions[i]);
	}
}

// Walks that hang together by transitions of usual length must do so by those that they get.
static void testLengths(void** state)
{
	(void)state;
	for (uint64_t seed = 3; seed < 23; seed += 8)
	{
		rpMotion* motions[3];
		rpGraphDef def = rpDefaultGraphDef();
		def.mirror = true;
		for (int i = 0; i < 3; ++i)
		{
			motions[i] = testPerformTurning(rp_actWalk, 5.0, 30.0f * (float)(i - 1), seed, "walk");
		}
		rpGraph* graph = build(motions, 3, &def, NULL);
		bool* component = calloc((size_t)graph->nodeCount, sizeof(bool));
		int frames = 0;
		assert_true(rpGraph_FindComponent(graph, 0, component, NULL) > 0);
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			bool isInside = !rpGraphEdge_IsTransition(edge) && component[edge->from] && component[edge->to];
			frames += isInside ? edge->frameCount : 0;
		}
		assert_true(frames / graph->fps > 0.7 * 6 * 5.0);
		free(component);
		rpDestroyGraph(graph);
		for (int i = 0; i < 3; ++i)
		{
			rpDestroyMotion(motions[i]);
		}
	}
}

static void testTooSmall(void** state)
{
	(void)state;
	rpMotion* jump = testPerformTurning(rp_actJump, 1.0, 0.0f, 1, "jump");
	rpGraphDef def = rpDefaultGraphDef();
	rpError error = {0};
	const rpMotion* motions[] = {jump};
	assert_null(rpBuildGraphOf(motions, 1, &def, NULL, &error));
	assert_int_equal(error.code, rp_errorNoSolution);
	rpMotion* frame = rpCropFrames(jump, 3, 1, NULL);
	motions[0] = frame;
	assert_null(rpBuildGraphOf(motions, 1, &def, NULL, &error));
	assert_null(rpBuildGraphOf(motions, 0, &def, NULL, &error));
	rpDestroyMotion(frame);
	rpDestroyMotion(jump);
}

static rpLibrary* makeLibrary(const char* name, rpMotion* const* motions, int count)
{
	rpLibrary* library = rpOpenLibrary(testPath(name), rp_openCreate, NULL);
	assert_non_null(library);
	for (int i = 0; i < count; ++i)
	{
		assert_true(rpLibrary_AddClip(library, motions[i], NULL, NULL, NULL) > 0);
	}
	return library;
}

static char* exportGraph(const rpGraph* graph)
{
	char* text = rpGraph_Export(graph, NULL);
	assert_non_null(text);
	return text;
}

// The same graph, bit by bit, whatever the machine can do.
static void testKernels(void** state)
{
	(void)state;
	static const char* const kernels[] = {"portable", "avx2", "best"};
	rpMotion* motions[clipCount];
	char* texts[3];
	performAll(motions);
	for (int k = 0; k < 3; ++k)
	{
		setenv("REPRISE_KERNEL", kernels[k], 1);
		rpGraph* graph = build(motions, clipCount, NULL, NULL);
		texts[k] = exportGraph(graph);
		assert_string_equal(texts[k], texts[0]);
		rpDestroyGraph(graph);
	}
	unsetenv("REPRISE_KERNEL");
	for (int k = 0; k < 3; ++k)
	{
		rpFreeText(texts[k]);
	}
	destroyAll(motions);
}

// Step by step is the same as at once, and only what is new is compared.
static void testLibrary(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	rpGraphReport report;
	performAll(motions);
	rpLibrary* steps = makeLibrary("steps.reprise", motions, 3);
	rpGraph* first = rpBuildGraph(steps, NULL, &report, NULL);
	assert_non_null(first);
	assert_int_equal(report.comparedCount, 6);
	rpGraphReport_Free(&report);
	rpDestroyGraph(first);
	for (int i = 3; i < clipCount; ++i)
	{
		assert_true(rpLibrary_AddClip(steps, motions[i], NULL, NULL, NULL) > 0);
	}
	rpGraph* graph = rpBuildGraph(steps, NULL, &report, NULL);
	assert_non_null(graph);
	assert_int_equal(report.comparedCount, 15 - 6);
	rpGraphReport_Free(&report);

	rpLibrary* once = makeLibrary("once.reprise", motions, clipCount);
	rpGraph* whole = rpBuildGraph(once, NULL, &report, NULL);
	assert_int_equal(report.comparedCount, 15);
	rpGraphReport_Free(&report);
	char *a = exportGraph(graph), *b = exportGraph(whole);
	assert_string_equal(a, b);

	// Kept and loaded it is the same, and so are its clips.
	rpError error = {0};
	assert_true(rpLibrary_PutGraph(once, "moves", whole, &error));
	rpGraph* loaded = rpLibrary_LoadGraph(once, "moves", &error);
	assert_non_null(loaded);
	char* c = exportGraph(loaded);
	assert_string_equal(b, c);
	assert_int_equal(memcmp(loaded->path, whole->path, (size_t)whole->pointCount * sizeof(rpVec2)), 0);
	assert_true(rpMotion_Agrees(loaded->clips[2].motion, whole->clips[2].motion, 1e-6f));
	rpFreeText(c);
	rpDestroyGraph(loaded);

	// A clip that is gone is missed.
	assert_null(rpLibrary_LoadGraph(once, "no such", &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_true(rpLibrary_RemoveClip(once, rpLibrary_FindClip(once, "left", NULL), NULL));
	assert_null(rpLibrary_LoadGraph(once, "moves", &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_true(strstr(error.message, "left") != NULL);
	rpFreeText(a);
	rpFreeText(b);
	rpDestroyGraph(graph);
	rpDestroyGraph(whole);
	rpCloseLibrary(steps);
	rpCloseLibrary(once);
	destroyAll(motions);
}

static void testModels(void** state)
{
	(void)state;
	rpLibrary* library = makeLibrary("models.reprise", NULL, 0);
	rpError error = {0};
	rpModelInfo* infos;
	size_t size;
	int version;
	assert_true(rpLibrary_PutModel(library, "b", "graph", 1, "first", 5, &error));
	assert_true(rpLibrary_PutModel(library, "a", "graph", 2, "x", 1, &error));
	assert_true(rpLibrary_PutModel(library, "b", "graph", 3, "second", 6, &error));
	assert_false(rpLibrary_PutModel(library, "b", "metric", 1, "y", 1, &error));
	assert_int_equal(error.code, rp_errorArgument);
	assert_false(rpLibrary_PutModel(library, "", "graph", 1, "y", 1, &error));
	char* bytes = rpLibrary_LoadModel(library, "b", "graph", &version, &size, &error);
	assert_int_equal(version, 3);
	assert_int_equal(size, 6);
	assert_memory_equal(bytes, "second", 6);
	rpFreeBytes(bytes);
	assert_int_equal(rpLibrary_ListModels(library, &infos, &error), 2);
	assert_string_equal(infos[0].name, "a");
	assert_string_equal(infos[1].kind, "graph");
	assert_int_equal(infos[1].size, 6);
	rpFreeModelInfos(infos, 2);
	assert_true(rpLibrary_RemoveModel(library, "a", &error));
	assert_false(rpLibrary_RemoveModel(library, "a", &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_null(rpLibrary_LoadModel(library, "b", "metric", NULL, &size, &error));
	// All or none.
	assert_true(rpLibrary_PutModel(library, "c", "graph", 1, "x", 1, &error));
	assert_false(rpLibrary_RemoveModels(library, (const char*[]){"b", "c", "a"}, 3, &error));
	assert_int_equal(error.code, rp_errorMissing);
	assert_int_equal(rpLibrary_ListModels(library, &infos, &error), 2);
	rpFreeModelInfos(infos, 2);
	assert_true(rpLibrary_RemoveModels(library, (const char*[]){"b", "c"}, 2, &error));
	assert_int_equal(rpLibrary_ListModels(library, &infos, &error), 0);
	rpCloseLibrary(library);
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpMotion* motions[clipCount];
	performAll(motions);
	const rpMotion* two[] = {motions[0], motions[1]};
	rpGraphDef def = rpDefaultGraphDef();
	int blocks = testCountLiveBlocks(), n = 0;
	// Each allocation in turn at first, then in growing steps: there are thousands.
	for (bool done = false; !done; n += 1 + n / 16)
	{
		rpGraphReport report;
		rpError error = {0};
		testFailAllocation(n);
		rpGraph* graph = rpBuildGraphOf(two, 2, &def, &report, &error);
		testFailAllocation(-1);
		done = graph != NULL;
		assert_true(done || error.code == rp_errorMemory);
		if (done)
		{
			rpGraphReport_Free(&report);
		}
		rpDestroyGraph(graph);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 50);
	destroyAll(motions);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testBuild),    cmocka_unit_test(testThresholds),    cmocka_unit_test(testPauses),
		cmocka_unit_test(testActs),     cmocka_unit_test(testMirror),        cmocka_unit_test(testLengths),
		cmocka_unit_test(testTooSmall), cmocka_unit_test(testLibrary),       cmocka_unit_test(testModels),
		cmocka_unit_test(testKernels),  cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
