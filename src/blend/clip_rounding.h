/// A clip's frames as whole numbers: the first half of packing it (clip_packer.h).
#pragma once

#include "blend/clip.h"

/// How coarse numbers may be.
typedef struct rpCoarseness
{
	/// How far the rounding of a joint may move the next ones, metres, and the largest step of a rotation's numbers.
	float travel, step;
} rpCoarseness;

/// Free with rpRounding_Free. Zero-initialised is empty.
typedef struct rpRounding
{
	const rpClip* clip;
	int jointCount;

	/// [jointCount]
	float* steps;

	/// [frameCount * jointCount], and rp_packedSlots of each: multiples of the joint's step.
	int32_t* numbers;

	/// [frameCount * jointCount], as rpPackedJoint.left. The same until the next cut.
	uint8_t* lefts;

	/// [frameCount], whether a block must begin there.
	bool* cuts;

	/// [jointCount], whether it never turns, and how far the nearest joints that turn are, metres.
	bool* areStill;
	float* bones;

	/// [jointCount], scratch.
	rpQuat *exact, *rounded;
} rpRounding;

/// Look at the clip, whose frames are floats: what is left out of its rotations, which joints turn.
RP_NODISCARD bool rpRounding_Create(rpRounding* rounding, const rpClip* clip, rpError* error);
void rpRounding_Free(rpRounding* rounding);

/// Round all rotations. Each joint makes up for what its parents' rounding did to it, so that errors do not add up to
/// more along a limb than those of its bones' ends.
void rpRounding_Round(rpRounding* rounding, const rpCoarseness* coarseness);
