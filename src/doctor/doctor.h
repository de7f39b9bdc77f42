/// The import doctor: what is wrong with a clip, and its repair.
#pragma once

#include "doctor/take.h"
#include "file/reader.h"

/// Examine a reading, say what is found, mend it. Takes the reading's motion and returns it, or another in its place,
/// in metres and Y-up; NULL when memory ran out (the reading's motion is freed then too).
RP_NODISCARD rpMotion* rpTreatMotion(rpReading reading, const rpReadDef* def, rpFindings* findings, rpError* error);

/// The same for a take of a session: take is filled with what it shows, to be freed also on failure. What is open to
/// the session's decision is said, but not done: the floor is left where it is, while the rate is what the take alone
/// shows.
RP_NODISCARD rpMotion* rpTreatTake(rpReading reading, const rpReadDef* def, rpTake* take, rpFindings* findings,
								   rpError* error);

/// rpLoadMotion for a take of a session. A file with a sidecar says nothing: it was decided about when it was written.
RP_NODISCARD rpMotion* rpLoadTake(const char* path, const rpReadDef* def, rpTake* take, rpFindings* findings,
								  rpError* error);
