/// Balance on the ground: where the force acts that bears and accelerates a body, and turns its limbs (the zero moment
/// point, here: where the body presses), is under the soles. What limbs do is planned; so the centre of mass goes a
/// little beside its path.
///
/// How far is a cubic B-spline whose numbers, BALANCE_STEP apart, are found by one system of least squares over the
/// whole performance for each axis: the cart-table model of Kajita et al. (2003), solved for what the pressure misses,
/// as in the dynamics filter of Yamane & Nakamura (2003). A shift s of the centre at the height h above the ground
/// moves the pressure by s - h s" / (g + y"). In flight g + y" is 0, so that s" is, too, and the parabola stays one.
/// Where the pressure shall be is its nearest place in the soles; as that depends on the shift, both are found in
/// turns.
#include "performer/band.h"
#include "performer/laws.h"
#include "performer/soles.h"

#include <string.h>

// The pressure may be this far outside of the soles, and the centre of someone slow, metres: less than is looked for.
#define PRESSURE_OUTSIDE 0.015f
#define SLOW_OUTSIDE 0.003f
// What weighs the same, chosen by looking at walks, runs and jumps. Metres: what the pressure misses while the body
// presses with its weight, as it is, and smoothed; how far someone slow is outside; a shift by which a joint is bent
// too far; any shift, also in flight. Then: what is missing of a speed, m/s; the shift's jerk, m/s³, also where the
// height is what the legs allow, and follows the shift; its acceleration in flight, m/s²; a shift where there shall be
// none, metres.
#define PRESSURE_UNIT 0.1
#define SMOOTH_UNIT 0.01
#define SLOW_UNIT 0.0003
#define REACH_UNIT 0.0003
#define SHIFT_UNIT 0.05
#define FLIGHT_SHIFT_UNIT 0.02
#define BRISK_UNIT 0.003
#define JERK_UNIT 100.0
#define HANGING_JERK_UNIT 35.0
#define FLIGHT_UNIT 0.001
#define REST_UNIT 1e-6
// Someone slower than this keeps the centre over the feet; someone faster, but slower than the second, who has it
// beside them does not become slower than this, m/s.
#define SLOW 0.22f
#define BRISK 0.6f
// Deviation of the bell curve by which forces are smoothed, seconds: it leaves half of what has 6 Hz, at which captured
// motion is looked at.
#define SMOOTH_TIME 0.0312
// How far ankles are drawn up, thighs bent, spread and closed, radians (49, 136, 53, 34 degrees), and from how much
// less on it is looked at.
#define ANKLE_LIMIT 0.86f
#define HIP_LIMIT 2.37f
#define SPREAD_LIMIT 0.93f
#define CLOSE_LIMIT 0.59f
#define LIMIT_NEAR 0.25f
// How far the centre is moved to see how fast they bend, metres.
#define PROBE 4e-3f
// A body that presses less than this part of its weight presses with so much.
#define LEAST_LOAD 0.05
// How often the places in the soles are found again, and how much weaker equations are while they are.
#define PLACE_PASSES 30
#define RELAX 0.1

enum
{
	/// How far the bell curve reaches, moments to either side; unknowns of an equation, at most.
	smoothReach = 6,
	rowSize = 2 * smoothReach + 3,
};

/// What an equation of the pressure is about.
typedef enum RowKind
{
	rowPressure,
	rowSmooth,
	rowSlow,
	rowBrisk,
	rowReach,
	rowKindCount,
} RowKind;

/// A place on the ground that shall be in the soles, or a shift that shall not bend a joint too far: how it follows
/// from the shifts of moments from `first` on, and what it is without new ones. Everything is times the equation's
/// weight; `unit` is what a metre of the place is then.
typedef struct Row
{
	RowKind kind;
	int moment, first, count;
	double weights[rowSize];
	double unit, old[2];
	rpVec2 place;

	/// By how much it has missed its places so far (the scaled dual variable of ADMM, Boyd et al. 2011).
	rpVec2 debt;
} Row;

/// Forces at a moment: the centre of mass, its acceleration, and the change of the angular momentum about it, by the
/// mass.
typedef struct Forces
{
	rpVec3 center, acceleration, spin;
} Forces;

