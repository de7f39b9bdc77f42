/// A path over the floor in pieces of equal time, cubic between their ends.
#pragma once

#include "reprise/play/math.h"

/// How a ground frame moves, or where it is: along x and z, and about the vertical.
typedef struct rpGroundRate
{
	/// Of rates: m/s along the frame's own axes (z is ahead, x to the left), and rad/s to the left.
	float x, z, turn;
} rpGroundRate;

/// Max pieces of a path.
#define RP_MAX_GROUND_STEPS 96

/// Zero-initialised: no path at all, which stays where it begins.
typedef struct rpGroundPath
{
	int stepCount;

	/// Seconds of a piece.
	float step;

	/// Where its pieces end, from its start, and how it moves there per second along the axes of its start; each
	/// [stepCount + 1].
	rpGroundRate places[RP_MAX_GROUND_STEPS + 1], rates[RP_MAX_GROUND_STEPS + 1];
} rpGroundPath;

/// Where it is some seconds after its start, which is at the origin; before its start and after its end it rests.
rpGroundTransform rpGroundPath_Get(const rpGroundPath* path, double seconds);
