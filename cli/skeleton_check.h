/// Whether two clips can be compared, aligned or blended.
#pragma once

#include "clip.h"

/// Both clips need one skeleton. False: reported, with what to do.
bool cliCheckSkeletons(cliRun* run, const cliClip* a, const cliClip* b);

/// Clips that are farther apart than this where they are joined, metres, are joined badly: graphs of people's motion
/// join what is about half as far apart at most.
#define CLI_FAR_APART 0.2
