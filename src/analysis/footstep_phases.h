/// A take as phases of support: L, R, D, F, S (Kwon & Shin 2005, section 4.3).
#pragma once

#include "analysis/center_track.h"

typedef struct rpFootstepPhase
{
	double start, end;
	char letter;
} rpFootstepPhase;

/// The phases of a take without gaps, and the stands in it.
typedef struct rpFootstepPhases
{
	rpFootstepPhase* items;
	int count, capacity;

	/// Where the centre of mass rests above both feet; each lies in a phase S, which reaches from the last foot's
	/// coming down to the first one's leaving.
	rpCenterRest* stands;
	int standCount, standCapacity;
} rpFootstepPhases;

/// Find the phases of a take that has contacts. False when memory ran out; free them in any case.
bool rpFootstepPhases_Find(rpFootstepPhases* phases, const rpMotion* motion, const rpCenterTrack* track,
						   const rpMovementDef* def, rpError* error);
void rpFootstepPhases_Free(rpFootstepPhases* phases);

/// The phases between two times as a string; those that reach in by less than `min` seconds are left out at its ends.
/// A string that is too long is cut. Returns the index of the first phase, or -1 if there is none.
int rpFootstepPhases_Spell(const rpFootstepPhases* phases, double start, double end, double min,
						   char out[RP_FOOTSTEP_SIZE]);
