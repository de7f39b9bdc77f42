/// A leg of a pose, bent so that its ankle comes somewhere.
#pragma once

#include "blend/foot_lock_rig.h"

/// Bend a leg whose hip was shifted by rootShift so that the ankle comes to its goal, as rpLeg_Solve does, and put the
/// rotations into the pose, each in the hemisphere of the one before. world is the chain before the shift.
void rpBendLeg(const rpFootRig* rig, int side, const rpTransform* world, rpVec3 rootShift, rpTransform ankle,
			   rpPose* pose);
