/// Walks by search. One rule says what is tried: attempts, the one that finds most first, until a walk is good enough.
///
/// With a beam an attempt is one search from the start to the end. Without one, or where chance is to choose among the
/// best walks, it is section 4.2.1 of Kovar's thesis: branch and bound finds the best walk of n frames, its first m are
/// kept, and the search continues from there until the walk is complete.
#include "base/error.h"
#include "base/memory.h"
#include "solve/beam.h"
#include "solve/branch_bound.h"
#include "solve/path_problem.h"

#include <math.h>

rpSearchDef rpDefaultSearchDef(void)
{
	return (rpSearchDef){
		.start = -1,
		.searchedFrames = 120,
		.keptFrames = 25,
		.choices = 1,
		.tolerance = 0.1,
		.effort = 20000,
		.beam = 130,
		.sameLength = 0.02,
		.longest = 3600.0,
	};
}

/// One attempt: the space, the width of the beam, 0: none; and the walk so far.
typedef struct Search
{
	rpWalkSpace space;
	int beam;
	rpWalk* walk;
	int capacity;
	rpStep last;
} Search;

static bool reportProgress(const rpSearchDef* def, double seconds, rpError* error)
{
	// Nobody knows how long a walk will be: half of it is done after ten seconds, two thirds after twenty.
	double fraction = seconds / (seconds + 10.0);
	return def->progress == NULL || def->progress(fraction, "searching", def->progressContext) ||
		   rpFail(error, rp_errorCancelled, "stopped");
}

static bool failTooLong(const rpSearchDef* def, rpError* error)
{
	return rpFail(error, rp_errorNoSolution, "no walk is complete within %.1f s", def->longest);
}

static bool failDeadEnd(double seconds, rpError* error)
{
	return rpFail(error, rp_errorNoSolution, "no walk goes on after %.1f s that keeps to what is asked", seconds);
}

// Append whole edges of a solution until so many frames are kept, or the walk is complete.
static bool keep(Search* search, const rpSolution* solution, int maxFrames, rpError* error)
{
	const rpWalkSpace* space = &search->space;
	rpWalk* walk = search->walk;
	int end = search->last.frames > INT32_MAX - maxFrames ? INT32_MAX : search->last.frames + maxFrames;
	for (int k = 0; k < solution->stepCount && !search->last.isComplete && search->last.frames < end; ++k)
	{
		rpStep last = search->last;
		int edge = rpWalkSpace_GetEdge(space, &last, solution->steps[k]);
		if (!rpGrow(&walk->edges, &search->capacity, walk->edgeCount, sizeof(int), error))
		{
			return false;
		}
		if (walk->edgeCount == 0)
		{
			walk->start = rpWalkSpace_PlaceFirst(space, edge);
		}
		walk->edges[walk->edgeCount++] = edge;
		rpWalkSpace_Append(space, &last, edge, space->graph->edges[edge].frameCount, (double)INFINITY, &search->last);
	}
	return true;
}

// ---- all at once

static bool reportLayer(int layer, void* context, rpError* error)
{
	const rpWalkSpace* space = context;
	double fps = space->graph->fps;
	return layer % (int)ceil(fps) != 0 || reportProgress(space->def, layer / fps, error);
}

static int findLongestEdge(const rpGraph* graph)
{
	int longest = 1;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		longest = graph->edges[e].frameCount > longest ? graph->edges[e].frameCount : longest;
	}
	return longest;
}

// Why the beam has found nothing: there was no more time, or nothing to continue with.
static bool failAt(const rpWalkSpace* space, int frame, rpError* error)
{
	return frame + findLongestEdge(space->graph) > space->frameCount ? failTooLong(space->def, error)
																	 : failDeadEnd(frame / space->graph->fps, error);
}

// A beam from the start to the end of the walk.
static bool searchAtOnce(Search* search, rpError* error)
{
	rpWalkSpace* space = &search->space;
	rpSearchSpace searched = rpWalkSpace_Describe(space);
	rpBeamDef beam = rpDefaultBeamDef(search->beam);
	rpSolutions solutions = {.keep = 1};
	int reached = 0;
	space->isWhole = true;
	space->frameCount = (int)fmin(space->def->longest * space->graph->fps, INT32_MAX / 4);
	beam.enough = space->def->enough;
	beam.report = reportLayer;
	beam.reportContext = space;
	bool done = rpSearchBeam(&searched, &beam, &search->last, &solutions, &reached, error) &&
				(solutions.count > 0 || failAt(space, reached, error)) &&
				keep(search, &solutions.items[0], INT32_MAX, error);
	rpSolutions_Free(&solutions);
	return done;
}

// ---- window by window

// One of the best solutions at random, those within the tolerance of the best.
static const rpSolution* choose(const rpSolutions* solutions, const rpSearchDef* def, rpRandom* random)
{
	int count = 1;
	while (count < solutions->count &&
		   solutions->items[count].cost <= (1.0 + def->tolerance) * solutions->items[0].cost)
	{
		++count;
	}
	return &solutions->items[count > 1 ? rpRandom_Index(random, count) : 0];
}

