/// The floor under a take: where its feet rested, the plane through these places, and the motion put on it.
///
/// Takes of one session stood on one floor and share its tilt; each has its own height, since captures are shifted one
/// by one. A take alone is a session of one.
#pragma once

#include "reprise/play/findings.h"
#include "reprise/play/motion.h"

/// Where soles rested, in the order of time: one place for each stretch of rest of a foot. Zero-initialised is empty.
typedef struct rpFloorPlaces
{
	/// Owned. Metres; the lower of heel and ball, less the thickness of the sole: the middle of the stretch, at the
	/// height of its lowest quarter.
	rpVec3* items;
	int count, capacity;
} rpFloorPlaces;

/// A floor as its places show it.
typedef struct rpFloor
{
	/// How much it rises in metres for each metre along +X and +Z; 0 where the places do not show it, or too little to
	/// matter.
	double slopeX, slopeZ;

	/// How high it is at the origin, metres: the median over the places of the level that people call the floor, the
	/// lowest on which a good part of the places lies. 0 where it is too little to matter.
	double height;

	/// Whether it tilts by more than a floor does; then it is not to be levelled.
	bool isSteep;
} rpFloor;

/// Find where the feet rest in rows first … last. None for a body without feet. False when memory ran out; out is to be
/// freed in any case.
RP_NODISCARD bool rpFindFloorPlaces(const rpMotion* motion, int first, int last, rpFloorPlaces* out, rpError* error);
void rpFloorPlaces_Free(rpFloorPlaces* places);

/// Fit the floors of a session's takes: one tilt, a height each. floors is [takeCount]. False when memory ran out.
RP_NODISCARD bool rpFitFloors(const rpFloorPlaces* takes, int takeCount, rpFloor* floors, rpError* error);

/// Whether anything is to be done about a floor.
bool rpFloor_IsUneven(const rpFloor* floor);

/// Tilt in metres per metre.
double rpFloor_GetTilt(const rpFloor* floor);

/// Add what is to be said about an uneven floor, without what is done about it. NULL where memory ran out.
rpFinding* rpFloor_Report(const rpFloor* floor, rpFindings* findings);

/// Put rows first … last on the floor: shift them until it meets the origin, then turn them about it until the floor is
/// level.
void rpLevelRows(rpMotion* motion, int first, int last, const rpFloor* floor);
