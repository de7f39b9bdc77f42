/// How velocities change in transitions, against how they change in the clips.
///
/// The change of a joint's velocity at a frame is |p(f+1) - 2 p(f) + p(f-1)| / T, with places p in the world at about
/// 60 Hz (a capture's noise drowns it at higher rates). Of each joint the 95th percentile over all frames that lie in a
/// transition is divided by that over all frames of the clips: like is compared with like, joint by joint, so that a
/// motion without any seam gives 1 and less than 1 is smoother than the clips. (The greatest change of many frames lies
/// far above the 95th percentile of all of them, seam or not.)
#pragma once

#include "reprise/motion.h"

/// Changes of velocity, joint by joint. Zero-initialised is empty; free with benchFreeJumps.
typedef struct Jumps
{
	/// [count * jointCount]
	float* values;
	int count, capacity, jointCount;
} Jumps;

/// Add a motion's frames: all of them, or with half > 0 those within so many seconds of a seam.
bool benchAddJumps(Jumps* jumps, const rpMotion* motion, double half);
void benchFreeJumps(Jumps* jumps);

/// The ratio of the 95th percentiles of the worst joint, and of all joints on average; share of the values of all
/// joints that lie above the source's percentile (of the source itself 0.05).
typedef struct JumpRatio
{
	double max, mean, above;
} JumpRatio;

JumpRatio benchCompareJumps(const Jumps* seams, const Jumps* source);
