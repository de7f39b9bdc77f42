/// Where a walk can be within a time. The graph is unrolled into places (node, cell of the floor, heading), in order of
/// time, each place once, as Reitsma & Pollard (2007) do; their environment is an empty floor here.
#include "reprise/reach.h"

#include "base/error.h"
#include "base/memory.h"
#include "solve/reach_floor.h"
#include "solve/reach_times.h"

#include <string.h>

/// A place that was reached: takes the clip of its node into the world.
typedef struct Place
{
	int node, frame;
	rpGroundTransform placement;
	/// The next in the same frame, -1 if none.
	int next;
} Place;

typedef struct Search
{
	const rpGraph* graph;
	rpReach* out;

	/// [pointCount] headings of the root along the edges, in the clip of the edge's start.
	float* headings;

	/// Places by their frame: the newest of each, [frameCount + 1].
	Place* places;
	int placeCount, capacity;
	int* newest;
	int frameCount;

	rpReachSeen seen;
} Search;

rpReachDef rpDefaultReachDef(void)
{
	return (rpReachDef){.seconds = 5.0, .cell = 0.25f, .start = -1, .effort = 2000000};
}

// ---- headings along edges

static float getClipHeading(const rpGraph* graph, int clip, int frame)
{
	const rpMotion* motion = graph->clips[clip].motion;
	return rpMotion_GetGround(motion, rpMotion_GetFrame(motion, frame / graph->fps)).turn;
}

static void findHeadings(const rpGraph* graph, float* headings)
{
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
		for (int f = 0; f <= edge->frameCount; ++f)
		{
			float own = getClipHeading(graph, from->clip, from->frame + f);
			if (rpGraphEdge_IsTransition(edge))
			{
				float other = getClipHeading(graph, to->clip, to->frame - edge->frameCount + f) + edge->alignment.turn;
				own += rpWrapAngle(other - own) * (float)f / (float)edge->frameCount;
			}
			headings[edge->firstPoint + f] = own;
		}
	}
}

// ---- places

// Note where an edge leads along, as far as there is time.
static void markEdge(Search* search, const Place* place, const rpGraphEdge* edge)
{
	rpReach* out = search->out;
	for (int f = 0; f <= edge->frameCount && place->frame + f <= search->frameCount; ++f)
	{
		rpVec2 point = search->graph->path[edge->firstPoint + f];
		rpVec3 at = rpGroundTransform_Apply(place->placement, (rpVec3){point.x, 0.0f, point.y});
		float turn = search->headings[edge->firstPoint + f] + place->placement.turn;
		rpReach_Mark(out, at.x, at.z, turn, (double)(place->frame + f) / search->graph->fps);
	}
}

static bool addPlace(Search* search, int node, int frame, rpGroundTransform placement, rpVec2 point, float heading,
					 rpError* error)
{
	rpVec3 at = rpGroundTransform_Apply(placement, (rpVec3){point.x, 0.0f, point.y});
	int onFloor = rpReach_FindPlace(search->out, at.x, at.z, heading + placement.turn);
	if (onFloor < 0 || frame > search->frameCount)
	{
		return true;
	}
	uint64_t size = (uint64_t)search->out->width * (uint64_t)search->out->width * rp_reachHeadings;
	uint64_t key = (uint64_t)node * size + (uint64_t)onFloor + 1, *slot = rpReachSeen_Find(&search->seen, key);
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
	search->places[search->placeCount] = (Place){node, frame, placement, search->newest[frame]};
	search->newest[frame] = search->placeCount++;
	return true;
}

