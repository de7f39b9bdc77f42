/// The steps of building a model of locomotion.
#pragma once

#include "model/locomotion_chunks.h"
#include "reprise/locomotion_build.h"

/// The mirror image of a take, with "~" behind its name. NULL when memory ran out; free with rpDestroyMotion.
RP_NODISCARD rpMotion* rpMirrorTake(const rpMotion* take, rpError* error);

/// Fit the rule of eq. 14 to a gait: consecutive half cycles of either foot, by least squares. movements are in the
/// order of the takes. Where turn or speed hardly vary their share is 0.
rpTurnRule rpFitTurnRule(const rpMovement* movements, int count, rpGait gait);

/// Add all chunks of an rpLocomotion that a player needs: movements, takes apart from their paths, stands.
RP_NODISCARD bool rpAddLocomotionBundle(const void* model, rpBundleWriter* writer, rpError* error);
