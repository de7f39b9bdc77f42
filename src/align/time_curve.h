/// Two motions in one time and one place: a path through their grid made smooth.
#pragma once

#include "align/time_path.h"
#include "reprise/registration.h"

/// Two motions registered with each other, before more come to it. Zero-initialised is empty.
typedef struct rpTimeCurve
{
	const rpMotion* motions[2];

	/// [2 * keyCount], those of a, then those of b; strictly increasing, from the first to the last moment of the path.
	double* times;

	/// [2 * keyCount], the identity for a; what takes b onto a, turns unwrapped.
	rpGroundTransform* grounds;
	int keyCount;

	/// Mean distance along the path, metres.
	double cost;
} rpTimeCurve;

void rpTimeCurve_Free(rpTimeCurve* curve);

/// The curve as a registration of two motions, borrowing all it has.
rpRegistration rpTimeCurve_AsRegistration(rpTimeCurve* curve);

/// Time in b of one in a, and the reverse; beyond the ends at the ends' speeds.
double rpTimeCurve_Apply(const rpTimeCurve* curve, double aSeconds);
double rpTimeCurve_Invert(const rpTimeCurve* curve, double bSeconds);

/// What takes b, at its time, onto a at its own: where the curve has another moment of b there, b's root goes to the
/// place that the root has at that moment.
rpGroundTransform rpTimeCurve_GetGround(rpTimeCurve* curve, double aSeconds, double bSeconds);

/// A cell of a path: when it is in both motions, and what takes b onto a there.
typedef struct rpMatchedMoment
{
	double a, b;
	rpGroundTransform ground;
} rpMatchedMoment;

/// Smooth the points of a path, which must not decrease in a or b, into keys `spacing` seconds apart; turns are
/// unwrapped in place. longestRun is the longest time that the path stays in one motion. The first and last points are
/// kept as they are. False when the path has no length in one of the motions, or memory ran out.
RP_NODISCARD bool rpFitTimeCurve(rpMatchedMoment* points, int count, const rpMotion* a, const rpMotion* b,
								 double spacing, double longestRun, rpTimeCurve* out, rpError* error);

/// The mean distance of two motions along the best path through their grid, metres. scratch holds frames of a times
/// frames of b. Infinite where no path keeps to the slope limit; false when memory ran out.
RP_NODISCARD bool rpMeasurePair(const rpRegistrationDef* def, const rpMetric* metric, const rpProfile* a,
								const rpProfile* b, float* scratch, double* cost, rpError* error);

/// Register two motions. Free the curve with rpTimeCurve_Free.
RP_NODISCARD bool rpRegisterPair(const rpRegistrationDef* def, const rpMetric* metric, const rpProfile* aProfile,
								 const rpProfile* bProfile, const rpMotion* a, const rpMotion* b, float* scratch,
								 rpTimeCurve* out, rpError* error);
