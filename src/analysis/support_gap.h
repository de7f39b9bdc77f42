/// Gaps between stretches of rest in which the body does not fly: somebody who walks has a foot down all the time.
#pragma once

#include "analysis/rest_stretch.h"

/// Close the gaps of a motion in which no point of either foot rests though the body neither falls nor lifts both feet:
/// the foot that is left rests until the one that comes is slower than it. False when memory ran out.
RP_NODISCARD bool rpCloseSupportGaps(const rpMotion* motion, const rpFeet* feet, rpRestStretches* rests,
									 rpError* error);

/// Downward acceleration of places that are 1/fps apart, by a parabola fitted to their heights, m/s²; *deviation of it
/// and root mean square *residual, metres, may be NULL. At least 4 places.
double rpFitFall(const rpVec3* places, int count, double fps, double* deviation, double* residual);
