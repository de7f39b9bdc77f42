/// Inside of metrics and profiles.
#pragma once

#include "reprise/metric.h"

/// The most frames on either side of the middle of a window.
#define RP_MAX_REACH 240

/// A metric. What belongs to the other kind is empty.
struct rpMetric
{
	rpMetricKind kind;
	rpSkeleton* skeleton;
	double fps;

	/// Clouds: L, and weights of the window's frames, [2 * reach + 1], which sum to 1.
	int reach;
	double* window;
	bool placed;

	/// Clouds: distinct markers, [markerCount], weights sum to 1. Those that are always at one place are one.
	rpMarker* markers;
	int markerCount;

	/// Clouds: a height near each marker's usual one, metres, [markerCount]; taken off so that products stay small.
	float* heights;
};

/// A motion seen by a metric.
struct rpProfile
{
	int frameCount;

	/// Clouds: frames before the first and behind the last, copies of those, so that windows need no care: reach.
	int margin;

	/// Clouds: floats from one marker's frames to the next one's: frameCount + 2 * margin.
	int stride;
	int markerCount;

	/// Clouds, [markerCount * stride] each: place of the markers on the floor from their weighted mean, and their
	/// height above metric->heights. Frame 0 is at index margin.
	float *x, *y, *z;

	/// Clouds, [stride]: the weighted mean of the markers on the floor.
	double *centreX, *centreZ;
};

/// Of clouds (cloud_metric.c, cloud_profile.c, cloud_distance.c).
bool rpCloud_Define(rpMetric* metric, const rpMetricDef* def, rpError* error);
bool rpCloud_See(const rpMetric* metric, rpProfile* profile, rpMotion* motion, rpError* error);

/// The squared distance by the formulas of the thesis, in double precision; alignment may be NULL.
double rpCloud_Compare(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
					   rpGround* alignment);
