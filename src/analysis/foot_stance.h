/// How long a foot as a whole is down.
#pragma once

#include "analysis/rest_stretch.h"

/// Points of a foot this much higher than where it rests are not low, metres.
#define RP_LOW_FOOT 0.04f

/// Lengthen what rests at the ends of stances in which the foot is down though its heel and ball are not at rest: a
/// heel that strikes slides at first, and a foot leaves the floor with its toes. Toes get rests of their own there.
/// rests must be in order of point and time, and is not afterwards. False, with an error, when memory ran out.
RP_NODISCARD bool rpGrowStances(const rpFeet* feet, double shortest, rpRestStretches* rests, rpError* error);

/// Where a stance was missed.
typedef struct rpMissedStance
{
	/// 0 left, 1 right; between these times, seconds.
	int side;
	double from, to;

	/// How much higher than where the foot rests elsewhere its points may be, metres.
	float low;

	/// It stands all that time: something must, and speeds are to say only whether it is this foot.
	bool isWhole;

	/// It may slide or turn on the spot as fast as it likes, and stands for as long as it is low.
	bool isFast;
} rpMissedStance;

/// Add the stance of a foot that was missed between two times, if there is one: the longest stretch in which it is low
/// and slower than a foot that swings; *added says how it went. False, with an error, when memory ran out.
RP_NODISCARD bool rpAddStance(const rpFeet* feet, const rpMissedStance* missed, double shortest, rpRestStretches* rests,
							  bool* added, rpError* error);

/// How far a foot may stand beyond the end of one of its rests, or with `until` before it, beyond its start: up to that
/// time at most, seconds, while it is low and slower than a foot that swings.
double rpReachStance(const rpFeet* feet, const rpRestStretch* rest, double until);

/// Whether a foot may bear the body in a frame: it is low, by its nearest rest, and slower than a foot that swings.
/// False for a foot that never rests.
bool rpCanBear(const rpFeet* feet, const rpRestStretches* rests, int side, int frame);

/// The height of the nearest rest of a foot's ball, or else heel, metres; 0 if there is none.
float rpGetStanceHeight(const rpRestStretches* rests, int side, double seconds);
