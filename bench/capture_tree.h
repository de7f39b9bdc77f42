/// The joints of the CMU captures as a tree, for benchmarks that need no capture.
#pragma once

#include "reprise/play/skeleton.h"

#define BENCH_JOINT_COUNT 31

extern const int bench_parents[BENCH_JOINT_COUNT];

/// A body of that tree, without roles; free with rpDestroySkeleton. NULL when memory ran out.
rpSkeleton* benchMakeTree(void);
