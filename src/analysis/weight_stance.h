/// Stances that only the weight tells of.
#pragma once

#include "analysis/holds.h"
#include "analysis/rest_stretch.h"

/// Add stances of feet that are not seen to rest, but without which the body would fall over: the other foot rests,
/// what the body presses on is outside of it, and within both. They are noted as those of toes, which may slide. False,
/// with an error, when memory ran out.
RP_NODISCARD bool rpAddBearingStances(const rpFeet* feet, const rpBearing* bearing, const rpHolds* holds,
									  rpRestStretches* rests, rpError* error);
