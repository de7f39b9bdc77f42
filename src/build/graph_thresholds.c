/// Thresholds of transitions, chosen by what they connect.
///
/// Kovar's user looks at how connectivity grows with the threshold and takes five minutes; here the smallest thresholds
/// are taken with which a label's motion hangs together, and with which one label can be left for another in time. All
/// candidates are wired once; a threshold is then a choice of edges, and each look at it is linear in their number.
#include "base/memory.h"
#include "build/graph_draft.h"
#include "model/component.h"

#include <stdlib.h>
#include <string.h>

// Thresholds in the table of connectivity, metres apart.
#define TABLE_STEP 0.01f
#define TABLE_COUNT 24

// Where a label cannot have the share that is wanted, this part of what the greatest threshold gives must do.
#define NEARLY_ALL 0.98f

/// All candidates wired, and what is needed to look at a choice of them.
typedef struct Trial
{
	const rpExamples* examples;
	const rpTransit* transits;
	rpGraph* graph;
	int* transitOf;
	/// [edgeCount], labels that a transition leaves and enters; 0 for stretches of a clip.
	uint64_t* fromLabels;
	uint64_t* toLabels;
	/// [edgeCount], [nodeCount] …
	bool* isUsed;
	int* firstEdges;
	int* targets;
	int* component;
	int64_t* frames;
	/// Frames to the goal.
	int* distance;
} Trial;

static void freeTrial(Trial* trial)
{
	rpDestroyGraph(trial->graph);
	rpFree(trial->transitOf);
	rpFree(trial->fromLabels);
	rpFree(trial->toLabels);
	rpFree(trial->isUsed);
	rpFree(trial->firstEdges);
	rpFree(trial->targets);
	rpFree(trial->component);
	rpFree(trial->frames);
	rpFree(trial->distance);
}

static void indexTrial(Trial* trial)
{
	const rpGraph* graph = trial->graph;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		trial->firstEdges[n] = graph->nodes[n].firstEdge;
	}
	trial->firstEdges[graph->nodeCount] = graph->edgeCount;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		trial->targets[e] = graph->edges[e].to;
		int t = trial->transitOf[e];
		trial->fromLabels[e] = t >= 0 ? rpTransit_GetFromLabels(trial->examples, &trial->transits[t]) : 0;
		trial->toLabels[e] = t >= 0 ? rpTransit_GetToLabels(trial->examples, &trial->transits[t]) : 0;
	}
}

static bool makeTrial(Trial* trial, const rpExamples* examples, const rpTransit* transits, int count, rpError* error)
{
	*trial = (Trial){.examples = examples, .transits = transits};
	trial->graph = rpWireGraph(examples, transits, count, &trial->transitOf, error);
	if (trial->graph == NULL)
	{
		return false;
	}
	size_t nodes = (size_t)trial->graph->nodeCount, edges = (size_t)trial->graph->edgeCount;
	trial->fromLabels = rpAllocate(edges, sizeof(uint64_t), error);
	trial->toLabels = rpAllocate(edges, sizeof(uint64_t), error);
	trial->isUsed = rpAllocateZero(edges, sizeof(bool), error);
	trial->firstEdges = rpAllocate(nodes + 1, sizeof(int), error);
	trial->targets = rpAllocate(edges, sizeof(int), error);
	trial->component = rpAllocate(nodes, sizeof(int), error);
	trial->frames = rpAllocate(nodes, sizeof(int64_t), error);
	trial->distance = rpAllocate(nodes, sizeof(int), error);
	if (trial->fromLabels == NULL || trial->toLabels == NULL || trial->isUsed == NULL || trial->firstEdges == NULL ||
		trial->targets == NULL || trial->component == NULL || trial->frames == NULL || trial->distance == NULL)
	{
		return false;
	}
	indexTrial(trial);
	return true;
}

static bool hasLabel(uint64_t labels, int label)
{
	return (labels >> label & 1) != 0;
}

// Whether an edge is a transition from a label to another (or the same).
static bool isBetween(const Trial* trial, int edge, int from, int to)
{
	return (trial->fromLabels[edge] >> from & trial->toLabels[edge] >> to & 1) != 0;
}

// Use the stretches of a label, and its transitions into itself under a threshold.
static void useLabel(Trial* trial, int label, float threshold)
{
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &trial->graph->edges[e];
		trial->isUsed[e] = trial->transitOf[e] < 0 ? hasLabel(edge->labels, label)
												   : edge->distance <= threshold && isBetween(trial, e, label, label);
	}
}

static int64_t countFrames(const Trial* trial, int label)
{
	int64_t count = 0;
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &trial->graph->edges[e];
		count += trial->transitOf[e] < 0 && hasLabel(edge->labels, label) ? edge->frameCount : 0;
	}
	return count;
}

