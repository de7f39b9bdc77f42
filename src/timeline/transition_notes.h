/// Annotations through a transition.
#pragma once

#include "timeline/transition_plan.h"

/// Add all annotations but contacts to out, whose frames are the transition's. False: a curve is of one kind in a and
/// of another in b, or memory ran out.
RP_NODISCARD bool rpMakeTransitionNotes(const rpTransitionPlan* plan, rpMotion* out, rpError* error);
