/// Walks at random, and the fastest walks.
#include "base/error.h"
#include "base/memory.h"
#include "model/graph_paths.h"
#include "reprise/walk.h"

#include <math.h>

// After so many seconds at random what was seen least is sought out.
#define SEEK_SECONDS 8.0

// Passages between two seams are as long as this where clips allow it, seconds: more often, most frames are blends. A
// walk that seeks something out makes a detour of as much to avoid a seam.
#define PASSAGE_SECONDS 1.5

// How likely a seam is that makes a passage of no length, against one that does not: it is taken where nothing else is.
#define RUSHED 1e-6

/// A walk that grows.
typedef struct Growing
{
	rpWalk* walk;
	int capacity;
} Growing;

static bool append(Growing* growing, int edge, rpError* error)
{
	rpWalk* walk = growing->walk;
	if (!rpGrow(&walk->edges, &growing->capacity, walk->edgeCount, sizeof(int), error))
	{
		return false;
	}
	walk->edges[walk->edgeCount++] = edge;
	return true;
}

static rpWalk* createWalk(rpError* error)
{
	rpWalk* walk = rpAllocateZero(1, sizeof(rpWalk), error);
	if (walk != NULL)
	{
		walk->lastFrames = INT32_MAX;
	}
	return walk;
}

// The first edge's clip is placed so that the walk starts at the origin and heads along +Z.
static rpGroundTransform placeAtOrigin(const rpGraph* graph, int edge)
{
	const rpGraphNode* node = &graph->nodes[graph->edges[edge].from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpGroundTransform root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps));
	root.shift.y = 0.0f;
	return rpGroundTransform_Invert(root);
}

// ---- the fastest walk

/// Where a fastest walk may go.
typedef struct PathLimits
{
	/// Labels that edges must have one of, 0: any; nodes that may be entered, NULL: all.
	uint64_t labels;
	const bool* isOpen;
	/// Frames that a seam counts for.
	int seamFrames;
} PathLimits;

static int getEdgeLength(const rpGraph* graph, int e, const void* context)
{
	const PathLimits* limits = context;
	const rpGraphEdge* edge = &graph->edges[e];
	bool isAllowed = rpGraph_StaysIn(graph, e, limits->labels) && (limits->isOpen == NULL || limits->isOpen[edge->to]);
	return isAllowed ? edge->frameCount + (rpGraphEdge_IsTransition(edge) ? limits->seamFrames : 0) : -1;
}

static int findGoal(rpGraphPaths* paths, int from, const bool* goals)
{
	rpGraphPaths_Clear(paths);
	rpGraphPaths_Start(paths, from, 0);
	return rpGraphPaths_Search(paths, goals);
}

// Append the path to a goal that was found.
static bool appendPath(const rpGraphPaths* paths, int from, int goal, Growing* growing, rpError* error)
{
	const rpGraph* graph = paths->graph;
	rpWalk* walk = growing->walk;
	int first = walk->edgeCount;
	for (int node = goal; node != from; node = graph->edges[paths->edges[node]].from)
	{
		if (!append(growing, paths->edges[node], error))
		{
			return false;
		}
	}
	for (int i = first, k = walk->edgeCount - 1; i < k; ++i, --k)
	{
		int edge = walk->edges[i];
		walk->edges[i] = walk->edges[k];
		walk->edges[k] = edge;
	}
	return true;
}

// ---- a walk at random

// Nodes from which edges with these labels go on for ever: take away nodes without a path out until none is left.
static void findEndless(const rpGraph* graph, uint64_t labels, bool* isEndless)
{
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		isEndless[n] = true;
	}
	for (bool isChanged = true; isChanged;)
	{
		isChanged = false;
		for (int n = graph->nodeCount - 1; n >= 0; --n)
		{
			bool hasPath = false;
			for (int k = 0; k < graph->nodes[n].edgeCount && !hasPath; ++k)
			{
				int e = graph->nodes[n].firstEdge + k;
				hasPath = rpGraph_StaysIn(graph, e, labels) && isEndless[graph->edges[e].to];
			}
			isChanged |= isEndless[n] && !hasPath;
			isEndless[n] &= hasPath;
		}
	}
}

