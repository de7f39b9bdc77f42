/// Weights of the k nearest movements by inverse distance in normalised parameters (Kwon & Shin 2005, section 5.2;
/// Allen et al. 2002), then corrected.
///
/// A blend of movements i with weights w takes Σ w T seconds and travels Σ w T v, T being their durations and v their
/// speeds. So its speed is as asked if Σ w T (v - asked) = 0, and its turn likewise. Among all weights that do that and
/// add up to 1, those are taken that change the given ones w0 as little as possible, by Σ (w - w0)² / w0; in closed
/// form w = w0 (1 + λ·c), c being the three conditions' coefficients. What comes out negative is dropped, and the rest
/// solved again.
#include "live/movement_weights.h"

#include <math.h>

enum
{
	/// The sum, speed, turn.
	conditionCount = 3,
	maxRounds = 8,
};

// Movements that are nearer than this, in deviations, are as near as this: so that no weight is infinite.
#define NEAREST 0.05f

// Share of the diagonal that is added to it, so that conditions that cannot be met are met as far as they can be.
#define RIDGE 1e-5f

// What is kept of a neighbour where all are kept.
#define KEPT_WEIGHT 1e-4f

/// A neighbour while it is weighed.
typedef struct Candidate
{
	int movement;
	float distance;
	float weight, plain;

	/// How it counts for the conditions.
	float terms[conditionCount];
} Candidate;

// ---- the nearest

static float getDistance(const rpLocomotionNode* node, const rpMovement* movement, const float* asked)
{
	float speed = (movement->speed - asked[rp_movementSpeed]) / node->deviations[rp_movementSpeed];
	float turn = (movement->turn - asked[rp_movementTurn]) / node->deviations[rp_movementTurn];
	float acceleration =
		(movement->acceleration - asked[rp_movementAcceleration]) / node->deviations[rp_movementAcceleration];
	return sqrtf(speed * speed + turn * turn + acceleration * acceleration);
}

// Nearest first; of equals the first.
static int findNearest(const rpLocomotion* graph, const rpLocomotionNode* node, const float* asked, int max,
					   Candidate* out)
{
	int count = 0;
	for (int i = 0; i < node->movementCount; ++i)
	{
		float distance = getDistance(node, &graph->movements[node->firstMovement + i], asked);
		if (count == max && distance >= out[count - 1].distance)
		{
			continue;
		}
		int at = count < max ? count++ : count - 1;
		for (; at > 0 && out[at - 1].distance > distance; --at)
		{
			out[at] = out[at - 1];
		}
		out[at] = (Candidate){.movement = node->firstMovement + i, .distance = distance};
	}
	return count;
}

// The farthest of many is at the rim: its weight is nothing.
static void weighByDistance(Candidate* candidates, int count, bool hasMore)
{
	float rim = hasMore ? 0.99f / fmaxf(candidates[count - 1].distance, NEAREST) : 0.0f, sum = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		candidates[i].plain = 1.0f / fmaxf(candidates[i].distance, NEAREST) - rim;
		sum += candidates[i].plain;
	}
	for (int i = 0; i < count; ++i)
	{
		candidates[i].plain /= sum;
		candidates[i].weight = candidates[i].plain;
	}
}

// ---- correction

static void fillTerms(const rpLocomotion* graph, const rpLocomotionNode* node, const float* asked,
					  Candidate* candidates, int count)
{
	for (int i = 0; i < count; ++i)
	{
		const rpMovement* movement = &graph->movements[candidates[i].movement];
		float seconds = (float)(movement->end - movement->start);
		candidates[i].terms[0] = 1.0f;
		candidates[i].terms[1] =
			seconds * (movement->speed - asked[rp_movementSpeed]) / node->deviations[rp_movementSpeed];
		candidates[i].terms[2] =
			seconds * (movement->turn - asked[rp_movementTurn]) / node->deviations[rp_movementTurn];
	}
}

// Gauss' elimination for the three conditions; positive definite by the ridge.
static void solve(float a[conditionCount][conditionCount], float* b)
{
	for (int i = 0; i < conditionCount; ++i)
	{
		for (int k = i + 1; k < conditionCount; ++k)
		{
			float factor = a[k][i] / a[i][i];
			for (int j = i; j < conditionCount; ++j)
			{
				a[k][j] -= factor * a[i][j];
			}
			b[k] -= factor * b[i];
		}
	}
	for (int i = conditionCount - 1; i >= 0; --i)
	{
		for (int k = i + 1; k < conditionCount; ++k)
		{
			b[i] -= a[i][k] * b[k];
		}
		b[i] /= a[i][i];
	}
}

// The smallest change of those whose plain weight is positive.
static void changeWeights(Candidate* candidates, int count)
{
	float matrix[conditionCount][conditionCount] = {{0}}, right[conditionCount] = {1.0f, 0.0f, 0.0f};
	for (int i = 0; i < count; ++i)
	{
		const float* terms = candidates[i].terms;
		for (int k = 0; k < conditionCount; ++k)
		{
			float weighed = candidates[i].plain * terms[k];
			right[k] -= weighed;
			for (int j = 0; j < conditionCount; ++j)
			{
				matrix[k][j] += weighed * terms[j];
			}
		}
	}
	for (int k = 0; k < conditionCount; ++k)
	{
		matrix[k][k] += RIDGE * (matrix[k][k] + 1e-4f);
	}
	solve(matrix, right);
	for (int i = 0; i < count; ++i)
	{
		const float* terms = candidates[i].terms;
		float factor = 1.0f + right[0] * terms[0] + right[1] * terms[1] + right[2] * terms[2];
		candidates[i].weight = candidates[i].plain * factor;
	}
}

