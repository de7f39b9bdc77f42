/// Following a path, and going to a place: the searches along a course, and how well they went.
#include "base/error.h"
#include "base/memory.h"
#include "math/path_distance.h"
#include "solve/course.h"
#include "work/clock.h"

#include <math.h>

rpPathDef rpDefaultPathDef(void)
{
	return (rpPathDef){
		.progressPerFrame = 0.005,
		.waiting = 0.05,
		.seamPrice = 0.01,
		.transitionWeight = 1.0,
		.clearance = 0.1,
		.detour = 2.0,
		.lost = 0.3,
		.search = rpDefaultSearchDef(),
	};
}

// ---- the result

// Points of a walk's root, one for each frame; free with rpFree.
static rpVec2* listPoints(const rpGraph* graph, const rpWalk* walk, int* count, rpError* error)
{
	size_t capacity = 1;
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		capacity += (size_t)graph->edges[walk->edges[k]].frameCount;
	}
	rpVec2* points = rpAllocate(capacity, sizeof(rpVec2), error);
	rpGround placement = walk->start;
	*count = 0;
	for (int k = 0; k < walk->edgeCount && points != NULL; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[walk->edges[k]];
		for (int f = k == 0 ? 0 : 1; f <= edge->frameCount; ++f)
		{
			rpVec2 own = graph->path[edge->firstPoint + f];
			rpVec3 place = rpGround_Apply(placement, (rpVec3){own.x, 0.0f, own.y});
			points[(*count)++] = (rpVec2){place.x, place.z};
		}
		placement = rpGraphEdge_IsTransition(edge) ? rpGround_Compose(placement, edge->alignment) : placement;
	}
	return points;
}

// The last edge ends where the path does, not in the middle of a transition.
static void trim(const rpCourse* course, rpWalk* walk)
{
	const rpGraphEdge* last = &course->graph->edges[walk->edges[walk->edgeCount - 1]];
	double length = rpWalk_GetLength(walk, course->graph);
	int frames = last->frameCount;
	const float* lengths = course->graph->lengths + last->firstPoint;
	while (!rpGraphEdge_IsTransition(last) && frames > 1 &&
		   length - lengths[last->frameCount] + lengths[frames - 1] >= course->length)
	{
		--frames;
	}
	walk->lastFrames = frames;
}

static bool report(const rpCourse* course, rpWalk* walk, double searchSeconds, rpPathReport* out, rpError* error)
{
	int count;
	rpVec2* points = listPoints(course->graph, walk, &count, error);
	if (points == NULL)
	{
		return false;
	}
	count -= course->graph->edges[walk->edges[walk->edgeCount - 1]].frameCount - walk->lastFrames;
	const rpPathDef* def = course->def;
	rpPathErrors errors = rpMeasureNearest(points, count, course->way, course->wayCount);
	*out = (rpPathReport){
		.errorMean = errors.mean,
		.errorMax = errors.max,
		.arcErrorMean = rpMeasureEqualLength(points, count, course->way, course->wayCount).mean,
		.wayLength = rpWalk_GetLength(walk, course->graph),
		.pathLength = course->length,
		.covered = rpMeasureCover(points, count, course->way, course->wayCount),
		.seconds = rpWalk_GetDuration(walk, course->graph),
		.searchSeconds = searchSeconds,
	};
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		out->transitionCount += rpGraphEdge_IsTransition(&course->graph->edges[walk->edges[k]]);
	}
	rpFree(points);
	double most = def->maxError;
	return most <= 0.0 || errors.mean <= most ||
		   rpFail(error, rp_errorNoSolution, "the best walk is %.3f m from the path on average, more than %g m",
				  errors.mean, most);
}

static rpWalk* follow(rpCourse* course, rpPathReport* out, rpError* error)
{
	rpSearchDef search = course->def->search;
	int startCount;
	double begin = rpGetSeconds();
	int* starts = rpCourse_ListStarts(course, &startCount, error);
	if (starts == NULL)
	{
		return NULL;
	}
	rpCourse_Prepare(course, &search);
	if (search.startCount == 0)
	{
		search.starts = starts;
		search.startCount = startCount;
	}
	rpWalk* walk = rpCourse_Search(course, &search, error);
	rpFree(starts);
	rpPathReport unused;
	if (walk != NULL)
	{
		trim(course, walk);
		if (!report(course, walk, rpGetSeconds() - begin, out != NULL ? out : &unused, error))
		{
			rpDestroyWalk(walk);
			return NULL;
		}
	}
	return walk;
}

rpWalk* rpGraph_FollowPath(const rpGraph* graph, const rpPathDef* def, rpPathReport* out, rpError* error)
{
	rpCourse course;
	rpWalk* walk = rpCourse_Lay(&course, graph, def, error) ? follow(&course, out, error) : NULL;
	rpCourse_Free(&course);
	return walk;
}
