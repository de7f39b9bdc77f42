/// When a centre of mass comes to rest, and when it sets out.
#pragma once

#include "analysis/center_track.h"

/// The moment at which the centre of mass comes to a rest (isStart), or leaves it. The rest is given by where it is
/// slower than `speed`, m/s; what is done outside of it is looked at up to `limit`, seconds: the foot's coming down or
/// leaving. NAN where it comes or leaves so slowly that the moment cannot be seen.
double rpFindRestEdge(const rpCenterTrack* track, rpCenterRest rest, bool isStart, float speed, double limit);