/// The joint that is bent most beyond its limit, or nearest to it: by how much, radians, and how fast that grows with
/// the shift. A rate of zero: none is near.
typedef struct Bend
{
	float beyond;
	rpVec2 rate;
} Bend;

typedef struct Balance
{
	rpPerformance* performance;
	int count;

	/// [count]
	rpSoles* soles;
	bool *flies, *held, *rests, *hangs;
	Forces *forces, *smooth;
	rpVec3* velocities;
	Bend* bends;

	/// The equations that are not linear, at most rowKindCount for a moment.
	Row* rows;
	int rowCount;

	/// The equations' matrix, alike for both axes; the shifts as they are found, and the next right sides, [count].
	rpBand band;
	double *shifts[2], *next[2];
	double bell[2 * smoothReach + 1];
} Balance;

// By how much the numbers around a moment count for the spline there, and for its second derivative.
static const double s_value[3] = {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};
static const double s_bend[3] = {1.0 / (BALANCE_STEP * BALANCE_STEP), -2.0 / (BALANCE_STEP * BALANCE_STEP),
								 1.0 / (BALANCE_STEP * BALANCE_STEP)};

static double getTime(int i)
{
	return BALANCE_STEP * i - LAWS_BEYOND;
}

// ---- what is measured

static bool isResting(const rpPerformance* performance, double t)
{
	bool rests = false;
	for (int i = 0; i < performance->restCount; ++i)
	{
		const rpRest* rest = performance->rests + i;
		rests = rests || (t >= rest->start && t <= rest->end);
	}
	return rests;
}

static void layGround(Balance* balance)
{
	int passed[3][2] = {0};
	for (int i = 0; i < balance->count; ++i)
	{
		double t = getTime(i);
		balance->soles[i] = rpPerformance_GetSoles(balance->performance, t, passed[0]);
		// The spline bends up to the next moments.
		rpSoles before = rpPerformance_GetSoles(balance->performance, t - BALANCE_STEP, passed[1]);
		rpSoles after = rpPerformance_GetSoles(balance->performance, t + BALANCE_STEP, passed[2]);
		balance->flies[i] = before.count == 0 || balance->soles[i].count == 0 || after.count == 0;
	}
}

// How far the joint that is nearest to its limit is beyond it.
static float getBend(const rpTransform* world)
{
	float beyond = -1.0f;
	for (int side = 0; side < 2; ++side)
	{
		int hip = side == 0 ? rp_leftUpLeg : rp_rightUpLeg;
		rpQuat ankle = rpMulQuat(rpConjugate(world[hip + 1].q), world[hip + 2].q);
		rpVec3 thigh = rpRotate(rpMulQuat(rpConjugate(world[rp_hips].q), world[hip].q), (rpVec3){0.0f, -1.0f, 0.0f});
		beyond = fmaxf(beyond, rpWrapAngle(-2.0f * atan2f(ankle.x, ankle.w)) - ANKLE_LIMIT);
		beyond = fmaxf(beyond, atan2f(thigh.z, -thigh.y) - HIP_LIMIT);
		float spread = asinf(SIDE(side) * thigh.x);
		beyond = fmaxf(beyond, fmaxf(spread - SPREAD_LIMIT, -spread - CLOSE_LIMIT));
	}
	return beyond;
}

static Bend measureBend(const rpPerformance* performance, const rpBodyPlan* plan, rpVec3 offset,
						const rpTransform* world)
{
	Bend bend = {getBend(world), {0.0f, 0.0f}};
	for (int axis = 0; axis < 2 && bend.beyond > -LIMIT_NEAR; ++axis)
	{
		rpTransform moved[rp_performerJointCount];
		rpBodyPlan copy = *plan;
		rpVec3 near = offset;
		(&copy.center.x)[2 * axis] += PROBE;
		(&copy.pelvis.x)[2 * axis] += PROBE;
		rpLaws_Pose(performance, &copy, &near, moved);
		(&bend.rate.x)[axis] = (getBend(moved) - bend.beyond) / PROBE;
	}
	return bend;
}

