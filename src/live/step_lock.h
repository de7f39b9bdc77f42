/// Foot lock without look-ahead, for players that cannot wait: a foot that comes to rest stays where it is at that
/// moment, and what it was held back by is led to nothing once it leaves.
#pragma once

#include "live/foot_floor.h"

/// What is known of a foot.
typedef struct rpStepFoot
{
	/// Whether heel and ball rest, and where: in the world, metres.
	bool isResting[rp_solePointCount];
	rpVec3 anchors[rp_solePointCount];

	/// By what the ankle was moved and turned in the last frame: metres, and the axis by the tangent of half the angle.
	rpVec3 shift, turn;

	/// What of that is left when nothing rests: what it was then, and seconds since.
	rpVec3 freedShift;
	float freed;
} rpStepFoot;

/// Both feet. Zero-initialised: nothing rests, nothing is held back.
typedef struct rpStepLock
{
	rpStepFoot feet[rp_legCount];

	/// How far the root is lowered so that legs reach, metres.
	float drop;

	/// How fast the body is drawn along by feet that are held back, m/s over the floor.
	rpVec3 pull;
} rpStepLock;

/// Lock the feet of the next pose, seconds after the last one, in which these (bits 1u << rpEffector) rest. world is
/// scratch, [jointCount].
void rpStepLock_Step(rpStepLock* lock, const rpFootFloor* floor, float seconds, unsigned contacts, rpTransform* world,
					 rpPose* pose);
