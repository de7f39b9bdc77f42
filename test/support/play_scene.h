/// A small motion graph of the performer's walking, for tests of steering, bundles and players.
#pragma once

#include "support.h"

/// A motion of the performer at 60 Hz, turning by so many degrees a second where the act can, named.
rpMotion* testPerformTurning(rpAct act, double seconds, float turnDegrees, uint64_t seed, const char* name);

/// Walks straight on and to both sides, of so many seconds each, and sneaks where asked for; free with rpDestroyGraph.
rpGraph* testMakeWalkGraph(double seconds, bool sneaks);

/// Its bundle, open; *bytes is freed with rpFreeBytes after it.
rpBundle* testMakeWalkBundle(double seconds, void** bytes, size_t* size);
