/// The metric that --metric names: cloud, angle, lee, wang, even, or one that was fitted and is kept in a library.
#pragma once

#include "run.h"

/// Zero-initialised is none; cliFreeMetric frees what it owns. def points into it: do not copy it.
typedef struct cliMetric
{
	/// As it is reported: "cloud", "angle", or its name.
	char* name;
	rpMetricDef def;
	float* jointWeights;

	/// Of a metric that was fitted: the same terms with even weights. evenWeights is NULL for Reprise's own.
	rpMetricDef evenDef;
	float* evenWeights;
} cliMetric;

/// Whether Reprise brings a metric of this name along: --metric NAME means that one then.
bool cliIsOwnMetric(const char* name);

/// The metric of a name (NULL: cloud) for a skeleton. A name that is none of Reprise's own is looked for in the library
/// that is open, or in LIB.reprise of LIB.reprise#NAME. False: reported, and nothing to free.
bool cliFindMetric(cliRun* run, const char* name, const rpSkeleton* skeleton, cliMetric* out);
void cliFreeMetric(cliMetric* metric);
