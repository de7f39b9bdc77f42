/// What an edge along a path costs: the sum of squared distances of its root from the points of the path at equal arc
/// length (eq. 4.15 of Kovar's thesis), with a min progress for each frame. Added: the point of the path waits for a
/// walk that is behind, prices on seams and on uneven speed where the path is straight, areas to stay out of, and a
/// goal with a heading.
#include "solve/path_problem.h"

#include <math.h>

/// What a walk remembers.
enum
{
	memoProgress,
	memoStyle,
	memoSpeed,
};

static double getProgress(const rpWalkState* walk)
{
	return walk->memo[memoProgress];
}

static int getStyle(const rpWalkState* walk)
{
	return (int)walk->memo[memoStyle];
}

// ---- areas, speed, goal

static bool isForbidden(const rpPathProblem* problem, float x, float z)
{
	for (int i = 0; i < problem->def->forbiddenCount; ++i)
	{
		const rpForbidden* area = &problem->def->forbidden[i];
		if (hypotf(x - area->center.x, z - area->center.y) < area->radius + (float)problem->clearance)
		{
			return true;
		}
	}
	return false;
}

// Uneven speed costs where the path is straight: the square of the difference between the distance travelled and that
// at even speed.
static double getSpeedCost(const rpPathProblem* problem, const rpWalkState* walk, int frames, double speed)
{
	double even = walk->memo[memoSpeed];
	int at = rpPathProblem_FindPoint(problem, getProgress(walk));
	return even > 0.0 && problem->isStraight[at] ? problem->def->evenSpeed * frames * (speed - even) * (speed - even)
												 : 0.0;
}

// How far the root is from the goal at the end of a walk: metres, and metres for each radian of heading.
static double getGoalDistance(const rpPathProblem* problem, int node, rpGroundTransform placement)
{
	const rpGraphNode* last = &problem->graph->nodes[node];
	const rpMotion* motion = problem->graph->clips[last->clip].motion;
	rpGroundTransform root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, last->frame / problem->graph->fps));
	return rpPathGoal_Measure(problem->goal, rpGroundTransform_Compose(placement, root));
}

// Whether a walk may end with an edge, if it is so far from the goal.
static bool mayEnd(const rpPathProblem* problem, int edge, double progress, double distance)
{
	const rpWalkToPlaceDef* def = problem->goal->def;
	return problem->goal->edges[edge] && progress >= problem->length - def->endRadius &&
		   (distance < def->endRadius || progress > problem->length + def->slack);
}

// The price of not ending where one should, for a whole edge that ends the walk.
static double getGoalCost(const rpPathProblem* problem, int e, int frameCount, const rpWalkState* next)
{
	double progress = getProgress(next);
	if (problem->goal == NULL || frameCount < problem->graph->edges[e].frameCount ||
		progress < problem->length - problem->goal->def->endRadius)
	{
		return 0.0;
	}
	double distance = getGoalDistance(problem, next->node, next->placement);
	return mayEnd(problem, e, progress, distance) ? problem->goal->def->endWeight * distance * distance : 0.0;
}

bool rpPathProblem_IsAtEnd(const rpWalkState* walk, void* context)
{
	const rpPathProblem* problem = context;
	double progress = getProgress(walk);
	if (problem->goal != NULL)
	{
		return progress >= problem->length - problem->goal->def->endRadius &&
			   mayEnd(problem, walk->lastEdge, progress, getGoalDistance(problem, walk->node, walk->placement));
	}
	int last = problem->def->styleCount > 0 ? problem->def->styleCount - 1 : 0;
	return progress >= problem->length && getStyle(walk) >= last;
}

// ---- along the path

/// An edge along the path.
typedef struct Pace
{
	const rpPathProblem* problem;
	const rpStep* step;
	const rpVec2* points;
	const float* lengths;

	/// How far the point of the path is pulled in the frames to come, and in those after them.
	double pull, nextPull;

	/// How far it is, the style's end, and the min progress per frame before and after that.
	double progress, end, min, late;

	/// How far the last frame is off the point of the path, and the path's point before that.
	float dx, dz;
	int point;
} Pace;

// How much farther in a frame the point of the path goes for a walk that is off it.
static inline double getPull(const Pace* pace)
{
	rpVec2 tangent = pace->problem->tangents[pace->point];
	return pace->problem->def->waiting * (double)(pace->dx * tangent.x + pace->dz * tangent.y);
}

