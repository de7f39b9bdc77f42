/// How far motions of spaces miss what they were asked for, in units that people read, and how far motions are apart.
#pragma once

#include "bench.h"
#include "reprise/feature.h"
#include "reprise/play/space.h"

/// Parameters of one unit are one error: the distance of places in cm, degrees, and speeds in per cent of what was
/// asked for.
typedef enum SpaceErrorKind
{
	spaceError_place,
	spaceError_turn,
	spaceError_speed,
	spaceErrorKindCount,
} SpaceErrorKind;

/// "cm", "deg", "%".
const char* spaceGetUnit(SpaceErrorKind kind);
SpaceErrorKind spaceGetKind(const rpSpaceParameter* parameter);
bool spaceHasKind(const rpSpace* space, SpaceErrorKind kind);

/// NAN where the space has no parameter of that kind.
double spaceGetError(const rpSpace* space, SpaceErrorKind kind, const float* asked, const float* achieved);

/// How a space is asked: as it is; by eq. 6.1 and 6.2 alone; with corrected weights, but of examples alone.
typedef enum SpaceWay
{
	spaceWay_corrected,
	spaceWay_plain,
	spaceWay_examples,
	spaceWayCount,
} SpaceWay;

rpSpaceWeighDef spaceGetWeighing(const rpSpace* space, SpaceWay way);

/// Errors of requests, of each kind and way; [capacity] each. Free with spaceErrorsFree.
typedef struct SpaceErrors
{
	double* values[spaceErrorKindCount][spaceWayCount];
	int counts[spaceWayCount], capacity;
} SpaceErrors;

bool spaceErrorsMake(SpaceErrors* errors, int capacity);
void spaceErrorsFree(SpaceErrors* errors);
void spaceErrorsAdd(SpaceErrors* errors, const rpSpace* space, SpaceWay way, const float* asked, const float* achieved);

/// Put mean and 95th percentile of the corrected ones, and the means of the others: "accuracy_mean" and so on for the
/// kind of the first parameter, "accuracy_speed_mean" for another one.
void spaceErrorsPut(SpaceErrors* errors, const rpSpace* space, const char* name, BenchReport* report);

/// The mean distance of the joints at equal shares of time, metres: each as seen from its root; or, with isFromStart,
/// from where its root is when it begins.
double spaceGetMotionDistance(const rpFeatureStretch* a, const rpFeatureStretch* b, bool isFromStart);
