/// A body as capsules, to see whether its limbs pass through it.
#pragma once

#include "reprise/play/motion.h"

/// A round limb from a joint to a point that moves with it or with another one.
typedef struct rpCapsule
{
	const char* name;
	int joint;
	rpAttachment end;

	/// Metres.
	float radius;
} rpCapsule;

enum
{
	rp_maxCapsules = 16,
	rp_maxCapsulePairs = 48,
};

/// The limbs of a skeleton, and which of them must not meet. A plain value.
typedef struct rpCapsules
{
	rpCapsule items[rp_maxCapsules];
	int count;

	/// Indices of items.
	int pairs[rp_maxCapsulePairs][2];
	int pairCount;
} rpCapsules;

/// Limbs that the roles identify, as thick as a slim person's for the skeleton's height. Limbs that hang together, or
/// often touch, are no pair. False if no pair is left.
bool rpMakeCapsules(const rpSkeleton* skeleton, rpCapsules* out);

/// How deep two limbs of a pose ([jointCount], world) are in each other, metres; negative: their distance.
float rpCapsules_GetDepth(const rpCapsules* capsules, const rpTransform* pose, int pair);

/// The distance of two line segments, metres.
float rpGetSegmentDistance(rpVec3 a0, rpVec3 a1, rpVec3 b0, rpVec3 b1);
