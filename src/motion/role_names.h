/// Reading what a joint's name says: which side, which part of the body, or that it is only a helper.
#pragma once

#include "reprise/play/skeleton.h"

/// Parts of a body without their side, in the order of the roles.
typedef enum rpBodyPart
{
	rp_partPelvis,
	rp_partSpine,
	rp_partChest,
	rp_partNeck,
	rp_partHead,
	rp_partClavicle,
	rp_partShoulder,
	rp_partElbow,
	rp_partWrist,
	rp_partHip,
	rp_partKnee,
	rp_partAnkle,
	rp_partBall,
	rp_partCount,
} rpBodyPart;

/// The role of a part; side is 1 for left, -1 for right (0 for parts of the midline).
rpRole rpBodyPart_GetRole(rpBodyPart part, int side);

/// The part and the side of a role that is not rp_roleNone.
rpBodyPart rpRole_GetPart(rpRole role, int* side);

/// What a name says.
typedef struct rpNameReading
{
	/// 1 left, -1 right, 0 not said.
	int side;

	/// A twist bone, an IK target, a face bone, the end of a chain: never has a role.
	bool helper;

	/// A finger; and which, if it is the thumb or the middle one.
	bool digit;
	bool thumb;
	bool middle;

	/// Whether it names any part at all.
	bool known;

	/// How strongly it speaks for each part, 0 to about 3. One name may speak for two: "LeftShoulder" is a collar bone
	/// in some files and a shoulder in others.
	float votes[rp_partCount];

	/// A hash of the name without its side, equal for counterparts ("LeftFoot", "RightFoot").
	uint64_t key;
} rpNameReading;

rpNameReading rpReadJointName(const char* name);
