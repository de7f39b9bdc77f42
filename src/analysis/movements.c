/// Takes cut into movements (Kwon & Shin 2005, section 4): boundaries at the peaks of the centre of mass and at the
/// ends of stands, footsteps between them as strings, the refinement of those strings, and the parameters of what is
/// valid.
#include "analysis/footstep_string.h"
#include "analysis/footstep_take.h"
#include "analysis/movement_parameters.h"
#include "analysis/movement_rhythm.h"
#include "base/error.h"
#include "base/memory.h"
#include "reprise/play/body.h"

#include <stdlib.h>
#include <string.h>

// A phase that reaches into a segment by less than this is not of it, seconds.
#define MIN_PART 0.001
// Feet that rest on heights farther apart than this climb, metres: steps and stairs are not of Table 1.
#define CLIMB 0.08f

// Contacts are known to about this, seconds: a flight that is shorter may be none.
#define SHORTEST_FLIGHT 0.045

// A step's double support is not longer than this, seconds.
#define LONGEST_DOUBLE 0.4

// What a walker may rise by from step to step, metres.
#define VAULT 0.05f
// Someone who sets out for a run, or ends one, gets this far meanwhile, in lengths of the leg.
#define ON_SPOT 0.35f

// Froude's number of a comfortable walk (Alexander 1989).
#define WALKING_FROUDE 0.25

/// A stretch between two boundaries.
typedef struct Segment
{
	double start, end;
	char string[RP_FOOTSTEP_SIZE];
} Segment;

