/// Path synthesis: section 4.3 of Kovar's thesis. The cost of an edge is the sum of squared distances of its root from
/// the points of the path at equal arc length (eq. 4.15), with a least progress for each frame. Added: a weight of
/// being ahead or behind, areas to stay out of, a price on uneven speed where the path is straight, and a goal with a
/// heading.
#include "solve/course.h"

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

// The path is looked up in steps of this, metres.
#define PATH_STEP 0.02

// Straight: the path turns by less than this within a metre, radians.
#define STRAIGHT_TURN 0.15
#define STRAIGHT_SPAN 1.0

// Tangents are taken over this much on either side, metres; where the path turns they are shorter than 1.
#define TANGENT_SPAN 0.1

// How far a walk is ahead of its point of the path is looked at every so many frames.
#define WAITING_FRAMES 4

// Near the goal, metres; how much farther than the path's length a walk goes to come near; what the distance at the end
// weighs, in frames; and what a radian of heading is worth.
#define GOAL_REACH 0.4
#define GOAL_SLACK 3.0
#define GOAL_FRAMES 60.0
#define METRES_PER_RADIAN 0.5

// What a walk remembers.
enum
{
	memoProgress,
	memoStyle,
	memoSpeed,
	/// What was paid for being late for the next style.
	memoDetour,
};

// Called for every frame of every edge that is tried: comparisons in place of calls to fmin and fmax.
static inline rpVec2 getPoint(const rpCourse* course, double length)
{
	double at = length > 0.0 ? length * (1.0 / PATH_STEP) : 0.0;
	at = at < course->pointCount - 1 ? at : course->pointCount - 1;
	int i = (int)at;
	int next = i + 1 < course->pointCount ? i + 1 : i;
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
		double at = i * PATH_STEP;
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
		double at = i * PATH_STEP;
		rpVec2 before = getPoint(course, at - TANGENT_SPAN), after = getPoint(course, at + TANGENT_SPAN);
		bool isInside = at > TANGENT_SPAN && at + TANGENT_SPAN < course->length;
		float x = (after.x - before.x) / (2.0f * (float)TANGENT_SPAN);
		float y = (after.y - before.y) / (2.0f * (float)TANGENT_SPAN);
		course->tangents[i] = isInside ? (rpVec2){x, y} : (rpVec2){0.0f, 0.0f};
	}
}

static double getGap(rpVec2 a, rpVec2 b)
{
	return hypot((double)a.x - b.x, (double)a.y - b.y);
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
	return true;
}

static bool layPoints(rpCourse* course, rpError* error)
{
	const rpPathDef* def = course->def;
	if (!checkPath(def, error))
	{
		return false;
	}
	for (int i = 1; i < def->pointCount; ++i)
	{
		course->length += getGap(def->points[i - 1], def->points[i]);
	}
	if (!(course->length > 0.0) || course->length > 1e5)
	{
		return rpFail(error, rp_errorArgument, "a path of %g m; more than 0 and at most 100 km are possible",
					  course->length);
	}
	course->pointCount = (int)ceil(course->length / PATH_STEP) + 1;
	course->points = rpAllocate((size_t)course->pointCount, sizeof(rpVec2), error);
	course->tangents = rpAllocate((size_t)course->pointCount, sizeof(rpVec2), error);
	course->isStraight = rpAllocate((size_t)course->pointCount, sizeof(bool), error);
	if (course->points == NULL || course->tangents == NULL || course->isStraight == NULL)
	{
		return false;
	}
	int leg = 0;
	double behind = 0.0;
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = fmin(i * PATH_STEP, course->length), gap;
		while ((gap = getGap(def->points[leg], def->points[leg + 1])) < at - behind && leg + 2 < def->pointCount)
		{
			behind += gap;
			++leg;
		}
		rpVec2 a = def->points[leg], b = def->points[leg + 1];
		float t = gap > 0.0 ? (float)fmin((at - behind) / gap, 1.0) : 0.0f;
		course->points[i] = (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
	}
	findTangents(course);
	markStraight(course);
	return true;
}

// ---- cost

static bool isForbidden(const rpCourse* course, rpVec3 place)
{
	for (int i = 0; i < course->def->forbiddenCount; ++i)
	{
		const rpForbidden* area = &course->def->forbidden[i];
		if (hypotf(place.x - area->center.x, place.z - area->center.y) < area->radius)
		{
			return true;
		}
	}
	return false;
}

