/// Floors that tests tilt, and bodies that stand on them.
#pragma once

#include "file/glb_body.h"
#include "reprise/play/motion.h"

/// As cameras that stand askew would have it: everything turned about a horizontal axis, so that the floor rises by
/// these slopes along x and z, then lifted, metres.
void testTilt(rpMotion* motion, float slopeX, float slopeZ, float height);

/// The lowest corner of a body in a pose, metres; rest and pose are [jointCount].
float testGetLowestCorner(const rpBodyMesh* body, const rpTransform* rest, const rpTransform* pose);