/// All there is while a take is cut.
typedef struct Cutting
{
	rpFootstepTake take;
	int takeIndex;
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

static float getHeight(const Cutting* cutting, double time)
{
	return rpCenterTrack_GetPlace(&cutting->take.track, time).y;
}

// The phase at a time, NULL if there is none; the search goes on from *from, as time only grows.
static const rpFootstepPhase* findPhase(const rpFootstepPhases* phases, double time, int* from)
{
	if (phases->count == 0)
	{
		return NULL;
	}
	while (*from + 1 < phases->count && phases->items[*from].end <= time)
	{
		++*from;
	}
	return phases->items + *from;
}

// Gaits have their peaks in single supports and flights: those in a stand are none, nor are those in the double support
// of a step.
static bool isOfGait(const rpFootstepPhase* phase)
{
	return phase->letter != 'S' && (phase->letter != 'D' || phase->end - phase->start > LONGEST_DOUBLE);
}

// A walker vaults over the supporting foot, highest in the middle of its support. Flat or double-humped heights, and a
// floor that tilts, move the peak to and fro between steps; so heights are weighed with those of an inverted pendulum,
// which drops by x²/2l at a distance x = v t from the middle: by half of Froude's number v²/gl times g t². Of a support
// that an end of the take cuts, the middle is not known.
static rpPeakPrior expectPeak(const Cutting* cutting, const rpFootstepPhase* phase)
{
	double duration = rpMotion_GetDuration(cutting->take.motion);
	bool isWhole = phase->start > 0.0 && phase->end < duration && strchr("LR", phase->letter) != NULL;
	return (rpPeakPrior){0.5 * (phase->start + phase->end), isWhole ? 0.5 * WALKING_FROUDE * RP_GRAVITY : 0.0};
}

static double findPeak(const Cutting* cutting, const rpFootstepPhase* phase)
{
	return rpCenterTrack_FindPeak(&cutting->take.track, phase->start, phase->end, expectPeak(cutting, phase));
}

// Of several peaks in one phase one is the gait's.
static bool addPeaks(Cutting* cutting, rpError* error)
{
	const rpFootstepPhase* last = NULL;
	bool ok = true;
	for (int i = 0, from = 0; ok && i < cutting->take.track.turnCount; ++i)
	{
		const rpTurningPoint* turn = cutting->take.track.turns + i;
		const rpFootstepPhase* phase = findPhase(&cutting->take.phases, turn->time, &from);
		if (!turn->isPeak || phase == NULL || !isOfGait(phase) || (phase == last && phase->letter != 'D'))
		{
			continue;
		}
		ok = addBound(cutting, phase->letter == 'D' ? turn->time : findPeak(cutting, phase), error);
		last = phase;
	}
	return ok;
}

static int compareTimes(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

static bool findBounds(Cutting* cutting, rpError* error)
{
	bool ok = addPeaks(cutting, error);
	for (int i = 0; ok && i < cutting->take.phases.standCount; ++i)
	{
		const rpCenterRest* stand = cutting->take.phases.stands + i;
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
	rpFootstepPhases_Spell(&cutting->take.phases, segment->start, segment->end, MIN_PART, segment->string);
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

// A piece of a stand's phase before its stand or after it is not the stand.
static bool isStand(const Cutting* cutting, const Segment* segment)
{
	for (int i = 0; i < cutting->take.phases.standCount; ++i)
	{
		if (cutting->take.phases.stands[i].start == segment->start)
		{
			return true;
		}
	}
	return false;
}

static bool isValid(const Cutting* cutting, const Segment* segment)
{
	return rpIsMovement(segment->string) && (strcmp(segment->string, "S") != 0 || isStand(cutting, segment));
}

// ---- refinement

static void mergeSegments(Cutting* cutting, int index)
{
	Segment* segment = cutting->segments + index;
	segment->end = segment[1].end;
	memmove(segment + 1, segment + 2, (size_t)(--cutting->segmentCount - index - 1) * sizeof(Segment));
	spell(cutting, segment);
}

/// A rule that decides whether an invalid string goes with the one before (-1) or after it (1).
typedef int MergeRule(const char* before, const char* string, const char* after);

static int mergeAll(Cutting* cutting, MergeRule* choose)
{
	int count = 0;
	for (int i = 0; i < cutting->segmentCount; ++i)
	{
		const Segment* segment = cutting->segments + i;
		if (isValid(cutting, segment))
		{
			continue;
		}
		int side = choose(i > 0 ? segment[-1].string : "", segment->string,
						  i + 1 < cutting->segmentCount ? segment[1].string : "");
		if (side != 0)
		{
			i = side < 0 ? i - 1 : i;
			mergeSegments(cutting, i);
			++count;
		}
	}
	return count;
}

// A short flight at a time, or next to it; -1 if there is none.
static int findShortFlight(const rpFootstepPhases* phases, double time)
{
	for (int i = 0; i < phases->count; ++i)
	{
		const rpFootstepPhase* phase = phases->items + i;
		bool isNear = phase->start - MIN_PART < time && time < phase->end + MIN_PART;
		if (isNear && phase->letter == 'F' && phase->end - phase->start < SHORTEST_FLIGHT)
		{
			return i;
		}
	}
	return -1;
}

// A flight that is shorter than contacts are known to may have been a double support: people who set out for a run
// hardly fly in their first step.
static int bridgeAll(Cutting* cutting)
{
	int count = 0;
	for (int i = 0; i + 1 < cutting->segmentCount; ++i)
	{
		const Segment* segment = cutting->segments + i;
		bool isWhole = isValid(cutting, segment) && isValid(cutting, segment + 1);
		if (isWhole || !rpIsMissedDouble(segment->string, segment[1].string))
		{
			continue;
		}
		int flight = findShortFlight(&cutting->take.phases, segment->end);
		if (flight >= 0)
		{
			cutting->take.phases.items[flight].letter = 'D';
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
	int first = rpFootstepPhases_Spell(&cutting->take.phases, segment->start, segment->end, MIN_PART, string);
	const rpFootstepPhase* phase = cutting->take.phases.items + first + letter;
	double time = findPeak(cutting, phase), end = segment->end;
	segment->end = time;
	spell(cutting, segment);
	return insertSegment(cutting, index + 1, time, end, error);
}

/// A rule that decides in which phase an invalid string falls apart; -1 in none.
typedef int SplitRule(const char* string);

static bool splitAll(Cutting* cutting, SplitRule* choose, int* count, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < cutting->segmentCount; ++i)
	{
		int letter = rpIsMovement(cutting->segments[i].string) ? -1 : choose(cutting->segments[i].string);
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
	int first = rpFootstepPhases_Spell(&cutting->take.phases, segment->start, segment->end, MIN_PART, string);
	int letters = (int)strlen(string);
	movement->keytimeCount = letters + 1;
	movement->keytimes[0] = segment->start;
	for (int i = 1; i < letters; ++i)
	{
		movement->keytimes[i] = cutting->take.phases.items[first + i].start;
	}
	movement->keytimes[letters] = segment->end;
}

static bool addMovement(Cutting* cutting, const Segment* segment, rpMovements* out, rpError* error)
{
	if (!rpGrow(&out->items, &cutting->itemCapacity, out->count, sizeof(rpMovement), error))
	{
		return false;
	}
	bool hasLast = out->count > 0 && out->items[out->count - 1].take == cutting->takeIndex;
	rpMovement movement = {.kind = rpMovementKind_Find(segment->string),
						   .take = cutting->takeIndex,
						   .start = segment->start,
						   .end = segment->end,
						   .isSuccessor = hasLast && out->items[out->count - 1].end == segment->start};
	fillKeytimes(cutting, segment, &movement);
	rpMeasureMovement(&cutting->take.track, &movement);
	out->items[out->count++] = movement;
	++out->counts[movement.kind];
	out->validSeconds += segment->end - segment->start;
	return true;
}

static bool drop(Cutting* cutting, const Segment* segment, rpMovements* out, rpError* error)
{
	if (!rpGrow(&out->dropped, &cutting->droppedCapacity, out->droppedCount, sizeof(rpDroppedMovement), error))
	{
		return false;
	}
	rpDroppedMovement* dropped = out->dropped + out->droppedCount++;
	*dropped = (rpDroppedMovement){.take = cutting->takeIndex, .start = segment->start, .end = segment->end};
	memcpy(dropped->string, segment->string, sizeof(dropped->string));
	return true;
}

static bool isClimb(const Cutting* cutting, const Segment* segment)
{
	const rpAnnotations* notes = &cutting->take.motion->annotations;
	float low = INFINITY, high = -INFINITY;
	for (int i = 0; i < notes->intervalCount; ++i)
	{
		const rpInterval* contact = notes->intervals + i;
		if (rpIsFootContact(contact) && contact->end > segment->start && contact->start < segment->end)
		{
			low = fminf(low, contact->supportHeight);
			high = fmaxf(high, contact->supportHeight);
		}
	}
	return high - low > CLIMB;
}

// Whether the centre of mass goes higher in a walk than it does in steps, which begin and end equally high: somebody
// kicks, or gets up. Someone who sneaks rises to stand, and someone on tiptoe comes down: of a step from a stand or
// into one only what is higher than both ends counts.
static bool isVault(const Cutting* cutting, const Segment* segment)
{
	const rpCenterTrack* track = &cutting->take.track;
	rpMovementKind kind = rpMovementKind_Find(segment->string);
	rpGait before = rpMovementKind_GetBefore(kind), after = rpMovementKind_GetAfter(kind);
	float a = getHeight(cutting, segment->start), b = getHeight(cutting, segment->end), high = fmaxf(a, b);
	if (before == rp_gaitRun || after == rp_gaitRun || kind == rp_movementS)
	{
		return false;
	}
	for (int i = (int)ceil(segment->start * track->fps); i <= (int)floor(segment->end * track->fps); ++i)
	{
		high = fmaxf(high, track->places[i].y);
	}
	return high - (before == after ? fminf(a, b) : fmaxf(a, b)) > VAULT;
}

// Whether a flight comes after a long double support: somebody crouches and jumps off both feet.
static bool isJump(const Cutting* cutting, const Segment* segment)
{
	char string[RP_FOOTSTEP_SIZE];
	int first = rpFootstepPhases_Spell(&cutting->take.phases, segment->start, segment->end, MIN_PART, string);
	const char* both = strchr(string, 'D');
	if (both == NULL || rpMovementKind_GetAfter(rpMovementKind_Find(string)) != rp_gaitRun)
	{
		return false;
	}
	const rpFootstepPhase* phase = cutting->take.phases.items + first + (both - string);
	return phase->end - phase->start > LONGEST_DOUBLE;
}

// Whether somebody begins to run, or ends, and gets nowhere: the first hop of a boxer's dance, or the last one.
static bool isOnSpot(const Cutting* cutting, const Segment* segment)
{
	rpMovementKind kind = rpMovementKind_Find(segment->string);
	rpGait before = rpMovementKind_GetBefore(kind), after = rpMovementKind_GetAfter(kind);
	rpVec3 a = rpCenterTrack_GetPlace(&cutting->take.track, segment->start);
	rpVec3 b = rpCenterTrack_GetPlace(&cutting->take.track, segment->end);
	return before != after && (before == rp_gaitRun || after == rp_gaitRun) &&
		   hypotf(b.x - a.x, b.z - a.z) < ON_SPOT * cutting->take.motion->skeleton->legLength;
}

static bool report(Cutting* cutting, rpMovements* out, rpError* error)
{
	bool ok = true;
	for (int i = 0; ok && i < cutting->segmentCount; ++i)
	{
		const Segment* segment = cutting->segments + i;
		bool isKept = isValid(cutting, segment) && !isClimb(cutting, segment) && !isVault(cutting, segment) &&
					  !isJump(cutting, segment) && !isOnSpot(cutting, segment);
		ok = isKept ? addMovement(cutting, segment, out, error) : drop(cutting, segment, out, error);
		out->locomotionSeconds += segment->end - segment->start;
	}
	return ok;
}

// ---- takes

static bool cutTake(Cutting* cutting, rpMovements* out, rpError* error)
{
	if (!findBounds(cutting, error) || !cutSegments(cutting, error))
	{
		return false;
	}
	out->countBefore += cutting->segmentCount;
	out->mergedCount += mergeAll(cutting, rpChooseMerge);
	if (!splitAll(cutting, rpChooseSplit, &out->splitCount, error))
	{
		return false;
	}
	// What was split off may be what a neighbour lacks.
	out->mergedCount += mergeAll(cutting, rpChooseMerge) + mergeAll(cutting, rpChooseTransition);
	out->mergedCount += bridgeAll(cutting);
	return splitAll(cutting, rpChooseFirstSplit, &out->splitCount, error) && report(cutting, out, error);
}

static void freeCutting(Cutting* cutting)
{
	rpFootstepTake_Free(&cutting->take);
	rpFree(cutting->bounds);
	rpFree(cutting->segments);
	cutting->bounds = NULL;
	cutting->segments = NULL;
	cutting->boundCount = cutting->boundCapacity = cutting->segmentCount = cutting->segmentCapacity = 0;
}

static bool addTake(Cutting* cutting, const rpMotion* motion, const rpMovementDef* def, rpMovements* out,
					rpError* error)
{
	bool ok = rpFootstepTake_Open(&cutting->take, motion, def, error) && cutTake(cutting, out, error);
	freeCutting(cutting);
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
		cutting.takeIndex = i;
		ok = addTake(&cutting, takes[i], def, movements, error);
	}
	ok = ok && rpSettleRhythm(movements, &cutting.droppedCapacity, error);
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
