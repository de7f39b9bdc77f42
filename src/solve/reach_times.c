#include "solve/reach_times.h"

#include "base/memory.h"
#include "model/graph_paths.h"

#include <math.h>

// ---- from label to label

// Whether the clip goes on with this label at a node; transitions have the labels of both sides.
static bool isOfLabel(const rpGraph* graph, int node, int label)
{
	const rpGraphNode* from = &graph->nodes[node];
	for (int e = from->firstEdge; e < from->firstEdge + from->edgeCount; ++e)
	{
		if (!rpGraphEdge_IsTransition(&graph->edges[e]) && (graph->edges[e].labels >> label & 1) != 0)
		{
			return true;
		}
	}
	return false;
}

// Frames from each node to the nearest of a label.
static void findPaths(rpGraphPaths* paths, int label)
{
	rpGraphPaths_Clear(paths);
	for (int n = 0; n < paths->graph->nodeCount; ++n)
	{
		if (isOfLabel(paths->graph, n, label))
		{
			rpGraphPaths_Start(paths, n, 0);
		}
	}
	rpGraphPaths_Search(paths, NULL);
}

// From the places that have not got there already.
static void averagePaths(const rpGraph* graph, int from, const int* frames, double* seconds, double* share)
{
	double sum = 0.0;
	int count = 0, reaching = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (frames[n] > 0 && isOfLabel(graph, n, from))
		{
			++count;
			if (frames[n] < INT32_MAX)
			{
				++reaching;
				sum += frames[n] / graph->fps;
			}
		}
	}
	*seconds = reaching > 0 ? sum / reaching : count > 0 ? INFINITY : 0.0;
	*share = count > 0 ? (double)reaching / count : 1.0;
}

// ---- from choice to choice

// Frames from a node to the next with a choice, infinite if there is none to come.
static double countForced(const rpGraph* graph, int node)
{
	double frames = 0.0;
	for (int steps = 0; graph->nodes[node].edgeCount == 1; ++steps)
	{
		const rpGraphEdge* edge = &graph->edges[graph->nodes[node].firstEdge];
		frames = steps > graph->nodeCount ? INFINITY : frames + edge->frameCount;
		if (steps > graph->nodeCount)
		{
			break;
		}
		node = edge->to;
	}
	return frames;
}

static void findForced(const rpGraph* graph, rpReach* reach)
{
	double longest = 0.0, sum = 0.0;
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		double seconds = (graph->edges[e].frameCount + countForced(graph, graph->edges[e].to)) / graph->fps;
		longest = fmax(longest, seconds);
		if (graph->nodes[graph->edges[e].from].edgeCount > 1)
		{
			sum += seconds;
			++count;
		}
	}
	reach->longestWithoutChoice = longest;
	reach->meanWithoutChoice = count > 0 ? sum / count : INFINITY;
}

bool rpFindReachTimes(const rpGraph* graph, rpReach* reach, rpError* error)
{
	size_t count = (size_t)graph->labelCount;
	rpGraphPaths paths;
	reach->labelCount = graph->labelCount;
	reach->switchTimes = rpAllocate(count * count, sizeof(double), error);
	reach->switchShares = rpAllocate(count * count, sizeof(double), error);
	bool done =
		rpGraphPaths_Create(&paths, graph, true, error) && reach->switchTimes != NULL && reach->switchShares != NULL;
	for (int to = 0; to < graph->labelCount && done; ++to)
	{
		findPaths(&paths, to);
		for (int from = 0; from < graph->labelCount; ++from)
		{
			int i = from * graph->labelCount + to;
			averagePaths(graph, from, paths.distances, &reach->switchTimes[i], &reach->switchShares[i]);
		}
	}
	findForced(graph, reach);
	rpGraphPaths_Free(&paths);
	return done;
}
