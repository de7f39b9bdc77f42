/// Someone who sits down cannot sit down again before getting up: nothing of such an act goes on for ever by itself,
/// and pruning would drop it, although it leads from standing to sitting. What leads from one motion that goes on for
/// ever to another, or back to it, is no dead end.
#include "build/kept_paths.h"

#include "model/graph_paths.h"

/// The shortest paths from what is kept to each node, and from there back to it.
typedef struct Paths
{
	rpGraphPaths arrivals, departures;
} Paths;

// Fewest edges, whatever they last.
static int countEdge(const rpGraph* graph, int edge, const void* context)
{
	(void)graph, (void)edge, (void)context;
	return 1;
}

static bool findPaths(const rpGraph* graph, const bool* isKept, bool isBackward, rpGraphPaths* paths, rpError* error)
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

// The whole path to an edge and on from it. A node that was marked before lies on such a path already.
static void markPath(const Paths* paths, const rpGraphEdge* edge, bool* isKept)
{
	const rpGraphEdge* edges = paths->arrivals.graph->edges;
	for (int n = edge->from; !isKept[n]; n = edges[paths->arrivals.edges[n]].from)
	{
		isKept[n] = true;
	}
	for (int n = edge->to; !isKept[n]; n = edges[paths->departures.edges[n]].to)
	{
		isKept[n] = true;
	}
}

bool rpMarkKeptPaths(const rpGraph* graph, uint64_t smallLabels, bool* isKept, rpError* error)
{
	Paths paths = {0};
	bool done = smallLabels == 0 || (findPaths(graph, isKept, false, &paths.arrivals, error) &&
									 findPaths(graph, isKept, true, &paths.departures, error));
	for (int e = 0; e < graph->edgeCount && done && smallLabels != 0; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (rpGraph_StaysIn(graph, e, smallLabels) && paths.arrivals.distances[edge->from] < INT32_MAX &&
			paths.departures.distances[edge->to] < INT32_MAX)
		{
			markPath(&paths, edge, isKept);
		}
	}
	rpGraphPaths_Free(&paths.arrivals);
	rpGraphPaths_Free(&paths.departures);
	return done;
}
