/// The stands of takes as players use them: where each is quiet, and where its joints are.
#pragma once

#include "reprise/play/locomotion_model.h"

/// The quiet part of a stand (chunk LSTD): seconds in its take, and how restless and unusual it is, metres.
typedef struct rpStand
{
	double from, to;
	float cost;
	int32_t reserved;
} rpStand;

/// Somebody who stands sways once in this time, seconds: of a stand the quietest stretch of this length counts, and no
/// stretch that is repeated to and fro is gone through faster.
#define RP_SWAY_SECONDS 1.0

struct rpGaitModel;

/// Joints of a pose beside the root's place on the floor, facing ahead. world is scratch; both are [jointCount].
void rpPlaceJoints(const rpSkeleton* skeleton, const rpPose* pose, rpTransform* world, rpVec3* out);

/// How far joints are apart, metres, root mean square.
float rpGetJointDistance(const rpVec3* a, const rpVec3* b, int count);

/// Find the quiet parts of a model's stands, in the order of their node, and joints where each stand begins and where
/// its quiet part does, [stands][2][jointCount]. The model's clips, movements and rates must have been read.
RP_NODISCARD bool rpFindStands(const struct rpGaitModel* model, rpStand* stands, rpVec3* joints, rpError* error);
