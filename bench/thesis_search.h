/// The path search as sections 4.2.1 and 4.3.1 of Kovar's thesis have it, written anew from the text alone: what the
/// library's search is measured against.
#pragma once

#include "reprise/walk.h"

/// Follow a path with edges of these labels: depth-first branch and bound with greedy ordering, in windows of 90 frames
/// of which 30 are kept; the cost is the sum of squared distances from the point of equal arc length (eq. 4.15). Writes
/// the mean distance from the path, forward only. False when nothing goes on.
bool benchFollowAsInThesis(const rpGraph* graph, uint64_t labels, const rpVec2* points, int pointCount, double* error);
