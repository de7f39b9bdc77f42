/// Feet and the floor: where soles are in a pose, and feet that are lifted out of the floor.
#pragma once

#include "blend/foot_lock_rig.h"
#include "model/clip_chunks.h"

enum
{
	/// Heel, ball and toe.
	rp_floorPointCount = 3,
};

/// The legs of a body, and how low their points come in the clips. Const once made.
typedef struct rpFootFloor
{
	/// False for bodies without legs, whose feet are left as they are.
	bool hasLegs;
	rpFootRig rig;

	/// joint is -1 where a foot has no such point.
	rpAttachment points[rp_legCount][rp_floorPointCount];

	/// Above the floor, metres, but for outliers; below 0 where captured feet sink in.
	float lows[rp_legCount][rp_floorPointCount];
} rpFootFloor;

/// The effectors that the points are.
extern const rpEffector rpFloorEffectors[rp_legCount][rp_floorPointCount];

/// Look through all frames of the clips, whose roots are told from the floor. world is scratch, [jointCount].
void rpFootFloor_Init(rpFootFloor* floor, const rpClipSet* clips, rpTransform* world);

/// The points of both feet in a pose; those that are not there are left alone. world is scratch, [jointCount], and
/// holds the joints that lead to the feet afterwards.
void rpFootFloor_FindPoints(const rpFootFloor* floor, const rpPose* pose, rpTransform* world,
							rpVec3 out[rp_legCount][rp_floorPointCount]);

/// Bend legs so that no point is lower above a floor at this height than any was in the clips. Feet of which something
/// rests (bits 1u << rpEffector) are left as they are.
void rpFootFloor_Lift(const rpFootFloor* floor, float height, unsigned resting, rpTransform* world, rpPose* pose);
