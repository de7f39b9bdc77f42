/// Where a point of the body is at a time, for features: no other joint is looked at than those between it and the
/// root.
#pragma once

#include "reprise/feature.h"

/// In the world, metres, at a frame and at any time (by the cubic through the four frames around it, so that the rate
/// hardly matters), clamped to the motion.
rpVec3 rpGetPointAt(const rpMotion* motion, rpAttachment point, int frame);
rpVec3 rpGetPoint(const rpMotion* motion, rpAttachment point, double seconds);

/// The root's place and heading at a time, in the same way; and a point as seen from them: x to the left, z ahead, y as
/// it is.
rpGroundTransform rpGetRootGround(const rpMotion* motion, double seconds);
rpVec3 rpSeeFrom(rpGroundTransform ground, rpVec3 point);

/// How far the root's heading turns from one time to a later one, frame by frame, so that it goes on beyond half turns.
double rpGetRootTurn(const rpMotion* motion, double start, double end);
