/// Partial edges (Heck, 6.3): some motions of a node may lead nowhere, so boxes that lead to them are made smaller,
/// until from wherever one can get one can go on.
#include "build/parametric_build.h"

#include "base/memory.h"

#include <string.h>

typedef struct Closing
{
	rpParametricGraph* graph;

	/// [edgeCount], one for each edge.
	const rpTransitionTable* tables;

	/// [edgeCount]: motions of the edge's target from which nothing leads on, by number in its table.
	bool** dead;
	bool isChanged;
} Closing;

static bool leadsOn(const rpParametricGraph* graph, int node, const float* values)
{
	bool leads = false;
	for (int e = 0; e < graph->edgeCount && !leads; ++e)
	{
		leads = graph->edges[e].source == node && !rpParametricGraph_LookUp(graph, e, values).isEmpty;
	}
	return leads;
}

static bool markDead(Closing* closing, int edge)
{
	const rpTransitionTable* table = &closing->tables[edge];
	bool isNew = false;
	for (int j = 0; j < table->targetCount; ++j)
	{
		const float* values = table->targetValues + (size_t)j * (size_t)table->target->parameterCount;
		bool isDead = closing->dead[edge][j] || !leadsOn(closing->graph, closing->graph->edges[edge].target, values);
		isNew = isNew || isDead != closing->dead[edge][j];
		closing->dead[edge][j] = isDead;
	}
	return isNew;
}

static void findBoxes(Closing* closing, int edge)
{
	const rpParametricEdge* own = &closing->graph->edges[edge];
	for (int i = 0; i < own->sampleCount; ++i)
	{
		rpFindBox(&closing->tables[edge], i, own->good, own->bad, closing->dead[edge],
				  &closing->graph->samples[own->firstSample + i], NULL);
	}
}

bool rpCloseParametricGraph(rpParametricGraph* graph, const rpTransitionTable* tables, rpError* error)
{
	Closing closing = {.graph = graph, .tables = tables};
	closing.dead = rpAllocateZero((size_t)graph->edgeCount, sizeof(bool*), error);
	bool done = closing.dead != NULL;
	for (int e = 0; e < graph->edgeCount && done; ++e)
	{
		closing.dead[e] = rpAllocateZero((size_t)tables[e].targetCount, sizeof(bool), error);
		done = closing.dead[e] != NULL;
	}
	// What is dead stays so: it ends.
	do
	{
		closing.isChanged = false;
		for (int e = 0; e < graph->edgeCount && done; ++e)
		{
			closing.isChanged = markDead(&closing, e) || closing.isChanged;
		}
		for (int e = 0; e < graph->edgeCount && done && closing.isChanged; ++e)
		{
			findBoxes(&closing, e);
		}
	} while (done && closing.isChanged);
	for (int e = 0; closing.dead != NULL && e < graph->edgeCount; ++e)
	{
		rpFree(closing.dead[e]);
	}
	rpFree(closing.dead);
	return done;
}
