/// Annotations through a transition.
#pragma once

#include "blend/transition_plan.h"

/// Fill the annotations of out, whose frames are the transition's. False: a curve is of one kind in a and of another in
/// b, or memory ran out.
RP_NODISCARD bool rpMakeTransitionNotes(const rpTransitionPlan* plan, rpMotion* out, rpError* error);
