/// From transitions to nodes and edges: clips are cut where a transition begins or ends, and where labels change.
#include "base/memory.h"
#include "build/graph_draft.h"

#include <stdlib.h>
#include <string.h>

uint64_t rpTransit_GetFromLabels(const rpExamples* examples, const rpTransit* transit)
{
	int first = examples->firstFrames[transit->fromClip];
	return examples->masks[first + transit->fromMiddle] | examples->masks[first + transit->fromMiddle - transit->half];
}

uint64_t rpTransit_GetToLabels(const rpExamples* examples, const rpTransit* transit)
{
	int first = examples->firstFrames[transit->toClip];
	return examples->masks[first + transit->toMiddle] | examples->masks[first + transit->toMiddle + transit->half - 1];
}

// A blend must fit into both clips, beside what is left out; a frame beyond the last has no motion to go on with.
static bool hasRoom(const rpExamples* examples, int clip, int middle)
{
	return examples->rooms[examples->firstFrames[clip] + middle] >= examples->half;
}

static bool isSameContact(const rpExamples* examples, const rpCandidate* c)
{
	return examples->contacts[examples->firstFrames[c->a] + c->i] ==
		   examples->contacts[examples->firstFrames[c->b] + c->j];
}

int rpListTransits(const rpExamples* examples, const rpCandidates* candidates, bool sameContacts, rpTransit* out)
{
	int count = 0;
	for (int k = 0; k < candidates->count; ++k)
	{
		const rpCandidate* c = &candidates->items[k];
		if (!hasRoom(examples, c->a, c->i) || !hasRoom(examples, c->b, c->j) ||
			(sameContacts && !isSameContact(examples, c)))
		{
			continue;
		}
		out[count++] = (rpTransit){c->a, c->i, c->b, c->j, c->distance, c->alignment, examples->half};
		out[count++] =
			(rpTransit){c->b, c->j, c->a, c->i, c->distance, rpGroundTransform_Invert(c->alignment), examples->half};
	}
	return count;
}

/// Where clips are cut: a flag for each frame of each clip, then the number of the node there.
static void markCuts(const rpExamples* examples, const rpTransit* transits, int count, int* cuts)
{
	for (int c = 0; c < examples->clipCount; ++c)
	{
		int first = examples->firstFrames[c], last = examples->firstFrames[c + 1] - 1;
		cuts[first] = cuts[last] = 1;
		for (int f = first + 1; f <= last; ++f)
		{
			cuts[f] |= examples->masks[f] != examples->masks[f - 1];
		}
	}
	for (int k = 0; k < count; ++k)
	{
		cuts[examples->firstFrames[transits[k].fromClip] + transits[k].fromMiddle - transits[k].half] = 1;
		cuts[examples->firstFrames[transits[k].toClip] + transits[k].toMiddle + transits[k].half] = 1;
	}
}

// Turns flags into numbers; -1 where there is no node. Returns how many there are.
static int numberNodes(int* cuts, int frameCount)
{
	int count = 0;
	for (int f = 0; f < frameCount; ++f)
	{
		cuts[f] = cuts[f] != 0 ? count++ : -1;
	}
	return count;
}

static bool allocate(rpGraph* graph, int nodeCount, int edgeCapacity, int** transitOf, rpError* error)
{
	graph->nodes = rpAllocateZero((size_t)nodeCount, sizeof(rpGraphNode), error);
	graph->edges = rpAllocateZero((size_t)edgeCapacity, sizeof(rpGraphEdge), error);
	graph->sides = rpAllocate((size_t)edgeCapacity, sizeof(rpEdgeSides), error);
	*transitOf = rpAllocate((size_t)edgeCapacity, sizeof(int), error);
	graph->nodeCount = nodeCount;
	return graph->nodes != NULL && graph->edges != NULL && graph->sides != NULL && *transitOf != NULL;
}

static void placeNodes(const rpExamples* examples, const int* numbers, rpGraph* graph)
{
	for (int c = 0; c < examples->clipCount; ++c)
	{
		for (int f = examples->firstFrames[c]; f < examples->firstFrames[c + 1]; ++f)
		{
			if (numbers[f] >= 0)
			{
				graph->nodes[numbers[f]] = (rpGraphNode){.clip = c, .frame = f - examples->firstFrames[c]};
			}
		}
	}
}

/// An edge before it has its place: sorted by node, then by target and transition, -1 for stretches of a clip. There
/// can be millions, so that what else there is to say of an edge is said in its place.
typedef struct Loose
{
	int from, to, transit;
} Loose;

static int compareLoose(const void* a, const void* b)
{
	const Loose *x = a, *y = b;
	if (x->from != y->from)
	{
		return x->from < y->from ? -1 : 1;
	}
	if (x->to != y->to)
	{
		return x->to < y->to ? -1 : 1;
	}
	return x->transit < y->transit ? -1 : x->transit > y->transit;
}

