/// The cheapest states of one layer of a beam: of each bin so many, and of each group one.
#pragma once

#include "solve/search_space.h"

/// A state of the layer: where the beam keeps it, its key, and the next one whose group has the same bucket, -1.
typedef struct rpLayerEntry
{
	int slot, group, bin, next;
	/// Its place in the heap of its bin.
	int place;
} rpLayerEntry;

/// What is sorted: the cost of an entry.
typedef struct rpLayerRank
{
	double cost;
	int entry;
} rpLayerRank;

/// The states of one bin, the most expensive in front, and how many there may be.
typedef struct rpLayerHeap
{
	rpLayerRank* ranks;
	int count, width;
} rpLayerHeap;

typedef struct rpBeamLayer
{
	/// [capacity]
	rpLayerEntry* entries;
	int count, capacity;

	rpLayerHeap heaps[rp_searchBins];

	/// [capacity] all states, the cheapest first, when rpBeamLayer_Sort has been called.
	rpLayerRank* ranks;

	/// [bucketCount], a power of two: the first entry of each bucket of groups, -1.
	int* buckets;
	int bucketCount;
} rpBeamLayer;

/// Room for layers of up to maxWidth states in bin 0. False when memory ran out; free with rpBeamLayer_Free in any
/// case.
RP_NODISCARD bool rpBeamLayer_Allocate(rpBeamLayer* layer, int maxWidth, rpError* error);
void rpBeamLayer_Free(rpBeamLayer* layer);

/// Empty it, for so many states in bin 0.
void rpBeamLayer_Open(rpBeamLayer* layer, int width);

/// What a state must cost less than to be taken in.
double rpBeamLayer_GetLimit(const rpBeamLayer* layer, const rpSearchKey* key);

/// Take in a state that costs less than the limit. Returns the slot of the state that it takes the place of, -1: none.
int rpBeamLayer_Enter(rpBeamLayer* layer, int slot, const rpSearchKey* key, double cost);

void rpBeamLayer_Sort(rpBeamLayer* layer);