// Uneven speed costs where the path is straight: the square of what the way differs from that of the even speed.
static double getSpeedCost(const rpCourse* course, const rpWalkState* walk, int frames, double speed)
{
	double even = walk->memo[memoSpeed];
	int at = (int)fmin(walk->memo[memoProgress] / PATH_STEP, course->pointCount - 1);
	return even > 0.0 && course->isStraight[at] ? course->def->evenSpeed * frames * (speed - even) * (speed - even)
												: 0.0;
}

// How far the root is from the goal at the end of a walk: metres, and metres for each radian of heading.
static double getGoalDistance(const rpCourse* course, const rpWalkState* walk)
{
	const rpGraphNode* node = &course->graph->nodes[walk->node];
	const rpMotion* motion = course->graph->clips[node->clip].motion;
	rpGround root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / course->graph->fps));
	root = rpGround_Compose(walk->placement, root);
	double dx = (double)root.shift.x - course->goal->root.shift.x,
		   dz = (double)root.shift.z - course->goal->root.shift.z;
	double turn = rpWrapAngle(root.turn - course->goal->root.turn);
	return sqrt(dx * dx + dz * dz + METRES_PER_RADIAN * METRES_PER_RADIAN * turn * turn);
}

static bool isGoalEdge(const rpCourse* course, int edge)
{
	return course->goal->edges == NULL || course->goal->edges[edge];
}

// A walk may end near the goal; one that has gone by without coming near ends in any case.
static bool mayEnd(const rpCourse* course, const rpWalkState* walk)
{
	double progress = walk->memo[memoProgress];
	if (progress < course->length - GOAL_REACH || !isGoalEdge(course, walk->lastEdge))
	{
		return false;
	}
	return getGoalDistance(course, walk) < GOAL_REACH || progress > course->length + GOAL_SLACK;
}

// The price of not ending where one should, for a whole edge that ends the walk.
static double getGoalCost(const rpCourse* course, const rpGraphEdge* edge, int frameCount, const rpWalkState* next)
{
	if (course->goal == NULL || frameCount < edge->frameCount || !mayEnd(course, next))
	{
		return 0.0;
	}
	double distance = getGoalDistance(course, next);
	return GOAL_FRAMES * distance * distance;
}

// What it costs more than before that the next style will be late: to lose time is paid for when it is lost.
static double getDetourCost(const rpCourse* course, const rpWalkState* walk, rpWalkState* next, int left)
{
	int style = (int)next->memo[memoStyle];
	double paid = style == (int)walk->memo[memoStyle] ? walk->memo[memoDetour] : 0.0;
	double detour = rpCourse_GetDetour(course, style, next->memo[memoProgress], next->node, left);
	next->memo[memoDetour] = detour > paid ? detour : paid;
	return next->memo[memoDetour] - paid;
}

// Where an edge begins along the path. While the next style is late, a walk waits at the end of the one before.
static double getStart(const rpCourse* course, const rpWalkState* walk, int style)
{
	int before = (int)walk->memo[memoStyle];
	double progress = walk->memo[memoProgress];
	return style == before ? progress : fmin(progress, rpCourse_GetStyleEnd(course, before));
}

// How much farther in a frame the point of the path goes for a walk that is off it by (dx, dz).
static inline double getPull(const rpCourse* course, double dx, double dz, rpVec2 tangent)
{
	return course->def->waiting * (dx * tangent.x + dz * tangent.y);
}

static double getFirstPull(const rpCourse* course, const rpWalkState* walk, double at)
{
	if (walk->lastEdge < 0)
	{
		return 0.0;
	}
	const rpGraphEdge* edge = &course->graph->edges[course->graph->nodes[walk->node].firstEdge];
	rpVec2 own = course->graph->path[edge->firstPoint];
	rpVec3 place = rpGround_Apply(walk->placement, (rpVec3){own.x, 0.0f, own.y});
	rpVec2 wanted = getPoint(course, at), tangent = course->tangents[(int)(at * (1.0 / PATH_STEP))];
	return getPull(course, (double)place.x - wanted.x, (double)place.z - wanted.y, tangent);
}

