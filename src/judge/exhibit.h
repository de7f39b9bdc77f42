/// A motion laid out to be measured: all joints in the world, and one file for each kind of measure.
#pragma once

#include "reprise/body.h"
#include "reprise/evaluate.h"

/// What the measures look at. Owned by rpEvaluate.
typedef struct rpExhibit
{
	const rpMotion* motion;
	int frameCount, jointCount;

	/// [frameCount * jointCount], world.
	rpVec3* places;
	rpQuat* turns;

	/// [frameCount], and whether the body could be weighed.
	rpVec3* centers;
	bool isWeighed;

	/// [intervalCount], contacts of heels, balls and toes.
	rpInterval* contacts;
	int contactCount;
} rpExhibit;

/// Fill in an exhibit; rpExhibit_Free frees it, after failure too.
bool rpExhibit_Open(rpExhibit* exhibit, const rpMotion* motion, rpError* error);
void rpExhibit_Free(rpExhibit* exhibit);

/// Where an effector is in a frame. The body must have it.
rpVec3 rpExhibit_GetEffector(const rpExhibit* exhibit, rpEffector effector, int frame);

/// The frames first … end-1 of an interval.
void rpExhibit_GetFrames(const rpExhibit* exhibit, const rpInterval* interval, int* first, int* end);

/// Note a value if it is worse than what is there.
void rpMeasures_Worsen(rpMeasures* measures, rpMeasure measure, double value, double seconds);

/// The measures, by kind. False: memory ran out.
void rpMeasureFeet(const rpExhibit* exhibit, rpMeasures* out);
void rpMeasureRhythm(const rpExhibit* exhibit, rpMeasures* out);
bool rpMeasureSmoothness(const rpExhibit* exhibit, const rpEvaluateDef* def, rpMeasures* out, rpError* error);
bool rpMeasureJoints(const rpExhibit* exhibit, rpMeasures* out, rpError* error);
bool rpMeasurePhysics(const rpExhibit* exhibit, rpMeasures* out, rpError* error);
bool rpMeasurePath(const rpExhibit* exhibit, const rpEvaluateDef* def, rpMeasures* out, rpError* error);
