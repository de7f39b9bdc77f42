/// Walks by search: section 4.2.1 of Kovar's thesis. Branch and bound finds the best walk of n frames; its first m are
/// kept, and the search goes on from there, until the walk is complete.
///
/// Added: a beam from the start to the end, which sees nothing twice and decides nothing before it must. Windows are
/// left for where it comes to a dead end and where one of several walks is to be chosen.
#include "base/error.h"
#include "base/memory.h"
#include "solve/branch_bound.h"
#include "solve/course.h"

#include <math.h>
#include <string.h>

// Edges in one window at most: they are of one frame at least.
#define DEEPEST 1024

// A window in which the beam tries fewer edges than this is followed by a longer one, and one with more than that by a
// shorter; by so much.
#define FEW_TRIED 20000
#define MANY_TRIED 45000
#define GROWTH 1.25

// Walks to one node in one time that are as long as this apart are kept beside each other, metres.
#define SAME_LENGTH 0.02

// A walk is lost on its course that costs more for each frame: about the square of how far it is off, metres².
#define LOST 0.1

// Progress is told every so many frames.
#define TELLING_FRAMES 30

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
		.beam = 130,
		.longest = 3600.0,
	};
}

/// A walk in a window: what the search sees, and the window's frames so far.
typedef struct Step
{
	rpWalkState walk;
	/// On a course.
	rpCourseView view;
	int frames;
	/// Complete, or at the end of the window.
	bool isComplete;
} Step;

/// The search of one window.
typedef struct Window
{
	const rpGraph* graph;
	const rpSearchDef* def;
	/// The course that is followed; NULL: the definition has the cost.
	const rpCourse* course;
	/// Edges to choose the first one from, at the start; NULL: the node's.
	const int* starts;
	int startCount;
	/// Frames searched: the usual ones, or more after a dead end. The usual ones are the definition's, or more where
	/// few walks are possible.
	int searchedFrames, usualFrames;
	/// How far apart the lengths of walks to one node are that are kept beside each other, metres.
	double sameLength;
	/// The frame that the beam has come to.
	int reachedFrames;
} Window;

