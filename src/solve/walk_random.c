/// Walks at random, and the fastest walks.
#include "base/error.h"
#include "base/memory.h"
#include "reprise/walk.h"

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

// Nodes from which edges with these labels go on for ever: take away nodes without a way out until none is left.
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
			bool hasWay = false;
			for (int k = 0; k < graph->nodes[n].edgeCount && !hasWay; ++k)
			{
				const rpGraphEdge* edge = &graph->edges[graph->nodes[n].firstEdge + k];
				hasWay = (labels == 0 || (edge->labels & labels) != 0) && isEndless[edge->to];
			}
			isChanged |= isEndless[n] && !hasWay;
			isEndless[n] &= hasWay;
		}
	}
}

// One of the edges of a node that go on for ever, more likely the less often it was taken. -1: there is none.
static int chooseEdge(const rpGraph* graph, int node, uint64_t labels, const bool* isEndless, const int* visits,
					  rpRandom* random)
{
	double total = 0.0;
	int chosen = -1;
	for (int k = 0; k < graph->nodes[node].edgeCount; ++k)
	{
		int e = graph->nodes[node].firstEdge + k;
		const rpGraphEdge* edge = &graph->edges[e];
		if ((labels != 0 && (edge->labels & labels) == 0) || !isEndless[edge->to])
		{
			continue;
		}
		double weight = 1.0 / (1.0 + (double)visits[e] * visits[e]);
		total += weight;
		if (rpRandom_Range(random, 0.0f, 1.0f) * total < weight)
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

// The first edge's clip is placed so that the walk starts at the origin and heads along +Z.
static rpGround placeAtOrigin(const rpGraph* graph, int edge)
{
	const rpGraphNode* node = &graph->nodes[graph->edges[edge].from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpGround root = rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps));
	root.shift.y = 0.0f;
	return rpGround_Invert(root);
}

static bool grow(const rpGraph* graph, double seconds, uint64_t labels, rpRandom* random, const bool* isEndless,
				 int* visits, Growing* growing, rpError* error)
{
	int node = chooseStart(graph, isEndless, random);
	if (node < 0)
	{
		rpFail(error, rp_errorNoSolution, "no walk with these labels goes on for ever");
		rpError_SetHint(error, "allow other labels, or add more motion of this kind and build the graph anew");
		return false;
	}
	double frames = seconds * graph->fps;
	while (frames > 0.0)
	{
		int edge = chooseEdge(graph, node, labels, isEndless, visits, random);
		if (!append(growing, edge, error))
		{
			return false;
		}
		++visits[edge];
		node = graph->edges[edge].to;
		growing->walk->lastFrames = frames < graph->edges[edge].frameCount ? (int)ceil(frames) : INT32_MAX;
		frames -= graph->edges[edge].frameCount;
	}
	growing->walk->start = placeAtOrigin(graph, growing->walk->edges[0]);
	return true;
}

rpWalk* rpGraph_WalkAtRandom(const rpGraph* graph, double seconds, uint64_t labels, uint64_t seed, rpError* error)
{
	Growing growing = {.walk = createWalk(error)};
	bool* isEndless = rpAllocate((size_t)graph->nodeCount, sizeof(bool), error);
	int* visits = rpAllocateZero((size_t)graph->edgeCount, sizeof(int), error);
	rpRandom random = rpSeedRandom(seed);
	bool done = growing.walk != NULL && isEndless != NULL && visits != NULL &&
				(seconds > 0.0 || rpFail(error, rp_errorArgument, "a walk of %g s; more than 0 is needed", seconds));
	if (done)
	{
		findEndless(graph, labels, isEndless);
		done = grow(graph, seconds, labels, &random, isEndless, visits, &growing, error);
	}
	rpFree(isEndless);
	rpFree(visits);
	if (!done)
	{
		rpDestroyWalk(growing.walk);
		return NULL;
	}
	return growing.walk;
}

// ---- the fastest walk

/// A node waiting in the heap.
typedef struct Waiting
{
	int frames, node;
} Waiting;

static bool isBefore(Waiting a, Waiting b)
{
	return a.frames < b.frames || (a.frames == b.frames && a.node < b.node);
}

static void pushWaiting(Waiting* heap, int* count, Waiting item)
{
	int i = (*count)++;
	for (; i > 0 && isBefore(item, heap[(i - 1) / 2]); i = (i - 1) / 2)
	{
		heap[i] = heap[(i - 1) / 2];
	}
	heap[i] = item;
}

static Waiting popWaiting(Waiting* heap, int* count)
{
	Waiting top = heap[0], last = heap[--*count];
	int i = 0;
	for (;;)
	{
		int child = 2 * i + 1;
		if (child + 1 < *count && isBefore(heap[child + 1], heap[child]))
		{
			++child;
		}
		if (child >= *count || !isBefore(heap[child], last))
		{
			break;
		}
		heap[i] = heap[child];
		i = child;
	}
	heap[i] = last;
	return top;
}

// Dijkstra's search; each edge puts at most one node into the heap. Returns the goal, -1 if there is no way.
static int findGoal(const rpGraph* graph, int from, const bool* goals, int* frames, int* arrivals, Waiting* heap)
{
	int count = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		frames[n] = INT32_MAX;
		arrivals[n] = -1;
	}
	frames[from] = 0;
	pushWaiting(heap, &count, (Waiting){0, from});
	while (count > 0)
	{
		Waiting top = popWaiting(heap, &count);
		if (top.frames > frames[top.node])
		{
			continue;
		}
		if (goals[top.node])
		{
			return top.node;
		}
		for (int k = 0; k < graph->nodes[top.node].edgeCount; ++k)
		{
			int e = graph->nodes[top.node].firstEdge + k;
			int through = top.frames + graph->edges[e].frameCount, to = graph->edges[e].to;
			if (through < frames[to])
			{
				frames[to] = through;
				arrivals[to] = e;
				pushWaiting(heap, &count, (Waiting){through, to});
			}
		}
	}
	return -1;
}

