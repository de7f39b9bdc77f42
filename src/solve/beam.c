/// The beam of the search core: layer by layer, the cheapest states of each.
#include "base/memory.h"
#include "solve/branch_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// States of one group that go on from a layer.
#define PER_GROUP 2

// A state that this many times the width are cheaper than does not go on, whatever their groups.
#define PLENTY 2

/// A state that was reached: from where, by which child, at what cost.
typedef struct Reached
{
	double cost;
	int parent, index, group, next;
} Reached;

/// How many states of a layer are of each group: a table with open addressing.
typedef struct GroupCount
{
	int group, count;
} GroupCount;

/// All states that were reached; those of a layer are a list.
typedef struct Beam
{
	const rpBranchProblem* problem;
	Reached* reached;
	unsigned char* states;
	int count, capacity, stateCapacity;
	/// [layers], first of each list, -1 where it is empty.
	int* layers;
	/// [layers * most] the lowest costs of each layer, a heap with the greatest of them in front; how many: [layers].
	double* lowest;
	int* lowestCounts;
	int most;
	/// [tableSize], a power of two.
	GroupCount* table;
	int tableSize;
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

// What a state of a layer must cost less than to go on.
static double getLimit(const Beam* beam, int layer)
{
	double limit = beam->best >= 0 ? beam->reached[beam->best].cost : (double)INFINITY;
	if (layer < beam->problem->layers && beam->lowestCounts[layer] == beam->most)
	{
		double greatest = beam->lowest[(size_t)layer * (size_t)beam->most];
		limit = greatest < limit ? greatest : limit;
	}
	return limit;
}

// Put a cost among the lowest of its layer; it is under the limit.
static void noteCost(Beam* beam, int layer, double cost)
{
	double* heap = beam->lowest + (size_t)layer * (size_t)beam->most;
	int count = beam->lowestCounts[layer], i = 0;
	if (count < beam->most)
	{
		++beam->lowestCounts[layer];
		for (i = count; i > 0 && heap[(i - 1) / 2] < cost; i = (i - 1) / 2)
		{
			heap[i] = heap[(i - 1) / 2];
		}
	}
	else
	{
		for (int child = 1; child < count; child = 2 * i + 1)
		{
			child += child + 1 < count && heap[child + 1] > heap[child];
			if (heap[child] <= cost)
			{
				break;
			}
			heap[i] = heap[child];
			i = child;
		}
	}
	heap[i] = cost;
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
		noteCost(beam, layer, cost);
		reached.next = beam->layers[layer];
		beam->layers[layer] = slot;
	}
	beam->reached[slot] = reached;
	++beam->count;
}

static bool expand(Beam* beam, int slot, rpError* error)
{
	const rpBranchProblem* problem = beam->problem;
	double own = beam->reached[slot].cost;
	for (int i = 0, layer; (layer = problem->peekLayer(getState(beam, slot), i, problem->context)) >= 0; ++i)
	{
		double cost = 0.0;
		if (own >= getLimit(beam, layer))
		{
			continue;
		}
		if (!makeRoom(beam, error))
		{
			return false;
		}
		if (!problem->expand(getState(beam, slot), i, getState(beam, beam->count), &cost, problem->context))
		{
			return true;
		}
		++beam->result->expanded;
		double total = own + cost;
		if (isfinite(total) && total < getLimit(beam, layer))
		{
			admit(beam, total, slot, i);
		}
	}
	return true;
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

// Count a state of a group; false if there are enough of it already.
static bool countGroup(Beam* beam, int group)
{
	unsigned mask = (unsigned)beam->tableSize - 1, i = (unsigned)group * 2654435761u & mask;
	while (beam->table[i].count > 0 && beam->table[i].group != group)
	{
		i = (i + 1) & mask;
	}
	beam->table[i].group = group;
	return beam->table[i].count < PER_GROUP && ++beam->table[i].count > 0;
}

// The states of a layer that can go on, cheapest first.
static int listLayer(const Beam* beam, int layer, Entry* out)
{
	double limit = getLimit(beam, layer);
	int count = 0;
	for (int slot = beam->layers[layer]; slot >= 0; slot = beam->reached[slot].next)
	{
		if (beam->reached[slot].cost <= limit)
		{
			out[count++] = (Entry){beam->reached[slot].cost, slot, beam->reached[slot].group};
		}
	}
	qsort(out, (size_t)count, sizeof(Entry), compareEntries);
	return count;
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
	count = listLayer(beam, layer, entries);
	memset(beam->table, 0, (size_t)beam->tableSize * sizeof(GroupCount));
	bool done = true;
	for (int i = 0; i < count && kept < width && done; ++i)
	{
		if (countGroup(beam, entries[i].group))
		{
			++kept;
			done = expand(beam, entries[i].slot, error);
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
	beam->most = PLENTY * width;
	for (beam->tableSize = 4; beam->tableSize < 2 * beam->most;)
	{
		beam->tableSize *= 2;
	}
	beam->table = rpAllocate((size_t)beam->tableSize, sizeof(GroupCount), error);
	beam->layers = rpAllocate((size_t)layerCount, sizeof(int), error);
	beam->lowest = rpAllocate((size_t)layerCount * (size_t)beam->most, sizeof(double), error);
	beam->lowestCounts = rpAllocateZero((size_t)layerCount, sizeof(int), error);
	if (beam->layers == NULL || beam->lowest == NULL || beam->lowestCounts == NULL || beam->table == NULL ||
		!makeRoom(beam, error))
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
	rpFree(beam.lowest);
	rpFree(beam.lowestCounts);
	rpFree(beam.table);
	return done;
}
