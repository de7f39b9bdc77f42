/// Stances and their stages with their times.
#pragma once

#include "analysis/rest_stretch.h"
#include "analysis/stance_decode.h"

/// What is at hand when stages become contacts.
typedef struct rpStanceTakes
{
	const rpFeet* feet;
	const rpFootEvidence* evidence;

	/// By side, [frameCount]: rpFootStage.
	unsigned char* stages[2];

	/// No contact, and no gap between two of one point at one place, is shorter, seconds.
	double shortest;
} rpStanceTakes;

/// Turn the stages of both feet into contacts with begin and end between frames. False, with an error, when memory ran
/// out.
RP_NODISCARD bool rpListStances(const rpStanceTakes* takes, rpRestStretches* out, rpError* error);
