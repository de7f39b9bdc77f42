/// Stretches of clips in which nobody moves.
#pragma once

#include "reprise/metric.h"

/// Frames first … last, both included.
typedef struct rpPause
{
	int first, last;
} rpPause;

/// Owned by the caller; zero-initialised is empty. Free items with rpFree.
typedef struct rpPauses
{
	rpPause* items;
	int count, capacity;
} rpPauses;

/// Find the pauses of a motion that are at least as long as the metric's window. changes is one number for each frame
/// of the profile: how far it is from that half a window later (rpGetPauseStep), NAN where there is none.
bool rpFindPauses(const rpMetric* metric, const rpProfile* profile, float* changes, rpPauses* out, rpError* error);

/// Half a window: the frames between two that are compared to see whether somebody moves.
int rpGetPauseStep(const rpMetric* metric);

/// Add the places where a pause of a goes over into one of b: late in the one and early in the other, so that little of
/// either is lost. Kept in order, and none twice. a and b may be one.
bool rpAddPauseMinima(const rpMetric* metric, const rpProfile* a, const rpPauses* pausesOfA, const rpProfile* b,
					  const rpPauses* pausesOfB, float limit, rpMinima* out, rpError* error);