// Append an edge, or its first frames, to a walk whose placement turns by an angle of this sine and cosine.
static void extend(const rpGraph* graph, const rpWalkState* walk, rpVec2 turn, int e, int frames, rpWalkState* next)
{
	const rpGraphEdge* edge = &graph->edges[e];
	*next = *walk;
	next->lastEdge = e;
	next->node = edge->to;
	next->length += graph->lengths[edge->firstPoint + frames];
	next->seconds += frames / graph->fps;
	if (rpGraphEdge_IsTransition(edge))
	{
		rpVec3 shift = edge->alignment.shift, from = walk->placement.shift;
		next->placement.turn = rpWrapAngle(walk->placement.turn + edge->alignment.turn);
		next->placement.shift.x = from.x + turn.y * shift.x + turn.x * shift.z;
		next->placement.shift.y = from.y + shift.y;
		next->placement.shift.z = from.z + turn.y * shift.z - turn.x * shift.x;
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

// Where the first edge lies.
static rpGround placeFirst(const Window* window, const rpWalkState* walk, int edge)
{
	const rpSearchDef* def = window->def;
	return def->place != NULL ? def->place(window->graph, edge, def->context) : walk->placement;
}

// The walk with the first frames of an edge appended, and what that costs. Above the limit it need not be true.
static double append(const Window* window, const Step* step, int edge, int frames, double limit, Step* next)
{
	const rpSearchDef* def = window->def;
	bool isFirst = step->walk.lastEdge < 0;
	rpWalkState placed;
	const rpWalkState* walk = &step->walk;
	if (isFirst)
	{
		placed = step->walk;
		placed.placement = placeFirst(window, walk, edge);
		walk = &placed;
	}
	double cost;
	if (window->course != NULL)
	{
		double memo[rp_walkMemoCount];
		rpCourseView view = isFirst ? rpCourse_View(window->course, walk) : step->view;
		cost = rpCourse_GetCost(window->course, walk, &view, edge, frames, limit, memo);
		if (cost >= limit)
		{
			return cost;
		}
		extend(window->graph, walk, (rpVec2){view.sine, view.cosine}, edge, frames, &next->walk);
		memcpy(next->walk.memo, memo, sizeof(memo));
	}
	else
	{
		rpVec2 turn = {sinf(walk->placement.turn), cosf(walk->placement.turn)};
		extend(window->graph, walk, turn, edge, frames, &next->walk);
		cost = def->cost(walk, edge, frames, &next->walk, def->context);
	}
	next->walk.cost = walk->cost + cost;
	next->frames = step->frames + frames;
	next->isComplete = def->halt(&next->walk, def->context);
	return cost;
}

static void openStep(void* state, void* context)
{
	const Window* window = context;
	Step* step = state;
	if (window->course != NULL)
	{
		step->view = rpCourse_View(window->course, &step->walk);
	}
}

static bool expandStep(const void* state, int index, void* child, double* cost, void* context)
{
	const Window* window = context;
	const Step* step = state;
	int edge = getEdge(window, step, index);
	if (edge < 0)
	{
		return false;
	}
	int left = window->searchedFrames - step->frames, frames = window->graph->edges[edge].frameCount;
	*cost = append(window, step, edge, frames < left ? frames : left, *cost, child);
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
	const Window* window = context;
	const Step* step = state;
	*group = step->walk.node * 1009 + (int)(step->walk.length / window->sameLength);
	return step->frames;
}

static bool isSpread(const void* state, void* context)
{
	const Window* window = context;
	return window->course != NULL && rpCourse_IsSpread(window->course, &((const Step*)state)->walk);
}

static int getKind(const void* state, int index, void* context)
{
	const Window* window = context;
	const Step* step = state;
	int edge = getEdge(window, step, index);
	return edge < 0 || step->walk.lastEdge < 0 ? 0 : rpCourse_GetKind(window->course, &step->walk, edge);
}

static int peekLayer(const void* state, int index, void* context)
{
	const Window* window = context;
	const Step* step = state;
	int edge = getEdge(window, step, index);
	if (edge < 0)
	{
		return -1;
	}
	if (window->course != NULL && !rpCourse_MayTake(window->course, &step->walk, edge))
	{
		return INT32_MAX;
	}
	int frames = step->frames + window->graph->edges[edge].frameCount;
	return frames < window->searchedFrames ? frames : window->searchedFrames;
}

static void fetchEdge(const void* state, int index, int step, void* context)
{
	const Window* window = context;
	const rpGraph* graph = window->graph;
	int e = getEdge(window, state, index);
	if (e < 0)
	{
		return;
	}
	if (step > 0)
	{
		__builtin_prefetch(&graph->edges[e]);
		return;
	}
	int first = graph->edges[e].firstPoint;
	__builtin_prefetch(&graph->path[first]);
	__builtin_prefetch(&graph->path[first + graph->edges[e].frameCount]);
	__builtin_prefetch(&graph->lengths[first]);
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
static bool keep(Window* window, const rpSolution* solution, int most, Progress* progress, rpError* error)
{
	int kept = 0;
	for (int k = 0; k < solution->stepCount && !progress->isComplete && kept < most; ++k)
	{
		int edge = getEdge(window, &progress->last, solution->steps[k]);
		int frames = window->graph->edges[edge].frameCount;
		Step next = {0};
		openStep(&progress->last, window);
		append(window, &progress->last, edge, frames, (double)INFINITY, &next);
		if (!rpGrow(&progress->walk->edges, &progress->capacity, progress->walk->edgeCount, sizeof(int), error))
		{
			return false;
		}
		if (progress->walk->edgeCount == 0)
		{
			progress->walk->start = placeFirst(window, &progress->last.walk, edge);
		}
		progress->walk->edges[progress->walk->edgeCount++] = edge;
		progress->last = next;
		progress->isComplete = next.isComplete;
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

static rpBranchProblem makeProblem(Window* window)
{
	const rpSearchDef* def = window->def;
	return (rpBranchProblem){
		.stateSize = sizeof(Step),
		.open = openStep,
		.expand = expandStep,
		.isGoal = isWindowDone,
		.getLayer = getLayer,
		.peekLayer = peekLayer,
		.fetch = fetchEdge,
		.getKind = getKind,
		.isSpread = isSpread,
		.layers = window->searchedFrames + 1,
		.context = window,
		.keep = def->choices < rp_mostSolutions ? def->choices : rp_mostSolutions,
		.effort = def->effort,
		.depth = DEEPEST,
	};
}

static bool searchWindow(Window* window, Progress* progress, rpRandom* random, bool* isFound, rpError* error)
{
	const rpSearchDef* def = window->def;
	rpBranchProblem problem = makeProblem(window);
	rpBranchResult result = {0};
	Step start = progress->last;
	start.frames = 0;
	problem.enough = def->enough;
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
	done = !*isFound || keep(window, choose(&result, def, random), def->keptFrames, progress, error);
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

static bool tellProgress(const rpSearchDef* def, double seconds, rpError* error)
{
	double fraction = seconds / (seconds + 10.0);
	return def->progress == NULL || def->progress(fraction, "searching", def->progressContext) ||
		   rpFail(error, rp_errorCancelled, "stopped");
}

static bool failTooLong(const rpSearchDef* def, rpError* error)
{
	return rpFail(error, rp_errorNoSolution, "no walk is complete within %.1f s", def->longest);
}

static bool searchWindows(Window* window, Progress* progress, rpError* error)
{
	rpRandom random = rpSeedRandom(window->def->seed);
	while (!progress->isComplete)
	{
		if (progress->last.walk.seconds > window->def->longest)
		{
			return failTooLong(window->def, error);
		}
		bool isFound;
		if (!mark(progress, error) || !searchWindow(window, progress, &random, &isFound, error) ||
			(!isFound && !retreat(window, progress, error)) ||
			!tellProgress(window->def, progress->last.walk.seconds, error))
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

// ---- all at once

static bool tellLayer(int layer, void* context, rpError* error)
{
	Window* window = context;
	window->reachedFrames = layer;
	return layer % TELLING_FRAMES != 0 || tellProgress(window->def, layer / window->graph->fps, error);
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

// A walk that one window would hold may be looked for among all there are.
static bool searchExhaustively(const Window* window, rpBranchProblem* problem, const Step* start,
							   rpBranchResult* result, rpError* error)
{
	int frames = 0;
	Step step = *start;
	for (int k = 0; k < result->solutions[0].stepCount; ++k)
	{
		int edge = getEdge(window, &step, result->solutions[0].steps[k]);
		frames += window->graph->edges[edge].frameCount;
		step.walk.lastEdge = edge;
		step.walk.node = window->graph->edges[edge].to;
	}
	problem->depth = DEEPEST;
	return frames > window->def->searchedFrames || rpBranchAndBound(problem, start, result, error);
}

// A beam from the start to the end of the walk, for which no window has to be searched again and again. Where it comes
// to a dead end nothing is kept.
static bool searchAtOnce(Window* window, Progress* progress, rpError* error)
{
	const rpSearchDef* def = window->def;
	double longest = fmin(def->longest * window->graph->fps, INT32_MAX / 4);
	rpBranchProblem problem = makeProblem(window);
	rpBranchResult result = {0};
	window->searchedFrames = INT32_MAX / 2;
	problem.layers = (int)longest + 1;
	problem.span = findLongestEdge(window->graph);
	problem.tell = tellLayer;
	problem.enough = def->enough;
	problem.depth = INT32_MAX;
	bool done = rpSearchBeam(&problem, &progress->last, def->beam, &result, error);
	if (done && result.count > 0)
	{
		done = searchExhaustively(window, &problem, &progress->last, &result, error) &&
			   keep(window, &result.solutions[0], INT32_MAX, progress, error);
	}
	else if (done && window->reachedFrames + problem.span >= problem.layers)
	{
		done = failTooLong(def, error);
	}
	window->searchedFrames = window->usualFrames;
	rpBranchResult_Free(&result);
	return done;
}

static bool searchAll(Window* window, Progress* progress, rpError* error)
{
	const rpSearchDef* def = window->def;
	if (def->beam > 0 && def->choices <= 1 && !searchAtOnce(window, progress, error))
	{
		return false;
	}
	return progress->isComplete || searchWindows(window, progress, error);
}

static rpWalk* search(const rpGraph* graph, const rpSearchDef* def, const rpCourse* course, double sameLength,
					  rpError* error)
{
	Window window = {.graph = graph,
					 .def = def,
					 .course = course,
					 .sameLength = sameLength,
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

rpWalk* rpGraph_Search(const rpGraph* graph, const rpSearchDef* def, rpError* error)
{
	return search(graph, def, NULL, SAME_LENGTH, error);
}

rpWalk* rpCourse_Search(const rpCourse* course, const rpSearchDef* def, rpError* error)
{
	const rpGraph* graph = course->graph;
	rpWalk* walk = search(graph, def, course, SAME_LENGTH, error);
	if (walk == NULL || def->beam <= 0 || walk->cost <= LOST * graph->fps * rpWalk_GetDuration(walk, graph))
	{
		return walk;
	}
	// Where little can be chosen a beam may fill with walks that go nowhere in many ways, while the point of the path
	// goes on: once more, with one walk to each node.
	rpWalk* other = search(graph, def, course, (double)INFINITY, error);
	if (other == NULL || other->cost < walk->cost)
	{
		rpDestroyWalk(walk);
		return other;
	}
	rpDestroyWalk(other);
	return walk;
}
