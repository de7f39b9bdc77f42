/// Steering tables (section 4.4 of Kovar's thesis, "interactive control") by dynamic programming in place of a search
/// for every edge and direction.
///
/// The cost of a walk is the integral of |v - s d|² over its time T: the integral of |v|², less 2 s d·D, plus s² T,
/// where D is the displacement from its start to its end. So all that matters of a walk, for whatever direction, are
/// two things that add up along it: the integral of |v|², and D. Let the best walk of h frames from a node be known for
/// some directions, for all h up to some number. Then the best one of the next h begins with some edge, and goes on
/// with a best walk of fewer frames from its end; where that edge is a transition, the direction is turned by it, and
/// falls between two of them: of the best walks of both the better one is taken, by its true cost in the true
/// direction.
#include "base/memory.h"
#include "math/order.h"
#include "reprise/steering.h"
#include "work/parallel.h"

#include <stdlib.h>
#include <string.h>

// The share of frames whose speed is below the one that is wanted, where none is given.
#define SPEED_QUANTILE 0.75

enum
{
	/// Directions that walks are looked for in: those of the table, and others between them, since after a transition a
	/// direction is taken for the nearest of them. A power of two.
	fineness = 4,
	walkDirections = fineness * rp_steerDirections,

	/// Nodes that a thread takes at once; and edges below which threads would wait for one another more than work.
	blockNodes = 64,
	fewEdges = 20000,
};

/// What matters of a walk: the integral of |v|², m²/s, and its displacement in the clip of its first node, metres.
typedef struct WalkSum
{
	float squares, x, z;
} WalkSum;

/// The best walks of one length from a node, for each direction and for staying.
typedef struct WalkSums
{
	float squares[walkDirections], x[walkDirections], z[walkDirections];
	WalkSum stay;
} WalkSums;

/// The work on one table.
typedef struct Steering
{
	const rpGraph* graph;
	int frames;
	float speed;
	/// The directions.
	float x[walkDirections], z[walkDirections];

	/// [pointCount] integral of |v|² from the edge's start.
	float* squares;

	/// [edgeCount] turn of the clip at the edge's end, as (sine, cosine), and in whole directions, rounded up.
	rpVec2* turns;
	int* steps;

	/// [layerCount * nodeCount] best walks by their length: those of n frames are in layer n % layerCount. No edge
	/// looks farther back.
	int layerCount;
	WalkSums* sums;

	/// [nodeCount * rp_steerCount], and the number of frames that is worked on.
	int* table;
	int layer;
} Steering;

rpSteeringDef rpDefaultSteeringDef(void)
{
	return (rpSteeringDef){.seconds = 3.0};
}

// A direction as (x, z); nothing for staying.
static rpVec2 getDirection(int direction)
{
	double angle = 2.0 * RP_PI * direction / walkDirections;
	return direction == walkDirections ? (rpVec2){0.0f, 0.0f} : (rpVec2){(float)sin(angle), (float)cos(angle)};
}

// Turned by an angle given as (sine, cosine).
static rpVec2 turn(rpVec2 v, rpVec2 angle)
{
	return (rpVec2){angle.y * v.x + angle.x * v.y, angle.y * v.y - angle.x * v.x};
}

// ---- what is known of the graph

// The quantile of the speeds of all frames, m/s. Negative when memory ran out.
static double findSpeed(const rpGraph* graph, rpError* error)
{
	float* speeds = rpAllocate((size_t)graph->pointCount, sizeof(float), error);
	int count = 0;
	if (speeds == NULL)
	{
		return -1.0;
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		for (int f = 0; f < edge->frameCount && !rpGraphEdge_IsTransition(edge); ++f)
		{
			const float* length = graph->lengths + edge->firstPoint + f;
			speeds[count++] = (length[1] - length[0]) * (float)graph->fps;
		}
	}
	qsort(speeds, (size_t)count, sizeof(float), rpCompareFloats);
	double speed = count > 0 ? (double)speeds[(int)(SPEED_QUANTILE * (count - 1))] : 0.0;
	rpFree(speeds);
	return speed;
}

