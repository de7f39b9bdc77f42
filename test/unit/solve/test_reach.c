/// How far a graph reaches: against all walks there are.
#include "play_scene.h"

#include <stdlib.h>

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

static void walk(Search* search, int node, rpGroundTransform placement, int frame)
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
			note(search, rpGroundTransform_Apply(placement, (rpVec3){point.x, 0.0f, point.y}), frame + f);
		}
		rpGroundTransform after =
			rpGraphEdge_IsTransition(edge) ? rpGroundTransform_Compose(placement, edge->alignment) : placement;
		walk(search, edge->to, after, frame + edge->frameCount);
	}
}

static rpGroundTransform placeStart(const rpGraph* graph, int node)
{
	const rpMotion* motion = graph->clips[graph->nodes[node].clip].motion;
	int frame = rpMotion_GetFrame(motion, graph->nodes[node].frame / graph->fps);
	return rpGroundTransform_Invert(rpMotion_GetGround(motion, frame));
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

static bool isOfLabel(const rpGraph* graph, int node, int label)
{
	bool isIt = false;
	for (int k = 0; k < graph->nodes[node].edgeCount; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[graph->nodes[node].firstEdge + k];
		isIt |= !rpGraphEdge_IsTransition(edge) && (edge->labels >> label & 1) != 0;
	}
	return isIt;
}

// The mean time from one label to another, by the fastest walk of each node.
static double averageWalks(const rpGraph* graph, int from, int to)
{
	bool* goals = calloc((size_t)graph->nodeCount, sizeof(bool));
	double sum = 0.0;
	int count = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		goals[n] = isOfLabel(graph, n, to);
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		rpWalk* fastest = isOfLabel(graph, n, from) && !goals[n] ? rpGraph_WalkFastest(graph, n, goals, NULL) : NULL;
		if (fastest != NULL)
		{
			sum += rpWalk_GetDuration(fastest, graph);
			++count;
		}
		rpDestroyWalk(fastest);
	}
	free(goals);
	assert_true(count > 10);
	return sum / count;
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
	double there = reach->switchTimes[walkLabel * 2 + sneak], back = reach->switchTimes[sneak * 2 + walkLabel];
	print_message("walk to sneak %.2f s, back %.2f s\n", there, back);
	assert_float_equal(there, averageWalks(graph, walkLabel, sneak), 1e-6);
	assert_float_equal(back, averageWalks(graph, sneak, walkLabel), 1e-6);
	assert_true(reach->switchShares[walkLabel * 2 + sneak] == 1.0);
	assert_true(reach->longestWithoutChoice >= reach->meanWithoutChoice);
	assert_true(reach->meanWithoutChoice > 0.0 && reach->longestWithoutChoice < 10.0);
	assert_true(rpDrawReach(reach, testPath("reach.png"), NULL));
	assert_true(rpDrawReach(reach, testPath("reach.svg"), NULL));

	// More time reaches more; little effort is reported.
	rpReachDef def = rpDefaultReachDef();
	def.seconds = 2.0;
	rpReach* less = rpGraph_FindReach(graph, &def, NULL);
	assert_true(less->area > 0.0 && less->area < reach->area);
	def.seconds = 5.0;
	def.cell = 0.02f;
	for (def.effort = 10; def.effort <= 1020; def.effort += 1010)
	{
		// Far more places are met than there is room for.
		rpReach* little = rpGraph_FindReach(graph, &def, NULL);
		assert_false(little->isWhole);
		assert_int_equal(little->placeCount, def.effort);
		rpDestroyReach(little);
	}
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
