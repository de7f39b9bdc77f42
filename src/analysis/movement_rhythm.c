/// Blends of half cycles need them cut at one phase of the gait. Where the supporting foot changes, as a share of the
/// half cycle, gives the phase: one that was cut elsewhere than the others of its gait is left out.
#include "analysis/movement_rhythm.h"

#include "analysis/foot_track.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

// How far from the median of its gait a phase may be, in half cycles: of 618 captured half cycles of twelve people one
// in a hundred is farther.
#define MAX_PHASE_ERROR 0.2f
// The share of the ratios of consecutive half cycles that are more even than the irregularity.
#define IRREGULARITY_QUANTILE 0.9

static bool isHalfCycle(const rpMovement* movement, rpGait gait)
{
	return rpMovementKind_GetBefore(movement->kind) == gait && rpMovementKind_GetAfter(movement->kind) == gait &&
		   gait != rp_gaitStand;
}

// The middle of the double support of a walk, or of a run's support, as a share of the half cycle.
static float getPhase(const rpMovement* movement)
{
	double middle = 0.5 * (movement->keytimes[1] + movement->keytimes[2]);
	return (float)((middle - movement->start) / (movement->end - movement->start));
}

static float findUsualPhase(const rpMovements* movements, rpGait gait, float* scratch)
{
	int count = 0;
	for (int i = 0; i < movements->count; ++i)
	{
		if (isHalfCycle(movements->items + i, gait))
		{
			scratch[count++] = getPhase(movements->items + i);
		}
	}
	return rpTakeQuantile(scratch, count, 0.5);
}

static bool drop(rpMovements* movements, const rpMovement* movement, int* capacity, rpError* error)
{
	if (!rpGrow(&movements->dropped, capacity, movements->droppedCount, sizeof(rpDroppedMovement), error))
	{
		return false;
	}
	rpDroppedMovement* dropped = movements->dropped + movements->droppedCount++;
	*dropped = (rpDroppedMovement){.take = movement->take, .start = movement->start, .end = movement->end};
	strncpy(dropped->string, rpMovementKind_GetString(movement->kind), sizeof(dropped->string) - 1);
	--movements->counts[movement->kind];
	movements->validSeconds -= movement->end - movement->start;
	++movements->outOfPhaseCount;
	return true;
}

static bool dropOutOfPhase(rpMovements* movements, const float* usual, int* capacity, rpError* error)
{
	int kept = 0;
	bool wasDropped = false;
	for (int i = 0; i < movements->count; ++i)
	{
		rpMovement movement = movements->items[i];
		rpGait gait = rpMovementKind_GetBefore(movement.kind);
		bool isOut = isHalfCycle(&movement, gait) && fabsf(getPhase(&movement) - usual[gait]) > MAX_PHASE_ERROR;
		if (isOut && !drop(movements, &movement, capacity, error))
		{
			return false;
		}
		movement.isSuccessor = movement.isSuccessor && !wasDropped;
		wasDropped = isOut;
		if (!isOut)
		{
			movements->items[kept++] = movement;
		}
	}
	movements->count = kept;
	return true;
}

static int compareDropped(const void* a, const void* b)
{
	const rpDroppedMovement *x = a, *y = b;
	return x->take != y->take ? x->take - y->take : (x->start > y->start) - (x->start < y->start);
}

// A high quantile of how far apart consecutive half cycles of a gait are in time, as the logarithm of their ratio.
static float measureIrregularity(const rpMovements* movements, float* scratch)
{
	int count = 0;
	for (int i = 1; i < movements->count; ++i)
	{
		const rpMovement *movement = movements->items + i, *before = movement - 1;
		rpGait gait = rpMovementKind_GetBefore(movement->kind);
		if (movement->isSuccessor && isHalfCycle(movement, gait) && isHalfCycle(before, gait))
		{
			double ratio = (movement->end - movement->start) / (before->end - before->start);
			scratch[count++] = (float)fabs(log(ratio));
		}
	}
	return count > 0 ? rpTakeQuantile(scratch, count, IRREGULARITY_QUANTILE) : NAN;
}

bool rpSettleRhythm(rpMovements* movements, int* droppedCapacity, rpError* error)
{
	float* scratch = rpAllocate((size_t)movements->count + 1, sizeof(float), error);
	bool ok = scratch != NULL;
	if (ok)
	{
		float usual[rp_gaitCount];
		for (int gait = 0; gait < rp_gaitCount; ++gait)
		{
			usual[gait] = findUsualPhase(movements, (rpGait)gait, scratch);
		}
		ok = dropOutOfPhase(movements, usual, droppedCapacity, error);
		movements->irregularity = measureIrregularity(movements, scratch);
	}
	if (ok && movements->outOfPhaseCount > 0)
	{
		qsort(movements->dropped, (size_t)movements->droppedCount, sizeof(rpDroppedMovement), compareDropped);
	}
	rpFree(scratch);
	return ok;
}
