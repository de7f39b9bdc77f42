/// Inside of metrics and profiles.
#pragma once

#include "distance/grid_kernel.h"
#include "reprise/metric.h"

/// Max frames on either side of the middle of a window.
#define RP_MAX_HALF_WINDOW 240

/// Max factors of a window's length.
#define RP_MAX_PASSES 16

/// A metric. What belongs to the other kind is empty.
struct rpMetric
{
	rpMetricKind kind;
	rpSkeleton* skeleton;
	double fps;

	/// L. Clouds: weights of the window's frames, [2 * halfWindow + 1], which sum to 1.
	int halfWindow;
	double* window;
	bool placed;

	/// Clouds: the window as passes one after another (cloud_window.c), whose taps are in `taps`; passScale times what
	/// they make of it is the window.
	rpWindowPass passes[RP_MAX_PASSES];
	int passCount;
	double passScale;
	float* taps;

	/// Clouds: polynomials over the window, [2 * halfWindow + 1] of [2 * halfWindow + 1] values (cloud_mean.c).
	double* polynomials;

	/// Clouds: distinct markers, [markerCount], weights sum to 1. Those that are always at one place are one.
	rpMarker* markers;
	int markerCount;

	/// Clouds, [markerCount]: the markers' weights times passScale, as the grid has them; the same made to sum to 1;
	/// and what these must be multiplied with, times passScale, to be the former.
	float* gridWeights;
	double* shares;
	double gridScale;

	/// Clouds: a height near each marker's usual one, metres, [markerCount]; taken off so that products stay small.
	float* heights;

	/// Angles: joints that count, the root first, and their weights, the tilt's for the root, [turnCount].
	int* turnJoints;
	float* turnWeights;
	int turnCount;
	float velocityWeight, heightWeight, travelWeight;
};

/// A motion seen by a metric. Arrays are rows of frames, one behind the other, rpCountRowFloats in all.
struct rpProfile
{
	int frameCount;

	/// Clouds: frames before the first and after the last, copies of those, so that windows need no care: halfWindow.
	int margin;

	/// Clouds: frames with those margins, and floats from one marker's frames to the next one's.
	int spanCount;
	int stride;
	int markerCount;

	/// Clouds, [spanCount]: a smooth track on the floor that the markers stay near, m.
	double *trackX, *trackZ;

	/// Clouds, [markerCount * stride] each: place of the markers from the track, and their height above
	/// metric->heights. Frame 0 is at index margin.
	float *x, *y, *z;

	/// Clouds: floats from one coefficient's frames to the next one's. Frame 0 is at index 0 in all that follow.
	int formStride;

	/// Clouds, [formStride]: sum of squares of the window about its mean on the floor, plus that of the heights, m².
	float* bases;

	/// Clouds, [meanTerms * formStride]: coefficients of the track of the markers' mean within the window, of its
	/// distance from the track and of itself in turn, m (cloud_mean.c).
	float *meanTermsX, *meanTermsZ;

	/// Clouds, [2 * halfWindow]: the largest coefficients of the mean and of the smooth track, of degree 1 and up, m.
	double *meanPeaks, *trackPeaks;

	/// Clouds, [formStride] where metric->placed, else NULL: the mean of the window on the floor.
	float *meansX, *meansZ;

	/// Angles: components of the joints' rotations, [4 * turnCount * formStride]; features, [featureCount *
	/// formStride]; where the root stands and faces, [frameCount].
	float *turns, *features;
	rpGroundTransform* grounds;
	int turnCount, featureCount;
};

/// Of clouds (cloud_metric.c, cloud_profile.c, cloud_distance.c).
bool rpCloud_Define(rpMetric* metric, const rpMetricDef* def, rpError* error);
bool rpCloud_See(const rpMetric* metric, rpProfile* profile, rpMotion* motion, rpError* error);

/// Factors the window (cloud_window.c).
bool rpCloud_FactorWindow(rpMetric* metric, rpWindowShape shape, rpError* error);

/// A smooth track through values, [count], and `margin` frames more at both ends: out is [count + 2 * margin]
/// (cloud_track.c). deviation is that of the smoothing in frames.
bool rpSmoothTrack(const double* values, int count, double deviation, int margin, double* out, rpError* error);

/// The track of the markers' mean (cloud_mean.c).
bool rpCloud_MakePolynomials(rpMetric* metric, rpError* error);
void rpCloud_FollowMean(const rpMetric* metric, rpProfile* profile, int frame, const double* meanX,
						const double* meanZ);

/// How many terms of the mean are kept, and how many of them are needed to compare two profiles.
int rpCloud_CountTerms(const rpMetric* metric);
int rpCloud_CountNeededTerms(const rpMetric* metric, const rpProfile* a, const rpProfile* b);

/// The squared distance by the formulas of the thesis, in double precision; alignment may be NULL.
double rpCloud_Compare(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
					   rpGroundTransform* alignment);

/// Of angles (angle_metric.c, angle_profile.c, angle_distance.c).
bool rpAngle_Define(rpMetric* metric, const rpMetricDef* def, rpError* error);
bool rpAngle_See(const rpMetric* metric, rpProfile* profile, const rpMotion* motion, rpError* error);
double rpAngle_Compare(const rpMetric* metric, const rpProfile* a, int i, const rpProfile* b, int j,
					   rpGroundTransform* alignment);

/// The squared angle between a joint's orientations in two frames, rad².
double rpAngle_SquareTurn(const rpProfile* a, int i, const rpProfile* b, int j, int turn);
