/// Weights of the k nearest movements by inverse distance in normalised parameters (Kwon & Shin 2005, section 5.2;
/// Allen et al. 2002), then corrected (math/near_weights.h).
///
/// A blend of movements i with weights w takes Σ w T seconds and travels Σ w T v, T being their durations and v their
/// speeds. So its speed is as asked if Σ w T (v - asked) = 0, and its turn likewise: two conditions for a blend that is
/// near in three parameters.
#include "live/movement_weights.h"

#include "math/near_weights.h"

#include <math.h>

enum
{
	/// Speed, turn.
	conditionCount = 2,
	maxRounds = 8,
};

_Static_assert((int)rp_maxNear >= RP_MAX_SHARES, "all shares must be neighbours");

// A movement that comes in gets this many times its weight at most: what is asked for is met as long as it can be.
#define MAX_CHANGE 1e3f

// Movements that are nearer than this, in deviations, are as near as this: so that no weight is infinite.
#define NEAREST 0.05f

// What is kept of a neighbour where all are kept.
#define KEPT_WEIGHT 1e-4f

/// What is asked for, and the movements of a kind that are near it; an rpNear's index is that of a movement.
typedef struct Search
{
	const rpLocomotion* graph;
	const rpLocomotionNode* node;
	const float* asked;
	rpNear near[RP_MAX_SHARES];
	int count;
} Search;

// ---- the nearest

static float getDistance(const rpLocomotionNode* node, const rpMovement* movement, const float* asked)
{
	float speed = (movement->speed - asked[rp_movementSpeed]) / node->deviations[rp_movementSpeed];
	float turn = (movement->turn - asked[rp_movementTurn]) / node->deviations[rp_movementTurn];
	float acceleration =
		(movement->acceleration - asked[rp_movementAcceleration]) / node->deviations[rp_movementAcceleration];
	return sqrtf(speed * speed + turn * turn + acceleration * acceleration);
}

static void findNearest(Search* search, int max)
{
	const rpLocomotionNode* node = search->node;
	float rim = INFINITY;
	for (int i = node->firstMovement; i < node->firstMovement + node->movementCount; ++i)
	{
		float distance = getDistance(node, &search->graph->movements[i], search->asked);
		rpAddNear(search->near, &search->count, max, &rim, i, distance);
	}
	rpWeighNear(search->near, search->count, rim, NEAREST);
}

// ---- correction

// In deviations, as distances are.
static void fillCoefficients(const Search* search, float coefficients[][conditionCount])
{
	const float *asked = search->asked, *deviations = search->node->deviations;
	for (int i = 0; i < search->count; ++i)
	{
		const rpMovement* movement = &search->graph->movements[search->near[i].index];
		float seconds = (float)(movement->end - movement->start);
		coefficients[i][0] = seconds * (movement->speed - asked[rp_movementSpeed]) / deviations[rp_movementSpeed];
		coefficients[i][1] = seconds * (movement->turn - asked[rp_movementTurn]) / deviations[rp_movementTurn];
	}
}

// Weights below the least are none, and their plain ones too; never all of them. False if there are none such.
static bool dropLight(const rpNear* near, int count, float min, float* plain)
{
	float heaviest = 0.0f;
	bool dropped = false;
	for (int i = 0; i < count; ++i)
	{
		heaviest = fmaxf(heaviest, near[i].weight);
	}
	for (int i = 0; i < count; ++i)
	{
		if (plain[i] > 0.0f && near[i].weight < fminf(min, heaviest))
		{
			plain[i] = 0.0f;
			dropped = true;
		}
	}
	return dropped;
}

static void setWeights(Search* search, const float* weights)
{
	for (int i = 0; i < search->count; ++i)
	{
		search->near[i].weight = weights[i];
	}
}

// The light ones go, and the others are corrected once more without them.
static void correct(Search* search, float min)
{
	float coefficients[RP_MAX_SHARES][conditionCount] = {{0.0f}}, plain[RP_MAX_SHARES] = {0.0f};
	fillCoefficients(search, coefficients);
	for (int i = 0; i < search->count; ++i)
	{
		plain[i] = search->near[i].weight;
	}
	for (int round = 0; round < maxRounds; ++round)
	{
		rpCorrectWeights(search->near, search->count, coefficients[0], conditionCount, MAX_CHANGE);
		if (!dropLight(search->near, search->count, min, plain))
		{
			return;
		}
		setWeights(search, plain);
	}
	rpCorrectWeights(search->near, search->count, coefficients[0], conditionCount, MAX_CHANGE);
}

// ---- what comes of it

static void measure(const Search* search, float* speed, float* turn)
{
	float seconds = 0.0f, travelled = 0.0f, angle = 0.0f;
	for (int i = 0; i < search->count; ++i)
	{
		const rpMovement* movement = &search->graph->movements[search->near[i].index];
		float share = search->near[i].weight * (float)(movement->end - movement->start);
		seconds += share;
		travelled += share * movement->speed;
		angle += share * movement->turn;
	}
	*speed = travelled / seconds;
	*turn = angle / seconds;
}

static int putOut(const Search* search, bool keepsAll, rpNeighbour* out)
{
	int outCount = 0;
	float sum = 0.0f;
	for (int i = 0; i < search->count; ++i)
	{
		float own = search->near[i].weight, weight = keepsAll ? fmaxf(own, KEPT_WEIGHT) : own;
		if (!(weight > 0.0f))
		{
			continue;
		}
		int at = outCount++;
		for (; at > 0 && out[at - 1].weight < weight; --at)
		{
			out[at] = out[at - 1];
		}
		out[at] = (rpNeighbour){search->near[i].index, weight};
		sum += weight;
	}
	for (int i = 0; i < outCount; ++i)
	{
		out[i].weight /= sum;
	}
	return outCount;
}

// How far a speed and a turn are from what is asked for, in deviations.
static float getMiss(const Search* search, float speed, float turn)
{
	const float *asked = search->asked, *deviations = search->node->deviations;
	return fabsf(speed - asked[rp_movementSpeed]) / deviations[rp_movementSpeed] +
		   fabsf(turn - asked[rp_movementTurn]) / deviations[rp_movementTurn];
}

int rpWeighMovements(const rpLocomotion* graph, rpMovementKind kind, const float* asked, const rpWeightDef* def,
					 rpNeighbour* out, rpWeighed* report)
{
	Search search = {.graph = graph, .node = &graph->nodes[kind], .asked = asked};
	float plain[RP_MAX_SHARES] = {0.0f};
	int max = def->count < RP_MAX_SHARES ? def->count : RP_MAX_SHARES;
	findNearest(&search, max > 1 ? max : 1);
	measure(&search, &report->plainSpeed, &report->plainTurn);
	for (int i = 0; i < search.count; ++i)
	{
		plain[i] = search.near[i].weight;
	}
	correct(&search, def->min);
	measure(&search, &report->speed, &report->turn);
	// Without the light ones, what is left may be farther off than what there was.
	if (getMiss(&search, report->speed, report->turn) > getMiss(&search, report->plainSpeed, report->plainTurn))
	{
		setWeights(&search, plain);
		report->speed = report->plainSpeed;
		report->turn = report->plainTurn;
	}
	return putOut(&search, !(def->min > 0.0f), out);
}
