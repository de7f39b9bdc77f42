/// Motions registered pair by pair along a tree of near ones.
#pragma once

#include "align/time_curve.h"

/// Motions joined by the pairs in which they were registered. Zero-initialised is empty.
typedef struct rpMotionChain
{
	const rpMotion* const* motions;
	int count;

	/// [count], the motion that each was registered with, -1 for the root; and that registration, from it (a) to the
	/// motion itself (b).
	int* links;
	rpTimeCurve* curves;

	/// [count], motion 0 first and each one after its neighbour on the path to motion 0, which is towards[m]; -1 for 0.
	int* order;
	int* towards;

	/// What they were compared with; ownMetric is NULL if it is the caller's. [count]
	const rpMetric* metric;
	rpMetric* ownMetric;
	rpProfile** profiles;
} rpMotionChain;

void rpMotionChain_Free(rpMotionChain* chain);

/// Find the minimum spanning tree of the pairs' costs and register along it. False with rp_errorNoSolution where some
/// motion can be registered with no other. Free it in any case.
RP_NODISCARD bool rpMotionChain_Init(rpMotionChain* chain, const rpMotion* const* motions, int count,
									 const rpRegistrationDef* def, rpError* error);

/// Times of all motions, [count], where motion 0 is at `seconds`.
void rpMotionChain_GetTimes(const rpMotionChain* chain, double seconds, double* out);

/// Time of motion 0 where motion m is at `seconds`.
double rpMotionChain_GetReference(const rpMotionChain* chain, int motion, double seconds);

/// The stretch of motion 0 in which all motions are registered; empty if end <= start.
void rpMotionChain_GetStretch(const rpMotionChain* chain, double* start, double* end);

/// What takes each motion onto motion 0, [count], where they are at `times`, [count].
void rpMotionChain_GetGrounds(const rpMotionChain* chain, const double* times, rpGroundTransform* out);

/// The mean distance of linked motions where they are at `times`, [count], metres.
double rpMotionChain_Measure(const rpMotionChain* chain, const double* times);
