/// How a body falls.
#pragma once

#include "body/support_load.h"
#include "reprise/analysis.h"

/// Downward acceleration of places that are 1/fps apart, by a parabola fitted to their heights, m/s²; *deviation of it
/// and root mean square *residual, metres, may be NULL. At least 4 places.
double rpFitFall(const rpVec3* places, int count, double fps, double* deviation, double* residual);

/// Whether a body falls between two times as one that flies, if that can be known.
bool rpMayFly(const rpSupportLoad* load, double start, double end);
