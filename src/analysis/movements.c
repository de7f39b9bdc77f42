/// Takes cut into movements (Kwon & Shin 2005, section 4): boundaries at the peaks of the centre of mass and at the
/// ends of stands, footsteps between them as strings, the refinement of those strings, and the parameters of what is
/// valid.
#include "analysis/footstep_phases.h"
#include "analysis/footstep_string.h"
#include "analysis/movement_parameters.h"
#include "base/error.h"
#include "base/memory.h"
#include "reprise/analysis.h"

#include <stdlib.h>
#include <string.h>

// A phase that reaches into a segment by less than this is not of it, seconds.
#define LEAST_PART 0.008
// Slower captures do not show when feet touch, frames per second.
#define SLOWEST_RATE 20.0

// Feet that rest on heights farther apart than this climb, metres: steps and stairs are not of Table 1.
#define CLIMB 0.08f

/// A stretch between two boundaries.
typedef struct Segment
{
	double start, end;
	char string[RP_FOOTSTEP_SIZE];
} Segment;

/// All there is while a take is cut.
typedef struct Cutting
{
	const rpMotion* motion;
	int take;
	rpCenterCourse course;
	rpFootstepPhases phases;
	double* bounds;
	int boundCount, boundCapacity;
	Segment* segments;
	int segmentCount, segmentCapacity;
	int droppedCapacity, itemCapacity;
} Cutting;

// ---- boundaries

static bool addBound(Cutting* cutting, double time, rpError* error)
{
	if (!rpGrow(&cutting->bounds, &cutting->boundCapacity, cutting->boundCount, sizeof(double), error))
	{
		return false;
	}
	cutting->bounds[cutting->boundCount++] = time;
	return true;
}

static bool isInStand(const rpFootstepPhases* phases, double time)
{
	for (int i = 0; i < phases->count; ++i)
	{
		const rpFootstepPhase* phase = phases->items + i;
		if (phase->letter == 'S' && phase->start < time && time < phase->end)
		{
			return true;
		}
	}
	return false;
}

static int compareTimes(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

static bool findBounds(Cutting* cutting, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < cutting->course.turnCount; ++i)
	{
		const rpTurningPoint* turn = cutting->course.turns + i;
		ok = !turn->isPeak || isInStand(&cutting->phases, turn->time) || addBound(cutting, turn->time, error);
	}
	for (int i = 0; ok && i < cutting->phases.standCount; ++i)
	{
		const rpCenterRest* stand = cutting->phases.stands + i;
		ok = addBound(cutting, stand->start, error) && addBound(cutting, stand->end, error);
	}
	if (ok && cutting->boundCount > 1)
	{
		qsort(cutting->bounds, (size_t)cutting->boundCount, sizeof(double), compareTimes);
	}
	return ok;
}

// ---- segments

static void spell(const Cutting* cutting, Segment* segment)
{
	rpFootstepPhases_Spell(&cutting->phases, segment->start, segment->end, LEAST_PART, segment->string);
}

static bool insertSegment(Cutting* cutting, int index, double start, double end, rpError* error)
{
	if (!rpGrow(&cutting->segments, &cutting->segmentCapacity, cutting->segmentCount, sizeof(Segment), error))
	{
		return false;
	}
	Segment* segment = cutting->segments + index;
	memmove(segment + 1, segment, (size_t)(cutting->segmentCount++ - index) * sizeof(Segment));
	*segment = (Segment){.start = start, .end = end};
	spell(cutting, segment);
	return true;
}

static bool cutSegments(Cutting* cutting, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i + 1 < cutting->boundCount; ++i)
	{
		ok = insertSegment(cutting, cutting->segmentCount, cutting->bounds[i], cutting->bounds[i + 1], error);
	}
	return ok;
}

// ---- refinement

static void mergeSegments(Cutting* cutting, int index)
{
	Segment* segment = cutting->segments + index;
	segment->end = segment[1].end;
	memmove(segment + 1, segment + 2, (size_t)(--cutting->segmentCount - index - 1) * sizeof(Segment));
	spell(cutting, segment);
}

