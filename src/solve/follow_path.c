/// Following a path, and going to a place: the searches along a course, and how well they went.
#include "base/error.h"
#include "base/memory.h"
#include "math/path_distance.h"
#include "solve/course.h"
#include "work/clock.h"

#include <math.h>

rpPathDef rpDefaultPathDef(void)
{
	return (rpPathDef){.progressPerFrame = 0.005,
					   .waiting = 0.05,
					   .seamPrice = 0.01,
					   .transitionWeight = 1.0,
					   .search = rpDefaultSearchDef()};
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

// ---- to a place and heading

rpGoDef rpDefaultGoDef(void)
{
	return (rpGoDef){.search = rpDefaultSearchDef()};
}

enum
{
	curvePoints = 65,
};

// People who walk turn around on such a radius, metres. A graph may hold wider turns alone: those are tried until one
// leads near enough to the goal, metres.
static const double s_radii[] = {0.6, 1.0, 1.7};
#define NEAR_ENOUGH 0.15

// The last metres of the way, in which its last motion begins.
#define GOAL_STRETCH 0.5

/// A way of three parts: a turn, a straight stretch, a turn; angles in radians (to the left above 0), metres.
typedef struct Turns
{
	double radius, first, straight, last;
} Turns;

static double wrapTurn(double angle, double side)
{
	double turn = fmod(side * angle, 2.0 * RP_PI);
	turn = turn < 0.0 ? turn + 2.0 * RP_PI : turn;
	// Rounding must not send anybody around in a circle.
	return side * (turn > 2.0 * RP_PI - 1e-6 ? 0.0 : turn);
}

// From one circle over to the other along the line that touches both, sides 1 (to the left) or -1; false if they are
// too near to each other for it.
static bool findTurns(rpGround from, rpGround to, double firstSide, double lastSide, Turns* out)
{
	double r = out->radius, arriving = (double)to.turn, leaving = (double)from.turn;
	// The middle of a circle to the left of a heading: (cos, -sin) of it, since headings are (sin, cos).
	double x = to.shift.x + lastSide * r * cos(arriving) - (from.shift.x + firstSide * r * cos(leaving));
	double z = to.shift.z - lastSide * r * sin(arriving) - (from.shift.z - firstSide * r * sin(leaving));
	double gap = hypot(x, z), across = firstSide != lastSide ? 2.0 * r : 0.0;
	if (gap < across)
	{
		return false;
	}
	out->straight = sqrt(gap * gap - across * across);
	double heading = atan2(x, z) + (across > 0.0 ? firstSide * asin(fmin(across / fmax(gap, 1e-9), 1.0)) : 0.0);
	heading = gap < 1e-9 ? from.turn : heading;
	out->first = wrapTurn(heading - from.turn, firstSide);
	out->last = wrapTurn(to.turn - heading, lastSide);
	return true;
}

static double getLength(const Turns* turns)
{
	return turns->straight + turns->radius * (fabs(turns->first) + fabs(turns->last));
}

// Go on by a stretch of a circle, or straight on.
static rpGround advance(rpGround at, double length, double turn)
{
	double chord = fabs(turn) > 1e-9 ? 2.0 * length / turn * sin(0.5 * turn) : length, middle = at.turn + 0.5 * turn;
	at.shift.x += (float)(chord * sin(middle));
	at.shift.z += (float)(chord * cos(middle));
	at.turn += (float)turn;
	return at;
}

static rpGround followTurns(rpGround from, const Turns* turns, double length)
{
	double parts[] = {turns->radius * fabs(turns->first), turns->straight, turns->radius * fabs(turns->last)};
	double angles[] = {turns->first, 0.0, turns->last};
	for (int i = 0; i < 3; ++i)
	{
		double share = parts[i] > 0.0 ? fmin(length / parts[i], 1.0) : 0.0;
		from = advance(from, share * parts[i], share * angles[i]);
		length = fmax(length - parts[i], 0.0);
	}
	return from;
}

// The shortest way that leaves and arrives along the headings and turns no tighter than people do (L. E. Dubins, "On
// curves of minimal length with a constraint on average curvature", 1957), without those of three turns.
static double drawCurve(rpGround from, rpGround to, double radius, rpVec2* out)
{
	Turns best = {.radius = radius}, turns = best;
	double shortest = (double)INFINITY;
	for (int i = 0; i < 4; ++i)
	{
		if (findTurns(from, to, i < 2 ? 1.0 : -1.0, i % 2 == 0 ? 1.0 : -1.0, &turns) && getLength(&turns) < shortest)
		{
			best = turns;
			shortest = getLength(&turns);
		}
	}
	for (int i = 0; i < curvePoints; ++i)
	{
		rpGround at = followTurns(from, &best, shortest * i / (curvePoints - 1));
		out[i] = (rpVec2){at.shift.x, at.shift.z};
	}
	return shortest;
}

// Edges with the labels, or of the clip, that are asked for.
static bool isWanted(const rpGraph* graph, int e, uint64_t labels, int clip)
{
	const rpGraphEdge* edge = &graph->edges[e];
	return rpGraph_StaysIn(graph, e, labels) &&
		   (clip < 0 || (graph->nodes[edge->to].clip == clip && !rpGraphEdge_IsTransition(edge)));
}

static int listWanted(const rpGraph* graph, const rpGoDef* def, int* starts, bool* goals)
{
	int startCount = 0, goalCount = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (!rpGraphEdge_IsTransition(&graph->edges[e]) && isWanted(graph, e, def->startLabels, def->startClip - 1))
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

// Along the way with turns of a radius.
static rpWalk* goAround(const rpGraph* graph, const rpGoDef* def, double radius, int* starts, bool* goals,
						rpError* error)
{
	rpVec2 points[curvePoints];
	rpPathDef path = rpDefaultPathDef();
	rpCourse course;
	double length = drawCurve(def->start, def->goal, radius, points);
	// Towards its end the way leads to what it shall end with.
	rpPathStyle styles[] = {{0.0, 0}, {fmax(length - GOAL_STRETCH, 0.0), def->goalLabels}};
	path.points = points;
	path.pointCount = curvePoints;
	path.styles = styles;
	path.styleCount = def->goalLabels != 0 ? 2 : 0;
	rpWalk* walk = rpCourse_Lay(&course, graph, &path, error) ? go(&course, def, starts, goals, error) : NULL;
	rpCourse_Free(&course);
	return walk;
}

static double getMiss(const rpGraph* graph, const rpWalk* walk, const rpGround* goal)
{
	rpGround end = rpWalk_GetEnd(walk, graph);
	double away = hypot((double)end.shift.x - (double)goal->shift.x, (double)end.shift.z - (double)goal->shift.z);
	return away + 0.5 * fabs((double)rpWrapAngle(end.turn - goal->turn));
}

static rpWalk* goSomehow(const rpGraph* graph, const rpGoDef* def, int* starts, bool* goals, rpError* error)
{
	rpWalk* best = NULL;
	double least = (double)INFINITY;
	for (size_t i = 0; i < sizeof(s_radii) / sizeof(s_radii[0]) && least > NEAR_ENOUGH; ++i)
	{
		rpWalk* walk = goAround(graph, def, s_radii[i], starts, goals, error);
		double miss = walk != NULL ? getMiss(graph, walk, &def->goal) : (double)INFINITY;
		bool isBetter = miss < least;
		rpDestroyWalk(isBetter ? best : walk);
		best = isBetter ? walk : best;
		least = fmin(least, miss);
	}
	return best;
}

rpWalk* rpGraph_Go(const rpGraph* graph, const rpGoDef* def, rpGround* reached, rpError* error)
{
	int* starts = rpAllocate((size_t)graph->edgeCount, sizeof(int), error);
	bool* goals = rpAllocate((size_t)graph->edgeCount, sizeof(bool), error);
	rpWalk* walk = starts != NULL && goals != NULL ? goSomehow(graph, def, starts, goals, error) : NULL;
	if (walk != NULL && reached != NULL)
	{
		*reached = rpWalk_GetEnd(walk, graph);
	}
	rpFree(starts);
	rpFree(goals);
	return walk;
}
