/// Where a walk can be within a time. The graph is unrolled into places (node, cell of the floor, heading), in order of
/// time, each place once, as Reitsma & Pollard (2007) do; their environment is an empty floor here.
#include "reprise/reach.h"

#include "base/error.h"
#include "base/memory.h"
#include "solve/reach_times.h"

#include <string.h>

// The fastest that a root moves, m/s: more cells than that are never needed.
#define FASTEST 12.0

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
	int placeCount, capacity, effort;
	int* newest;
	int frameCount;

	/// Keys of places that were seen, open addressing, 0: free.
	uint64_t* seen;
	size_t seenMask;
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

// ---- cells

static int findHeading(float turn)
{
	int k = (int)floorf(rpWrapAngle(turn) * (float)(rp_reachHeadings / (2.0 * RP_PI)) + 0.5f);
	return (k + rp_reachHeadings) % rp_reachHeadings;
}

// The cell of a place on the floor, -1 if it is beyond the map.
static int findCell(const rpReach* reach, rpVec3 p)
{
	float half = 0.5f * (float)reach->width;
	float column = floorf(p.x / reach->cell + half), row = floorf(p.z / reach->cell + half);
	bool isInside = column >= 0.0f && row >= 0.0f && column < (float)reach->width && row < (float)reach->width;
	return isInside ? (int)row * reach->width + (int)column : -1;
}

// Note where an edge leads along, as far as there is time.
static void markEdge(Search* search, const Place* place, const rpGraphEdge* edge)
{
	rpReach* out = search->out;
	for (int f = 0; f <= edge->frameCount && place->frame + f <= search->frameCount; ++f)
	{
		rpVec2 point = search->graph->path[edge->firstPoint + f];
		int cell = findCell(out, rpGroundTransform_Apply(place->placement, (rpVec3){point.x, 0.0f, point.y}));
		if (cell >= 0)
		{
			float time = (float)((place->frame + f) / search->graph->fps);
			out->times[cell] = fminf(out->times[cell], time);
			float turn = search->headings[edge->firstPoint + f] + place->placement.turn;
			out->headings[cell] |= (uint16_t)(1u << findHeading(turn));
		}
	}
}

// ---- places

// Where a key is kept, or would be: there are twice as many slots as places, so that one is free.
static uint64_t* findSlot(const Search* search, uint64_t key)
{
	size_t slot = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 20) & search->seenMask;
	while (search->seen[slot] != 0 && search->seen[slot] != key)
	{
		slot = (slot + 1) & search->seenMask;
	}
	return &search->seen[slot];
}

static bool addPlace(Search* search, int node, int frame, rpGroundTransform placement, rpVec2 point, float heading,
					 rpError* error)
{
	int cell = findCell(search->out, rpGroundTransform_Apply(placement, (rpVec3){point.x, 0.0f, point.y}));
	uint64_t index = ((uint64_t)node * (uint64_t)search->out->width * (uint64_t)search->out->width + (uint64_t)cell);
	uint64_t key = index * rp_reachHeadings + (uint64_t)findHeading(heading + placement.turn) + 1;
	uint64_t* slot = findSlot(search, key);
	if (cell < 0 || frame > search->frameCount || *slot == key)
	{
		return true;
	}
	if (search->placeCount == search->effort)
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

static void sumUp(rpReach* reach)
{
	int cells = 0, headings = 0;
	for (int i = 0; i < reach->width * reach->width; ++i)
	{
		cells += isfinite(reach->times[i]);
		headings += __builtin_popcount(reach->headings[i]);
	}
	reach->area = cells * (double)reach->cell * (double)reach->cell;
	reach->headingShare = cells > 0 ? (double)headings / (cells * rp_reachHeadings) : 0.0;
}

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
	return fminf(step * (float)graph->fps, (float)FASTEST);
}

static bool allocate(Search* search, rpError* error)
{
	rpReach* out = search->out;
	size_t cells = (size_t)out->width * (size_t)out->width, slots = 1024;
	while (slots < 2 * (size_t)search->effort)
	{
		slots *= 2;
	}
	search->seenMask = slots - 1;
	search->headings = rpAllocate((size_t)search->graph->pointCount, sizeof(float), error);
	search->newest = rpAllocate((size_t)search->frameCount + 1, sizeof(int), error);
	search->seen = rpAllocateZero(slots, sizeof(uint64_t), error);
	out->times = rpAllocate(cells, sizeof(float), error);
	out->headings = rpAllocateZero(cells, sizeof(uint16_t), error);
	if (search->headings == NULL || search->newest == NULL || search->seen == NULL || out->times == NULL ||
		out->headings == NULL)
	{
		return false;
	}
	memset(search->newest, 0xff, ((size_t)search->frameCount + 1) * sizeof(int));
	for (size_t i = 0; i < cells; ++i)
	{
		out->times[i] = INFINITY;
	}
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
	rpReach* reach = checkDef(graph, &chosen, error) ? rpAllocateZero(1, sizeof(rpReach), error) : NULL;
	if (reach == NULL)
	{
		return NULL;
	}
	double radius = chosen.seconds * (double)findFastest(graph);
	reach->seconds = chosen.seconds;
	reach->cell = chosen.cell;
	reach->start = chosen.start < 0 ? 0 : chosen.start;
	reach->width = 2 * (int)fmin(ceil(radius / (double)chosen.cell), 1000.0) + 1;
	reach->isWhole = true;
	Search search = {.graph = graph, .out = reach, .effort = chosen.effort};
	search.frameCount = (int)(chosen.seconds * graph->fps + 1e-6);
	bool done = allocate(&search, error);
	if (done)
	{
		findHeadings(graph, search.headings);
		done = searchAll(&search, error) && rpFindReachTimes(graph, reach, error);
		sumUp(reach);
	}
	rpFree(search.headings);
	rpFree(search.newest);
	rpFree(search.seen);
	rpFree(search.places);
	if (!done)
	{
		rpDestroyReach(reach);
		return NULL;
	}
	return reach;
}

void rpDestroyReach(rpReach* reach)
{
	if (reach != NULL)
	{
		rpFree(reach->times);
		rpFree(reach->headings);
		rpFree(reach->switchTimes);
		rpFree(reach->switchShares);
		rpFree(reach);
	}
}
