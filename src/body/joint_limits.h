/// How far human joints go.
#pragma once

#include "reprise/play/skeleton.h"

/// What has limits.
typedef enum rpJointLimit
{
	rp_limitLeftKnee,
	rp_limitRightKnee,
	rp_limitLeftElbow,
	rp_limitRightElbow,
	rp_limitSpine,
	rp_limitNeck,
	rp_limitLeftThigh,
	rp_limitRightThigh,
	rp_limitCount,
} rpJointLimit;

/// What a person would call it, "left knee".
const char* rpJointLimit_GetName(rpJointLimit limit);

/// The limits of a skeleton's joints. Borrows the skeleton.
typedef struct rpJointLimits
{
	const rpSkeleton* skeleton;

	/// How joints that are turned against each other are turned in the rest pose, in the world.
	rpQuat pelvis, chest, head;
} rpJointLimits;

/// False when memory ran out.
RP_NODISCARD bool rpJointLimits_Open(rpJointLimits* limits, const rpSkeleton* skeleton, rpError* error);

/// How far a joint of a pose in the world goes beyond its limits, degrees, 0 for none. 0 where the skeleton lacks it.
double rpJointLimits_GetExcess(const rpJointLimits* limits, const rpTransform* pose, rpJointLimit limit);

/// The joint that goes furthest beyond its limits, and how far, degrees; what may be NULL.
double rpJointLimits_GetWorst(const rpJointLimits* limits, const rpTransform* pose, rpJointLimit* what);
