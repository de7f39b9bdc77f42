/// How far thresholds within labels and between them may grow.
#pragma once

#include "build/graph_draft.h"

/// The greatest thresholds that may be chosen from each label to each, [labelCount * labelCount], in the metric's unit;
/// freed by the caller. NULL: no memory.
float* rpFindCaps(const rpExamples* examples, rpError* error);

/// Lift caps between labels as far as it takes to get from each label to each other. minima, of the same shape, are the
/// min distances of transitions from one to the other (INFINITY: none), and isOpen says which thresholds are to be
/// chosen at all.
void rpLiftCaps(int labelCount, const float* minima, const bool* isOpen, float* caps);