// How long clips go on from each node among those that go on for ever, frames.
static void findRuns(const rpGraph* graph, uint64_t labels, const bool* isEndless, int* runs)
{
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		runs[n] = 0;
	}
	// Nodes of a clip are in order of their frames.
	for (int n = graph->nodeCount - 1; n >= 0; --n)
	{
		for (int e = graph->nodes[n].firstEdge; e < graph->nodes[n].firstEdge + graph->nodes[n].edgeCount; ++e)
		{
			const rpGraphEdge* edge = &graph->edges[e];
			if (!rpGraphEdge_IsTransition(edge) && rpGraph_StaysIn(graph, e, labels) && isEndless[edge->to])
			{
				runs[n] = edge->frameCount + runs[edge->to];
			}
		}
	}
}

// D of eq. IV.1: the squared distance of frames i and j - 1, where going over leads from frame i to frame j. A
// transition's middle joins i and j - 1; in a clip that goes on, frame i + 1 follows frame i, which is as near as can
// be.
static double getCost(const rpGraphEdge* edge)
{
	return edge->distance > 0.0f ? (double)edge->distance * (double)edge->distance : 0.0;
}

/// A walk at random in the making.
typedef struct Ramble
{
	const rpGraph* graph;
	uint64_t labels;
	/// Of eq. IV.1; 0: all edges are to be seen.
	double sigma;
	rpRandom random;
	Growing growing;
	PathLimits limits;
	rpGraphPaths paths;
	/// [nodeCount], [edgeCount]
	bool* isEndless;
	bool* goals;
	int* visits;
	/// [nodeCount], of findRuns.
	int* runs;
	int node;
	/// Frames since the last seam.
	int passage;
	double framesLeft;
} Ramble;

static bool isOpen(const Ramble* ramble, int edge)
{
	return rpGraph_StaysIn(ramble->graph, edge, ramble->labels) && ramble->isEndless[ramble->graph->edges[edge].to];
}

static double getPassageWeight(const Ramble* ramble, int frames)
{
	double share = fmin(frames / (PASSAGE_SECONDS * ramble->graph->fps), 1.0);
	return fmax(share * share, RUSHED);
}

// How likely an edge is: the less often it was taken, and for a seam the longer the passages before it and after it can
// be; or by its cost, of which the node's minimum is subtracted.
static double weigh(const Ramble* ramble, int index, double minCost)
{
	const rpGraphEdge* edge = &ramble->graph->edges[index];
	if (ramble->sigma > 0.0)
	{
		return exp((minCost - getCost(edge)) / ramble->sigma);
	}
	double visits = ramble->visits[index], weight = 1.0 / (1.0 + visits * visits);
	bool isSeam = rpGraphEdge_IsTransition(edge);
	return isSeam
			   ? weight * getPassageWeight(ramble, ramble->passage) * getPassageWeight(ramble, ramble->runs[edge->to])
			   : weight;
}

// One of the edges of the node that go on for ever. -1: there is none.
static int chooseEdge(Ramble* ramble)
{
	const rpGraphNode* node = &ramble->graph->nodes[ramble->node];
	double total = 0.0, minCost = (double)INFINITY;
	int chosen = -1;
	for (int e = node->firstEdge; e < node->firstEdge + node->edgeCount; ++e)
	{
		minCost = isOpen(ramble, e) ? fmin(minCost, getCost(&ramble->graph->edges[e])) : minCost;
	}
	for (int e = node->firstEdge; e < node->firstEdge + node->edgeCount; ++e)
	{
		if (!isOpen(ramble, e))
		{
			continue;
		}
		double weight = weigh(ramble, e, minCost);
		total += weight;
		if (rpRandom_Range(&ramble->random, 0.0f, 1.0f) * total < weight)
		{
			chosen = e;
		}
	}
	return chosen;
}

