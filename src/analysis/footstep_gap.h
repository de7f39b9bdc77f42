/// What a stretch without contacts is: flight, double support, or feet whose contacts were lost.
#pragma once

#include "analysis/center_track.h"

/// 'F' or 'D' for a stretch of a take in which no foot has a contact, or 0 if a foot bears the body though it has none.
char rpNameFootstepGap(const rpMotion* motion, const rpCenterTrack* track, double start, double end);

/// Whether the centre of mass falls at a time as only a body that flies does.
bool rpIsFalling(const rpCenterTrack* track, double time);

/// A support whose contacts were lost altogether, inside a stretch without contacts: the centre of mass turns upwards
/// in it after a fall or before one, or is pushed up between two. False if there is none.
bool rpFindLostSupport(const rpCenterTrack* track, double start, double end, rpCenterRest* out);

/// The foot that bears the body at a frame, as far as that can be seen without contacts: the slower one, 'L' or 'R'.
char rpGetBearingFoot(const rpMotion* motion, int frame);
