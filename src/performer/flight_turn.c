/// Turning in the air: without ground under the feet the angular momentum about the centre of mass stays what it was
/// when they left. What arms and legs do is planned; so the pelvis, and the trunk with it, turns against it.
///
/// The turn is a rotation vector at moments that are LAWS_STEP apart, from some time before the first of several
/// flights that follow each other to some time after the last. It is the one with the least squares of: the changes of
/// the momentum within flights, the turn, and its acceleration. The momentum between two moments and its rates by the
/// turns at both are measured on settled bodies; Gauss and Newton's method goes on from there.
#include "performer/band.h"
#include "performer/laws.h"

// The body comes into the turn within this time before a flight, and out of it after it, seconds.
#define LEAD 0.3
// How far the body is turned to find the rates, radians.
#define PROBE 2e-3f
// What weighs the same, chosen by looking at jumps and runs: a change of momentum within a step in flight, kg m²/s; the
// turn, radians; its acceleration, rad/s²; and a change of the turn from one pass to the next, radians. Jumps then keep
// their momentum to 0.1 kg m²/s.
#define MOMENTUM_UNIT 0.005
#define TURN_UNIT 0.3
#define ACCELERATION_UNIT 40.0
#define PASS_UNIT 0.3

enum
{
	/// Unknowns of a row of the equations, at most: the turns of three moments.
	rowSize = 9,
};

/// Flights that follow each other, and the equations of their turn.
typedef struct Flights
{
	const rpPerformance* performance;

	/// Of the performance's moments the first, and how many there are.
	int first, count;

	/// [count]: whether the momentum may not change at a moment; how the body is turned.
	bool* flies;
	rpVec3* turns;

	/// Of 3 * count unknowns.
	rpBand band;
} Flights;

/// A body at a moment as it is, and turned a little about each axis of the world.
typedef struct Poses
{
	rpTransform plain[rp_performerJointCount], turned[3][rp_performerJointCount];
} Poses;

/// The momentum between two moments, and its rates by the turns at both.
typedef struct Momentum
{
	rpVec3 value;
	rpVec3 rates[6];
} Momentum;

static void poseMoment(const Flights* flights, int i, rpVec3* offset, Poses* out)
{
	rpBodyPlan plan = {0};
	rpPerformance_Plan(flights->performance, rpLaws_GetTime(flights->first + i), &plan);
	plan.turn = flights->turns[i];
	rpLaws_Pose(flights->performance, &plan, offset, out->plain);
	for (int k = 0; k < 3; ++k)
	{
		rpVec3 near = *offset;
		plan.turn = flights->turns[i];
		(&plan.turn.x)[k] += PROBE;
		rpLaws_Pose(flights->performance, &plan, &near, out->turned[k]);
	}
}

static rpVec3 getMomentum(const Flights* flights, const rpTransform* a, const rpTransform* b)
{
	return rpBody_GetMomentum(flights->performance->body, a, b, (float)LAWS_STEP).angular;
}

static Momentum measure(const Flights* flights, const Poses* a, const Poses* b)
{
	Momentum out = {.value = getMomentum(flights, a->plain, b->plain)};
	for (int k = 0; k < 3; ++k)
	{
		out.rates[k] = rpScale(1.0f / PROBE, rpSub(getMomentum(flights, a->turned[k], b->plain), out.value));
		out.rates[3 + k] = rpScale(1.0f / PROBE, rpSub(getMomentum(flights, a->plain, b->turned[k]), out.value));
	}
	return out;
}

// ---- equations

// The turn shall be small, come and go gently, and not jump from pass to pass.
static void addGentleness(Flights* flights)
{
	double bend = 1.0 / (LAWS_STEP * LAWS_STEP * ACCELERATION_UNIT);
	const double own[] = {1.0 / TURN_UNIT}, stay[] = {1.0 / PASS_UNIT},
				 gentle[7] = {[0] = bend, [3] = -2.0 * bend, [6] = bend};
	for (int i = -3; i < 3 * flights->count; ++i)
	{
		rpBand_Add(&flights->band, i, gentle, 7, 0.0);
		if (i >= 0)
		{
			rpBand_Add(&flights->band, i, own, 1, 0.0);
			rpBand_Add(&flights->band, i, stay, 1, stay[0] * (double)(&flights->turns[i / 3].x)[i % 3]);
		}
	}
}

// The momentum after moment i shall be that before it.
static void addMomentum(Flights* flights, int i, const Momentum* before, const Momentum* after)
{
	for (int k = 0; k < 3; ++k)
	{
		double row[rowSize] = {0};
		double wanted = (double)((&before->value.x)[k] - (&after->value.x)[k]);
		for (int j = 0; j < 6; ++j)
		{
			row[j] -= (double)(&before->rates[j].x)[k] / MOMENTUM_UNIT;
			row[3 + j] += (double)(&after->rates[j].x)[k] / MOMENTUM_UNIT;
		}
		for (int j = 0; j < rowSize; ++j)
		{
			wanted += row[j] * MOMENTUM_UNIT * (double)(&flights->turns[i - 1 + j / 3].x)[j % 3];
		}
		rpBand_Add(&flights->band, 3 * (i - 1), row, rowSize, wanted / MOMENTUM_UNIT);
	}
}

