#include "solve/search_space.h"

#include "base/assert.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

double rpSolutions_GetBound(const rpSolutions* solutions)
{
	return solutions->count < solutions->keep ? (double)INFINITY : solutions->items[solutions->count - 1].cost;
}

// The same solution may be found by two drivers.
static bool isKnown(const rpSolutions* solutions, const int* steps, int stepCount)
{
	for (int i = 0; i < solutions->count; ++i)
	{
		const rpSolution* item = &solutions->items[i];
		if (item->stepCount == stepCount && memcmp(item->steps, steps, (size_t)stepCount * sizeof(int)) == 0)
		{
			return true;
		}
	}
	return false;
}

bool rpSolutions_Keep(rpSolutions* solutions, const int* steps, int stepCount, double cost, rpError* error)
{
	RP_ASSERT(solutions->keep >= 1 && solutions->keep <= rp_maxSolutions);
	if (cost >= rpSolutions_GetBound(solutions) || isKnown(solutions, steps, stepCount))
	{
		return true;
	}
	int* copy = rpAllocate((size_t)stepCount, sizeof(int), error);
	if (copy == NULL)
	{
		return false;
	}
	memcpy(copy, steps, (size_t)stepCount * sizeof(int));
	if (solutions->count == solutions->keep)
	{
		rpFree(solutions->items[--solutions->count].steps);
	}
	int place = solutions->count++;
	for (; place > 0 && solutions->items[place - 1].cost > cost; --place)
	{
		solutions->items[place] = solutions->items[place - 1];
	}
	solutions->items[place] = (rpSolution){copy, stepCount, cost};
	return true;
}

void rpSolutions_Free(rpSolutions* solutions)
{
	for (int i = 0; i < solutions->count; ++i)
	{
		rpFree(solutions->items[i].steps);
	}
	*solutions = (rpSolutions){.keep = solutions->keep};
}
