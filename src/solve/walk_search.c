/// Walks by search: section 4.2.1 of Kovar's thesis. Branch and bound finds the best walk of n frames; its first m are
/// kept, and the search goes on from there, until the walk is complete.
#include "base/error.h"
#include "base/memory.h"
#include "reprise/walk.h"
#include "solve/branch_bound.h"

#include <math.h>

// Edges in one window at most: they are of one frame at least.
#define DEEPEST 1024

// A window in which the beam tries fewer edges than this is followed by a longer one, and one with more than that by a
// shorter; by so much.
#define FEW_TRIED 20000
#define MANY_TRIED 45000
#define GROWTH 1.25

// How often the search goes back from one dead end.
#define MOST_RETREATS 4

rpSearchDef rpDefaultSearchDef(void)
{
	return (rpSearchDef){
		.start = -1,
		.searchedFrames = 120,
		.keptFrames = 25,
		.mostFrames = 240,
		.choices = 1,
		.tolerance = 0.1,
		.effort = 20000,
		.beam = 100,
		.longest = 3600.0,
	};
}

/// A walk in a window: what the search sees, and the window's frames so far.
typedef struct Step
{
	rpWalkState walk;
	int frames;
	/// Complete, or at the end of the window.
	bool isComplete;
} Step;

/// The search of one window.
typedef struct Window
{
	const rpGraph* graph;
	const rpSearchDef* def;
	/// Edges to choose the first one from, at the start; NULL: the node's.
	const int* starts;
	int startCount;
	/// Frames searched: the usual ones, or more after a dead end. The usual ones are the definition's, or more where
	/// few walks are possible.
	int searchedFrames, usualFrames;
} Window;

// Append an edge, or its first frames.
static void extend(const rpGraph* graph, const rpWalkState* walk, int e, int frames, rpWalkState* next)
{
	const rpGraphEdge* edge = &graph->edges[e];
	*next = *walk;
	next->lastEdge = e;
	next->node = edge->to;
	next->length += graph->lengths[edge->firstPoint + frames];
	next->seconds += frames / graph->fps;
	if (edge->distance >= 0.0f)
	{
		next->placement = rpGround_Compose(walk->placement, edge->alignment);
	}
}

// The index-th edge to go on with, -1 past the last.
static int getEdge(const Window* window, const Step* step, int index)
{
	if (step->walk.lastEdge < 0)
	{
		return index >= window->startCount ? -1 : window->starts != NULL ? window->starts[index] : index;
	}
	const rpGraphNode* node = &window->graph->nodes[step->walk.node];
	return index < node->edgeCount ? node->firstEdge + index : -1;
}

// The walk that an edge is appended to: the first one has still to be placed.
static rpWalkState getWalk(const Window* window, const Step* step, int edge)
{
	rpWalkState walk = step->walk;
	if (walk.lastEdge < 0 && window->def->place != NULL)
	{
		walk.placement = window->def->place(window->graph, edge, window->def->context);
	}
	return walk;
}

static bool expandStep(const void* state, int index, void* child, double* cost, void* context)
{
	const Window* window = context;
	const Step* step = state;
	Step* next = child;
	int edge = getEdge(window, step, index);
	if (edge < 0)
	{
		return false;
	}
	int left = window->searchedFrames - step->frames, frames = window->graph->edges[edge].frameCount;
	frames = frames < left ? frames : left;
	rpWalkState walk = getWalk(window, step, edge);
	extend(window->graph, &walk, edge, frames, &next->walk);
	next->frames = step->frames + frames;
	*cost = window->def->cost(&walk, edge, frames, &next->walk, window->def->context);
	next->walk.cost = step->walk.cost + *cost;
	next->isComplete = window->def->halt(&next->walk, window->def->context);
	return true;
}

static bool isWindowDone(const void* state, void* context)
{
	const Window* window = context;
	const Step* step = state;
	return step->isComplete || step->frames >= window->searchedFrames;
}

