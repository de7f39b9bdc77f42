/// What a person should know of a graph: a few lines, however many labels there are.
#include "base/memory.h"
#include "build/graph_draft.h"

#include <stdio.h>

// A component with less of its label's frames than this is small.
#define SMALL_SHARE 0.5

/// A list of labels for a line of text; those that have no room are counted.
typedef struct List
{
	char text[200];
	size_t size;
	int count, more;
} List;

static void addName(List* list, const char* name, double share)
{
	++list->count;
	if (list->size + 60 > sizeof(list->text))
	{
		++list->more;
		return;
	}
	char* at = list->text + list->size;
	size_t room = sizeof(list->text) - list->size;
	const char* comma = list->count > 1 ? ", " : "";
	list->size += (size_t)(share < 0.0 ? snprintf(at, room, "%s\"%.30s\"", comma, name)
									   : snprintf(at, room, "%s\"%.30s\" (%.0f %%)", comma, name, 100.0 * share));
}

static void endList(List* list)
{
	if (list->more > 0)
	{
		snprintf(list->text + list->size, sizeof(list->text) - list->size, " and %d more", list->more);
	}
}

/// What is looked at.
typedef struct Look
{
	const rpGraph* graph;
	const rpExamples* examples;

	/// [labelCount * nodeCount] the nodes of each label's component; [labelCount] how many, and share of its frames.
	bool* components;
	int* sizes;
	double* shares;

	/// [labelCount] bits of the labels that a label does not reach.
	uint64_t* missed;

	/// [nodeCount]
	bool* seen;
	int* stack;
} Look;

static double getShare(const Look* look, int label)
{
	const rpExamples* examples = look->examples;
	const bool* inComponent = look->components + (size_t)label * (size_t)look->graph->nodeCount;
	double all = 0.0, inside = 0.0;
	for (int f = 0; f < examples->firstFrames[examples->clipCount]; ++f)
	{
		all += (double)(examples->masks[f] >> label & 1);
	}
	for (int e = 0; e < look->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &look->graph->edges[e];
		bool isInside = edge->distance < 0.0f && (edge->labels >> label & 1) != 0 && inComponent[edge->from];
		inside += isInside && inComponent[edge->to] ? edge->frameCount : 0;
	}
	return all > 0.0 ? inside / all : 0.0;
}

// Mark all nodes that can be reached from a label's component.
static void findReached(Look* look, int label)
{
	const rpGraph* graph = look->graph;
	const bool* from = look->components + (size_t)label * (size_t)graph->nodeCount;
	int count = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		look->seen[n] = from[n];
		look->stack[count] = n;
		count += from[n];
	}
	while (count > 0)
	{
		int node = look->stack[--count];
		for (int k = 0; k < graph->nodes[node].edgeCount; ++k)
		{
			int next = graph->edges[graph->nodes[node].firstEdge + k].to;
			if (!look->seen[next])
			{
				look->seen[next] = true;
				look->stack[count++] = next;
			}
		}
	}
}

static bool isReached(const Look* look, int label)
{
	const bool* nodes = look->components + (size_t)label * (size_t)look->graph->nodeCount;
	for (int n = 0; n < look->graph->nodeCount; ++n)
	{
		if (nodes[n] && look->seen[n])
		{
			return true;
		}
	}
	return false;
}

static bool lookAround(Look* look, rpError* error)
{
	for (int a = 0; a < look->examples->labelCount; ++a)
	{
		look->sizes[a] =
			rpGraph_FindComponent(look->graph, a, look->components + (size_t)a * (size_t)look->graph->nodeCount, error);
		look->shares[a] = getShare(look, a);
		if (look->sizes[a] < 0)
		{
			return false;
		}
	}
	for (int a = 0; a < look->examples->labelCount; ++a)
	{
		findReached(look, a);
		for (int b = 0; b < look->examples->labelCount && look->sizes[a] > 0; ++b)
		{
			uint64_t isMissed = look->sizes[b] > 0 && !isReached(look, b);
			look->missed[a] |= isMissed << b;
		}
	}
	return true;
}

static bool warnOfSmall(const Look* look, rpGraphReport* report, rpError* error)
{
	List none = {0}, small = {0};
	for (int a = 0; a < look->examples->labelCount; ++a)
	{
		if (look->sizes[a] == 0)
		{
			addName(&none, look->examples->labels[a], -1.0);
		}
		else if (look->shares[a] < SMALL_SHARE)
		{
			addName(&small, look->examples->labels[a], look->shares[a]);
		}
	}
	endList(&none);
	endList(&small);
	return (none.count == 0 ||
			rpGraphReport_Warn(report, error, "nothing goes on for ever of %s: left out", none.text)) &&
		   (small.count == 0 ||
			rpGraphReport_Warn(report, error, "less than half of the motion goes on for ever of %s", small.text));
}

// One line for all labels that miss the same others.
static bool warnOfMissed(Look* look, rpGraphReport* report, rpError* error)
{
	for (int a = 0; a < look->examples->labelCount; ++a)
	{
		List from = {0}, to = {0};
		uint64_t missed = look->missed[a];
		for (int b = 0; missed != 0 && b < look->examples->labelCount; ++b)
		{
			if (look->missed[b] == missed)
			{
				addName(&from, look->examples->labels[b], -1.0);
				look->missed[b] = 0;
			}
			if ((missed >> b & 1) != 0)
			{
				addName(&to, look->examples->labels[b], -1.0);
			}
		}
		endList(&from);
		endList(&to);
		if (missed != 0 && !rpGraphReport_Warn(report, error, "from %s there is no way to %s", from.text, to.text))
		{
			return false;
		}
	}
	return true;
}

bool rpWarnOfGraph(const rpGraph* graph, const rpExamples* examples, rpGraphReport* report, rpError* error)
{
	if (report == NULL)
	{
		return true;
	}
	size_t labelCount = (size_t)examples->labelCount, nodeCount = (size_t)graph->nodeCount;
	Look look = {
		.graph = graph,
		.examples = examples,
		.components = rpAllocateZero(labelCount * nodeCount, sizeof(bool), error),
		.sizes = rpAllocate(labelCount, sizeof(int), error),
		.shares = rpAllocate(labelCount, sizeof(double), error),
		.missed = rpAllocateZero(labelCount, sizeof(uint64_t), error),
		.seen = rpAllocate(nodeCount, sizeof(bool), error),
		.stack = rpAllocate(nodeCount + 1, sizeof(int), error),
	};
	bool done = look.components != NULL && look.sizes != NULL && look.shares != NULL && look.missed != NULL &&
				look.seen != NULL && look.stack != NULL && lookAround(&look, error) &&
				warnOfSmall(&look, report, error) && warnOfMissed(&look, report, error);
	rpFree(look.components);
	rpFree(look.sizes);
	rpFree(look.shares);
	rpFree(look.missed);
	rpFree(look.seen);
	rpFree(look.stack);
	return done;
}
