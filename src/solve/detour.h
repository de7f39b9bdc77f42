/// The path around areas that lie on a path.
#pragma once

#include "reprise/walk.h"

/// The points of a path, led around the areas that it crosses in time: along the tangents of a circle and around it on
/// the shorter side, from some metres before it to some metres after it. Circles are `clearance` metres wider than
/// asked for, and a little more. Where an end of the path lies in one it is left as it is. Free with rpFree; NULL: out
/// of memory.
rpVec2* rpBendAround(const rpPathDef* def, double clearance, int* count, rpError* error);