static double getCost(const rpWalkState* walk, int e, int frameCount, rpWalkState* next, void* context)
{
	const rpCourse* course = context;
	const rpGraphEdge* edge = &course->graph->edges[e];
	int style = rpCourse_GetStyle(course, (int)walk->memo[memoStyle], walk->memo[memoProgress], e);
	if (style < 0)
	{
		return (double)INFINITY;
	}
	const rpVec2* points = course->graph->path + edge->firstPoint;
	const float* lengths = course->graph->lengths + edge->firstPoint;
	float c = cosf(walk->placement.turn), s = sinf(walk->placement.turn);
	double progress = getStart(course, walk, style), end = rpCourse_GetStyleEnd(course, style), cost = 0.0;
	double least = course->def->progressPerFrame, late = rpCourse_GetLateSpeed(course, style);
	double pull = getFirstPull(course, walk, progress < end ? progress : end);
	for (int f = 1; f <= frameCount; ++f)
	{
		double way = lengths[f] - lengths[f - 1] + pull, enough = progress < end ? least : late;
		progress += way > enough ? way : enough;
		rpVec3 place = {c * points[f].x + s * points[f].y + walk->placement.shift.x, 0.0f,
						-s * points[f].x + c * points[f].y + walk->placement.shift.z};
		double at = progress < end ? progress : end;
		rpVec2 wanted = getPoint(course, at), tangent = course->tangents[(int)(at * (1.0 / PATH_STEP))];
		double dx = (double)place.x - wanted.x, dz = (double)place.z - wanted.y;
		cost += dx * dx + dz * dz;
		// Now and then: a frame that waits for the one before it takes twice the time.
		if (f % WAITING_FRAMES == 0)
		{
			pull = getPull(course, dx, dz, tangent);
		}
		if (course->def->forbiddenCount > 0 && isForbidden(course, place))
		{
			return (double)INFINITY;
		}
	}
	if (course->def->evenSpeed > 0.0)
	{
		double speed = lengths[frameCount] * course->graph->fps / frameCount;
		cost += getSpeedCost(course, walk, frameCount, speed);
		double even = walk->memo[memoSpeed];
		next->memo[memoSpeed] = even > 0.0 ? even + (speed - even) * fmin(frameCount / course->graph->fps, 1.0) : speed;
	}
	if (edge->distance > 0.0f)
	{
		cost += course->def->transitionWeight * edge->distance * edge->distance;
	}
	next->memo[memoProgress] = progress;
	next->memo[memoStyle] = style;
	return cost + getDetourCost(course, walk, next, edge->frameCount - frameCount) +
		   getGoalCost(course, edge, frameCount, next);
}

static bool isAtEnd(const rpWalkState* walk, void* context)
{
	const rpCourse* course = context;
	if (course->goal != NULL)
	{
		return mayEnd(course, walk);
	}
	int last = course->def->styleCount > 0 ? course->def->styleCount - 1 : 0;
	return walk->memo[memoProgress] >= course->length && (int)walk->memo[memoStyle] >= last;
}

// ---- start

// So that the root starts where the path does, and goes or at least looks the way that the path goes.
static rpGround placeStart(const rpGraph* graph, int e, void* context)
{
	const rpCourse* course = context;
	const rpGraphEdge* edge = &graph->edges[e];
	const rpGraphNode* node = &graph->nodes[edge->from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpVec2 first = graph->path[edge->firstPoint], last = graph->path[edge->firstPoint + edge->frameCount];
	float heading = getGap(first, last) > 0.2
						? getDirection(first, last)
						: rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps)).turn;
	float turn = rpWrapAngle(getDirection(course->points[0], getPoint(course, 0.3)) - heading);
	rpVec3 start = rpGround_Apply((rpGround){turn, rpVec3_zero}, (rpVec3){first.x, 0.0f, first.y});
	return (rpGround){turn, {course->points[0].x - start.x, 0.0f, course->points[0].y - start.z}};
}

int* rpCourse_ListStarts(const rpCourse* course, int* count, rpError* error)
{
	int* starts = rpAllocate((size_t)course->graph->edgeCount, sizeof(int), error);
	*count = 0;
	for (int e = 0; e < course->graph->edgeCount && starts != NULL; ++e)
	{
		if (course->graph->edges[e].distance < 0.0f && rpCourse_IsOfStyle(course, e, 0))
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
	search->cost = getCost;
	search->halt = isAtEnd;
	search->place = placeStart;
	search->context = course;
	for (int i = 0; i < rp_walkMemoCount; ++i)
	{
		search->memo[i] = 0.0;
	}
}

bool rpCourse_Lay(rpCourse* course, const rpGraph* graph, const rpPathDef* def, rpError* error)
{
	*course = (rpCourse){.graph = graph, .def = def};
	course->styleReach = def->styleReach > 0.0 ? def->styleReach : 0.5 * graph->clips[0].motion->skeleton->height;
	return layPoints(course, error) && rpCourse_FindChanges(course, error);
}

void rpCourse_Free(rpCourse* course)
{
	rpFree(course->points);
	rpFree(course->tangents);
	rpFree(course->isStraight);
	rpCourse_FreeChanges(course);
	*course = (rpCourse){0};
}
