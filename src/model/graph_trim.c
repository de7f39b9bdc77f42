#include "model/graph_trim.h"

#include "base/memory.h"
#include "model/graph_start.h"

#include <string.h>

/// A walk through all that is reached.
typedef struct Search
{
	const rpGraphModel* graph;

	/// The new numbers of nodes; first 1 where one is reached, 0 where not. [nodeCount]
	int* nodes;

	/// The new numbers of edges, -1 where one is not played. [edgeCount]
	int* edges;

	/// Nodes that are reached and not yet left. [nodeCount]
	int* open;
	int openCount;
} Search;

static void freeSearch(Search* search)
{
	rpFree(search->nodes);
	rpFree(search->edges);
	rpFree(search->open);
}

static bool createSearch(Search* search, const rpGraphModel* graph, rpError* error)
{
	*search = (Search){.graph = graph,
					   .nodes = rpAllocateZero((size_t)graph->nodeCount, sizeof(int), error),
					   .edges = rpAllocate((size_t)graph->edgeCount, sizeof(int), error),
					   .open = rpAllocate((size_t)graph->nodeCount, sizeof(int), error)};
	if (search->nodes == NULL || search->edges == NULL || search->open == NULL)
	{
		return false;
	}
	memset(search->edges, -1, (size_t)graph->edgeCount * sizeof(int));
	return true;
}

static void reach(Search* search, int node)
{
	if (search->nodes[node] == 0)
	{
		search->nodes[node] = 1;
		search->open[search->openCount++] = node;
	}
}

static void reachAll(Search* search)
{
	const rpGraphModel* graph = search->graph;
	reach(search, graph->edges[rpGraphModel_GetFirstEdge(graph)].from);
	while (search->openCount > 0)
	{
		const int* entries = graph->steering + (size_t)search->open[--search->openCount] * rp_steerCount;
		for (int i = 0; i < rp_steerCount; ++i)
		{
			search->edges[entries[i]] = 0;
			reach(search, graph->edges[entries[i]].to);
		}
	}
}

// New numbers instead of flags; the numbers of nodes count from 1 up.
static void number(Search* search, rpGraphTrim* out)
{
	const rpGraphModel* graph = search->graph;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		const rpGraphNode* node = &graph->nodes[n];
		int first = out->edgeCount;
		if (search->nodes[n] == 0)
		{
			continue;
		}
		search->nodes[n] = ++out->nodeCount;
		for (int e = node->firstEdge; e < node->firstEdge + node->edgeCount; ++e)
		{
			search->edges[e] = search->edges[e] == 0 ? out->edgeCount++ : -1;
		}
		out->edgeCount += node->edgeCount > 1 && out->edgeCount == first + 1;
	}
}

// Copied byte by byte: what lies between the fields goes to files too.
static void putEdge(const rpGraphEdge* edge, int from, int to, int firstPoint, rpGraphEdge* out)
{
	memcpy(out, edge, sizeof(*out));
	out->from = from;
	out->to = to;
	out->firstPoint = firstPoint;
	out->distance = rpGraphEdge_IsTransition(edge) ? 0.0f : edge->distance;
}

static void fill(const Search* search, rpGraphTrim* out)
{
	const rpGraphModel* graph = search->graph;
	int nodeCount = 0, edgeCount = 0, point = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		const rpGraphNode* node = &graph->nodes[n];
		int first = edgeCount;
		if (search->nodes[n] == 0)
		{
			continue;
		}
		for (int e = node->firstEdge; e < node->firstEdge + node->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			if (search->edges[e] >= 0)
			{
				putEdge(edge, nodeCount, search->nodes[edge->to] - 1, point, &out->edges[edgeCount++]);
				point += edge->frameCount + 1;
			}
		}
		if (node->edgeCount > 1 && edgeCount == first + 1)
		{
			const rpGraphEdge* only = &out->edges[first];
			putEdge(only, nodeCount, only->to, point, &out->edges[edgeCount++]);
			point += only->frameCount + 1;
		}
		for (int i = 0; i < rp_steerCount; ++i)
		{
			out->steering[nodeCount * rp_steerCount + i] = search->edges[graph->steering[n * rp_steerCount + i]];
		}
		out->nodes[nodeCount++] = (rpGraphNode){node->clip, node->frame, first, edgeCount - first};
	}
}

bool rpTrimGraph(const rpGraphModel* graph, rpGraphTrim* out, rpError* error)
{
	Search search;
	*out = (rpGraphTrim){0};
	bool done = createSearch(&search, graph, error);
	if (done)
	{
		reachAll(&search);
		number(&search, out);
		out->nodes = rpAllocate((size_t)out->nodeCount, sizeof(rpGraphNode), error);
		out->edges = rpAllocate((size_t)out->edgeCount, sizeof(rpGraphEdge), error);
		out->steering = rpAllocate((size_t)out->nodeCount, rp_steerCount * sizeof(int), error);
		done = out->nodes != NULL && out->edges != NULL && out->steering != NULL;
	}
	if (done)
	{
		fill(&search, out);
	}
	freeSearch(&search);
	return done;
}

void rpGraphTrim_Free(rpGraphTrim* trim)
{
	rpFree(trim->nodes);
	rpFree(trim->edges);
	rpFree(trim->steering);
	*trim = (rpGraphTrim){0};
}