static void measure(Balance* balance)
{
	const rpPerformance* performance = balance->performance;
	rpTransform poses[2][rp_performerJointCount];
	rpVec3 offset = rpVec3_zero, last = rpVec3_zero, momenta[2] = {rpVec3_zero, rpVec3_zero};
	float rate = (float)(1.0 / BALANCE_STEP);
	Forces* forces = balance->forces;
	for (int i = 0; i < balance->count; ++i)
	{
		rpBodyPlan plan = {0};
		rpPerformance_Plan(performance, getTime(i), &plan);
		// The pelvis goes on beside the centre as it went before.
		rpVec3 near = i > 1 ? rpSub(rpScale(2.0f, offset), last) : offset;
		last = offset;
		offset = near;
		rpLaws_Pose(performance, &plan, &offset, poses[i & 1]);
		forces[i].center = rpBody_GetCenter(performance->body, poses[i & 1]);
		balance->held[i] = plan.holds[0] && plan.holds[2] && !isResting(performance, getTime(i));
		balance->hangs[i] = !plan.holds[1];
		balance->bends[i] = measureBend(performance, &plan, offset, poses[i & 1]);
		if (i > 0)
		{
			momenta[i & 1] =
				rpBody_GetMomentum(performance->body, poses[~i & 1], poses[i & 1], (float)BALANCE_STEP).angular;
		}
		if (i > 1)
		{
			rpVec3 after = rpSub(forces[i].center, forces[i - 1].center);
			rpVec3 before = rpSub(forces[i - 1].center, forces[i - 2].center);
			forces[i - 1].acceleration = rpScale(rate * rate, rpSub(after, before));
			forces[i - 1].spin = rpScale(rate / performance->body->mass, rpSub(momenta[i & 1], momenta[~i & 1]));
			balance->velocities[i - 1] = rpScale(0.5f * rate, rpAdd(after, before));
		}
	}
	forces[0].acceleration = forces[0].spin = rpVec3_zero;
}

// Where the plan does not hold the centre, or more than soles bears it, there is no shift, nor in the spline around.
static void layRests(Balance* balance)
{
	for (int i = 0; i < balance->count; ++i)
	{
		balance->rests[i] = false;
		for (int k = i < 2 ? -i : -2; k <= 2 && i + k < balance->count; ++k)
		{
			balance->rests[i] = balance->rests[i] || !balance->held[i + k];
		}
	}
}

static rpVec3 smoothOver(const Balance* balance, int i, const rpVec3* values)
{
	rpVec3 sum = rpVec3_zero;
	for (int k = -smoothReach; k <= smoothReach; ++k)
	{
		int at = i + k < 0 ? 0 : i + k >= balance->count ? balance->count - 1 : i + k;
		const float* value = (const float*)((const char*)values + (size_t)at * sizeof(Forces));
		sum = rpMulAdd(sum, (float)balance->bell[k + smoothReach], (rpVec3){value[0], value[1], value[2]});
	}
	return sum;
}

static void smooth(Balance* balance)
{
	double sum = 0.0;
	for (int k = -smoothReach; k <= smoothReach; ++k)
	{
		double t = k * BALANCE_STEP / SMOOTH_TIME;
		sum += balance->bell[k + smoothReach] = exp(-0.5 * t * t);
	}
	for (int k = 0; k <= 2 * smoothReach; ++k)
	{
		balance->bell[k] /= sum;
	}
	for (int i = 0; i < balance->count; ++i)
	{
		balance->smooth[i] = (Forces){smoothOver(balance, i, &balance->forces->center),
									  smoothOver(balance, i, &balance->forces->acceleration),
									  smoothOver(balance, i, &balance->forces->spin)};
	}
}

// ---- equations

// The pressure times the load, as a part of gravity, by the shifts around a moment.
static void fillPressure(const Balance* balance, int i, const Forces* forces, double weights[3], Row* row)
{
	double height = (double)(forces->center.y - balance->soles[i].level) / (double)GRAVITY;
	double lift = fmax((double)(forces->acceleration.y + GRAVITY), LEAST_LOAD * (double)GRAVITY);
	row->unit = lift / (double)GRAVITY;
	for (int k = 0; k < 3; ++k)
	{
		weights[k] = row->unit * s_value[k] - height * s_bend[k];
	}
	height *= (double)GRAVITY / lift;
	row->place.x = forces->center.x + (float)((double)forces->spin.z / lift - height * (double)forces->acceleration.x);
	row->place.y = forces->center.z - (float)((double)forces->spin.x / lift + height * (double)forces->acceleration.z);
}

