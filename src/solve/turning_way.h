/// How far it is at least from one place and heading to another for somebody who turns no tighter than on a circle: to
/// the left on one, to the right on another, or to one side only (L. E. Dubins, "On curves of minimal length with a
/// constraint on average curvature", 1957, without paths of three turns).
#pragma once

#include "reprise/play/math.h"

/// Radii, metres; infinite: no turning to that side.
typedef struct rpTurningCircles
{
	double left, right;
} rpTurningCircles;

/// A place on the floor and a direction, radians to the left of +z.
typedef struct rpTurningPlace
{
	double x, z, turn;
} rpTurningPlace;

/// The length of the shortest way, metres; infinite where there is none.
double rpTurningCircles_FindWay(const rpTurningCircles* circles, rpTurningPlace from, rpTurningPlace to);

/// The same without a heading at the end.
double rpTurningCircles_FindWayToPlace(const rpTurningCircles* circles, rpTurningPlace from, double x, double z);
