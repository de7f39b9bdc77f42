/// The beam of the search core: layer by layer, the cheapest states of each.
///
/// A child is not worked out when its parent goes on but when its layer's turn comes. By then all that lead to the
/// layer are known; those from the best parents come first, so that it soon takes little to see that another is too
/// dear.
#include "base/memory.h"
#include "solve/branch_bound.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// A layer is wide enough when so many children of its states, for each state of the usual width, are to be tried; it
// grows or shrinks by this share from one to the next.
#define TRIES 6
#define CHANGE 0.02

// Where kinds are kept apart a layer is at least so many times as wide as elsewhere.
#define SPREAD_WIDTH 2.0

// Of each kind but the first such a part of the first one's states are kept.
#define OTHER_KINDS 8

// What a child needs is fetched so many children ahead, in three steps.
#define FETCHED_AHEAD 3

// Groups are looked up in so many buckets, a power of two.
#define BUCKETS 2048

/// A state that was reached: from where, by which child, at what cost.
typedef struct Reached
{
	double cost;
	int parent, index;
	/// How many of its layer are cheaper.
	int rank;
	/// States and children that were reached from here and still matter, and one more for one of the layer at hand and
	/// for the best goal.
	int holders;
	/// Of those that are free: the next one.
	int next;
} Reached;

/// A child that waits for its layer's turn.
typedef struct Child
{
	int parent, index;
} Child;

typedef struct Layer
{
	Child* children;
	int count, capacity;
} Layer;

/// A state of the layer at hand: where it is kept, and the next one whose group has the same bucket, -1.
typedef struct Entry
{
	int slot, group, next;
	/// Its kind, and its place in that one's heap.
	int kind, place;
} Entry;

/// What the heap sorts: the cost of an entry.
typedef struct Rank
{
	double cost;
	int entry;
} Rank;

/// The cheapest states of one kind.
typedef struct Heap
{
	/// [most]
	Rank* ranks;
	int count, width;
} Heap;

/// The states that still matter: those to go on from, and what led to them.
typedef struct Beam
{
	const rpBranchProblem* problem;
	/// States of a layer, of the first kind: at least, at most, and at present.
	int least, most;
	double usual;
	Reached* reached;
	unsigned char* states;
	int count, capacity, stateCapacity;
	/// The first that is free again, -1.
	int firstFree;

	/// [ringSize] layers to come: layer n in place n % ringSize; and all children in them.
	Layer* ring;
	int ringSize;
	int waiting;

	/// [entryCapacity + 1] and [sortedCapacity] children of the layer at hand by the ranks of their parents.
	int* rankCounts;
	Child* sorted;
	int sortedCapacity;

	/// [entryCapacity] the cheapest states of the layer at hand, and a heap of those of each kind with the dearest in
	/// front; [entryCapacity] all of them, the cheapest first.
	Entry* entries;
	Heap heaps[rp_beamKinds];
	Rank* ranks;
	int entryCount, entryCapacity;
	/// Kinds are kept apart in the layer at hand.
	bool isSpread;
	/// [BUCKETS] the first entry of each bucket of groups, -1.
	int* buckets;

	/// The cheapest goal, -1, and its cost, infinite.
	int best;
	double bestCost;
	rpBranchResult* result;
} Beam;

static void* getState(const Beam* beam, int slot)
{
	return beam->states + (size_t)slot * beam->problem->stateSize;
}

// A place for one more state, -1 when memory ran out.
static int makeRoom(Beam* beam, rpError* error)
{
	if (beam->firstFree >= 0)
	{
		return beam->firstFree;
	}
	bool done = rpGrow(&beam->reached, &beam->capacity, beam->count, sizeof(Reached), error) &&
				rpGrow(&beam->states, &beam->stateCapacity, beam->count, beam->problem->stateSize, error);
	return done ? beam->count : -1;
}

