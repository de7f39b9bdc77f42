#include "solve/parametric_search.h"

#include <math.h>
#include <string.h>

// Motions that turn by less say nothing about circles, radians.
#define LEAST_TURN 0.1f

// States compete with those in the same cell: metres, radians; along each axis so many parts of its range.
#define CELL 0.15f
#define CELL_TURN (5.0f * (float)RP_DEGREE)
#define CELL_VALUES 4.0f

// Where the goal may be missed by, in parts of what is allowed: what comes there is estimated to come to any of these.
#define SLACK 0.7

// Part of the smallest circles that ways are estimated with. Within one motion people turn tighter than on the whole,
// and an estimate that is too large by a round keeps a near goal from being seen. (Of six goals that all ways of four
// motions reach and the plan did not it found three.)
#define TIGHTER 0.6

// ---- limits

rpGoLimits rpParametricMoves_FindLimits(const rpParametricMoves* moves)
{
	rpGoLimits limits = {.circles = {(double)INFINITY, (double)INFINITY}};
	double ahead = 0.0, aside = 0.0;
	for (int n = 0; n < moves->model->graph->nodeCount; ++n)
	{
		const rpMoveNode* node = &moves->nodes[n];
		for (int i = 0; i < node->grid.count; ++i)
		{
			const rpMove* move = &node->moves[i];
			const rpMovePlace* end = &move->places[rp_moveMoments - 1];
			double radius = (double)(move->length / fmaxf(fabsf(end->turn), LEAST_TURN));
			double* circle = end->turn > 0.0f ? &limits.circles.left : &limits.circles.right;
			*circle = fabsf(end->turn) > LEAST_TURN ? fmin(*circle, radius) : *circle;
			limits.speed = fmax(limits.speed, (double)(move->length / move->seconds));
			// The way of a turn leads to its middle.
			double way = atan2((double)end->x, (double)end->z) - 0.5 * (double)end->turn;
			ahead += (double)move->length * cos(way);
			aside += (double)move->length * sin(way);
		}
	}
	limits.slant = atan2(aside, ahead);
	return limits;
}

static double findWay(const rpGoSearch* search, rpMovePlace at)
{
	const rpParametricGoDef* def = search->def;
	const rpGoLimits* limits = &search->limits;
	rpTurningCircles circles = {TIGHTER * limits->circles.left, TIGHTER * limits->circles.right};
	rpTurningPlace from = {(double)at.x, (double)at.z, (double)at.turn + limits->slant};
	double x = (double)def->goal.shift.x, z = (double)def->goal.shift.z;
	double near = (double)(search->allowed * def->radius), far = near - (double)def->radius;
	double straight = fmax(hypot(x - from.x, z - from.z) - near, 0.0);
	if (!isfinite(limits->circles.left) && !isfinite(limits->circles.right))
	{
		return straight;
	}
	if (!def->hasHeading)
	{
		return fmax(rpTurningCircles_FindWayToPlace(&circles, from, x, z) - near, straight);
	}
	double turn = (double)def->goal.turn + limits->slant, best = (double)INFINITY;
	double aside = SLACK * (double)def->radius, off = SLACK * (double)def->tolerance;
	static const double slacks[5][2] = {{0.0, 0.0}, {1.0, 1.0}, {1.0, -1.0}, {-1.0, 1.0}, {-1.0, -1.0}};
	for (int i = 0; i < 5; ++i)
	{
		rpTurningPlace to = {x + slacks[i][0] * aside * cos(turn), z - slacks[i][0] * aside * sin(turn),
							 turn + slacks[i][1] * off};
		best = fmin(best, rpTurningCircles_FindWay(&circles, from, to));
	}
	return fmax(best - far, straight);
}

// ---- arriving

// The moment of a motion, between the seams around it, that is nearest to the goal.
static rpGoalMiss findNearest(const rpGoSearch* search, const rpMove* move, rpMovePlace place, float settled,
							  float* seconds)
{
	rpGoalMiss best = {INFINITY, INFINITY, INFINITY};
	float first = fmaxf(settled, 0.0f), step = move->seconds / (float)(rp_moveMoments - 1);
	int count = move->leave >= first ? (int)floorf((move->leave - first) / step) : -1;
	for (int i = 0; i <= count; ++i)
	{
		float at = first + (float)i * step;
		rpMovePlace own = rpMovePlace_Compose(place, rpMove_GetPlace(move, at));
		rpGoalMiss miss = rpParametricGoDef_Measure(search->def, own.x, own.z, own.turn);
		if (miss.worst < best.worst)
		{
			best = miss;
			*seconds = at;
		}
	}
	return best;
}