// The component in which the edges in use have the most frames of clips; *frames of them. -1: none, or no memory.
static int findLargest(Trial* trial, int64_t* frames, rpError* error)
{
	const rpGraph* graph = trial->graph;
	rpLinks links = {graph->nodeCount, trial->firstEdges, trial->targets, trial->isUsed};
	int count = rpFindComponents(&links, trial->component, error);
	for (int i = 0; i < count; ++i)
	{
		trial->frames[i] = 0;
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		int from = trial->component[graph->edges[e].from];
		bool isInside = from == trial->component[graph->edges[e].to];
		trial->frames[from] += trial->isUsed[e] && isInside && trial->transitOf[e] < 0 ? graph->edges[e].frameCount : 0;
	}
	int largest = -1;
	*frames = 0;
	for (int i = 0; i < count; ++i)
	{
		if (trial->frames[i] > *frames)
		{
			largest = i;
			*frames = trial->frames[i];
		}
	}
	return count < 0 ? -2 : largest;
}

// Share of a label's frames in its largest component; negative: no memory.
static float getShare(Trial* trial, int label, float threshold, rpError* error)
{
	int64_t inside, all = countFrames(trial, label);
	useLabel(trial, label, threshold);
	int largest = findLargest(trial, &inside, error);
	return largest == -2 ? -1.0f : all > 0 ? (float)inside / (float)all : 0.0f;
}

/// A choice between two labels, or within one.
typedef struct Choice
{
	int from, to;
	/// Thresholds of labels into themselves.
	const float* own;
	int labelCount;
	int longest;
} Choice;

// Frames from each node of `from` to a transition into `to`.
static void findDistances(Trial* trial, const Choice* choice, float threshold)
{
	const rpGraph* graph = trial->graph;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		trial->distance[n] = choice->longest + 1;
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].distance <= threshold && isBetween(trial, e, choice->from, choice->to))
		{
			trial->distance[graph->edges[e].from] = 0;
		}
	}
	// Bellman & Ford over edges in use until nothing changes: a few rounds, since walks are short.
	for (bool isChanged = true; isChanged;)
	{
		isChanged = false;
		for (int e = graph->edgeCount - 1; e >= 0; --e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			int through = trial->distance[edge->to] + edge->frameCount;
			if (trial->isUsed[e] && through < trial->distance[edge->from])
			{
				trial->distance[edge->from] = through;
				isChanged = true;
			}
		}
	}
}

// Share of the nodes in the largest component of `from` that reach `to` in time; negative: no memory.
static float getSwitchShare(Trial* trial, const Choice* choice, float threshold, rpError* error)
{
	int64_t inside;
	useLabel(trial, choice->from, choice->own[choice->from]);
	int largest = findLargest(trial, &inside, error);
	if (largest < 0)
	{
		return largest == -2 ? -1.0f : 0.0f;
	}
	// Only inside the component counts.
	int all = 0;
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		trial->isUsed[e] &= trial->component[trial->graph->edges[e].from] == largest &&
							trial->component[trial->graph->edges[e].to] == largest;
	}
	findDistances(trial, choice, threshold);
	int reached = 0;
	for (int n = 0; n < trial->graph->nodeCount; ++n)
	{
		bool isInside = trial->component[n] == largest;
		all += isInside;
		reached += isInside && trial->distance[n] <= choice->longest;
	}
	return all > 0 ? (float)reached / (float)all : 0.0f;
}

static float look(Trial* trial, const Choice* choice, float threshold, rpError* error)
{
	return choice->from == choice->to ? getShare(trial, choice->from, threshold, error)
									  : getSwitchShare(trial, choice, threshold, error);
}

static int compareFloats(const void* a, const void* b)
{
	float x = *(const float*)a, y = *(const float*)b;
	return (x > y) - (x < y);
}

// The distances that a threshold can be: those of the transitions between the two labels, sorted.
static float* listDistances(const Trial* trial, const Choice* choice, int* count, rpError* error)
{
	float* list = rpAllocate((size_t)trial->graph->edgeCount, sizeof(float), error);
	*count = 0;
	for (int e = 0; list != NULL && e < trial->graph->edgeCount; ++e)
	{
		if (isBetween(trial, e, choice->from, choice->to))
		{
			list[(*count)++] = trial->graph->edges[e].distance;
		}
	}
	if (list != NULL)
	{
		qsort(list, (size_t)*count, sizeof(float), compareFloats);
	}
	return list;
}

// The smallest of the sorted distances whose share is enough; connectivity never falls when transitions are added.
static bool findSmallest(Trial* trial, const Choice* choice, const float* list, int count, float wanted, float* out,
						 rpError* error)
{
	int low = 0, high = count - 1;
	while (low < high)
	{
		int middle = (low + high) / 2;
		float share = look(trial, choice, list[middle], error);
		if (share < 0.0f)
		{
			return false;
		}
		if (share >= wanted)
		{
			high = middle;
		}
		else
		{
			low = middle + 1;
		}
	}
	*out = list[low];
	return true;
}

