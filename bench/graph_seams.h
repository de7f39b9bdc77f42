/// How velocities change in transitions, against how they change in the clips that are blended there.
///
/// The change of a joint's velocity at a frame is |p(f+1) - 2 p(f) + p(f-1)| / T, with places p in the world at about
/// 60 Hz (a capture's noise drowns it at higher rates). All frames of all transitions of a walk are looked at, and of
/// the two clips the same frames as they were captured, each as often as its clip has a share in the blend there. Of
/// each joint the 95th percentile of the one is divided by that of the other: like is compared with like, joint by
/// joint and moment by moment, so that a walk without any seam gives 1, and less than 1 is smoother than the clips.
/// (The greatest change of many frames lies far above the 95th percentile of all of them, seam or not; and someone who
/// turns all the time changes velocity more than someone who walks straight on. Were all frames of both clips to count
/// alike, a blow that a walk plays nearly as it is, and then fades into standing, would be held against standing for
/// the half: the mere mean of the two clips' own accelerations, without any blend, then gives up to 1.17.)
#pragma once

#include "reprise/walk.h"

/// Changes of velocity, joint by joint. Zero-initialised is empty; free with benchFreeJumps.
typedef struct Jumps
{
	/// [count * jointCount]
	float* values;
	/// [count], how much each frame counts, 0 to 1.
	float* shares;
	int count, capacity, shareCapacity, jointCount;
} Jumps;

/// Add the transitions of a walk: as they are in its motion, and as the clips have them.
bool benchAddJumps(const rpGraph* graph, const rpWalk* walk, const rpMotion* motion, Jumps* made, Jumps* source);
void benchFreeJumps(Jumps* jumps);

/// The ratio of the 95th percentiles of the worst joint, and of all joints on average; share of the values of all
/// joints that lie above the source's percentile (of the source itself 0.05).
typedef struct JumpRatio
{
	double max, mean, above;
} JumpRatio;

JumpRatio benchCompareJumps(const Jumps* made, const Jumps* source);
