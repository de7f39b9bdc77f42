/// Pruning: what is left has motion of its own kind to go on with for ever, and a path to the other kinds (section
/// 4.1.3 of Kovar's thesis); or it leads from such motion to such motion.
#include "base/memory.h"
#include "build/graph_draft.h"
#include "build/kept_paths.h"

static bool isSmall(const rpGraph* graph, int label, const bool* inComponent)
{
	int64_t inside = 0, all = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		int frames = !rpGraphEdge_IsTransition(edge) && (edge->labels >> label & 1) != 0 ? edge->frameCount : 0;
		all += frames;
		inside += inComponent[edge->from] && inComponent[edge->to] ? frames : 0;
	}
	return (double)inside < RP_SMALL_LABEL * (double)all;
}

// Nodes in the largest component of any label, and bits of the labels that are small.
static bool markNodes(const rpGraph* graph, int labelCount, bool* isKept, uint64_t* smallLabels, rpError* error)
{
	bool* inComponent = rpAllocate((size_t)graph->nodeCount, sizeof(bool), error);
	bool done = inComponent != NULL;
	for (int label = 0; label < labelCount && done; ++label)
	{
		done = rpGraph_FindComponent(graph, label, inComponent, error) >= 0;
		for (int n = 0; n < graph->nodeCount && done; ++n)
		{
			isKept[n] |= inComponent[n];
		}
		*smallLabels |= (uint64_t)(done && isSmall(graph, label, inComponent)) << label;
	}
	rpFree(inComponent);
	return done;
}

// Nodes that stay get new numbers, the others -1; a node without edges goes.
static int renumber(const rpGraph* graph, const bool* isKept, int* numbers)
{
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		numbers[n] = -1;
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (isKept[edge->from] && isKept[edge->to])
		{
			numbers[edge->from] = numbers[edge->to] = 0;
		}
	}
	int count = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		numbers[n] = numbers[n] == 0 ? count++ : -1;
	}
	return count;
}

static void moveNodes(rpGraph* graph, const int* numbers, int nodeCount)
{
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (numbers[n] >= 0)
		{
			graph->nodes[numbers[n]] = graph->nodes[n];
			graph->nodes[numbers[n]].edgeCount = 0;
		}
	}
	graph->nodeCount = nodeCount;
}

static void moveEdges(rpGraph* graph, const int* numbers, const bool* isKept)
{
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		rpGraphEdge edge = graph->edges[e];
		if (!isKept[edge.from] || !isKept[edge.to])
		{
			continue;
		}
		edge.from = numbers[edge.from];
		edge.to = numbers[edge.to];
		rpGraphNode* node = &graph->nodes[edge.from];
		node->firstEdge = node->edgeCount == 0 ? count : node->firstEdge;
		++node->edgeCount;
		if (graph->sides != NULL)
		{
			graph->sides[count] = graph->sides[e];
		}
		graph->edges[count++] = edge;
	}
	graph->edgeCount = count;

	// A node without edges of its own stands where the next one's begin.
	int next = count;
	for (int n = graph->nodeCount - 1; n >= 0; --n)
	{
		graph->nodes[n].firstEdge = graph->nodes[n].edgeCount == 0 ? next : graph->nodes[n].firstEdge;
		next = graph->nodes[n].firstEdge;
	}
}

bool rpPruneGraph(rpGraph* graph, int labelCount, bool isStrict, rpGraphReport* report, rpError* error)
{
	int nodeCount = graph->nodeCount, edgeCount = graph->edgeCount;
	bool* isKept = rpAllocateZero((size_t)nodeCount, sizeof(bool), error);
	int* numbers = rpAllocate((size_t)nodeCount, sizeof(int), error);
	uint64_t smallLabels = 0;
	bool done = isKept != NULL && numbers != NULL && markNodes(graph, labelCount, isKept, &smallLabels, error) &&
				(isStrict || rpMarkKeptPaths(graph, smallLabels, isKept, error));
	if (done)
	{
		int kept = renumber(graph, isKept, numbers);
		moveNodes(graph, numbers, kept);
		moveEdges(graph, numbers, isKept);
	}
	if (done && report != NULL)
	{
		report->prunedNodeCount = nodeCount - graph->nodeCount;
		report->prunedEdgeCount = edgeCount - graph->edgeCount;
	}
	rpFree(isKept);
	rpFree(numbers);
	return done;
}
