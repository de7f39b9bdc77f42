/// Going to places on parametric graphs: how many goals at random are reached, and at what cost, by the plan, greedily
/// as in Heck's thesis (6.2.2.2), and by all ways of a few motions on a finer grid; how near what is played comes to
/// what is planned.
#include "bench.h"
#include "parametric_graphs.h"
#include "solve/branch_bound.h"
#include "solve/parametric_planner.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	goalCount = 200,
	quickGoals = 30,
	playedGoals = 20,

	/// All ways of so many motions, with so many times as many choices along each axis.
	exhaustiveMotions = 4,
	exhaustiveFiner = 2,

	/// More than that is not tried: of spaces with two parameters it would be a million million.
	exhaustiveEffort = 3000000,
};

// Goals are so far away, metres, in all directions, with all headings.
#define NEAREST 2.0f
#define FARTHEST 8.0f

/// Of one way to go.
typedef struct Tally
{
	int reached;
	double cost, seconds, slowest;
} Tally;

typedef struct Trial
{
	const char* name;
	rpBundle* bundle;
	rpParametricPlanner* planner;
	rpParametricMoves finer;
	bool hasHeading, isFine;
	int count;
	BenchReport* report;
} Trial;

static void put(const Trial* trial, const char* name, double value, const char* what)
{
	char object[80];
	snprintf(object, sizeof(object), "%s_%s", trial->name, trial->hasHeading ? "headings" : "places");
	benchPut(trial->report, benchMakeKey(object, name), value, what);
}

static void drawGoal(rpRandom* random, rpParametricGoDef* def)
{
	float direction = rpRandom_Range(random, (float)-RP_PI, (float)RP_PI);
	float distance = rpRandom_Range(random, NEAREST, FARTHEST);
	def->goal.turn = rpRandom_Range(random, (float)-RP_PI, (float)RP_PI);
	def->goal.shift = (rpVec3){distance * sinf(direction), 0.0f, distance * cosf(direction)};
}

// As the search pays: nearer is better.
static double getCost(const rpParametricGoDef* def, const rpParametricRoute* route)
{
	double miss = fmax((double)(route->distance / def->radius), (double)(route->turn / def->tolerance));
	return route->cost + RP_MISS_COST * miss;
}

static rpParametricRoute* go(const Trial* trial, const rpParametricGoDef* def, Tally* tally)
{
	double start = benchNow();
	rpParametricRoute* route = rpParametricPlanner_Go(trial->planner, def, NULL);
	double own = benchNow() - start;
	tally->seconds += own;
	tally->slowest = fmax(tally->slowest, own);
	tally->reached += route != NULL && route->isReached;
	return route;
}

static double estimateGoal(const void* state, void* context)
{
	(void)context;
	const rpGoState* own = state;
	return own->isThere ? (double)own->ahead : 0.0;
}

// The best of all ways of a few motions by the finer table, whose costs are looked at and no estimate; infinite where
// none gets there, not a number where there are too many.
static double searchAll(Trial* trial, const rpParametricGoDef* def)
{
	rpParametricGoDef few = *def;
	few.maxMotions = exhaustiveMotions;
	rpGoSearch search = {&trial->finer, &few, trial->planner->limits, 1.0f};
	rpSearchSpace space = rpGoSearch_Describe(&search);
	space.estimate = estimateGoal;
	rpBranchDef branch = {.effort = exhaustiveEffort};
	rpSolutions solutions = {.keep = 1};
	rpGoState start = rpGoSearch_Start();
	bool isWhole = false;
	bool done = rpBranchAndBound(&space, &branch, &start, &solutions, &isWhole, NULL);
	double cost = !done || !isWhole ? (double)NAN : solutions.count > 0 ? solutions.items[0].cost : (double)INFINITY;
	rpSolutions_Free(&solutions);
	return cost;
}

// How far from its planned end a motion is that is played, metres; not a number where it is another motion.
static double play(const Trial* trial, rpParametricRoute* route)
{
	rpPlayer* player = rpCreatePlayer(trial->bundle, NULL, NULL);
	rpRecordDef def = rpDefaultRecordDef();
	rpRecording recording = {0};
	def.seconds = route->seconds;
	def.steer = rpParametricRoute_Steer;
	def.context = route;
	double off = (double)NAN;
	if (player != NULL && rpRecordPlayer(player, &def, &recording, NULL))
	{
		rpPose last = rpMotion_GetPose(recording.motion, recording.motion->frameCount - 1);
		rpGroundTransform end = rpPose_GetGround(&last);
		off = hypot((double)(end.shift.x - route->end.shift.x), (double)(end.shift.z - route->end.shift.z));
		for (int i = 0; i < recording.runCount; ++i)
		{
			const rpParametricReport* played = &recording.runs[i].parametric;
			bool isSame =
				played->number < route->motionCount && played->achieved[0] == route->motions[played->number].granted[0];
			off = isSame ? off : (double)NAN;
		}
	}
	rpRecording_Free(&recording);
	rpDestroyPlayer(player);
	return off;
}