// Take the place that makeRoom gave.
static void hold(Beam* beam, int slot, double cost, Child from)
{
	if (slot == beam->firstFree)
	{
		beam->firstFree = beam->reached[slot].next;
	}
	else
	{
		++beam->count;
	}
	beam->reached[slot] = (Reached){.cost = cost, .parent = from.parent, .index = from.index, .holders = 1};
	if (from.parent >= 0)
	{
		++beam->reached[from.parent].holders;
	}
}

// A state matters no more to one of its holders; what nobody holds is free, and so are those that only led there.
static void release(Beam* beam, int slot)
{
	while (slot >= 0 && --beam->reached[slot].holders == 0)
	{
		int parent = beam->reached[slot].parent;
		beam->reached[slot].next = beam->firstFree;
		beam->firstFree = slot;
		slot = parent;
	}
}

// ---- the states of a layer

// What a state of a kind must cost less than to be of use.
static double getLimit(const Beam* beam, int kind)
{
	const Heap* heap = &beam->heaps[kind];
	bool isFull = heap->count >= heap->width;
	return isFull && heap->ranks[0].cost < beam->bestCost ? heap->ranks[0].cost : beam->bestCost;
}

static void settle(Beam* beam, Heap* heap, int place, Rank rank)
{
	heap->ranks[place] = rank;
	beam->entries[rank.entry].place = place;
}

// Put an entry into a heap at a place where a dearer one was.
static void siftDown(Beam* beam, Heap* heap, int place, Rank rank)
{
	const Rank* ranks = heap->ranks;
	for (int child; (child = 2 * place + 1) < heap->count; place = child)
	{
		child += child + 1 < heap->count && ranks[child + 1].cost > ranks[child].cost;
		if (ranks[child].cost <= rank.cost)
		{
			break;
		}
		settle(beam, heap, place, ranks[child]);
	}
	settle(beam, heap, place, rank);
}

// Put an entry behind the end of a heap.
static void siftUp(Beam* beam, Heap* heap, int place, Rank rank)
{
	for (; place > 0 && heap->ranks[(place - 1) / 2].cost < rank.cost; place = (place - 1) / 2)
	{
		settle(beam, heap, place, heap->ranks[(place - 1) / 2]);
	}
	settle(beam, heap, place, rank);
}

static int* getBucket(const Beam* beam, int group)
{
	return &beam->buckets[(unsigned)group & (BUCKETS - 1)];
}

static void emptyBuckets(Beam* beam)
{
	for (int i = 0; i < BUCKETS; ++i)
	{
		beam->buckets[i] = -1;
	}
}

// The entry of a group and kind, -1.
static int findEntry(const Beam* beam, int group, int kind)
{
	int entry = *getBucket(beam, group);
	while (entry >= 0 && (beam->entries[entry].group != group || beam->entries[entry].kind != kind))
	{
		entry = beam->entries[entry].next;
	}
	return entry;
}

static void removeFromBucket(Beam* beam, int entry)
{
	int* link = getBucket(beam, beam->entries[entry].group);
	while (*link != entry)
	{
		link = &beam->entries[*link].next;
	}
	*link = beam->entries[entry].next;
}

// Take a state in if it is among the cheapest of its kind; it is under the limit. So in the end there are those that
// would be left of all if they were sorted: which are dropped on the way are dearer than enough others.
static void enter(Beam* beam, int slot, int group, int kind, double cost, Child from)
{
	Heap* heap = &beam->heaps[kind];
	int entry = findEntry(beam, group, kind);
	if (entry >= 0 && heap->ranks[beam->entries[entry].place].cost <= cost)
	{
		return;
	}
	hold(beam, slot, cost, from);
	bool isNew = entry < 0 && heap->count < heap->width;
	if (isNew)
	{
		entry = beam->entryCount++;
	}
	else
	{
		entry = entry < 0 ? heap->ranks[0].entry : entry;
		removeFromBucket(beam, entry);
		release(beam, beam->entries[entry].slot);
	}
	int* bucket = getBucket(beam, group);
	int place = isNew ? heap->count++ : beam->entries[entry].place;
	beam->entries[entry] = (Entry){slot, group, *bucket, kind, place};
	*bucket = entry;
	if (isNew)
	{
		siftUp(beam, heap, place, (Rank){cost, entry});
	}
	else
	{
		siftDown(beam, heap, place, (Rank){cost, entry});
	}
}

