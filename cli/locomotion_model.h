/// A model of locomotion of a library, as the locomotion commands name it.
#pragma once

#include "run.h"

/// The name after --name or --model, "locomotion" if not given.
const char* cliGetLocomotionName(const cliRun* run);

/// Load the model of the library that is the first argument. NULL: reported, with what models there are.
rpLocomotion* cliLoadLocomotion(cliRun* run);

/// Kinds of movement with their numbers, ranges and successors.
json_t* cliMakeMovementKinds(const rpLocomotion* model);
void cliPrintMovementKinds(cliRun* run, const rpLocomotion* model);

/// The rules of turns, by gait.
json_t* cliMakeTurnRules(const rpLocomotion* model);
