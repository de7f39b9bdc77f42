/// How far thresholds within labels and between them may grow.
#pragma once

#include "build/graph_draft.h"

/// The greatest thresholds that may be chosen from each label to each, [labelCount * labelCount], in the metric's unit;
/// freed by the caller. NULL: no memory.
float* rpFindCaps(const rpExamples* examples, rpError* error);

/// Lift caps between labels as far as it takes to get from each label to each other. leasts, of the same shape, are the
/// least distances of transitions from one to the other (INFINITY: none), and isOpen tells which thresholds are to be
/// chosen at all.
void rpLiftCaps(int labelCount, const float* minima, const bool* isOpen, float* caps);
