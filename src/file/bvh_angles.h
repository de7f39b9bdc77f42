/// Euler angles that go on from frame to frame, for the BVH writer.
#pragma once

#include "reprise/play/math.h"

/// Three angles in degrees, in the order of their axes.
typedef struct BvhAngles
{
	double values[3];
} BvhAngles;

/// The angles of q, in the order of axes (all different, 0 for x to 2 for z), that are nearest to those before; NULL:
/// the ones with the middle within ±90 degrees. Both solutions and whole turns are tried. Angles that have wound up
/// beyond ten turns start again near 0, since a reader's floats would no longer hold their decimals.
BvhAngles bvhGetAngles(rpQuat q, const int axes[3], const BvhAngles* before);
