/// The frames of a transition.
#pragma once

#include "blend/transition_plan.h"

/// Fill all frames of out, which has plan->frameCount of them, and translations where a or b has them. False: memory
/// ran out.
RP_NODISCARD bool rpMakeTransitionFrames(const rpTransitionPlan* plan, rpMotion* out, rpError* error);
