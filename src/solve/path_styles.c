/// Styles along a path: section 4.3 of Kovar's thesis has it that a walk may take up the next style from a length
/// delta-s before the end of one, and must have until it goes on along the path.
///
/// Added: the frames that lie between each node and the next style, so that the search, which sees a few seconds only,
/// comes to one of the few places where the style can change when it is time; and paths over other motions where no
/// transition leads from one style to the next.
#include "base/error.h"
#include "base/memory.h"
#include "model/graph_paths.h"
#include "solve/path_problem.h"

#include <math.h>

#define FAR_AWAY (INT32_MAX / 4)

// So far beyond the end of a style a walk may look for a good path into the next; then it takes the fastest. Metres.
#define LATEST 1.0

double rpPathProblem_GetStyleEnd(const rpPathProblem* problem, int style)
{
	return style + 1 < problem->def->styleCount ? problem->def->styles[style + 1].start : problem->length;
}

static uint64_t getStyleLabels(const rpPathProblem* problem, int style)
{
	uint64_t labels = style < problem->def->styleCount ? problem->def->styles[style].labels : 0;
	return labels != 0 ? labels : UINT64_MAX;
}

// Whether an edge leads into a style: into a stretch of it, by a transition.
static bool leadsInto(const rpPathProblem* problem, int edge, int style)
{
	const rpGraph* graph = problem->graph;
	uint64_t labels = graph->sides != NULL ? graph->sides[edge].to : graph->edges[edge].labels;
	return (labels & getStyleLabels(problem, style)) != 0;
}

// A transition has the labels of both its sides, but must not leave the style for another one.
bool rpPathProblem_IsOfStyle(const rpPathProblem* problem, int edge, int style)
{
	return problem->isOfStyle[(size_t)style * (size_t)problem->graph->edgeCount + (size_t)edge];
}

static bool listEdges(rpPathProblem* problem, rpError* error)
{
	size_t styleCount = problem->def->styleCount > 0 ? (size_t)problem->def->styleCount : 1;
	size_t edgeCount = (size_t)problem->graph->edgeCount;
	problem->isOfStyle = rpAllocate(styleCount * edgeCount, sizeof(bool), error);
	for (size_t i = 0; i < styleCount * edgeCount && problem->isOfStyle != NULL; ++i)
	{
		uint64_t labels = getStyleLabels(problem, (int)(i / edgeCount));
		problem->isOfStyle[i] = rpGraph_StaysIn(problem->graph, (int)(i % edgeCount), labels);
	}
	return problem->isOfStyle != NULL;
}

// Frames that an edge loses on the path to the next style.
static int countLost(const rpPathProblem* problem, const rpStyleChange* change, int edge)
{
	const rpGraphEdge* e = &problem->graph->edges[edge];
	return change->frames[e->to] + e->frameCount - change->frames[e->from];
}

int rpPathProblem_GetStyle(const rpPathProblem* problem, int style, double progress, int edge)
{
	if (style + 1 >= problem->def->styleCount)
	{
		return rpPathProblem_IsOfStyle(problem, edge, style) ? style : -1;
	}
	double end = rpPathProblem_GetStyleEnd(problem, style);
	const rpStyleChange* change = &problem->changes[style];
	if (progress >= end - problem->styleOverlap && leadsInto(problem, edge, style + 1))
	{
		return style + 1;
	}
	bool isOnTheWay = countLost(problem, change, edge) <= 0;
	if (progress > end + LATEST && !isOnTheWay)
	{
		return -1;
	}
	bool mayBridge = change->isBridged && isOnTheWay && progress >= end - problem->styleOverlap;
	return mayBridge || rpPathProblem_IsOfStyle(problem, edge, style) ? style : -1;
}

double rpPathProblem_GetLateSpeed(const rpPathProblem* problem, int style)
{
	bool isLast = style + 1 >= problem->def->styleCount;
	return isLast ? problem->def->progressPerFrame
				  : fmax(problem->changes[style].speed, problem->def->progressPerFrame);
}

// The first moment from a frame on at which a node's path to the next style can end.
static int findMoment(const rpStyleChange* change, int node, int frame)
{
	const uint64_t* moments = change->moments + (size_t)node * rp_changeWords;
	for (int word = frame / 64; word < rp_changeWords; ++word)
	{
		uint64_t bits = word == frame / 64 ? moments[word] >> (frame % 64) << (frame % 64) : moments[word];
		for (int bit = 0; bits != 0; ++bit, bits >>= 1)
		{
			if ((bits & 1) != 0)
			{
				return 64 * word + bit;
			}
		}
	}
	// Beyond what is known: from there at least the fastest path.
	return frame > 64 * rp_changeWords ? frame : 64 * rp_changeWords;
}

double rpPathProblem_GetDetour(const rpPathProblem* problem, int style, double progress, int node, int left)
{
	if (style + 1 >= problem->def->styleCount)
	{
		return 0.0;
	}
	const rpStyleChange* change = &problem->changes[style];
	if (change->frames[node] >= FAR_AWAY)
	{
		return (double)INFINITY;
	}
	// To be there too early is of no use: what counts is the first moment at which the style may change.
	double ahead = (rpPathProblem_GetStyleEnd(problem, style) - progress) / change->speed;
	int first = (int)(ahead - problem->styleOverlap / change->speed) - left;
	int moment = findMoment(change, node, first > 0 ? first : 0) + left;
	// Frames too many lead away from the end of the style and back, in a straight line at the most.
	double more = moment - (ahead > 0.0 ? ahead : 0.0), distance = change->speed * more;
	return more > 0.0 ? more * distance * distance / 6.0 : 0.0;
}

