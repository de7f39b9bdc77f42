#include "build/graph_trial.h"

#include "base/memory.h"
#include "build/kept_paths.h"
#include "math/order.h"
#include "model/component.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void rpTrial_Free(rpTrial* trial)
{
	rpTrialPart* part = &trial->part;
	rpDestroyGraph(trial->graph);
	rpFree(trial->transitOf);
	rpFree(trial->components);
	rpFree(part->locals);
	rpFree(part->firstEdges);
	rpFree(part->sources);
	rpFree(part->targets);
	rpFree(part->lengths);
	rpFree(part->distances);
	rpFree(part->isUsed);
	rpFree(part->islands);
	rpFree(part->component);
	rpFree(part->frames);
	rpFree(part->firstBacks);
	rpFree(part->backs);
	rpFree(part->outs);
	rpFree(part->distance);
	rpFree(part->ring);
	rpFree(part->entries);
	rpFree(part->nexts);
	*trial = (rpTrial){0};
}

// Room for the part of any label: for all of the graph.
static bool makePart(rpTrial* trial, rpError* error)
{
	rpTrialPart* part = &trial->part;
	size_t nodes = (size_t)trial->graph->nodeCount, edges = (size_t)trial->graph->edgeCount;
	part->ringSize = 1;
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		int length = trial->graph->edges[e].frameCount;
		part->ringSize = length >= part->ringSize ? length + 1 : part->ringSize;
	}
	part->locals = rpAllocate(nodes, sizeof(int), error);
	part->firstEdges = rpAllocate(nodes + 1, sizeof(int), error);
	part->sources = rpAllocate(edges, sizeof(int), error);
	part->targets = rpAllocate(edges, sizeof(int), error);
	part->lengths = rpAllocate(edges, sizeof(int), error);
	part->distances = rpAllocate(edges, sizeof(float), error);
	part->isUsed = rpAllocate(edges, sizeof(bool), error);
	part->islands = rpAllocate(nodes, sizeof(int), error);
	part->component = rpAllocate(nodes, sizeof(int), error);
	part->frames = rpAllocate(nodes, sizeof(int64_t), error);
	part->firstBacks = rpAllocate(nodes + 1, sizeof(int), error);
	part->backs = rpAllocate(edges, sizeof(int), error);
	part->outs = rpAllocate(edges, sizeof(int), error);
	part->distance = rpAllocate(nodes, sizeof(int), error);
	part->ring = rpAllocate((size_t)part->ringSize, sizeof(int), error);
	part->entries = rpAllocate(edges + nodes, sizeof(int), error);
	part->nexts = rpAllocate(edges + nodes, sizeof(int), error);
	return part->locals != NULL && part->firstEdges != NULL && part->sources != NULL && part->targets != NULL &&
		   part->lengths != NULL && part->distances != NULL && part->isUsed != NULL && part->islands != NULL &&
		   part->component != NULL && part->frames != NULL && part->firstBacks != NULL && part->backs != NULL &&
		   part->outs != NULL && part->distance != NULL && part->ring != NULL && part->entries != NULL &&
		   part->nexts != NULL;
}

bool rpTrial_Make(rpTrial* trial, const rpExamples* examples, const rpTransit* transits, int count, rpError* error)
{
	*trial = (rpTrial){.examples = examples};
	trial->graph = rpWireGraph(examples, transits, count, &trial->transitOf, error);
	if (trial->graph == NULL)
	{
		return false;
	}
	trial->components = rpAllocateZero((size_t)trial->graph->nodeCount, sizeof(uint64_t), error);
	return trial->components != NULL && makePart(trial, error);
}

bool rpIsSwitch(uint64_t fromLabels, uint64_t toLabels, int from, int to)
{
	uint64_t left = from == to ? fromLabels : fromLabels & ~toLabels;
	uint64_t entered = from == to ? toLabels : toLabels & ~fromLabels;
	return (left >> from & entered >> to & 1) != 0;
}

