/// Pieces of annotations: stretches of intervals, curves while they are made, all of them moved to another place.
///
/// A frame stands for the time from its own moment to the next frame's: intervals of a motion lie in
/// [0, frameCount / fps). A motion without source intervals, but with a name, is its own source.
#pragma once

#include "reprise/play/motion.h"

/// The keys of a curve while it is made. Set width (numbers per key); zero otherwise. Free with rpKeys_Free.
typedef struct rpKeys
{
	double* times;
	float* values;
	int count, width;
	int timeCapacity, valueCapacity;
} rpKeys;

/// Add a key after the last one; one at the same moment as the last is left out.
RP_NODISCARD bool rpKeys_Add(rpKeys* keys, double time, const float* values, rpError* error);

/// Add the value of a curve at a moment as a key at another.
RP_NODISCARD bool rpKeys_AddSample(rpKeys* keys, double time, const rpCurve* curve, double curveTime, rpError* error);

/// Add the keys to annotations as a curve, named and of the kind of another.
RP_NODISCARD bool rpKeys_Store(const rpKeys* keys, const rpCurve* like, rpAnnotations* out, rpError* error);
void rpKeys_Free(rpKeys* keys);

/// The order in which annotations keep their intervals: below 0 if a comes before b.
int rpCompareIntervals(const rpInterval* a, const rpInterval* b);

/// Intervals in the making, each track for itself: those of one track come nearly in order of their starts, and adding
/// them to annotations one by one would move all that other tracks have. Zero-initialised has none; free with
/// rpTrackLists_Free.
typedef struct rpTrackLists
{
	rpAnnotations tracks[rp_trackCount];
} rpTrackLists;

/// The name is copied.
RP_NODISCARD bool rpTrackLists_Add(rpTrackLists* lists, const rpInterval* interval, rpError* error);

/// Move them all to annotations, in the time of reading both once. False when memory ran out.
RP_NODISCARD bool rpTrackLists_Store(rpTrackLists* lists, rpAnnotations* out, rpError* error);
void rpTrackLists_Free(rpTrackLists* lists);

/// Intervals of a motion, with the source that it is itself when it names none: 0 … rpCountIntervals()-1.
int rpCountIntervals(const rpMotion* motion);
rpInterval rpGetInterval(const rpMotion* motion, int index);

/// The part of an interval between two times, source times included. False if nothing is left.
bool rpClipInterval(rpInterval* interval, double start, double end);

/// In place: points become factor * rotate(rotation, p) + shift, directions are rotated, support heights multiplied by
/// the factor and raised by shift.y.
void rpMoveAnnotations(rpAnnotations* annotations, float factor, rpQuat rotation, rpVec3 shift);
