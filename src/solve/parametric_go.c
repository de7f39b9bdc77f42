#include "reprise/parametric_go.h"

#include "base/error.h"
#include "base/memory.h"
#include "solve/beam.h"
#include "solve/parametric_planner.h"
#include "solve/parametric_refine.h"

#include <math.h>
#include <string.h>

// Searches are for what comes within so many times what is allowed, with beams so many times as wide. The cheapest way
// often comes just within it with all its turns as tight as can be; where the motions are not quite what the table has,
// it does not get there, and what aims nearer does. What must go away from the goal first, for long, takes a wider
// beam. What comes too far is the nearest there is, or is led there.
typedef struct Round
{
	float allowed;
	int width;
} Round;

static const Round s_rounds[] = {{1.0f, 1},   {0.5f, 1},   {2.0f, 1},   {4.0f, 1},    {0.25f, 1}, {1.0f, 6},
								 {2.0f, 1},   {4.0f, 1},   {8.0f, 1},   {16.0f, 1},   {32.0f, 1}, {64.0f, 1},
								 {128.0f, 1}, {256.0f, 1}, {512.0f, 1}, {1024.0f, 1}, {1e6f, 1}};

enum
{
	roundCount = sizeof(s_rounds) / sizeof(s_rounds[0]),

	/// Of so many, and of the greedy way, the cheapest that gets there is taken.
	fullRounds = 4,

	/// How often a way is searched again from where a motion does something else than the table has.
	maxReplans = 8,
};

// What of that is drift, metres and radians: a tenth of a usual step. Later motions and the refinement make up for
// less.
#define DRIFT 0.07f
#define DRIFT_TURN (3.0f * (float)RP_DEGREE)

// Wider beams are none.
#define MAX_WIDTH 65536

// ---- the planner

rpParametricPlanner* rpCreateParametricPlanner(const rpBundle* bundle, rpError* error)
{
	rpParametricPlanner* planner = rpAllocateZero(1, sizeof(rpParametricPlanner), error);
	bool done = planner != NULL && rpParametricModel_Read(&planner->model, bundle, error) &&
				rpParametricMoves_Create(&planner->moves, &planner->model, 1, error) &&
				rpParametricRoutes_Find(&planner->routes, planner->model.graph, error);
	if (done)
	{
		planner->limits = rpParametricMoves_FindLimits(&planner->moves);
		planner->usable = rpAllocateZero((size_t)planner->model.graph->edgeCount, sizeof(bool), error);
	}
	if (!done || planner->usable == NULL)
	{
		rpDestroyParametricPlanner(planner);
		return NULL;
	}
	return planner;
}

void rpDestroyParametricPlanner(rpParametricPlanner* planner)
{
	if (planner != NULL)
	{
		rpFree(planner->usable);
		rpParametricRoutes_Free(&planner->routes);
		rpParametricMoves_Free(&planner->moves);
		rpParametricModel_Free(&planner->model);
		rpFree(planner);
	}
}

const rpParametricGraph* rpParametricPlanner_GetGraph(const rpParametricPlanner* planner)
{
	return planner->model.graph;
}

void rpParametricPlanner_GetCircles(const rpParametricPlanner* planner, double* left, double* right)
{
	*left = planner->limits.circles.left;
	*right = planner->limits.circles.right;
}

rpParametricGoDef rpDefaultParametricGoDef(void)
{
	return (rpParametricGoDef){.startNode = -1,
							   .goalNode = -1,
							   .radius = 0.3f,
							   .tolerance = (float)(15.0 * RP_DEGREE),
							   .nearness = 1.5f,
							   .maxMotions = 64,
							   .maxSeconds = 60.0,
							   .width = 256};
}

// ---- planning

/// The best course so far.
typedef struct Planning
{
	rpParametricPlanner* planner;
	const rpParametricGoDef* def;
	rpCourse course, best;
	double seconds;
	rpGoalMiss miss;
	int64_t stateCount, madeCount;
} Planning;

static double getCost(const rpCourse* course, double seconds)
{
	for (int i = 0; i < course->count; ++i)
	{
		seconds += course->motions[i].isForced ? RP_FORCED_COST : 0.0;
	}
	return seconds;
}

// Whether the last motion is not where the table has it.
static bool hasDrifted(const rpGoState* real, const rpGoState* table)
{
	float distance = rpHypot(real->place.x - table->place.x, real->place.z - table->place.z);
	return distance > DRIFT || fabsf(rpWrapAngle(real->place.turn - table->place.turn)) > DRIFT_TURN;
}

