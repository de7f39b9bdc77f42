/// From one match to all: the nearest stretch that was found is accepted and searched from in turn.
///
/// That is Prim's way to a minimum spanning tree (R. C. Prim, Shortest connection networks and some generalizations,
/// 1957): the greatest distance on the way from the query never decreases along the list of those accepted, so that a
/// smaller threshold would have given a part of it.
#pragma once

#include "align/match_search.h"

/// One that was accepted.
typedef struct rpGrownMatch
{
	rpFrameStretch stretch;

	/// Index of the match that led to it, -1 for the query; distance from that, and the greatest on the way.
	int parent;
	float distance, farthest;

	/// It shares more than a quarter of its time with one that was accepted before it.
	bool isBetween;
} rpGrownMatch;

/// Matches that were accepted, and what waits. Zero-initialised is empty; free with rpMatchGrowth_Free.
typedef struct rpMatchGrowth
{
	/// In the order in which they were accepted.
	rpGrownMatch* items;
	int count, capacity;

	/// Those of each profile by their first frames, [profileCount].
	struct rpGrownRow* rows;
	int profileCount;

	/// A heap, the nearest at the top.
	rpGrownMatch* waiting;
	int waitingCount, waitingCapacity;
} rpMatchGrowth;

/// Begin with the query. Free it in any case.
RP_NODISCARD bool rpMatchGrowth_Begin(rpMatchGrowth* growth, rpFrameStretch query, int profileCount, rpError* error);
void rpMatchGrowth_Free(rpMatchGrowth* growth);

/// Take what was found from one of the matches; what shares more than two thirds of the shorter one with one that was
/// accepted is passed over.
RP_NODISCARD bool rpMatchGrowth_Offer(rpMatchGrowth* growth, int parent, const rpFoundStretches* found, rpError* error);

/// Accept the nearest that waits. *accepted is false if there is none. False when memory ran out.
RP_NODISCARD bool rpMatchGrowth_Accept(rpMatchGrowth* growth, bool* accepted, rpError* error);
