/// Path synthesis: section 4.3 of Kovar's thesis. The cost of an edge is the sum of squared distances of its root from
/// the points of the path at equal arc length (eq. 4.15), with a least progress for each frame. Added: a weight of
/// being ahead or behind, areas to stay out of, a price on uneven speed where the path is straight, and a goal with a
/// heading.
#include "solve/course.h"

#include "base/error.h"
#include "base/memory.h"
#include "solve/branch_bound.h"
#include "solve/detour.h"

#include <math.h>

// The path is looked up in steps of this, metres.
#define PATH_STEP 0.02

// Straight: the path turns by less than this within a metre, radians.
#define STRAIGHT_TURN 0.15
#define STRAIGHT_SPAN 1.0

// Corner: the path turns by more than this within so many metres, radians. What comes of it is decided so far before,
// and is seen so far behind it, metres.
#define CORNER_TURN 0.7
#define CORNER_SPAN 0.3
#define CORNER_BEFORE 1.2
#define CORNER_BEHIND 0.3

// Tangents are taken over this much on either side, metres; where the path turns they are shorter than 1.
#define TANGENT_SPAN 0.1

// How far a walk is ahead of its point of the path is looked at every so many frames.
#define WAITING_FRAMES 4

// Blends and foot lock move the root by some centimetres from where a search has it: areas are stayed out of by so much
// more, metres.
#define CLEARANCE 0.1

// Near the goal, metres; how much farther than the path's length a walk goes to come near; what the distance at the end
// weighs, in frames; and what a radian of heading is worth.
#define GOAL_REACH 0.4
#define GOAL_SLACK 3.0
#define GOAL_FRAMES 60.0
#define METRES_PER_RADIAN 0.5

// Which way the path leads is looked at over this much, metres, and which way a motion does where it is longer than
// that.
#define DIRECTION_SPAN 0.3
#define LEAST_WAY 0.1

// Off the path: so far from its point, metres.
#define OFF_PATH 0.15

// What leads to the next style is looked for so far before the end of one, metres.
#define CHANGE_AHEAD 2.0

// What a walk remembers.
enum
{
	memoProgress,
	memoStyle,
	memoSpeed,
	/// What was paid for being late for the next style.
	memoDetour,
};

static rpVec2 getPoint(const rpCourse* course, double length)
{
	double at = fmin(fmax(length * (1.0 / PATH_STEP), 0.0), course->pointCount - 1);
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
		double at = i * PATH_STEP;
		rpVec2 before = getPoint(course, at - 0.5 * STRAIGHT_SPAN), here = getPoint(course, at);
		rpVec2 after = getPoint(course, at + 0.5 * STRAIGHT_SPAN);
		float turn = rpWrapAngle(getDirection(here, after) - getDirection(before, here));
		course->isStraight[i] = fabsf(turn) < (float)STRAIGHT_TURN;
	}
}

