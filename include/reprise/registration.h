/// Registration: motions of one action brought into one time and one place, and blended there.
///
/// After Kovar & Gleicher, "Flexible automatic motion blending with registration curves" (2003); blending after
/// Safonova & Hodgins, "Analyzing the physical correctness of interpolated human motion" (2005).
#pragma once

#include "reprise/metric.h"
#include "reprise/play/registered_blend.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to register. Must come from rpDefaultRegistrationDef().
typedef struct rpRegistrationDef
{
	/// NULL: the default cloud metric. Borrowed.
	const rpMetric* metric;

	/// Longest run of steps in one motion alone, 3: with the step in both that follows, local speeds stay within
	/// 1/(slopeLimit + 1) … slopeLimit + 1, but where contacts are matched.
	int slopeLimit;

	/// False: first frame with first, last with last. True: the stretch of minimum mean distance, which starts where
	/// one motion starts and ends where one ends; up to a third of a motion may hang over at either end, of a longer
	/// one all but half of the shorter's length.
	bool freeEnds;

	/// Seconds between the knots of the spline, 0.1.
	double knotSpacing;

	/// Which motion is the reference, or -1 for the one nearest to all others. (The result's motion 0 is the
	/// first one given in any case: this chooses the root of the chain.)
	int reference;
} rpRegistrationDef;

RP_API rpRegistrationDef rpDefaultRegistrationDef(void);

/// Register motions (two or more, of one skeleton; contacts annotated, or no stages are found). error may be NULL.
/// NULL with rp_errorNoSolution where no path keeps to the slope limit; free with rpDestroyRegistration.
RP_API RP_NODISCARD rpRegistration* rpCreateRegistration(const rpMotion* const* motions, int count,
														 const rpRegistrationDef* def, rpError* error);

/// Motion m in the time of motion 0, moved onto its start; annotations go along.
RP_API RP_NODISCARD rpMotion* rpRegistration_Retime(const rpRegistration* registration, int motion, rpError* error);

#ifdef __cplusplus
}
#endif
