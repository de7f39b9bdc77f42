/// Feet that come down, and where in its stride somebody is.
#pragma once

#include "reprise/analysis.h"

/// A foot that comes down: 0 left, 1 right.
typedef struct rpLanding
{
	double time;
	int foot;
} rpLanding;

/// Whether the motion has contacts of feet.
bool rpHasFootContacts(const rpMotion* motion);

/// Landings between two times by the contacts of feet, in order, at most capacity; returns how many. A foot
/// that rolls from heel to ball, or rests when the motion starts, does not land.
int rpListLandings(const rpMotion* motion, double start, double end, rpLanding* out, int capacity);

/// Whether a foot rests at a time: bit 0 left, bit 1 right.
unsigned rpGetSupport(const rpMotion* motion, double seconds);

/// Where in its stride a body is: 0 when the left foot lands, half when the right one does, evenly in between. NAN
/// where no foot lands within 1.2 s on either side, or the same one lands twice.
double rpGetStridePhase(const rpMotion* motion, double seconds);
