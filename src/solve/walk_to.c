/// The fastest walk from one part of a graph to the beginning of another, and on through that.
#include "base/error.h"
#include "base/memory.h"
#include "reprise/walk.h"

#include <math.h>

bool rpGraph_IsNodeOf(const rpGraph* graph, int node, const rpGraphPart* part)
{
	const rpGraphNode* own = &graph->nodes[node];
	bool isOf = part->clip >= 0 && own->clip == part->clip;
	for (int e = own->firstEdge; part->clip < 0 && e < own->firstEdge + own->edgeCount && !isOf; ++e)
	{
		isOf = !rpGraphEdge_IsTransition(&graph->edges[e]) && (graph->edges[e].labels & part->labels) != 0;
	}
	return isOf;
}

// The stretch of a clip that goes on at a node with what is asked for, -1: none.
static int findStretch(const rpGraph* graph, int node, const rpGraphPart* part)
{
	const rpGraphNode* own = &graph->nodes[node];
	for (int e = own->firstEdge; e < own->firstEdge + own->edgeCount; ++e)
	{
		bool isOf = part->clip >= 0 ? own->clip == part->clip : (graph->edges[e].labels & part->labels) != 0;
		if (isOf && !rpGraphEdge_IsTransition(&graph->edges[e]))
		{
			return e;
		}
	}
	return -1;
}

/// How long what is asked for goes on at nodes, frames.
typedef struct Stretches
{
	/// From the node on, and the whole stretch that the node lies in.
	int *left, *whole;
	int longest;
} Stretches;

static bool measureStretches(const rpGraph* graph, const rpGraphPart* part, Stretches* out, rpError* error)
{
	out->left = rpAllocateZero(2 * (size_t)graph->nodeCount, sizeof(int), error);
	if (out->left == NULL)
	{
		return false;
	}
	out->whole = out->left + graph->nodeCount;
	for (int n = graph->nodeCount - 1; n >= 0; --n)
	{
		int e = findStretch(graph, n, part);
		out->left[n] = e >= 0 ? graph->edges[e].frameCount + out->left[graph->edges[e].to] : 0;
		out->longest = out->left[n] > out->longest ? out->left[n] : out->longest;
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		int e = findStretch(graph, n, part);
		out->whole[n] = out->whole[n] > 0 ? out->whole[n] : out->left[n];
		if (e >= 0)
		{
			out->whole[graph->edges[e].to] = out->whole[n];
		}
	}
	return true;
}

// Nodes from which there is enough left of what is asked for: half of the stretch that they are in, and a second or
// half of the longest. Someone who comes to an act when it is over has not seen it.
static bool* markBeginnings(const rpGraph* graph, const rpGraphPart* from, const rpGraphPart* to, rpError* error)
{
	Stretches stretches = {0};
	bool* goals = rpAllocateZero((size_t)graph->nodeCount, sizeof(bool), error);
	if (goals == NULL || !measureStretches(graph, to, &stretches, error))
	{
		rpFree(goals);
		return NULL;
	}
	double enough = fmin(0.5 * stretches.longest, graph->fps);
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		int left = stretches.left[n];
		goals[n] = rpGraph_IsNodeOf(graph, n, to) && !rpGraph_IsNodeOf(graph, n, from) && left > 0 &&
				   2 * left >= stretches.whole[n] && left >= enough;
	}
	rpFree(stretches.left);
	return goals;
}

rpWalk* rpGraph_WalkTo(const rpGraph* graph, const rpGraphPart* from, const rpGraphPart* to, double seconds,
					   rpError* error)
{
	rpWalk* best = NULL;
	bool* goals = markBeginnings(graph, from, to, error);
	for (int n = 0; n < graph->nodeCount && goals != NULL; ++n)
	{
		rpWalk* walk = rpGraph_IsNodeOf(graph, n, from) ? rpGraph_WalkFastest(graph, n, goals, NULL) : NULL;
		bool isBetter = walk != NULL && walk->edgeCount > 0 && (best == NULL || walk->cost < best->cost);
		rpDestroyWalk(isBetter ? best : walk);
		best = isBetter ? walk : best;
	}
	if (goals != NULL && best == NULL)
	{
		rpFail(error, rp_errorNoSolution, "there is no path on the graph from the one to the other");
	}
	rpFree(goals);
	if (best != NULL && !rpWalk_Extend(best, graph, to->labels, seconds, error))
	{
		rpDestroyWalk(best);
		return NULL;
	}
	return best;
}

void rpFillStyleGaps(rpPathStyle* styles, int count)
{
	for (int i = 0; i < count; ++i)
	{
		if (styles[i].labels == 0)
		{
			styles[i].labels = (i > 0 ? styles[i - 1].labels : 0) | (i + 1 < count ? styles[i + 1].labels : 0);
		}
	}
}
