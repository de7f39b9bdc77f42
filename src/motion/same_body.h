/// Whether two motions are of one body, and if not, what to do about it.
#pragma once

#include "reprise/play/motion.h"

/// True when the skeletons match (rpSkeleton_Matches). Otherwise error says at which joint they differ and hints at
/// what helps: `what` ("joined", "blended") is what cannot be done with the two.
RP_NODISCARD bool rpCheckSameBody(const rpMotion* a, const rpMotion* b, const char* what, rpError* error);
