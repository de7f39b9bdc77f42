/// The plants of a whole motion, from its contacts.
#pragma once

#include "blend/foot_lock_track.h"

/// Whether an interval is a contact of a heel or a ball.
bool rpIsSoleContact(const rpInterval* interval);

/// The first frame at or after a time, and the frame behind a contact that ends at a time (one that lasts to the end
/// has the last frame as well); both within the motion's frames and one beyond.
int rpGetFirstFrame(const rpMotion* motion, double seconds);
int rpGetEndFrame(const rpMotion* motion, double seconds);

/// Fill track->plants, which has room for one per contact: sorted by their first frames. Contacts of one point in
/// quick succession are one plant if they are at one place; else they are shortened, so that the foot has time for
/// the way.
void rpFootTrack_Plan(rpFootTrack* track, const rpMotion* motion);
