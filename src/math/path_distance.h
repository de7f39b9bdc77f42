/// How far a track over the floor is from a path.
#pragma once

#include "reprise/play/math.h"

/// Distances of points from where they should be, metres, and which is the worst.
typedef struct rpPathErrors
{
	double mean, max, rms;
	int worst;
} rpPathErrors;

/// Points of a track against the nearest point of a path, as rpPathMeter has it. At least one point, and two of the
/// path.
rpPathErrors rpMeasureNearest(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount);

/// How far along the path those nearest points are, metres; lengths is [pointCount].
void rpTraceNearest(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount, double* lengths);

/// Points of a track against the point of a path at the arc length that the track has come (eq. 4.15 of Kovar's
/// thesis).
rpPathErrors rpMeasureEqualLength(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount);

/// Share of a path that a track passes within half a metre, in order: 1 for one that leaves nothing out, whatever else
/// it does.
double rpMeasureCover(const rpVec2* points, int pointCount, const rpVec2* path, int pathCount);
