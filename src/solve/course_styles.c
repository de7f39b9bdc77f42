/// Styles along a path: section 4.3 of Kovar's thesis has it that a walk may take up the next style from a length
/// delta-s before the end of one, and must have until it goes on along the path.
///
/// Added: the frames that lie between each node and the next style, so that the search, which sees a few seconds only,
/// comes to one of the few places where the style can change when it is time; and ways over other motions where no
/// transition leads from one style to the next.
#include "base/error.h"
#include "base/memory.h"
#include "model/graph_paths.h"
#include "solve/course.h"

#include <math.h>

#define FAR_AWAY (INT32_MAX / 4)

// So far beyond the end of a style a walk may look for a good way into the next; then it takes the fastest. Metres.
#define LATEST 1.0

double rpCourse_GetStyleEnd(const rpCourse* course, int style)
{
	return style + 1 < course->def->styleCount ? course->def->styles[style + 1].start : course->length;
}

static uint64_t getStyleLabels(const rpCourse* course, int style)
{
	uint64_t labels = style < course->def->styleCount ? course->def->styles[style].labels : 0;
	return labels != 0 ? labels : UINT64_MAX;
}

// Whether an edge leads into a style: into a stretch of it, by a transition.
static bool leadsInto(const rpCourse* course, int edge, int style)
{
	const rpGraph* graph = course->graph;
	uint64_t labels = graph->sides != NULL ? graph->sides[edge].to : graph->edges[edge].labels;
	return (labels & getStyleLabels(course, style)) != 0;
}

// A transition has the labels of both its sides, but must not leave the style for another one.
bool rpCourse_IsOfStyle(const rpCourse* course, int edge, int style)
{
	return course->isOfStyle[(size_t)style * (size_t)course->graph->edgeCount + (size_t)edge];
}

static bool listEdges(rpCourse* course, rpError* error)
{
	size_t styleCount = course->def->styleCount > 0 ? (size_t)course->def->styleCount : 1;
	size_t edgeCount = (size_t)course->graph->edgeCount;
	course->isOfStyle = rpAllocate(styleCount * edgeCount, sizeof(bool), error);
	for (size_t i = 0; i < styleCount * edgeCount && course->isOfStyle != NULL; ++i)
	{
		uint64_t labels = getStyleLabels(course, (int)(i / edgeCount));
		course->isOfStyle[i] = rpGraph_StaysIn(course->graph, (int)(i % edgeCount), labels);
	}
	return course->isOfStyle != NULL;
}

// Frames that an edge loses on the way to the next style.
static int countLost(const rpCourse* course, const rpStyleChange* change, int edge)
{
	const rpGraphEdge* e = &course->graph->edges[edge];
	return change->frames[e->to] + e->frameCount - change->frames[e->from];
}

int rpCourse_GetStyle(const rpCourse* course, int style, double progress, int edge)
{
	if (style + 1 >= course->def->styleCount)
	{
		return rpCourse_IsOfStyle(course, edge, style) ? style : -1;
	}
	double end = rpCourse_GetStyleEnd(course, style);
	const rpStyleChange* change = &course->changes[style];
	if (progress >= end - course->styleReach && leadsInto(course, edge, style + 1))
	{
		return style + 1;
	}
	bool isOnTheWay = countLost(course, change, edge) <= 0;
	if (progress > end + LATEST && !isOnTheWay)
	{
		return -1;
	}
	bool mayBridge = change->isBridged && isOnTheWay && progress >= end - course->styleReach;
	return mayBridge || rpCourse_IsOfStyle(course, edge, style) ? style : -1;
}

double rpCourse_GetLateSpeed(const rpCourse* course, int style)
{
	bool isLast = style + 1 >= course->def->styleCount;
	return isLast ? course->def->progressPerFrame : fmax(course->changes[style].speed, course->def->progressPerFrame);
}

// The first moment from a frame on at which a node's way to the next style can end.
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
	// Beyond what is known: from there the fastest way, at least.
	return frame > 64 * rp_changeWords ? frame : 64 * rp_changeWords;
}

double rpCourse_GetDetour(const rpCourse* course, int style, double progress, int node, int left)
{
	if (style + 1 >= course->def->styleCount)
	{
		return 0.0;
	}
	const rpStyleChange* change = &course->changes[style];
	if (change->frames[node] >= FAR_AWAY)
	{
		return (double)INFINITY;
	}
	// To be there too early is of no use: what counts is the first moment at which the style may change.
	double ahead = (rpCourse_GetStyleEnd(course, style) - progress) / change->speed;
	int first = (int)(ahead - course->styleReach / change->speed) - left;
	int moment = findMoment(change, node, first > 0 ? first : 0) + left;
	// Frames too many lead away from the end of the style and back, in a straight line at the most.
	double more = moment - (ahead > 0.0 ? ahead : 0.0), way = change->speed * more;
	return more > 0.0 ? more * way * way / 6.0 : 0.0;
}