// The motions of a solution, as they are, up to where they come elsewhere than the table has it: *state is there. False
// when memory ran out.
static bool follow(Planning* planning, const rpGoSearch* search, const rpSolution* solution, rpGoState* state,
				   bool* isDone, rpError* error)
{
	rpCourse* course = &planning->course;
	*isDone = false;
	for (int i = 0; i < solution->stepCount; ++i)
	{
		rpGoChoice choice;
		rpGoState table;
		double seconds;
		if (!rpCourse_MakeRoom(course, error))
		{
			return false;
		}
		bool isThere = rpGoSearch_GetChoice(search, state, solution->steps[i], &choice) &&
					   rpGoSearch_Append(search, state, solution->steps[i], &table, &seconds);
		if (isThere && course->count == 0)
		{
			rpCourse_BeginAt(course, choice.node, choice.part);
		}
		else
		{
			isThere = isThere && rpCourse_AppendAt(course, choice.edge, choice.part);
		}
		if (!isThere)
		{
			break;
		}
		*state = rpGoSearch_GetState(search, course);
		if (hasDrifted(state, &table) && i + 1 < solution->stepCount)
		{
			*isDone = state->isThere;
			return true;
		}
	}
	*isDone = true;
	return true;
}

// A course to within what is allowed by the table, planned again where motions come elsewhere.
static bool seek(Planning* planning, const rpGoSearch* search, int width, bool* isFound, rpError* error)
{
	rpSearchSpace space = rpGoSearch_Describe(search);
	rpBeamDef beam = rpDefaultBeamDef(width);
	rpGoState state = rpGoSearch_Start();
	bool done = true, isDone = false;
	// Nothing is gained by more states where there are few choices.
	beam.maxGrowth = 1;
	planning->course.count = 0;
	for (int i = 0; i <= maxReplans && done && !isDone; ++i)
	{
		rpSolutions solutions = {.keep = 1};
		done = rpSearchBeam(&space, &beam, &state, &solutions, NULL, error);
		planning->stateCount += solutions.expanded;
		isDone = solutions.count == 0;
		if (done && !isDone)
		{
			done = follow(planning, search, &solutions.items[0], &state, &isDone, error);
		}
		rpSolutions_Free(&solutions);
	}
	*isFound = done && planning->course.count > 0;
	return done;
}

static bool isBetter(const Planning* planning, double seconds, rpGoalMiss miss)
{
	bool isThere = miss.worst <= 1.0f, wasThere = planning->miss.worst <= 1.0f;
	if (isThere && wasThere)
	{
		return getCost(&planning->course, seconds) < getCost(&planning->best, planning->seconds);
	}
	return miss.worst < planning->miss.worst;
}

// Take the course at hand if it is better than the best so far.
static void take(Planning* planning, double seconds, rpGoalMiss miss)
{
	if (isBetter(planning, seconds, miss))
	{
		rpCourse other = planning->best;
		planning->best = planning->course;
		planning->course = other;
		planning->seconds = seconds;
		planning->miss = miss;
	}
}

static bool tryGreedily(Planning* planning, rpError* error)
{
	double seconds = 0.0;
	rpGoalMiss miss;
	bool done = rpGoGreedily(planning->planner, planning->def, &planning->course, &seconds, &miss, error);
	if (done)
	{
		take(planning, seconds, miss);
	}
	return done;
}

static bool tryRound(Planning* planning, const Round* round, bool* isFound, rpError* error)
{
	rpGoSearch search = {&planning->planner->moves, planning->def, planning->planner->limits, round->allowed};
	double seconds = 0.0;
	rpGoalMiss miss;
	bool done = seek(planning, &search, round->width * planning->def->width, isFound, error) &&
				(!*isFound || rpCourse_Refine(&planning->course, planning->def, &seconds, &miss, error));
	if (done && *isFound)
	{
		take(planning, seconds, miss);
	}
	return done;
}

static bool plan(Planning* planning, rpError* error)
{
	bool done = rpCourse_Create(&planning->course, &planning->planner->model, planning->def->start, error) &&
				tryGreedily(planning, error);
	bool isFound = true;
	for (int i = 0; i < roundCount && done; ++i)
	{
		const Round* round = &s_rounds[i];
		if (i >= fullRounds && planning->miss.worst <= 1.0f)
		{
			break;
		}
		// Where nothing comes near nothing comes nearer.
		if (isFound || round->allowed >= 1.0f)
		{
			done = tryRound(planning, round, &isFound, error);
		}
		// Of what does not get there the first that is found is the nearest.
		if (i >= fullRounds && isFound && round->allowed > 1.0f)
		{
			break;
		}
	}
	return done;
}

// ---- routes

static void describeMotion(const rpCourse* course, int index, rpRouteMotion* out)
{
	const rpCourseMotion* own = &course->motions[index];
	const rpParametricClip* clip = &own->motion.clip;
	*out = (rpRouteMotion){.node = clip->node,
						   .start = own->motion.span.start + clip->start,
						   .distance = own->distance,
						   .isForced = own->isForced};
	memcpy(out->requested, own->requested, sizeof(out->requested));
	memcpy(out->granted, clip->values, sizeof(out->granted));
	out->root = rpCourse_GetRoot(course, index, out->start);
}

