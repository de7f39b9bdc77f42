/// Following a path, and going to a place: the searches along a path, and how well they went.
#include "base/error.h"
#include "base/memory.h"
#include "math/path_distance.h"
#include "solve/path_problem.h"
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
		.bendNeed = 0.1,
		.maxBend = 0.5,
		.bendRate = 2.0,
		.search = rpDefaultSearchDef(),
	};
}

// ---- the result

// What makes a walk one along its path. The mean distance is judged by the path's size, its greater side: a tenth, so
// that a circle still looks like one; never less than 0.15 m, which people with few turns need for a square of 1 m
// (0.11), nor more than rp_measurePathMean allows. Of 225 walks of nine people along 25 paths 176 pass, with 79 % of
// the path at least and three quarters of these distances at most; of the other 49 all but three have less than 70 % of
// it.
#define ERROR_SHARE 0.1
#define ERROR_MIN 0.15
#define ERROR_MAX 0.5
#define COVERED_MIN 0.7
#define LENGTH_FACTOR 1.3
#define LENGTH_SLACK 1.0

static double getSize(const rpVec2* points, int count)
{
	rpVec2 low = points[0], high = points[0];
	for (int i = 1; i < count; ++i)
	{
		low = (rpVec2){fminf(low.x, points[i].x), fminf(low.y, points[i].y)};
		high = (rpVec2){fmaxf(high.x, points[i].x), fmaxf(high.y, points[i].y)};
	}
	return fmax((double)high.x - low.x, (double)high.y - low.y);
}

double rpGetPathErrorLimit(const rpVec2* points, int count)
{
	return fmin(fmax(ERROR_SHARE * getSize(points, count), ERROR_MIN), ERROR_MAX);
}

static void judge(const rpPathProblem* problem, rpPathReport* out)
{
	out->errorLimit = rpGetPathErrorLimit(problem->path, problem->pathCount);
	out->isFollowed = out->errorMean <= out->errorLimit && out->covered >= COVERED_MIN &&
					  out->walkLength <= LENGTH_FACTOR * out->pathLength + LENGTH_SLACK;
}

// Points of a walk's root, one for each frame; free with rpFree.
static rpVec2* listPoints(const rpGraph* graph, const rpWalk* walk, int* count, rpError* error)
{
	size_t capacity = 1;
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		capacity += (size_t)graph->edges[walk->edges[k]].frameCount;
	}
	rpVec2* points = rpAllocate(capacity, sizeof(rpVec2), error);
	rpGroundTransform placement = walk->start;
	*count = 0;
	for (int k = 0; k < walk->edgeCount && points != NULL; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[walk->edges[k]];
		for (int f = k == 0 ? 0 : 1; f <= edge->frameCount; ++f)
		{
			rpVec2 own = graph->path[edge->firstPoint + f];
			rpVec3 place = rpGroundTransform_Apply(placement, (rpVec3){own.x, 0.0f, own.y});
			place = *count < walk->bendCount ? rpGroundTransform_Apply(walk->bends[*count], place) : place;
			points[(*count)++] = (rpVec2){place.x, place.z};
		}
		placement = rpGraphEdge_IsTransition(edge) ? rpGroundTransform_Compose(placement, edge->alignment) : placement;
	}
	return points;
}

// The last edge ends where the path does, not in the middle of a transition.
static void trim(const rpPathProblem* problem, rpWalk* walk)
{
	const rpGraphEdge* last = &problem->graph->edges[walk->edges[walk->edgeCount - 1]];
	double length = rpWalk_GetLength(walk, problem->graph);
	int frames = last->frameCount;
	const float* lengths = problem->graph->lengths + last->firstPoint;
	while (!rpGraphEdge_IsTransition(last) && frames > 1 &&
		   length - lengths[last->frameCount] + lengths[frames - 1] >= problem->length)
	{
		--frames;
	}
	walk->lastFrames = frames;
}

// The max bend of a walk, rad/m, over a step of half a second.
static double getBend(const rpGraph* graph, const rpWalk* walk, const rpVec2* points, int count)
{
	double max = 0.0;
	int step = (int)(0.5 * graph->fps);
	for (int i = step; i < count && i < walk->bendCount; ++i)
	{
		double length = 0.0, turn = fabs((double)(walk->bends[i].turn - walk->bends[i - step].turn));
		for (int k = i - step + 1; k <= i; ++k)
		{
			length += hypot((double)(points[k].x - points[k - 1].x), (double)(points[k].y - points[k - 1].y));
		}
		max = length > 0.1 ? fmax(max, turn / length) : max;
	}
	return max;
}

