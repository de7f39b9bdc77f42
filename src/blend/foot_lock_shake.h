/// Shaking of the root that its planted feet give away; for whole motions.
#pragma once

#include "blend/foot_lock_track.h"

/// Take the shaking out of the root's way: run it between Follow and Reach, when those before have run over all frames.
/// roots is [frameCount], the frames of the track. *share is the part of the feet's shaking that was the root's, 0 … 1,
/// on average. False when memory ran out; nothing is changed then.
RP_NODISCARD bool rpFootTrack_Steady(rpFootTrack* track, const rpVec3* roots, float* share, rpError* error);
