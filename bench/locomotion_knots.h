/// How smooth the knots of on-line locomotion are, beside a cross-fade's.
#pragma once

#include "bench.h"
#include "reprise/reprise.h"

/// Walk and run on a bundle's model, each knot stitched and cross-faded; beside them the same moments of its takes, the
/// first ones of the model.
bool benchLocomotionKnots(const rpBundle* bundle, rpMotion* const* takes, int takeCount, BenchReport* report,
						  rpError* error);
