/// The import doctor: what is wrong with a clip, and its repair.
#pragma once

#include "file/reader.h"

/// Examine a reading, say what is found, mend it. Takes the reading's motion and returns it, or another in its place,
/// in metres and Y-up; NULL when memory ran out (the reading's motion is freed then too).
RP_NODISCARD rpMotion* rpTreatMotion(rpReading reading, const rpReadDef* def, rpFindings* findings, rpError* error);
