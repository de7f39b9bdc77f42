/// Styles along a path: section 4.3 of Kovar's thesis has it that a walk may take up the next style from a length
/// delta-s before the end of one, and must have until it goes on along the path.
///
/// Added: the frames that lie between each node and the next style, so that the search, which sees a few seconds only,
/// comes to one of the few places where the style can change when it is time; and ways over other motions where no
/// transition leads from one style to the next.
#include "base/error.h"
#include "base/memory.h"
#include "solve/course.h"

#include <math.h>

#define FAR_AWAY (INT32_MAX / 2)

double rpCourse_GetStyleEnd(const rpCourse* course, int style)
{
	return style + 1 < course->def->styleCount ? course->def->styles[style + 1].start : course->length;
}

bool rpCourse_IsOfStyle(const rpCourse* course, const rpGraphEdge* edge, int style)
{
	uint64_t labels = style < course->def->styleCount ? course->def->styles[style].labels : 0;
	return labels == 0 || (edge->labels & labels) != 0;
}

int rpCourse_GetStyle(const rpCourse* course, int style, double progress, const rpGraphEdge* edge)
{
	bool mayChange =
		style + 1 < course->def->styleCount && progress >= rpCourse_GetStyleEnd(course, style) - course->styleReach;
	if (mayChange && rpCourse_IsOfStyle(course, edge, style + 1))
	{
		return style + 1;
	}
	if (rpCourse_IsOfStyle(course, edge, style))
	{
		return style;
	}
	const rpStyleChange* change = mayChange ? &course->changes[style] : NULL;
	bool isOnTheWay = change != NULL && change->isBridged &&
					  change->frames[edge->to] + edge->frameCount <= change->frames[edge->from];
	return isOnTheWay ? style : -1;
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
	// Those too many lead away from the end of the style and back, in a straight line at the most.
	double ahead = (rpCourse_GetStyleEnd(course, style) - progress) / change->speed;
	double more = change->frames[node] + left - (ahead > 0.0 ? ahead : 0.0), way = change->speed * more;
	return more > 0.0 ? more * way * way / 6.0 : 0.0;
}

// ---- the way to the next style

// Bellman & Ford over the edges until nothing changes: a few rounds, since ways are short.
static void findFrames(const rpCourse* course, int style, bool takeAny, int* frames)
{
	const rpGraph* graph = course->graph;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		frames[n] = FAR_AWAY;
	}
	for (bool isChanged = true; isChanged;)
	{
		isChanged = false;
		for (int e = graph->edgeCount - 1; e >= 0; --e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			bool isLast = rpCourse_IsOfStyle(course, edge, style + 1);
			bool isTaken = takeAny || rpCourse_IsOfStyle(course, edge, style);
			int through = isLast ? 0 : isTaken ? frames[edge->to] + edge->frameCount : FAR_AWAY;
			if (through < frames[edge->from])
			{
				frames[edge->from] = through;
				isChanged = true;
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
		if (frames[edge->to] < FAR_AWAY && rpCourse_IsOfStyle(course, edge, style))
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
		if (edge->distance < 0.0f && rpCourse_IsOfStyle(course, edge, style))
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
	if (change->frames == NULL)
	{
		return false;
	}
	change->speed = fmax(getMeanSpeed(course, style), 1e-3);
	findFrames(course, style, false, change->frames);
	if (!hasWay(course, style, change->frames))
	{
		change->isBridged = true;
		findFrames(course, style, true, change->frames);
	}
	return hasWay(course, style, change->frames) ||
		   rpFail(error, rp_errorNoSolution, "the graph has no way from style %d of the path to style %d", style + 1,
				  style + 2);
}

bool rpCourse_FindChanges(rpCourse* course, rpError* error)
{
	int count = course->def->styleCount;
	if (count < 2)
	{
		return true;
	}
	course->changes = rpAllocateZero((size_t)count, sizeof(rpStyleChange), error);
	bool done = course->changes != NULL;
	for (int i = 0; i + 1 < count && done; ++i)
	{
		done = findChange(course, i, error);
	}
	return done;
}

void rpCourse_FreeChanges(rpCourse* course)
{
	for (int i = 0; i < course->def->styleCount && course->changes != NULL; ++i)
	{
		rpFree(course->changes[i].frames);
	}
	rpFree(course->changes);
}