static int chooseStart(const rpGraph* graph, const bool* isEndless, rpRandom* random)
{
	int count = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		count += isEndless[n];
	}
	int index = count > 0 ? rpRandom_Index(random, count) : -1;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (isEndless[n] && index-- == 0)
		{
			return n;
		}
	}
	return -1;
}

static void visit(Ramble* ramble, int edge)
{
	int frames = ramble->graph->edges[edge].frameCount;
	++ramble->visits[edge];
	ramble->node = ramble->graph->edges[edge].to;
	ramble->passage = rpGraphEdge_IsTransition(&ramble->graph->edges[edge]) ? 0 : ramble->passage + frames;
	ramble->growing.walk->lastFrames = ramble->framesLeft < frames ? (int)ceil(ramble->framesLeft) : INT32_MAX;
	ramble->framesLeft -= frames;
}

// One of the edges that were taken least often.
static int chooseGoal(Ramble* ramble)
{
	int fewest = INT32_MAX, count = 0, chosen = -1;
	for (int e = 0; e < ramble->graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &ramble->graph->edges[e];
		bool isOpen = rpGraph_StaysIn(ramble->graph, e, ramble->labels) && ramble->isEndless[edge->from] &&
					  ramble->isEndless[edge->to];
		if (!isOpen || ramble->visits[e] > fewest)
		{
			continue;
		}
		count = ramble->visits[e] < fewest ? 1 : count + 1;
		fewest = ramble->visits[e];
		chosen = rpRandom_Index(&ramble->random, count) == 0 ? e : chosen;
	}
	return chosen;
}

// Chance alone leaves what few transitions lead to: now and then go to what was seen least.
static bool seekOut(Ramble* ramble, rpError* error)
{
	int goal = chooseGoal(ramble);
	if (goal < 0)
	{
		return true;
	}
	int from = ramble->node, first = ramble->growing.walk->edgeCount;
	ramble->goals[ramble->graph->edges[goal].from] = true;
	int reached = findGoal(&ramble->paths, from, ramble->goals);
	ramble->goals[ramble->graph->edges[goal].from] = false;
	if (reached < 0)
	{
		return true;
	}
	if (!appendPath(&ramble->paths, from, reached, &ramble->growing, error) || !append(&ramble->growing, goal, error))
	{
		return false;
	}
	for (int k = first; k < ramble->growing.walk->edgeCount; ++k)
	{
		if (ramble->framesLeft <= 0.0)
		{
			ramble->growing.walk->edgeCount = k;
			break;
		}
		visit(ramble, ramble->growing.walk->edges[k]);
	}
	return true;
}

static bool wander(Ramble* ramble, rpError* error)
{
	double untilGoal = SEEK_SECONDS * ramble->graph->fps;
	while (ramble->framesLeft > 0.0)
	{
		if (untilGoal <= 0.0 && ramble->sigma <= 0.0)
		{
			untilGoal = SEEK_SECONDS * ramble->graph->fps;
			if (!seekOut(ramble, error))
			{
				return false;
			}
			continue;
		}
		int edge = chooseEdge(ramble);
		if (!append(&ramble->growing, edge, error))
		{
			return false;
		}
		untilGoal -= ramble->graph->edges[edge].frameCount;
		visit(ramble, edge);
	}
	return true;
}

