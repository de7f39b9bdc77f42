/// Where feet rest, and how well they do; the stage that says so, rpFootTrack_Settle, is declared with the others.
#pragma once

#include "blend/foot_lock_track.h"

/// How far a planted point is to be trusted to rest: less the faster it moves, 0 … 1. Contacts begin and end while a
/// foot still rolls, and that is no error of the root's.
float rpFootTrack_GetStillness(const rpFootTrack* track, const rpPlant* plant, int frame);

/// The last frame before this one in which the foot was planted, if that is not long ago; -1 if it is.
int rpFootTrack_FindLastPlanted(const rpFootTrack* track, int frame, int side);