static bool choose(Trial* trial, const Choice* choice, const rpGraphDef* def, float* out, rpGraphReport* report,
				   rpError* error)
{
	int count;
	float* list = listDistances(trial, choice, &count, error);
	*out = 0.0f;
	if (list == NULL)
	{
		return false;
	}
	float most = count > 0 ? look(trial, choice, list[count - 1], error) : 0.0f;
	float wanted = choice->from == choice->to ? def->wantedShare : 1.0f;
	bool done = most >= 0.0f;
	if (done && most < wanted && choice->from == choice->to)
	{
		done =
			rpGraphReport_Warn(report, error, "only %.0f %% of the frames of \"%s\" can be connected with each other",
							   100.0 * most, trial->examples->labels[choice->from]);
	}
	wanted = most < wanted ? NEARLY_ALL * most : wanted;
	if (done && count > 0 && most > 0.0f)
	{
		done = findSmallest(trial, choice, list, count, wanted, out, error);
	}
	rpFree(list);
	return done;
}

static int countTransits(const Trial* trial, const Choice* choice, float threshold)
{
	int count = 0;
	for (int e = 0; e < trial->graph->edgeCount; ++e)
	{
		count += trial->graph->edges[e].distance <= threshold && isBetween(trial, e, choice->from, choice->to);
	}
	return count;
}

static bool note(Trial* trial, const Choice* choice, float threshold, bool isChosen, rpGraphReport* report,
				 rpError* error)
{
	float share = look(trial, choice, threshold, error);
	int capacity = report->connectivityCount;
	if (share < 0.0f ||
		(capacity % 64 == 0 && (report->connectivity = rpReallocate(report->connectivity, (size_t)capacity + 64,
																	sizeof(rpConnectivity), error)) == NULL))
	{
		return false;
	}
	report->connectivity[report->connectivityCount++] =
		(rpConnectivity){choice->from, choice->to, threshold, countTransits(trial, choice, threshold), share, isChosen};
	return true;
}

static bool tabulate(Trial* trial, const Choice* choice, float chosen, rpGraphReport* report, rpError* error)
{
	// Pairs of labels that nothing connects would only fill the table.
	bool isWanted = report != NULL && countTransits(trial, choice, RP_CANDIDATE_LIMIT) > 0;
	bool done = !isWanted || note(trial, choice, chosen, true, report, error);
	for (int i = 1; isWanted && i <= TABLE_COUNT && done; ++i)
	{
		done = note(trial, choice, TABLE_STEP * (float)i, false, report, error);
	}
	return done;
}

// A threshold that somebody gave for a pair of labels; false if nobody did, or left it to us.
static bool findGiven(const rpExamples* examples, const rpGraphDef* def, int from, int to, float* out)
{
	for (int i = 0; i < def->thresholdCount; ++i)
	{
		const rpThreshold* given = &def->thresholds[i];
		if (strcmp(given->from, examples->labels[from]) == 0 && strcmp(given->to, examples->labels[to]) == 0)
		{
			*out = given->distance > 0.0f ? given->distance : 0.0f;
			return true;
		}
	}
	*out = def->threshold;
	return def->threshold > 0.0f;
}

static bool chooseAll(Trial* trial, const rpGraphDef* def, rpThresholds* out, rpGraphReport* report, rpError* error)
{
	int count = out->labelCount;
	float own[RP_MAX_GRAPH_LABELS];
	// Labels into themselves first: what hangs together decides what must reach the others.
	for (int pass = 0; pass < 2; ++pass)
	{
		for (int k = 0; k < count * count; ++k)
		{
			Choice choice = {k / count, k % count, own, count, (int)(def->wantedSwitch * trial->examples->fps)};
			if ((choice.from == choice.to) != (pass == 0))
			{
				continue;
			}
			float* limit = &out->limits[k];
			if ((!findGiven(trial->examples, def, choice.from, choice.to, limit) &&
				 !choose(trial, &choice, def, limit, report, error)))
			{
				return false;
			}
			if (pass == 0)
			{
				own[choice.from] = *limit;
			}
			if (!tabulate(trial, &choice, *limit, report, error))
			{
				return false;
			}
		}
	}
	return true;
}

bool rpChooseThresholds(const rpExamples* examples, const rpTransit* transits, int count, const rpGraphDef* def,
						rpThresholds* out, rpGraphReport* report, rpError* error)
{
	Trial trial;
	size_t labelCount = (size_t)examples->labelCount;
	*out = (rpThresholds){rpAllocateZero(labelCount * labelCount, sizeof(float), error), examples->labelCount};
	bool done = makeTrial(&trial, examples, transits, count, error) && out->limits != NULL &&
				chooseAll(&trial, def, out, report, error);
	freeTrial(&trial);
	if (!done)
	{
		rpFree(out->limits);
		out->limits = NULL;
	}
	return done;
}

bool rpThresholds_Allow(const rpThresholds* thresholds, const rpExamples* examples, const rpTransit* transit)
{
	uint64_t from = rpTransit_GetFromLabels(examples, transit), to = rpTransit_GetToLabels(examples, transit);
	for (int a = 0; a < thresholds->labelCount; ++a)
	{
		for (int b = 0; b < thresholds->labelCount; ++b)
		{
			if (hasLabel(from, a) && hasLabel(to, b) &&
				transit->distance <= thresholds->limits[a * thresholds->labelCount + b])
			{
				return true;
			}
		}
	}
	return false;
}
