/// Parametric spaces and graphs of them for the demonstration, of what the performer does for it, and motions of them.
#pragma once

#include "run.h"

/// Two steps of walks, by how far they turn and how fast they are. NULL: error says why; free with rpDestroySpace.
rpSpace* cliMakeStrides(rpError* error);

/// Punches by where the fist hits: to the left, height, ahead. NULL: error says why; free with rpDestroySpace.
rpSpace* cliMakePunches(rpError* error);

/// A parametric graph of who boxes: punches by where they hit, ducks by how deep, small hops by how far they turn. And
/// of who walks and runs, by how far he turns. NULL: error says why; free with rpDestroyParametricGraph.
rpParametricGraph* cliMakeBoxer(rpError* error);
rpParametricGraph* cliMakeStrider(rpError* error);

/// Strides of the one and punches of the other, each by other parameters than the one before. NULL: reported.
rpMotion* cliWindStrides(cliRun* run);
rpMotion* cliPunchAround(cliRun* run);