// Whether an edge is a transition from a label to another (or the same).
static bool isBetween(const rpTrial* trial, int edge, int from, int to)
{
	return trial->transitOf[edge] >= 0 &&
		   rpIsSwitch(trial->graph->sides[edge].from, trial->graph->sides[edge].to, from, to);
}

static bool isOfLabel(const rpTrial* trial, int edge, int label)
{
	return rpGraph_StaysIn(trial->graph, edge, 1ull << label);
}

static void numberNodes(rpTrial* trial, int label)
{
	rpTrialPart* part = &trial->part;
	const rpGraph* graph = trial->graph;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		part->locals[n] = -1;
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (isOfLabel(trial, e, label))
		{
			part->locals[graph->edges[e].from] = part->locals[graph->edges[e].to] = 0;
		}
	}
	part->nodeCount = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		part->locals[n] = part->locals[n] == 0 ? part->nodeCount++ : -1;
	}
}

void rpTrial_SelectLabel(rpTrial* trial, int label)
{
	rpTrialPart* part = &trial->part;
	numberNodes(trial, label);
	part->label = label;
	part->edgeCount = 0;
	part->near = 0.0f;
	for (int n = 0; n < part->nodeCount; ++n)
	{
		part->islands[n] = n;
	}
	int node = 0;
	part->firstEdges[0] = 0;
	// The graph's edges are sorted by their start, and numbers keep the order.
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &trial->graph->edges[e];
		if (isOfLabel(trial, e, label))
		{
			int own = part->edgeCount++;
			part->sources[own] = part->locals[edge->from];
			part->targets[own] = part->locals[edge->to];
			part->lengths[own] = edge->frameCount;
			part->distances[own] = edge->distance;
			while (node < part->sources[own])
			{
				part->firstEdges[++node] = own;
			}
		}
	}
	while (node < part->nodeCount)
	{
		part->firstEdges[++node] = part->edgeCount;
	}
}

// Stretches of clips, near transitions, and those up to a threshold that join islands.
static bool isTaken(const rpTrialPart* part, int edge, float threshold)
{
	bool joins = part->islands[part->sources[edge]] != part->islands[part->targets[edge]];
	return part->distances[edge] <= part->near || (joins && part->distances[edge] <= threshold);
}

// The component in which the edges up to a threshold have the most frames of clips; *all of the label's frames.
static bool findLargest(rpTrialPart* part, float threshold, int64_t* inside, int64_t* all, rpError* error)
{
	*all = 0;
	for (int e = 0; e < part->edgeCount; ++e)
	{
		part->isUsed[e] = isTaken(part, e, threshold);
		*all += part->distances[e] < 0.0f ? part->lengths[e] : 0;
	}
	rpLinks links = {part->nodeCount, part->firstEdges, part->targets, part->isUsed};
	int count = rpFindComponents(&links, part->component, error);
	for (int i = 0; i < count; ++i)
	{
		part->frames[i] = 0;
	}
	for (int e = 0; e < part->edgeCount && count > 0; ++e)
	{
		int from = part->component[part->sources[e]];
		bool isInside = part->distances[e] < 0.0f && from == part->component[part->targets[e]];
		part->frames[from] += isInside ? part->lengths[e] : 0;
	}
	part->largest = -1;
	*inside = 0;
	for (int i = 0; i < count; ++i)
	{
		if (part->frames[i] > *inside)
		{
			part->largest = i;
			*inside = part->frames[i];
		}
	}
	return count >= 0;
}

float rpTrial_GetShare(rpTrial* trial, float threshold, rpError* error)
{
	int64_t inside, all;
	if (!findLargest(&trial->part, threshold, &inside, &all, error))
	{
		return -1.0f;
	}
	return all > 0 ? (float)inside / (float)all : 0.0f;
}

bool rpTrial_NoteIslands(rpTrial* trial, float threshold, rpError* error)
{
	rpTrialPart* part = &trial->part;
	int64_t inside, all;
	if (!findLargest(part, threshold, &inside, &all, error))
	{
		return false;
	}
	memcpy(part->islands, part->component, (size_t)part->nodeCount * sizeof(int));
	part->near = threshold;
	return true;
}

