#include "thesis_search.h"

#include "math/path_distance.h"

#include <math.h>
#include <stdlib.h>

// n and m of section 4.2.1, and gamma, the min progress in a frame, metres, of section 4.3.1.
#define SEARCHED 90
#define KEPT 30
#define MIN_PROGRESS 0.005

// Branch and bound is exponential: so many edges are tried in one window, a hundred times what the library's takes.
#define MAX_TRIED 2000000

enum
{
	deepest = SEARCHED + 1,
	maxPoints = 1 << 16,
};

/// A walk: where it is, how far it has come along the path, and its last edge.
typedef struct State
{
	rpGroundTransform placement;
	double progress;
	int node;
} State;

typedef struct Thesis
{
	const rpGraph* graph;
	uint64_t labels;
	const rpVec2* points;
	int pointCount;
	/// [pointCount] arc length.
	double* lengths;
	double length;

	/// The window's search: edges on the path down, the best walk, what it costs, and what was tried.
	int edges[deepest];
	int bestEdges[deepest];
	int bestCount;
	double bestCost;
	int64_t tried;

	/// The root's places, frame by frame.
	rpVec2* places;
	int placeCount;
} Thesis;

static rpVec2 getPathPoint(const Thesis* thesis, double length)
{
	int low = 0, high = thesis->pointCount - 1;
	if (length >= thesis->length)
	{
		return thesis->points[high];
	}
	while (high - low > 1)
	{
		int middle = (low + high) / 2;
		low = thesis->lengths[middle] <= length ? middle : low;
		high = thesis->lengths[middle] <= length ? high : middle;
	}
	double gap = thesis->lengths[high] - thesis->lengths[low];
	float t = gap > 0.0 ? (float)((length - thesis->lengths[low]) / gap) : 0.0f;
	rpVec2 a = thesis->points[low], b = thesis->points[high];
	return (rpVec2){a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

// g(w, e) of the first frames of an edge, and the walk with it.
static double append(const Thesis* thesis, const State* walk, int e, int frames, State* next)
{
	const rpGraphEdge* edge = &thesis->graph->edges[e];
	const rpVec2* own = thesis->graph->path + edge->firstPoint;
	double cost = 0.0, progress = walk->progress;
	for (int f = 1; f <= frames; ++f)
	{
		progress += fmax(hypot((double)own[f].x - own[f - 1].x, (double)own[f].y - own[f - 1].y), MIN_PROGRESS);
		rpVec3 place = rpGroundTransform_Apply(walk->placement, (rpVec3){own[f].x, 0.0f, own[f].y});
		rpVec2 wanted = getPathPoint(thesis, progress);
		double dx = (double)place.x - wanted.x, dz = (double)place.z - wanted.y;
		cost += dx * dx + dz * dz;
	}
	*next = (State){walk->placement, progress, edge->to};
	if (rpGraphEdge_IsTransition(edge))
	{
		next->placement = rpGroundTransform_Compose(walk->placement, edge->alignment);
	}
	return cost;
}

typedef struct Child
{
	double cost;
	int edge, frames;
	State state;
} Child;

static int compareChildren(const void* a, const void* b)
{
	const Child* x = a;
	const Child* y = b;
	if (x->cost != y->cost)
	{
		return x->cost < y->cost ? -1 : 1;
	}
	return x->edge - y->edge;
}

static void descend(Thesis* thesis, const State* walk, int depth, int frames, double cost);

// Children in the order of their costs, as long as they can beat the best.
static void tryChildren(Thesis* thesis, Child* children, int count, int depth, int frames, double cost)
{
	if (count > 1)
	{
		qsort(children, (size_t)count, sizeof(Child), compareChildren);
	}
	for (int i = 0; i < count && cost + children[i].cost < thesis->bestCost && thesis->tried < MAX_TRIED; ++i)
	{
		thesis->edges[depth] = children[i].edge;
		descend(thesis, &children[i].state, depth + 1, frames + children[i].frames, cost + children[i].cost);
	}
}

static void descend(Thesis* thesis, const State* walk, int depth, int frames, double cost)
{
	if (frames >= SEARCHED || walk->progress >= thesis->length)
	{
		thesis->bestCost = cost;
		thesis->bestCount = depth;
		for (int i = 0; i < depth; ++i)
		{
			thesis->bestEdges[i] = thesis->edges[i];
		}
		return;
	}
	const rpGraphNode* node = &thesis->graph->nodes[walk->node];
	Child* children = malloc((size_t)node->edgeCount * sizeof(Child) + 1);
	int count = 0;
	for (int k = 0; k < node->edgeCount && children != NULL; ++k)
	{
		int e = node->firstEdge + k, left = SEARCHED - frames, length = thesis->graph->edges[e].frameCount;
		if (rpGraph_StaysIn(thesis->graph, e, thesis->labels))
		{
			Child* child = &children[count++];
			child->edge = e;
			child->frames = length < left ? length : left;
			child->cost = append(thesis, walk, e, child->frames, &child->state);
			++thesis->tried;
		}
	}
	tryChildren(thesis, children, count, depth, frames, cost);
	free(children);
}

// The root at the path's start, going or looking in the direction of the path, as in the library.
static State placeStart(const Thesis* thesis, int e)
{
	const rpGraph* graph = thesis->graph;
	const rpGraphEdge* edge = &graph->edges[e];
	const rpGraphNode* node = &graph->nodes[edge->from];
	const rpMotion* motion = graph->clips[node->clip].motion;
	rpVec2 first = graph->path[edge->firstPoint], last = graph->path[edge->firstPoint + edge->frameCount];
	rpVec2 begin = thesis->points[0], ahead = getPathPoint(thesis, 0.3);
	float heading = hypotf(last.x - first.x, last.y - first.y) > 0.2f
						? atan2f(last.x - first.x, last.y - first.y)
						: rpMotion_GetGround(motion, rpMotion_GetFrame(motion, node->frame / graph->fps)).turn;
	float turn = rpWrapAngle(atan2f(ahead.x - begin.x, ahead.y - begin.y) - heading);
	rpVec3 start = rpGroundTransform_Apply((rpGroundTransform){turn, rpVec3_zero}, (rpVec3){first.x, 0.0f, first.y});
	return (State){{turn, {begin.x - start.x, 0.0f, begin.y - start.z}}, 0.0, edge->from};
}

// The first window: any stretch of a clip may be the first edge.
static void searchStart(Thesis* thesis, State* start)
{
	const rpGraph* graph = thesis->graph;
	Child* children = malloc((size_t)graph->edgeCount * sizeof(Child) + 1);
	int count = 0;
	for (int e = 0; e < graph->edgeCount && children != NULL; ++e)
	{
		if (!rpGraphEdge_IsTransition(&graph->edges[e]) && rpGraph_StaysIn(graph, e, thesis->labels))
		{
			Child* child = &children[count++];
			State placed = placeStart(thesis, e);
			int length = graph->edges[e].frameCount;
			child->edge = e;
			child->frames = length < SEARCHED ? length : SEARCHED;
			child->cost = append(thesis, &placed, e, child->frames, &child->state);
		}
	}
	tryChildren(thesis, children, count, 0, 0, 0.0);
	free(children);
	if (thesis->bestCount > 0)
	{
		*start = placeStart(thesis, thesis->bestEdges[0]);
	}
}

static void putPlace(Thesis* thesis, rpGroundTransform placement, rpVec2 own)
{
	rpVec3 place = rpGroundTransform_Apply(placement, (rpVec3){own.x, 0.0f, own.y});
	if (thesis->placeCount < maxPoints)
	{
		thesis->places[thesis->placeCount++] = (rpVec2){place.x, place.z};
	}
}

// Keep whole edges until m frames are kept, or the path has been walked. Of the last edge no more than that counts.
static void keep(Thesis* thesis, State* walk)
{
	int kept = 0;
	for (int i = 0; i < thesis->bestCount && kept < KEPT && walk->progress < thesis->length; ++i)
	{
		const rpGraphEdge* edge = &thesis->graph->edges[thesis->bestEdges[i]];
		State next = *walk;
		for (int f = 1; f <= edge->frameCount && next.progress < thesis->length; ++f)
		{
			append(thesis, walk, thesis->bestEdges[i], f, &next);
			putPlace(thesis, walk->placement, thesis->graph->path[edge->firstPoint + f]);
		}
		append(thesis, walk, thesis->bestEdges[i], edge->frameCount, &next);
		*walk = next;
		kept += edge->frameCount;
	}
}

static bool follow(Thesis* thesis)
{
	State walk = {.node = -1};
	for (int window = 0; window == 0 || walk.progress < thesis->length; ++window)
	{
		thesis->bestCost = (double)INFINITY;
		thesis->bestCount = 0;
		thesis->tried = 0;
		if (window == 0)
		{
			searchStart(thesis, &walk);
		}
		else
		{
			descend(thesis, &walk, 0, 0, 0.0);
		}
		if (thesis->bestCount == 0 || thesis->placeCount == maxPoints)
		{
			return false;
		}
		keep(thesis, &walk);
	}
	return true;
}

bool benchFollowAsInThesis(const rpGraph* graph, uint64_t labels, const rpVec2* points, int pointCount, double* error)
{
	Thesis thesis = {.graph = graph, .labels = labels, .points = points, .pointCount = pointCount};
	thesis.lengths = calloc((size_t)pointCount, sizeof(double));
	thesis.places = malloc(maxPoints * sizeof(rpVec2));
	bool done = thesis.lengths != NULL && thesis.places != NULL;
	for (int i = 1; i < pointCount && done; ++i)
	{
		thesis.length += hypot((double)points[i].x - points[i - 1].x, (double)points[i].y - points[i - 1].y);
		thesis.lengths[i] = thesis.length;
	}
	done = done && follow(&thesis);
	if (done)
	{
		*error = rpMeasureNearest(thesis.places, thesis.placeCount, points, pointCount).mean;
	}
	free(thesis.lengths);
	free(thesis.places);
	return done;
}
