/// Depth-first branch and bound with greedy ordering (section 4.2.1 of Kovar's thesis): exact where it may look at all
/// that could be better.
#pragma once

#include "solve/search_space.h"

typedef struct rpBranchDef
{
	/// Children expanded at most, those that the solutions have counted already among them.
	int64_t effort;

	/// A solution that costs less ends the search.
	double enough;
} rpBranchDef;

/// Search from a state. Finding nothing is no failure. isExhaustive, which may be NULL, says whether all that could
/// have been better was looked at. False when memory ran out.
RP_NODISCARD bool rpBranchAndBound(const rpSearchSpace* space, const rpBranchDef* def, const void* start,
								   rpSolutions* solutions, bool* isExhaustive, rpError* error);