static int getLayer(const void* state, int* group, void* context)
{
	const Step* step = state;
	(void)context;
	*group = step->walk.node;
	return step->frames;
}

static int peekLayer(const void* state, int index, void* context)
{
	const Window* window = context;
	const Step* step = state;
	int edge = getEdge(window, step, index);
	int frames = edge >= 0 ? step->frames + window->graph->edges[edge].frameCount : -1;
	return frames < window->searchedFrames ? frames : window->searchedFrames;
}

// One of the best solutions at random, those within the tolerance of the best.
static const rpSolution* choose(const rpBranchResult* result, const rpSearchDef* def, rpRandom* random)
{
	int count = 1;
	while (count < result->count && result->solutions[count].cost <= (1.0 + def->tolerance) * result->solutions[0].cost)
	{
		++count;
	}
	return &result->solutions[count > 1 ? rpRandom_Index(random, count) : 0];
}

/// Where a window began.
typedef struct Mark
{
	int edgeCount;
	Step last;
} Mark;

/// The walk so far, and the windows that it was found in.
typedef struct Progress
{
	rpWalk* walk;
	int capacity;
	Step last;
	bool isComplete;
	Mark* marks;
	int markCount, markCapacity;

	/// How often the search went back from the dead end that lies at this time, seconds.
	int retreats;
	double deadEnd;
} Progress;

// Append whole edges of a solution until m frames are kept, or the walk is complete.
static bool keep(const Window* window, const rpSolution* solution, Progress* progress, rpError* error)
{
	int kept = 0;
	for (int k = 0; k < solution->stepCount && !progress->isComplete && kept < window->def->keptFrames; ++k)
	{
		int edge = getEdge(window, &progress->last, solution->steps[k]);
		int frames = window->graph->edges[edge].frameCount;
		Step next = {0};
		rpWalkState walk = getWalk(window, &progress->last, edge);
		extend(window->graph, &walk, edge, frames, &next.walk);
		double cost = window->def->cost(&walk, edge, frames, &next.walk, window->def->context);
		next.walk.cost = progress->last.walk.cost + cost;
		if (!rpGrow(&progress->walk->edges, &progress->capacity, progress->walk->edgeCount, sizeof(int), error))
		{
			return false;
		}
		progress->walk->start = progress->walk->edgeCount == 0 ? walk.placement : progress->walk->start;
		progress->walk->edges[progress->walk->edgeCount++] = edge;
		progress->last = next;
		progress->isComplete = window->def->halt(&next.walk, window->def->context);
		kept += frames;
	}
	return true;
}

// Where little is tried there is time to look farther.
static void adapt(Window* window, int64_t tried)
{
	const rpSearchDef* def = window->def;
	double frames = window->usualFrames * (tried < FEW_TRIED ? GROWTH : tried > MANY_TRIED ? 1.0 / GROWTH : 1.0);
	frames = fmax(fmin(frames, def->mostFrames), def->searchedFrames);
	window->usualFrames = (int)frames;
}

static bool searchWindow(Window* window, Progress* progress, rpRandom* random, bool* isFound, rpError* error)
{
	const rpSearchDef* def = window->def;
	rpBranchProblem problem = {
		.stateSize = sizeof(Step),
		.expand = expandStep,
		.isGoal = isWindowDone,
		.getLayer = getLayer,
		.peekLayer = peekLayer,
		.layers = window->searchedFrames + 1,
		.context = window,
		.keep = def->choices < rp_mostSolutions ? def->choices : rp_mostSolutions,
		.enough = def->enough,
		.effort = def->effort,
		.depth = DEEPEST,
	};
	rpBranchResult result = {0};
	Step start = progress->last;
	start.frames = 0;
	bool done = def->beam <= 0 || rpSearchBeam(&problem, &start, def->beam, &result, error);
	if (def->beam > 0)
	{
		adapt(window, result.expanded);
	}
	if (!done || !rpBranchAndBound(&problem, &start, &result, error))
	{
		rpBranchResult_Free(&result);
		return false;
	}
	*isFound = result.count > 0 && isfinite(result.solutions[0].cost);
	done = !*isFound || keep(window, choose(&result, def, random), progress, error);
	rpBranchResult_Free(&result);
	return done;
}

