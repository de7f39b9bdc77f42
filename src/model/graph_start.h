/// Where the root of a graph's first edge is. Packed clips are off by a little, and what is rounded off directions adds
/// up: a player that began elsewhere would choose other edges after a while. So packed bundles tell it (chunk GBEG).
#pragma once

#include "model/clip_chunks.h"
#include "model/graph_model.h"

/// The edge that a player begins with; the graph has a steering table.
int rpGraphModel_GetFirstEdge(const rpGraphModel* graph);

/// The root's place on the floor and its heading where that edge begins, in its clip: what the bundle says, or what the
/// clip does.
rpGroundTransform rpGraphModel_GetStart(const rpGraphModel* graph, const rpClipSet* clips);

/// Add GBEG, if the bundle holds a graph that can be played.
RP_NODISCARD bool rpWriteGraphStart(rpBundleWriter* writer, const rpBundle* bundle, rpError* error);
