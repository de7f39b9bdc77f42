/// Filling an rpError (reprise/play/extend.h).
#pragma once

#include "reprise/play/extend.h"

/// Name the file at fault, unless one is named already.
void rpError_SetFile(rpError* error, const char* file);
