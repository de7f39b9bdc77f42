/// Where a character of a parametric graph can be within a time: a "discrete, brute force method to embed" it in an
/// empty floor (Heck, 6.2.2.2), after Reitsma & Pollard (2007). Choices and motions are those of the table of moves.
#include "base/error.h"
#include "base/memory.h"
#include "solve/parametric_planner.h"
#include "solve/reach_floor.h"

#include <math.h>
#include <string.h>

// Places in time: shorter than any motion.
#define RATE 30.0

// Motions of a node that begin in the same cell with the same heading lead on alike where their values are in the same
// of so many parts of their ranges: by how many parameters there are. (Four parts for one parameter: where walks that
// all take a second reach in 5 s shrinks by half; twelve: by a hundredth, next to sixteen with half cells and 64
// headings.)
static const int s_valueParts[RP_MAX_SPACE_PARAMETERS + 1] = {1, 12, 5, 3, 3, 2, 2};

/// A motion that was reached, and the next that begins at the same time, -1.
typedef struct Place
{
	rpGoState state;
	int next;
} Place;

typedef struct Search
{
	rpGoSearch choices;
	rpReach* out;

	/// By the time at which they begin: the newest of each, [frameCount + 1].
	Place* places;
	int placeCount, capacity;
	int* newest;
	int frameCount;
	rpReachSeen seen;
} Search;

rpParametricReachDef rpDefaultParametricReachDef(void)
{
	return (rpParametricReachDef){.seconds = 5.0, .cell = 0.25f, .startNode = -1, .effort = 2000000};
}

// Where a motion leads along, as far as there is time, until it leads to others.
static void mark(const Search* search, const rpGoState* state)
{
	rpMove move;
	rpParametricMoves_Get(search->choices.moves, state->node, state->asked, &move);
	for (int i = 0; i < rp_moveMoments; ++i)
	{
		float at = move.seconds * (float)i / (float)(rp_moveMoments - 1);
		double seconds = (double)(state->seconds + at);
		if (seconds <= search->out->seconds)
		{
			rpMovePlace place = rpMovePlace_Compose(state->place, move.places[i]);
			rpReach_Mark(search->out, place.x, place.z, place.turn, seconds);
		}
	}
}

static uint64_t findKey(const Search* search, const rpGoState* state, int place)
{
	const rpSpace* space = search->choices.moves->model->graph->nodes[state->node].space;
	int parts = s_valueParts[space->parameterCount];
	uint64_t key = (uint64_t)state->node;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		float range = space->parameters[k].high - space->parameters[k].low;
		float part = range > 0.0f ? (state->asked[k] - space->parameters[k].low) / range : 0.0f;
		key = key * (uint64_t)parts + (uint64_t)fminf(fmaxf(part * (float)parts, 0.0f), (float)(parts - 1));
	}
	uint64_t size = (uint64_t)search->out->width * (uint64_t)search->out->width * rp_reachHeadings;
	return key * size + (uint64_t)place + 1;
}

static bool add(Search* search, const rpGoState* state, rpError* error)
{
	int place = rpReach_FindPlace(search->out, state->place.x, state->place.z, state->place.turn);
	int frame = (int)floor((double)state->seconds * RATE);
	if (place < 0 || frame > search->frameCount)
	{
		return true;
	}
	uint64_t key = findKey(search, state, place), *slot = rpReachSeen_Find(&search->seen, key);
	if (*slot != 0)
	{
		return true;
	}
	if (search->placeCount == search->seen.max)
	{
		search->out->isWhole = false;
		return true;
	}
	if (!rpGrow(&search->places, &search->capacity, search->placeCount, sizeof(Place), error))
	{
		return false;
	}
	*slot = key;
	search->places[search->placeCount] = (Place){*state, search->newest[frame]};
	search->newest[frame] = search->placeCount++;
	return true;
}

static bool expand(Search* search, const rpGoState* state, rpError* error)
{
	rpGoChoice choice;
	bool done = true;
	for (int i = 0; done && rpGoSearch_GetChoice(&search->choices, state, i, &choice); ++i)
	{
		rpGoState next;
		done = !rpGoSearch_Advance(&search->choices, state, i, &next) || add(search, &next, error);
	}
	return done;
}

static bool searchAll(Search* search, rpError* error)
{
	rpGoState start = rpGoSearch_Start();
	bool done = expand(search, &start, error);
	// A motion takes longer than a frame, so that a frame is complete when its turn comes.
	for (int frame = 0; frame <= search->frameCount && done; ++frame)
	{
		for (int i = search->newest[frame]; i >= 0 && done; i = search->places[i].next)
		{
			rpGoState state = search->places[i].state;
			mark(search, &state);
			done = expand(search, &state, error);
		}
	}
	search->out->placeCount = search->placeCount;
	rpReach_SumUp(search->out);
	return done;
}

static bool checkDef(const rpParametricPlanner* planner, const rpParametricReachDef* def, rpError* error)
{
	if (!(def->seconds > 0.0) || def->seconds > 60.0 || !(def->cell >= 0.01f) || def->cell > 100.0f ||
		def->effort < 1 || def->startNode < -1 || def->startNode >= planner->model.graph->nodeCount)
	{
		return rpFail(error, rp_errorArgument, "a reach of %g s in cells of %g m from node %d", def->seconds,
					  (double)def->cell, def->startNode);
	}
	return true;
}

static bool allocate(Search* search, int effort, rpError* error)
{
	search->frameCount = (int)floor(search->out->seconds * RATE);
	search->newest = rpAllocate((size_t)search->frameCount + 1, sizeof(int), error);
	if (search->newest == NULL || !rpReachSeen_Create(&search->seen, effort, error))
	{
		return false;
	}
	memset(search->newest, 0xff, ((size_t)search->frameCount + 1) * sizeof(int));
	return true;
}

rpReach* rpParametricPlanner_FindReach(rpParametricPlanner* planner, const rpParametricReachDef* def, rpError* error)
{
	rpParametricReachDef chosen = def != NULL ? *def : rpDefaultParametricReachDef();
	if (!checkDef(planner, &chosen, error))
	{
		return NULL;
	}
	rpParametricGoDef go = rpDefaultParametricGoDef();
	go.startNode = chosen.startNode;
	rpReach* reach = rpCreateReach(chosen.seconds, planner->limits.speed, chosen.cell, chosen.startNode, error);
	if (reach == NULL)
	{
		return NULL;
	}
	reach->longestWithoutChoice = reach->meanWithoutChoice = (double)INFINITY;
	Search search = {.choices = {&planner->moves, &go, planner->limits, 1.0f}, .out = reach};
	bool done = allocate(&search, chosen.effort, error) && searchAll(&search, error);
	rpReachSeen_Free(&search.seen);
	rpFree(search.newest);
	rpFree(search.places);
	if (!done)
	{
		rpDestroyReach(reach);
		return NULL;
	}
	return reach;
}