static void addSquares(const rpGraph* graph, float* squares)
{
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		double sum = 0.0;
		for (int f = 0; f <= edge->frameCount; ++f)
		{
			const rpVec2* point = graph->path + edge->firstPoint + f;
			double x = f > 0 ? (double)point->x - (double)point[-1].x : 0.0;
			double z = f > 0 ? (double)point->y - (double)point[-1].y : 0.0;
			sum += (x * x + z * z) * graph->fps;
			squares[edge->firstPoint + f] = (float)sum;
		}
	}
}

static void findTurns(Steering* steering)
{
	const rpGraph* graph = steering->graph;
	for (int i = 0; i < walkDirections; ++i)
	{
		rpVec2 direction = getDirection(i);
		steering->x[i] = direction.x;
		steering->z[i] = direction.y;
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		double angle = !rpGraphEdge_IsTransition(&graph->edges[e]) ? 0.0 : (double)graph->edges[e].alignment.turn;
		steering->turns[e] = (rpVec2){(float)sin(angle), (float)cos(angle)};
		steering->steps[e] = (int)ceil(angle * walkDirections / (2.0 * RP_PI));
	}
}

// ---- the recursion

static WalkSums* getSums(const Steering* steering, int frames, int node)
{
	size_t layer = (size_t)(frames % steering->layerCount);
	return steering->sums + layer * (size_t)steering->graph->nodeCount + (size_t)node;
}

/// The best walks of so many frames from a node.
typedef struct Choices
{
	WalkSums sums;
	float costs[walkDirections];
	float stayCost;
	/// The edges they begin with, -1 where there is none.
	int edges[walkDirections], stayEdge;
} Choices;

// All of the cost but s² T, which is the same for walks of one length. twice: 2 s.
static inline float getCost(float twice, float squares, float along)
{
	return squares - twice * along;
}

static void tryStay(int edge, WalkSum start, WalkSum rest, rpVec2 angle, Choices* best)
{
	float squares = start.squares + rest.squares;
	if (squares < best->stayCost)
	{
		rpVec2 displacement = turn((rpVec2){rest.x, rest.z}, angle);
		best->stayCost = squares;
		best->stayEdge = edge;
		best->sums.stay = (WalkSum){squares, start.x + displacement.x, start.z + displacement.y};
	}
}

// Walks that end within an edge, or go on after it in its own clip. What is better is chosen without branches, so that
// directions are worked on side by side.
static void trySame(const Steering* steering, int edge, WalkSum start, const WalkSums* ends, Choices* restrict best)
{
	float twice = 2.0f * steering->speed;
	for (int k = 0; k < walkDirections; ++k)
	{
		float squares = start.squares + ends->squares[k], x = start.x + ends->x[k], z = start.z + ends->z[k];
		float cost = getCost(twice, squares, x * steering->x[k] + z * steering->z[k]);
		bool isBetter = cost < best->costs[k];
		best->costs[k] = isBetter ? cost : best->costs[k];
		best->edges[k] = isBetter ? edge : best->edges[k];
		best->sums.squares[k] = isBetter ? squares : best->sums.squares[k];
		best->sums.x[k] = isBetter ? x : best->sums.x[k];
		best->sums.z[k] = isBetter ? z : best->sums.z[k];
	}
	tryStay(edge, start, ends->stay, (rpVec2){0.0f, 1.0f}, best);
}

// The values of all directions from one on, around the circle and a step farther.
static void unroll(const float* from, int first, float* out)
{
	size_t count = (size_t)(walkDirections - first);
	memcpy(out, from + first, count * sizeof(float));
	memcpy(out + count, from, (size_t)(first + 1) * sizeof(float));
}

