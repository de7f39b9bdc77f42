/// What became of the motions of a parametric graph that was played.
#pragma once

#include "play_run.h"

/// A node of a graph that is played, its parameters alone, for texts and JSON.
rpSpace cliGetNodeParameters(const rpPlayer* player, int node);

/// Report what play wrote to output: each motion with what was asked of it, what it could be and what it is, and all of
/// them together. isAsked: anything was asked for, so that it matters what was not to be had. False: reported.
bool cliReportPgraph(cliRun* run, const cliPlay* play, bool isAsked, const char* output);
