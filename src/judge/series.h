/// Numbers over time and what is taken from many of them. All of it in time linear in their count, sorting apart.
#pragma once

#include "reprise/play/motion.h"

/// A growing heap of numbers, each with the pace or the moment, in seconds, that it was seen at. Zero-initialised is
/// empty.
typedef struct rpSamples
{
	float *values, *keys;
	int count, valueCapacity, keyCapacity;
} rpSamples;

/// False: memory ran out.
RP_NODISCARD bool rpSamples_Add(rpSamples* samples, double value, double key, rpError* error);
void rpSamples_Free(rpSamples* samples);

/// The q-quantile, 0 … 1, linear between neighbours; NaN of none. Sorts the values, which then have lost their keys.
double rpSamples_GetQuantile(rpSamples* samples, double q);
double rpSamples_GetMean(const rpSamples* samples);

/// The key of the greatest value, NaN of none. To be asked before anything is sorted.
double rpSamples_GetWorstKey(const rpSamples* samples);

/// Share of the values that are above a bound.
double rpSamples_GetShareAbove(const rpSamples* samples, double bound);

/// The median of what `from` shows at the paces of `wanted`: for each of these the value that is nearest in pace, the
/// smaller pace of two as near. *out is NaN if either is empty. False: memory ran out.
RP_NODISCARD bool rpGetMedianAtPace(const rpSamples* from, const rpSamples* wanted, double* out, rpError* error);

/// The floor that a point moves over, [count]: the 3rd percentile of its height within 1.5 s before and after, so that
/// floors may be tilted or stepped. Frames beyond the ends are as those at them.
RP_NODISCARD bool rpFindRunningFloor(const rpVec3* points, int count, float* out, rpError* error);

/// Speed over the floor in m/s, central differences, [count]; with `isSpatial` along all axes.
void rpGetSpeeds(const rpVec3* points, int count, bool isSpatial, float* out);

/// Means over 0.1 s around each frame, mirrored at the ends.
void rpAverage(const float* values, int count, float* out);

/// Distance over the floor.
double rpGetFloorDistance(rpVec3 a, rpVec3 b);