// What the last frame pulls counts a little later: frames that wait for those just before them take twice the time.
static inline void changePull(Pace* pace)
{
	pace->pull = pace->nextPull;
	pace->nextPull = getPull(pace);
}

// The squared distances of some frames, up to `last`, from the path; the point of the path is pulled in all of them as
// in the first. For every frame of every edge that is tried: comparisons in place of calls to fmin and fmax.
static inline double addFrames(Pace* pace, int first, int last)
{
	const rpPathProblem* problem = pace->problem;
	float sum = 0.0f, s = pace->step->sine, c = pace->step->cosine;
	rpVec3 shift = pace->step->walk.placement.shift;
	for (int f = first; f <= last; ++f)
	{
		double advance = (double)(pace->lengths[f] - pace->lengths[f - 1]) + pace->pull;
		double enough = pace->progress < pace->end ? pace->min : pace->late;
		pace->progress += advance > enough ? advance : enough;
		double at = (pace->progress < pace->end ? pace->progress : pace->end) * (1.0 / RP_PATH_STEP);
		int i = (int)at;
		float t = (float)(at - i);
		rpVec2 own = pace->points[f], a = problem->points[i], b = problem->points[i + 1];
		pace->point = i;
		pace->dx = c * own.x + s * own.y + shift.x - (a.x + t * (b.x - a.x));
		pace->dz = c * own.y - s * own.x + shift.z - (a.y + t * (b.y - a.y));
		sum += pace->dx * pace->dx + pace->dz * pace->dz;
	}
	return (double)sum;
}

typedef float Four __attribute__((vector_size(16)));
typedef float Unaligned __attribute__((vector_size(16), aligned(4), may_alias));
typedef int32_t FourInts __attribute__((vector_size(16)));

enum
{
	/// Frames that are looked at together. How far a walk is ahead of its point is looked at as often.
	lanes = sizeof(Four) / sizeof(float),
};

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

// addFrames for four frames at once that end before the style does.
static inline double addFour(Pace* pace, int first)
{
	const float* lengths = pace->lengths + first;
	Four advances = addUp(getLarger(load(lengths) - load(lengths - 1) + (float)pace->pull,
									(Four){0.0f, 0.0f, 0.0f, 0.0f} + (float)pace->min));
	if (pace->progress + (double)advances[3] >= pace->end)
	{
		return addFrames(pace, first, first + lanes - 1);
	}
	// Points of the path and the next ones, (x, y, next x, next y), are turned into vectors of x, y, …
	double at = pace->progress * (1.0 / RP_PATH_STEP);
	int before = (int)at;
	Four places = advances * (float)(1.0 / RP_PATH_STEP) + (float)(at - before);
	FourInts i = __builtin_convertvector(places, FourInts);
	Four t = places - __builtin_convertvector(i, Four);
	const rpVec2* path = pace->problem->points + before;
	Four p0 = load(path + i[0]), p1 = load(path + i[1]), p2 = load(path + i[2]), p3 = load(path + i[3]);
	Four a01 = __builtin_shufflevector(p0, p1, 0, 4, 1, 5), a23 = __builtin_shufflevector(p2, p3, 0, 4, 1, 5);
	Four b01 = __builtin_shufflevector(p0, p1, 2, 6, 3, 7), b23 = __builtin_shufflevector(p2, p3, 2, 6, 3, 7);
	Four ax = __builtin_shufflevector(a01, a23, 0, 1, 4, 5), ay = __builtin_shufflevector(a01, a23, 2, 3, 6, 7);
	Four bx = __builtin_shufflevector(b01, b23, 0, 1, 4, 5), by = __builtin_shufflevector(b01, b23, 2, 3, 6, 7);
	Four own01 = load(pace->points + first), own23 = load(pace->points + first + 2);
	Four x = __builtin_shufflevector(own01, own23, 0, 2, 4, 6), y = __builtin_shufflevector(own01, own23, 1, 3, 5, 7);
	float s = pace->step->sine, c = pace->step->cosine;
	rpVec3 shift = pace->step->walk.placement.shift;
	Four dx = c * x + s * y + shift.x - (ax + t * (bx - ax));
	Four dz = c * y - s * x + shift.z - (ay + t * (by - ay));
	Four squares = dx * dx + dz * dz;
	pace->progress += (double)advances[3];
	pace->dx = dx[3];
	pace->dz = dz[3];
	pace->point = before + i[3];
	return (double)(squares[0] + squares[1] + (squares[2] + squares[3]));
}