static bool start(Ramble* ramble, double seconds, rpError* error)
{
	const rpGraph* graph = ramble->graph;
	ramble->growing.walk = createWalk(error);
	ramble->isEndless = rpAllocate((size_t)graph->nodeCount, sizeof(bool), error);
	ramble->goals = rpAllocateZero((size_t)graph->nodeCount, sizeof(bool), error);
	ramble->visits = rpAllocateZero((size_t)graph->edgeCount, sizeof(int), error);
	ramble->runs = rpAllocate((size_t)graph->nodeCount, sizeof(int), error);
	if (ramble->growing.walk == NULL || ramble->isEndless == NULL || ramble->goals == NULL || ramble->visits == NULL ||
		ramble->runs == NULL || !rpGraphPaths_Create(&ramble->paths, graph, false, error))
	{
		return false;
	}
	if (!(seconds > 0.0))
	{
		return rpFail(error, rp_errorArgument, "a walk of %g s; more than 0 is needed", seconds);
	}
	findEndless(graph, ramble->labels, ramble->isEndless);
	findRuns(graph, ramble->labels, ramble->isEndless, ramble->runs);
	ramble->limits.seamFrames = (int)(PASSAGE_SECONDS * graph->fps);
	ramble->passage = ramble->limits.seamFrames;
	ramble->limits.labels = ramble->labels;
	ramble->limits.isOpen = ramble->isEndless;
	ramble->paths.getLength = getEdgeLength;
	ramble->paths.context = &ramble->limits;
	ramble->framesLeft = seconds * graph->fps;
	ramble->node = chooseStart(graph, ramble->isEndless, &ramble->random);
	if (ramble->node < 0)
	{
		rpFail(error, rp_errorNoSolution, "no walk with these labels goes on for ever");
		rpError_SetHint(error, "allow other labels, or add more motion of this kind and build the graph anew");
	}
	return ramble->node >= 0;
}

static rpWalk* walkFor(const rpGraph* graph, double seconds, uint64_t labels, double sigma, uint64_t seed,
					   rpError* error)
{
	Ramble ramble = {.graph = graph, .labels = labels, .sigma = sigma, .random = rpSeedRandom(seed)};
	bool done = start(&ramble, seconds, error) && wander(&ramble, error);
	rpWalk* walk = ramble.growing.walk;
	if (done)
	{
		walk->start = placeAtOrigin(graph, walk->edges[0]);
	}
	rpGraphPaths_Free(&ramble.paths);
	rpFree(ramble.isEndless);
	rpFree(ramble.goals);
	rpFree(ramble.visits);
	rpFree(ramble.runs);
	if (!done)
	{
		rpDestroyWalk(walk);
		return NULL;
	}
	return walk;
}

rpWalk* rpGraph_WalkAtRandom(const rpGraph* graph, double seconds, uint64_t labels, uint64_t seed, rpError* error)
{
	return walkFor(graph, seconds, labels, 0.0, seed, error);
}

rpWalk* rpGraph_WalkByCost(const rpGraph* graph, double seconds, uint64_t labels, double sigma, uint64_t seed,
						   rpError* error)
{
	if (!(sigma > 0.0 && isfinite(sigma)))
	{
		rpFail(error, rp_errorArgument, "sigma must be a number above 0, not %g", sigma);
		return NULL;
	}
	return walkFor(graph, seconds, labels, sigma, seed, error);
}

rpWalk* rpGraph_WalkFastest(const rpGraph* graph, int from, const bool* goals, rpError* error)
{
	Growing growing = {.walk = createWalk(error)};
	rpGraphPaths paths = {0};
	bool done = growing.walk != NULL && rpGraphPaths_Create(&paths, graph, false, error);
	if (done)
	{
		int goal = findGoal(&paths, from, goals);
		done = goal >= 0 ? appendPath(&paths, from, goal, &growing, error)
						 : rpFail(error, rp_errorNoSolution, "there is no path on the graph to what was asked for");
	}
	rpGraphPaths_Free(&paths);
	if (!done)
	{
		rpDestroyWalk(growing.walk);
		return NULL;
	}
	rpWalk* walk = growing.walk;
	walk->start = walk->edgeCount > 0 ? placeAtOrigin(graph, walk->edges[0]) : rpGroundTransform_identity;
	walk->cost = rpWalk_GetDuration(walk, graph);
	return walk;
}
