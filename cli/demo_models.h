/// New motion for the demonstration: what models make of performances.
#pragma once

#include "run.h"

/// A motion graph of walks, led along a figure of eight. NULL: reported.
rpMotion* cliWalkAlongEight(cliRun* run);

/// A motion graph of straight walks alone, bent into a circle. NULL: reported.
rpMotion* cliWalkInCircle(cliRun* run);

/// A model of locomotion that stands, walks, turns and runs as asked. NULL: reported.
rpMotion* cliPlayUnderStick(cliRun* run);
