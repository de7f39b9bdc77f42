/// Clips and labels of a motion graph as the command line names them.
#pragma once

#include "run.h"

/// Index of a clip of the graph, -1 if it has none of that name.
int cliFindGraphClip(const rpGraph* graph, const char* name);

/// A name as a label's bit, or as a clip's index, -1: a label. False: reported.
bool cliFindGraphName(cliRun* run, const rpGraph* graph, const char* name, uint64_t* labels, int* clip);

/// A label's bit. False: reported.
bool cliFindGraphLabel(cliRun* run, const rpGraph* graph, const char* name, uint64_t* labels);

/// Whether a node is of a clip, or, clip -1, whether motion with one of these labels goes on from it.
bool cliIsGraphNodeOf(const rpGraph* graph, int node, uint64_t labels, int clip);
