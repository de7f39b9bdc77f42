/// The floor under feet that are free.
#pragma once

#include "blend/foot_lock_track.h"

/// How low toes may come, metres: a bit lower than they are on average while their ball rests, on the lowest of the
/// supports that the feet are on, came from, or this one goes to. False while nothing is known.
bool rpFootTrack_FindToeFloor(const rpFootTrack* track, int frame, int side, float* out);

/// By how much a free foot whose offset was found must go up for its heel and ball not to come below that floor,
/// metres; less and less towards the contacts around, where it is where it must be.
float rpFootTrack_FindRaise(const rpFootTrack* track, int frame, int side);