void rpTrial_MarkBridges(const rpTrial* trial, float longest, bool* isBridge)
{
	const rpTrialPart* part = &trial->part;
	int own = 0;
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		if (!rpGraph_StaysIn(trial->graph, e, 1ull << part->label))
		{
			continue;
		}
		if (trial->transitOf[e] >= 0 && part->distances[own] > part->near && isTaken(part, own, longest))
		{
			isBridge[trial->transitOf[e]] = true;
		}
		++own;
	}
}

// ---- paths out

static bool isInside(const rpTrialPart* part, int edge)
{
	return part->isUsed[edge] && part->component[part->sources[edge]] == part->largest &&
		   part->component[part->targets[edge]] == part->largest;
}

// Note which nodes are in the component of the label at hand.
static void markComponent(rpTrial* trial)
{
	const rpTrialPart* part = &trial->part;
	for (int n = 0; n < trial->graph->nodeCount; ++n)
	{
		int local = part->locals[n];
		uint64_t isInside = local >= 0 && part->largest >= 0 && part->component[local] == part->largest;
		trial->components[n] = (trial->components[n] & ~(1ull << part->label)) | isInside << part->label;
	}
}

static void listOuts(rpTrial* trial)
{
	rpTrialPart* part = &trial->part;
	part->outCount = 0;
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		if ((trial->components[trial->graph->edges[e].from] >> part->label & 1) != 0)
		{
			part->outs[part->outCount++] = e;
		}
	}
}

// What does not hang together will only be passed through: all of it can be come to, and left.
static void takeAll(rpTrialPart* part)
{
	for (int n = 0; n < part->nodeCount; ++n)
	{
		part->component[n] = 0;
	}
	part->largest = 0;
}

bool rpTrial_Settle(rpTrial* trial, float threshold, rpError* error)
{
	rpTrialPart* part = &trial->part;
	int64_t inside, all;
	if (!findLargest(part, threshold, &inside, &all, error))
	{
		return false;
	}
	if (!trial->isStrict && (double)inside < RP_SMALL_LABEL * (double)all)
	{
		takeAll(part);
	}
	part->largestCount = 0;
	for (int n = 0; n < part->nodeCount; ++n)
	{
		part->largestCount += part->component[n] == part->largest;
		part->firstBacks[n] = 0;
	}
	markComponent(trial);
	listOuts(trial);
	// Counted, summed up, and filled in from the back.
	part->firstBacks[part->nodeCount] = 0;
	for (int e = 0; e < part->edgeCount; ++e)
	{
		part->firstBacks[part->targets[e]] += isInside(part, e);
	}
	for (int n = 0; n < part->nodeCount; ++n)
	{
		part->firstBacks[n + 1] += part->firstBacks[n];
	}
	for (int e = part->edgeCount - 1; e >= 0; --e)
	{
		if (isInside(part, e))
		{
			part->backs[--part->firstBacks[part->targets[e]]] = e;
		}
	}
	return true;
}

float* rpTrial_ListDistances(const rpTrial* trial, int* count, rpError* error)
{
	const rpTrialPart* part = &trial->part;
	float* list = rpAllocate((size_t)part->edgeCount + 1, sizeof(float), error);
	*count = 0;
	for (int e = 0; list != NULL && e < part->edgeCount; ++e)
	{
		if (part->distances[e] >= 0.0f)
		{
			list[(*count)++] = part->distances[e];
		}
	}
	if (list != NULL)
	{
		qsort(list, (size_t)*count, sizeof(float), rpCompareFloats);
	}
	return list;
}

static int compareExits(const void* a, const void* b)
{
	const rpTrialExit* x = a;
	const rpTrialExit* y = b;
	if (x->distance != y->distance)
	{
		return x->distance < y->distance ? -1 : 1;
	}
	return x->node < y->node ? -1 : x->node > y->node;
}