// Take up the state in a slot that makeRoom gave: a goal, or one to go on from. It is under the limit.
static void admit(Beam* beam, int slot, int kind, double cost, Child from)
{
	const rpBranchProblem* problem = beam->problem;
	if (from.parent >= 0 && problem->isGoal(getState(beam, slot), problem->context))
	{
		hold(beam, slot, cost, from);
		release(beam, beam->best);
		beam->best = slot;
		beam->bestCost = cost;
		return;
	}
	int group;
	problem->getLayer(getState(beam, slot), &group, problem->context);
	enter(beam, slot, group, kind, cost, from);
}

static bool tryChild(Beam* beam, Child child, rpError* error)
{
	const rpBranchProblem* problem = beam->problem;
	const void* parent = getState(beam, child.parent);
	int kind = beam->isSpread ? problem->getKind(parent, child.index, problem->context) : 0;
	double own = beam->reached[child.parent].cost, limit = getLimit(beam, kind), cost = limit - own;
	if (cost <= 0.0)
	{
		return true;
	}
	int slot = makeRoom(beam, error);
	if (slot < 0)
	{
		return false;
	}
	if (problem->expand(getState(beam, child.parent), child.index, getState(beam, slot), &cost, problem->context))
	{
		++beam->result->expanded;
		double total = own + cost;
		if (isfinite(total) && total < limit)
		{
			admit(beam, slot, kind, total, child);
		}
	}
	return true;
}

// ---- from layer to layer

// The children of a layer by the ranks of their parents.
static bool sortChildren(Beam* beam, const Layer* layer, rpError* error)
{
	int* counts = beam->rankCounts;
	if (layer->count > beam->sortedCapacity)
	{
		rpFree(beam->sorted);
		beam->sortedCapacity = 0;
		beam->sorted = rpAllocate((size_t)layer->capacity, sizeof(Child), error);
		if (beam->sorted == NULL)
		{
			return false;
		}
		beam->sortedCapacity = layer->capacity;
	}
	memset(counts, 0, ((size_t)beam->entryCapacity + 1) * sizeof(int));
	for (int i = 0; i < layer->count; ++i)
	{
		++counts[beam->reached[layer->children[i].parent].rank + 1];
	}
	for (int rank = 0; rank < beam->entryCapacity; ++rank)
	{
		counts[rank + 1] += counts[rank];
	}
	for (int i = 0; i < layer->count; ++i)
	{
		beam->sorted[counts[beam->reached[layer->children[i].parent].rank]++] = layer->children[i];
	}
	return true;
}

// Children lie all over the memory: what those to come need is asked for while others are worked out.
static void fetch(const Beam* beam, int count, int i)
{
	if (i + 3 * FETCHED_AHEAD < count)
	{
		const char* state = getState(beam, beam->sorted[i + 3 * FETCHED_AHEAD].parent);
		__builtin_prefetch(state);
		__builtin_prefetch(state + beam->problem->stateSize - 1);
		__builtin_prefetch(&beam->reached[beam->sorted[i + 3 * FETCHED_AHEAD].parent]);
	}
	for (int step = 2; step >= 1 && beam->problem->fetch != NULL; --step)
	{
		if (i + step * FETCHED_AHEAD < count)
		{
			Child child = beam->sorted[i + step * FETCHED_AHEAD];
			beam->problem->fetch(getState(beam, child.parent), child.index, step - 1, beam->problem->context);
		}
	}
}

