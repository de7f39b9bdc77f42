/// How evenly half cycles follow each other.
#pragma once

#include "reprise/movements.h"

/// Move half cycles that are out of phase with those of their gait to the dropped ones, and note how many they were and
/// how uneven those are that stay. droppedCapacity is that of movements->dropped. False when memory ran out.
RP_NODISCARD bool rpSettleRhythm(rpMovements* movements, int* droppedCapacity, rpError* error);
