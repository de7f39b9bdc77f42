/// Parallel loops.
#pragma once

#include "reprise/base.h"

/// Body of a loop: called once for each index 0 … count-1, from any thread.
typedef void rpLoopFn(int index, void* context);

/// Run body for all indices on the machine's cores; they are handed out in order, one at a time. Returns when all are
/// done.
void rpParallelFor(int count, rpLoopFn* body, void* context);
