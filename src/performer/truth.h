/// The ground truth of a performance, as annotations.
#pragma once

#include "performer/stage.h"

/// Write labels, contacts, phases, events, strings, and the curves of the parameters asked for (def's, not scaled).
/// timeScale and lengthScale bring the performance to the motion's body.
bool rpWriteTruth(const rpPerformance* performance, const rpPerformDef* def, double timeScale, float lengthScale,
				  rpMotion* motion, rpError* error);
