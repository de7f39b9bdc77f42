/// A take as bytes: what it reports to its session, and what was decided about it.
#pragma once

#include "base/memory.h"
#include "doctor/take.h"

/// Append a take and its treatment to bytes that are empty.
RP_NODISCARD bool rpEncodeTake(const rpTake* take, const rpTreatment* treatment, rpText* out, rpError* error);

/// The reverse. False for bytes that are none of ours, or when memory ran out; take is to be freed in any case. The
/// treatment's rate is not part of it: the clip has it.
RP_NODISCARD bool rpDecodeTake(const void* bytes, size_t size, rpTake* take, rpTreatment* treatment, rpError* error);
