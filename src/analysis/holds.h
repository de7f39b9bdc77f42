/// What bears a body besides its feet: sitting, and standing on the hands.
#pragma once

#include "analysis/rest_stretch.h"
#include "body/support_load.h"

/// Contacts of the seat and of the hands.
typedef struct rpHolds
{
	rpInterval* items;
	int count, capacity;
} rpHolds;

/// Add the stretches in which a body sits. False, with an error, when memory ran out.
RP_NODISCARD bool rpFindSeats(const rpMotion* motion, const rpFeet* feet, const rpSupportLoad* load, rpHolds* out,
							  rpError* error);

/// Add the stretches in which a hand is on the floor, at that height in metres, while no foot rests and the body does
/// not fall. False, with an error, when memory ran out.
RP_NODISCARD bool rpFindHands(const rpMotion* motion, const rpSupportLoad* load, const rpRestStretches* rests,
							  float floor, rpHolds* out, rpError* error);

/// Whether something holds the body at a time.
bool rpHolds_Cover(const rpHolds* holds, double seconds);
