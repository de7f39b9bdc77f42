/// The fastest walk from one part of a graph to the beginning of another, and on through that.
#include "base/error.h"
#include "base/memory.h"
#include "model/graph_paths.h"
#include "solve/act_onset.h"

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
		int e = rpGraphPart_FindStretch(graph, n, part);
		out->left[n] = e >= 0 ? graph->edges[e].frameCount + out->left[graph->edges[e].to] : 0;
		out->longest = out->left[n] > out->longest ? out->left[n] : out->longest;
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		int e = rpGraphPart_FindStretch(graph, n, part);
		out->whole[n] = out->whole[n] > 0 ? out->whole[n] : out->left[n];
		if (e >= 0)
		{
			out->whole[graph->edges[e].to] = out->whole[n];
		}
	}
	return true;
}

// Where a walk may enter what is asked for: [nodeCount] frames from there to where that begins, -1: not there. Enough
// of it is left, a second or half of the longest, and the act is still to be seen: someone who comes when it is over
// has missed it. isLate: half of the stretch will do.
static bool markEntries(const rpGraph* graph, const rpGraphPart* from, const rpGraphPart* to, bool isLate, int* entries,
						rpError* error)
{
	Stretches stretches = {0};
	if ((!isLate && !rpFindOnsets(graph, from, to, entries, error)) || !measureStretches(graph, to, &stretches, error))
	{
		return false;
	}
	double enough = fmin(0.5 * stretches.longest, graph->fps);
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		int left = stretches.left[n], onset = isLate ? 0 : entries[n];
		bool isEntry = rpGraph_IsNodeOf(graph, n, to) && !rpGraph_IsNodeOf(graph, n, from) && left > 0 &&
					   left >= enough && onset >= 0 && (!isLate || 2 * left >= stretches.whole[n]);
		entries[n] = isEntry ? onset : -1;
	}
	rpFree(stretches.left);
	return true;
}

// The node of `from` that comes first to the beginning of what is asked for, -1: none; and where it enters that.
static int findStart(rpGraphPaths* paths, const rpGraphPart* from, const int* entries, int* entry)
{
	const rpGraph* graph = paths->graph;
	int start = -1;
	rpGraphPaths_Clear(paths);
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (entries[n] >= 0)
		{
			rpGraphPaths_Start(paths, n, entries[n]);
		}
	}
	(void)rpGraphPaths_Search(paths, NULL);
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		bool isStart = paths->edges[n] >= 0 && rpGraph_IsNodeOf(graph, n, from);
		start = isStart && (start < 0 || paths->distances[n] < paths->distances[start]) ? n : start;
	}
	*entry = start;
	while (start >= 0 && paths->edges[*entry] >= 0)
	{
		*entry = graph->edges[paths->edges[*entry]].to;
	}
	return start;
}

static rpWalk* walkTo(rpGraphPaths* paths, const rpGraphPart* from, const rpGraphPart* to, int* entries, bool* goals,
					  double* reaches, rpError* error)
{
	const rpGraph* graph = paths->graph;
	int start = -1, entry;
	// What nobody can enter in time is entered late.
	for (int pass = 0; pass < 2 && start < 0; ++pass)
	{
		if (!markEntries(graph, from, to, pass > 0, entries, error))
		{
			return NULL;
		}
		start = findStart(paths, from, entries, &entry);
	}
	if (start < 0)
	{
		rpFail(error, rp_errorNoSolution, "there is no path on the graph from the one to the other");
		return NULL;
	}
	goals[entry] = true;
	rpWalk* walk = rpGraph_WalkFastest(graph, start, goals, error);
	if (walk != NULL && reaches != NULL)
	{
		*reaches = rpWalk_GetDuration(walk, graph) + entries[entry] / graph->fps;
	}
	return walk;
}

rpWalk* rpGraph_WalkTo(const rpGraph* graph, const rpGraphPart* from, const rpGraphPart* to, double seconds,
					   double* reaches, rpError* error)
{
	rpGraphPaths paths = {0};
	int* entries = rpAllocate((size_t)graph->nodeCount, sizeof(int), error);
	bool* goals = rpAllocateZero((size_t)graph->nodeCount, sizeof(bool), error);
	bool isReady = entries != NULL && goals != NULL && rpGraphPaths_Create(&paths, graph, true, error);
	rpWalk* walk = isReady ? walkTo(&paths, from, to, entries, goals, reaches, error) : NULL;
	rpGraphPaths_Free(&paths);
	rpFree(goals);
	rpFree(entries);
	if (walk != NULL && !rpWalk_Extend(walk, graph, to->labels, seconds, error))
	{
		rpDestroyWalk(walk);
		return NULL;
	}
	return walk;
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
