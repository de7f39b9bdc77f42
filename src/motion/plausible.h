/// What numbers of captured motion can be. Beyond that they are damage, however finite.
#pragma once

#include "reprise/play/motion.h"

/// The farthest a place may be from the origin, and the longest a bone may be, metres: a float tells 8 mm apart there,
/// and products of six such numbers do not overflow. Bodies that were kept in the millimetres of their file are within.
#define RP_FARTHEST 1e5f

/// The most frames per second of a clip in a model, and the fewest: one of fewer shows no motion.
#define RP_FASTEST_RATE 1e6
#define RP_SLOWEST_RATE 1.0

/// Whether a number is between -limit and limit; not a number never is.
static inline bool rpIsWithin(float value, float limit)
{
	return value >= -limit && value <= limit;
}

static inline bool rpIsPlace(rpVec3 p)
{
	return rpIsWithin(p.x, RP_FARTHEST) && rpIsWithin(p.y, RP_FARTHEST) && rpIsWithin(p.z, RP_FARTHEST);
}

/// Whether a transform can take one clip onto another: both may be as far away as they like, on opposite sides.
static inline bool rpIsAlignment(rpGroundTransform ground)
{
	return rpIsWithin(ground.turn, 10.0f) && rpIsWithin(ground.shift.x, 2.0f * RP_FARTHEST) &&
		   rpIsWithin(ground.shift.y, 2.0f * RP_FARTHEST) && rpIsWithin(ground.shift.z, 2.0f * RP_FARTHEST);
}

static inline bool rpIsRate(double fps)
{
	return fps >= RP_SLOWEST_RATE && fps <= RP_FASTEST_RATE;
}
