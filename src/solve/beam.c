/// A child is not expanded when its parent continues but when its layer's turn comes. By then all that lead to the
/// layer are known; those from the best parents come first, so that it soon takes little to see that another costs too
/// much.
#include "solve/beam.h"

#include "base/memory.h"
#include "solve/beam_layer.h"

#include <math.h>
#include <string.h>

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
	int parent, index, group, bin;
} Child;

typedef struct Waiting
{
	Child* children;
	int count, capacity;
} Waiting;

/// The states that still matter: those to continue from, and what led to them.
typedef struct Beam
{
	const rpSearchSpace* space;
	const rpBeamDef* def;
	rpSolutions* solutions;

	/// [count], and their states; the first that is free again, -1.
	Reached* reached;
	unsigned char* states;
	int count, capacity, stateCapacity;
	int firstFree;

	/// [ringSize] what waits for the layers to come: layer n in place n % ringSize; and all children in it.
	Waiting* ring;
	int ringSize;
	int waitingCount;

	/// The layer at hand, and its children by the ranks of their parents: [layer.capacity + 1] and [sortedCapacity].
	rpBeamLayer layer;
	int layerIndex;
	int* rankCounts;
	Child* sorted;
	int sortedCapacity;

	/// The cheapest goal, -1, and its cost with the estimate, infinite.
	int best;
	double bestCost;
} Beam;

rpBeamDef rpDefaultBeamDef(int width)
{
	return (rpBeamDef){.width = width, .tries = 6, .maxGrowth = 8, .change = 0.02};
}

// ---- the states

static void* getState(const Beam* beam, int slot)
{
	return beam->states + (size_t)slot * beam->space->stateSize;
}

// A place for one more state, -1 when memory ran out.
static int makeRoom(Beam* beam, rpError* error)
{
	if (beam->firstFree >= 0)
	{
		return beam->firstFree;
	}
	bool done = rpGrow(&beam->reached, &beam->capacity, beam->count, sizeof(Reached), error) &&
				rpGrow(&beam->states, &beam->stateCapacity, beam->count, beam->space->stateSize, error);
	return done ? beam->count : -1;
}

