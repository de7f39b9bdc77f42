/// rpSpace_Weigh bit by bit, for those who plan while they play.
#pragma once

#include "math/near_weights.h"
#include "reprise/play/space.h"

/// A request while it is looked for.
typedef struct rpSpaceWeighing
{
	rpSpaceWeighDef def;

	/// What was asked for, and within the ranges.
	float asked[RP_MAX_SPACE_PARAMETERS], wanted[RP_MAX_SPACE_PARAMETERS];
	float scales[RP_MAX_SPACE_PARAMETERS];

	/// The nearest so far, and the sample that is looked at next.
	rpNear near[rp_maxNear];
	int count, next;
	float rim;
} rpSpaceWeighing;

/// As rpSpace_Weigh has it.
RP_NODISCARD bool rpSpaceWeighing_Begin(rpSpaceWeighing* weighing, const rpSpace* space, const float* asked,
										const rpSpaceWeighDef* def, rpError* error);

/// Look at so many samples more. True once all were.
bool rpSpaceWeighing_GoOn(rpSpaceWeighing* weighing, const rpSpace* space, int samples);

/// The answer, once all were.
void rpSpaceWeighing_Finish(rpSpaceWeighing* weighing, const rpSpace* space, rpSpaceAnswer* out);
