/// Libraries that a command makes as a whole: perform repertoire, demo.
#pragma once

#include "run.h"

/// Puts clips into a new library. False when it failed.
typedef bool cliFillFn(rpLibrary* library, void* context, rpError* error);

/// Make a library beside its path and put it there once it is whole, in place of what was there. False: reported, and
/// the path holds what it held.
bool cliMakeLibrary(cliRun* run, const char* path, cliFillFn* fill, void* context);

/// Whether nothing lies at a path that --force alone may replace. False: reported.
bool cliCheckNew(cliRun* run, const char* path);
