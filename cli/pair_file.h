/// A time warp as a table: lines "new,old", seconds.
#pragma once

#include "run.h"

/// Read one; its arrays are freed with cliFreeWarp. The file is noted as an input. False: reported.
bool cliReadWarp(cliRun* run, const char* path, rpWarp* out);
void cliFreeWarp(rpWarp* warp);
