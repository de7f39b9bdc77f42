/// The functions that measure features, by what they look at (rpFeatureKind.measure).
#pragma once

#include "reprise/feature.h"

typedef bool rpMeasureFeatureFn(const rpFeatureStretch* stretch, int joint, const char* moment, float* out,
								rpError* error);

/// A joint at a moment (feature_place.c).
rpMeasureFeatureFn rpMeasurePlace, rpMeasureReach, rpMeasureJointSpeed;

/// The way over the floor (feature_travel.c).
rpMeasureFeatureFn rpMeasureTurn, rpMeasureFacing, rpMeasureSpeed, rpMeasureTravel;

/// The stretch itself (feature.c).
rpMeasureFeatureFn rpMeasureDuration;

/// What rests on what (feature_contacts.c).
rpMeasureFeatureFn rpMeasureSupportHeight, rpMeasureSupportLength, rpMeasureSeatHeight;
rpMeasureFeatureFn rpMeasureJumpLength, rpMeasureJumpTurn, rpMeasureFlight;