static void fillSmooth(const Balance* balance, int i, Row* row)
{
	double weights[3];
	fillPressure(balance, i, balance->smooth + i, weights, row);
	row->first = i - 1 - smoothReach;
	row->count = rowSize;
	for (int k = 0; k <= 2 * smoothReach; ++k)
	{
		for (int j = 0; j < 3; ++j)
		{
			row->weights[k + j] += balance->bell[k] * weights[j];
		}
	}
}

// A row about the shift itself.
static void fillShift(rpVec2 place, Row* row)
{
	memcpy(row->weights, s_value, sizeof(s_value));
	row->place = place;
	row->unit = 1.0;
}

static bool isOutside(const Balance* balance, int i)
{
	rpVec2 c = {balance->forces[i].center.x, balance->forces[i].center.z};
	rpVec2 nearest = rpSoles_GetNearest(balance->soles + i, c);
	return c.x != nearest.x || c.y != nearest.y;
}

// A row about the velocity.
static void fillVelocity(const Balance* balance, int i, Row* row)
{
	double rate = 0.5 / BALANCE_STEP;
	rpVec3 after = balance->forces[i + 1].center, before = balance->forces[i - 1].center;
	row->weights[0] = -rate;
	row->weights[2] = rate;
	row->place = (rpVec2){(float)rate * (after.x - before.x), (float)rate * (after.z - before.z)};
	row->unit = 1.0;
}

// How much a row of a kind counts at a moment; 0: there is none.
static double getWeight(const Balance* balance, int i, RowKind kind)
{
	bool stands = balance->soles[i].count > 0;
	float speed = rpLength(balance->velocities[i]);
	const Bend* bend = balance->bends + i;
	if (balance->rests[i] || i <= smoothReach || i + smoothReach + 1 >= balance->count)
	{
		return 0.0;
	}
	switch (kind)
	{
	case rowPressure:
		return stands && !balance->flies[i] ? 1.0 / PRESSURE_UNIT : 0.0;
	case rowSmooth:
		return stands ? 1.0 / SMOOTH_UNIT : 0.0;
	case rowSlow:
		return stands && speed < SLOW ? 1.0 / SLOW_UNIT : 0.0;
	case rowBrisk:
		return stands && speed >= SLOW && speed < BRISK && isOutside(balance, i) ? 1.0 / BRISK_UNIT : 0.0;
	default:
		return bend->rate.x != 0.0f || bend->rate.y != 0.0f ? 1.0 / REACH_UNIT : 0.0;
	}
}

static void addRow(Balance* balance, int i, RowKind kind, double weight)
{
	const rpVec2* before = balance->performance->laws.shifts;
	rpVec3 center = balance->forces[i].center;
	Row* row = balance->rows + balance->rowCount++;
	*row = (Row){.kind = kind, .moment = i, .first = i - 1, .count = 3};
	switch (kind)
	{
	case rowPressure:
		fillPressure(balance, i, balance->forces + i, row->weights, row);
		break;
	case rowSmooth:
		fillSmooth(balance, i, row);
		break;
	case rowSlow:
		fillShift((rpVec2){center.x, center.z}, row);
		break;
	case rowBrisk:
		fillVelocity(balance, i, row);
		break;
	default:
		fillShift((rpVec2){0.0f, 0.0f}, row);
	}
	weight *= sqrt(RELAX);
	row->unit *= weight;
	for (int k = 0; k < row->count; ++k)
	{
		row->weights[k] *= weight;
		row->old[0] += row->weights[k] * (double)before[row->first + k].x;
		row->old[1] += row->weights[k] * (double)before[row->first + k].y;
	}
	rpBand_Add(&balance->band, row->first, row->weights, row->count, 0.0);
}