// Whether an edge that starts in the component at hand leads into that of another label. What leads to motion that
// cannot go on is of no use: it will be pruned.
static bool isExit(const rpTrial* trial, int edge, int to)
{
	int label = trial->part.label;
	const rpGraphEdge* own = &trial->graph->edges[edge];
	// A stretch that has both labels is a path from one to the other, too.
	bool isBoth = trial->transitOf[edge] < 0 && (own->labels >> label & own->labels >> to & 1) != 0;
	return (trial->components[own->to] >> to & 1) != 0 && (isBoth || isBetween(trial, edge, label, to));
}

void rpTrial_FindMinima(const rpTrial* trial, float* minima)
{
	const rpTrialPart* part = &trial->part;
	int labelCount = trial->examples->labelCount;
	for (int b = 0; b < labelCount; ++b)
	{
		minima[b] = INFINITY;
	}
	for (int i = 0; i < part->outCount; ++i)
	{
		float distance = trial->graph->edges[part->outs[i]].distance;
		for (int b = 0; b < labelCount; ++b)
		{
			bool isNearer = distance < minima[b] && b != part->label && isExit(trial, part->outs[i], b);
			minima[b] = isNearer ? distance : minima[b];
		}
	}
}

rpTrialExit* rpTrial_ListExits(const rpTrial* trial, int to, int* count, rpError* error)
{
	const rpTrialPart* part = &trial->part;
	rpTrialExit* exits = rpAllocate((size_t)part->outCount, sizeof(rpTrialExit), error);
	*count = 0;
	for (int i = 0; exits != NULL && i < part->outCount; ++i)
	{
		if (isExit(trial, part->outs[i], to))
		{
			const rpGraphEdge* edge = &trial->graph->edges[part->outs[i]];
			exits[(*count)++] = (rpTrialExit){edge->distance, part->locals[edge->from]};
		}
	}
	if (exits != NULL)
	{
		qsort(exits, (size_t)*count, sizeof(rpTrialExit), compareExits);
	}
	return exits;
}

/// Nodes that wait in the ring, in the list of their frames.
typedef struct Waiting
{
	int entryCount, left;
} Waiting;

static void await(rpTrialPart* part, Waiting* waiting, int node, int frames)
{
	int* list = &part->ring[frames % part->ringSize];
	part->distance[node] = frames;
	part->entries[waiting->entryCount] = node;
	part->nexts[waiting->entryCount] = *list;
	*list = waiting->entryCount++;
	++waiting->left;
}

// Nodes from which this one is reached sooner than was known.
static void goBack(rpTrialPart* part, Waiting* waiting, int node, int frames, int longest)
{
	for (int k = part->firstBacks[node]; k < part->firstBacks[node + 1]; ++k)
	{
		int edge = part->backs[k], source = part->sources[edge], through = frames + part->lengths[edge];
		if (through <= longest && through < part->distance[source])
		{
			await(part, waiting, source, through);
		}
	}
}

// Dijkstra with the ring of Dial (1969) in place of a heap: an edge is entered at most once for each of its ends, so
// the entries have room.
float rpTrial_GetSwitchShare(rpTrial* trial, const rpTrialExit* exits, int exitCount, int longest)
{
	rpTrialPart* part = &trial->part;
	Waiting waiting = {0};
	int reached = 0;
	for (int n = 0; n < part->nodeCount; ++n)
	{
		part->distance[n] = INT32_MAX;
	}
	for (int i = 0; i < part->ringSize; ++i)
	{
		part->ring[i] = -1;
	}
	for (int i = 0; i < exitCount; ++i)
	{
		if (part->distance[exits[i].node] != 0)
		{
			await(part, &waiting, exits[i].node, 0);
		}
	}
	for (int frames = 0; waiting.left > 0; ++frames)
	{
		int* list = &part->ring[frames % part->ringSize];
		while (*list >= 0)
		{
			int entry = *list, node = part->entries[entry];
			*list = part->nexts[entry];
			--waiting.left;
			if (part->distance[node] == frames)
			{
				// Reached for good: a second entry of the same frames cannot be.
				++reached;
				goBack(part, &waiting, node, frames, longest);
			}
		}
	}
	return part->largest >= 0 && part->largestCount > 0 ? (float)reached / (float)part->largestCount : 0.0f;
}