static bool isBroken(const rpExamples* examples, const rpGraphNode* from, const rpGraphNode* to)
{
	bool isBroken = false;
	for (int f = from->frame; f <= to->frame && examples->isLeftOut != NULL; ++f)
	{
		isBroken |= examples->isLeftOut[examples->firstFrames[from->clip] + f];
	}
	return isBroken;
}

// A walk that comes to what is left out has to turn away before it.
static int listStretches(const rpExamples* examples, const rpGraph* graph, Loose* out)
{
	int count = 0;
	for (int n = 0; n + 1 < graph->nodeCount; ++n)
	{
		const rpGraphNode *node = &graph->nodes[n], *next = node + 1;
		if (node->clip == next->clip && !isBroken(examples, node, next))
		{
			out[count++] = (Loose){n, n + 1, -1};
		}
	}
	return count;
}

static int listTransits(const rpExamples* examples, const int* numbers, const rpTransit* transits, int transitCount,
						Loose* out)
{
	for (int k = 0; k < transitCount; ++k)
	{
		const rpTransit* t = &transits[k];
		out[k] = (Loose){numbers[examples->firstFrames[t->fromClip] + t->fromMiddle - t->half],
						 numbers[examples->firstFrames[t->toClip] + t->toMiddle + t->half], k};
	}
	return transitCount;
}

static void addStretch(const rpExamples* examples, rpGraph* graph, const Loose* loose)
{
	const rpGraphNode *node = &graph->nodes[loose->from], *next = &graph->nodes[loose->to];
	uint64_t labels = examples->masks[examples->firstFrames[node->clip] + node->frame];
	graph->sides[graph->edgeCount] = (rpEdgeSides){labels, labels};
	graph->edges[graph->edgeCount++] = (rpGraphEdge){.from = loose->from,
													 .to = loose->to,
													 .frameCount = next->frame - node->frame,
													 .labels = labels,
													 .distance = -1.0f};
}

static void addTransit(const rpExamples* examples, rpGraph* graph, const Loose* loose, const rpTransit* transit)
{
	rpEdgeSides sides = {rpTransit_GetFromLabels(examples, transit), rpTransit_GetToLabels(examples, transit)};
	graph->sides[graph->edgeCount] = sides;
	graph->edges[graph->edgeCount++] = (rpGraphEdge){.from = loose->from,
													 .to = loose->to,
													 .frameCount = 2 * transit->half,
													 .labels = sides.from | sides.to,
													 .alignment = transit->alignment,
													 .distance = transit->distance,
													 .fromMiddle = transit->fromMiddle,
													 .toMiddle = transit->toMiddle};
}

static void indexEdges(rpGraph* graph)
{
	int edge = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		graph->nodes[n].firstEdge = edge;
		while (edge < graph->edgeCount && graph->edges[edge].from == n)
		{
			++edge;
		}
		graph->nodes[n].edgeCount = edge - graph->nodes[n].firstEdge;
	}
}

static bool addEdges(const rpExamples* examples, const int* numbers, const rpTransit* transits, int count,
					 rpGraph* graph, int* transitOf, rpError* error)
{
	Loose* loose = rpAllocate((size_t)graph->nodeCount + (size_t)count, sizeof(Loose), error);
	if (loose == NULL)
	{
		return false;
	}
	int edgeCount = listStretches(examples, graph, loose);
	edgeCount += listTransits(examples, numbers, transits, count, loose + edgeCount);
	qsort(loose, (size_t)edgeCount, sizeof(Loose), compareLoose);
	for (int e = 0; e < edgeCount; ++e)
	{
		transitOf[e] = loose[e].transit;
		if (transitOf[e] >= 0)
		{
			addTransit(examples, graph, &loose[e], &transits[transitOf[e]]);
		}
		else
		{
			addStretch(examples, graph, &loose[e]);
		}
	}
	rpFree(loose);
	indexEdges(graph);
	return true;
}

rpGraph* rpWireGraph(const rpExamples* examples, const rpTransit* transits, int count, int** transitOf, rpError* error)
{
	int frameCount = examples->firstFrames[examples->clipCount];
	int* numbers = rpAllocateZero((size_t)frameCount, sizeof(int), error);
	rpGraph* graph = rpAllocateZero(1, sizeof(rpGraph), error);
	*transitOf = NULL;
	bool done = numbers != NULL && graph != NULL;
	if (done)
	{
		graph->fps = examples->fps;
		graph->halfWindow = examples->half - 1;
		markCuts(examples, transits, count, numbers);
		int nodeCount = numberNodes(numbers, frameCount);
		done = allocate(graph, nodeCount, nodeCount + count, transitOf, error);
	}
	if (done)
	{
		placeNodes(examples, numbers, graph);
		done = addEdges(examples, numbers, transits, count, graph, *transitOf, error);
	}
	rpFree(numbers);
	if (!done)
	{
		rpFree(*transitOf);
		*transitOf = NULL;
		rpDestroyGraph(graph);
		return NULL;
	}
	return graph;
}
