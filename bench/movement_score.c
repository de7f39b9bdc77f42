/// How well movements are found: strings, boundaries, and what is made up.
#include "movement_score.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A frame at 60 Hz.
#define FRAME (1.0 / 60.0)
// Peaks this near to the take's end cannot stand out: they belong to what is trimmed, seconds.
#define TRIMMED 0.25
// Someone who moves the centre of mass slower than this stands, whatever the performer calls it, m/s.
#define STAND_SPEED 0.2f

/// A movement as the performer knows it.
typedef struct Known
{
	double start, end;
	bool startsAtPeak, endsAtPeak;
	rpMovementKind kind;
	bool isScored;
} Known;

static bool isBoundary(const char* name)
{
	return strcmp(name, "half_cycle") == 0 || strcmp(name, "stand") == 0;
}

// The first boundary from index i on, or NULL.
static const rpEvent* findBoundary(const rpAnnotations* truth, int i, double after)
{
	for (; i < truth->eventCount; ++i)
	{
		if (isBoundary(truth->events[i].name) && truth->events[i].time > after)
		{
			return &truth->events[i];
		}
	}
	return NULL;
}

// Whether the performer does something else than stand and go meanwhile.
static bool isOtherAct(const rpAnnotations* truth, double start, double end)
{
	static const char* const gaits[] = {"take",   "stand", "walk",      "run", "sneak",
										"tiptoe", "march", "backwards", "turn"};
	for (int i = 0; i < truth->intervalCount; ++i)
	{
		const rpInterval* label = &truth->intervals[i];
		if (label->track != rp_trackLabel || fmin(label->end, end) - fmax(label->start, start) < 1e-3)
		{
			continue;
		}
		bool isGait = false;
		for (size_t k = 0; k < sizeof(gaits) / sizeof(gaits[0]); ++k)
		{
			isGait = isGait || strcmp(label->name, gaits[k]) == 0;
		}
		if (!isGait)
		{
			return true;
		}
	}
	return false;
}

static bool startsAtPeak(const rpAnnotations* truth, double time)
{
	for (int i = 0; i < truth->eventCount; ++i)
	{
		if (truth->events[i].time == time && strcmp(truth->events[i].name, "half_cycle") == 0)
		{
			return true;
		}
	}
	return false;
}

static int listKnown(const rpAnnotations* truth, double duration, Known* out)
{
	int count = 0;
	for (int i = 0; i < truth->eventCount; ++i)
	{
		const rpEvent* event = &truth->events[i];
		const rpEvent* next = findBoundary(truth, 0, event->time + 1e-6);
		if (strncmp(event->name, "string:", 7) != 0 || next == NULL)
		{
			continue;
		}
		Known known = {event->time,
					   next->time,
					   startsAtPeak(truth, event->time),
					   strcmp(next->name, "half_cycle") == 0,
					   rpMovementKind_Find(event->name + 7),
					   true};
		// A stand with something else done meanwhile is none to the paper: the centre of mass moves.
		known.isScored = known.kind != rp_movementKindCount && known.end < duration - TRIMMED &&
						 (known.kind != rp_movementS || !isOtherAct(truth, known.start, known.end));
		out[count++] = known;
	}
	return count;
}

static double getOverlap(const Known* known, const rpMovement* movement)
{
	return fmin(known->end, movement->end) - fmax(known->start, movement->start);
}

static void scoreBoundary(MovementScore* score, bool isPeak, double known, double found)
{
	bool isNear = fabs(known - found) <= FRAME;
	score->peaks += isPeak;
	score->nearPeaks += isPeak && isNear;
	score->standEnds += !isPeak;
	score->nearStandEnds += !isPeak && isNear;
}

static void scoreKnown(MovementScore* score, const Known* known, const rpMovements* movements)
{
	const rpMovement* best = NULL;
	for (int i = 0; i < movements->count; ++i)
	{
		const rpMovement* movement = &movements->items[i];
		best = best == NULL || getOverlap(known, movement) > getOverlap(known, best) ? movement : best;
	}
	++score->known;
	if (best != NULL && best->kind == known->kind && getOverlap(known, best) > 0.5 * (known->end - known->start))
	{
		++score->right;
		if (known->kind == rp_movementS)
		{
			return;
		}
		// The ends of stands are looked at where a step leads into them or out of them: where a script goes on with
		// another act without a step, there is nothing to be seen.
		scoreBoundary(score, known->startsAtPeak, known->start, best->start);
		scoreBoundary(score, known->endsAtPeak, known->end, best->end);
	}
}

// Whether the centre of mass, as the performer meant it, stays where it is.
static bool rests(const rpAnnotations* truth, const rpMovement* movement)
{
	const rpCurve* center = rpAnnotations_FindCurve(truth, "com");
	float travelled = 0.0f, last[3], next[3];
	rpCurve_Sample(center, movement->start, last);
	for (int i = 1; movement->start + (i - 1) * FRAME < movement->end; ++i)
	{
		rpCurve_Sample(center, fmin(movement->start + i * FRAME, movement->end), next);
		travelled += hypotf(hypotf(next[0] - last[0], next[1] - last[1]), next[2] - last[2]);
		memcpy(last, next, sizeof(last));
	}
	return travelled < STAND_SPEED * (float)(movement->end - movement->start);
}

static bool isThere(const rpAnnotations* truth, const Known* known, int count, const rpMovement* movement)
{
	const Known* best = NULL;
	for (int i = 0; i < count; ++i)
	{
		best = best == NULL || getOverlap(&known[i], movement) > getOverlap(best, movement) ? &known[i] : best;
	}
	return movement->kind == rp_movementS
			   ? rests(truth, movement)
			   : best != NULL && best->kind == movement->kind && getOverlap(best, movement) > 0.0;
}

static void addScore(MovementScore* score, const rpAnnotations* truth, double duration, const rpMovements* movements,
					 Known* known)
{
	int count = listKnown(truth, duration, known);
	for (int i = 0; i < count; ++i)
	{
		if (known[i].isScored)
		{
			scoreKnown(score, &known[i], movements);
		}
	}
	for (int i = 0; i < movements->count; ++i)
	{
		score->invented += !isThere(truth, known, count, &movements->items[i]);
	}
	score->found += movements->count;
	score->seconds += movements->locomotionSeconds;
	score->validSeconds += movements->validSeconds;
}

bool benchScoreMovements(MovementScore* score, uint64_t seed, double fps, double seconds, const char* script)
{
	rpError error = {0};
	rpPerformDef def = rpDefaultPerformDef(rp_actTake);
	def.fps = fps;
	def.seconds = seconds;
	def.seed = seed;
	def.script = script;
	rpMotion* take = rpPerform(&def, &error);
	rpMovements* movements = NULL;
	if (take != NULL)
	{
		// The analysis sees nothing but the frames.
		rpAnnotations truth = take->annotations;
		take->annotations = (rpAnnotations){0};
		const rpMotion* takes[] = {take};
		movements = rpFindMovements(takes, 1, NULL, &error);
		Known* known = calloc((size_t)truth.eventCount + 1, sizeof(Known));
		if (movements != NULL && known != NULL)
		{
			addScore(score, &truth, rpMotion_GetDuration(take), movements, known);
		}
		free(known);
		rpAnnotations_Free(&truth);
	}
	if (movements == NULL)
	{
		fprintf(stderr, "reprise-bench: a take of seed %llu: %s\n", (unsigned long long)seed, error.message);
	}
	rpDestroyMovements(movements);
	rpDestroyMotion(take);
	return movements != NULL;
}
