/// What is reported about a fitted metric.
#pragma once

#include "run.h"

/// Its terms and figures.
json_t* cliMakeFit(const char* name, const rpMetricFit* fit);
void cliPrintFit(cliRun* run, const char* name, const rpMetricFit* fit);
