/// Small parametric graphs of the performer, for tests.
#pragma once

#include "space_scene.h"

/// A graph of spaces under names, all pairs of which are tried up to a metre apart, as a bundle: *size bytes, free with
/// rpFreeBytes. The test fails where there is none.
void* testMakeParametricBundle(const rpSpace* const* spaces, const char* const* names, int count, size_t* size);

/// The graph itself; free with rpDestroyParametricGraph.
rpParametricGraph* testMakeParametricGraph(const rpSpace* const* spaces, const char* const* names, int count);
