/// Shortest paths on a graph, against Bellman and Ford's loop over all edges.
#include "model/graph_paths.h"
#include "play_scene.h"

#include <stdlib.h>

enum
{
	far = 1 << 28,
};

// Every seventh edge is closed, seams count for more.
static int getLength(const rpGraph* graph, int edge, const void* context)
{
	const int* seam = context;
	const rpGraphEdge* own = &graph->edges[edge];
	return edge % 7 == 3 ? -1 : own->frameCount + (own->distance >= 0.0f ? *seam : 0);
}

// The distances from, or to, the starts, by trying all edges until nothing changes.
static void relax(const rpGraph* graph, int seam, bool isBackward, const bool* starts, int* distances)
{
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		distances[n] = starts[n] ? 0 : far;
	}
	for (bool isChanged = true; isChanged;)
	{
		isChanged = false;
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			int from = isBackward ? edge->to : edge->from, to = isBackward ? edge->from : edge->to;
			int length = getLength(graph, e, &seam);
			if (length >= 0 && distances[from] + length < distances[to])
			{
				distances[to] = distances[from] + length;
				isChanged = true;
			}
		}
	}
}

// The edges lead back to a start, and their lengths add up.
static void checkEdges(const rpGraphPaths* paths, int seam, const bool* starts, int node)
{
	int length = 0, wanted = paths->distances[node];
	while (!starts[node])
	{
		int e = paths->edges[node];
		assert_true(e >= 0);
		assert_int_equal(paths->isBackward ? paths->graph->edges[e].from : paths->graph->edges[e].to, node);
		length += getLength(paths->graph, e, &seam);
		node = paths->isBackward ? paths->graph->edges[e].to : paths->graph->edges[e].from;
	}
	assert_int_equal(length, wanted);
}

static void testDistances(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(4.0, false);
	int* distances = malloc((size_t)graph->nodeCount * sizeof(int));
	bool* starts = calloc((size_t)graph->nodeCount, sizeof(bool));
	for (int round = 0; round < 8; ++round)
	{
		bool isBackward = round % 2 == 1;
		int seam = 20 * (round / 4), reached = 0;
		rpGraphPaths paths;
		assert_true(rpGraphPaths_Create(&paths, graph, isBackward, NULL));
		paths.getLength = getLength;
		paths.context = &seam;
		rpGraphPaths_Clear(&paths);
		for (int n = 0; n < graph->nodeCount; ++n)
		{
			starts[n] = n % 41 == round;
			if (starts[n])
			{
				rpGraphPaths_Start(&paths, n, 0);
			}
		}
		assert_int_equal(rpGraphPaths_Search(&paths, NULL), -1);
		relax(graph, seam, isBackward, starts, distances);
		for (int n = 0; n < graph->nodeCount; ++n)
		{
			bool isReached = paths.distances[n] < INT32_MAX;
			assert_int_equal(isReached ? paths.distances[n] : far, distances[n]);
			reached += isReached && !starts[n];
			if (isReached)
			{
				checkEdges(&paths, seam, starts, n);
			}
		}
		assert_true(reached > 10);
		rpGraphPaths_Free(&paths);
	}
	free(starts);
	free(distances);
	rpDestroyGraph(graph);
}

// The nearest of the goals is found, and nothing where all edges are closed.
static void testGoals(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(4.0, false);
	bool* goals = calloc((size_t)graph->nodeCount, sizeof(bool));
	rpGraphPaths all, some;
	assert_true(rpGraphPaths_Create(&all, graph, false, NULL) && rpGraphPaths_Create(&some, graph, false, NULL));
	rpGraphPaths_Clear(&all);
	rpGraphPaths_Start(&all, 0, 0);
	assert_int_equal(rpGraphPaths_Search(&all, NULL), -1);
	int nearest = -1;
	for (int n = 1; n < graph->nodeCount; n += 13)
	{
		goals[n] = true;
		nearest = nearest < 0 || all.distances[n] < all.distances[nearest] ? n : nearest;
	}
	rpGraphPaths_Clear(&some);
	rpGraphPaths_Start(&some, 0, 0);
	int goal = rpGraphPaths_Search(&some, goals);
	assert_true(goal >= 0 && goals[goal]);
	assert_int_equal(some.distances[goal], all.distances[nearest]);
	rpGraphPaths_Free(&all);
	rpGraphPaths_Free(&some);
	free(goals);
	rpDestroyGraph(graph);
}

static bool create(void* context, rpError* error)
{
	rpGraphPaths paths;
	bool done = rpGraphPaths_Create(&paths, context, true, error);
	rpGraphPaths_Free(&paths);
	return done;
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(4.0, false);
	testFailEach(create, graph, 5);
	rpDestroyGraph(graph);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testDistances),
		cmocka_unit_test(testGoals),
		cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
