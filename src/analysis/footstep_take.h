/// A take with its contacts, the track of its centre of mass and its phases: what movements are found in.
#pragma once

#include "analysis/footstep_phases.h"

typedef struct rpFootstepTake
{
	/// With contacts: the take itself, or `copy`.
	const rpMotion* motion;
	rpMotion* copy;
	rpCenterTrack track;
	rpFootstepPhases phases;
} rpFootstepTake;

/// Look at a take; its contacts are detected if it has none. False for a rate that is too low, a body without feet or
/// one that cannot be weighed, or when memory ran out; free it in any case.
bool rpFootstepTake_Open(rpFootstepTake* take, const rpMotion* motion, const rpMovementDef* def, rpError* error);
void rpFootstepTake_Free(rpFootstepTake* take);

/// Whether an interval is a contact of a foot.
bool rpIsFootContact(const rpInterval* interval);
