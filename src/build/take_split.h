/// Takes in two parts: the path over the floor, and what the body does along it.
#pragma once

#include "math/ground_path.h"
#include "reprise/play/motion.h"

/// The height of a take's floor as its player will find it: by the contacts as they are in the bundle.
RP_NODISCARD bool rpFindTakeFloor(const rpMotion* take, float* out, rpError* error);

/// A copy with its feet held, its roots relative to the ground frame, whose floor is at that height; and how that frame
/// moves, [frameCount]. NULL for numbers that are not finite or when memory ran out; free with rpDestroyMotion.
RP_NODISCARD rpMotion* rpSplitTake(const rpMotion* take, float floor, rpGroundRate* rates, rpError* error);

/// Set bits (1u << rpEffector) of what rests in each frame, [frameCount], in what is there.
void rpMarkContacts(const rpMotion* take, uint16_t* contacts);
