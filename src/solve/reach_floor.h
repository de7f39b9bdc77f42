/// The floor of an rpReach, and the places that a search for it has seen: what reaches of all kinds of graphs share.
#pragma once

#include "reprise/reach.h"

/// One on which nothing is reached yet; speed is the fastest there is, m/s. NULL when memory ran out; free with
/// rpDestroyReach.
RP_NODISCARD rpReach* rpCreateReach(double seconds, double speed, float cell, int start, rpError* error);

/// A number of its own for each cell and heading, from 0 on; -1: beyond the floor.
int rpReach_FindPlace(const rpReach* reach, float x, float z, float turn);

/// The root is there at a time.
void rpReach_Mark(rpReach* reach, float x, float z, float turn, double seconds);

/// Area and share of headings, at the end.
void rpReach_SumUp(rpReach* reach);

/// Keys that were seen, open addressing, 0: free.
typedef struct rpReachSeen
{
	uint64_t* slots;
	size_t mask;

	/// How many may be put.
	int max;
} rpReachSeen;

/// Free with rpReachSeen_Free, after failure too.
RP_NODISCARD bool rpReachSeen_Create(rpReachSeen* seen, int max, rpError* error);
void rpReachSeen_Free(rpReachSeen* seen);

/// Where a key, above 0, is kept or would be: it holds 0 or the key.
uint64_t* rpReachSeen_Find(const rpReachSeen* seen, uint64_t key);
