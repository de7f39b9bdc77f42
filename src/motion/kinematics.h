/// Many rotations at once.
#pragma once

#include "reprise/play/math.h"

/// out[i] = rpSlerp(a[i], b[i], t), to the bit; all are [count]. out may be a or b.
void rpSlerpMany(const rpQuat* a, const rpQuat* b, float t, int count, rpQuat* out);
