#include "live/parametric_choice.h"

#include "base/memory.h"
#include "live/player_kind.h"

#include <math.h>
#include <string.h>

// Turns of less than this part of a range to one side are no way to turn to that side.
#define LEAST_TURN 0.02f
// Who cannot turn to a side stays off by less than this, radians, rather than go all the way round by the other.
#define ACCEPTED (15.0f * (float)RP_DEGREE)

// ---- edges

// Breadth first, from each node backwards.
static void findRoutesTo(rpParametricRoutes* routes, const rpParametricGraph* graph, int target, int* queue)
{
	int count = 0;
	queue[count++] = target;
	for (int next = 0; next < count; ++next)
	{
		for (int e = 0; e < graph->edgeCount; ++e)
		{
			int source = graph->edges[e].source, *first = &routes->edges[source * routes->nodeCount + target];
			if (graph->edges[e].target == queue[next] && *first < 0)
			{
				*first = e;
				// Its own way back to itself leads no other way there.
				if (source != target)
				{
					queue[count++] = source;
				}
			}
		}
	}
}

bool rpParametricRoutes_Find(rpParametricRoutes* routes, const rpParametricGraph* graph, rpError* error)
{
	int n = graph->nodeCount, queue[RP_MAX_PARAMETRIC_NODES + 1];
	*routes = (rpParametricRoutes){.nodeCount = n};
	routes->edges = rpAllocate((size_t)n * (size_t)n, sizeof(int), error);
	if (routes->edges == NULL)
	{
		return false;
	}
	memset(routes->edges, -1, (size_t)n * (size_t)n * sizeof(int));
	for (int target = 0; target < n; ++target)
	{
		findRoutesTo(routes, graph, target, queue);
	}
	return true;
}

void rpParametricRoutes_Free(rpParametricRoutes* routes)
{
	rpFree(routes->edges);
	*routes = (rpParametricRoutes){0};
}

int rpParametricInput_GetNode(const rpParametricGraph* graph, const rpPlayerInput* input)
{
	return input->request >= 1 && input->request <= graph->nodeCount ? input->request - 1 : -1;
}

static int countUsable(const rpParametricGraph* graph, int node, const bool* usable)
{
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		count += graph->edges[e].source == node && usable[e];
	}
	return count;
}

// The n-th usable edge of a node.
static int findUsable(const rpParametricGraph* graph, int node, const bool* usable, int n)
{
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].source == node && usable[e] && n-- == 0)
		{
			return e;
		}
	}
	return -1;
}

int rpChooseParametricEdge(const rpParametricGraph* graph, const rpParametricRoutes* routes, int node,
						   const rpPlayerInput* input, const bool* usable, rpRandom* random)
{
	int count = countUsable(graph, node, usable);
	if (input->parametric.isRandom && count > 0)
	{
		return findUsable(graph, node, usable, rpRandom_Index(random, count));
	}
	int wanted = rpParametricInput_GetNode(graph, input);
	int edge = wanted >= 0 ? routes->edges[node * graph->nodeCount + wanted] : -1;
	// Nothing asked for, or no way there: on with the same, else with whatever comes first.
	if (edge < 0 || !usable[edge])
	{
		edge = rpParametricGraph_FindEdge(graph, node, node);
	}
	return edge >= 0 && usable[edge] ? edge : findUsable(graph, node, usable, 0);
}

// ---- values

static bool hasStick(const rpPlayerInput* input)
{
	float square = input->stick.x * input->stick.x + input->stick.y * input->stick.y;
	return square >= RP_DEAD_ZONE * RP_DEAD_ZONE && isfinite(square);
}

static bool hasTarget(const rpPlayerInput* input)
{
	rpVec3 target = input->parametric.target;
	return input->parametric.hasTarget && isfinite(target.x) && isfinite(target.y) && isfinite(target.z);
}

// The direction that is asked for, radians; false if none is.
static bool getDirection(const rpPlayerInput* input, const rpParametricBeginning* beginning, float* out)
{
	if (hasTarget(input))
	{
		rpVec3 way = rpSub(input->parametric.target, beginning->root.shift);
		*out = rpAtan2(way.x, way.z);
		return way.x != 0.0f || way.z != 0.0f;
	}
	*out = rpAtan2(input->stick.x, input->stick.y);
	return hasStick(input);
}

// How many motions a turn takes, of which the first turns by what the box allows. Where there is hardly any turning to
// that side: for ever, but for what is accepted.
static float countTurns(const rpSpaceParameter* parameter, float low, float high, float turn)
{
	float rest = turn - fminf(fmaxf(turn, low), high), range = parameter->high - parameter->low;
	float most = rest > 0.0f ? parameter->high : -parameter->low;
	bool canTurn = most > LEAST_TURN * range;
	return canTurn ? fabsf(rest) / most : fabsf(rest) < ACCEPTED ? fabsf(rest) / ACCEPTED : INFINITY;
}

