/// The times of a graph's reach: from label to label, and from choice to choice.
#pragma once

#include "reprise/reach.h"

/// Fill labelCount, switchTimes, switchShares and the times without choice.
RP_NODISCARD bool rpFindReachTimes(const rpGraph* graph, rpReach* reach, rpError* error);