// Walks that go on in a clip that is turned. A direction falls between two of that clip's; costs add up, and do not
// depend on how the world is turned.
static void tryTurned(const Steering* steering, int edge, WalkSum start, const WalkSums* ends, Choices* restrict best)
{
	float squares[walkDirections + 1], x[walkDirections + 1], z[walkDirections + 1];
	int first = (int)((unsigned)-steering->steps[edge] % walkDirections);
	unroll(ends->squares, first, squares);
	unroll(ends->x, first, x);
	unroll(ends->z, first, z);
	rpVec2 angle = steering->turns[edge];
	float twice = 2.0f * steering->speed, s = angle.x, c = angle.y;
	for (int k = 0; k < walkDirections; ++k)
	{
		float dx = steering->x[k], dz = steering->z[k], turnedX = c * dx - s * dz, turnedZ = c * dz + s * dx;
		float low = getCost(twice, squares[k], x[k] * turnedX + z[k] * turnedZ);
		float high = getCost(twice, squares[k + 1], x[k + 1] * turnedX + z[k + 1] * turnedZ);
		bool isLow = low <= high;
		float restX = isLow ? x[k] : x[k + 1], restZ = isLow ? z[k] : z[k + 1];
		float restSquares = isLow ? squares[k] : squares[k + 1];
		float cost = getCost(twice, start.squares, start.x * dx + start.z * dz) + (isLow ? low : high);
		bool isBetter = cost < best->costs[k];
		best->costs[k] = isBetter ? cost : best->costs[k];
		best->edges[k] = isBetter ? edge : best->edges[k];
		best->sums.squares[k] = isBetter ? start.squares + restSquares : best->sums.squares[k];
		best->sums.x[k] = isBetter ? start.x + c * restX + s * restZ : best->sums.x[k];
		best->sums.z[k] = isBetter ? start.z + c * restZ - s * restX : best->sums.z[k];
	}
	tryStay(edge, start, ends->stay, angle, best);
}

// The walks of so many frames that begin with an edge.
static void tryEdge(const Steering* steering, int edgeIndex, int frames, Choices* best)
{
	const rpGraph* graph = steering->graph;
	const rpGraphEdge* edge = &graph->edges[edgeIndex];
	int own = edge->frameCount < frames ? edge->frameCount : frames;
	const rpVec2* point = graph->path + edge->firstPoint;
	WalkSum start = {steering->squares[edge->firstPoint + own], point[own].x - point[0].x, point[own].y - point[0].y};
	if (frames > own && rpGraphEdge_IsTransition(edge))
	{
		tryTurned(steering, edgeIndex, start, getSums(steering, frames - own, edge->to), best);
	}
	else
	{
		static const WalkSums nowhere = {0};
		trySame(steering, edgeIndex, start, frames > own ? getSums(steering, frames - own, edge->to) : &nowhere, best);
	}
}

static void choose(const Steering* steering, int node, int frames, Choices* best)
{
	const rpGraphNode* from = &steering->graph->nodes[node];
	best->stayCost = INFINITY;
	best->stayEdge = -1;
	for (int k = 0; k < walkDirections; ++k)
	{
		best->costs[k] = INFINITY;
		best->edges[k] = -1;
	}
	for (int e = from->firstEdge; e < from->firstEdge + from->edgeCount; ++e)
	{
		tryEdge(steering, e, frames, best);
	}
}

// Some nodes of a layer, for which all they need is there.
static void fillBlock(int block, int worker, void* context)
{
	Steering* steering = context;
	Choices best;
	int end =
		(block + 1) * blockNodes < steering->graph->nodeCount ? (block + 1) * blockNodes : steering->graph->nodeCount;
	(void)worker;
	for (int node = block * blockNodes; node < end; ++node)
	{
		choose(steering, node, steering->layer, &best);
		*getSums(steering, steering->layer, node) = best.sums;
		// The last of them are those of all frames.
		int* entries = steering->table + (size_t)node * rp_steerCount;
		for (int k = 0; k < rp_steerDirections; ++k)
		{
			entries[k] = best.edges[fineness * k];
		}
		entries[rp_steerStay] = best.stayEdge;
	}
}

static void fillTable(Steering* steering, int threads)
{
	const rpGraph* graph = steering->graph;
	int blockCount = (graph->nodeCount + blockNodes - 1) / blockNodes;
	int workers = threads == 0 && graph->edgeCount < fewEdges ? 1 : rpCountWorkers(threads);
	for (steering->layer = 1; steering->layer <= steering->frames; ++steering->layer)
	{
		rpParallelWork(blockCount, workers < blockCount ? workers : blockCount, fillBlock, steering);
	}
}

// ---- the public face

