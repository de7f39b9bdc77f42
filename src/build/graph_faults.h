/// Stretches of clips that are broken: lost markers bend joints further than any human's, or push feet into the ground.
#pragma once

#include "build/graph_draft.h"

/// Find the frames that a graph leaves out, unless they are to be kept, and report them: fills isLeftOut and rooms, and
/// takes the labels off such frames. Each clip is looked at by itself. False when memory ran out.
bool rpExamples_FindFaults(rpExamples* examples, bool keep, rpGraphReport* report, rpError* error);
