/// Clips of a library that a metric is fitted to or tried on.
#pragma once

#include "run.h"

/// Motions in the order of their names. Zero-initialised is empty; cliFreeMetricClips frees it.
typedef struct cliMetricClips
{
	rpMotion** motions;
	int count;
} cliMetricClips;

/// Load clips by name, or all clips of the library (names NULL), with contacts; they must be of one skeleton. False:
/// reported.
bool cliLoadMetricClips(cliRun* run, const rpLibrary* library, const char* const* names, int count,
						cliMetricClips* out);
void cliFreeMetricClips(cliMetricClips* clips);
