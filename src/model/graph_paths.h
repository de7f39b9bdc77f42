/// Shortest paths on a graph: Dijkstra's search, from some nodes to all others or to the first of some goals, along the
/// edges or against them.
#pragma once

#include "reprise/play/graph.h"

/// The length of an edge in a search, above or equal to 0; below 0: it must not be taken.
typedef int rpEdgeLengthFn(const rpGraph* graph, int edge, const void* context);

/// A node that waits to be reached for good, at a distance.
typedef struct rpWaitingNode
{
	int distance, node;
} rpWaitingNode;

/// What a search finds, and room for it. Create with rpGraphPaths_Create, free with rpGraphPaths_Free.
typedef struct rpGraphPaths
{
	const rpGraph* graph;

	/// NULL: the frames of an edge.
	rpEdgeLengthFn* getLength;
	const void* context;

	/// Search against the edges: distances are then those from each node to the start.
	bool isBackward;

	/// [nodeCount] the distance of each node, INT32_MAX: it is not reached; and the edge by which it is reached, -1 for
	/// a start and for what is not reached.
	int* distances;
	int* edges;

	/// Backward: edges by their ends, [nodeCount + 1], [edgeCount]; NULL otherwise.
	int* firstBacks;
	int* backs;

	/// [edgeCount + nodeCount] the heap.
	rpWaitingNode* heap;
	int heapCount;
} rpGraphPaths;

/// False when memory ran out; free in any case.
RP_NODISCARD bool rpGraphPaths_Create(rpGraphPaths* paths, const rpGraph* graph, bool isBackward, rpError* error);
void rpGraphPaths_Free(rpGraphPaths* paths);

/// Begin a search: no node is reached.
void rpGraphPaths_Clear(rpGraphPaths* paths);

/// Reach a node from nowhere, at a distance of 0 as a rule.
void rpGraphPaths_Start(rpGraphPaths* paths, int node, int distance);

/// Search from all starts, until the nearest of the goals ([nodeCount]) is reached; NULL: until all is. Returns that
/// goal, -1: none was reached. Of goals at one distance the first is taken.
int rpGraphPaths_Search(rpGraphPaths* paths, const bool* goals);
