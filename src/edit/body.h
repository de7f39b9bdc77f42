/// Giving a motion another skeleton.
#pragma once

#include "reprise/edit.h"

/// Replace the skeleton of a motion by one whose joints and end sites are changed by these functions. Roles and names
/// stay. On failure the motion is as it was.
RP_NODISCARD bool rpChangeBody(rpMotion* motion, rpJoint (*changeJoint)(rpJoint joint, const void* context),
							   rpVec3 (*changeEnd)(rpVec3 offset, const void* context), const void* context,
							   rpError* error);