// The matrix: all that does not depend on where the places are.
static void addEquations(Balance* balance)
{
	const double straight[3] = {s_bend[0] / FLIGHT_UNIT, s_bend[1] / FLIGHT_UNIT, s_bend[2] / FLIGHT_UNIT};
	for (int i = -3; i < balance->count; ++i)
	{
		bool hangs = balance->hangs[i < 0 ? 0 : i];
		double jerk = 1.0 / (BALANCE_STEP * BALANCE_STEP * BALANCE_STEP * (hangs ? HANGING_JERK_UNIT : JERK_UNIT));
		const double gentle[4] = {-jerk, 3.0 * jerk, -3.0 * jerk, jerk};
		rpBand_Add(&balance->band, i, gentle, 4, 0.0);
		if (i < 0)
		{
			continue;
		}
		const double own[1] = {1.0 / (balance->rests[i]   ? REST_UNIT
									  : balance->flies[i] ? FLIGHT_SHIFT_UNIT
														  : SHIFT_UNIT)};
		rpBand_Add(&balance->band, i, own, 1, 0.0);
		if (balance->flies[i])
		{
			rpBand_Add(&balance->band, i - 1, straight, 3, 0.0);
		}
		for (int kind = 0; kind < rowKindCount; ++kind)
		{
			double weight = getWeight(balance, i, (RowKind)kind);
			if (weight > 0.0)
			{
				addRow(balance, i, (RowKind)kind, weight);
			}
		}
	}
}

// How fast somebody outside of the soles is at least, along the way over the ground that it has.
static rpVec2 getBrisk(const Balance* balance, int i, rpVec2 velocity)
{
	rpVec3 before = balance->velocities[i];
	float ground = hypotf(before.x, before.z), least = sqrtf(fmaxf(SLOW * SLOW - before.y * before.y, 0.0f));
	rpVec2 ahead = {before.x / fmaxf(ground, 1e-6f), before.z / fmaxf(ground, 1e-6f)};
	float missing = fmaxf(fminf(least, ground) - velocity.x * ahead.x - velocity.y * ahead.y, 0.0f);
	return (rpVec2){velocity.x + missing * ahead.x, velocity.y + missing * ahead.y};
}

static rpVec2 getReached(const Bend* bend, rpVec2 shift)
{
	float beyond = bend->beyond + bend->rate.x * shift.x + bend->rate.y * shift.y;
	float back = fmaxf(beyond, 0.0f) / (bend->rate.x * bend->rate.x + bend->rate.y * bend->rate.y);
	return (rpVec2){shift.x - back * bend->rate.x, shift.y - back * bend->rate.y};
}

// What is allowed that is nearest to what a row is.
static rpVec2 getAllowed(const Balance* balance, const Row* row, rpVec2 now)
{
	if (row->kind == rowBrisk)
	{
		return getBrisk(balance, row->moment, now);
	}
	if (row->kind == rowReach)
	{
		return getReached(balance->bends + row->moment, now);
	}
	rpVec2 nearest = rpSoles_GetNearest(balance->soles + row->moment, now);
	float x = now.x - nearest.x, y = now.y - nearest.y, away = sqrtf(x * x + y * y);
	float free = fminf((row->kind == rowSlow ? SLOW_OUTSIDE : PRESSURE_OUTSIDE) / fmaxf(away, 1e-6f), 1.0f);
	return (rpVec2){nearest.x + free * x, nearest.y + free * y};
}

// What a row shall be, in all: a place that is allowed, near where it is with the shifts that were found. What it
// misses is asked for again the next time.
static void addWanted(Balance* balance, Row* row)
{
	double now[2] = {-row->old[0], -row->old[1]};
	const double *x = balance->shifts[0] + row->first, *z = balance->shifts[1] + row->first;
	for (int k = 0; k < row->count; ++k)
	{
		now[0] += row->weights[k] * x[k];
		now[1] += row->weights[k] * z[k];
	}
	rpVec2 p = {row->place.x + (float)(now[0] / row->unit) + row->debt.x,
				row->place.y + (float)(now[1] / row->unit) + row->debt.y};
	rpVec2 allowed = getAllowed(balance, row, p);
	float part = (float)(1.0 / (1.0 + RELAX));
	row->debt = (rpVec2){part * (p.x - allowed.x), part * (p.y - allowed.y)};
	double wanted[2] = {row->old[0] + row->unit * (double)(p.x - 2.0f * row->debt.x - row->place.x),
						row->old[1] + row->unit * (double)(p.y - 2.0f * row->debt.y - row->place.y)};
	for (int axis = 0; axis < 2; ++axis)
	{
		rpBand_Want(&balance->band, balance->next[axis], row->first, row->weights, row->count, wanted[axis]);
	}
}

