/// Who sits down cannot sit down again before he has risen: nothing of such an act goes on for ever by itself, and
/// pruning would drop it, although it leads from standing to sitting. What leads from one motion that goes on for ever
/// to another, or back to it, is no dead end.
#include "build/graph_ways.h"

#include "model/graph_paths.h"

/// The shortest ways from what is kept to each node, and from there back to it.
typedef struct Ways
{
	rpGraphPaths arrivals, departures;
} Ways;

// Fewest edges, whatever they last.
static int countEdge(const rpGraph* graph, int edge, const void* context)
{
	(void)graph, (void)edge, (void)context;
	return 1;
}

static bool findWays(const rpGraph* graph, const bool* isKept, bool isBackward, rpGraphPaths* paths, rpError* error)
{
	if (!rpGraphPaths_Create(paths, graph, isBackward, error))
	{
		return false;
	}
	paths->getLength = countEdge;
	rpGraphPaths_Clear(paths);
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (isKept[n])
		{
			rpGraphPaths_Start(paths, n, 0);
		}
	}
	rpGraphPaths_Search(paths, NULL);
	return true;
}

// The whole way to an edge and on from it. A node that was marked before lies on such a way already.
static void markWay(const Ways* ways, const rpGraphEdge* edge, bool* isKept)
{
	const rpGraphEdge* edges = ways->arrivals.graph->edges;
	for (int n = edge->from; !isKept[n]; n = edges[ways->arrivals.edges[n]].from)
	{
		isKept[n] = true;
	}
	for (int n = edge->to; !isKept[n]; n = edges[ways->departures.edges[n]].to)
	{
		isKept[n] = true;
	}
}

bool rpMarkWays(const rpGraph* graph, uint64_t smallLabels, bool* isKept, rpError* error)
{
	Ways ways = {0};
	bool done = smallLabels == 0 || (findWays(graph, isKept, false, &ways.arrivals, error) &&
									 findWays(graph, isKept, true, &ways.departures, error));
	for (int e = 0; e < graph->edgeCount && done && smallLabels != 0; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (rpGraph_StaysIn(graph, e, smallLabels) && ways.arrivals.distances[edge->from] < INT32_MAX &&
			ways.departures.distances[edge->to] < INT32_MAX)
		{
			markWay(&ways, edge, isKept);
		}
	}
	rpGraphPaths_Free(&ways.arrivals);
	rpGraphPaths_Free(&ways.departures);
	return done;
}
