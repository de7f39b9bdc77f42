/// Where a body goes over the floor, apart from what it does there: the place and heading of its root, smoothed, so
/// that sway and the turning of the pelvis stay with the body.
#pragma once

#include "reprise/play/motion.h"

/// Arrays of [frameCount], metres and radians. The heading goes on beyond half turns instead of wrapping. At both ends
/// of the motion the track is where the root is, so that a motion that repeats repeats its track.
typedef struct rpGroundTrack
{
	double *x, *z, *heading;
} rpGroundTrack;

/// The motion's numbers must be finite. False when memory ran out, with nothing to free; else free with
/// rpFreeGroundTrack.
RP_NODISCARD bool rpMakeGroundTrack(const rpMotion* motion, rpGroundTrack* out, rpError* error);
void rpFreeGroundTrack(rpGroundTrack* track);

/// The same track frame by frame, of motions that are not in memory as a whole: a frame is shown once enough of those
/// after it are known.
typedef struct rpGroundTracker
{
	/// Weights of the smoothing, [reach + 1].
	double* kernel;
	int reach;

	/// The last frames: x, z, heading, [mask + 1] each; a frame is at its number & mask.
	double* parts[3];
	int mask;

	/// Frames that were added, and shown; whether no more will come.
	int count, shown;
	bool isOver;
} rpGroundTracker;

/// Free with rpGroundTracker_Free, also when it failed.
RP_NODISCARD bool rpGroundTracker_Create(rpGroundTracker* tracker, double fps, rpError* error);
void rpGroundTracker_Free(rpGroundTracker* tracker);

/// The root of the next frame; all frames before it that can be shown were shown.
void rpGroundTracker_Add(rpGroundTracker* tracker, rpVec3 position, rpQuat rotation);

/// x, z and heading of the next frame. False: frames after it are missing.
bool rpGroundTracker_Show(rpGroundTracker* tracker, double out[3]);
