/// The two-level graph of Kwon & Shin 2005, section 4.5: what follows from its fine nodes and edges.
#include "base/memory.h"
#include "model/locomotion_chunks.h"

#include <math.h>
#include <string.h>

// Deviations below these are taken for these: m/s, rad/s, m/s². So that equal movements are not infinitely far from
// others.
static const float s_minDeviations[rp_movementParameterCount] = {0.05f, 0.05f, 0.05f};

void rpDestroyLocomotion(rpLocomotion* model)
{
	if (model == NULL)
	{
		return;
	}
	for (int i = 0; model->takes != NULL && i < model->takeCount; ++i)
	{
		rpDestroyMotion(model->takes[i]);
	}
	rpFree(model->takes);
	rpFree(model->movements);
	rpFree(model->hashes);
	rpFree(model);
}

static float getParameter(const rpMovement* movement, int parameter)
{
	return parameter == rp_movementSpeed  ? movement->speed
		   : parameter == rp_movementTurn ? movement->turn
										  : movement->acceleration;
}

static void deriveRange(const rpLocomotion* model, rpLocomotionNode* node, int parameter)
{
	double sum = 0.0, squares = 0.0;
	float low = INFINITY, high = -INFINITY;
	for (int i = 0; i < node->movementCount; ++i)
	{
		float value = getParameter(&model->movements[node->firstMovement + i], parameter);
		sum += (double)value;
		squares += (double)value * (double)value;
		low = fminf(low, value);
		high = fmaxf(high, value);
	}
	if (node->movementCount > 0)
	{
		double mean = sum / node->movementCount, variance = squares / node->movementCount - mean * mean;
		node->means[parameter] = (float)mean;
		node->deviations[parameter] = fmaxf((float)sqrt(fmax(variance, 0.0)), s_minDeviations[parameter]);
		node->lows[parameter] = low;
		node->highs[parameter] = high;
	}
}

static uint32_t getCyclicKinds(rpGait gait)
{
	uint32_t kinds = 0;
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		bool isCyclic = rpMovementKind_GetBefore((rpMovementKind)kind) == gait &&
						rpMovementKind_GetAfter((rpMovementKind)kind) == gait;
		kinds |= isCyclic ? 1u << kind : 0;
	}
	return kinds;
}

// A gait goes on where one of its half cycles follows another; a stand goes on by itself.
static bool canGoOn(const rpLocomotion* model, rpGait gait)
{
	uint32_t kinds = getCyclicKinds(gait);
	bool can = gait == rp_gaitStand && model->nodes[rp_movementS].movementCount > 0;
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		can = can || ((kinds >> kind & 1) != 0 && (model->nodes[kind].successors & kinds) != 0);
	}
	return can;
}

static void deriveCoarseEdges(rpLocomotion* model)
{
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		model->reachable[gait] = canGoOn(model, (rpGait)gait) ? 1u << gait : 0;
	}
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		rpGait before = rpMovementKind_GetBefore((rpMovementKind)kind);
		rpGait after = rpMovementKind_GetAfter((rpMovementKind)kind);
		if (before != after && (model->nodes[kind].successors & getCyclicKinds(after)) != 0)
		{
			model->reachable[before] |= 1u << after;
		}
	}
}

void rpLocomotion_Derive(rpLocomotion* model)
{
	int next = 0;
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		rpLocomotionNode* node = &model->nodes[kind];
		node->firstMovement = next;
		while (next < model->movementCount && (int)model->movements[next].kind == kind)
		{
			++next;
		}
		node->movementCount = next - node->firstMovement;
		for (int parameter = 0; parameter < rp_movementParameterCount; ++parameter)
		{
			deriveRange(model, node, parameter);
		}
	}
	deriveCoarseEdges(model);
}

// ---- what goes on for ever

// Bits of all kinds that can be reached from each in one step or more.
static void closeEdges(const rpLocomotion* model, uint32_t* reach)
{
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		reach[kind] = model->nodes[kind].successors;
	}
	reach[rp_movementS] |= model->nodes[rp_movementS].movementCount > 0 ? 1u << rp_movementS : 0;
	for (int middle = 0; middle < rp_movementKindCount; ++middle)
	{
		for (int kind = 0; kind < rp_movementKindCount; ++kind)
		{
			reach[kind] |= (reach[kind] >> middle & 1) != 0 ? reach[middle] : 0;
		}
	}
}

uint32_t rpLocomotion_FindCore(const rpLocomotion* model)
{
	uint32_t reach[rp_movementKindCount], best = 0;
	int bestCount = 0;
	closeEdges(model, reach);
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		uint32_t core = 0;
		int count = 0;
		for (int other = 0; other < rp_movementKindCount; ++other)
		{
			if ((reach[kind] >> other & 1) != 0 && (reach[other] >> kind & 1) != 0)
			{
				core |= 1u << other;
				count += model->nodes[other].movementCount;
			}
		}
		if (count > bestCount)
		{
			best = core;
			bestCount = count;
		}
	}
	return best;
}
