/// A medley: performances one after the other, each of which begins as and where the last one ended.
#pragma once

#include "performer/journey.h"
#include "performer/score.h"

/// One performance of a medley.
typedef struct rpScene
{
	/// rp_actTake and the styles travel by the stretches below; any other act is performed by its own row.
	rpAct act;

	/// Of acts, by rpParameter.
	float parameters[rp_parameterCount];

	/// Of acts, 0 for one natural length.
	double seconds;

	/// Of journeys: which of the medley's stretches; how far it turns, see rpJourneyDef.angle; and if `anchored`, the
	/// first strike of its second stretch is of the left foot, else it begins as it comes.
	int firstStretch, stretchCount;
	float angle;
	bool anchored;
} rpScene;

/// What a medley is made of, borrowed for the call.
typedef struct rpMedleyDef
{
	const rpScene* scenes;
	int sceneCount;

	/// The journeys' stretches, and the jumps in them (rpJourneyDef.leaps). A journey that is not the first begins with
	/// a stand, one that is not the last ends with one.
	const rpStretch* stretches;
	const float* leaps;
} rpMedleyDef;

/// How long a journey must stand at its beginning and at its end for the next scene to go on from there, seconds.
#define MEDLEY_STAND 0.7

/// Lay out a medley for a performance and take it as its state. Where the performance has no length, it is given the
/// medley's.
bool rpPerformance_PlayMedley(rpPerformance* performance, const rpMedleyDef* def, rpError* error);

/// The plan of a performance whose state is a medley.
void rpPerformance_PlanMedley(const rpPerformance* performance, double t, rpBodyPlan* plan);

/// Whether an act begins and ends as one stands at ease, or goes on from another one that does; the act that must
/// follow it, or rp_actCount.
bool rpAct_FitsMedley(rpAct act, rpAct* follower);
