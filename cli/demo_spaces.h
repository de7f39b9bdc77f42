/// Parametric spaces for the demonstration, of what the performer does for it, and motions of them.
#pragma once

#include "run.h"

/// Two steps of walks, by how far they turn and how fast they are. NULL: error says why; free with rpDestroySpace.
rpSpace* cliMakeStrides(rpError* error);

/// Punches by where the fist hits: to the left, height, ahead. NULL: error says why; free with rpDestroySpace.
rpSpace* cliMakePunches(rpError* error);

/// Strides of the one and punches of the other, each by other parameters than the one before. NULL: reported.
rpMotion* cliWindStrides(cliRun* run);
rpMotion* cliPunchAround(cliRun* run);
