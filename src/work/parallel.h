/// Parallel loops.
#pragma once

#include "reprise/play/base.h"

/// Body of a loop: called once for each index 0 … count-1, from any thread.
typedef void rpLoopFn(int index, void* context);

/// Run body for all indices on the machine's cores; they are handed out in order, one at a time. Returns when all are
/// done.
void rpParallelFor(int count, rpLoopFn* body, void* context);

/// Body of a loop that knows its worker, 0 … workerCount-1: no two calls at a time have the same.
typedef void rpWorkFn(int index, int worker, void* context);

/// How many workers there are for `threads` asked for: that many, or the machine's cores for 0.
int rpCountWorkers(int threads);

/// The same as rpParallelFor on at most workerCount threads.
void rpParallelWork(int count, int workerCount, rpWorkFn* body, void* context);
