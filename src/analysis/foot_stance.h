/// How long a foot as a whole is down.
#pragma once

#include "analysis/rest_stretch.h"

/// Lengthen what rests at the ends of stances in which the foot is down though its heel and ball are not at rest: a
/// heel that strikes slides at first, and a foot leaves the floor with its toes. Toes get rests of their own there.
/// rests must be in order of point and time, and is not afterwards. False, with an error, when memory ran out.
RP_NODISCARD bool rpGrowStances(const rpFeet* feet, double shortest, rpRestStretches* rests, rpError* error);

/// Add the stance of a foot that was missed between two times, if there is one: the longest stretch in which it is low
/// and slower than a foot that swings; *added says how it went. False, with an error, when memory ran out.
RP_NODISCARD bool rpAddStance(const rpFeet* feet, int side, double from, double to, double shortest,
							  rpRestStretches* rests, bool* added, rpError* error);
