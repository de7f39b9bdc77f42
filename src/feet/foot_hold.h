/// Feet between two frames of a player: what rests in both stays where it is. Joints that are interpolated one by one
/// would move it, by millimetres at 60 frames a second.
#pragma once

#include "feet/leg_rig.h"

/// Bend the legs of a pose that lies the share t of the distance from pose a to pose b, for feet of which something
/// rests in both (bits 1u << rpEffector of heels, balls and toes). At t = 0 and 1 nothing is changed. world is scratch,
/// [3 * jointCount].
void rpHoldFeet(const rpFootRig* rig, const rpPose* a, const rpPose* b, float t, unsigned resting, rpTransform* world,
				rpPose* pose);