static bool crossesForbidden(const Pace* pace, int frameCount)
{
	float s = pace->step->sine, c = pace->step->cosine;
	rpVec3 shift = pace->step->walk.placement.shift;
	for (int f = 1; f <= frameCount; ++f)
	{
		rpVec2 own = pace->points[f];
		if (isForbidden(pace->problem, c * own.x + s * own.y + shift.x, c * own.y - s * own.x + shift.z))
		{
			return true;
		}
	}
	return false;
}

// While the next style is late, a walk waits at the end of the one before.
static Pace startPace(const rpPathProblem* problem, const rpStep* step, int e, int style)
{
	int first = problem->graph->edges[e].firstPoint, before = getStyle(&step->walk);
	double progress = getProgress(&step->walk);
	return (Pace){
		.problem = problem,
		.step = step,
		.points = problem->graph->path + first,
		.lengths = problem->graph->lengths + first,
		.pull = step->pull,
		.nextPull = step->pull,
		.progress = style == before ? progress : fmin(progress, rpPathProblem_GetStyleEnd(problem, before)),
		.end = rpPathProblem_GetStyleEnd(problem, style),
		.min = problem->def->progressPerFrame,
		.late = rpPathProblem_GetLateSpeed(problem, style),
	};
}

// The squared distances of all frames; infinite if they come to the limit.
static double followPath(Pace* pace, int frameCount, double limit)
{
	double cost = 0.0;
	int f = 1;
	for (; f + lanes - 1 <= frameCount && cost < limit; f += lanes)
	{
		cost += addFour(pace, f);
		changePull(pace);
	}
	return cost < limit ? cost + addFrames(pace, f, frameCount) : (double)INFINITY;
}

// ---- bent towards the path

// A walk is steered towards the point of the path so far ahead of its own, metres: two steps. (Pure pursuit: R. C.
// Coulter, "Implementation of the pure pursuit path tracking algorithm", 1992.)
#define PURSUIT 1.2

/// An edge that is bent.
typedef struct Bending
{
	Pace* pace;
	const rpGraphEdge* edge;

	/// Where its clip lies, with the sine and the cosine of its turn, and the root in it; how fast it turns and is to
	/// turn, rad/s.
	rpGroundTransform placement;
	float s, c;
	float x, z;
	float rate, wanted;

	/// The sine and the cosine of the turn to the clip that a transition leads to.
	float nextSine, nextCosine;
} Bending;

// As calls of fminf and fmaxf are not: for every frame of every edge that is tried.
static inline float clamp(float x, float max)
{
	return x > max ? max : x < -max ? -max : x;
}

static inline rpVec2 turnBy(rpVec2 v, float s, float c)
{
	return (rpVec2){c * v.x + s * v.y, c * v.y - s * v.x};
}

// Where the clip leads in a frame of an edge, in the coordinates of the clip that it starts in.
static rpVec2 getDirection(const Bending* bending, int frame)
{
	const rpPathProblem* problem = bending->pace->problem;
	const rpGraph* graph = problem->graph;
	const rpGraphEdge* edge = bending->edge;
	bool isAfter = rpGraphEdge_IsTransition(edge) && 2 * frame > edge->frameCount;
	const rpGraphNode* node = &graph->nodes[isAfter ? edge->to : edge->from];
	int own = isAfter ? node->frame - edge->frameCount + frame : node->frame + frame;
	int count = graph->clips[node->clip].frameCount;
	own = own < 0 ? 0 : own < count ? own : count - 1;
	rpVec2 direction = problem->clipDirections[graph->firstContacts[node->clip] + own];
	return isAfter ? turnBy(direction, bending->nextSine, bending->nextCosine) : direction;
}

static inline void place(Bending* bending, int frame)
{
	rpVec2 own = turnBy(bending->pace->points[frame], bending->s, bending->c);
	bending->x = own.x + bending->placement.shift.x;
	bending->z = own.y + bending->placement.shift.z;
}

