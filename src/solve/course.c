/// A path laid out for the search (section 4.3 of Kovar's thesis): its points, where they lead, and where a walk along
/// it starts.
#include "solve/course.h"

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

// Which way the path leads is looked at over this much, metres: half a step.
#define DIRECTION_SPAN 0.3

int rpCourse_FindPoint(const rpCourse* course, double length)
{
	double within = length > 0.0 ? (length < course->length ? length : course->length) : 0.0;
	return (int)(within * (1.0 / RP_COURSE_STEP));
}

static rpVec2 getPoint(const rpCourse* course, double length)
{
	double at = fmin(fmax(length * (1.0 / RP_COURSE_STEP), 0.0), course->pointCount - 1);
	int i = (int)at, next = i + 1 < course->pointCount ? i + 1 : i;
	float t = (float)(at - i);
	rpVec2 a = course->points[i], b = course->points[next];
	return (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

static float getDirection(rpVec2 from, rpVec2 to)
{
	return atan2f(to.x - from.x, to.y - from.y);
}

static void markStraight(rpCourse* course)
{
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = i * RP_COURSE_STEP;
		rpVec2 before = getPoint(course, at - 0.5 * STRAIGHT_SPAN), here = getPoint(course, at);
		rpVec2 after = getPoint(course, at + 0.5 * STRAIGHT_SPAN);
		float turn = rpWrapAngle(getDirection(here, after) - getDirection(before, here));
		course->isStraight[i] = fabsf(turn) < (float)STRAIGHT_TURN;
	}
}

// The way that the path goes at its points. Where its direction changes at once, and behind its end, there is none: all
// that a walk is off the point counts.
static void findTangents(rpCourse* course)
{
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = i * RP_COURSE_STEP;
		rpVec2 before = getPoint(course, at - TANGENT_SPAN), after = getPoint(course, at + TANGENT_SPAN);
		bool isInside = at > TANGENT_SPAN && at + TANGENT_SPAN < course->length;
		float x = (after.x - before.x) / (2.0f * (float)TANGENT_SPAN);
		float y = (after.y - before.y) / (2.0f * (float)TANGENT_SPAN);
		course->tangents[i] = isInside ? (rpVec2){x, y} : (rpVec2){0.0f, 0.0f};
	}
}