static void improve(Flights* flights)
{
	Poses poses[2];
	Momentum momenta[2];
	rpVec3 offset = rpVec3_zero;
	rpBand_Clear(&flights->band);
	addGentleness(flights);
	for (int i = 1; i < flights->count; ++i)
	{
		// An interval counts if the momentum may not change at either of its ends.
		bool goesOn = i > 1 && flights->flies[i - 1], begins = flights->flies[i];
		if (begins && !goesOn)
		{
			poseMoment(flights, i - 1, &offset, poses + (~i & 1));
		}
		if (begins || goesOn)
		{
			poseMoment(flights, i, &offset, poses + (i & 1));
			momenta[i & 1] = measure(flights, poses + (~i & 1), poses + (i & 1));
		}
		if (goesOn)
		{
			addMomentum(flights, i - 1, momenta + (~i & 1), momenta + (i & 1));
		}
	}
	rpBand_Solve(&flights->band);
	for (int i = 0; i < 3 * flights->count; ++i)
	{
		(&flights->turns[i / 3].x)[i % 3] = (float)flights->band.right[i];
	}
}

// ---- flights

/// From when to when nothing is on the ground.
typedef struct Flight
{
	double start, end;
} Flight;

// Which moment a time is; the fraction is its part of the way to the next.
static double getMoment(double t)
{
	return (t - rpLaws_GetTime(0)) / LAWS_STEP;
}

// Find the turn of flights that follow each other.
static bool turn(rpPerformance* performance, const Flight* items, int itemCount, rpError* error)
{
	Flights flights = {.performance = performance};
	int last = performance->laws.count - 1;
	int end = (int)fmin(floor(getMoment(items[itemCount - 1].end + LEAD)), last);
	flights.first = (int)fmax(ceil(getMoment(items[0].start - LEAD)), 0.0);
	flights.count = end - flights.first + 1;
	flights.turns = performance->laws.turns + flights.first;
	flights.flies = rpAllocate((size_t)flights.count, sizeof(bool), error);
	bool ok = flights.flies != NULL && rpBand_Begin(&flights.band, 3 * flights.count, rowSize, error);
	for (int i = 0, k = 0; ok && i < flights.count; ++i)
	{
		double t = rpLaws_GetTime(flights.first + i);
		while (k + 1 < itemCount && t - items[k].end > items[k + 1].start - t)
		{
			++k;
		}
		flights.flies[i] = t >= items[k].start && t <= items[k].end;
	}
	if (ok)
	{
		improve(&flights);
	}
	rpFree(flights.flies);
	rpBand_End(&flights.band);
	return ok;
}

// The next flight after those whose stances have been passed. False if there is none.
static bool findFlight(const rpPerformance* performance, int passed[2], Flight* out)
{
	while (passed[0] < performance->stanceCount[0] && passed[1] < performance->stanceCount[1])
	{
		const rpStance* now[2] = {performance->stances[0] + passed[0], performance->stances[1] + passed[1]};
		int side = now[0]->off <= now[1]->off ? 0 : 1;
		const rpStance *own = now[side], *other = now[1 - side];
		bool again = ++passed[side] < performance->stanceCount[side];
		*out = (Flight){own->off, fmin(other->strike, again ? own[1].strike : (double)INFINITY)};
		if (!isinf(own->off) && out->end > out->start)
		{
			return true;
		}
	}
	return false;
}

static bool listFlights(const rpPerformance* performance, Flight** out, int* count, rpError* error)
{
	int passed[2] = {0, 0}, capacity = 0;
	Flight flight;
	while (findFlight(performance, passed, &flight))
	{
		bool early = flight.end + LEAD < rpLaws_GetTime(2);
		bool late = flight.start - LEAD > rpLaws_GetTime(performance->laws.count - 3);
		if (early || late)
		{
			continue;
		}
		if (!rpGrow(out, &capacity, *count, sizeof(Flight), error))
		{
			return false;
		}
		(*out)[(*count)++] = flight;
	}
	return true;
}

bool rpPerformance_KeepMomentum(rpPerformance* performance, rpError* error)
{
	Flight* flights = NULL;
	int count = 0;
	rpLaws* laws = &performance->laws;
	bool ok = listFlights(performance, &flights, &count, error);
	if (ok && count > 0 && laws->turns == NULL)
	{
		laws->turns = rpAllocateZero((size_t)laws->count, sizeof(rpVec3), error);
		ok = laws->turns != NULL;
	}
	for (int i = 0, n = 1; ok && i < count; i += n)
	{
		n = 1;
		// Two turns must not have moments in common.
		while (i + n < count && flights[i + n].start - flights[i + n - 1].end < 2.0 * LEAD + LAWS_STEP)
		{
			++n;
		}
		ok = turn(performance, flights + i, n, error);
	}
	rpFree(flights);
	return ok;
}
