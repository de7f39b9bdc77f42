/// What a person should know of a graph: a few lines, however many labels there are.
#include "base/memory.h"
#include "build/graph_draft.h"
#include "build/kept_paths.h"

#include <math.h>
#include <stdio.h>

// What to do about labels that are not reached.
#define MEND "add clips that go from the one to the other, or give these pairs a threshold"

/// A list of labels for a line of text; those that have no room are counted.
typedef struct List
{
	char text[200];
	size_t size;
	int count, more;
} List;

static void addText(List* list, const char* text)
{
	++list->count;
	if (list->size + 60 > sizeof(list->text))
	{
		++list->more;
		return;
	}
	size_t room = sizeof(list->text) - list->size;
	list->size += (size_t)snprintf(list->text + list->size, room, "%s%.56s", list->count > 1 ? ", " : "", text);
}

static void addName(List* list, const char* name, double share)
{
	char text[64];
	int size = snprintf(text, sizeof(text), "\"%.30s\"", name);
	if (share >= 0.0)
	{
		snprintf(text + size, sizeof(text) - (size_t)size, " (%.0f %%)", 100.0 * share);
	}
	addText(list, text);
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

	/// [labelCount * nodeCount] the nodes of each label's component, or where that is small all that the graph has of
	/// the label; [labelCount] how many, and share of its frames.
	bool* components;
	int* sizes;
	double* shares;

	/// [labelCount * nodeCount] all nodes of each label, whether they hang together or not.
	bool* bearers;

	/// Bits of the labels of which nothing goes on for ever.
	uint64_t passing;

	/// [labelCount] bits of the labels that a label does not reach from anywhere, and that it does from a part alone.
	uint64_t *missed, *partly;

	/// [labelCount * labelCount] mean seconds from the nodes of one label that reach the other's to those; INFINITY: no
	/// path.
	double* times;

	/// [nodeCount] frames to the label at hand.
	double* frames;
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
		bool isInside = !rpGraphEdge_IsTransition(edge) && (edge->labels >> label & 1) != 0 && inComponent[edge->from];
		inside += isInside && inComponent[edge->to] ? edge->frameCount : 0;
	}
	return all > 0.0 ? inside / all : 0.0;
}

static const bool* getComponent(const Look* look, int label)
{
	return look->components + (size_t)label * (size_t)look->graph->nodeCount;
}

static bool* getBearers(const Look* look, int label)
{
	return look->bearers + (size_t)label * (size_t)look->graph->nodeCount;
}

// Frames from each node to some of them: shorter paths are looked for until there are none. Most edges lead on
// in their clip, so a few rounds from the back will do.
static void findPaths(Look* look, const bool* goals)
{
	const rpGraph* graph = look->graph;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		look->frames[n] = goals[n] ? 0.0 : INFINITY;
	}
	for (bool changed = true; changed;)
	{
		changed = false;
		for (int e = graph->edgeCount - 1; e >= 0; --e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			double total = edge->frameCount + look->frames[edge->to];
			if (total < look->frames[edge->from])
			{
				look->frames[edge->from] = total;
				changed = true;
			}
		}
	}
}

// Mean seconds from some nodes, of those that lead to what paths were found to; INFINITY if none does. isWhole: whether
// all do.
static double getMeanTime(const Look* look, const bool* nodes, bool* isWhole)
{
	double sum = 0.0;
	int count = 0;
	*isWhole = true;
	for (int n = 0; n < look->graph->nodeCount; ++n)
	{
		bool leads = nodes[n] && isfinite(look->frames[n]);
		sum += leads ? look->frames[n] : 0.0;
		count += leads;
		*isWhole &= leads || !nodes[n];
	}
	return count > 0 ? sum / count / look->graph->fps : (double)INFINITY;
}

static void markBearers(Look* look, int label)
{
	const rpGraph* graph = look->graph;
	bool* nodes = getBearers(look, label);
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		bool stays = rpGraph_StaysIn(graph, e, 1ull << label);
		nodes[graph->edges[e].from] |= stays;
		nodes[graph->edges[e].to] |= stays;
	}
}

// Take all nodes of a label in place of its component: paths lead through it.
static void takeAll(Look* look, int label)
{
	bool* nodes = look->components + (size_t)label * (size_t)look->graph->nodeCount;
	look->sizes[label] = 0;
	for (int n = 0; n < look->graph->nodeCount; ++n)
	{
		nodes[n] |= getBearers(look, label)[n];
		look->sizes[label] += nodes[n];
	}
	look->shares[label] = getShare(look, label);
}

// What reaches a label, and how soon. That there is no path is said only of all nodes that bear the labels.
static void findTimes(Look* look, int to)
{
	int count = look->examples->labelCount;
	bool isWhole = true;
	uint64_t unsure = 0;
	findPaths(look, getComponent(look, to));
	for (int from = 0; from < count; ++from)
	{
		double* seconds = &look->times[from * count + to];
		*seconds = look->sizes[from] > 0 ? getMeanTime(look, getComponent(look, from), &isWhole) : 0.0;
		unsure |= look->sizes[from] > 0 && !isWhole ? 1ull << from : 0;
	}
	if (unsure != 0)
	{
		findPaths(look, getBearers(look, to));
	}
	for (int from = 0; from < count; ++from)
	{
		bool isUnsure = (unsure >> from & 1) != 0;
		bool isMissed = isUnsure && isinf(getMeanTime(look, getBearers(look, from), &isWhole));
		look->missed[from] |= (uint64_t)isMissed << to;
		look->partly[from] |= (uint64_t)(isUnsure && !isMissed && !isWhole) << to;
	}
}

