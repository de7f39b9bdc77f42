/// The floor under a walk.
#pragma once

#include "solve/passage.h"

/// Where feet rest in a walk. Captured floors are none: they tilt, takes stand a few centimetres higher than others,
/// and one foot higher than the other. Supports within a few centimetres are the floor; in the walk each part of a foot
/// has one height there, and clips are lowered or raised so that their feet come to it.
typedef struct rpWalkFloor
{
	/// Supports from low to high are the floor, metres in the world; there is none where low > high.
	float low, high;

	/// Of each part of the feet, metres.
	float levels[rp_effectorCount];
} rpWalkFloor;

/// Find the floor of passages. There is none where less than half of the time that feet rest is spent on supports of
/// about one height. False when memory ran out.
RP_NODISCARD bool rpFindWalkFloor(const rpPassage* passages, int passageCount, const rpGraph* graph, rpWalkFloor* out,
								  rpError* error);

/// By how much a passage is above the floor at a moment of its clip, metres: what its feet have when they rest, and
/// between that something in between.
float rpWalkFloor_GetRise(const rpWalkFloor* floor, const rpPassage* passage, const rpMotion* motion, double seconds);

/// The height that a contact of a passage's clip has in the walk.
float rpWalkFloor_GetSupport(const rpWalkFloor* floor, const rpPassage* passage, const rpMotion* motion,
							 const rpInterval* contact);