static bool mark(Progress* progress, rpError* error)
{
	if (!rpGrow(&progress->marks, &progress->markCapacity, progress->markCount, sizeof(Mark), error))
	{
		return false;
	}
	progress->marks[progress->markCount++] = (Mark){progress->walk->edgeCount, progress->last};
	return true;
}

// No walk goes on from here: back by some windows, to look so much farther from there.
static bool retreat(Window* window, Progress* progress, rpError* error)
{
	double seconds = progress->last.walk.seconds;
	bool isNew = progress->retreats == 0 || seconds > progress->deadEnd;
	progress->deadEnd = isNew ? seconds : progress->deadEnd;
	progress->retreats = isNew ? 1 : progress->retreats + 1;
	if (progress->retreats > MOST_RETREATS || progress->markCount <= 1)
	{
		return rpFail(error, rp_errorNoSolution, "no walk goes on after %.1f s that keeps to what is asked",
					  progress->deadEnd);
	}
	int back = 2 * progress->retreats;
	progress->markCount = progress->markCount > back ? progress->markCount - back : 1;
	Mark from = progress->marks[--progress->markCount];
	progress->walk->edgeCount = from.edgeCount;
	progress->last = from.last;
	window->searchedFrames = window->usualFrames * (1 + progress->retreats);
	return true;
}

static bool tellProgress(const rpSearchDef* def, const Progress* progress, rpError* error)
{
	double fraction = progress->last.walk.seconds / (progress->last.walk.seconds + 10.0);
	return def->progress == NULL || def->progress(fraction, "searching", def->progressContext) ||
		   rpFail(error, rp_errorCancelled, "stopped");
}

static bool searchAll(Window* window, Progress* progress, rpError* error)
{
	rpRandom random = rpSeedRandom(window->def->seed);
	while (!progress->isComplete)
	{
		if (progress->last.walk.seconds > window->def->longest)
		{
			return rpFail(error, rp_errorNoSolution, "no walk is complete within %.1f s", window->def->longest);
		}
		bool isFound;
		if (!mark(progress, error) || !searchWindow(window, progress, &random, &isFound, error) ||
			(!isFound && !retreat(window, progress, error)) || !tellProgress(window->def, progress, error))
		{
			return false;
		}
		if (isFound && progress->last.walk.seconds > progress->deadEnd)
		{
			window->searchedFrames = window->usualFrames;
		}
	}
	return true;
}

rpWalk* rpGraph_Search(const rpGraph* graph, const rpSearchDef* def, rpError* error)
{
	Window window = {.graph = graph,
					 .def = def,
					 .starts = def->starts,
					 .startCount = def->startCount,
					 .searchedFrames = def->searchedFrames,
					 .usualFrames = def->searchedFrames};
	if (def->start >= 0)
	{
		window.starts = &def->start;
		window.startCount = 1;
	}
	else if (def->startCount == 0)
	{
		window.startCount = graph->edgeCount;
	}
	Progress progress = {
		.walk = rpAllocateZero(1, sizeof(rpWalk), error),
		.last.walk = {.graph = graph, .lastEdge = -1, .node = -1, .placement = def->placement},
	};
	for (int i = 0; i < rp_walkMemoCount; ++i)
	{
		progress.last.walk.memo[i] = def->memo[i];
	}
	bool done = progress.walk != NULL && searchAll(&window, &progress, error);
	rpFree(progress.marks);
	if (!done)
	{
		rpDestroyWalk(progress.walk);
		return NULL;
	}
	progress.walk->lastFrames = INT32_MAX;
	progress.walk->cost = progress.last.walk.cost;
	return progress.walk;
}