// Turn about the root by a small angle. Sine and cosine follow by the series, to the precision of floats over an edge.
static inline void turn(Bending* bending, int frame, float angle)
{
	float s = bending->s, c = bending->c, square = angle * angle;
	float own = 1.0f - 0.5f * square, other = angle * (1.0f - (1.0f / 6.0f) * square);
	bending->placement.turn += angle;
	bending->s = own * s + other * c;
	bending->c = own * c - other * s;
	rpVec2 root = turnBy(bending->pace->points[frame], bending->s, bending->c);
	bending->placement.shift.x = bending->x - root.x;
	bending->placement.shift.z = bending->z - root.y;
}

// The rate that leads along the circle through the point ahead, whose curvature is 2 sin(angle to it) / distance; what
// lies behind is turned to as what lies beside.
static void steer(Bending* bending, int frame)
{
	const rpPathProblem* problem = bending->pace->problem;
	rpVec2 goal = problem->points[rpPathProblem_FindPoint(problem, bending->pace->progress + PURSUIT)];
	rpVec2 ahead = turnBy(getDirection(bending, frame), bending->s, bending->c);
	float dx = goal.x - bending->x, dz = goal.y - bending->z, distance = sqrtf(dx * dx + dz * dz);
	float across = dx * ahead.y - dz * ahead.x, along = dx * ahead.x + dz * ahead.y;
	float sine = along < 0.0f ? copysignf(1.0f, across) : distance > 0.0f ? across / distance : 0.0f;
	float bend = 2.0f * sine / (distance > (float)(0.5 * PURSUIT) ? distance : (float)(0.5 * PURSUIT));
	float speed = (bending->pace->lengths[frame + 1] - bending->pace->lengths[frame]) * (float)problem->graph->fps;
	bending->wanted = speed * clamp(bend, (float)problem->def->maxBend);
}

static void keepPlacement(const Bending* bending, int frame)
{
	if (bending->pace->problem->placements != NULL)
	{
		bending->pace->problem->placements[frame] = bending->placement;
	}
}

// How far a frame is off the point of the path, squared.
static double goOn(Bending* bending, int frame)
{
	Pace* pace = bending->pace;
	const rpPathProblem* problem = pace->problem;
	double advance = (double)(pace->lengths[frame] - pace->lengths[frame - 1]) + pace->pull;
	double enough = pace->progress < pace->end ? pace->min : pace->late;
	pace->progress += advance > enough ? advance : enough;
	double at = (pace->progress < pace->end ? pace->progress : pace->end) * (1.0 / RP_PATH_STEP);
	pace->point = (int)at;
	rpVec2 a = problem->points[pace->point], b = problem->points[pace->point + 1];
	float t = (float)(at - pace->point);
	place(bending, frame);
	pace->dx = bending->x - (a.x + t * (b.x - a.x));
	pace->dz = bending->z - (a.y + t * (b.y - a.y));
	return (double)(pace->dx * pace->dx + pace->dz * pace->dz);
}

// Steered every few frames, as the point of the path is pulled.
static double goFrame(Bending* bending, int frame)
{
	Pace* pace = bending->pace;
	float fps = (float)pace->problem->graph->fps, max = (float)pace->problem->def->bendRate / fps;
	if (frame % lanes == 1)
	{
		steer(bending, frame - 1);
	}
	bending->rate += clamp(bending->wanted - bending->rate, max);
	keepPlacement(bending, frame - 1);
	turn(bending, frame - 1, bending->rate / fps);
	double square = goOn(bending, frame);
	if (frame % lanes == 0)
	{
		changePull(pace);
	}
	bool isOut = pace->problem->def->forbiddenCount > 0 && isForbidden(pace->problem, bending->x, bending->z);
	return isOut ? (double)INFINITY : square;
}

// As followPath; next gets the placement and the rate that the edge ends with.
static double bendAlong(Pace* pace, const rpGraphEdge* edge, int frameCount, double limit, rpStep* next)
{
	const rpStep* step = pace->step;
	bool leads = rpGraphEdge_IsTransition(edge);
	Bending bending = {.pace = pace,
					   .edge = edge,
					   .placement = step->walk.placement,
					   .s = step->sine,
					   .c = step->cosine,
					   .rate = step->bend,
					   .nextSine = leads ? sinf(edge->alignment.turn) : 0.0f,
					   .nextCosine = leads ? cosf(edge->alignment.turn) : 1.0f};
	double cost = 0.0;
	place(&bending, 0);
	for (int f = 1; f <= frameCount && cost < limit; ++f)
	{
		cost += goFrame(&bending, f);
	}
	if (!(cost < limit))
	{
		return (double)INFINITY;
	}
	keepPlacement(&bending, frameCount);
	next->bend = bending.rate;
	next->walk.placement = leads ? rpGroundTransform_Compose(bending.placement, edge->alignment) : bending.placement;
	next->sine = sinf(next->walk.placement.turn);
	next->cosine = cosf(next->walk.placement.turn);
	return cost;
}

