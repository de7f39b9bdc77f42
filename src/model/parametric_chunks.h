/// A parametric graph as chunks of a bundle, and back.
#pragma once

#include "reprise/play/bundle.h"
#include "reprise/play/parametric_graph.h"

/// Most samples, markers and frames of a window on either side of its middle.
#define RP_MAX_PARAMETRIC_SAMPLES 1000000
#define RP_MAX_PARAMETRIC_MARKERS 1024
#define RP_MAX_PARAMETRIC_WINDOW 60

/// Add the chunks PHDR, PEDG, PSMP, PMRK and PWIN, and PNOD and PSPC: nodes and their spaces' chunks, as bundles one
/// behind the other. spaces, [nodeCount], has the bytes of each space's bundle, sizes how many.
RP_NODISCARD bool rpWriteParametricChunks(rpBundleWriter* writer, const rpParametricGraph* graph,
										  const void* const* spaces, const size_t* sizes, rpError* error);

/// The graph without its spaces (they are NULL), every number checked but those that depend on spaces, which
/// rpCheckParametricGraph sees once they are there. NULL when it is damaged or memory ran out; free with
/// rpDestroyParametricGraph.
RP_NODISCARD rpParametricGraph* rpReadParametricChunks(const rpBundle* bundle, rpError* error);
RP_NODISCARD bool rpCheckParametricGraph(const rpParametricGraph* graph, int jointCount, rpError* error);

/// The bundle of a node's space, whose bytes are the outer one's. NULL when it is damaged; free with rpDestroyBundle.
RP_NODISCARD rpBundle* rpOpenParametricNode(const rpBundle* bundle, int node, rpError* error);