// The beam gives branch and bound a first solution, and so a bound.
static bool searchWindow(Search* search, rpRandom* random, bool* isFound, rpError* error)
{
	const rpSearchDef* def = search->space.def;
	rpSearchSpace searched = rpWalkSpace_Describe(&search->space);
	rpBeamDef beam = rpDefaultBeamDef(search->beam);
	rpBranchDef branches = {.effort = def->effort, .enough = def->enough};
	rpSolutions solutions = {.keep = def->choices < rp_maxSolutions ? def->choices : rp_maxSolutions};
	beam.enough = def->enough;
	search->last.frames = 0;
	bool done = (search->beam <= 0 || rpSearchBeam(&searched, &beam, &search->last, &solutions, NULL, error)) &&
				rpBranchAndBound(&searched, &branches, &search->last, &solutions, NULL, error);
	*isFound = solutions.count > 0;
	done = done && (!*isFound || keep(search, choose(&solutions, def, random), def->keptFrames, error));
	rpSolutions_Free(&solutions);
	return done;
}

// Windows of so many frames one after the other, until the walk is complete or comes to a dead end.
static bool searchWindows(Search* search, int frameCount, rpError* error)
{
	const rpSearchDef* def = search->space.def;
	rpRandom random = rpSeedRandom(def->seed);
	search->space.isWhole = false;
	search->space.frameCount = frameCount;
	search->walk->edgeCount = 0;
	search->last = rpWalkSpace_Start(&search->space);
	for (bool isFound = true; isFound && !search->last.isComplete;)
	{
		if (search->last.walk.seconds > def->longest)
		{
			return failTooLong(def, error);
		}
		if (!searchWindow(search, &random, &isFound, error) || !reportProgress(def, search->last.walk.seconds, error))
		{
			return false;
		}
	}
	return true;
}

// A walk that has come to a dead end should have looked farther: again with windows twice as long, until one is
// complete or nothing is found from the start on.
static bool searchFarther(Search* search, rpError* error)
{
	double deadEnd = 0.0;
	for (int frames = search->space.def->searchedFrames; searchWindows(search, frames, error); frames *= 2)
	{
		double seconds = search->last.walk.seconds;
		if (search->last.isComplete || seconds <= 0.0)
		{
			return search->last.isComplete || failDeadEnd(deadEnd, error);
		}
		deadEnd = fmax(deadEnd, seconds);
	}
	return false;
}

// ---- attempts

static rpWalk* attempt(const rpWalkSpace* space, int beam, rpError* error)
{
	Search search = {
		.space = *space,
		.beam = beam,
		.walk = rpAllocateZero(1, sizeof(rpWalk), error),
		.last = rpWalkSpace_Start(space),
	};
	bool isAtOnce = beam > 0 && space->def->choices <= 1;
	bool done = search.walk != NULL && (isAtOnce ? searchAtOnce(&search, error) : searchFarther(&search, error));
	if (!done)
	{
		rpDestroyWalk(search.walk);
		return NULL;
	}
	search.walk->lastFrames = INT32_MAX;
	search.walk->cost = search.last.walk.cost;
	return search.walk;
}

// Attempts differ in which walks compete. The first keeps walks of different lengths to one node beside each other,
// which usually finds most. But where a graph leaves little choice they may fill the beam with many different walks
// that go nowhere, while the point of the path moves on: the second keeps one walk to each node, and twice as many in
// all. One walk to each node improved 136 of 251 walks that had lost their path, by a third on average (performer,
// people 16, 35, 69, 127); twice the width took another 6 % off the cost of 24 paths.
enum
{
	attemptCount = 2,
};

// Up to so many attempts; costs are good up to goodCost for each frame.
static rpWalk* search(rpWalkSpace* space, int attempts, double goodCost, rpError* error)
{
	const rpSearchDef* def = space->def;
	const double lengthParts[attemptCount] = {1.0 / def->sameLength, 0.0};
	const int beams[attemptCount] = {def->beam, 2 * def->beam};
	rpWalk* best = NULL;
	rpError failure = {.code = rp_errorNoSolution};
	for (int i = 0; i < attempts && failure.code == rp_errorNoSolution; ++i)
	{
		space->lengthParts = lengthParts[i];
		rpWalk* walk = attempt(space, beams[i], &failure);
		bool isBetter = walk != NULL && (best == NULL || walk->cost < best->cost);
		rpDestroyWalk(isBetter ? best : walk);
		best = isBetter ? walk : best;
		if (best != NULL && best->cost <= goodCost * space->graph->fps * rpWalk_GetDuration(best, space->graph))
		{
			return best;
		}
	}
	if (best != NULL && failure.code == rp_errorNoSolution)
	{
		return best;
	}
	rpDestroyWalk(best);
	if (error != NULL)
	{
		*error = failure;
	}
	return NULL;
}

static double getOwnCost(const rpStep* step, int edge, int frameCount, double limit, rpStep* next, const void* context)
{
	const rpSearchDef* def = context;
	(void)limit;
	next->pull = 0.0;
	next->ahead = 0.0;
	return def->cost(&step->walk, edge, frameCount, &next->walk, def->context);
}

rpWalk* rpGraph_Search(const rpGraph* graph, const rpSearchDef* def, rpError* error)
{
	rpWalkSpace space = {.graph = graph, .def = def, .rule = {.getCost = getOwnCost, .context = def}};
	return search(&space, attemptCount, (double)INFINITY, error);
}

rpWalk* rpPathProblem_Search(const rpPathProblem* problem, const rpSearchDef* def, rpError* error)
{
	rpWalkSpace space = {
		.graph = problem->graph,
		.def = def,
		.rule = {.getCost = rpPathProblem_GetCost,
				 .mayTake = rpPathProblem_MayTake,
				 .getBin = rpPathProblem_GetBin,
				 .context = problem},
	};
	// A walk that has lost its path and may be bent is, which helps more than a second attempt.
	int attempts = problem->isBending || !(problem->def->maxBend > 0.0) ? attemptCount : 1;
	return search(&space, attempts, problem->def->lost * problem->def->lost, error);
}
