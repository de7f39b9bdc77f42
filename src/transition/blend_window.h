/// The stretches of two motions that a blend may take, as rotations of the joints that count, at even times.
#pragma once

#include "reprise/blend_length.h"

/// Samples of both sides. Zero-initialised is empty.
typedef struct rpBlendWindow
{
	/// Joints that count, and their weights, [jointCount].
	int* joints;
	double* weights;
	int jointCount;

	/// [fromCount * 4 * jointCount] and [toCount * 4 * jointCount]: a sample's w of all joints, then their x, y and z.
	/// Consecutive samples of a joint are in one hemisphere.
	double* from;
	double* to;
	int fromCount, toCount;
} rpBlendWindow;

void rpBlendWindow_Free(rpBlendWindow* window);

/// The joints that count, by weights, or those of a metric of angles, or Wang's (either may be NULL). False when no
/// joint has a weight, one is wrong, or memory ran out.
RP_NODISCARD bool rpBlendWindow_Choose(rpBlendWindow* window, const rpSkeleton* skeleton, const float* weights,
									   const rpMetric* metric, rpError* error);

/// A joint's rotation at a time, clamped to the motion.
rpQuat rpSampleJoint(const rpMotion* motion, double seconds, int joint);

/// Sample both motions: a at ta + n * fromStep, b at tb + n * toStep, seconds, clamped to the motions. False when
/// memory ran out.
RP_NODISCARD bool rpBlendWindow_Sample(rpBlendWindow* window, const rpMotion* a, double ta, double fromStep,
									   int fromCount, const rpMotion* b, double tb, double toStep, int toCount,
									   rpError* error);

/// Add the weighted squared angles (eq. V.2) between sample n of a and sample m of b to sums, [jointCount].
void rpBlendWindow_Add(const rpBlendWindow* window, int n, int m, double* sums);

/// The same, summed over the joints.
double rpBlendWindow_Compare(const rpBlendWindow* window, int n, int m);

/// The same of two samples of count joints.
double rpCompareSamples(const double* p, const double* q, const double* weights, int count);

/// Two lengths in steps from sample to sample, and the mean cost of the blend that takes them.
typedef struct rpWarpChoice
{
	int from, to;
	double cost;
} rpWarpChoice;

/// The time-warped lengths of least mean cost, where the longer is at least `shortest` and at most `steepest` times the
/// other; sample n of a is n steps after its moment, sample m of b is m steps before its own (blend_warp.c). False when
/// memory ran out.
RP_NODISCARD bool rpBlendWindow_FindWarp(const rpBlendWindow* window, int shortest, int steepest, rpWarpChoice* out,
										 rpError* error);

/// The lengths whose cheapest time path, with at most slopeLimit steps in a row in one motion alone, has the smallest
/// cost for its length, as rpTimePath_GetLength has it (blend_time_path.c). False when memory ran out.
RP_NODISCARD bool rpBlendWindow_FindTimePath(const rpBlendWindow* window, int shortest, int slopeLimit,
											 rpWarpChoice* out, rpError* error);

/// The distances of those lengths as a grid for rpFindTimePath, [(from + 1) * (to + 1)], row by row, b's time going
/// forward; free with rpFree. NULL when memory ran out.
RP_NODISCARD float* rpBlendWindow_MakeGrid(const rpBlendWindow* window, int from, int to, rpError* error);
