/// The ground truth of a performance: everything follows from its stances and notes.
#include "performer/truth.h"

#include "reprise/play/extend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Phases that begin nearer to each other than this are one, seconds.
#define TOGETHER 1e-6
// The longest footstep string that is written, symbols.
#define LONGEST_STRING 15

/// What is at hand while the truth is written.
typedef struct Truth
{
	const rpPerformance* performance;
	rpMotion* motion;
	double timeScale, duration;
	float lengthScale;
	rpError* error;
} Truth;

/// A stretch of one phase.
typedef struct Phase
{
	double start, end;
	char symbol;
} Phase;

typedef struct Phases
{
	Phase* items;
	int count, capacity;
} Phases;

// A stretch of a track, brought to the body's time and cut to the motion; one that lies outside is none.
static bool addInterval(const Truth* truth, rpInterval interval)
{
	interval.start = fmax(interval.start * truth->timeScale, 0.0);
	interval.end = fmin(interval.end * truth->timeScale, truth->duration);
	return interval.end <= interval.start ||
		   rpAnnotations_AddInterval(&truth->motion->annotations, &interval, truth->error);
}

static bool addLabel(const Truth* truth, const char* name, double start, double end)
{
	return addInterval(truth, (rpInterval){.track = rp_trackLabel, .start = start, .end = end, .name = name});
}

static bool addEvent(const Truth* truth, const char* name, double time)
{
	time *= truth->timeScale;
	return time < 0.0 || time > truth->duration ||
		   rpAnnotations_AddEvent(&truth->motion->annotations, name, time, truth->error);
}

/// The points of a foot, as offsets of its effectors.
typedef enum FootPoint
{
	footHeel,
	footBall,
	footToe,
} FootPoint;

static bool addContact(const Truth* truth, const rpStance* stance, FootPoint point, double start, double end)
{
	static const rpEffector points[2][3] = {{rp_leftHeel, rp_leftBall, rp_leftToe},
											{rp_rightHeel, rp_rightBall, rp_rightToe}};
	return addInterval(truth, (rpInterval){.track = rp_trackContact,
										   .start = start,
										   .end = end,
										   .effector = points[stance->side][point],
										   .supportHeight = stance->support * truth->lengthScale});
}

// The toes lie flat before the ball for as long as it bears: feet on this stage roll over the joint between them.
static bool addForefoot(const Truth* truth, const rpStance* stance, double start, double end)
{
	return addContact(truth, stance, footBall, start, end) && addContact(truth, stance, footToe, start, end);
}

// The stages of a stance: from heel to toe, or, backwards, from toe to heel.
static bool addStanceTruth(const Truth* truth, const rpStance* stance)
{
	if (stance->backwards)
	{
		return addForefoot(truth, stance, stance->strike, stance->lift) &&
			   addContact(truth, stance, footHeel, stance->flat, stance->off);
	}
	bool heelFirst = stance->strikePitch < 0.0f, flat = stance->flatPitch == 0.0f;
	const char* strike = stance->side == 0 ? "heel_strike_left" : "heel_strike_right";
	double heelDown = heelFirst ? stance->strike : stance->flat;
	return (!flat || addContact(truth, stance, footHeel, heelDown, stance->lift)) &&
		   addForefoot(truth, stance, heelFirst ? stance->flat : stance->strike, stance->off) &&
		   (!heelFirst || addEvent(truth, strike, stance->strike));
}

static bool addRestTruth(const Truth* truth, const rpRest* rest)
{
	return addInterval(truth, (rpInterval){.track = rp_trackContact,
										   .start = rest->start,
										   .end = rest->end,
										   .effector = rest->effector,
										   .supportHeight = rest->support * truth->lengthScale});
}

static int compareTimes(const void* a, const void* b)
{
	double x = *(const double*)a, y = *(const double*)b;
	return (x > y) - (x < y);
}

// All moments at which a phase can change, in order; returns how many.
static int listMoments(const rpPerformance* performance, double* moments)
{
	int count = 0;
	moments[count++] = 0.0;
	moments[count++] = performance->seconds;
	for (int side = 0; side < 2; ++side)
	{
		for (int i = 0; i < performance->stanceCount[side]; ++i)
		{
			moments[count++] = performance->stances[side][i].strike;
			moments[count++] = performance->stances[side][i].off;
		}
	}
	for (int i = 0; i < performance->stands.count; ++i)
	{
		moments[count++] = performance->stands.items[i].start;
		moments[count++] = performance->stands.items[i].end;
	}
	qsort(moments, (size_t)count, sizeof(double), compareTimes);
	return count;
}

// Whether a foot is on the ground at t; the search goes on from *from, as t only grows.
static bool isDown(const rpPerformance* performance, int side, double t, int* from)
{
	const rpStance* stances = performance->stances[side];
	while (*from < performance->stanceCount[side] && stances[*from].off <= t)
	{
		++*from;
	}
	return *from < performance->stanceCount[side] && stances[*from].strike <= t;
}

static bool isStanding(const rpPerformance* performance, double t)
{
	bool standing = false;
	for (int i = 0; i < performance->stands.count; ++i)
	{
		const rpNote* note = performance->stands.items + i;
		standing = standing || (note->start <= t && t < note->end);
	}
	return standing;
}

static char getPhase(const rpPerformance* performance, double t, int from[2])
{
	bool left = isDown(performance, 0, t, from), right = isDown(performance, 1, t, from + 1);
	return left && right ? (isStanding(performance, t) ? 'S' : 'D') : left ? 'L' : right ? 'R' : 'F';
}