static void fillReport(const Steering* steering, rpSteeringReport* report)
{
	int nodeCount = steering->graph->nodeCount;
	double progress = 0.0, deviation = 0.0, seconds = steering->frames / steering->graph->fps;
	for (int i = 0; i < nodeCount * walkDirections; ++i)
	{
		const WalkSums* sums = getSums(steering, steering->frames, i / walkDirections);
		int k = i % walkDirections;
		float x = sums->x[k], z = sums->z[k], dx = steering->x[k], dz = steering->z[k];
		double along = (double)(x * dx + z * dz), across = (double)(x * dz - z * dx);
		progress += along / seconds;
		deviation += fabs(atan2(across, along));
	}
	double count = fmax(nodeCount * walkDirections, 1);
	*report = (rpSteeringReport){
		.entryCount = nodeCount * rp_steerCount,
		.seconds = seconds,
		.speed = (double)steering->speed,
		.progress = progress / count,
		.deviation = deviation / count,
	};
}

static int findLongest(const rpGraph* graph)
{
	int longest = 1;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		longest = graph->edges[e].frameCount > longest ? graph->edges[e].frameCount : longest;
	}
	return longest;
}

static bool allocate(Steering* steering, rpError* error)
{
	const rpGraph* graph = steering->graph;
	int longest = findLongest(graph);
	steering->layerCount = (longest < steering->frames ? longest : steering->frames) + 1;
	size_t count = (size_t)steering->layerCount * (size_t)graph->nodeCount;
	steering->squares = rpAllocate((size_t)graph->pointCount, sizeof(float), error);
	steering->turns = rpAllocate((size_t)graph->edgeCount, sizeof(rpVec2), error);
	steering->steps = rpAllocate((size_t)graph->edgeCount, sizeof(int), error);
	steering->sums = rpAllocateZero(count, sizeof(WalkSums), error);
	return steering->squares != NULL && steering->turns != NULL && steering->steps != NULL && steering->sums != NULL;
}

bool rpGraph_MakeSteering(rpGraph* graph, const rpSteeringDef* def, rpSteeringReport* report, rpError* error)
{
	rpSteeringDef chosen = def != NULL ? *def : rpDefaultSteeringDef();
	double speed = chosen.speed > 0.0 ? chosen.speed : findSpeed(graph, error);
	double frames = fmin(fmax(round(chosen.seconds * graph->fps), 1.0), 10000.0);
	Steering steering = {.graph = graph, .frames = (int)frames, .speed = (float)speed};
	int* table = rpAllocate((size_t)graph->nodeCount * rp_steerCount, sizeof(int), error);
	bool done = speed >= 0.0 && table != NULL && allocate(&steering, error);
	if (done)
	{
		addSquares(graph, steering.squares);
		findTurns(&steering);
		steering.table = table;
		fillTable(&steering, chosen.threads);
		rpFree(graph->steering);
		graph->steering = table;
		if (report != NULL)
		{
			fillReport(&steering, report);
		}
	}
	else
	{
		rpFree(table);
	}
	rpFree(steering.squares);
	rpFree(steering.turns);
	rpFree(steering.steps);
	rpFree(steering.sums);
	return done;
}

double rpGraph_GetSteeringCost(const rpGraph* graph, const int* edges, int edgeCount, int frames, int direction,
							   double speed)
{
	rpVec2 d = getDirection(fineness * direction);
	double cost = 0.0, angle = 0.0;
	for (int k = 0; k < edgeCount && frames > 0; ++k)
	{
		const rpGraphEdge* edge = &graph->edges[edges[k]];
		rpVec2 placed = {(float)sin(angle), (float)cos(angle)};
		int own = edge->frameCount < frames ? edge->frameCount : frames;
		for (int f = 1; f <= own; ++f)
		{
			const rpVec2* point = graph->path + edge->firstPoint + f;
			rpVec2 step = turn((rpVec2){point->x - point[-1].x, point->y - point[-1].y}, placed);
			double x = (double)step.x * graph->fps - speed * (double)d.x;
			double z = (double)step.y * graph->fps - speed * (double)d.y;
			cost += (x * x + z * z) / graph->fps;
		}
		angle += !rpGraphEdge_IsTransition(edge) ? 0.0 : (double)edge->alignment.turn;
		frames -= own;
	}
	return cost;
}
