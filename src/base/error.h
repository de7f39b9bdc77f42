/// Filling an rpError (reprise/extend.h).
#pragma once

#include "reprise/extend.h"

/// Name the file at fault, unless one is named already.
void rpError_SetFile(rpError* error, const char* file);
