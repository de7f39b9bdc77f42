/// How far thresholds between labels may grow.
#pragma once

#include "build/graph_draft.h"

/// The greatest thresholds that may be chosen from each label to each other, [labelCount * labelCount], in the metric's
/// unit; freed by the caller. leasts, of the same shape, are the least distances of transitions from one to the other
/// (INFINITY: none), and isOpen tells which thresholds are to be chosen at all. NULL: no memory.
float* rpFindCaps(const rpExamples* examples, const float* leasts, const bool* isOpen, rpError* error);