// To the left or to the right, whichever is there sooner: who can only turn to one side goes round by that.
static float chooseTurn(const rpSpaceParameter* parameter, float low, float high, float turn)
{
	float full = (float)(2.0 * RP_PI), best = turn, least = countTurns(parameter, low, high, turn);
	for (int round = -1; round <= 1; round += 2)
	{
		float other = turn + (float)round * full, count = countTurns(parameter, low, high, other);
		if (count < least)
		{
			least = count;
			best = other;
		}
	}
	return best;
}

// ---- turning to one side alone

enum
{
	/// Turns that are looked at, from the greatest to the least; motions that unwinding takes at most.
	turnChoices = 5,
	maxUnwinding = 8,
};

// What is turned after a turn until one can go straight on: sharp turns lead to sharp turns alone.
static float getUnwinding(const rpParametricGraph* graph, int node, int axis, const float* others, float turn)
{
	int edge = rpParametricGraph_FindEdge(graph, node, node);
	bool isRight = turn < 0.0f;
	float values[RP_MAX_SPACE_PARAMETERS], sum = 0.0f;
	memcpy(values, others, sizeof(values));
	for (int n = 0; n < maxUnwinding && edge >= 0; ++n)
	{
		values[axis] = turn;
		rpParametricBox box = rpParametricGraph_LookUp(graph, edge, values);
		float least = isRight ? box.high[axis] : box.low[axis];
		bool isStraight = isRight ? least >= 0.0f : least <= 0.0f;
		if (box.isEmpty || isStraight)
		{
			break;
		}
		sum += least;
		turn = least;
	}
	return sum;
}

// The greatest turn after which there is room yet to unwind: who cannot turn back must not turn too far.
static float brakeTurn(const rpParametricGraph* graph, int node, int axis, const rpParametricBox* box, float wanted)
{
	float others[RP_MAX_SPACE_PARAMETERS], low = box->low[axis], high = box->high[axis];
	for (int k = 0; k < RP_MAX_SPACE_PARAMETERS; ++k)
	{
		others[k] = 0.5f * (box->low[k] + box->high[k]);
	}
	float most = fminf(fmaxf(wanted, low), high), least = wanted < 0.0f ? high : low, turn = most;
	for (int i = 0; i < turnChoices; ++i)
	{
		turn = most + (least - most) * (float)i / (turnChoices - 1);
		float rest = wanted - turn, unwinding = getUnwinding(graph, node, axis, others, turn);
		if (wanted < 0.0f ? rest <= unwinding : rest >= unwinding)
		{
			break;
		}
	}
	return turn;
}

static bool isOneSided(const rpSpaceParameter* parameter)
{
	float least = LEAST_TURN * (parameter->high - parameter->low);
	return parameter->high < least || parameter->low > -least;
}

// ---- what an axis is asked for

static float clampTo(const rpParametricBox* box, int axis, float value)
{
	return fminf(fmaxf(value, box->low[axis]), box->high[axis]);
}

// What an axis is without being asked for: no turn, the speed as it was, the middle of all else.
static float getDefault(const rpSpaceParameter* parameter, rpAxisMeaning meaning, const float* last, int axis)
{
	bool isTurn = meaning == rp_axisTurn || meaning == rp_axisFacing;
	float middle = 0.5f * (parameter->low + parameter->high);
	return isTurn ? 0.0f : meaning == rp_axisSpeed && last != NULL ? last[axis] : middle;
}

static float getWanted(const rpParametricNode* node, int axis, const rpPlayerInput* input,
					   const rpParametricBeginning* beginning, const rpParametricBox* box, const float* last)
{
	const rpSpaceParameter* parameter = &node->space->parameters[axis];
	rpVec3 place = rpGroundTransform_Apply(rpGroundTransform_Invert(beginning->root), input->parametric.target);
	rpAxisMeaning meaning = node->axes[axis];
	float direction;
	if ((meaning == rp_axisTurn || meaning == rp_axisFacing) && getDirection(input, beginning, &direction))
	{
		float from = meaning == rp_axisTurn ? beginning->travel : beginning->root.turn;
		return chooseTurn(parameter, box->low[axis], box->high[axis], rpWrapAngle(direction - from));
	}
	if (meaning >= rp_axisX && meaning <= rp_axisZ && hasTarget(input))
	{
		return meaning == rp_axisX ? place.x : meaning == rp_axisY ? place.y : place.z;
	}
	if (meaning == rp_axisSpeed && hasStick(input))
	{
		float length = fminf(rpHypot(input->stick.x, input->stick.y), 1.0f);
		return parameter->low + length * (parameter->high - parameter->low);
	}
	return getDefault(parameter, meaning, last, axis);
}