// Work out the states of a layer: the cheapest of all children that lead to it.
static bool reach(Beam* beam, Layer* layer, rpError* error)
{
	bool done = sortChildren(beam, layer, error);
	emptyBuckets(beam);
	for (int kind = 0; kind < rp_beamKinds; ++kind)
	{
		beam->heaps[kind].count = 0;
	}
	beam->entryCount = 0;
	for (int i = 0; i < layer->count && done; ++i)
	{
		fetch(beam, layer->count, i);
		done = tryChild(beam, beam->sorted[i], error);
	}
	for (int i = 0; i < layer->count; ++i)
	{
		release(beam, layer->children[i].parent);
	}
	beam->waiting -= layer->count;
	layer->count = 0;
	return done;
}

static void sink(Rank* ranks, int count, int place)
{
	Rank rank = ranks[place];
	for (int child; (child = 2 * place + 1) < count; place = child)
	{
		child += child + 1 < count && ranks[child + 1].cost > ranks[child].cost;
		if (ranks[child].cost <= rank.cost)
		{
			break;
		}
		ranks[place] = ranks[child];
	}
	ranks[place] = rank;
}

// The states of all kinds, the cheapest first.
static void sortRanks(Beam* beam)
{
	int count = 0;
	for (int kind = 0; kind < rp_beamKinds; ++kind)
	{
		const Heap* heap = &beam->heaps[kind];
		memcpy(beam->ranks + count, heap->ranks, (size_t)heap->count * sizeof(Rank));
		count += heap->count;
	}
	for (int i = count / 2 - 1; i >= 0; --i)
	{
		sink(beam->ranks, count, i);
	}
	while (count > 1)
	{
		Rank dearest = beam->ranks[0];
		beam->ranks[0] = beam->ranks[--count];
		sink(beam->ranks, count, 0);
		beam->ranks[count] = dearest;
	}
}

// Put a state's children into their layers; returns how many, -1 when memory ran out.
static int openSlot(Beam* beam, int slot, rpError* error)
{
	const rpBranchProblem* problem = beam->problem;
	int count = 0;
	if (problem->open != NULL)
	{
		problem->open(getState(beam, slot), problem->context);
	}
	for (int i = 0, n; (n = problem->peekLayer(getState(beam, slot), i, problem->context)) >= 0; ++i)
	{
		if (n < problem->layers)
		{
			Layer* layer = &beam->ring[n % beam->ringSize];
			if (!rpGrow(&layer->children, &layer->capacity, layer->count, sizeof(Child), error))
			{
				return -1;
			}
			layer->children[layer->count++] = (Child){slot, i};
			++beam->reached[slot].holders;
			++count;
		}
	}
	beam->waiting += count;
	return count;
}

// How many states of each kind but the first are kept, against those of the first.
static int getShare(int width)
{
	return width / OTHER_KINDS + 1;
}

static void setWidths(Beam* beam)
{
	int width = (int)fmax(beam->usual, beam->isSpread ? SPREAD_WIDTH * beam->least : 0.0);
	for (int kind = 0; kind < rp_beamKinds; ++kind)
	{
		beam->heaps[kind].width = kind == 0 ? width : getShare(width);
	}
}

// Go on from the states of the layer at hand.
static bool goOn(Beam* beam, rpError* error)
{
	const rpBranchProblem* problem = beam->problem;
	int opened = 0;
	bool done = true;
	sortRanks(beam);
	if (problem->isSpread != NULL && beam->entryCount > 0)
	{
		const Entry* first = &beam->entries[beam->ranks[0].entry];
		beam->isSpread = problem->isSpread(getState(beam, first->slot), problem->context);
	}
	for (int i = 0; i < beam->entryCount; ++i)
	{
		int slot = beam->entries[beam->ranks[i].entry].slot;
		beam->reached[slot].rank = i;
		if (done && beam->ranks[i].cost < beam->bestCost)
		{
			int count = openSlot(beam, slot, error);
			done = count >= 0;
			opened += count;
		}
		release(beam, slot);
	}
	bool isNarrow = opened < TRIES * beam->least;
	beam->usual = fmin(fmax(beam->usual * (isNarrow ? 1.0 + CHANGE : 1.0 - CHANGE), beam->least), beam->most);
	setWidths(beam);
	return done;
}

