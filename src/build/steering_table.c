/// Steering tables (section 4.4 of Kovar's thesis, "interactive control") by dynamic programming in place of a search
/// for every edge and direction.
///
/// The cost of a walk is the integral of |v - s d|² over its time T: the integral of |v|², less 2 s d·D, plus s² T,
/// where D is the way from its start to its end. So all that matters of a walk, for whatever direction, are two things
/// that add up along it: the integral of |v|², and D. Let the best walk of h frames from a node be known for sixteen
/// directions, for all h up to some number. Then the best one of the next h begins with some edge, and goes on with a
/// best walk of fewer frames from its end; where that edge is a transition, the direction is turned on the way, and
/// falls between two of them: of the best walks of both the better one is taken, by its true cost in the true
/// direction.
#include "base/memory.h"
#include "reprise/steering.h"

#include <stdlib.h>
#include <string.h>

// The share of frames whose speed is below the one that is wanted, where none is given.
#define SPEED_QUANTILE 0.75

enum
{
	/// Directions that walks are looked for in: those of the table, and others between them.
	fineness = 2,
	courseDirections = fineness * rp_steerDirections,
	courseStay = courseDirections,
	courseCount,
};

/// What matters of a walk: the integral of |v|², m²/s, and its way in the clip of its first node, metres.
typedef struct Course
{
	float squares, x, z;
} Course;

/// The work on one table.
typedef struct Steering
{
	const rpGraph* graph;
	int frames;
	float speed;
	rpVec2 directions[courseCount];

	/// [pointCount] integral of |v|² from the edge's start.
	float* squares;

	/// [edgeCount] turn of the clip at the edge's end, as (sine, cosine) and in steps of the directions.
	rpVec2* turns;
	float* steps;

	/// [(frames + 1) * nodeCount * courseCount] best walks by their length.
	Course* courses;
} Steering;

rpSteeringDef rpDefaultSteeringDef(void)
{
	return (rpSteeringDef){.seconds = 3.0};
}

// A direction as (x, z); nothing for staying.
static rpVec2 getDirection(int direction)
{
	double angle = 2.0 * RP_PI * direction / courseDirections;
	return direction == courseStay ? (rpVec2){0.0f, 0.0f} : (rpVec2){(float)sin(angle), (float)cos(angle)};
}

// Turned by an angle given as (sine, cosine).
static rpVec2 turn(rpVec2 v, rpVec2 angle)
{
	return (rpVec2){angle.y * v.x + angle.x * v.y, angle.y * v.y - angle.x * v.x};
}

// All of the cost but s² T, which is the same for walks of one length.
static float getCost(const Steering* steering, Course course, rpVec2 direction)
{
	return course.squares - 2.0f * steering->speed * (course.x * direction.x + course.z * direction.y);
}

// ---- what is known of the graph

static int compareFloats(const void* a, const void* b)
{
	float x = *(const float*)a, y = *(const float*)b;
	return (x > y) - (x < y);
}

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
		for (int f = 0; f < edge->frameCount && edge->distance < 0.0f; ++f)
		{
			const float* length = graph->lengths + edge->firstPoint + f;
			speeds[count++] = (length[1] - length[0]) * (float)graph->fps;
		}
	}
	qsort(speeds, (size_t)count, sizeof(float), compareFloats);
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
	for (int i = 0; i < courseCount; ++i)
	{
		steering->directions[i] = getDirection(i);
	}
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		double angle = graph->edges[e].distance < 0.0f ? 0.0 : (double)graph->edges[e].alignment.turn;
		steering->turns[e] = (rpVec2){(float)sin(angle), (float)cos(angle)};
		steering->steps[e] = (float)(angle * courseDirections / (2.0 * RP_PI));
	}
}

// ---- the recursion

static Course* getCourses(const Steering* steering, int frames, int node)
{
	return steering->courses + ((size_t)frames * (size_t)steering->graph->nodeCount + (size_t)node) * courseCount;
}

// The better of the two best walks between whose directions one falls that is turned by some steps.
static Course goOn(const Steering* steering, const Course* ends, int direction, float steps, rpVec2 turned)
{
	if (direction == courseStay || steps == 0.0f)
	{
		return ends[direction];
	}
	int below = (int)floorf((float)direction - steps);
	Course low = ends[(unsigned)below % courseDirections], high = ends[(unsigned)(below + 1) % courseDirections];
	return getCost(steering, low, turned) <= getCost(steering, high, turned) ? low : high;
}

/// The best walks of so many frames from a node, for each direction.
typedef struct Choices
{
	Course courses[courseCount];
	float costs[courseCount];
	/// The edges they begin with, -1 where there is none.
	int edges[courseCount];
} Choices;

