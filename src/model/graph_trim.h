/// What a player can come to in a graph. It begins with one edge and goes on by the steering table, so that most edges
/// of a graph are never played: packed bundles do without them.
#pragma once

#include "model/graph_model.h"

/// The nodes and edges that are played, in their order, numbered anew, and the steering table for them.
/// Zero-initialised is empty.
typedef struct rpGraphTrim
{
	rpGraphNode* nodes;
	int nodeCount;
	rpGraphEdge* edges;
	int edgeCount;

	/// [nodeCount * rp_steerCount]
	int* steering;
} rpGraphTrim;

/// Find them; players of what is left do the same, to the bit. The graph has a steering table and no dead ends. A node
/// that had a choice and always leads on by one edge has that twice: at nodes without a choice directions are not
/// rounded. Distances of transitions are 0, which nobody asks for in play. Free with rpGraphTrim_Free, after failure
/// too.
RP_NODISCARD bool rpTrimGraph(const rpGraphModel* graph, rpGraphTrim* out, rpError* error);
void rpGraphTrim_Free(rpGraphTrim* trim);
