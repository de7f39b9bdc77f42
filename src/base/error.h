/// Filling an rpError.
#pragma once

#include "reprise/base.h"

/// Fill error (unless NULL) and return false, so that `return rpFail(error, …)` ends a function.
bool rpFail(rpError* error, rpErrorCode code, const char* format, ...) RP_PRINTF(3, 4);

/// The same, with the place in the text.
bool rpFailAt(rpError* error, rpErrorCode code, int line, int column, const char* format, ...) RP_PRINTF(5, 6);

/// Say what to do about it.
void rpError_SetHint(rpError* error, const char* format, ...) RP_PRINTF(2, 3);

/// Name the file at fault, unless one is named already.
void rpError_SetFile(rpError* error, const char* file);