static void tryGoals(Trial* trial)
{
	rpRandom random = rpSeedRandom(5);
	rpParametricGoDef def = rpDefaultParametricGoDef();
	Tally planned = {0}, greedy = {0};
	double both[2] = {0}, all[2] = {0}, played = 0.0, farthest = 0.0, worst = 0.0;
	int bothCount = 0, allCount = 0, missedCount = 0, playedCount = 0, otherCount = 0;
	def.hasHeading = trial->hasHeading;
	for (int i = 0; i < trial->count; ++i)
	{
		drawGoal(&random, &def);
		def.isGreedy = true;
		rpParametricRoute* way = go(trial, &def, &greedy);
		def.isGreedy = false;
		rpParametricRoute* plan = go(trial, &def, &planned);
		if (way != NULL && plan != NULL && way->isReached && plan->isReached)
		{
			both[0] += getCost(&def, plan);
			both[1] += getCost(&def, way);
			++bothCount;
		}
		double cost = trial->isFine ? searchAll(trial, &def) : (double)NAN;
		bool isThere = plan != NULL && plan->isReached;
		missedCount += isfinite(cost) && !isThere;
		if (isfinite(cost) && isThere)
		{
			all[0] += getCost(&def, plan);
			all[1] += cost;
			worst = fmax(worst, getCost(&def, plan) - cost);
			++allCount;
		}
		if (isThere && playedCount < playedGoals)
		{
			double off = play(trial, plan);
			otherCount += isnan(off);
			played += isnan(off) ? 0.0 : off;
			farthest = fmax(farthest, off);
			++playedCount;
		}
		rpDestroyParametricRoute(way);
		rpDestroyParametricRoute(plan);
	}
	put(trial, "goals", trial->count, "goals at random, 2 to 8 m away");
	put(trial, "planned_share", (double)planned.reached / trial->count, "share that the plan reaches");
	put(trial, "greedy_share", (double)greedy.reached / trial->count, "share that the greedy way reaches");
	put(trial, "both", bothCount, "goals that both reach");
	put(trial, "both_planned_cost", bothCount > 0 ? both[0] / bothCount : (double)NAN,
		"cost of the plan there, seconds");
	put(trial, "both_greedy_cost", bothCount > 0 ? both[1] / bothCount : (double)NAN, "cost of the greedy way there");
	if (trial->isFine)
	{
		put(trial, "all_ways", allCount, "goals that some way of 4 motions on a finer grid reaches by the table");
		put(trial, "all_ways_missed", missedCount, "of these the plan does not reach");
		put(trial, "all_ways_planned_cost", allCount > 0 ? all[0] / allCount : (double)NAN, "cost of the plan there");
		put(trial, "all_ways_cost", allCount > 0 ? all[1] / allCount : (double)NAN, "cost of the best of all ways");
		put(trial, "all_ways_excess_max", worst, "the most that the plan costs more, seconds");
	}
	put(trial, "plan_ms", 1e3 * planned.seconds / trial->count, "milliseconds of a plan, mean");
	put(trial, "plan_max_ms", 1e3 * planned.slowest, "of the slowest");
	put(trial, "played_off_cm", 100.0 * played / fmax(playedCount - otherCount, 1.0),
		"cm from its planned end to what is played, mean");
	put(trial, "played_off_max_cm", 100.0 * farthest, "the most");
	put(trial, "played_other", otherCount, "plans that were not played as planned");
}

// All ways are too many where there are two parameters, or two nodes.
static bool tryGraph(const ParametricGraphKind* kind, const char* folder, bool isQuick, BenchReport* report)
{
	ParametricGraph made;
	size_t size = 0;
	Trial trial = {.name = kind->name, .count = isQuick ? quickGoals : goalCount, .report = report};
	void* bytes = parametricMake(kind, folder, &made) ? rpWriteParametricBundle(made.graph, &size, NULL) : NULL;
	trial.bundle = bytes != NULL ? rpCreateBundle(bytes, size, NULL) : NULL;
	trial.planner = trial.bundle != NULL ? rpCreateParametricPlanner(trial.bundle, NULL) : NULL;
	bool done = trial.planner != NULL;
	trial.isFine = done && made.graph->nodeCount == 1 && made.graph->nodes[0].space->parameterCount == 1;
	done =
		done && (!trial.isFine || rpParametricMoves_Create(&trial.finer, &trial.planner->model, exhaustiveFiner, NULL));
	for (int i = 0; i < 2 && done; ++i)
	{
		trial.hasHeading = i == 0;
		tryGoals(&trial);
	}
	if (trial.isFine)
	{
		rpParametricMoves_Free(&trial.finer);
	}
	rpDestroyParametricPlanner(trial.planner);
	rpDestroyBundle(trial.bundle);
	rpFreeBytes(bytes);
	parametricFree(&made);
	return done;
}

bool benchParametricGo(const BenchOptions* options, BenchReport* report)
{
	static const char* const names[] = {"walking", "walk_run", "walking_16"};
	const char* folder = getenv("REPRISE_MOCAP");
	bool done = true;
	for (int i = 0; i < parametricGraphCount; ++i)
	{
		const ParametricGraphKind* kind = &parametricGraphs[i];
		bool isOne = false;
		for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); ++k)
		{
			isOne = isOne || strcmp(names[k], kind->name) == 0;
		}
		if (isOne && benchIsWanted(options, kind->name) && (!kind->isCaptured || folder != NULL))
		{
			done = tryGraph(kind, folder, options->quick, report) && done;
		}
	}
	return done;
}
