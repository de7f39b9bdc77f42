/// Walks by search. One rule says what is tried: attempts, the one that finds most first, until a walk is good enough.
///
/// With a beam an attempt is one search from the start to the end. Without one, or where chance is to choose among the
/// best walks, it is section 4.2.1 of Kovar's thesis: branch and bound finds the best walk of n frames, its first m are
/// kept, and the search continues from there until the walk is complete.
#include "base/error.h"
#include "base/memory.h"
#include "solve/beam.h"
#include "solve/branch_bound.h"
#include "solve/course.h"

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

/// The walk so far.
typedef struct Progress
{
	rpWalk* walk;
	int capacity;
	rpStep last;
} Progress;

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
static bool keep(const rpWalkSpace* space, const rpSolution* solution, int maxFrames, Progress* progress,
				 rpError* error)
{
	rpWalk* walk = progress->walk;
	int first = progress->last.frames;
	for (int k = 0; k < solution->stepCount && !progress->last.isComplete && progress->last.frames - first < maxFrames;
		 ++k)
	{
		rpStep last = progress->last;
		int edge = rpWalkSpace_GetEdge(space, &last, solution->steps[k]);
		if (!rpGrow(&walk->edges, &progress->capacity, walk->edgeCount, sizeof(int), error))
		{
			return false;
		}
		if (walk->edgeCount == 0)
		{
			walk->start = rpWalkSpace_PlaceFirst(space, edge);
		}
		walk->edges[walk->edgeCount++] = edge;
		rpWalkSpace_Append(space, &last, edge, space->graph->edges[edge].frameCount, (double)INFINITY, &progress->last);
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
static bool searchAtOnce(rpWalkSpace* space, Progress* progress, rpError* error)
{
	rpSearchSpace searched = rpWalkSpace_Describe(space);
	rpBeamDef beam = rpDefaultBeamDef(space->def->beam);
	rpSolutions solutions = {.keep = 1};
	int reached = 0;
	space->isWhole = true;
	space->frameCount = (int)fmin(space->def->longest * space->graph->fps, INT32_MAX / 4);
	beam.enough = space->def->enough;
	beam.report = reportLayer;
	beam.reportContext = space;
	bool done = rpSearchBeam(&searched, &beam, &progress->last, &solutions, &reached, error) &&
				(solutions.count > 0 || failAt(space, reached, error)) &&
				keep(space, &solutions.items[0], INT32_MAX, progress, error);
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
static bool searchWindow(rpWalkSpace* space, Progress* progress, rpRandom* random, bool* isFound, rpError* error)
{
	const rpSearchDef* def = space->def;
	rpSearchSpace searched = rpWalkSpace_Describe(space);
	rpBeamDef beam = rpDefaultBeamDef(def->beam);
	rpBranchDef branches = {.effort = def->effort, .enough = def->enough};
	rpSolutions solutions = {.keep = def->choices < rp_maxSolutions ? def->choices : rp_maxSolutions};
	beam.enough = def->enough;
	progress->last.frames = 0;
	bool done = (def->beam <= 0 || rpSearchBeam(&searched, &beam, &progress->last, &solutions, NULL, error)) &&
				rpBranchAndBound(&searched, &branches, &progress->last, &solutions, NULL, error);
	*isFound = solutions.count > 0;
	done = done && (!*isFound || keep(space, choose(&solutions, def, random), def->keptFrames, progress, error));
	rpSolutions_Free(&solutions);
	return done;
}

// Windows of so many frames one after the other, until the walk is complete or comes to a dead end.
static bool searchWindows(rpWalkSpace* space, int frameCount, Progress* progress, rpError* error)
{
	rpRandom random = rpSeedRandom(space->def->seed);
	space->isWhole = false;
	space->frameCount = frameCount;
	progress->walk->edgeCount = 0;
	progress->last = rpWalkSpace_Start(space);
	for (bool isFound = true; isFound && !progress->last.isComplete;)
	{
		double seconds = progress->last.walk.seconds;
		if (seconds > space->def->longest)
		{
			return failTooLong(space->def, error);
		}
		if (!searchWindow(space, progress, &random, &isFound, error) || !reportProgress(space->def, seconds, error))
		{
			return false;
		}
	}
	return true;
}

// A walk that has come to a dead end should have looked farther: again with windows twice as long, until one is
// complete or nothing is found from the start on.
static bool searchFarther(rpWalkSpace* space, Progress* progress, rpError* error)
{
	double deadEnd = 0.0;
	for (int frames = space->def->searchedFrames; searchWindows(space, frames, progress, error); frames *= 2)
	{
		double seconds = progress->last.walk.seconds;
		if (progress->last.isComplete || seconds <= 0.0)
		{
			return progress->last.isComplete || failDeadEnd(deadEnd, error);
		}
		deadEnd = fmax(deadEnd, seconds);
	}
	return false;
}

// ---- attempts

static rpWalk* attempt(rpWalkSpace* space, rpError* error)
{
	bool isAtOnce = space->def->beam > 0 && space->def->choices <= 1;
	Progress progress = {.walk = rpAllocateZero(1, sizeof(rpWalk), error), .last = rpWalkSpace_Start(space)};
	bool done = progress.walk != NULL &&
				(isAtOnce ? searchAtOnce(space, &progress, error) : searchFarther(space, &progress, error));
	if (!done)
	{
		rpDestroyWalk(progress.walk);
		return NULL;
	}
	progress.walk->lastFrames = INT32_MAX;
	progress.walk->cost = progress.last.walk.cost;
	return progress.walk;
}

// Attempts differ in which walks compete. The first keeps walks of different lengths to one node beside each other,
// which finds the most as a rule. But where a graph leaves little choice they may fill the beam with walks that go
// nowhere in many ways, while the point of the path moves on: the second keeps one walk to each node. Of 234 searches
// that were lost in the first attempt it improved 136, by a third on average (performer; people 16, 35, 69, 127).
static rpWalk* search(const rpGraph* graph, const rpSearchDef* def, const rpWalkRule* rule, double goodCost,
					  rpError* error)
{
	const double sameLengths[] = {def->sameLength, (double)INFINITY};
	rpWalk* best = NULL;
	bool isOver = false;
	for (int i = 0; i < 2 && !isOver; ++i)
	{
		rpError failure = {0};
		rpWalkSpace space = {
			.graph = graph, .def = def, .rule = *rule, .sameLength = sameLengths[i], .perLength = 1.0 / sameLengths[i]};
		rpWalk* walk = attempt(&space, &failure);
		bool isBetter = walk != NULL && (best == NULL || walk->cost < best->cost);
		rpDestroyWalk(isBetter ? best : walk);
		best = isBetter ? walk : best;
		isOver = best != NULL && best->cost <= goodCost * graph->fps * rpWalk_GetDuration(best, graph);
		if (walk == NULL && failure.code != rp_errorNoSolution)
		{
			rpDestroyWalk(best);
			best = NULL;
			isOver = true;
		}
		if (best == NULL && error != NULL)
		{
			*error = failure;
		}
	}
	return best;
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
	rpWalkRule rule = {.getCost = getOwnCost, .context = def};
	return search(graph, def, &rule, (double)INFINITY, error);
}

rpWalk* rpCourse_Search(const rpCourse* course, const rpSearchDef* def, rpError* error)
{
	rpWalkRule rule = {
		.getCost = rpCourse_GetCost,
		.mayTake = rpCourse_MayTake,
		.getBin = rpCourse_GetBin,
		.context = course,
	};
	return search(course->graph, def, &rule, course->def->lost * course->def->lost, error);
}
