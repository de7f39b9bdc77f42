#include "model/graph_paths.h"

#include "base/memory.h"

// Edges by their ends: counted, summed up, and filled in from the back.
static void indexBacks(rpGraphPaths* paths)
{
	const rpGraph* graph = paths->graph;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		++paths->firstBacks[graph->edges[e].to];
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		paths->firstBacks[n + 1] += paths->firstBacks[n];
	}
	for (int e = graph->edgeCount - 1; e >= 0; --e)
	{
		paths->backs[--paths->firstBacks[graph->edges[e].to]] = e;
	}
}

bool rpGraphPaths_Create(rpGraphPaths* paths, const rpGraph* graph, bool isBackward, rpError* error)
{
	size_t nodes = (size_t)graph->nodeCount, edges = (size_t)graph->edgeCount;
	*paths = (rpGraphPaths){
		.graph = graph,
		.isBackward = isBackward,
		.distances = rpAllocate(nodes, sizeof(int), error),
		.edges = rpAllocate(nodes, sizeof(int), error),
		.heap = rpAllocate(edges + nodes, sizeof(rpWaitingNode), error),
	};
	bool done = paths->distances != NULL && paths->edges != NULL && paths->heap != NULL;
	if (done && isBackward)
	{
		paths->firstBacks = rpAllocateZero(nodes + 1, sizeof(int), error);
		paths->backs = rpAllocate(edges, sizeof(int), error);
		done = paths->firstBacks != NULL && paths->backs != NULL;
		if (done)
		{
			indexBacks(paths);
		}
	}
	return done;
}

void rpGraphPaths_Free(rpGraphPaths* paths)
{
	rpFree(paths->distances);
	rpFree(paths->edges);
	rpFree(paths->heap);
	rpFree(paths->firstBacks);
	rpFree(paths->backs);
	*paths = (rpGraphPaths){0};
}

static bool isBefore(rpWaitingNode a, rpWaitingNode b)
{
	return a.distance < b.distance || (a.distance == b.distance && a.node < b.node);
}

static void push(rpGraphPaths* paths, rpWaitingNode item)
{
	rpWaitingNode* heap = paths->heap;
	int i = paths->heapCount++;
	for (; i > 0 && isBefore(item, heap[(i - 1) / 2]); i = (i - 1) / 2)
	{
		heap[i] = heap[(i - 1) / 2];
	}
	heap[i] = item;
}

static rpWaitingNode pop(rpGraphPaths* paths)
{
	rpWaitingNode *heap = paths->heap, top = heap[0], last = heap[--paths->heapCount];
	int i = 0;
	for (int child; (child = 2 * i + 1) < paths->heapCount; i = child)
	{
		child += child + 1 < paths->heapCount && isBefore(heap[child + 1], heap[child]);
		if (!isBefore(heap[child], last))
		{
			break;
		}
		heap[i] = heap[child];
	}
	heap[i] = last;
	return top;
}

void rpGraphPaths_Clear(rpGraphPaths* paths)
{
	for (int n = 0; n < paths->graph->nodeCount; ++n)
	{
		paths->distances[n] = INT32_MAX;
		paths->edges[n] = -1;
	}
	paths->heapCount = 0;
}

// Every node starts and every edge is taken at most once, so that the heap has room.
static void enter(rpGraphPaths* paths, int node, int distance, int edge)
{
	if (distance < paths->distances[node])
	{
		paths->distances[node] = distance;
		paths->edges[node] = edge;
		push(paths, (rpWaitingNode){distance, node});
	}
}

void rpGraphPaths_Start(rpGraphPaths* paths, int node, int distance)
{
	if (paths->distances[node] == INT32_MAX)
	{
		enter(paths, node, distance, -1);
	}
}

static void expand(rpGraphPaths* paths, rpWaitingNode from)
{
	const rpGraph* graph = paths->graph;
	const rpGraphNode* node = &graph->nodes[from.node];
	int first = paths->isBackward ? paths->firstBacks[from.node] : node->firstEdge;
	int end = paths->isBackward ? paths->firstBacks[from.node + 1] : node->firstEdge + node->edgeCount;
	for (int k = first; k < end; ++k)
	{
		int e = paths->isBackward ? paths->backs[k] : k;
		const rpGraphEdge* edge = &graph->edges[e];
		int length = paths->getLength != NULL ? paths->getLength(graph, e, paths->context) : edge->frameCount;
		if (length >= 0)
		{
			enter(paths, paths->isBackward ? edge->from : edge->to, from.distance + length, e);
		}
	}
}

int rpGraphPaths_Search(rpGraphPaths* paths, const bool* goals)
{
	while (paths->heapCount > 0)
	{
		rpWaitingNode top = pop(paths);
		if (top.distance > paths->distances[top.node])
		{
			continue;
		}
		if (goals != NULL && goals[top.node])
		{
			return top.node;
		}
		expand(paths, top);
	}
	return -1;
}