static bool listPhases(const rpPerformance* performance, Phases* phases, rpError* error)
{
	size_t max =
		2 + 2 * (size_t)(performance->stanceCount[0] + performance->stanceCount[1] + performance->stands.count);
	double* moments = rpAllocate(max, sizeof(double), error);
	bool ok = moments != NULL;
	int count = ok ? listMoments(performance, moments) : 0, from[2] = {0, 0};
	for (int i = 0; ok && i + 1 < count; ++i)
	{
		double start = fmax(moments[i], 0.0), end = fmin(moments[i + 1], performance->seconds);
		if (end - start < TOGETHER)
		{
			continue;
		}
		char symbol = getPhase(performance, 0.5 * (start + end), from);
		Phase* last = phases->count > 0 ? phases->items + phases->count - 1 : NULL;
		if (last != NULL && last->symbol == symbol)
		{
			last->end = end;
			continue;
		}
		// Taken before the list grows and moves.
		double begin = last != NULL ? last->end : start;
		ok = rpGrow(&phases->items, &phases->capacity, phases->count, sizeof(Phase), error);
		if (ok)
		{
			phases->items[phases->count++] = (Phase){begin, end, symbol};
		}
	}
	rpFree(moments);
	return ok;
}

static bool addPhases(const Truth* truth, const Phases* phases)
{
	bool ok = true;
	for (int i = 0; ok && i < phases->count; ++i)
	{
		char name[2] = {phases->items[i].symbol, 0};
		// The last one reaches to the motion's very end.
		double end = i + 1 == phases->count ? INFINITY : phases->items[i].end;
		ok = addInterval(
			truth, (rpInterval){.track = rp_trackPhase, .start = phases->items[i].start, .end = end, .name = name});
	}
	return ok;
}

// The phases from one half-cycle boundary to the next as an event "string:LDR", if all of it is in the motion.
static bool addString(const Truth* truth, const Phases* phases, double start, double end)
{
	char name[8 + LONGEST_STRING] = "string:";
	size_t length = strlen(name);
	for (int i = 0; i < phases->count && length + 1 < sizeof(name); ++i)
	{
		const Phase* phase = phases->items + i;
		if (phase->end > start + TOGETHER && phase->start < end - TOGETHER)
		{
			name[length++] = phase->symbol;
		}
	}
	name[length] = 0;
	bool whole = start >= 0.0 && end * truth->timeScale <= truth->duration;
	return !whole || addEvent(truth, name, start);
}

// Between peaks there is a string; a stand is a boundary and a string of its own: what follows begins with its S.
static bool addStrings(const Truth* truth, const Phases* phases)
{
	const rpNotes* events = &truth->performance->events;
	double last = NAN;
	bool ok = true;
	for (int i = 0; ok && i < events->count; ++i)
	{
		bool peak = strcmp(events->items[i].name, "half_cycle") == 0;
		if (peak || strcmp(events->items[i].name, "stand") == 0)
		{
			double time = events->items[i].start;
			ok = isnan(last) || addString(truth, phases, last, time);
			last = time;
		}
	}
	return ok;
}

static bool addParameters(const Truth* truth, const rpPerformDef* def)
{
	bool ok = true;
	for (int i = 0; ok && i < rp_parameterCount; ++i)
	{
		rpParameterRange range;
		if (rpAct_GetRange(def->act, (rpParameter)i, &range))
		{
			double zero = 0.0;
			float value = def->parameters[i] * (rpParameter_IsAngle((rpParameter)i) ? (float)(180.0 / RP_PI) : 1.0f);
			bool sided = i == rp_paramTurn || i == rp_paramAngle || i == rp_paramSide;
			rpCurve curve = {rpParameter_GetKey((rpParameter)i), sided ? rp_curveSided : rp_curveScalar, 1, &zero,
							 &value};
			ok = rpAnnotations_AddCurve(&truth->motion->annotations, &curve, truth->error);
		}
	}
	return ok;
}

static bool addNotes(const Truth* truth, const rpPerformDef* def)
{
	const rpPerformance* performance = truth->performance;
	bool ok = !def->labels || addLabel(truth, rpAct_GetName(def->act), 0.0, INFINITY);
	for (int i = 0; ok && def->labels && i < performance->labels.count; ++i)
	{
		const rpNote* note = performance->labels.items + i;
		ok = addLabel(truth, note->name, note->start, note->end);
	}
	for (int i = 0; ok && i < performance->events.count; ++i)
	{
		ok = addEvent(truth, performance->events.items[i].name, performance->events.items[i].start);
	}
	return ok;
}

bool rpWriteTruth(const rpPerformance* performance, const rpPerformDef* def, double timeScale, float lengthScale,
				  rpMotion* motion, rpError* error)
{
	Truth truth = {performance, motion, timeScale, rpMotion_GetDuration(motion), lengthScale, error};
	bool ok = addNotes(&truth, def) && addParameters(&truth, def);
	for (int side = 0; ok && side < 2; ++side)
	{
		for (int i = 0; ok && i < performance->stanceCount[side]; ++i)
		{
			ok = addStanceTruth(&truth, performance->stances[side] + i);
		}
	}
	for (int i = 0; ok && i < performance->restCount; ++i)
	{
		ok = addRestTruth(&truth, performance->rests + i);
	}
	Phases phases = {0};
	ok = ok && listPhases(performance, &phases, error) && addPhases(&truth, &phases) && addStrings(&truth, &phases);
	rpFree(phases.items);
	return ok;
}