// ---- what cannot be had together

// How much it counts that an axis is as nobody in particular asked for, beside those that are asked for.
#define SOFT 0.05f

// A space has what is asked for together where a sample of it is so near, ranges.
#define TOGETHER 0.08f

// Directions and places are; how long a stick is says how fast somebody would like to go.
static bool isAskedFor(rpAxisMeaning meaning, const rpPlayerInput* input)
{
	bool isTurn = meaning == rp_axisTurn || meaning == rp_axisFacing, isPlace = meaning >= rp_axisX;
	return (isTurn && (hasStick(input) || hasTarget(input))) || (isPlace && hasTarget(input));
}

static float getMiss(const rpSpaceParameter* parameter, float a, float b)
{
	float range = parameter->high - parameter->low, miss = range > 0.0f ? (a - b) / range : 0.0f;
	return miss * miss;
}

static bool isInBox(const rpParametricBox* box, const float* values, int count)
{
	bool isIn = true;
	for (int k = 0; k < count && isIn; ++k)
	{
		isIn = values[k] >= box->low[k] && values[k] <= box->high[k];
	}
	return isIn;
}

// Who turns sharply does not go fast, perhaps: where a space has not both, what nobody asked for gives way to what
// somebody did. It becomes that of the sample in the box that is best so.
static void giveWay(const rpSpace* space, const rpParametricBox* box, const bool* isSoft, float* granted)
{
	int count = space->parameterCount, best = -1;
	float nearest = INFINITY, least = INFINITY;
	for (int i = 0; i < space->sampleCount; ++i)
	{
		const float* values = space->values + (size_t)i * (size_t)count;
		float plain = 0.0f, weighed = 0.0f;
		for (int k = 0; k < count; ++k)
		{
			float miss = getMiss(&space->parameters[k], granted[k], values[k]);
			plain += miss;
			weighed += isSoft[k] ? SOFT * miss : miss;
		}
		nearest = fminf(nearest, plain);
		if (weighed < least && isInBox(box, values, count))
		{
			least = weighed;
			best = i;
		}
	}
	for (int k = 0; k < count && best >= 0 && nearest > TOGETHER * TOGETHER; ++k)
	{
		granted[k] = isSoft[k] ? space->values[(size_t)best * (size_t)count + (size_t)k] : granted[k];
	}
}

void rpChooseParametricValues(const rpParametricGraph* graph, int node, const rpPlayerInput* input,
							  const rpParametricBeginning* beginning, const rpParametricBox* box, const float* last,
							  rpRandom* random, float* wanted, float* granted)
{
	const rpParametricNode* own = &graph->nodes[node];
	bool isSoft[RP_MAX_SPACE_PARAMETERS], isChance = input->parametric.isRandom, hasHard = false, hasSoft = false;
	// Values are meant for the node that they were given with.
	bool isGiven = input->space.isGiven && rpParametricInput_GetNode(graph, input) == node;
	for (int k = 0; k < own->space->parameterCount; ++k)
	{
		bool isOwnGiven = isGiven && isfinite(input->space.values[k]);
		bool isTurn = own->axes[k] == rp_axisTurn || own->axes[k] == rp_axisFacing;
		wanted[k] = isChance     ? rpRandom_Range(random, box->low[k], box->high[k])
					: isOwnGiven ? input->space.values[k]
								 : getWanted(own, k, input, beginning, box, last);
		bool brakes = isTurn && !isChance && !isOwnGiven && isOneSided(&own->space->parameters[k]);
		granted[k] = brakes ? brakeTurn(graph, node, k, box, wanted[k]) : clampTo(box, k, wanted[k]);
		isSoft[k] = !isOwnGiven && !isAskedFor(own->axes[k], input);
		hasHard = hasHard || !isSoft[k];
		hasSoft = hasSoft || isSoft[k];
	}
	if (hasHard && hasSoft && !isChance)
	{
		giveWay(own->space, box, isSoft, granted);
	}
}

bool rpParametricInput_Aims(const rpParametricGraph* graph, int node, const rpPlayerInput* input)
{
	bool aims = false;
	for (int k = 0; k < graph->nodes[node].space->parameterCount && !aims; ++k)
	{
		aims = graph->nodes[node].axes[k] >= rp_axisX && graph->nodes[node].axes[k] <= rp_axisZ;
	}
	return aims && hasTarget(input) && !input->parametric.isRandom;
}
