/// What a motion graph is, once made.
#include "reprise/play/graph.h"
#include "base/memory.h"
#include "model/component.h"

#include <string.h>

void rpDestroyGraph(rpGraph* graph)
{
	if (graph == NULL)
	{
		return;
	}
	for (int i = 0; i < graph->labelCount && graph->labels != NULL; ++i)
	{
		rpFree(graph->labels[i]);
	}
	for (int i = 0; i < graph->clipCount && graph->clips != NULL; ++i)
	{
		rpFree(graph->clips[i].name);
		rpDestroyMotion(graph->clips[i].motion);
	}
	rpFree(graph->labels);
	rpFree(graph->clips);
	rpFree(graph->nodes);
	rpFree(graph->edges);
	rpFree(graph->sides);
	rpFree(graph->path);
	rpFree(graph->lengths);
	rpFree(graph->firstContacts);
	rpFree(graph->contacts);
	rpFree(graph->steering);
	rpFree(graph);
}

int rpGraph_FindLabel(const rpGraph* graph, const char* label)
{
	for (int i = 0; i < graph->labelCount; ++i)
	{
		if (strcmp(graph->labels[i], label) == 0)
		{
			return i;
		}
	}
	return -1;
}

/// A graph's links for Tarjan, with room for the answer.
typedef struct Links
{
	int* firstEdges;
	int* targets;
	bool* isUsed;
	int* component;
	/// [component count <= nodeCount], frames of clips inside each.
	int64_t* frames;
} Links;

static bool makeLinks(const rpGraph* graph, int label, Links* out, rpError* error)
{
	size_t nodeCount = (size_t)graph->nodeCount, edgeCount = (size_t)graph->edgeCount;
	out->firstEdges = rpAllocate(nodeCount + 1, sizeof(int), error);
	out->targets = rpAllocate(edgeCount, sizeof(int), error);
	out->isUsed = rpAllocate(edgeCount, sizeof(bool), error);
	out->component = rpAllocate(nodeCount, sizeof(int), error);
	out->frames = rpAllocateZero(nodeCount, sizeof(int64_t), error);
	if (out->firstEdges == NULL || out->targets == NULL || out->isUsed == NULL || out->component == NULL ||
		out->frames == NULL)
	{
		return false;
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		out->firstEdges[n] = graph->nodes[n].firstEdge;
	}
	out->firstEdges[nodeCount] = graph->edgeCount;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		out->targets[e] = graph->edges[e].to;
		out->isUsed[e] = label < 0 || rpGraph_StaysIn(graph, e, 1ull << label);
	}
	return true;
}

static void freeLinks(Links* links)
{
	rpFree(links->firstEdges);
	rpFree(links->targets);
	rpFree(links->isUsed);
	rpFree(links->component);
	rpFree(links->frames);
}

// The component with the most motion in it, -1 if none has any; of equal ones the first.
static int findLargest(const rpGraph* graph, Links* links, int componentCount)
{
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		int from = links->component[graph->edges[e].from];
		bool isStretch = !rpGraphEdge_IsTransition(&graph->edges[e]);
		if (isStretch && links->isUsed[e] && from == links->component[graph->edges[e].to])
		{
			links->frames[from] += graph->edges[e].frameCount;
		}
	}
	int largest = -1;
	for (int i = 0; i < componentCount; ++i)
	{
		if (links->frames[i] > 0 && (largest < 0 || links->frames[i] > links->frames[largest]))
		{
			largest = i;
		}
	}
	return largest;
}

bool rpGraph_StaysIn(const rpGraph* graph, int edge, uint64_t labels)
{
	uint64_t own = graph->edges[edge].labels;
	rpEdgeSides sides = graph->sides != NULL ? graph->sides[edge] : (rpEdgeSides){own, own};
	return labels == 0 || ((sides.from & labels) != 0 && (sides.to & labels) != 0);
}

int rpGraph_FindComponent(const rpGraph* graph, int label, bool* inComponent, rpError* error)
{
	Links links = {0};
	int count = -1;
	if (makeLinks(graph, label, &links, error))
	{
		rpLinks view = {graph->nodeCount, links.firstEdges, links.targets, links.isUsed};
		int componentCount = rpFindComponents(&view, links.component, error);
		int largest = componentCount > 0 ? findLargest(graph, &links, componentCount) : -1;
		count = componentCount >= 0 ? 0 : -1;
		for (int n = 0; n < graph->nodeCount && count >= 0; ++n)
		{
			inComponent[n] = largest >= 0 && links.component[n] == largest;
			count += inComponent[n];
		}
	}
	freeLinks(&links);
	return count;
}
