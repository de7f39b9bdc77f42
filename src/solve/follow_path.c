/// Following a path, and going to a place: the searches along a course, and how well they went.
#include "base/error.h"
#include "base/memory.h"
#include "math/path_distance.h"
#include "solve/course.h"

#include <math.h>
#include <time.h>

rpPathDef rpDefaultPathDef(void)
{
	return (rpPathDef){
		.progressPerFrame = 0.005, .waiting = 0.05, .transitionWeight = 1.0, .search = rpDefaultSearchDef()};
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
		placement = edge->distance >= 0.0f ? rpGround_Compose(placement, edge->alignment) : placement;
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
	while (last->distance < 0.0f && frames > 1 &&
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
	rpPathErrors errors = rpMeasureNearest(points, count, course->def->points, course->def->pointCount);
	rpFree(points);
	*out = (rpPathReport){
		.errorMean = errors.mean,
		.errorMax = errors.max,
		.seconds = rpWalk_GetDuration(walk, course->graph),
		.searchSeconds = searchSeconds,
	};
	for (int k = 0; k < walk->edgeCount; ++k)
	{
		out->transitionCount += course->graph->edges[walk->edges[k]].distance >= 0.0f;
	}
	double most = course->def->maxError;
	return most <= 0.0 || errors.mean <= most ||
		   rpFail(error, rp_errorNoSolution, "the best walk is %.3f m from the path on average, more than %g m",
				  errors.mean, most);
}

static double getSeconds(void)
{
	struct timespec now;
	timespec_get(&now, TIME_UTC);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static rpWalk* follow(rpCourse* course, rpPathReport* out, rpError* error)
{
	rpSearchDef search = course->def->search;
	int startCount;
	double begin = getSeconds();
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
		if (!report(course, walk, getSeconds() - begin, out != NULL ? out : &unused, error))
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

// ---- to a place and heading

rpGoDef rpDefaultGoDef(void)
{
	return (rpGoDef){.search = rpDefaultSearchDef()};
}

enum
{
	curvePoints = 33,
};

// A cubic from one place and heading to another, as Hermite has it: it leaves and arrives along the headings.
static void drawCurve(rpGround from, rpGround to, rpVec2* out)
{
	double gap = hypot((double)to.shift.x - from.shift.x, (double)to.shift.z - from.shift.z), reach = fmax(gap, 0.5);
	for (int i = 0; i < curvePoints; ++i)
	{
		double t = (double)i / (curvePoints - 1), t2 = t * t, t3 = t2 * t;
		double a = 2.0 * t3 - 3.0 * t2 + 1.0, b = t3 - 2.0 * t2 + t, c = 3.0 * t2 - 2.0 * t3, d = t3 - t2;
		out[i].x = (float)(a * from.shift.x + b * reach * sin(from.turn) + c * to.shift.x + d * reach * sin(to.turn));
		out[i].y = (float)(a * from.shift.z + b * reach * cos(from.turn) + c * to.shift.z + d * reach * cos(to.turn));
	}
}

// Edges with the labels, or of the clip, that are asked for.
static bool isWanted(const rpGraph* graph, int e, uint64_t labels, int clip)
{
	const rpGraphEdge* edge = &graph->edges[e];
	return rpGraph_StaysIn(graph, e, labels) &&
		   (clip < 0 || (graph->nodes[edge->to].clip == clip && edge->distance < 0.0f));
}

static int listWanted(const rpGraph* graph, const rpGoDef* def, int* starts, bool* goals)
{
	int startCount = 0, goalCount = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].distance < 0.0f && isWanted(graph, e, def->startLabels, def->startClip - 1))
		{
			starts[startCount++] = e;
		}
		goals[e] = isWanted(graph, e, def->goalLabels, def->goalClip - 1);
		goalCount += goals[e];
	}
	return goalCount > 0 ? startCount : 0;
}

static rpGround placeAtStart(const rpGraph* graph, int e, void* context)
{
	const rpCourse* course = context;
	const rpGraphNode* node = &graph->nodes[graph->edges[e].from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpGround root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps));
	root.shift.y = 0.0f;
	return rpGround_Compose(course->start, rpGround_Invert(root));
}

static rpWalk* go(rpCourse* course, const rpGoDef* def, int* starts, bool* goals, rpError* error)
{
	int startCount = listWanted(course->graph, def, starts, goals);
	if (startCount == 0)
	{
		rpFail(error, rp_errorNoSolution, "the graph has no motion to start or to end with as asked");
		return NULL;
	}
	rpCourseGoal goal = {def->goal, goals};
	rpSearchDef search = def->search;
	course->goal = &goal;
	course->start = def->start;
	rpCourse_Prepare(course, &search);
	search.place = placeAtStart;
	search.starts = starts;
	search.startCount = startCount;
	search.longest = fmin(search.longest, 10.0 + 10.0 * course->length);
	return rpCourse_Search(course, &search, error);
}

rpWalk* rpGraph_Go(const rpGraph* graph, const rpGoDef* def, rpGround* reached, rpError* error)
{
	rpVec2 points[curvePoints];
	rpPathDef path = rpDefaultPathDef();
	rpCourse course;
	drawCurve(def->start, def->goal, points);
	path.points = points;
	path.pointCount = curvePoints;
	int* starts = rpAllocate((size_t)graph->edgeCount, sizeof(int), error);
	bool* goals = rpAllocate((size_t)graph->edgeCount, sizeof(bool), error);
	rpWalk* walk = rpCourse_Lay(&course, graph, &path, error) && starts != NULL && goals != NULL
					   ? go(&course, def, starts, goals, error)
					   : NULL;
	if (walk != NULL && reached != NULL)
	{
		*reached = rpWalk_GetEnd(walk, graph);
	}
	rpFree(starts);
	rpFree(goals);
	rpCourse_Free(&course);
	return walk;
}