static bool traceBack(const rpGraph* graph, int from, int goal, const int* arrivals, Growing* growing, rpError* error)
{
	for (int node = goal; node != from; node = graph->edges[arrivals[node]].from)
	{
		if (!append(growing, arrivals[node], error))
		{
			return false;
		}
	}
	rpWalk* walk = growing->walk;
	for (int i = 0, k = walk->edgeCount - 1; i < k; ++i, --k)
	{
		int edge = walk->edges[i];
		walk->edges[i] = walk->edges[k];
		walk->edges[k] = edge;
	}
	walk->start = walk->edgeCount > 0 ? placeAtOrigin(graph, walk->edges[0]) : rpGround_identity;
	walk->cost = rpWalk_GetDuration(walk, graph);
	return true;
}

rpWalk* rpGraph_WalkFastest(const rpGraph* graph, int from, const bool* goals, rpError* error)
{
	Growing growing = {.walk = createWalk(error)};
	size_t nodeCount = (size_t)graph->nodeCount;
	int* frames = rpAllocate(nodeCount, sizeof(int), error);
	int* arrivals = rpAllocate(nodeCount, sizeof(int), error);
	Waiting* heap = rpAllocate((size_t)graph->edgeCount + 1, sizeof(Waiting), error);
	bool done = growing.walk != NULL && frames != NULL && arrivals != NULL && heap != NULL;
	if (done)
	{
		int goal = findGoal(graph, from, goals, frames, arrivals, heap);
		done = goal >= 0 ? traceBack(graph, from, goal, arrivals, &growing, error)
						 : rpFail(error, rp_errorNoSolution, "there is no way on the graph to what was asked for");
	}
	rpFree(frames);
	rpFree(arrivals);
	rpFree(heap);
	if (!done)
	{
		rpDestroyWalk(growing.walk);
		return NULL;
	}
	return growing.walk;
}
