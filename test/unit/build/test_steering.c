/// Steering tables: against all walks there are.
#include "play_scene.h"

#include <stdlib.h>
#include <string.h>

enum
{
	maxEdges = 128,
};

/// All walks from a node, by depth-first search.
typedef struct Search
{
	const rpGraph* graph;
	int edges[maxEdges];
	int frames;
	double speed;

	/// The best of all walks, and of those that begin with the table's edge, for each entry.
	double best[rp_steerCount], chosen[rp_steerCount];
	int first[rp_steerCount];
	const int* table;
	int64_t walkCount;
} Search;

static void judge(Search* search, int edgeCount)
{
	++search->walkCount;
	for (int k = 0; k < rp_steerCount; ++k)
	{
		double cost =
			rpGraph_GetSteeringCost(search->graph, search->edges, edgeCount, search->frames, k, search->speed);
		if (cost < search->best[k])
		{
			search->best[k] = cost;
			search->first[k] = search->edges[0];
		}
		if (search->edges[0] == search->table[k] && cost < search->chosen[k])
		{
			search->chosen[k] = cost;
		}
	}
}

static void extend(Search* search, int node, int edgeCount, int framesLeft)
{
	if (framesLeft <= 0)
	{
		judge(search, edgeCount);
		return;
	}
	const rpGraphNode* from = &search->graph->nodes[node];
	for (int e = from->firstEdge; e < from->firstEdge + from->edgeCount; ++e)
	{
		assert_true(edgeCount < maxEdges);
		search->edges[edgeCount] = e;
		extend(search, search->graph->edges[e].to, edgeCount + 1, framesLeft - search->graph->edges[e].frameCount);
	}
}

static void searchNode(Search* search, int node)
{
	for (int k = 0; k < rp_steerCount; ++k)
	{
		search->best[k] = search->chosen[k] = INFINITY;
	}
	search->table = search->graph->steering + (size_t)node * rp_steerCount;
	extend(search, node, 0, search->frames);
}

static void checkAgainstAll(double seconds)
{
	rpGraph* graph = testMakeWalkGraph(seconds, false);
	rpSteeringDef def = rpDefaultSteeringDef();
	rpSteeringReport report;
	rpError error = {0};
	assert_true(rpGraph_MakeSteering(graph, &def, &report, &error));
	assert_int_equal(report.entryCount, graph->nodeCount * rp_steerCount);
	assert_true(report.speed > 0.8 && report.speed < 2.0);
	Search search = {.graph = graph, .frames = 90, .speed = report.speed};
	int same = 0, count = 0;
	double worst = 1.0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		searchNode(&search, n);
		for (int k = 0; k < rp_steerCount; ++k)
		{
			++count;
			same += search.first[k] == search.table[k];
			worst = fmax(worst, search.chosen[k] / search.best[k]);
		}
	}
	print_message("%d nodes, %d edges, %lld walks: %d of %d entries are the same, all within %.2f %%\n",
				  graph->nodeCount, graph->edgeCount, (long long)search.walkCount, same, count, 100.0 * (worst - 1.0));
	assert_true(search.walkCount > 10000);
	assert_true(same >= 0.99 * count);
	assert_true(worst <= 1.01);
	rpDestroyGraph(graph);
}

static void testBruteForce(void** state)
{
	(void)state;
	checkAgainstAll(3.0);
	checkAgainstAll(3.3);
	checkAgainstAll(3.6);
}

// The edges of a table lead out of their nodes, and where there is a choice it is made use of.
static void testChoices(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(5.0, false);
	rpSteeringReport report;
	assert_true(rpGraph_MakeSteering(graph, NULL, &report, NULL));
	int differing = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		const int* entries = graph->steering + (size_t)n * rp_steerCount;
		for (int k = 0; k < rp_steerCount; ++k)
		{
			assert_int_equal(graph->edges[entries[k]].from, n);
			differing += entries[k] != entries[0];
		}
	}
	assert_true(differing > graph->nodeCount);
	assert_true(report.progress > 0.3 * report.speed && report.progress < 1.2 * report.speed);
	assert_true(report.deviation > 0.0 && report.deviation < 90.0 * RP_DEGREE);

	// Made anew it is the same, with one thread or two; kept in a library it comes back.
	size_t size = (size_t)graph->nodeCount * rp_steerCount * sizeof(int);
	int* copy = malloc(size);
	memcpy(copy, graph->steering, size);
	rpSteeringDef def = rpDefaultSteeringDef();
	for (def.threads = 1; def.threads <= 2; ++def.threads)
	{
		assert_true(rpGraph_MakeSteering(graph, &def, NULL, NULL));
		assert_memory_equal(copy, graph->steering, size);
	}
	rpLibrary* library = rpOpenLibrary(testPath("steer.reprise"), rp_openCreate, NULL);
	for (int i = 0; i < graph->clipCount; ++i)
	{
		assert_true(rpLibrary_AddClip(library, graph->clips[i].motion, NULL, NULL, NULL) > 0);
	}
	assert_true(rpLibrary_PutGraph(library, "walks", graph, NULL));
	rpGraph* loaded = rpLibrary_LoadGraph(library, "walks", NULL);
	assert_non_null(loaded);
	assert_non_null(loaded->steering);
	assert_memory_equal(copy, loaded->steering, size);
	rpDestroyGraph(loaded);
	rpCloseLibrary(library);
	free(copy);
	rpDestroyGraph(graph);
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(3.0, false);
	int n = 0;
	for (bool done = false; !done; ++n)
	{
		int blocks = testCountLiveBlocks();
		rpError error = {0};
		size_t size;
		testFailAllocation(n);
		void* bytes = rpWriteGraphBundle(graph, &size, &error);
		testFailAllocation(-1);
		done = bytes != NULL;
		assert_true(done || error.code == rp_errorMemory);
		rpFreeBytes(bytes);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 20);
	assert_null(graph->steering);
	rpDestroyGraph(graph);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testBruteForce),
		cmocka_unit_test(testChoices),
		cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
