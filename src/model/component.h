/// Strongly connected components.
#pragma once

#include "reprise/play/base.h"

/// A directed graph by its nodes' edges: node n has the edges firstEdges[n] … firstEdges[n+1]-1, each to targets[e].
typedef struct rpLinks
{
	int nodeCount;
	/// [nodeCount + 1]
	const int* firstEdges;
	/// [edge count]
	const int* targets;
	/// [edge count], edges that count; NULL: all.
	const bool* isUsed;
} rpLinks;

/// Number the strongly connected components (Tarjan 1972, without recursion, linear time) in the order in which they
/// are completed; component is [nodeCount]. Returns how many there are, -1 when memory ran out.
int rpFindComponents(const rpLinks* links, int* component, rpError* error);
