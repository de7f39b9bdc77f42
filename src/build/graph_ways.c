/// Who sits down cannot sit down again before he has risen: nothing of such an act goes on for ever by itself, and
/// pruning would drop it, although it leads from standing to sitting. What leads from one motion that goes on for ever
/// to another, or back to it, is no dead end.
#include "build/graph_ways.h"

#include "base/memory.h"

/// What is known of the ways from what is kept, and back to it.
typedef struct Ways
{
	const rpGraph* graph;

	/// Edges by their end: [nodeCount + 1], [edgeCount].
	int* firstBacks;
	int* backs;

	/// [nodeCount] the edge by which a node is reached on the shortest way from what is kept, and that by which such a
	/// way goes on to it; or why there is none.
	int* arrivals;
	int* departures;
	int* queue;
} Ways;

enum
{
	noWay = -1,
	isThere = -2,
};

// Counted, summed up, and filled in from the back.
static void indexBacks(Ways* ways)
{
	const rpGraph* graph = ways->graph;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		++ways->firstBacks[graph->edges[e].to];
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		ways->firstBacks[n + 1] += ways->firstBacks[n];
	}
	for (int e = graph->edgeCount - 1; e >= 0; --e)
	{
		ways->backs[--ways->firstBacks[graph->edges[e].to]] = e;
	}
}

static bool openWays(const rpGraph* graph, Ways* ways, rpError* error)
{
	size_t nodes = (size_t)graph->nodeCount;
	*ways = (Ways){
		.graph = graph,
		.firstBacks = rpAllocateZero(nodes + 1, sizeof(int), error),
		.backs = rpAllocate((size_t)graph->edgeCount, sizeof(int), error),
		.arrivals = rpAllocate(nodes, sizeof(int), error),
		.departures = rpAllocate(nodes, sizeof(int), error),
		.queue = rpAllocate(nodes, sizeof(int), error),
	};
	return ways->firstBacks != NULL && ways->backs != NULL && ways->arrivals != NULL && ways->departures != NULL &&
		   ways->queue != NULL;
}

static void freeWays(Ways* ways)
{
	rpFree(ways->firstBacks);
	rpFree(ways->backs);
	rpFree(ways->arrivals);
	rpFree(ways->departures);
	rpFree(ways->queue);
}

static int start(const Ways* ways, const bool* isKept, int* edges)
{
	int count = 0;
	for (int n = 0; n < ways->graph->nodeCount; ++n)
	{
		edges[n] = isKept[n] ? isThere : noWay;
		if (isKept[n])
		{
			ways->queue[count++] = n;
		}
	}
	return count;
}

// Breadth first, from all that is kept at once.
static void findArrivals(const Ways* ways, const bool* isKept)
{
	const rpGraph* graph = ways->graph;
	int count = start(ways, isKept, ways->arrivals);
	for (int i = 0; i < count; ++i)
	{
		const rpGraphNode* node = &graph->nodes[ways->queue[i]];
		for (int e = node->firstEdge; e < node->firstEdge + node->edgeCount; ++e)
		{
			int to = graph->edges[e].to;
			if (ways->arrivals[to] == noWay)
			{
				ways->arrivals[to] = e;
				ways->queue[count++] = to;
			}
		}
	}
}

static void findDepartures(const Ways* ways, const bool* isKept)
{
	int count = start(ways, isKept, ways->departures);
	for (int i = 0; i < count; ++i)
	{
		int node = ways->queue[i];
		for (int k = ways->firstBacks[node]; k < ways->firstBacks[node + 1]; ++k)
		{
			int from = ways->graph->edges[ways->backs[k]].from;
			if (ways->departures[from] == noWay)
			{
				ways->departures[from] = ways->backs[k];
				ways->queue[count++] = from;
			}
		}
	}
}

// The whole way to an edge and on from it. A node that was marked before lies on such a way already.
static void markWay(const Ways* ways, const rpGraphEdge* edge, bool* isKept)
{
	const rpGraphEdge* edges = ways->graph->edges;
	for (int n = edge->from; !isKept[n]; n = edges[ways->arrivals[n]].from)
	{
		isKept[n] = true;
	}
	for (int n = edge->to; !isKept[n]; n = edges[ways->departures[n]].to)
	{
		isKept[n] = true;
	}
}

bool rpMarkWays(const rpGraph* graph, uint64_t smallLabels, bool* isKept, rpError* error)
{
	Ways ways;
	bool done = openWays(graph, &ways, error);
	if (done && smallLabels != 0)
	{
		indexBacks(&ways);
		findArrivals(&ways, isKept);
		findDepartures(&ways, isKept);
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			if (rpGraph_StaysIn(graph, e, smallLabels) && ways.arrivals[edge->from] != noWay &&
				ways.departures[edge->to] != noWay)
			{
				markWay(&ways, edge, isKept);
			}
		}
	}
	freeWays(&ways);
	return done;
}
