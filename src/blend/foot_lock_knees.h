/// Keeping knees from popping: for whole motions.
#pragma once

#include "blend/foot_lock_track.h"

/// Change what the feet of a solved track ask for where a knee bends faster than `limit`, radians per frame: free feet
/// go another way, planted ones pull the root nearer, so that the leg is less straight. solutions are those of all
/// frames. isLate: pulls did not suffice, the root is shifted just where it must be. Returns whether there was such a
/// knee: then widen the pulls and solve again.
bool rpSlowKnees(rpFootTrack* track, const rpTrackSolution* solutions, float limit, bool isLate);
