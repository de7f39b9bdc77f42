/// What the laws of motion add to what an act plans: in flight the pelvis turns so that the angular momentum stays the
/// same.
#pragma once

#include "performer/stage.h"

/// Seconds between moments.
#define LAWS_STEP (1.0 / 120.0)

/// The same for the shifts of the centre of mass.
#define BALANCE_STEP (1.0 / 60.0)

/// Seconds before the performance, and after it, that are looked at, too: what comes then is prepared before.
#define LAWS_BEYOND 1.0

/// Lay out what the laws add to a performance that is otherwise laid out, but for one that consists of others.
bool rpPerformance_KeepLaws(rpPerformance* performance, rpError* error);

/// Add it to a plan at t.
void rpPerformance_AddLaws(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// The time of a moment.
double rpLaws_GetTime(int moment);

// ---- between the files

/// Where the joints of a settled plan are. Its pelvis is looked for at *offset from the centre of mass, and is there
/// then: from moment to moment it hardly changes. Zero at first.
void rpLaws_Pose(const rpPerformance* performance, const rpBodyPlan* plan, rpVec3* offset, rpTransform* world);

/// Find laws.turns: in and around flights; called again, it goes on from those that are there.
bool rpPerformance_KeepMomentum(rpPerformance* performance, rpError* error);

/// Find laws.shifts; called again, it goes on from those that are there.
bool rpPerformance_KeepBalance(rpPerformance* performance, rpError* error);
