/// Going on from where a walk has come to.
#include "base/memory.h"
#include "reprise/walk.h"

static int getEndNode(const rpWalk* walk, const rpGraph* graph)
{
	return graph->edges[walk->edges[walk->edgeCount - 1]].to;
}

static bool append(rpWalk* walk, int* capacity, int edge, rpError* error)
{
	if (!rpGrow(&walk->edges, capacity, walk->edgeCount, sizeof(int), error))
	{
		return false;
	}
	walk->edges[walk->edgeCount++] = edge;
	return true;
}

// The stretch of the clip that follows at a node, if it has one of the labels; -1: none.
static int findStretch(const rpGraph* graph, int node, uint64_t labels)
{
	const rpGraphNode* own = &graph->nodes[node];
	for (int e = own->firstEdge; e < own->firstEdge + own->edgeCount; ++e)
	{
		if (!rpGraphEdge_IsTransition(&graph->edges[e]) && (labels == 0 || (graph->edges[e].labels & labels) != 0))
		{
			return e;
		}
	}
	return -1;
}

// The edge to go on with after the end of an act: one that stays in its labels if there is any, and of those the one
// that was taken least often, the first of equals.
static int chooseEdge(const rpGraph* graph, int node, uint64_t labels, const int* visits)
{
	const rpGraphNode* own = &graph->nodes[node];
	int best = -1;
	for (int e = own->firstEdge; e < own->firstEdge + own->edgeCount; ++e)
	{
		bool stays = rpGraph_StaysIn(graph, e, labels), bestStays = best >= 0 && rpGraph_StaysIn(graph, best, labels);
		if (best < 0 || (stays && !bestStays) || (stays == bestStays && visits[e] < visits[best]))
		{
			best = e;
		}
	}
	return best;
}

// To the end of the act, whatever time it is.
static bool finishAct(rpWalk* walk, const rpGraph* graph, uint64_t labels, int* capacity, rpError* error)
{
	bool done = true;
	for (int e = findStretch(graph, getEndNode(walk, graph), labels); e >= 0 && done;
		 e = findStretch(graph, getEndNode(walk, graph), labels))
	{
		done = append(walk, capacity, e, error);
	}
	return done;
}

bool rpWalk_Extend(rpWalk* walk, const rpGraph* graph, uint64_t labels, double seconds, rpError* error)
{
	int capacity = walk->edgeCount, edgeCount = walk->edgeCount, lastFrames = walk->lastFrames;
	if (edgeCount == 0)
	{
		return true;
	}
	int* visits = rpAllocateZero((size_t)graph->edgeCount, sizeof(int), error);
	walk->lastFrames = INT32_MAX;
	bool done = visits != NULL && finishAct(walk, graph, labels, &capacity, error);
	double left = seconds * graph->fps - rpWalk_GetDuration(walk, graph) * graph->fps;
	while (done && left > 1e-6)
	{
		int edge = chooseEdge(graph, getEndNode(walk, graph), labels, visits);
		if (edge < 0)
		{
			break;
		}
		++visits[edge];
		left -= graph->edges[edge].frameCount;
		done = append(walk, &capacity, edge, error);
	}
	rpFree(visits);
	if (!done)
	{
		walk->edgeCount = edgeCount;
		walk->lastFrames = lastFrames;
	}
	return done;
}
