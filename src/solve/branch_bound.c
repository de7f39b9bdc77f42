#include "solve/branch_bound.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/// A child that waits to be entered.
typedef struct Child
{
	/// Of the step, of all steps so far, and that with the estimate.
	double cost, total, min;
	int index;
	/// Its state in Search.states.
	int slot;
} Child;

/// A state on the path down: where its children and their states begin.
typedef struct Level
{
	int firstChild, firstState;
} Level;

/// The children of the states on the path down lie one after the other; so do their states, which stay until the last
/// of the children has been entered.
typedef struct Search
{
	const rpSearchSpace* space;
	const rpBranchDef* def;
	rpSolutions* solutions;
	Child* children;
	unsigned char* states;
	int childCount, childCapacity, stateCount, stateCapacity;

	/// [depth], and the step taken from each.
	Level* levels;
	int* steps;
	int depth, levelCapacity, stepCapacity;
	bool isOver;
} Search;

static void* getState(const Search* search, int slot)
{
	return search->states + (size_t)slot * search->space->stateSize;
}

static bool makeRoom(Search* search, rpError* error)
{
	return rpGrow(&search->children, &search->childCapacity, search->childCount, sizeof(Child), error) &&
		   rpGrow(&search->states, &search->stateCapacity, search->stateCount, search->space->stateSize, error);
}

static int compareChildren(const void* a, const void* b)
{
	const Child* x = a;
	const Child* y = b;
	if (x->cost != y->cost)
	{
		// The cheapest last: children are taken from the end.
		return x->cost > y->cost ? -1 : 1;
	}
	return x->index > y->index ? -1 : x->index < y->index;
}

static bool descend(Search* search, rpError* error)
{
	if (!rpGrow(&search->levels, &search->levelCapacity, search->depth, sizeof(Level), error) ||
		!rpGrow(&search->steps, &search->stepCapacity, search->depth, sizeof(int), error))
	{
		return false;
	}
	search->levels[search->depth++] = (Level){search->childCount, search->stateCount};
	return true;
}

// Expand a state: its children that may be of use, cheapest last.
static bool expand(Search* search, int slot, double total, rpError* error)
{
	const rpSearchSpace* space = search->space;
	int first = search->childCount;
	if (!descend(search, error))
	{
		return false;
	}
	for (int i = 0;; ++i)
	{
		double bound = rpSolutions_GetBound(search->solutions), cost = bound - total;
		if (!makeRoom(search, error))
		{
			return false;
		}
		int own = search->stateCount;
		if (!space->expand(getState(search, slot), i, getState(search, own), &cost, space->context))
		{
			break;
		}
		++search->solutions->expanded;
		if (total + cost < bound)
		{
			double min = total + cost + space->estimate(getState(search, own), space->context);
			search->children[search->childCount++] = (Child){cost, total + cost, min, i, own};
			++search->stateCount;
		}
	}
	qsort(search->children + first, (size_t)(search->childCount - first), sizeof(Child), compareChildren);
	return true;
}

// Take the next child of the deepest state, or go up.
static bool step(Search* search, rpError* error)
{
	const rpSearchSpace* space = search->space;
	if (search->childCount == search->levels[search->depth - 1].firstChild)
	{
		search->stateCount = search->levels[--search->depth].firstState;
		return true;
	}
	Child child = search->children[--search->childCount];
	if (child.min >= rpSolutions_GetBound(search->solutions))
	{
		return true;
	}
	search->steps[search->depth - 1] = child.index;
	if (space->isGoal(getState(search, child.slot), space->context))
	{
		search->isOver = child.min < search->def->enough;
		return rpSolutions_Keep(search->solutions, search->steps, search->depth, child.min, error);
	}
	return expand(search, child.slot, child.total, error);
}

static bool run(Search* search, const void* start, rpError* error)
{
	if (!makeRoom(search, error))
	{
		return false;
	}
	memcpy(getState(search, search->stateCount++), start, search->space->stateSize);
	bool done = expand(search, 0, 0.0, error);
	while (done && search->depth > 0 && !search->isOver && search->solutions->expanded < search->def->effort)
	{
		done = step(search, error);
	}
	return done;
}

bool rpBranchAndBound(const rpSearchSpace* space, const rpBranchDef* def, const void* start, rpSolutions* solutions,
					  bool* isExhaustive, rpError* error)
{
	Search search = {.space = space, .def = def, .solutions = solutions};
	bool done = run(&search, start, error);
	if (isExhaustive != NULL)
	{
		*isExhaustive = done && search.depth == 0;
	}
	rpFree(search.children);
	rpFree(search.states);
	rpFree(search.levels);
	rpFree(search.steps);
	return done;
}
