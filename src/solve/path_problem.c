/// A path laid out for the search (section 4.3 of Kovar's thesis): its points, where they lead, and where a walk along
/// it starts.
#include "solve/path_problem.h"

#include "base/error.h"
#include "base/memory.h"
#include "solve/detour.h"

#include <math.h>

// Straight: the path turns by less than this within a metre, radians: an arc of nearly 7 m radius, on which people
// walk as fast as straight ahead.
#define STRAIGHT_TURN 0.15
#define STRAIGHT_SPAN 1.0

// Tangents are taken over this much on either side, metres: a fifth of a step, so that a corner is one. Where the path
// turns they are shorter than 1.
#define TANGENT_SPAN 0.1

// The direction of the path is measured over this much, metres: half a step.
#define DIRECTION_SPAN 0.3

int rpPathProblem_FindPoint(const rpPathProblem* problem, double length)
{
	double within = length > 0.0 ? (length < problem->length ? length : problem->length) : 0.0;
	return (int)(within * (1.0 / RP_PATH_STEP));
}

static rpVec2 getPoint(const rpPathProblem* problem, double length)
{
	double at = fmin(fmax(length * (1.0 / RP_PATH_STEP), 0.0), problem->pointCount - 1);
	int i = (int)at, next = i + 1 < problem->pointCount ? i + 1 : i;
	float t = (float)(at - i);
	rpVec2 a = problem->points[i], b = problem->points[next];
	return (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static float getDirection(rpVec2 from, rpVec2 to)
{
	return atan2f(to.x - from.x, to.y - from.y);
}

static void markStraight(rpPathProblem* problem)
{
	for (int i = 0; i < problem->pointCount; ++i)
	{
		double at = i * RP_PATH_STEP;
		rpVec2 before = getPoint(problem, at - 0.5 * STRAIGHT_SPAN), here = getPoint(problem, at);
		rpVec2 after = getPoint(problem, at + 0.5 * STRAIGHT_SPAN);
		float turn = rpWrapAngle(getDirection(here, after) - getDirection(before, here));
		problem->isStraight[i] = fabsf(turn) < (float)STRAIGHT_TURN;
	}
}

// The direction of the path at its points. Where its direction changes at once, and after its end, there is none: all
// that a walk is off the point counts.
static void findTangents(rpPathProblem* problem)
{
	for (int i = 0; i < problem->pointCount; ++i)
	{
		double at = i * RP_PATH_STEP;
		rpVec2 before = getPoint(problem, at - TANGENT_SPAN), after = getPoint(problem, at + TANGENT_SPAN);
		bool isInside = at > TANGENT_SPAN && at + TANGENT_SPAN < problem->length;
		float x = (after.x - before.x) / (2.0f * (float)TANGENT_SPAN);
		float y = (after.y - before.y) / (2.0f * (float)TANGENT_SPAN);
		problem->tangents[i] = isInside ? (rpVec2){x, y} : (rpVec2){0.0f, 0.0f};
	}
}

// Where the path leads from its points on.
static void findDirections(rpPathProblem* problem)
{
	for (int i = 0; i < problem->pointCount; ++i)
	{
		double at = fmin(i * RP_PATH_STEP, problem->length - DIRECTION_SPAN);
		problem->directions[i] = getDirection(getPoint(problem, at), getPoint(problem, at + DIRECTION_SPAN));
	}
}

static double getGap(rpVec2 a, rpVec2 b)
{
	return hypot((double)a.x - b.x, (double)a.y - b.y);
}

static double measure(const rpVec2* points, int count)
{
	double length = 0.0;
	for (int i = 1; i < count; ++i)
	{
		length += getGap(points[i - 1], points[i]);
	}
	return length;
}

static bool checkLength(double length, rpError* error)
{
	return (length > 0.0 && length <= 1e5) ||
		   rpFail(error, rp_errorArgument, "a path of %g m; more than 0 and at most 100 km are possible", length);
}

static bool checkPath(const rpPathDef* def, rpError* error)
{
	if (def->pointCount < 2)
	{
		return rpFail(error, rp_errorArgument, "a path of %d points; at least 2 are needed", def->pointCount);
	}
	for (int i = 0; i < def->pointCount; ++i)
	{
		if (!isfinite(def->points[i].x) || !isfinite(def->points[i].y))
		{
			return rpFail(error, rp_errorArgument, "point %d of the path is not finite", i + 1);
		}
	}
	return checkLength(measure(def->points, def->pointCount), error);
}

static bool layPoints(rpPathProblem* problem, rpError* error)
{
	const rpVec2* points = problem->path;
	int count = problem->pathCount;
	problem->length = measure(points, count);
	if (!checkLength(problem->length, error))
	{
		return false;
	}
	problem->pointCount = (int)ceil(problem->length / RP_PATH_STEP) + 1;
	// One more, so that each has another after it.
	problem->points = rpAllocate((size_t)problem->pointCount + 1, sizeof(rpVec2), error);
	problem->tangents = rpAllocate((size_t)problem->pointCount, sizeof(rpVec2), error);
	problem->isStraight = rpAllocate((size_t)problem->pointCount, sizeof(bool), error);
	problem->directions = rpAllocate((size_t)problem->pointCount, sizeof(float), error);
	if (problem->directions == NULL || problem->points == NULL || problem->tangents == NULL ||
		problem->isStraight == NULL)
	{
		return false;
	}
	int leg = 0;
	double passed = 0.0;
	for (int i = 0; i < problem->pointCount; ++i)
	{
		double at = fmin(i * RP_PATH_STEP, problem->length), gap;
		while ((gap = getGap(points[leg], points[leg + 1])) < at - passed && leg + 2 < count)
		{
			passed += gap;
			++leg;
		}
		rpVec2 a = points[leg], b = points[leg + 1];
		float t = gap > 0.0 ? (float)fmin((at - passed) / gap, 1.0) : 0.0f;
		problem->points[i] = (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
	}
	problem->points[problem->pointCount] = problem->points[problem->pointCount - 1];
	findTangents(problem);
	markStraight(problem);
	findDirections(problem);
	return true;
}

// The max clearance that both ends of the path leave, unless one lies in an area.
static double findClearance(const rpPathDef* def)
{
	double clearance = def->clearance;
	for (int i = 0; i < 2 * def->forbiddenCount; ++i)
	{
		const rpForbidden* area = &def->forbidden[i / 2];
		rpVec2 end = def->points[i % 2 == 0 ? 0 : def->pointCount - 1];
		double gap = hypot(end.x - area->center.x, end.y - area->center.y) - (double)area->radius;
		clearance = gap >= 0.0 ? fmin(clearance, gap) : clearance;
	}
	return clearance;
}

// The path as it is, or around the areas on it.
static bool layPath(rpPathProblem* problem, rpError* error)
{
	const rpPathDef* def = problem->def;
	if (!checkPath(def, error))
	{
		return false;
	}
	problem->path = def->points;
	problem->pathCount = def->pointCount;
	if (def->forbiddenCount > 0)
	{
		problem->clearance = findClearance(def);
		problem->bent = rpBendAround(def, problem->clearance, &problem->pathCount, error);
		problem->path = problem->bent;
	}
	return problem->path != NULL && layPoints(problem, error);
}

// ---- start and goal

double rpPathGoal_Measure(const rpPathGoal* goal, rpGroundTransform root)
{
	const rpWalkToPlaceDef* def = goal->def;
	double x = (double)root.shift.x - def->goal.shift.x, z = (double)root.shift.z - def->goal.shift.z;
	double turn = def->metresPerRadian * (double)rpWrapAngle(root.turn - def->goal.turn);
	return sqrt(x * x + z * z + turn * turn);
}

// The direction in which an edge leads, in the coordinates of its clip: that of the root, or where the body looks if it
// stays.
static float getEdgeDirection(const rpGraph* graph, int e)
{
	const rpGraphEdge* edge = &graph->edges[e];
	const rpGraphNode* node = &graph->nodes[edge->from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpVec2 first = graph->path[edge->firstPoint], last = graph->path[edge->firstPoint + edge->frameCount];
	return getGap(first, last) > 2.0 * TANGENT_SPAN
			   ? getDirection(first, last)
			   : rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps)).turn;
}

// So that the root starts where the path does, and goes or at least looks in the direction of the path.
static rpGroundTransform placeStart(const rpGraph* graph, int e, void* context)
{
	const rpPathProblem* problem = context;
	rpVec2 first = graph->path[graph->edges[e].firstPoint];
	float turn =
		rpWrapAngle(getDirection(problem->points[0], getPoint(problem, DIRECTION_SPAN)) - getEdgeDirection(graph, e));
	rpVec3 start = rpGroundTransform_Apply((rpGroundTransform){turn, rpVec3_zero}, (rpVec3){first.x, 0.0f, first.y});
	return (rpGroundTransform){turn, {problem->points[0].x - start.x, 0.0f, problem->points[0].y - start.z}};
}

// So that the root is where a walk to a goal starts.
static rpGroundTransform placeAtStart(const rpGraph* graph, int e, void* context)
{
	const rpPathProblem* problem = context;
	const rpGraphNode* node = &graph->nodes[graph->edges[e].from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpGroundTransform root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps));
	root.shift.y = 0.0f;
	return rpGroundTransform_Compose(problem->goal->def->start, rpGroundTransform_Invert(root));
}

int* rpPathProblem_ListStarts(const rpPathProblem* problem, int* count, rpError* error)
{
	int* starts = rpAllocate((size_t)problem->graph->edgeCount, sizeof(int), error);
	*count = 0;
	for (int e = 0; e < problem->graph->edgeCount && starts != NULL; ++e)
	{
		if (!rpGraphEdge_IsTransition(&problem->graph->edges[e]) && rpPathProblem_IsOfStyle(problem, e, 0))
		{
			starts[(*count)++] = e;
		}
	}
	if (starts != NULL && *count == 0)
	{
		rpFail(error, rp_errorNoSolution, "the graph has no motion of the style that the path begins with");
		rpFree(starts);
		return NULL;
	}
	return starts;
}

void rpPathProblem_Prepare(rpPathProblem* problem, rpSearchDef* search)
{
	search->halt = rpPathProblem_IsAtEnd;
	search->place = problem->goal != NULL ? placeAtStart : placeStart;
	search->context = problem;
	for (int i = 0; i < rp_walkMemoCount; ++i)
	{
		search->memo[i] = 0.0;
	}
}

// Of a node: that of the longest edge that leaves it, which shows it best.
static float getNodeDirection(const rpGraph* graph, int n)
{
	const rpGraphNode* node = &graph->nodes[n];
	int best = node->firstEdge;
	for (int e = node->firstEdge; e < node->firstEdge + node->edgeCount; ++e)
	{
		best = graph->edges[e].frameCount > graph->edges[best].frameCount ? e : best;
	}
	return node->edgeCount > 0 ? getEdgeDirection(graph, best) : 0.0f;
}

static bool layNodes(rpPathProblem* problem, rpError* error)
{
	problem->nodeDirections = rpAllocate((size_t)problem->graph->nodeCount, sizeof(float), error);
	for (int n = 0; n < problem->graph->nodeCount && problem->nodeDirections != NULL; ++n)
	{
		problem->nodeDirections[n] = getNodeDirection(problem->graph, n);
	}
	return problem->nodeDirections != NULL;
}

bool rpPathProblem_Lay(rpPathProblem* problem, const rpGraph* graph, const rpPathDef* def, rpError* error)
{
	*problem = (rpPathProblem){.graph = graph, .def = def};
	problem->styleOverlap =
		def->styleOverlap > 0.0 ? def->styleOverlap : 0.5 * graph->clips[0].motion->skeleton->height;
	return layPath(problem, error) && layNodes(problem, error) && rpPathProblem_LayStyles(problem, error);
}

void rpPathProblem_Free(rpPathProblem* problem)
{
	rpFree(problem->bent);
	rpFree(problem->points);
	rpFree(problem->tangents);
	rpFree(problem->isStraight);
	rpFree(problem->directions);
	rpFree(problem->nodeDirections);
	rpFree(problem->clipDirections);
	rpPathProblem_FreeStyles(problem);
	*problem = (rpPathProblem){0};
}
