/// Gaps between stretches of rest in which the body does not fly: somebody who walks has a foot down all the time.
#pragma once

#include "analysis/holds.h"
#include "analysis/rest_stretch.h"

/// Close the gaps of a motion in which no point of either foot rests though the body does not fall: with a stance that
/// was missed, or, if both feet stay low, with the toes of the foot that leaves. What is not all flight is made
/// shorter, to where the body falls. Who sits needs no feet. False when memory ran out.
RP_NODISCARD bool rpCloseSupportGaps(const rpFeet* feet, const rpBearing* bearing, const rpHolds* holds,
									 double shortest, rpRestStretches* rests, rpError* error);

/// Downward acceleration of places that are 1/fps apart, by a parabola fitted to their heights, m/s²; *deviation of it
/// and root mean square *residual, metres, may be NULL. At least 4 places.
double rpFitFall(const rpVec3* places, int count, double fps, double* deviation, double* residual);

/// Whether a body falls between two times as one that flies, if that can be told.
bool rpMayFly(const rpBearing* bearing, double start, double end);