// What a state has ahead.
static void lookAhead(const rpGoSearch* search, float settled, rpGoState* state)
{
	const rpParametricGoDef* def = search->def;
	rpMove move;
	float at = 0.0f;
	rpParametricMoves_Get(search->moves, state->node, state->asked, &move);
	rpGoalMiss miss = {INFINITY, INFINITY, INFINITY};
	if (def->goalNode < 0 || def->goalNode == state->node)
	{
		miss = findNearest(search, &move, state->place, settled, &at);
	}
	state->isThere = miss.worst <= search->allowed;
	state->ahead = at + (float)RP_MISS_COST * miss.worst;
	if (!state->isThere)
	{
		rpMovePlace end = rpMovePlace_Compose(state->place, move.places[rp_moveMoments - 1]);
		state->ahead = move.seconds + (float)(findWay(search, end) / fmax(search->limits.speed, 1e-3));
	}
}

// ---- choices

// By a number the first motion, and the grid that it is of.
static int findFirst(const rpGoSearch* search, int* index)
{
	const rpParametricGraph* graph = search->moves->model->graph;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		int count = search->moves->nodes[n].grid.count;
		bool isAsked = search->def->startNode < 0 || search->def->startNode == n;
		if (isAsked && *index < count)
		{
			return n;
		}
		*index -= isAsked ? count : 0;
	}
	return -1;
}

static int findEdge(const rpGoSearch* search, int node, int* index)
{
	const rpParametricGraph* graph = search->moves->model->graph;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].source == node)
		{
			int count = search->moves->edges[e].choices.count;
			if (*index < count)
			{
				return e;
			}
			*index -= count;
		}
	}
	return -1;
}

bool rpGoSearch_GetChoice(const rpGoSearch* search, const rpGoState* state, int index, rpGoChoice* out)
{
	const rpParametricMoves* moves = search->moves;
	if (state->node < 0)
	{
		*out = (rpGoChoice){.node = findFirst(search, &index), .edge = -1};
		if (out->node >= 0)
		{
			rpMoveGrid_GetPart(&moves->nodes[out->node].grid, index, out->part);
		}
		return out->node >= 0;
	}
	*out = (rpGoChoice){.edge = findEdge(search, state->node, &index)};
	if (out->edge >= 0)
	{
		out->node = moves->model->graph->edges[out->edge].target;
		rpMoveGrid_GetPart(&moves->edges[out->edge].choices, index, out->part);
	}
	return out->edge >= 0;
}

static bool beginAt(const rpGoSearch* search, int index, rpGoState* out)
{
	const rpGroundTransform* start = &search->def->start;
	int node = findFirst(search, &index);
	if (node < 0)
	{
		return false;
	}
	float part[RP_MAX_SPACE_PARAMETERS];
	const rpSpace* space = search->moves->model->graph->nodes[node].space;
	rpParametricBox box = rpSpace_GetBox(space);
	*out = (rpGoState){.node = node, .count = 1, .place = {start->shift.x, start->shift.z, start->turn}};
	rpMoveGrid_GetPart(&search->moves->nodes[node].grid, index, part);
	rpParametricBox_Get(&box, space->parameterCount, part, out->asked);
	return true;
}

// The motion of a choice, without what is ahead of it; when its seam is over, from where its core begins.
static bool advance(const rpGoSearch* search, const rpGoState* state, int index, rpGoState* out, double* seconds,
					float* settled)
{
	*seconds = 0.0;
	*settled = 0.0f;
	if (state->node < 0)
	{
		return beginAt(search, index, out);
	}
	rpMoveStep step;
	int edge = findEdge(search, state->node, &index);
	if (edge < 0 || !rpParametricMoves_Choose(search->moves, edge, state->asked, index, &step))
	{
		return false;
	}
	*out = (rpGoState){.node = search->moves->model->graph->edges[edge].target,
					   .count = state->count + 1,
					   .place = rpMovePlace_Compose(state->place, step.place),
					   .seconds = state->seconds + step.seconds};
	memcpy(out->asked, step.asked, sizeof(out->asked));
	*seconds = (double)step.seconds + RP_FORCED_COST * (double)step.forced;
	*settled = step.settled;
	return true;
}

