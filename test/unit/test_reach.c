/// How far a graph reaches: against all walks there are.
#include "play_scene.h"

#include <stdlib.h>
#include <string.h>

/// The cells of all walks, by depth-first search.
typedef struct Search
{
	const rpGraph* graph;
	const rpReach* reach;
	float* times;
	int frameCount, walkCount;
} Search;

static void note(Search* search, rpVec3 p, int frame)
{
	const rpReach* reach = search->reach;
	int middle = reach->width / 2;
	int column = (int)lround((double)(p.x / reach->cell)) + middle;
	int row = (int)lround((double)(p.z / reach->cell)) + middle;
	assert_true(column >= 0 && column < reach->width && row >= 0 && row < reach->width);
	float* time = &search->times[row * reach->width + column];
	*time = fminf(*time, (float)(frame / search->graph->fps));
}

static void walk(Search* search, int node, rpGround placement, int frame)
{
	const rpGraph* graph = search->graph;
	if (frame >= search->frameCount)
	{
		++search->walkCount;
		return;
	}
	for (int k = 0; k < graph->nodes[node].edgeCount; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[graph->nodes[node].firstEdge + k];
		for (int f = 0; f <= edge->frameCount && frame + f <= search->frameCount; ++f)
		{
			rpVec2 point = graph->path[edge->firstPoint + f];
			note(search, rpGround_Apply(placement, (rpVec3){point.x, 0.0f, point.y}), frame + f);
		}
		rpGround after = edge->distance >= 0.0f ? rpGround_Compose(placement, edge->alignment) : placement;
		walk(search, edge->to, after, frame + edge->frameCount);
	}
}

static rpGround placeStart(const rpGraph* graph, int node)
{
	const rpMotion* motion = graph->clips[graph->nodes[node].clip].motion;
	int frame = rpMotion_GetFrame(motion, graph->nodes[node].frame / graph->fps);
	return rpGround_Invert(rpMotion_GetGround(motion, frame));
}

static void testExhaustive(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(4.0, false);
	rpReachDef def = rpDefaultReachDef();
	rpError error = {0};
	def.seconds = 3.5;
	def.start = 3;
	rpReach* reach = rpGraph_FindReach(graph, &def, &error);
	assert_non_null(reach);
	assert_true(reach->isWhole);
	size_t count = (size_t)reach->width * (size_t)reach->width;
	Search search = {.graph = graph, .reach = reach, .frameCount = (int)(3.5 * graph->fps)};
	search.times = malloc(count * sizeof(float));
	for (size_t i = 0; i < count; ++i)
	{
		search.times[i] = INFINITY;
	}
	walk(&search, def.start, placeStart(graph, def.start), 0);
	int both = 0, missed = 0, wrong = 0;
	for (size_t i = 0; i < count; ++i)
	{
		bool isTrue = isfinite(search.times[i]), isFound = isfinite(reach->times[i]);
		both += isTrue && isFound;
		missed += isTrue && !isFound;
		wrong += isFound && !isTrue;
		assert_true(!isFound || reach->headings[i] != 0);
		if (isTrue && isFound)
		{
			assert_true(reach->times[i] >= search.times[i] - 1e-5f && reach->times[i] <= search.times[i] + 0.3f);
		}
	}
	print_message("%d walks, %d places: %d cells found, %d missed, %d too many\n", search.walkCount, reach->placeCount,
				  both, missed, wrong);
	assert_true(search.walkCount > 100 && both > 40);
	// Walks that pass through one cell alike are looked at once; a cell at the border of two may be a rounding apart.
	assert_true(missed <= 0.05 * both && wrong <= 0.02 * both);
	free(search.times);
	rpDestroyReach(reach);
	rpDestroyGraph(graph);
}

// The frames to another label, one edge after the other, by brute force.
static double findWay(const rpGraph* graph, int node, uint64_t label, int depth)
{
	double best = INFINITY;
	const rpGraphNode* from = &graph->nodes[node];
	for (int e = from->firstEdge; e < from->firstEdge + from->edgeCount; ++e)
	{
		if (graph->edges[e].labels == label)
		{
			return 0.0;
		}
	}
	for (int e = from->firstEdge; e < from->firstEdge + from->edgeCount && depth > 0; ++e)
	{
		best = fmin(best, graph->edges[e].frameCount + findWay(graph, graph->edges[e].to, label, depth - 1));
	}
	return best;
}

static void testLabels(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(4.0, true);
	rpReach* reach = rpGraph_FindReach(graph, NULL, NULL);
	assert_non_null(reach);
	int walkLabel = rpGraph_FindLabel(graph, "walk"), sneak = rpGraph_FindLabel(graph, "sneak");
	assert_int_equal(reach->labelCount, 2);
	assert_true(reach->switchTimes[walkLabel * 2 + walkLabel] == 0.0);
	double there = reach->switchTimes[walkLabel * 2 + sneak], share = reach->switchShares[walkLabel * 2 + sneak];
	if (isfinite(there))
	{
		// No place needs less than the brute force finds within a few edges.
		double least = INFINITY;
		for (int n = 0; n < graph->nodeCount; ++n)
		{
			const char* name = graph->clips[graph->nodes[n].clip].name;
			if (strncmp(name, "sneak", 5) != 0)
			{
				least = fmin(least, findWay(graph, n, (uint64_t)1 << sneak, 6) / graph->fps);
			}
		}
		assert_true(there >= least);
		assert_true(share > 0.0 && share <= 1.0);
	}
	assert_true(reach->longestWithoutChoice >= reach->meanWithoutChoice);
	assert_true(reach->meanWithoutChoice > 0.0 && reach->longestWithoutChoice < 10.0);
	assert_true(rpDrawReach(reach, testPath("reach.png"), NULL));
	assert_true(rpDrawReach(reach, testPath("reach.svg"), NULL));

	// More time reaches more; little effort is told.
	rpReachDef def = rpDefaultReachDef();
	def.seconds = 2.0;
	rpReach* less = rpGraph_FindReach(graph, &def, NULL);
	assert_true(less->area > 0.0 && less->area < reach->area);
	def.effort = 10;
	rpReach* little = rpGraph_FindReach(graph, &def, NULL);
	assert_false(little->isWhole);
	rpDestroyReach(little);
	rpDestroyReach(less);
	rpDestroyReach(reach);
	def.seconds = -1.0;
	rpError error = {0};
	assert_null(rpGraph_FindReach(graph, &def, &error));
	assert_int_equal(error.code, rp_errorArgument);
	rpDestroyGraph(graph);
}

static void testFailingMemory(void** state)
{
	(void)state;
	rpGraph* graph = testMakeWalkGraph(3.0, false);
	rpReachDef def = rpDefaultReachDef();
	def.seconds = 1.0;
	def.effort = 1000;
	int blocks = testCountLiveBlocks(), n = 0;
	for (bool done = false; !done; ++n)
	{
		rpError error = {0};
		testFailAllocation(n);
		rpReach* reach = rpGraph_FindReach(graph, &def, &error);
		testFailAllocation(-1);
		done = reach != NULL;
		assert_true(done || error.code == rp_errorMemory);
		rpDestroyReach(reach);
		assert_int_equal(testCountLiveBlocks(), blocks);
	}
	assert_true(n > 8);
	rpDestroyGraph(graph);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testExhaustive),
		cmocka_unit_test(testLabels),
		cmocka_unit_test(testFailingMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
