/// Strongly connected components after R. Tarjan, "Depth-first search and linear graph algorithms" (1972), with a stack
/// of its own in place of recursion: graphs may be deep.
#include "model/component.h"

#include "base/memory.h"

/// The walk's arrays, [nodeCount] each.
typedef struct Tarjan
{
	const rpLinks* links;
	/// Order in which nodes were found, from 1; 0: not yet. Lowest order that can be reached back.
	int* order;
	int* low;
	/// Next edge to look at.
	int* next;
	/// Nodes on the path down, and nodes whose component is not complete.
	int* path;
	int* open;
	int pathCount, openCount, found, componentCount;
	/// -1 until complete.
	int* component;
} Tarjan;

static void enter(Tarjan* t, int node)
{
	t->order[node] = t->low[node] = ++t->found;
	t->next[node] = t->links->firstEdges[node];
	t->path[t->pathCount++] = node;
	t->open[t->openCount++] = node;
}

// The next edge of a node that leads to an open or a new one; -1 if there is none.
static int follow(Tarjan* t, int node)
{
	while (t->next[node] < t->links->firstEdges[node + 1])
	{
		int edge = t->next[node]++;
		int target = t->links->targets[edge];
		if ((t->links->isUsed == NULL || t->links->isUsed[edge]) && t->component[target] < 0)
		{
			return target;
		}
	}
	return -1;
}

static void complete(Tarjan* t, int root)
{
	int node;
	do
	{
		node = t->open[--t->openCount];
		t->component[node] = t->componentCount;
	} while (node != root);
	++t->componentCount;
}

static void leave(Tarjan* t, int node)
{
	--t->pathCount;
	if (t->low[node] == t->order[node])
	{
		complete(t, node);
	}
	else
	{
		int parent = t->path[t->pathCount - 1];
		t->low[parent] = t->low[node] < t->low[parent] ? t->low[node] : t->low[parent];
	}
}

static void visit(Tarjan* t, int start)
{
	enter(t, start);
	while (t->pathCount > 0)
	{
		int node = t->path[t->pathCount - 1], target = follow(t, node);
		if (target < 0)
		{
			leave(t, node);
		}
		else if (t->order[target] == 0)
		{
			enter(t, target);
		}
		else if (t->order[target] < t->low[node])
		{
			t->low[node] = t->order[target];
		}
	}
}

int rpFindComponents(const rpLinks* links, int* component, rpError* error)
{
	size_t count = (size_t)links->nodeCount;
	int* memory = rpAllocateZero(5 * count, sizeof(int), error);
	if (memory == NULL)
	{
		return -1;
	}
	Tarjan t = {
		.links = links,
		.order = memory,
		.low = memory + count,
		.next = memory + 2 * count,
		.path = memory + 3 * count,
		.open = memory + 4 * count,
		.component = component,
	};
	for (int node = 0; node < links->nodeCount; ++node)
	{
		component[node] = -1;
	}
	for (int node = 0; node < links->nodeCount; ++node)
	{
		if (t.order[node] == 0)
		{
			visit(&t, node);
		}
	}
	rpFree(memory);
	return t.componentCount;
}
