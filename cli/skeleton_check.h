/// Whether two clips can be compared, aligned or blended.
#pragma once

#include "clip.h"

/// Both clips need one skeleton. False: reported, with what to do.
bool cliCheckSkeletons(cliRun* run, const cliClip* a, const cliClip* b);
