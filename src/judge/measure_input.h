/// A motion laid out to be measured: all joints in the world, and one file for each kind of measure.
#pragma once

#include "reprise/evaluate.h"
#include "reprise/play/body.h"

/// What the measures look at. Owned by rpEvaluate.
typedef struct rpMeasureInput
{
	const rpMotion* motion;
	int frameCount, jointCount;

	/// [frameCount * jointCount], world.
	rpVec3* places;
	rpQuat* turns;

	/// [frameCount], and whether the body could be weighed.
	rpVec3* centers;
	bool isWeighed;

	/// [intervalCount], contacts of heels, balls and toes that are stored with it: claims, which nothing is measured
	/// by.
	rpInterval* contacts;
	int contactCount;
} rpMeasureInput;

/// Fill in what is measured; rpMeasureInput_Free frees it, after failure too.
bool rpMeasureInput_Open(rpMeasureInput* input, const rpMotion* motion, rpError* error);
void rpMeasureInput_Free(rpMeasureInput* input);

/// Note a value if it is worse than what is there.
void rpMeasures_KeepWorst(rpMeasures* measures, rpMeasure measure, double value, double seconds);

/// The measures, by kind. False: memory ran out.
typedef struct rpFilm rpFilm;
typedef struct rpFootfalls rpFootfalls;
bool rpMeasureGait(const rpFilm* film, const rpFootfalls* falls, const rpEvaluateDef* def, rpMeasures* out,
				   rpError* error);
bool rpMeasureContacts(const rpMeasureInput* input, const rpFilm* film, const rpFootfalls* falls, rpMeasures* out,
					   rpError* error);
bool rpMeasureRhythm(const rpMotion* motion, const rpFootfalls* falls, rpMeasures* out, rpError* error);
bool rpMeasurePhysics(const rpMeasureInput* input, const rpFilm* film, rpMeasures* out, rpError* error);
bool rpMeasureSeams(const rpMeasureInput* input, const rpEvaluateDef* def, rpMeasures* out, rpError* error);
bool rpMeasureJoints(const rpMeasureInput* input, rpMeasures* out, rpError* error);
bool rpMeasurePath(const rpMeasureInput* input, const rpEvaluateDef* def, rpMeasures* out, rpError* error);
