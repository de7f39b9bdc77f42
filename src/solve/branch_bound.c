#include "solve/branch_bound.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A child that waits to be entered.
typedef struct Child
{
	double cost;
	double total;
	int index;
	/// Its state in Search.states.
	int slot;
} Child;

/// The children of the states on the way down lie one behind the other; so do their states, which stay until the last
/// of the children has been entered.
typedef struct Search
{
	const rpBranchProblem* problem;
	Child* children;
	unsigned char* states;
	int childCount, childCapacity, stateCount, stateCapacity;

	/// For each depth: where its children and their states begin, and the step taken.
	int* firstChildren;
	int* firstStates;
	int* steps;
	int depth;
	rpBranchResult* result;
	bool isOver;
} Search;

static void* getState(Search* search, int slot)
{
	return search->states + (size_t)slot * search->problem->stateSize;
}

static bool makeRoom(Search* search, rpError* error)
{
	return rpGrow(&search->children, &search->childCapacity, search->childCount, sizeof(Child), error) &&
		   rpGrow(&search->states, &search->stateCapacity, search->stateCount, search->problem->stateSize, error);
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

// What a solution must cost less than to be of use.
static double getBound(const Search* search)
{
	const rpBranchResult* result = search->result;
	return result->count < search->problem->keep ? (double)INFINITY : result->solutions[result->count - 1].cost;
}

static double estimate(const Search* search, const void* state)
{
	const rpBranchProblem* problem = search->problem;
	return problem->estimate != NULL ? problem->estimate(state, problem->context) : 0.0;
}

// Expand a state: its children that may be of use, cheapest last.
static bool expand(Search* search, int slot, double total, rpError* error)
{
	const rpBranchProblem* problem = search->problem;
	int first = search->childCount;
	search->firstChildren[search->depth] = first;
	search->firstStates[search->depth] = search->stateCount;
	if (problem->open != NULL)
	{
		problem->open(getState(search, slot), problem->context);
	}
	for (int i = 0;; ++i)
	{
		double cost = getBound(search) - total;
		if (!makeRoom(search, error))
		{
			return false;
		}
		int own = search->stateCount;
		if (!problem->expand(getState(search, slot), i, getState(search, own), &cost, problem->context))
		{
			break;
		}
		++search->result->expanded;
		if (total + cost + estimate(search, getState(search, own)) < getBound(search))
		{
			search->children[search->childCount++] = (Child){cost, total + cost, i, own};
			++search->stateCount;
		}
	}
	++search->depth;
	qsort(search->children + first, (size_t)(search->childCount - first), sizeof(Child), compareChildren);
	return true;
}

// The same solution may be found twice: by the beam and by the branches.
static bool isKnown(const rpBranchResult* result, const int* steps, int stepCount)
{
	for (int i = 0; i < result->count; ++i)
	{
		const rpSolution* solution = &result->solutions[i];
		if (solution->stepCount == stepCount && memcmp(solution->steps, steps, (size_t)stepCount * sizeof(int)) == 0)
		{
			return true;
		}
	}
	return false;
}

bool rpBranchResult_Keep(rpBranchResult* result, int most, const int* steps, int stepCount, double cost, rpError* error)
{
	if (isKnown(result, steps, stepCount) || (result->count == most && cost >= result->solutions[most - 1].cost))
	{
		return true;
	}
	int* copy = rpAllocate((size_t)stepCount, sizeof(int), error);
	if (copy == NULL)
	{
		return false;
	}
	memcpy(copy, steps, (size_t)stepCount * sizeof(int));
	if (result->count == most)
	{
		rpFree(result->solutions[--result->count].steps);
	}
	int place = result->count++;
	for (; place > 0 && result->solutions[place - 1].cost > cost; --place)
	{
		result->solutions[place] = result->solutions[place - 1];
	}
	result->solutions[place] = (rpSolution){copy, stepCount, cost};
	return true;
}

static bool keepSolution(Search* search, double cost, rpError* error)
{
	search->isOver = cost < search->problem->enough;
	return rpBranchResult_Keep(search->result, search->problem->keep, search->steps, search->depth, cost, error);
}

// Take the next child of the deepest state, or go up.
static bool step(Search* search, rpError* error)
{
	const rpBranchProblem* problem = search->problem;
	if (search->childCount == search->firstChildren[search->depth - 1])
	{
		search->stateCount = search->firstStates[--search->depth];
		return true;
	}
	Child child = search->children[--search->childCount];
	if (child.total + estimate(search, getState(search, child.slot)) >= getBound(search))
	{
		return true;
	}
	search->steps[search->depth - 1] = child.index;
	if (problem->isGoal(getState(search, child.slot), problem->context))
	{
		return keepSolution(search, child.total, error);
	}
	return search->depth == problem->depth || expand(search, child.slot, child.total, error);
}

static bool run(Search* search, const void* start, rpError* error)
{
	const rpBranchProblem* problem = search->problem;
	search->firstChildren = rpAllocate((size_t)problem->depth + 1, sizeof(int), error);
	search->firstStates = rpAllocate((size_t)problem->depth + 1, sizeof(int), error);
	search->steps = rpAllocate((size_t)problem->depth + 1, sizeof(int), error);
	if (search->firstChildren == NULL || search->firstStates == NULL || search->steps == NULL ||
		!makeRoom(search, error))
	{
		return false;
	}
	memcpy(getState(search, search->stateCount++), start, problem->stateSize);
	bool done = expand(search, 0, 0.0, error);
	while (done && search->depth > 0 && !search->isOver && search->result->expanded < problem->effort)
	{
		done = step(search, error);
	}
	search->result->isExhaustive = search->depth == 0;
	return done;
}

bool rpBranchAndBound(const rpBranchProblem* problem, const void* start, rpBranchResult* out, rpError* error)
{
	RP_ASSERT(problem->keep >= 1 && problem->keep <= rp_mostSolutions && problem->depth >= 1);
	Search search = {.problem = problem, .result = out};
	bool done = run(&search, start, error);
	rpFree(search.children);
	rpFree(search.states);
	rpFree(search.firstChildren);
	rpFree(search.firstStates);
	rpFree(search.steps);
	if (!done)
	{
		rpBranchResult_Free(out);
	}
	return done;
}

void rpBranchResult_Free(rpBranchResult* result)
{
	for (int i = 0; i < result->count; ++i)
	{
		rpFree(result->solutions[i].steps);
	}
	*result = (rpBranchResult){0};
}
