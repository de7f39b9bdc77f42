/// Removing models of a kind from a library: the commands space remove and pgraph remove.
#pragma once

#include "run.h"

/// Remove those named by --name, or the one of the name of its kind, all or none; report it. The noun is what such a
/// model is called: "parametric graph". False: reported.
bool cliRemoveModels(cliRun* run, const char* kind, const char* noun);
