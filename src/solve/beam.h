/// Beam search: layer by layer, from the start to the end, the cheapest states of each. It sees nothing twice and
/// decides nothing before it must, but what it drops is lost: not exact.
#pragma once

#include "solve/search_space.h"

/// Must come from rpDefaultBeamDef.
typedef struct rpBeamDef
{
	/// States of a layer that continue, of bin 0; of every other bin a sixteenth of that.
	int width;

	/// A layer is wide enough when its states have so many children for each state of `width`, 6. Where they have
	/// fewer, more states continue, up to `maxGrowth` (8) times as many: it costs no more time, and where there is
	/// little choice what is kept must reach farther.
	int tries, maxGrowth;

	/// By so much the width changes from one layer to the next, 0.02: twice as wide within 35 layers, about a second of
	/// motion. At once it follows every edge that happens to have many children (3 % more cost, 24 paths).
	double change;

	/// A solution that costs less ends the search.
	double enough;

	/// Called after each layer; NULL: not. False, with an error, ends the search.
	bool (*report)(int layer, void* context, rpError* error);
	void* reportContext;
} rpBeamDef;

rpBeamDef rpDefaultBeamDef(int width);

/// Search from a state, and add the best solution if there is one. Finding nothing is no failure: reached, which may be
/// NULL, is the last layer that had a state. False when memory ran out, or as report has it.
RP_NODISCARD bool rpSearchBeam(const rpSearchSpace* space, const rpBeamDef* def, const void* start,
							   rpSolutions* solutions, int* reached, rpError* error);