static int mergeAll(Cutting* cutting)
{
	int count = 0;
	for (int i = 0; i < cutting->segmentCount; ++i)
	{
		const Segment* segment = cutting->segments + i;
		if (rpIsMovement(segment->string))
		{
			continue;
		}
		int way = rpChooseMerge(i > 0 ? segment[-1].string : "", segment->string,
								i + 1 < cutting->segmentCount ? segment[1].string : "");
		if (way != 0)
		{
			i = way < 0 ? i - 1 : i;
			mergeSegments(cutting, i);
			++count;
		}
	}
	return count;
}

// The peak that was missed is where the centre of mass is highest in the phase.
static bool splitSegment(Cutting* cutting, int index, int letter, rpError* error)
{
	Segment* segment = cutting->segments + index;
	char string[RP_FOOTSTEP_SIZE];
	int first = rpFootstepPhases_Spell(&cutting->phases, segment->start, segment->end, LEAST_PART, string);
	const rpFootstepPhase* phase = cutting->phases.items + first + letter;
	double time = rpCenterCourse_FindHighest(&cutting->course, phase->start, phase->end), end = segment->end;
	segment->end = time;
	spell(cutting, segment);
	return insertSegment(cutting, index + 1, time, end, error);
}

static bool splitAll(Cutting* cutting, int* count, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < cutting->segmentCount; ++i)
	{
		int letter = rpIsMovement(cutting->segments[i].string) ? -1 : rpChooseSplit(cutting->segments[i].string);
		if (letter >= 0)
		{
			ok = splitSegment(cutting, i, letter, error);
			++*count;
		}
	}
	return ok;
}

// ---- what comes out

static void fillKeytimes(const Cutting* cutting, const Segment* segment, rpMovement* movement)
{
	char string[RP_FOOTSTEP_SIZE];
	int first = rpFootstepPhases_Spell(&cutting->phases, segment->start, segment->end, LEAST_PART, string);
	int letters = (int)strlen(string);
	movement->keytimeCount = letters + 1;
	movement->keytimes[0] = segment->start;
	for (int i = 1; i < letters; ++i)
	{
		movement->keytimes[i] = cutting->phases.items[first + i].start;
	}
	movement->keytimes[letters] = segment->end;
}

static bool addMovement(Cutting* cutting, const Segment* segment, rpMovements* out, rpError* error)
{
	if (!rpGrow(&out->items, &cutting->itemCapacity, out->count, sizeof(rpMovement), error))
	{
		return false;
	}
	const rpMovement* last = out->count > 0 ? out->items + out->count - 1 : NULL;
	rpMovement* movement = out->items + out->count;
	*movement = (rpMovement){.kind = rpMovementKind_Find(segment->string),
							 .take = cutting->take,
							 .start = segment->start,
							 .end = segment->end,
							 .isSuccessor = last != NULL && last->take == cutting->take && last->end == segment->start};
	fillKeytimes(cutting, segment, movement);
	rpMeasureMovement(&cutting->course, movement);
	++out->counts[movement->kind];
	out->validSeconds += segment->end - segment->start;
	++out->count;
	return true;
}

static bool drop(Cutting* cutting, const Segment* segment, rpMovements* out, rpError* error)
{
	if (!rpGrow(&out->dropped, &cutting->droppedCapacity, out->droppedCount, sizeof(rpDroppedMovement), error))
	{
		return false;
	}
	rpDroppedMovement* dropped = out->dropped + out->droppedCount++;
	*dropped = (rpDroppedMovement){.take = cutting->take, .start = segment->start, .end = segment->end};
	memcpy(dropped->string, segment->string, sizeof(dropped->string));
	return true;
}

static bool isFootContact(const rpInterval* interval)
{
	return interval->track == rp_trackContact && interval->effector <= rp_rightToe;
}

static bool isClimb(const Cutting* cutting, const Segment* segment)
{
	const rpAnnotations* notes = &cutting->motion->annotations;
	float low = INFINITY, high = -INFINITY;
	for (int i = 0; i < notes->intervalCount; ++i)
	{
		const rpInterval* contact = notes->intervals + i;
		if (isFootContact(contact) && contact->end > segment->start && contact->start < segment->end)
		{
			low = fminf(low, contact->supportHeight);
			high = fmaxf(high, contact->supportHeight);
		}
	}
	return high - low > CLIMB;
}