static rpParametricRoute* describe(const Planning* planning, rpError* error)
{
	const rpCourse* course = &planning->best;
	if (course->count == 0)
	{
		rpFail(error, rp_errorNoSolution,
			   "the graph has no motion to begin with as asked that leads to the node of the goal");
		return NULL;
	}
	rpParametricRoute* route = rpAllocateZero(1, sizeof(rpParametricRoute), error);
	rpRouteMotion* motions = rpAllocate((size_t)course->count, sizeof(rpRouteMotion), error);
	if (route == NULL || motions == NULL)
	{
		rpFree(route);
		rpFree(motions);
		return NULL;
	}
	for (int i = 0; i < course->count; ++i)
	{
		describeMotion(course, i, &motions[i]);
	}
	*route = (rpParametricRoute){.motions = motions,
								 .motionCount = course->count,
								 .isReached = planning->miss.worst <= 1.0f,
								 .seconds = planning->seconds,
								 .end = rpCourse_GetRoot(course, course->count - 1, planning->seconds),
								 .distance = planning->miss.distance,
								 .turn = planning->miss.turn,
								 .cost = getCost(course, planning->seconds),
								 .stateCount = planning->stateCount,
								 .madeCount = planning->madeCount};
	return route;
}

static bool isFinitePlace(rpGroundTransform place)
{
	return isfinite(place.turn) && isfinite(place.shift.x) && isfinite(place.shift.y) && isfinite(place.shift.z);
}

static bool checkDef(const rpParametricPlanner* planner, const rpParametricGoDef* def, rpError* error)
{
	int nodeCount = planner->model.graph->nodeCount;
	if (!isFinitePlace(def->start) || !isFinitePlace(def->goal))
	{
		return rpFail(error, rp_errorArgument, "the start and the goal must be numbers");
	}
	if (def->startNode < -1 || def->startNode >= nodeCount || def->goalNode < -1 || def->goalNode >= nodeCount)
	{
		return rpFail(error, rp_errorArgument, "nodes %d and %d; there are %d", def->startNode, def->goalNode,
					  nodeCount);
	}
	if (!(def->radius > 0.0f) || !(def->tolerance > 0.0f) || !(def->nearness > 0.0f) || !isfinite(def->radius))
	{
		return rpFail(error, rp_errorArgument, "a radius of %g m, a tolerance of %g and a nearness of %g m",
					  (double)def->radius, (double)def->tolerance, (double)def->nearness);
	}
	if (def->maxMotions < 1 || def->maxMotions > RP_MAX_ROUTE_MOTIONS || !(def->maxSeconds > 0.0) || def->width < 1 ||
		def->width > MAX_WIDTH)
	{
		return rpFail(error, rp_errorArgument, "%d motions, %g s and a width of %d", def->maxMotions, def->maxSeconds,
					  def->width);
	}
	return true;
}

rpParametricRoute* rpParametricPlanner_Go(rpParametricPlanner* planner, const rpParametricGoDef* def, rpError* error)
{
	if (!checkDef(planner, def, error))
	{
		return NULL;
	}
	Planning planning = {.planner = planner, .def = def, .miss = {INFINITY, INFINITY, INFINITY}};
	int64_t madeCount = planner->moves.madeCount;
	bool done = rpCourse_Create(&planning.best, &planner->model, def->start, error) &&
				(def->isGreedy ? rpGoGreedily(planner, def, &planning.best, &planning.seconds, &planning.miss, error)
							   : plan(&planning, error));
	planning.madeCount = planner->moves.madeCount - madeCount + planning.course.madeCount + planning.best.madeCount;
	rpParametricRoute* route = done ? describe(&planning, error) : NULL;
	rpCourse_Free(&planning.best);
	rpCourse_Free(&planning.course);
	return route;
}

void rpDestroyParametricRoute(rpParametricRoute* route)
{
	if (route != NULL)
	{
		rpFree(route->motions);
		rpFree(route);
	}
}

// ---- playing

bool rpParametricRoute_Steer(void* route, const rpPlayer* player, double time, rpPlayerInput* out)
{
	const rpParametricRoute* own = route;
	rpPlayerReport report;
	int next = 0;
	if (time > 0.0)
	{
		rpPlayer_Peek(player, 0.0, NULL, &report);
		next = report.parametric.number + 1;
	}
	// After the last: what goes on from it is not seen any more.
	const rpRouteMotion* motion = &own->motions[next < own->motionCount ? next : own->motionCount - 1];
	*out = (rpPlayerInput){.request = motion->node + 1, .space = {.isGiven = true}};
	memcpy(out->space.values, motion->requested, sizeof(motion->requested));
	return time <= own->seconds;
}