static void markCorners(rpCourse* course)
{
	int before = (int)(CORNER_BEFORE / PATH_STEP), behind = (int)(CORNER_BEHIND / PATH_STEP);
	for (int i = 0; i < course->pointCount; ++i)
	{
		course->isCorner[i] = false;
	}
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = i * PATH_STEP;
		rpVec2 start = getPoint(course, at - 0.5 * CORNER_SPAN), here = getPoint(course, at);
		rpVec2 end = getPoint(course, at + 0.5 * CORNER_SPAN);
		bool isInside = at > 0.5 * CORNER_SPAN && at + 0.5 * CORNER_SPAN < course->length;
		float turn = rpWrapAngle(getDirection(here, end) - getDirection(start, here));
		for (int k = i - before; k <= i + behind && isInside && fabsf(turn) > (float)CORNER_TURN; ++k)
		{
			if (k >= 0 && k < course->pointCount)
			{
				course->isCorner[k] = true;
			}
		}
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

// Where the path leads from its points on.
static void findDirections(rpCourse* course)
{
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = fmin(i * PATH_STEP, course->length - DIRECTION_SPAN);
		course->directions[i] = getDirection(getPoint(course, at), getPoint(course, at + DIRECTION_SPAN));
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
	const rpVec2* points = course->way;
	int count = course->wayCount;
	for (int i = 1; i < count; ++i)
	{
		course->length += getGap(points[i - 1], points[i]);
	}
	if (!(course->length > 0.0) || course->length > 1e5)
	{
		return rpFail(error, rp_errorArgument, "a path of %g m; more than 0 and at most 100 km are possible",
					  course->length);
	}
	course->pointCount = (int)ceil(course->length / PATH_STEP) + 1;
	// One more, so that each has another behind it.
	course->points = rpAllocate((size_t)course->pointCount + 1, sizeof(rpVec2), error);
	course->tangents = rpAllocate((size_t)course->pointCount, sizeof(rpVec2), error);
	course->isStraight = rpAllocate((size_t)course->pointCount, sizeof(bool), error);
	course->isCorner = rpAllocate((size_t)course->pointCount, sizeof(bool), error);
	course->directions = rpAllocate((size_t)course->pointCount, sizeof(float), error);
	if (course->directions == NULL || course->isCorner == NULL || course->points == NULL || course->tangents == NULL ||
		course->isStraight == NULL)
	{
		return false;
	}
	int leg = 0;
	double behind = 0.0;
	for (int i = 0; i < course->pointCount; ++i)
	{
		double at = fmin(i * PATH_STEP, course->length), gap;
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
	markCorners(course);
	findDirections(course);
	return true;
}

// The most that both ends of the path leave, unless one lies in an area.
static double findClearance(const rpPathDef* def)
{
	double clearance = CLEARANCE;
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

// ---- cost

static bool isForbidden(const rpCourse* course, rpVec3 place)
{
	for (int i = 0; i < course->def->forbiddenCount; ++i)
	{
		const rpForbidden* area = &course->def->forbidden[i];
		if (hypotf(place.x - area->center.x, place.z - area->center.y) < area->radius + (float)course->clearance)
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
static double getGoalDistance(const rpCourse* course, int node, rpGround placement)
{
	const rpGraphNode* last = &course->graph->nodes[node];
	const rpMotion* motion = course->graph->clips[last->clip].motion;
	rpGround root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, last->frame / course->graph->fps));
	root = rpGround_Compose(placement, root);
	double dx = (double)root.shift.x - course->goal->root.shift.x,
		   dz = (double)root.shift.z - course->goal->root.shift.z;
	double turn = rpWrapAngle(root.turn - course->goal->root.turn);
	return sqrt(dx * dx + dz * dz + METRES_PER_RADIAN * METRES_PER_RADIAN * turn * turn);
}

// Whether a walk may end with an edge, if it is so far from the goal.
static bool mayEnd(const rpCourse* course, int edge, double progress, double distance)
{
	return (course->goal->edges == NULL || course->goal->edges[edge]) && progress >= course->length - GOAL_REACH &&
		   (distance < GOAL_REACH || progress > course->length + GOAL_SLACK);
}

// The price of not ending where one should, for a whole edge that ends the walk.
static double getGoalCost(const rpCourse* course, const rpWalkState* walk, int e, int frameCount, double progress)
{
	const rpGraphEdge* edge = &course->graph->edges[e];
	if (course->goal == NULL || frameCount < edge->frameCount || progress < course->length - GOAL_REACH)
	{
		return 0.0;
	}
	rpGround placement =
		rpGraphEdge_IsTransition(edge) ? rpGround_Compose(walk->placement, edge->alignment) : walk->placement;
	double distance = getGoalDistance(course, edge->to, placement);
	return mayEnd(course, e, progress, distance) ? GOAL_FRAMES * distance * distance : 0.0;
}

// What it costs more than before that the next style will be late: to lose time is paid for when it is lost.
static double getDetourCost(const rpCourse* course, const rpWalkState* walk, int node, int left, double* memo)
{
	int style = (int)memo[memoStyle];
	double paid = style == (int)walk->memo[memoStyle] ? walk->memo[memoDetour] : 0.0;
	double detour = rpCourse_GetDetour(course, style, memo[memoProgress], node, left);
	memo[memoDetour] = detour > paid ? detour : paid;
	return memo[memoDetour] - paid;
}

// Where an edge begins along the path. While the next style is late, a walk waits at the end of the one before.
static double getStart(const rpCourse* course, const rpWalkState* walk, int style)
{
	int before = (int)walk->memo[memoStyle];
	double progress = walk->memo[memoProgress];
	return style == before ? progress : fmin(progress, rpCourse_GetStyleEnd(course, before));
}

// How much farther in a frame the point of the path goes for a walk that is off it by (dx, dz).
static inline double getPull(const rpCourse* course, float dx, float dz, rpVec2 tangent)
{
	return course->def->waiting * (double)(dx * tangent.x + dz * tangent.y);
}

static rpVec2 getPlace(const rpCourse* course, const rpWalkState* walk)
{
	const rpGraphEdge* edge = &course->graph->edges[course->graph->nodes[walk->node].firstEdge];
	rpVec2 own = course->graph->path[edge->firstPoint];
	rpVec3 place = rpGround_Apply(walk->placement, (rpVec3){own.x, 0.0f, own.y});
	return (rpVec2){place.x, place.z};
}

static double getFirstPull(const rpCourse* course, const rpWalkState* walk, double at)
{
	rpVec2 place = getPlace(course, walk);
	rpVec2 wanted = getPoint(course, at), tangent = course->tangents[(int)(at * (1.0 / PATH_STEP))];
	return getPull(course, place.x - wanted.x, place.y - wanted.y, tangent);
}

rpCourseView rpCourse_View(const rpCourse* course, const rpWalkState* walk)
{
	rpCourseView view = {sinf(walk->placement.turn), cosf(walk->placement.turn), 0.0};
	if (walk->lastEdge >= 0)
	{
		double end = rpCourse_GetStyleEnd(course, (int)walk->memo[memoStyle]);
		view.pull = getFirstPull(course, walk, fmin(walk->memo[memoProgress], end));
	}
	return view;
}

/// An edge on its way along the path.
typedef struct Pace
{
	const rpCourse* course;
	const rpVec2* points;
	const float* lengths;
	rpCourseView view;
	rpVec3 shift;

	/// How far the point of the path is pulled in the frames to come, and in those behind them.
	double pull, nextPull;

	/// How far it is, the style's end, and the least progress per frame before and behind that.
	double progress, end, least, late;
} Pace;

// By where the last frame is off the point of the path, which is behind this one of the course's. It counts a little
// later: frames that wait for those just before them take twice the time.
static inline void changePull(Pace* pace, float dx, float dz, int point)
{
	pace->pull = pace->nextPull;
	pace->nextPull = getPull(pace->course, dx, dz, pace->course->tangents[point]);
}

// The squared distances of some frames, up to `last`, from the path; the point of the path is pulled in all of them as
// in the first. For every frame of every edge that is tried: comparisons in place of calls to fmin and fmax.
static inline double goOn(Pace* pace, int first, int last)
{
	const rpCourse* course = pace->course;
	float sum = 0.0f, dx = 0.0f, dz = 0.0f, s = pace->view.sine, c = pace->view.cosine;
	double pull = pace->pull, progress = pace->progress;
	int i = 0;
	for (int f = first; f <= last; ++f)
	{
		double way = (double)(pace->lengths[f] - pace->lengths[f - 1]) + pull;
		double enough = progress < pace->end ? pace->least : pace->late;
		progress += way > enough ? way : enough;
		double at = (progress < pace->end ? progress : pace->end) * (1.0 / PATH_STEP);
		i = (int)at;
		float t = (float)(at - i);
		rpVec2 own = pace->points[f], a = course->points[i], b = course->points[i + 1];
		dx = c * own.x + s * own.y + pace->shift.x - (a.x + t * (b.x - a.x));
		dz = c * own.y - s * own.x + pace->shift.z - (a.y + t * (b.y - a.y));
		sum += dx * dx + dz * dz;
	}
	pace->progress = progress;
	if (last - first + 1 == WAITING_FRAMES)
	{
		changePull(pace, dx, dz, i);
	}
	return (double)sum;
}

typedef float Four __attribute__((vector_size(16)));
typedef float Unaligned __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t FourInts __attribute__((vector_size(16)));

static inline Four load(const void* from)
{
	return *(const Unaligned*)from;
}

static inline Four getLarger(Four a, Four b)
{
	FourInts isLarger = a > b;
	return (Four)((isLarger & (FourInts)a) | (~isLarger & (FourInts)b));
}

// (a0, a0 + a1, …)
static inline Four addUp(Four a)
{
	const Four zero = {0.0f, 0.0f, 0.0f, 0.0f};
	a += __builtin_shufflevector(zero, a, 0, 4, 5, 6);
	return a + __builtin_shufflevector(zero, a, 0, 1, 4, 5);
}

// goOn for four frames at once that end before the style does.
static inline double goOnFour(Pace* pace, int first)
{
	const float* lengths = pace->lengths + first;
	Four ways = addUp(getLarger(load(lengths) - load(lengths - 1) + (float)pace->pull,
								(Four){0.0f, 0.0f, 0.0f, 0.0f} + (float)pace->least));
	if (pace->progress + (double)ways[3] >= pace->end)
	{
		return goOn(pace, first, first + WAITING_FRAMES - 1);
	}
	// Points of the path and the next ones, (x, y, next x, next y), are turned into vectors of x, y, …
	double at = pace->progress * (1.0 / PATH_STEP);
	int before = (int)at;
	Four places = ways * (float)(1.0 / PATH_STEP) + (float)(at - before);
	FourInts i = __builtin_convertvector(places, FourInts);
	Four t = places - __builtin_convertvector(i, Four);
	const rpVec2* path = pace->course->points + before;
	Four p0 = load(path + i[0]), p1 = load(path + i[1]), p2 = load(path + i[2]), p3 = load(path + i[3]);
	Four a01 = __builtin_shufflevector(p0, p1, 0, 4, 1, 5), a23 = __builtin_shufflevector(p2, p3, 0, 4, 1, 5);
	Four b01 = __builtin_shufflevector(p0, p1, 2, 6, 3, 7), b23 = __builtin_shufflevector(p2, p3, 2, 6, 3, 7);
	Four ax = __builtin_shufflevector(a01, a23, 0, 1, 4, 5), ay = __builtin_shufflevector(a01, a23, 2, 3, 6, 7);
	Four bx = __builtin_shufflevector(b01, b23, 0, 1, 4, 5), by = __builtin_shufflevector(b01, b23, 2, 3, 6, 7);
	Four own01 = load(pace->points + first), own23 = load(pace->points + first + 2);
	Four x = __builtin_shufflevector(own01, own23, 0, 2, 4, 6), y = __builtin_shufflevector(own01, own23, 1, 3, 5, 7);
	float s = pace->view.sine, c = pace->view.cosine;
	Four dx = c * x + s * y + pace->shift.x - (ax + t * (bx - ax));
	Four dz = c * y - s * x + pace->shift.z - (ay + t * (by - ay));
	Four squares = dx * dx + dz * dz;
	pace->progress += (double)ways[3];
	changePull(pace, dx[3], dz[3], before + i[3]);
	return (double)(squares[0] + squares[1] + (squares[2] + squares[3]));
}

static bool crossesForbidden(const Pace* pace, int frameCount)
{
	float s = pace->view.sine, c = pace->view.cosine;
	for (int f = 1; f <= frameCount; ++f)
	{
		rpVec2 own = pace->points[f];
		rpVec3 place = {c * own.x + s * own.y + pace->shift.x, 0.0f, c * own.y - s * own.x + pace->shift.z};
		if (isForbidden(pace->course, place))
		{
			return true;
		}
	}
	return false;
}

static Pace startPace(const rpCourse* course, const rpWalkState* walk, const rpCourseView* view, int e, int style)
{
	int first = course->graph->edges[e].firstPoint;
	Pace pace = {
		.course = course,
		.points = course->graph->path + first,
		.lengths = course->graph->lengths + first,
		.view = *view,
		.shift = walk->placement.shift,
		.pull = view->pull,
		.progress = getStart(course, walk, style),
		.end = rpCourse_GetStyleEnd(course, style),
		.least = course->def->progressPerFrame,
		.late = rpCourse_GetLateSpeed(course, style),
	};
	if (style != (int)walk->memo[memoStyle] && walk->lastEdge >= 0)
	{
		pace.pull = getFirstPull(course, walk, fmin(pace.progress, pace.end));
	}
	pace.nextPull = pace.pull;
	return pace;
}

static double getEvenCost(const rpCourse* course, const rpWalkState* walk, const Pace* pace, int frameCount,
						  double* memo)
{
	double fps = course->graph->fps, speed = (double)pace->lengths[frameCount] * fps / frameCount;
	double even = walk->memo[memoSpeed];
	memo[memoSpeed] = even > 0.0 ? even + (speed - even) * fmin(frameCount / fps, 1.0) : speed;
	return getSpeedCost(course, walk, frameCount, speed);
}

bool rpCourse_IsSpread(const rpCourse* course, const rpWalkState* walk)
{
	double at = walk->memo[memoProgress];
	int style = (int)walk->memo[memoStyle];
	bool isLast = style + 1 >= course->def->styleCount;
	// Where a style comes to its end the next is what matters, and behind it no path leads on.
	if (walk->lastEdge < 0 || at >= rpCourse_GetStyleEnd(course, style) - (isLast ? 0.0 : CHANGE_AHEAD))
	{
		return false;
	}
	rpVec2 wanted = getPoint(course, at), place = getPlace(course, walk);
	return course->isCorner[(int)(at * (1.0 / PATH_STEP))] || getGap(place, wanted) > OFF_PATH;
}

int rpCourse_GetKind(const rpCourse* course, const rpWalkState* walk, int e)
{
	const rpGraphEdge* edge = &course->graph->edges[e];
	double way = (double)course->graph->lengths[edge->firstPoint + edge->frameCount];
	double at = fmin(walk->memo[memoProgress] + way, course->length);
	float turn = walk->placement.turn + (rpGraphEdge_IsTransition(edge) ? edge->alignment.turn : 0.0f) +
				 course->nodeDirections[edge->to] - course->directions[(int)(at * (1.0 / PATH_STEP))];
	float share = turn * (float)(0.5 / RP_PI);
	share -= floorf(share);
	// An eighth of a turn to either side is about the same way; the others share the rest.
	return share < 0.125f || share >= 0.875f ? 0 : 1 + (int)((share - 0.125f) * (float)((rp_beamKinds - 1) / 0.75));
}

bool rpCourse_MayTake(const rpCourse* course, const rpWalkState* walk, int edge)
{
	return rpCourse_GetStyle(course, (int)walk->memo[memoStyle], walk->memo[memoProgress], edge) >= 0;
}

static double getSeamCost(const rpCourse* course, const rpGraphEdge* edge)
{
	double distance = (double)edge->distance;
	return !rpGraphEdge_IsTransition(edge)
			   ? 0.0
			   : course->def->seamPrice * course->graph->fps + course->def->transitionWeight * distance * distance;
}

double rpCourse_GetCost(const rpCourse* course, const rpWalkState* walk, const rpCourseView* view, int e,
						int frameCount, double limit, double* memo)
{
	const rpGraphEdge* edge = &course->graph->edges[e];
	int style = rpCourse_GetStyle(course, (int)walk->memo[memoStyle], walk->memo[memoProgress], e);
	double cost = getSeamCost(course, edge);
	if (style < 0)
	{
		return (double)INFINITY;
	}
	Pace pace = startPace(course, walk, view, e, style);
	if (course->def->forbiddenCount > 0 && crossesForbidden(&pace, frameCount))
	{
		return (double)INFINITY;
	}
	int f = 1;
	for (; f + WAITING_FRAMES - 1 <= frameCount && cost < limit; f += WAITING_FRAMES)
	{
		cost += goOnFour(&pace, f);
	}
	if (cost >= limit)
	{
		return (double)INFINITY;
	}
	cost += goOn(&pace, f, frameCount);
	memo[memoSpeed] = walk->memo[memoSpeed];
	if (course->def->evenSpeed > 0.0)
	{
		cost += getEvenCost(course, walk, &pace, frameCount, memo);
	}
	memo[memoProgress] = pace.progress;
	memo[memoStyle] = style;
	return cost + getDetourCost(course, walk, edge->to, edge->frameCount - frameCount, memo) +
		   getGoalCost(course, walk, e, frameCount, pace.progress);
}

static bool isAtEnd(const rpWalkState* walk, void* context)
{
	const rpCourse* course = context;
	if (course->goal != NULL)
	{
		double progress = walk->memo[memoProgress];
		return progress >= course->length - GOAL_REACH &&
			   mayEnd(course, walk->lastEdge, progress, getGoalDistance(course, walk->node, walk->placement));
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
	search->halt = isAtEnd;
	search->place = placeStart;
	search->context = course;
	for (int i = 0; i < rp_walkMemoCount; ++i)
	{
		search->memo[i] = 0.0;
	}
}

// Of a node: the way of its first stretch, or where the body looks if that is short.
static float getNodeDirection(const rpGraph* graph, int n)
{
	const rpGraphNode* node = &graph->nodes[n];
	for (int k = 0; k < node->edgeCount; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[node->firstEdge + k];
		rpVec2 first = graph->path[edge->firstPoint], last = graph->path[edge->firstPoint + edge->frameCount];
		if (getGap(first, last) > LEAST_WAY)
		{
			return getDirection(first, last);
		}
	}
	const rpMotion* motion = graph->clips[node->clip].motion;
	return rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps)).turn;
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
	rpFree(course->isCorner);
	rpFree(course->directions);
	rpFree(course->nodeDirections);
	rpCourse_FreeStyles(course);
	*course = (rpCourse){0};
}