static bool report(Cutting* cutting, rpMovements* out, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < cutting->segmentCount; ++i)
	{
		const Segment* segment = cutting->segments + i;
		bool isValid = rpIsMovement(segment->string) && !isClimb(cutting, segment);
		ok = isValid ? addMovement(cutting, segment, out, error) : drop(cutting, segment, out, error);
		out->locomotionSeconds += segment->end - segment->start;
	}
	return ok;
}

// ---- takes

static bool hasFootContacts(const rpMotion* motion)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (isFootContact(motion->annotations.intervals + i))
		{
			return true;
		}
	}
	return false;
}

static bool cutTake(Cutting* cutting, const rpMovementDef* def, rpMovements* out, rpError* error)
{
	if (!rpCenterCourse_Follow(&cutting->course, cutting->motion, def, error) ||
		!rpFootstepPhases_Find(&cutting->phases, cutting->motion, &cutting->course, def, error) ||
		!findBounds(cutting, error) || !cutSegments(cutting, error))
	{
		return false;
	}
	out->countBefore += cutting->segmentCount;
	out->mergedCount += mergeAll(cutting);
	if (!splitAll(cutting, &out->splitCount, error))
	{
		return false;
	}
	// What was split off may be what a neighbour lacks.
	out->mergedCount += mergeAll(cutting);
	return report(cutting, out, error);
}

static void freeCutting(Cutting* cutting)
{
	rpCenterCourse_Free(&cutting->course);
	rpFootstepPhases_Free(&cutting->phases);
	rpFree(cutting->bounds);
	rpFree(cutting->segments);
	cutting->bounds = NULL;
	cutting->segments = NULL;
	cutting->boundCount = cutting->boundCapacity = cutting->segmentCount = cutting->segmentCapacity = 0;
}

static bool checkTake(const rpMotion* motion, rpError* error)
{
	if (motion->fps < SLOWEST_RATE)
	{
		rpFail(error, rp_errorNoSolution, "%s: %g frames per second do not show footsteps; at least %g are needed",
			   motion->name, motion->fps, SLOWEST_RATE);
		rpError_SetHint(error, "use a take at 30 Hz or more; resampling a slow one brings nothing back");
		return false;
	}
	return true;
}

static bool addTake(Cutting* cutting, const rpMotion* motion, const rpMovementDef* def, rpMovements* out,
					rpError* error)
{
	if (!checkTake(motion, error))
	{
		return false;
	}
	rpMotion* copy = hasFootContacts(motion) ? NULL : rpCopyMotion(motion, error);
	cutting->motion = copy != NULL ? copy : motion;
	bool ok = hasFootContacts(motion) || (copy != NULL && rpDetectContacts(copy, NULL, NULL, error));
	ok = ok && cutTake(cutting, def, out, error);
	freeCutting(cutting);
	rpDestroyMotion(copy);
	out->seconds += rpMotion_GetDuration(motion);
	return ok;
}

static bool checkLocomotion(const rpMovements* movements, int takeCount, rpError* error)
{
	int stands = movements->counts[rp_movementS];
	if (movements->count > stands)
	{
		return true;
	}
	rpFail(error, rp_errorNoSolution,
		   "nobody walks or runs in %s: %d stands, no half cycle of a gait, %d stretches of other things",
		   takeCount == 1 ? "this take" : "these takes", stands, movements->droppedCount);
	rpError_SetHint(error,
					"a half cycle reaches from one peak of the centre of mass to the next: take two steps at least");
	return false;
}

rpMovements* rpFindMovements(const rpMotion* const* takes, int count, const rpMovementDef* def, rpError* error)
{
	rpMovementDef defaults = rpDefaultMovementDef();
	def = def != NULL ? def : &defaults;
	rpMovements* movements = rpAllocateZero(1, sizeof(rpMovements), error);
	bool ok = movements != NULL;
	Cutting cutting = {0};
	for (int i = 0; ok && i < count; ++i)
	{
		cutting.take = i;
		ok = addTake(&cutting, takes[i], def, movements, error);
	}
	if (!ok || !checkLocomotion(movements, count, error))
	{
		rpDestroyMovements(movements);
		return NULL;
	}
	return movements;
}

void rpDestroyMovements(rpMovements* movements)
{
	if (movements != NULL)
	{
		rpFree(movements->items);
		rpFree(movements->dropped);
		rpFree(movements);
	}
}
