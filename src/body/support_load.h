/// What the track of a body's centre of mass reveals about what bears it.
#pragma once

#include "reprise/play/body.h"

/// The track of a centre of mass, [frameCount]; not owned.
typedef struct rpSupportLoad
{
	const rpVec3* centers;
	int frameCount;
	double fps;
} rpSupportLoad;

/// How the centre is accelerated in a frame, m/s²: by a parabola fitted to `halfWindow` seconds to both sides, and to
/// two frames at least; near the ends of the motion, to as long a stretch that begins or ends there. 0 for motions of
/// less than five frames.
rpVec3 rpSupportLoad_GetAcceleration(const rpSupportLoad* load, int frame, double halfWindow);

/// Where on the ground, at that height in metres, the force acts that accelerates the centre so and bears its weight,
/// turning nothing: x and z. Below the centre for a body at rest; for one that falls it is far away.
rpVec2 rpSupportLoad_GetPressure(const rpSupportLoad* load, int frame, float ground, double halfWindow);

/// How far a point is outside the convex hull of others, metres; 0 inside, INFINITY if there are none.
double rpGetHullDistance(const rpVec2* points, int count, rpVec2 p);

/// How far a body is out of balance in a frame over points of the ground that bear it, metres: 0 if the point below its
/// centre, or the one that it presses on, or any between is within their hull. Neither is known better: accelerations
/// are taken from frames that tremble or were blended, and someone who stands still has none.
double rpSupportLoad_GetOutside(const rpSupportLoad* load, int frame, const rpVec2* points, int count, float ground,
								double halfWindow);
