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

/// The ground frame of a motion's frame; its turn is not wrapped.
rpGroundTransform rpGroundTrack_Get(const rpGroundTrack* track, int frame);
