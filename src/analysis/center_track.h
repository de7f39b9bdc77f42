/// The track of the centre of mass through a take: its peaks, valleys and rests.
#pragma once

#include "reprise/movements.h"

/// A highest or lowest point.
typedef struct rpTurningPoint
{
	double time;
	bool isPeak;
} rpTurningPoint;

/// A stretch in which the centre of mass stays where it is, seconds.
typedef struct rpCenterRest
{
	double start, end;
} rpCenterRest;

typedef struct rpCenterTrack
{
	double fps;
	int frameCount;

	/// [frameCount], metres.
	rpVec3* places;

	/// [frameCount], heights after the low-pass, metres.
	float* heights;

	/// Peaks and valleys by turns, in order.
	rpTurningPoint* turns;
	int turnCount, turnCapacity;

	rpCenterRest* rests;
	int restCount, restCapacity;
} rpCenterTrack;

/// Follow the centre of mass of a take. False for a body that cannot be weighed or when memory ran out; free it in any
/// case.
bool rpCenterTrack_Follow(rpCenterTrack* track, const rpMotion* motion, const rpMovementDef* def, rpError* error);
void rpCenterTrack_Free(rpCenterTrack* track);

/// Where it is at a time, by a cubic through the frames around; clamped to the take.
rpVec3 rpCenterTrack_GetPlace(const rpCenterTrack* track, double seconds);

/// Where a peak is to be expected: heights count for less by bend (1/s² times metres) times the square of the distance
/// from a time. Zero-initialised says nothing.
typedef struct rpPeakPrior
{
	double time, bend;
} rpPeakPrior;

/// When it is highest between two times, after what the prior takes off; their middle if it is so at an end.
double rpCenterTrack_FindPeak(const rpCenterTrack* track, double start, double end, rpPeakPrior prior);

/// How fast it is around a time, m/s, over 67 ms.
float rpCenterTrack_GetSpeed(const rpCenterTrack* track, double seconds);

/// How long it is still between two times, seconds: a moment counts in full if nothing moves, not at all from `speed`
/// on, m/s, and in between by its distance from it.
double rpCenterTrack_GetStillness(const rpCenterTrack* track, double start, double end, float speed);
