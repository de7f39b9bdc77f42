/// A boxer's guard, the left foot ahead: the one stance that all acts in the guard begin and end in.
///
/// Its frame lies under the centre of mass and faces the opponent.
#pragma once

#include "performer/score.h"

/// How high the centre of mass is in the guard, metres.
#define GUARD_HEIGHT 0.952

/// Stand in the guard at the origin facing +Z, hardly moving. Fills the whole plan, feet from the stances.
void rpPerformance_PlanGuard(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// Append a stance of the guard in a frame. Change what is returned.
rpStance* rpScore_AddGuardStance(rpScore* score, const rpPerformance* performance, int side, double strike, double off,
								 rpFrame at);
