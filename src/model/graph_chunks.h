/// A motion graph as chunks of a bundle, and back.
#pragma once

#include "reprise/play/bundle.h"
#include "reprise/play/graph.h"

/// GHDR, one record.
typedef struct rpGraphHeader
{
	double fps;
	int32_t halfWindow, labelCount, clipCount, reserved;
} rpGraphHeader;

/// Add a graph's chunks, all but its clips' frames.
RP_NODISCARD bool rpWriteGraphChunks(rpBundleWriter* writer, const rpGraph* graph, rpError* error);

/// A graph to work on from a bundle, a copy, every number checked; its clips have no motion yet (NULL). NULL when it is
/// damaged or memory ran out; free with rpDestroyGraph.
RP_NODISCARD rpGraph* rpReadGraphChunks(const rpBundle* bundle, rpError* error);
