/// Clouds of points, one laid on the other on the floor.
#pragma once

#include "reprise/play/math.h"

/// The turn about the vertical and the shift on the floor that take the points q nearest to p, in the sense of
/// weighted squares (Kovar's thesis, eq. 4.2-4.4); shift.y is 0. p, q and weights are [count]; weights, which may be
/// NULL for equal ones, need not sum to 1, but must not all be 0. Returns the weighted mean of the squared distances
/// that remain (eq. 4.1), m².
double rpFitClouds(const rpVec3* p, const rpVec3* q, const float* weights, int count, rpGroundTransform* out);

/// The weighted mean squared distance of p from q as they lie.
double rpCompareClouds(const rpVec3* p, const rpVec3* q, const float* weights, int count);