// Take the place that makeRoom gave.
static void hold(Beam* beam, int slot, double cost, int parent, int index)
{
	if (slot == beam->firstFree)
	{
		beam->firstFree = beam->reached[slot].next;
	}
	else
	{
		++beam->count;
	}
	beam->reached[slot] = (Reached){.cost = cost, .parent = parent, .index = index, .holders = 1};
	if (parent >= 0)
	{
		++beam->reached[parent].holders;
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

// ---- the children of a layer

// Take up the child in a slot that makeRoom gave: a goal, or one to continue from.
static void admit(Beam* beam, const Child* child, int slot, double cost, double limit)
{
	const rpSearchSpace* space = beam->space;
	rpSearchKey key = {beam->layerIndex, child->group, child->bin};
	double min = cost + space->estimate(getState(beam, slot), space->context);
	if (!(min < limit))
	{
		return;
	}
	hold(beam, slot, cost, child->parent, child->index);
	if (space->isGoal(getState(beam, slot), space->context))
	{
		release(beam, beam->best);
		beam->best = slot;
		beam->bestCost = min;
		return;
	}
	release(beam, rpBeamLayer_Enter(&beam->layer, slot, &key, min));
}

static bool tryChild(Beam* beam, const Child* child, rpError* error)
{
	const rpSearchSpace* space = beam->space;
	rpSearchKey key = {beam->layerIndex, child->group, child->bin};
	double own = beam->reached[child->parent].cost;
	double limit = fmin(rpBeamLayer_GetLimit(&beam->layer, &key), beam->bestCost), cost = limit - own;
	if (cost <= 0.0)
	{
		return true;
	}
	int slot = makeRoom(beam, error);
	if (slot < 0)
	{
		return false;
	}
	if (space->expand(getState(beam, child->parent), child->index, getState(beam, slot), &cost, space->context))
	{
		++beam->solutions->expanded;
		if (own + cost < limit)
		{
			admit(beam, child, slot, own + cost, limit);
		}
	}
	return true;
}

// The children of a layer by the ranks of their parents.
static bool sortChildren(Beam* beam, const Waiting* waiting, rpError* error)
{
	int *counts = beam->rankCounts, ranks = beam->layer.capacity;
	if (waiting->count > beam->sortedCapacity)
	{
		rpFree(beam->sorted);
		beam->sortedCapacity = 0;
		beam->sorted = rpAllocate((size_t)waiting->capacity, sizeof(Child), error);
		if (beam->sorted == NULL)
		{
			return false;
		}
		beam->sortedCapacity = waiting->capacity;
	}
	memset(counts, 0, ((size_t)ranks + 1) * sizeof(int));
	for (int i = 0; i < waiting->count; ++i)
	{
		++counts[beam->reached[waiting->children[i].parent].rank + 1];
	}
	for (int rank = 0; rank < ranks; ++rank)
	{
		counts[rank + 1] += counts[rank];
	}
	for (int i = 0; i < waiting->count; ++i)
	{
		beam->sorted[counts[beam->reached[waiting->children[i].parent].rank]++] = waiting->children[i];
	}
	return true;
}

enum
{
	/// So many are asked for ahead: what is about to be read lies all over the memory.
	fetchedAhead = 4,
};

static void fetchState(const Beam* beam, int slot)
{
	const char* state = getState(beam, slot);
	__builtin_prefetch(state);
	__builtin_prefetch(state + beam->space->stateSize - 1);
	__builtin_prefetch(&beam->reached[slot]);
}

// Of children to come, their parents and then what they are expanded with.
static void fetchChildren(const Beam* beam, int next, int count)
{
	const rpSearchSpace* space = beam->space;
	if (next + 3 * fetchedAhead < count)
	{
		fetchState(beam, beam->sorted[next + 3 * fetchedAhead].parent);
	}
	for (int stage = 0; stage < 2 && space->fetch != NULL; ++stage)
	{
		int i = next + (2 - stage) * fetchedAhead;
		if (i < count)
		{
			space->fetch(getState(beam, beam->sorted[i].parent), beam->sorted[i].index, stage, space->context);
		}
	}
}

// Work out the states of a layer: the cheapest of all children that wait for it.
static bool reach(Beam* beam, Waiting* waiting, rpError* error)
{
	bool done = sortChildren(beam, waiting, error);
	for (int i = 0; i < waiting->count && done; ++i)
	{
		fetchChildren(beam, i, waiting->count);
		done = tryChild(beam, &beam->sorted[i], error);
	}
	for (int i = 0; i < waiting->count; ++i)
	{
		release(beam, waiting->children[i].parent);
	}
	beam->waitingCount -= waiting->count;
	waiting->count = 0;
	return done;
}

// ---- from layer to layer

// Room for what waits for a layer that lies farther ahead than any so far.
static bool growRing(Beam* beam, int layer, rpError* error)
{
	int size = beam->ringSize;
	while (layer - beam->layerIndex >= size)
	{
		size = size > 0 ? 2 * size : 64;
	}
	Waiting* ring = size > beam->ringSize ? rpAllocateZero((size_t)size, sizeof(Waiting), error) : beam->ring;
	if (ring == NULL)
	{
		return false;
	}
	for (int n = beam->layerIndex; size > beam->ringSize && n < beam->layerIndex + beam->ringSize; ++n)
	{
		ring[n % size] = beam->ring[n % beam->ringSize];
	}
	if (ring != beam->ring)
	{
		rpFree(beam->ring);
	}
	beam->ring = ring;
	beam->ringSize = size;
	return true;
}

static bool await(Beam* beam, int layer, Child child, rpError* error)
{
	if (layer - beam->layerIndex >= beam->ringSize && !growRing(beam, layer, error))
	{
		return false;
	}
	Waiting* waiting = &beam->ring[layer % beam->ringSize];
	if (!rpGrow(&waiting->children, &waiting->capacity, waiting->count, sizeof(Child), error))
	{
		return false;
	}
	waiting->children[waiting->count++] = child;
	++beam->reached[child.parent].holders;
	++beam->waitingCount;
	return true;
}

// Put a state's children to what waits for their layers.
static bool openState(Beam* beam, int slot, rpError* error)
{
	const rpSearchSpace* space = beam->space;
	rpSearchKey key;
	bool done = true;
	for (int i = 0; done && space->getKey(getState(beam, slot), i, &key, space->context); ++i)
	{
		done = key.layer < 0 || await(beam, key.layer, (Child){slot, i, key.group, key.bin}, error);
	}
	return done;
}

// Continue from the states of the layer at hand. width: of this layer, and of the next.
static bool proceed(Beam* beam, double* width, rpError* error)
{
	const rpBeamLayer* layer = &beam->layer;
	int before = beam->waitingCount, min = beam->def->width;
	bool done = true;
	rpBeamLayer_Sort(&beam->layer);
	for (int i = 0; i < layer->count; ++i)
	{
		int slot = layer->entries[layer->ranks[i].entry].slot;
		int later = i + fetchedAhead < layer->count ? i + fetchedAhead : i;
		fetchState(beam, layer->entries[layer->ranks[later].entry].slot);
		beam->reached[slot].rank = i;
		done = done && (layer->ranks[i].cost >= beam->bestCost || openState(beam, slot, error));
		release(beam, slot);
	}
	bool isNarrow = beam->waitingCount - before < beam->def->tries * min;
	*width = fmin(fmax(*width * (1.0 + (isNarrow ? beam->def->change : -beam->def->change)), min),
				  beam->def->maxGrowth * min);
	return done;
}

// ---- all of them

// The steps that led to the best goal, if there is one.
static bool keepBest(Beam* beam, rpError* error)
{
	int depth = 0;
	for (int slot = beam->best; slot >= 0 && beam->reached[slot].parent >= 0; slot = beam->reached[slot].parent)
	{
		++depth;
	}
	if (depth == 0)
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
	bool done = rpSolutions_Keep(beam->solutions, steps, depth, beam->bestCost, error);
	rpFree(steps);
	return done;
}

static bool begin(Beam* beam, const void* start, rpError* error)
{
	if (!rpBeamLayer_Allocate(&beam->layer, beam->def->maxGrowth * beam->def->width, error) ||
		makeRoom(beam, error) < 0)
	{
		return false;
	}
	beam->rankCounts = rpAllocate((size_t)beam->layer.capacity + 1, sizeof(int), error);
	if (beam->rankCounts == NULL)
	{
		return false;
	}
	memcpy(getState(beam, 0), start, beam->space->stateSize);
	hold(beam, 0, 0.0, -1, -1);
	bool done = openState(beam, 0, error);
	release(beam, 0);
	return done;
}

static bool run(Beam* beam, const void* start, int* reached, rpError* error)
{
	const rpBeamDef* def = beam->def;
	double width = def->width;
	bool done = begin(beam, start, error);
	for (beam->layerIndex = 1; done && beam->waitingCount > 0 && beam->bestCost >= def->enough; ++beam->layerIndex)
	{
		rpBeamLayer_Open(&beam->layer, (int)width);
		done = reach(beam, &beam->ring[beam->layerIndex % beam->ringSize], error) && proceed(beam, &width, error) &&
			   (def->report == NULL || def->report(beam->layerIndex, def->reportContext, error));
		*reached = beam->layer.count > 0 ? beam->layerIndex : *reached;
	}
	return done && keepBest(beam, error);
}

bool rpSearchBeam(const rpSearchSpace* space, const rpBeamDef* def, const void* start, rpSolutions* solutions,
				  int* reached, rpError* error)
{
	Beam beam = {.space = space,
				 .def = def,
				 .solutions = solutions,
				 .firstFree = -1,
				 .best = -1,
				 .bestCost = rpSolutions_GetBound(solutions)};
	int last = 0;
	bool done = run(&beam, start, reached != NULL ? reached : &last, error);
	for (int i = 0; i < beam.ringSize; ++i)
	{
		rpFree(beam.ring[i].children);
	}
	rpFree(beam.ring);
	rpFree(beam.reached);
	rpFree(beam.states);
	rpFree(beam.rankCounts);
	rpFree(beam.sorted);
	rpBeamLayer_Free(&beam.layer);
	return done;
}
