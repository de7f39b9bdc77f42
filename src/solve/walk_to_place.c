/// Going to a place and heading (section 4.2.2 of Kovar's thesis), guided by turns and a straight stretch.
#include "base/error.h"
#include "base/memory.h"
#include "solve/path_problem.h"

#include <math.h>

rpWalkToPlaceDef rpDefaultWalkToPlaceDef(void)
{
	return (rpWalkToPlaceDef){
		.startClip = -1,
		.goalClip = -1,
		.metresPerRadian = 0.5,
		.endRadius = 0.4,
		.slack = 3.0,
		.endWeight = 60.0,
		.radius = 0.6,
		.widening = 1.7,
		.attempts = 3,
		.nearEnough = 0.1,
		.search = rpDefaultSearchDef(),
	};
}

enum
{
	curvePoints = 65,
};

/// A path of three parts: a turn, a straight stretch, a turn; angles in radians (to the left above 0), metres.
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
static bool findTurns(rpGroundTransform from, rpGroundTransform to, double firstSide, double lastSide, Turns* out)
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
static rpGroundTransform advance(rpGroundTransform at, double length, double turn)
{
	double chord = fabs(turn) > 1e-9 ? 2.0 * length / turn * sin(0.5 * turn) : length, middle = at.turn + 0.5 * turn;
	at.shift.x += (float)(chord * sin(middle));
	at.shift.z += (float)(chord * cos(middle));
	at.turn += (float)turn;
	return at;
}

static rpGroundTransform followTurns(rpGroundTransform from, const Turns* turns, double length)
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

// The shortest path that leaves and arrives along the headings and turns no tighter than people do (L. E. Dubins, "On
// curves of minimal length with a constraint on average curvature", 1957), without those of three turns.
static double drawCurve(rpGroundTransform from, rpGroundTransform to, double radius, rpVec2* out)
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
		rpGroundTransform at = followTurns(from, &best, shortest * i / (curvePoints - 1));
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

static int listWanted(const rpGraph* graph, const rpWalkToPlaceDef* def, int* starts, bool* goals)
{
	int startCount = 0, goalCount = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (!rpGraphEdge_IsTransition(&graph->edges[e]) && isWanted(graph, e, def->startLabels, def->startClip))
		{
			starts[startCount++] = e;
		}
		goals[e] = isWanted(graph, e, def->goalLabels, def->goalClip);
		goalCount += goals[e];
	}
	return goalCount > 0 ? startCount : 0;
}

static rpWalk* go(rpPathProblem* problem, const rpWalkToPlaceDef* def, int* starts, bool* goals, rpError* error)
{
	int startCount = listWanted(problem->graph, def, starts, goals);
	if (startCount == 0)
	{
		rpFail(error, rp_errorNoSolution, "the graph has no motion to start or to end with as asked");
		return NULL;
	}
	rpPathGoal goal = {def, goals};
	rpSearchDef search = def->search;
	problem->goal = &goal;
	rpPathProblem_Prepare(problem, &search);
	search.starts = starts;
	search.startCount = startCount;
	search.longest = fmin(search.longest, 10.0 + 10.0 * problem->length);
	return rpPathProblem_Search(problem, &search, error);
}

// Along the path with turns of a radius.
static rpWalk* goAround(const rpGraph* graph, const rpWalkToPlaceDef* def, double radius, int* starts, bool* goals,
						rpError* error)
{
	rpVec2 points[curvePoints];
	rpPathDef path = rpDefaultPathDef();
	rpPathProblem problem;
	double length = drawCurve(def->start, def->goal, radius, points);
	// Towards its end the path leads to what it shall end with.
	rpPathStyle styles[] = {{0.0, 0}, {fmax(length - def->endRadius, 0.0), def->goalLabels}};
	path.points = points;
	path.pointCount = curvePoints;
	path.styles = styles;
	path.styleCount = def->goalLabels != 0 ? 2 : 0;
	rpWalk* walk = rpPathProblem_Lay(&problem, graph, &path, error) ? go(&problem, def, starts, goals, error) : NULL;
	rpPathProblem_Free(&problem);
	return walk;
}

// The same rule as for paths: attempts, the one that finds most first, until a walk is good enough.
static rpWalk* goSomehow(const rpGraph* graph, const rpWalkToPlaceDef* def, int* starts, bool* goals, rpError* error)
{
	rpPathGoal goal = {def, goals};
	rpWalk* best = NULL;
	double min = (double)INFINITY, radius = def->radius;
	for (int i = 0; i < def->attempts && min > def->nearEnough; ++i, radius *= def->widening)
	{
		rpWalk* walk = goAround(graph, def, radius, starts, goals, error);
		double miss = walk != NULL ? rpPathGoal_Measure(&goal, rpWalk_GetEnd(walk, graph)) : (double)INFINITY;
		bool isBetter = miss < min;
		rpDestroyWalk(isBetter ? best : walk);
		best = isBetter ? walk : best;
		min = fmin(min, miss);
	}
	return best;
}

rpWalk* rpGraph_WalkToPlace(const rpGraph* graph, const rpWalkToPlaceDef* def, rpGroundTransform* reached,
							rpError* error)
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