// The walks of so many frames that begin with an edge.
static void tryEdge(const Steering* steering, int edgeIndex, int frames, Choices* best)
{
	const rpGraph* graph = steering->graph;
	const rpGraphEdge* edge = &graph->edges[edgeIndex];
	int own = edge->frameCount < frames ? edge->frameCount : frames;
	const rpVec2* point = graph->path + edge->firstPoint;
	Course start = {steering->squares[edge->firstPoint + own], point[own].x - point[0].x, point[own].y - point[0].y};
	const Course* ends = frames > own ? getCourses(steering, frames - own, edge->to) : NULL;
	rpVec2 angle = steering->turns[edgeIndex], back = {-angle.x, angle.y};
	for (int k = 0; k < courseCount; ++k)
	{
		Course course = start;
		if (ends != NULL)
		{
			Course rest = goOn(steering, ends, k, steering->steps[edgeIndex], turn(steering->directions[k], back));
			rpVec2 way = turn((rpVec2){rest.x, rest.z}, angle);
			course = (Course){start.squares + rest.squares, start.x + way.x, start.z + way.y};
		}
		float cost = getCost(steering, course, steering->directions[k]);
		if (cost < best->costs[k])
		{
			best->courses[k] = course;
			best->costs[k] = cost;
			best->edges[k] = edgeIndex;
		}
	}
}

static void choose(const Steering* steering, int node, int frames, Choices* best)
{
	const rpGraphNode* from = &steering->graph->nodes[node];
	for (int k = 0; k < courseCount; ++k)
	{
		best->courses[k] = (Course){0};
		best->costs[k] = INFINITY;
		best->edges[k] = -1;
	}
	for (int e = from->firstEdge; e < from->firstEdge + from->edgeCount; ++e)
	{
		tryEdge(steering, e, frames, best);
	}
}

static void fillTable(Steering* steering, int* table)
{
	Choices best;
	for (int frames = 1; frames <= steering->frames; ++frames)
	{
		for (int node = 0; node < steering->graph->nodeCount; ++node)
		{
			Course* courses = getCourses(steering, frames, node);
			choose(steering, node, frames, &best);
			memcpy(courses, best.courses, sizeof(best.courses));
			// The last of them are those of all frames.
			for (int k = 0; k < rp_steerCount; ++k)
			{
				table[node * rp_steerCount + k] = best.edges[fineness * k];
			}
		}
	}
}

// ---- the public face

static void tell(const Steering* steering, rpSteeringReport* report)
{
	int nodeCount = steering->graph->nodeCount;
	double progress = 0.0, deviation = 0.0, seconds = steering->frames / steering->graph->fps;
	for (int i = 0; i < nodeCount * courseCount; ++i)
	{
		Course course = getCourses(steering, steering->frames, 0)[i];
		rpVec2 d = steering->directions[i % courseCount];
		if (i % courseCount != courseStay)
		{
			double along = (double)(course.x * d.x + course.z * d.y),
				   across = (double)(course.x * d.y - course.z * d.x);
			progress += along / seconds;
			deviation += fabs(atan2(across, along));
		}
	}
	double count = fmax(nodeCount * courseDirections, 1);
	*report = (rpSteeringReport){
		.entryCount = nodeCount * rp_steerCount,
		.seconds = seconds,
		.speed = (double)steering->speed,
		.progress = progress / count,
		.deviation = deviation / count,
	};
}

static bool allocate(Steering* steering, rpError* error)
{
	const rpGraph* graph = steering->graph;
	size_t count = ((size_t)steering->frames + 1) * (size_t)graph->nodeCount * courseCount;
	steering->squares = rpAllocate((size_t)graph->pointCount, sizeof(float), error);
	steering->turns = rpAllocate((size_t)graph->edgeCount, sizeof(rpVec2), error);
	steering->steps = rpAllocate((size_t)graph->edgeCount, sizeof(float), error);
	steering->courses = rpAllocateZero(count, sizeof(Course), error);
	return steering->squares != NULL && steering->turns != NULL && steering->steps != NULL && steering->courses != NULL;
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
		fillTable(&steering, table);
		rpFree(graph->steering);
		graph->steering = table;
		if (report != NULL)
		{
			tell(&steering, report);
		}
	}
	else
	{
		rpFree(table);
	}
	rpFree(steering.squares);
	rpFree(steering.turns);
	rpFree(steering.steps);
	rpFree(steering.courses);
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
		angle += edge->distance < 0.0f ? 0.0 : (double)edge->alignment.turn;
		frames -= own;
	}
	return cost;
}
