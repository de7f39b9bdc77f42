/// Guessing what joints are, and where a body touches the world. Called by rpCreateSkeleton.
#pragma once

#include "reprise/play/skeleton.h"

/// Fill in the roles of joints that have none, from names and geometry. rest is the rest pose, [jointCount].
/// A role that a joint was given is left alone, and is not given to another.
void rpGuessRoles(rpJoint* joints, int jointCount, const rpEndSite* ends, int endCount, const rpTransform* rest);

/// Find each joint's counterpart on the other side, from roles, names and geometry: fills joints[].mirror.
void rpPairJoints(rpJoint* joints, int jointCount, const rpTransform* rest);

/// Place the effectors on a skeleton whose roles are known: real joints where there are any, virtual points by human
/// proportions where not.
void rpPlaceEffectors(rpSkeleton* skeleton, const rpTransform* rest);
