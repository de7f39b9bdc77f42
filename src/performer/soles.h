/// The soles that bear a performance, as a polygon on the ground.
#pragma once

#include "performer/stage.h"

enum
{
	/// Both sides of heel, ball and toes of both feet.
	rp_maxSoleCorners = 12,
};

/// A convex polygon, to the left of its edges, x and z; none if `count` is 0. `level` is the mean height of what the
/// soles stand on.
typedef struct rpSoles
{
	rpVec2 corners[rp_maxSoleCorners];
	int count;
	float level;
} rpSoles;

/// The soles on the ground at t. passed is how many stances of each side have been passed, for calls in order of time;
/// zero at first.
rpSoles rpPerformance_GetSoles(const rpPerformance* performance, double t, int passed[2]);

/// The nearest place in the polygon, which must have corners.
rpVec2 rpSoles_GetNearest(const rpSoles* soles, rpVec2 p);