// Where the path leads from its points on.
static void findDirections(rpCourse* course)
{
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = fmin(i * RP_COURSE_STEP, course->length - DIRECTION_SPAN);
		course->directions[i] = getDirection(getPoint(course, at), getPoint(course, at + DIRECTION_SPAN));
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

static bool layPoints(rpCourse* course, rpError* error)
{
	const rpVec2* points = course->way;
	int count = course->wayCount;
	course->length = measure(points, count);
	if (!checkLength(course->length, error))
	{
		return false;
	}
	course->pointCount = (int)ceil(course->length / RP_COURSE_STEP) + 1;
	// One more, so that each has another behind it.
	course->points = rpAllocate((size_t)course->pointCount + 1, sizeof(rpVec2), error);
	course->tangents = rpAllocate((size_t)course->pointCount, sizeof(rpVec2), error);
	course->isStraight = rpAllocate((size_t)course->pointCount, sizeof(bool), error);
	course->directions = rpAllocate((size_t)course->pointCount, sizeof(float), error);
	if (course->directions == NULL || course->points == NULL || course->tangents == NULL || course->isStraight == NULL)
	{
		return false;
	}
	int leg = 0;
	double behind = 0.0;
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = fmin(i * RP_COURSE_STEP, course->length), gap;
		while ((gap = getGap(points[leg], points[leg + 1])) < at - behind && leg + 2 < count)
		{
			behind += gap;
			++leg;
		}
		rpVec2 a = points[leg], b = points[leg + 1];
		float t = gap > 0.0 ? (float)fmin((at - behind) / gap, 1.0) : 0.0f;
		course->points[i] = (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
	}
	course->points[course->pointCount] = course->points[course->pointCount - 1];
	findTangents(course);
	markStraight(course);
	findDirections(course);
	return true;
}

// The most that both ends of the path leave, unless one lies in an area.
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

// The path as it is, or around the areas in its way.
static bool layPath(rpCourse* course, rpError* error)
{
	const rpPathDef* def = course->def;
	if (!checkPath(def, error))
	{
		return false;
	}
	course->way = def->points;
	course->wayCount = def->pointCount;
	if (def->forbiddenCount > 0)
	{
		course->clearance = findClearance(def);
		course->bent = rpBendAround(def, course->clearance, &course->wayCount, error);
		course->way = course->bent;
	}
	return course->way != NULL && layPoints(course, error);
}

// ---- start and goal

double rpCourseGoal_Measure(const rpCourseGoal* goal, rpGround root)
{
	const rpGoDef* def = goal->def;
	double x = (double)root.shift.x - def->goal.shift.x, z = (double)root.shift.z - def->goal.shift.z;
	double turn = def->metresPerRadian * (double)rpWrapAngle(root.turn - def->goal.turn);
	return sqrt(x * x + z * z + turn * turn);
}

// Which way an edge leads, in the coordinates of its clip: that of the root, or where the body looks if it stays.
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

// So that the root starts where the path does, and goes or at least looks the way that the path goes.
static rpGround placeStart(const rpGraph* graph, int e, void* context)
{
	const rpCourse* course = context;
	rpVec2 first = graph->path[graph->edges[e].firstPoint];
	float turn =
		rpWrapAngle(getDirection(course->points[0], getPoint(course, DIRECTION_SPAN)) - getEdgeDirection(graph, e));
	rpVec3 start = rpGround_Apply((rpGround){turn, rpVec3_zero}, (rpVec3){first.x, 0.0f, first.y});
	return (rpGround){turn, {course->points[0].x - start.x, 0.0f, course->points[0].y - start.z}};
}

// So that the root is where a walk to a goal starts.
static rpGround placeAtStart(const rpGraph* graph, int e, void* context)
{
	const rpCourse* course = context;
	const rpGraphNode* node = &graph->nodes[graph->edges[e].from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpGround root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps));
	root.shift.y = 0.0f;
	return rpGround_Compose(course->goal->def->start, rpGround_Invert(root));
}

int* rpCourse_ListStarts(const rpCourse* course, int* count, rpError* error)
{
	int* starts = rpAllocate((size_t)course->graph->edgeCount, sizeof(int), error);
	*count = 0;
	for (int e = 0; e < course->graph->edgeCount && starts != NULL; ++e)
	{
		if (!rpGraphEdge_IsTransition(&course->graph->edges[e]) && rpCourse_IsOfStyle(course, e, 0))
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

void rpCourse_Prepare(rpCourse* course, rpSearchDef* search)
{
	search->halt = rpCourse_IsAtEnd;
	search->place = course->goal != NULL ? placeAtStart : placeStart;
	search->context = course;
	for (int i = 0; i < rp_walkMemoCount; ++i)
	{
		search->memo[i] = 0.0;
	}
}

// Of a node: that of the longest edge that leaves it, which tells it best.
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

static bool layNodes(rpCourse* course, rpError* error)
{
	course->nodeDirections = rpAllocate((size_t)course->graph->nodeCount, sizeof(float), error);
	for (int n = 0; n < course->graph->nodeCount && course->nodeDirections != NULL; ++n)
	{
		course->nodeDirections[n] = getNodeDirection(course->graph, n);
	}
	return course->nodeDirections != NULL;
}

bool rpCourse_Lay(rpCourse* course, const rpGraph* graph, const rpPathDef* def, rpError* error)
{
	*course = (rpCourse){.graph = graph, .def = def};
	course->styleReach = def->styleReach > 0.0 ? def->styleReach : 0.5 * graph->clips[0].motion->skeleton->height;
	return layPath(course, error) && layNodes(course, error) && rpCourse_LayStyles(course, error);
}

void rpCourse_Free(rpCourse* course)
{
	rpFree(course->bent);
	rpFree(course->points);
	rpFree(course->tangents);
	rpFree(course->isStraight);
	rpFree(course->directions);
	rpFree(course->nodeDirections);
	rpFree(course->clipDirections);
	rpCourse_FreeStyles(course);
	*course = (rpCourse){0};
}
