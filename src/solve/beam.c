/// The beam of the search core: layer by layer, the cheapest states of each.
#include "base/memory.h"
#include "solve/branch_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// States of one group that go on from a layer.
#define PER_GROUP 2

/// A state that was reached: from where, by which child, at what cost.
typedef struct Reached
{
	double cost;
	int parent, index, group, next;
} Reached;

/// All states that were reached; those of a layer are a list.
typedef struct Beam
{
	const rpBranchProblem* problem;
	Reached* reached;
	unsigned char* states;
	int count, capacity, stateCapacity;
	/// [layers], first of each list, -1 where it is empty.
	int* layers;
	/// The cheapest goal, -1.
	int best;
	rpBranchResult* result;
} Beam;

static void* getState(const Beam* beam, int slot)
{
	return beam->states + (size_t)slot * beam->problem->stateSize;
}

static bool makeRoom(Beam* beam, rpError* error)
{
	return rpGrow(&beam->reached, &beam->capacity, beam->count, sizeof(Reached), error) &&
		   rpGrow(&beam->states, &beam->stateCapacity, beam->count, beam->problem->stateSize, error);
}

// Take up the state in the last slot: a goal, or one of its layer.
static void admit(Beam* beam, double cost, int parent, int index)
{
	const rpBranchProblem* problem = beam->problem;
	int slot = beam->count, group;
	Reached reached = {.cost = cost, .parent = parent, .index = index, .next = -1};
	int layer = problem->getLayer(getState(beam, slot), &group, problem->context);
	reached.group = group;
	if (parent >= 0 && problem->isGoal(getState(beam, slot), problem->context))
	{
		beam->best = beam->best < 0 || cost < beam->reached[beam->best].cost ? slot : beam->best;
	}
	else if (layer < problem->layers)
	{
		reached.next = beam->layers[layer];
		beam->layers[layer] = slot;
	}
	beam->reached[slot] = reached;
	++beam->count;
}

static bool expand(Beam* beam, int slot, rpError* error)
{
	const rpBranchProblem* problem = beam->problem;
	for (int i = 0;; ++i)
	{
		double cost = 0.0;
		if (!makeRoom(beam, error))
		{
			return false;
		}
		if (!problem->expand(getState(beam, slot), i, getState(beam, beam->count), &cost, problem->context))
		{
			return true;
		}
		++beam->result->expanded;
		double total = beam->reached[slot].cost + cost;
		bool isUseful = isfinite(total) && (beam->best < 0 || total < beam->reached[beam->best].cost);
		if (isUseful)
		{
			admit(beam, total, slot, i);
		}
	}
}

/// A state of the layer at hand, for sorting.
typedef struct Entry
{
	double cost;
	int slot, group;
} Entry;

static int compareEntries(const void* a, const void* b)
{
	const Entry* x = a;
	const Entry* y = b;
	if (x->cost != y->cost)
	{
		return x->cost < y->cost ? -1 : 1;
	}
	return x->slot < y->slot ? -1 : x->slot > y->slot;
}

static int countGroup(const Entry* entries, int count, int group)
{
	int found = 0;
	for (int i = 0; i < count; ++i)
	{
		found += entries[i].group == group;
	}
	return found;
}

static bool goOn(Beam* beam, int layer, int width, rpError* error)
{
	int count = 0, kept = 0;
	for (int slot = beam->layers[layer]; slot >= 0; slot = beam->reached[slot].next)
	{
		++count;
	}
	Entry* entries = rpAllocate((size_t)count, sizeof(Entry), error);
	if (entries == NULL)
	{
		return false;
	}
	count = 0;
	for (int slot = beam->layers[layer]; slot >= 0; slot = beam->reached[slot].next)
	{
		entries[count++] = (Entry){beam->reached[slot].cost, slot, beam->reached[slot].group};
	}
	qsort(entries, (size_t)count, sizeof(Entry), compareEntries);
	bool done = true;
	for (int i = 0; i < count && kept < width && done; ++i)
	{
		if (countGroup(entries, kept, entries[i].group) < PER_GROUP)
		{
			entries[kept++] = entries[i];
			done = expand(beam, entries[kept - 1].slot, error);
		}
	}
	rpFree(entries);
	return done;
}

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
	bool done =
		rpBranchResult_Keep(beam->result, beam->problem->keep, steps, depth, beam->reached[beam->best].cost, error);
	rpFree(steps);
	return done;
}

static bool run(Beam* beam, const void* start, int width, rpError* error)
{
	int layerCount = beam->problem->layers;
	beam->layers = rpAllocate((size_t)layerCount, sizeof(int), error);
	if (beam->layers == NULL || !makeRoom(beam, error))
	{
		return false;
	}
	for (int i = 0; i < layerCount; ++i)
	{
		beam->layers[i] = -1;
	}
	memcpy(getState(beam, 0), start, beam->problem->stateSize);
	admit(beam, 0.0, -1, -1);
	for (int layer = 0; layer < layerCount; ++layer)
	{
		if (beam->layers[layer] >= 0 && !goOn(beam, layer, width, error))
		{
			return false;
		}
	}
	return keepBest(beam, error);
}

bool rpSearchBeam(const rpBranchProblem* problem, const void* start, int width, rpBranchResult* out, rpError* error)
{
	Beam beam = {.problem = problem, .best = -1, .result = out};
	bool done = run(&beam, start, width, error);
	rpFree(beam.reached);
	rpFree(beam.states);
	rpFree(beam.layers);
	return done;
}
