#include "solve/walk_space.h"

#include <math.h>

rpStep rpWalkSpace_Start(const rpWalkSpace* space)
{
	rpStep step = {.walk = {.graph = space->graph, .lastEdge = -1, .node = -1, .placement = space->def->placement}};
	for (int i = 0; i < rp_walkMemoCount; ++i)
	{
		step.walk.memo[i] = space->def->memo[i];
	}
	return step;
}

int rpWalkSpace_GetEdge(const rpWalkSpace* space, const rpStep* step, int index)
{
	const rpSearchDef* def = space->def;
	if (step->walk.lastEdge >= 0)
	{
		const rpGraphNode* node = &space->graph->nodes[step->walk.node];
		return index < node->edgeCount ? node->firstEdge + index : -1;
	}
	if (def->start >= 0)
	{
		return index == 0 ? def->start : -1;
	}
	int count = def->startCount > 0 ? def->startCount : space->graph->edgeCount;
	return index >= count ? -1 : def->startCount > 0 ? def->starts[index] : index;
}

rpGroundTransform rpWalkSpace_PlaceFirst(const rpWalkSpace* space, int edge)
{
	const rpSearchDef* def = space->def;
	return def->place != NULL ? def->place(space->graph, edge, def->context) : def->placement;
}

static void findTurn(rpStep* step)
{
	step->sine = sinf(step->walk.placement.turn);
	step->cosine = cosf(step->walk.placement.turn);
}

// The walk with the first frames of an edge, all but its cost and what the rule keeps.
static void extend(const rpGraph* graph, const rpStep* step, int e, int frameCount, rpStep* next)
{
	const rpGraphEdge* edge = &graph->edges[e];
	next->walk = step->walk;
	next->walk.lastEdge = e;
	next->walk.node = edge->to;
	next->walk.length += graph->lengths[edge->firstPoint + frameCount];
	next->walk.seconds += frameCount / graph->fps;
	next->frames = step->frames + frameCount;
	next->sine = step->sine;
	next->cosine = step->cosine;
	if (rpGraphEdge_IsTransition(edge))
	{
		rpVec3 shift = edge->alignment.shift, from = step->walk.placement.shift;
		next->walk.placement.turn = rpWrapAngle(step->walk.placement.turn + edge->alignment.turn);
		next->walk.placement.shift.x = from.x + step->cosine * shift.x + step->sine * shift.z;
		next->walk.placement.shift.y = from.y + shift.y;
		next->walk.placement.shift.z = from.z + step->cosine * shift.z - step->sine * shift.x;
	}
}

double rpWalkSpace_Append(const rpWalkSpace* space, const rpStep* step, int edge, int frameCount, double limit,
						  rpStep* next)
{
	const rpSearchDef* def = space->def;
	rpStep placed;
	if (step->walk.lastEdge < 0)
	{
		placed = *step;
		placed.walk.placement = rpWalkSpace_PlaceFirst(space, edge);
		findTurn(&placed);
		step = &placed;
	}
	extend(space->graph, step, edge, frameCount, next);
	double cost = space->rule.getCost(step, edge, frameCount, limit, next, space->rule.context);
	if (cost < limit)
	{
		if (rpGraphEdge_IsTransition(&space->graph->edges[edge]))
		{
			findTurn(next);
		}
		next->walk.cost = step->walk.cost + cost;
		next->isComplete = def->halt(&next->walk, def->context);
	}
	return cost;
}

// ---- as a search space

// Frames of an edge before the search ends.
static int countFrames(const rpWalkSpace* space, const rpStep* step, int edge)
{
	int frames = space->graph->edges[edge].frameCount, left = space->frameCount - step->frames;
	return frames < left || space->isWhole ? frames : left;
}

static bool getKey(const void* state, int index, rpSearchKey* key, void* context)
{
	const rpWalkSpace* space = context;
	const rpStep* step = state;
	int e = rpWalkSpace_GetEdge(space, step, index);
	if (e < 0)
	{
		return false;
	}
	const rpWalkRule* rule = &space->rule;
	const rpGraphEdge* edge = &space->graph->edges[e];
	// A node's edges lie beside each other, their lengths do not.
	const rpGraphEdge* later = e + 2 < space->graph->edgeCount ? edge + 2 : edge;
	__builtin_prefetch(&space->graph->lengths[later->firstPoint + later->frameCount]);
	int frames = countFrames(space, step, e);
	bool isTaken =
		step->frames + frames <= space->frameCount && (rule->mayTake == NULL || rule->mayTake(step, e, rule->context));
	double length = step->walk.length + space->graph->lengths[edge->firstPoint + frames];
	*key = (rpSearchKey){
		.layer = isTaken ? step->frames + frames : -1,
		// A prime, so that few of the pairs share a number.
		.group = edge->to * 1009 + (int)(length * space->lengthParts),
		.bin = rule->getBin != NULL && isTaken ? rule->getBin(step, e, rule->context) : 0,
	};
	return true;
}

static bool expand(const void* state, int index, void* child, double* cost, void* context)
{
	const rpWalkSpace* space = context;
	int edge = rpWalkSpace_GetEdge(space, state, index);
	if (edge >= 0)
	{
		*cost = rpWalkSpace_Append(space, state, edge, countFrames(space, state, edge), *cost, child);
	}
	return edge >= 0;
}

static double estimate(const void* state, void* context)
{
	(void)context;
	return ((const rpStep*)state)->ahead;
}

static bool isGoal(const void* state, void* context)
{
	const rpWalkSpace* space = context;
	const rpStep* step = state;
	return step->isComplete || (!space->isWhole && step->frames >= space->frameCount);
}

static void fetch(const void* state, int index, int stage, void* context)
{
	const rpWalkSpace* space = context;
	const rpGraph* graph = space->graph;
	int e = rpWalkSpace_GetEdge(space, state, index);
	if (e < 0 || stage == 0)
	{
		__builtin_prefetch(&graph->edges[e < 0 ? 0 : e]);
		return;
	}
	int first = graph->edges[e].firstPoint;
	__builtin_prefetch(&graph->path[first]);
	__builtin_prefetch(&graph->path[first + graph->edges[e].frameCount]);
	__builtin_prefetch(&graph->lengths[first]);
}

rpSearchSpace rpWalkSpace_Describe(rpWalkSpace* space)
{
	return (rpSearchSpace){
		.stateSize = sizeof(rpStep),
		.getKey = getKey,
		.expand = expand,
		.estimate = estimate,
		.isGoal = isGoal,
		.fetch = fetch,
		.context = space,
	};
}