// ---- all of it

static double getSeamCost(const rpPathProblem* problem, const rpGraphEdge* edge)
{
	double distance = (double)edge->distance;
	return !rpGraphEdge_IsTransition(edge)
			   ? 0.0
			   : problem->def->seamPrice * problem->graph->fps + problem->def->transitionWeight * distance * distance;
}

static double getEvenCost(const rpPathProblem* problem, const rpWalkState* walk, int frameCount, rpWalkState* next)
{
	double seconds = frameCount / problem->graph->fps, speed = (next->length - walk->length) / seconds;
	double even = walk->memo[memoSpeed];
	next->memo[memoSpeed] = even > 0.0 ? even + (speed - even) * fmin(seconds, 1.0) : speed;
	return problem->def->evenSpeed > 0.0 ? getSpeedCost(problem, walk, frameCount, speed) : 0.0;
}

// What a walk will still pay for being late for the next style, `left` frames before the end of its edge. What was
// foreseen before stays foreseen as far as it has not been paid ("pathmax", L. Mero, "A heuristic search algorithm with
// modifiable estimate", 1984).
static double getAhead(const rpPathProblem* problem, const rpStep* step, const rpWalkState* next, double paid, int left)
{
	double ahead = rpPathProblem_GetDetour(problem, getStyle(next), getProgress(next), next->node, left);
	return getStyle(next) == getStyle(&step->walk) ? fmax(ahead, step->ahead - paid) : ahead;
}

double rpPathProblem_GetCost(const rpStep* step, int e, int frameCount, double limit, rpStep* next, const void* context)
{
	const rpPathProblem* problem = context;
	const rpGraphEdge* edge = &problem->graph->edges[e];
	int style = rpPathProblem_GetStyle(problem, getStyle(&step->walk), getProgress(&step->walk), e);
	double cost = getSeamCost(problem, edge);
	if (style < 0 || cost >= limit)
	{
		return (double)INFINITY;
	}
	Pace pace = startPace(problem, step, e, style);
	if (problem->def->forbiddenCount > 0 && !problem->isBending && crossesForbidden(&pace, frameCount))
	{
		return (double)INFINITY;
	}
	cost += problem->isBending ? bendAlong(&pace, edge, frameCount, limit - cost, next)
							   : followPath(&pace, frameCount, limit - cost);
	if (cost >= limit)
	{
		return (double)INFINITY;
	}
	next->walk.memo[memoProgress] = pace.progress;
	next->walk.memo[memoStyle] = style;
	next->pull = getPull(&pace);
	next->ahead = getAhead(problem, step, &next->walk, cost, edge->frameCount - frameCount);
	return cost + getEvenCost(problem, &step->walk, frameCount, &next->walk) +
		   getGoalCost(problem, e, frameCount, &next->walk);
}

bool rpPathProblem_MayTake(const rpStep* step, int edge, const void* context)
{
	return rpPathProblem_GetStyle(context, getStyle(&step->walk), getProgress(&step->walk), edge) >= 0;
}

int rpPathProblem_GetBin(const rpStep* step, int e, const void* context)
{
	const rpPathProblem* problem = context;
	const rpGraphEdge* edge = &problem->graph->edges[e];
	if (step->walk.lastEdge < 0)
	{
		// All starts lie along the path.
		return 0;
	}
	double advance = (double)problem->graph->lengths[edge->firstPoint + edge->frameCount];
	float turn = step->walk.placement.turn + (rpGraphEdge_IsTransition(edge) ? edge->alignment.turn : 0.0f) +
				 problem->nodeDirections[edge->to] -
				 problem->directions[rpPathProblem_FindPoint(problem, getProgress(&step->walk) + advance)];
	float share = turn * (float)(0.5 / RP_PI);
	share -= floorf(share);
	// An eighth of a turn to either side is about the same direction; the other bins share the rest.
	return share < 0.125f || share >= 0.875f ? 0 : 1 + (int)((share - 0.125f) * (float)((rp_searchBins - 1) / 0.75));
}
