/// Paths between what goes on for ever.
#pragma once

#include "reprise/play/graph.h"

/// A label is small if less of its motion than this goes on for ever.
#define RP_SMALL_LABEL 0.5

/// Keep what leads through small labels (bits): isKept, [nodeCount], holds the nodes that are kept anyway, and the ends
/// of edges that stay in such labels are added to them where a path leads there from a node that is kept and on to one,
/// with the nodes of the shortest such paths. So no dead end arises. False when memory ran out.
bool rpMarkKeptPaths(const rpGraph* graph, uint64_t smallLabels, bool* isKept, rpError* error);