static bool lookAround(Look* look, rpError* error)
{
	for (int a = 0; a < look->examples->labelCount; ++a)
	{
		markBearers(look, a);
		look->sizes[a] =
			rpGraph_FindComponent(look->graph, a, look->components + (size_t)a * (size_t)look->graph->nodeCount, error);
		look->shares[a] = getShare(look, a);
		look->passing |= (uint64_t)(look->sizes[a] == 0) << a;
		if (look->sizes[a] < 0)
		{
			return false;
		}
		if (look->shares[a] < RP_SMALL_LABEL)
		{
			takeAll(look, a);
		}
	}
	for (int b = 0; b < look->examples->labelCount; ++b)
	{
		if (look->sizes[b] > 0)
		{
			findTimes(look, b);
		}
	}
	return true;
}

static bool warnOfSmall(const Look* look, rpGraphReport* report, rpError* error)
{
	List none = {0}, passing = {0}, small = {0};
	for (int a = 0; a < look->examples->labelCount; ++a)
	{
		if (look->sizes[a] == 0)
		{
			addName(&none, look->examples->labels[a], -1.0);
		}
		else if (look->shares[a] < RP_SMALL_LABEL)
		{
			addName(&small, look->examples->labels[a], look->shares[a]);
		}
		if (look->sizes[a] > 0 && (look->passing >> a & 1) != 0)
		{
			addName(&passing, look->examples->labels[a], -1.0);
		}
	}
	endList(&none);
	endList(&passing);
	endList(&small);
	return (none.count == 0 || rpGraphReport_Warn(report, error,
												  "nothing goes on for ever of %s, and no path leads through it: "
												  "left out",
												  none.text)) &&
		   (passing.count == 0 ||
			rpGraphReport_Warn(report, error, "nothing goes on for ever of %s: only passed through", passing.text)) &&
		   (small.count == 0 ||
			rpGraphReport_Warn(report, error, "less than half of the motion is in the graph of %s", small.text));
}

// One line for all labels that miss the same others, bits of [labelCount], which are cleared.
static bool warnOfMissed(const Look* look, uint64_t* missing, const char* what, rpGraphReport* report, rpError* error)
{
	for (int a = 0; a < look->examples->labelCount; ++a)
	{
		List from = {0}, to = {0};
		uint64_t missed = missing[a];
		for (int b = 0; missed != 0 && b < look->examples->labelCount; ++b)
		{
			if (missing[b] == missed)
			{
				addName(&from, look->examples->labels[b], -1.0);
				missing[b] = 0;
			}
			if ((missed >> b & 1) != 0)
			{
				addName(&to, look->examples->labels[b], -1.0);
			}
		}
		endList(&from);
		endList(&to);
		if (missed != 0 &&
			!rpGraphReport_Warn(report, error, "from %s%s there is no path to %s: " MEND, what, from.text, to.text))
		{
			return false;
		}
	}
	return true;
}

// The slowest change of those that are slower than the last one reported, -1: none.
static int findSlowest(const Look* look, double min, double last, int lastPair)
{
	int count = look->examples->labelCount, slowest = -1;
	for (int k = 0; k < count * count; ++k)
	{
		double seconds = look->times[k];
		bool isNext = isfinite(seconds) && seconds > min && (seconds < last || (seconds == last && k > lastPair));
		slowest = isNext && (slowest < 0 || seconds > look->times[slowest]) ? k : slowest;
	}
	return slowest;
}

// Changes that take longer than was wanted, the slowest first.
static bool warnOfSlow(const Look* look, double wanted, rpGraphReport* report, rpError* error)
{
	int count = look->examples->labelCount;
	char** labels = look->examples->labels;
	List slow = {0};
	double last = INFINITY;
	for (int k = findSlowest(look, wanted, last, -1); k >= 0; k = findSlowest(look, wanted, last, k))
	{
		char change[80];
		last = look->times[k];
		snprintf(change, sizeof(change), "%.20s to %.20s in %.1f s", labels[k / count], labels[k % count], last);
		addText(&slow, change);
	}
	endList(&slow);
	return slow.count == 0 ||
		   rpGraphReport_Warn(report, error, "changes that take longer than %g s on average: %s: " MEND, wanted,
							  slow.text);
}

bool rpWarnOfGraph(const rpGraph* graph, const rpExamples* examples, double wantedSwitch, rpGraphReport* report,
				   rpError* error)
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
		.bearers = rpAllocateZero(labelCount * nodeCount, sizeof(bool), error),
		.sizes = rpAllocate(labelCount, sizeof(int), error),
		.shares = rpAllocate(labelCount, sizeof(double), error),
		.missed = rpAllocateZero(labelCount, sizeof(uint64_t), error),
		.partly = rpAllocateZero(labelCount, sizeof(uint64_t), error),
		.times = rpAllocateZero(labelCount * labelCount, sizeof(double), error),
		.frames = rpAllocate(nodeCount, sizeof(double), error),
	};
	bool done = look.components != NULL && look.bearers != NULL && look.sizes != NULL && look.shares != NULL &&
				look.missed != NULL && look.partly != NULL && look.times != NULL && look.frames != NULL &&
				lookAround(&look, error) && warnOfSmall(&look, report, error) &&
				warnOfMissed(&look, look.missed, "", report, error) &&
				warnOfMissed(&look, look.partly, "parts of ", report, error) &&
				warnOfSlow(&look, wantedSwitch, report, error);
	rpFree(look.components);
	rpFree(look.bearers);
	rpFree(look.sizes);
	rpFree(look.shares);
	rpFree(look.missed);
	rpFree(look.partly);
	rpFree(look.times);
	rpFree(look.frames);
	return done;
}