// ---- all of them

// The steps that led to the best goal, if there is one and they are not too many.
static bool keepBest(Beam* beam, rpError* error)
{
	int depth = 0;
	for (int slot = beam->best; slot >= 0 && beam->reached[slot].parent >= 0; slot = beam->reached[slot].parent)
	{
		++depth;
	}
	if (depth == 0 || depth > beam->problem->depth)
	{
		return true;
	}
	int* steps = rpAllocate((size_t)depth, sizeof(int), error);
	if (steps == NULL)
	{
		return false;
	}
	for (int slot = beam->best, k = depth; k > 0; slot = beam->reached[slot].parent)
	{
		steps[--k] = beam->reached[slot].index;
	}
	bool done = rpBranchResult_Keep(beam->result, beam->problem->keep, steps, depth, beam->bestCost, error);
	rpFree(steps);
	return done;
}

static bool allocate(Beam* beam, rpError* error)
{
	const rpBranchProblem* problem = beam->problem;
	beam->ringSize = problem->span > 0 && problem->span < problem->layers ? problem->span + 1 : problem->layers;
	beam->ring = rpAllocateZero((size_t)beam->ringSize, sizeof(Layer), error);
	beam->entryCapacity = beam->most + (rp_beamKinds - 1) * getShare(beam->most);
	size_t capacity = (size_t)beam->entryCapacity;
	beam->entries = rpAllocate(capacity, sizeof(Entry), error);
	beam->ranks = rpAllocate(capacity, sizeof(Rank), error);
	beam->rankCounts = rpAllocate(capacity + 1, sizeof(int), error);
	beam->buckets = rpAllocate(BUCKETS, sizeof(int), error);
	// The heaps lie one behind the other.
	Rank* heaps = rpAllocate(capacity, sizeof(Rank), error);
	beam->heaps[0].ranks = heaps;
	if (beam->ring == NULL || beam->entries == NULL || beam->ranks == NULL || beam->rankCounts == NULL ||
		beam->buckets == NULL || heaps == NULL)
	{
		return false;
	}
	for (int kind = 1; kind < rp_beamKinds; ++kind)
	{
		beam->heaps[kind].ranks = heaps + beam->most + (kind - 1) * getShare(beam->most);
	}
	emptyBuckets(beam);
	return makeRoom(beam, error) >= 0;
}

static bool run(Beam* beam, const void* start, rpError* error)
{
	const rpBranchProblem* problem = beam->problem;
	if (!allocate(beam, error))
	{
		return false;
	}
	memcpy(getState(beam, 0), start, problem->stateSize);
	admit(beam, 0, 0, 0.0, (Child){-1, -1});
	bool done = goOn(beam, error);
	for (int layer = 1; done && beam->waiting > 0 && beam->bestCost >= problem->enough; ++layer)
	{
		done = reach(beam, &beam->ring[layer % beam->ringSize], error) && goOn(beam, error) &&
			   (problem->tell == NULL || problem->tell(layer, problem->context, error));
	}
	return done && keepBest(beam, error);
}

bool rpSearchBeam(const rpBranchProblem* problem, const void* start, int width, rpBranchResult* out, rpError* error)
{
	Beam beam = {.problem = problem,
				 .least = width,
				 .most = rp_beamGrowth * width,
				 .heaps[0].width = width,
				 .usual = width,
				 .firstFree = -1,
				 .best = -1,
				 .bestCost = (double)INFINITY,
				 .result = out};
	bool done = run(&beam, start, error);
	for (int i = 0; i < beam.ringSize && beam.ring != NULL; ++i)
	{
		rpFree(beam.ring[i].children);
	}
	rpFree(beam.ring);
	rpFree(beam.reached);
	rpFree(beam.states);
	rpFree(beam.entries);
	rpFree(beam.heaps[0].ranks);
	rpFree(beam.ranks);
	rpFree(beam.rankCounts);
	rpFree(beam.sorted);
	rpFree(beam.buckets);
	return done;
}