bool rpGoSearch_Advance(const rpGoSearch* search, const rpGoState* state, int index, rpGoState* out)
{
	double seconds;
	float settled;
	return advance(search, state, index, out, &seconds, &settled);
}

bool rpGoSearch_Append(const rpGoSearch* search, const rpGoState* state, int index, rpGoState* out, double* seconds)
{
	float settled;
	if (!advance(search, state, index, out, seconds, &settled))
	{
		return false;
	}
	lookAhead(search, settled, out);
	return true;
}

// ---- as a search space

static unsigned mix(unsigned sum, float value, float cell)
{
	return (sum ^ (unsigned)(int)floorf(value / cell)) * 0x01000193u;
}

static int findGroup(const rpGoSearch* search, const rpGoState* state)
{
	const rpSpace* space = search->moves->model->graph->nodes[state->node].space;
	unsigned sum = 0x811c9dc5u + (unsigned)state->node;
	sum = mix(sum, state->place.x, CELL);
	sum = mix(sum, state->place.z, CELL);
	sum = mix(sum, rpWrapAngle(state->place.turn), CELL_TURN);
	for (int k = 0; k < space->parameterCount; ++k)
	{
		float range = space->parameters[k].high - space->parameters[k].low;
		sum = mix(sum, state->asked[k] - space->parameters[k].low, fmaxf(range, 1e-6f) / CELL_VALUES);
	}
	return (int)(sum & 0x7fffffffu);
}

static bool getKey(const void* state, int index, rpSearchKey* key, void* context)
{
	const rpGoSearch* search = context;
	const rpGoState* own = state;
	rpGoChoice choice;
	rpGoState child;
	double seconds;
	float settled;
	if (!rpGoSearch_GetChoice(search, own, index, &choice))
	{
		return false;
	}
	bool isTaken = own->count < search->def->maxMotions && advance(search, own, index, &child, &seconds, &settled);
	*key = (rpSearchKey){.layer = isTaken ? own->count + 1 : -1, .group = isTaken ? findGroup(search, &child) : 0};
	return true;
}

static bool expand(const void* state, int index, void* child, double* cost, void* context)
{
	const rpGoSearch* search = context;
	rpGoState* out = child;
	rpGoChoice choice;
	if (!rpGoSearch_GetChoice(search, state, index, &choice))
	{
		return false;
	}
	double seconds;
	bool isThere = ((const rpGoState*)state)->count < search->def->maxMotions &&
				   rpGoSearch_Append(search, state, index, out, &seconds) &&
				   (double)out->seconds + (double)out->ahead <= search->def->maxSeconds;
	*cost = isThere ? seconds : (double)INFINITY;
	return true;
}

static double estimate(const void* state, void* context)
{
	(void)context;
	return (double)((const rpGoState*)state)->ahead;
}

static bool isGoal(const void* state, void* context)
{
	(void)context;
	return ((const rpGoState*)state)->isThere;
}

rpSearchSpace rpGoSearch_Describe(const rpGoSearch* search)
{
	return (rpSearchSpace){.stateSize = sizeof(rpGoState),
						   .getKey = getKey,
						   .expand = expand,
						   .estimate = estimate,
						   .isGoal = isGoal,
						   .context = (void*)(uintptr_t)search};
}

rpGoState rpGoSearch_GetState(const rpGoSearch* search, const rpCourse* course)
{
	const rpCourseMotion* last = &course->motions[course->count - 1];
	const rpParametricClip* clip = &last->motion.clip;
	double begins = last->motion.span.start + clip->start;
	rpGroundTransform root = rpCourse_GetRoot(course, course->count - 1, begins);
	rpGoState state = {.node = clip->node,
					   .count = course->count,
					   .place = {root.shift.x, root.shift.z, root.turn},
					   .seconds = (float)begins};
	memcpy(state.asked, clip->asked, sizeof(state.asked));
	lookAhead(search, (float)(last->settled - begins), &state);
	return state;
}

rpGoState rpGoSearch_Start(void)
{
	return (rpGoState){.node = -1};
}