// ---- the way to the next style

/// By which edges the next style may be reached.
typedef struct Bridge
{
	const rpCourse* course;
	int style;
	bool takeAny;
} Bridge;

static int getBridgeLength(const rpGraph* graph, int edge, const void* context)
{
	const Bridge* bridge = context;
	bool isTaken = bridge->takeAny || rpCourse_IsOfStyle(bridge->course, edge, bridge->style);
	return isTaken ? graph->edges[edge].frameCount : -1;
}

// From where an edge leads into the next style it takes no frames.
static bool findFrames(const rpCourse* course, int style, bool takeAny, int* frames, rpError* error)
{
	const rpGraph* graph = course->graph;
	Bridge bridge = {course, style, takeAny};
	rpGraphPaths paths;
	bool done = rpGraphPaths_Create(&paths, graph, true, error);
	if (done)
	{
		paths.getLength = getBridgeLength;
		paths.context = &bridge;
		rpGraphPaths_Clear(&paths);
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			if (leadsInto(course, e, style + 1))
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
static void findMoments(const rpCourse* course, int style, rpStyleChange* change)
{
	const rpGraph* graph = course->graph;
	for (int frame = 0; frame < 64 * rp_changeWords; ++frame)
	{
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			bool isLast = frame == 0 && leadsInto(course, e, style + 1);
			bool isOnTheWay = frame >= edge->frameCount && hasMoment(change, edge->to, frame - edge->frameCount) &&
							  (change->isBridged || rpCourse_IsOfStyle(course, e, style));
			if (isLast || isOnTheWay)
			{
				change->moments[(size_t)edge->from * rp_changeWords + (size_t)(frame / 64)] |= 1ull << (frame % 64);
			}
		}
	}
}

// Whether an edge of a style leads to where the way to the next ends.
static bool hasWay(const rpCourse* course, int style, const int* frames)
{
	for (int e = 0; e < course->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &course->graph->edges[e];
		if (frames[edge->to] < FAR_AWAY && rpCourse_IsOfStyle(course, e, style))
		{
			return true;
		}
	}
	return false;
}

static double getMeanSpeed(const rpCourse* course, int style)
{
	const rpGraph* graph = course->graph;
	double way = 0.0, frames = 0.0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (!rpGraphEdge_IsTransition(edge) && rpCourse_IsOfStyle(course, e, style))
		{
			way += graph->lengths[edge->firstPoint + edge->frameCount];
			frames += edge->frameCount;
		}
	}
	return fmax(frames > 0.0 ? way / frames : 0.0, course->def->progressPerFrame);
}

static bool findChange(const rpCourse* course, int style, rpError* error)
{
	rpStyleChange* change = &course->changes[style];
	change->frames = rpAllocate((size_t)course->graph->nodeCount, sizeof(int), error);
	change->moments = rpAllocateZero((size_t)course->graph->nodeCount * rp_changeWords, sizeof(uint64_t), error);
	if (change->frames == NULL || change->moments == NULL)
	{
		return false;
	}
	change->speed = fmax(getMeanSpeed(course, style), 1e-3);
	if (!findFrames(course, style, false, change->frames, error))
	{
		return false;
	}
	change->isBridged = !hasWay(course, style, change->frames);
	if (change->isBridged && !findFrames(course, style, true, change->frames, error))
	{
		return false;
	}
	findMoments(course, style, change);
	return hasWay(course, style, change->frames) ||
		   rpFail(error, rp_errorNoSolution, "the graph has no way from style %d of the path to style %d", style + 1,
				  style + 2);
}

bool rpCourse_LayStyles(rpCourse* course, rpError* error)
{
	int count = course->def->styleCount;
	if (!listEdges(course, error) || count < 2)
	{
		return course->isOfStyle != NULL;
	}
	course->changes = rpAllocateZero((size_t)count, sizeof(rpStyleChange), error);
	bool done = course->changes != NULL;
	for (int i = 0; i + 1 < count && done; ++i)
	{
		done = findChange(course, i, error);
	}
	return done;
}

void rpCourse_FreeStyles(rpCourse* course)
{
	rpFree(course->isOfStyle);
	for (int i = 0; i < course->def->styleCount && course->changes != NULL; ++i)
	{
		rpFree(course->changes[i].frames);
		rpFree(course->changes[i].moments);
	}
	rpFree(course->changes);
}