// ---- the path to the next style

/// By which edges the next style may be reached.
typedef struct Bridge
{
	const rpPathProblem* problem;
	int style;
	bool takeAny;
} Bridge;

static int getBridgeLength(const rpGraph* graph, int edge, const void* context)
{
	const Bridge* bridge = context;
	bool isTaken = bridge->takeAny || rpPathProblem_IsOfStyle(bridge->problem, edge, bridge->style);
	return isTaken ? graph->edges[edge].frameCount : -1;
}

// From where an edge leads into the next style it takes no frames.
static bool findFrames(const rpPathProblem* problem, int style, bool takeAny, int* frames, rpError* error)
{
	const rpGraph* graph = problem->graph;
	Bridge bridge = {problem, style, takeAny};
	rpGraphPaths paths;
	bool done = rpGraphPaths_Create(&paths, graph, true, error);
	if (done)
	{
		paths.getLength = getBridgeLength;
		paths.context = &bridge;
		rpGraphPaths_Clear(&paths);
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			if (leadsInto(problem, e, style + 1))
			{
				rpGraphPaths_Start(&paths, graph->edges[e].from, 0);
			}
		}
		rpGraphPaths_Search(&paths, NULL);
		for (int n = 0; n < graph->nodeCount; ++n)
		{
			frames[n] = paths.distances[n] < FAR_AWAY ? paths.distances[n] : FAR_AWAY;
		}
	}
	rpGraphPaths_Free(&paths);
	return done;
}

static bool hasMoment(const rpStyleChange* change, int node, int frame)
{
	return (change->moments[(size_t)node * rp_changeWords + (size_t)(frame / 64)] >> (frame % 64) & 1) != 0;
}

// Moment by moment: an edge takes those of its end to its start.
static void findMoments(const rpPathProblem* problem, int style, rpStyleChange* change)
{
	const rpGraph* graph = problem->graph;
	for (int frame = 0; frame < 64 * rp_changeWords; ++frame)
	{
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			bool isLast = frame == 0 && leadsInto(problem, e, style + 1);
			bool isOnTheWay = frame >= edge->frameCount && hasMoment(change, edge->to, frame - edge->frameCount) &&
							  (change->isBridged || rpPathProblem_IsOfStyle(problem, e, style));
			if (isLast || isOnTheWay)
			{
				change->moments[(size_t)edge->from * rp_changeWords + (size_t)(frame / 64)] |= 1ull << (frame % 64);
			}
		}
	}
}

// Whether an edge of a style leads to where the path to the next ends.
static bool hasPath(const rpPathProblem* problem, int style, const int* frames)
{
	for (int e = 0; e < problem->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &problem->graph->edges[e];
		if (frames[edge->to] < FAR_AWAY && rpPathProblem_IsOfStyle(problem, e, style))
		{
			return true;
		}
	}
	return false;
}

static double getMeanSpeed(const rpPathProblem* problem, int style)
{
	const rpGraph* graph = problem->graph;
	double distance = 0.0, frames = 0.0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (!rpGraphEdge_IsTransition(edge) && rpPathProblem_IsOfStyle(problem, e, style))
		{
			distance += graph->lengths[edge->firstPoint + edge->frameCount];
			frames += edge->frameCount;
		}
	}
	return fmax(frames > 0.0 ? distance / frames : 0.0, problem->def->progressPerFrame);
}

static bool findChange(const rpPathProblem* problem, int style, rpError* error)
{
	rpStyleChange* change = &problem->changes[style];
	change->frames = rpAllocate((size_t)problem->graph->nodeCount, sizeof(int), error);
	change->moments = rpAllocateZero((size_t)problem->graph->nodeCount * rp_changeWords, sizeof(uint64_t), error);
	if (change->frames == NULL || change->moments == NULL)
	{
		return false;
	}
	change->speed = fmax(getMeanSpeed(problem, style), 1e-3);
	if (!findFrames(problem, style, false, change->frames, error))
	{
		return false;
	}
	change->isBridged = !hasPath(problem, style, change->frames);
	if (change->isBridged && !findFrames(problem, style, true, change->frames, error))
	{
		return false;
	}
	findMoments(problem, style, change);
	return hasPath(problem, style, change->frames) ||
		   rpFail(error, rp_errorNoSolution, "the graph has no path from style %d of the path to style %d", style + 1,
				  style + 2);
}

bool rpPathProblem_LayStyles(rpPathProblem* problem, rpError* error)
{
	int count = problem->def->styleCount;
	if (!listEdges(problem, error) || count < 2)
	{
		return problem->isOfStyle != NULL;
	}
	problem->changes = rpAllocateZero((size_t)count, sizeof(rpStyleChange), error);
	bool done = problem->changes != NULL;
	for (int i = 0; i + 1 < count && done; ++i)
	{
		done = findChange(problem, i, error);
	}
	return done;
}

void rpPathProblem_FreeStyles(rpPathProblem* problem)
{
	rpFree(problem->isOfStyle);
	for (int i = 0; i < problem->def->styleCount && problem->changes != NULL; ++i)
	{
		rpFree(problem->changes[i].frames);
		rpFree(problem->changes[i].moments);
	}
	rpFree(problem->changes);
}
