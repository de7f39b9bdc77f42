/// What `info` and `library show` report about a clip.
#pragma once

#include "clip.h"

/// As JSON, with the skeleton if asked for.
json_t* cliMakeDescription(const cliClip* clip, bool withJoints);

/// For people.
void cliPrintDescription(const cliClip* clip, bool withJoints);