static bool expand(Search* search, int index, rpError* error)
{
	const rpGraph* graph = search->graph;
	Place place = search->places[index];
	const rpGraphNode* node = &graph->nodes[place.node];
	for (int e = node->firstEdge; e < node->firstEdge + node->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		int last = edge->firstPoint + edge->frameCount;
		markEdge(search, &place, edge);
		// The end's point and heading are in the clip of the edge's start, as the placement is.
		bool isTransition = rpGraphEdge_IsTransition(edge);
		rpGroundTransform after =
			isTransition ? rpGroundTransform_Compose(place.placement, edge->alignment) : place.placement;
		rpGroundTransform back = isTransition ? rpGroundTransform_Invert(edge->alignment) : rpGroundTransform_identity;
		rpVec3 end = rpGroundTransform_Apply(back, (rpVec3){graph->path[last].x, 0.0f, graph->path[last].y});
		if (!addPlace(search, edge->to, place.frame + edge->frameCount, after, (rpVec2){end.x, end.z},
					  search->headings[last] + back.turn, error))
		{
			return false;
		}
	}
	return true;
}

static bool searchAll(Search* search, rpError* error)
{
	const rpGraph* graph = search->graph;
	const rpGraphEdge* first = &graph->edges[graph->nodes[search->out->start].firstEdge];
	rpVec2 point = graph->path[first->firstPoint];
	float heading = search->headings[first->firstPoint];
	rpGroundTransform placement = rpGroundTransform_Invert((rpGroundTransform){heading, {point.x, 0.0f, point.y}});
	bool done = addPlace(search, search->out->start, 0, placement, point, heading, error);
	// Every edge takes at least a frame, so that a frame is complete when its turn comes.
	for (int frame = 0; frame <= search->frameCount && done; ++frame)
	{
		for (int i = search->newest[frame]; i >= 0 && done; i = search->places[i].next)
		{
			done = expand(search, i, error);
		}
	}
	search->out->placeCount = search->placeCount;
	return done;
}

// ---- all of it

static float findFastest(const rpGraph* graph)
{
	float step = 0.0f;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		for (int f = 0; f < graph->edges[e].frameCount; ++f)
		{
			const float* length = graph->lengths + graph->edges[e].firstPoint + f;
			step = fmaxf(step, length[1] - length[0]);
		}
	}
	return step * (float)graph->fps;
}

static bool allocate(Search* search, rpError* error)
{
	search->headings = rpAllocate((size_t)search->graph->pointCount, sizeof(float), error);
	search->newest = rpAllocate((size_t)search->frameCount + 1, sizeof(int), error);
	if (search->headings == NULL || search->newest == NULL)
	{
		return false;
	}
	memset(search->newest, 0xff, ((size_t)search->frameCount + 1) * sizeof(int));
	return true;
}

static bool checkDef(const rpGraph* graph, const rpReachDef* def, rpError* error)
{
	int start = def->start < 0 ? 0 : def->start;
	if (!(def->seconds > 0.0) || def->seconds > 60.0 || !(def->cell >= 0.01f) || def->cell > 100.0f ||
		def->effort < 1 || start >= graph->nodeCount || graph->nodes[start].edgeCount == 0)
	{
		return rpFail(error, rp_errorArgument, "a reach of %g s in cells of %g m from node %d", def->seconds,
					  (double)def->cell, def->start);
	}
	return true;
}

rpReach* rpGraph_FindReach(const rpGraph* graph, const rpReachDef* def, rpError* error)
{
	rpReachDef chosen = def != NULL ? *def : rpDefaultReachDef();
	rpReach* reach = checkDef(graph, &chosen, error)
						 ? rpCreateReach(chosen.seconds, (double)findFastest(graph), chosen.cell,
										 chosen.start < 0 ? 0 : chosen.start, error)
						 : NULL;
	if (reach == NULL)
	{
		return NULL;
	}
	Search search = {.graph = graph, .out = reach};
	search.frameCount = (int)(chosen.seconds * graph->fps + 1e-6);
	bool done = rpReachSeen_Create(&search.seen, chosen.effort, error) && allocate(&search, error);
	if (done)
	{
		findHeadings(graph, search.headings);
		done = searchAll(&search, error) && rpFindReachTimes(graph, reach, error);
		rpReach_SumUp(reach);
	}
	rpFree(search.headings);
	rpFree(search.newest);
	rpReachSeen_Free(&search.seen);
	rpFree(search.places);
	if (!done)
	{
		rpDestroyReach(reach);
		return NULL;
	}
	return reach;
}