static void improve(Balance* balance)
{
	memset(balance->next[0], 0, (size_t)balance->count * sizeof(double));
	memset(balance->next[1], 0, (size_t)balance->count * sizeof(double));
	for (int k = 0; k < balance->rowCount; ++k)
	{
		addWanted(balance, balance->rows + k);
	}
	for (int axis = 0; axis < 2; ++axis)
	{
		rpBand_Substitute(&balance->band, balance->next[axis]);
		double* old = balance->shifts[axis];
		balance->shifts[axis] = balance->next[axis];
		balance->next[axis] = old;
	}
}

// ---- all of it

static bool begin(Balance* balance, rpError* error)
{
	size_t count = (size_t)balance->count;
	balance->soles = rpAllocate(count, sizeof(rpSoles), error);
	balance->flies = balance->soles != NULL ? rpAllocate(4 * count, sizeof(bool), error) : NULL;
	balance->forces = balance->flies != NULL ? rpAllocateZero(2 * count, sizeof(Forces), error) : NULL;
	balance->velocities = balance->forces != NULL ? rpAllocateZero(count, sizeof(rpVec3), error) : NULL;
	balance->bends = balance->velocities != NULL ? rpAllocateZero(count, sizeof(Bend), error) : NULL;
	balance->rows = balance->bends != NULL ? rpAllocate(rowKindCount * count, sizeof(Row), error) : NULL;
	double* numbers = balance->rows != NULL ? rpAllocate(4 * count, sizeof(double), error) : NULL;
	bool ok = numbers != NULL;
	balance->held = balance->flies + (ok ? count : 0);
	balance->rests = balance->held + (ok ? count : 0);
	balance->hangs = balance->rests + (ok ? count : 0);
	balance->smooth = balance->forces + (ok ? count : 0);
	for (int axis = 0; axis < 2; ++axis)
	{
		balance->shifts[axis] = numbers;
		balance->next[axis] = numbers;
		if (ok)
		{
			balance->shifts[axis] = numbers + (size_t)(2 * axis) * count;
			balance->next[axis] = numbers + (size_t)(2 * axis + 1) * count;
		}
	}
	return rpBand_Begin(&balance->band, balance->count, rowSize, error) && ok;
}

bool rpPerformance_KeepBalance(rpPerformance* performance, rpError* error)
{
	rpLaws* laws = &performance->laws;
	Balance balance = {.performance = performance};
	balance.count = (int)ceil((performance->seconds + 2.0 * LAWS_BEYOND) / BALANCE_STEP) + 1;
	if (laws->shifts == NULL)
	{
		laws->shifts = rpAllocateZero((size_t)balance.count, sizeof(rpVec2), error);
		laws->shiftCount = laws->shifts != NULL ? balance.count : 0;
	}
	bool ok = laws->shifts != NULL && begin(&balance, error);
	double* numbers = balance.shifts[0];
	if (ok)
	{
		layGround(&balance);
		measure(&balance);
		layRests(&balance);
		smooth(&balance);
		addEquations(&balance);
		rpBand_Factor(&balance.band);
		for (int i = 0; i < balance.count; ++i)
		{
			balance.shifts[0][i] = (double)laws->shifts[i].x;
			balance.shifts[1][i] = (double)laws->shifts[i].y;
		}
	}
	for (int pass = 0; ok && pass < PLACE_PASSES; ++pass)
	{
		improve(&balance);
	}
	for (int i = 0; ok && i < balance.count; ++i)
	{
		laws->shifts[i] = (rpVec2){(float)balance.shifts[0][i], (float)balance.shifts[1][i]};
	}
	rpFree(balance.soles);
	rpFree(balance.flies);
	rpFree(balance.forces);
	rpFree(balance.velocities);
	rpFree(balance.bends);
	rpFree(balance.rows);
	rpFree(numbers);
	rpBand_End(&balance.band);
	return ok;
}