static bool report(const rpPathProblem* problem, rpWalk* walk, double searchSeconds, rpPathReport* out, rpError* error)
{
	int count;
	rpVec2* points = listPoints(problem->graph, walk, &count, error);
	if (points == NULL)
	{
		return false;
	}
	count -= problem->graph->edges[walk->edges[walk->edgeCount - 1]].frameCount - walk->lastFrames;
	const rpPathDef* def = problem->def;
	rpPathErrors errors = rpMeasureNearest(points, count, problem->path, problem->pathCount);
	*out = (rpPathReport){
		.errorMean = errors.mean,
		.errorMax = errors.max,
		.bend = getBend(problem->graph, walk, points, count),
		.arcErrorMean = rpMeasureEqualLength(points, count, problem->path, problem->pathCount).mean,
		.walkLength = rpWalk_GetLength(walk, problem->graph),
		.pathLength = problem->length,
		.covered = rpMeasureCover(points, count, problem->path, problem->pathCount),
		.seconds = rpWalk_GetDuration(walk, problem->graph),
		.searchSeconds = searchSeconds,
	};
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		out->transitionCount += rpGraphEdge_IsTransition(&problem->graph->edges[walk->edges[k]]);
	}
	rpFree(points);
	judge(problem, out);
	double max = def->maxError;
	return max <= 0.0 || errors.mean <= max ||
		   rpFail(error, rp_errorNoSolution, "the best walk is %.3f m from the path on average, more than %g m",
				  errors.mean, max);
}

// A walk along the problem's path, and how well it keeps to it.
static rpWalk* searchWalk(const rpPathProblem* problem, const rpSearchDef* search, double begin, rpPathReport* out,
						  rpError* error)
{
	rpWalk* walk = rpPathProblem_Search(problem, search, error);
	if (walk == NULL)
	{
		return NULL;
	}
	trim(problem, walk);
	if ((problem->isBending && !rpPathProblem_ListBends(problem, walk, error)) ||
		!report(problem, walk, rpGetSeconds() - begin, out, error))
	{
		rpDestroyWalk(walk);
		return NULL;
	}
	return walk;
}

// As clips have it; and bent, where that is not near enough to the path, or does not exist.
static rpWalk* searchBestWalk(rpPathProblem* problem, const rpSearchDef* search, double begin, rpPathReport* out,
							  rpError* error)
{
	const rpPathDef* def = problem->def;
	rpError own = {0};
	rpPathReport plain = {0}, bent = {0};
	rpWalk* walk = searchWalk(problem, search, begin, &plain, &own);
	bool isNeeded = walk != NULL ? plain.errorMean > def->bendNeed : own.code == rp_errorNoSolution;
	rpWalk* other = def->maxBend > 0.0 && isNeeded && rpPathProblem_Bend(problem, &own)
						? searchWalk(problem, search, begin, &bent, walk == NULL ? NULL : &own)
						: NULL;
	bool isBetter = other != NULL && (walk == NULL || bent.errorMean < plain.errorMean);
	rpDestroyWalk(isBetter ? walk : other);
	walk = isBetter ? other : walk;
	if (walk == NULL && error != NULL)
	{
		*error = own;
	}
	if (walk != NULL && out != NULL)
	{
		*out = isBetter ? bent : plain;
	}
	return walk;
}

static rpWalk* follow(rpPathProblem* problem, rpPathReport* out, rpError* error)
{
	rpSearchDef search = problem->def->search;
	int startCount;
	double begin = rpGetSeconds();
	int* starts = rpPathProblem_ListStarts(problem, &startCount, error);
	if (starts == NULL)
	{
		return NULL;
	}
	rpPathProblem_Prepare(problem, &search);
	if (search.startCount == 0)
	{
		search.starts = starts;
		search.startCount = startCount;
	}
	rpWalk* walk = searchBestWalk(problem, &search, begin, out, error);
	rpFree(starts);
	return walk;
}

rpWalk* rpGraph_FollowPath(const rpGraph* graph, const rpPathDef* def, rpPathReport* out, rpError* error)
{
	rpPathProblem problem;
	rpWalk* walk = rpPathProblem_Lay(&problem, graph, def, error) ? follow(&problem, out, error) : NULL;
	rpPathProblem_Free(&problem);
	return walk;
}