// Those that are to be nothing are, and the others add up to 1. False if nothing would be left.
static bool dropBelow(Candidate* candidates, int count, float min, bool* dropped)
{
	float sum = 0.0f, heaviest = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		heaviest = fmaxf(heaviest, candidates[i].weight);
	}
	*dropped = false;
	for (int i = 0; i < count; ++i)
	{
		// Never all of them.
		bool isDropped = candidates[i].weight < fminf(min, heaviest) || !(candidates[i].weight > 0.0f);
		*dropped = *dropped || (isDropped && candidates[i].plain > 0.0f);
		candidates[i].plain = isDropped ? 0.0f : candidates[i].plain;
		candidates[i].weight = isDropped ? 0.0f : candidates[i].weight;
		sum += candidates[i].weight;
	}
	for (int i = 0; i < count && sum > 0.0f; ++i)
	{
		candidates[i].weight /= sum;
	}
	return sum > 0.0f && isfinite(sum);
}

static void restore(Candidate* candidates, const float* weights, int count)
{
	for (int i = 0; i < count; ++i)
	{
		candidates[i].weight = weights[i];
	}
}

// Negative ones go, round by round; then the light ones, and once more.
static void correct(Candidate* candidates, int count, float min)
{
	float kept[RP_MAX_SHARES];
	for (int round = 0, roundsLeft = 2 * maxRounds; round < 2 && roundsLeft > 0; --roundsLeft)
	{
		bool dropped;
		for (int i = 0; i < count; ++i)
		{
			kept[i] = candidates[i].weight;
		}
		changeWeights(candidates, count);
		if (!dropBelow(candidates, count, round == 1 ? min : 0.0f, &dropped))
		{
			restore(candidates, kept, count);
			return;
		}
		round += dropped ? 0 : 1;
	}
}

// ---- what comes of it

static void measure(const rpLocomotion* graph, const Candidate* candidates, int count, float* speed, float* turn)
{
	float seconds = 0.0f, travelled = 0.0f, angle = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		const rpMovement* movement = &graph->movements[candidates[i].movement];
		float share = candidates[i].weight * (float)(movement->end - movement->start);
		seconds += share;
		travelled += share * movement->speed;
		angle += share * movement->turn;
	}
	*speed = travelled / seconds;
	*turn = angle / seconds;
}

static int putOut(const Candidate* candidates, int count, bool keepsAll, rpNeighbour* out)
{
	int outCount = 0;
	float sum = 0.0f;
	for (int i = 0; i < count; ++i)
	{
		float weight = keepsAll ? fmaxf(candidates[i].weight, KEPT_WEIGHT) : candidates[i].weight;
		if (!(weight > 0.0f))
		{
			continue;
		}
		int at = outCount++;
		for (; at > 0 && out[at - 1].weight < weight; --at)
		{
			out[at] = out[at - 1];
		}
		out[at] = (rpNeighbour){candidates[i].movement, weight};
		sum += weight;
	}
	for (int i = 0; i < outCount; ++i)
	{
		out[i].weight /= sum;
	}
	return outCount;
}

// How far a speed and a turn are from what is asked for, in deviations.
static float getMiss(const rpLocomotionNode* node, const float* asked, float speed, float turn)
{
	return fabsf(speed - asked[rp_movementSpeed]) / node->deviations[rp_movementSpeed] +
		   fabsf(turn - asked[rp_movementTurn]) / node->deviations[rp_movementTurn];
}

int rpWeighMovements(const rpLocomotion* graph, rpMovementKind kind, const float* asked, const rpWeightDef* def,
					 rpNeighbour* out, rpWeighed* report)
{
	Candidate candidates[RP_MAX_SHARES];
	const rpLocomotionNode* node = &graph->nodes[kind];
	int max = def->count < RP_MAX_SHARES ? def->count : RP_MAX_SHARES;
	int count = findNearest(graph, node, asked, max > 1 ? max : 1, candidates);
	weighByDistance(candidates, count, node->movementCount > count && count > 1);
	measure(graph, candidates, count, &report->plainSpeed, &report->plainTurn);
	fillTerms(graph, node, asked, candidates, count);
	float plain[RP_MAX_SHARES];
	for (int i = 0; i < count; ++i)
	{
		plain[i] = candidates[i].weight;
	}
	correct(candidates, count, def->min);
	measure(graph, candidates, count, &report->speed, &report->turn);
	// Where too many come out negative, what is left may be farther off than what there was.
	if (getMiss(node, asked, report->speed, report->turn) > getMiss(node, asked, report->plainSpeed, report->plainTurn))
	{
		restore(candidates, plain, count);
		report->speed = report->plainSpeed;
		report->turn = report->plainTurn;
	}
	return putOut(candidates, count, !(def->min > 0.0f), out);
}
