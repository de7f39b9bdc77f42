/// Feet for the demonstration: a walk as a bad capture would have it, and the same cleaned.
#pragma once

#include "run.h"

/// A walk whose whole body sways by centimetres, as markers that drift make it; without contacts. NULL: reported.
rpMotion* cliSlideFeet(cliRun* run);

/// The same, its contacts found and its feet locked. NULL: reported.
rpMotion* cliCleanFeet(cliRun* run);

/// What the judge says of a motion's feet, a sentence of HTML; empty for one that has no stances. Free it.
char* cliJudgeFeet(const rpMotion* motion);
