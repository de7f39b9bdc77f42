/// Turning in the air: without ground under the feet the angular momentum about the centre of mass stays what it was
/// when they left, so the body turns the slower the farther its limbs are spread, and does not stop and start.
///
/// The heading is a curve through knots: pushed up before the flight, taken up after it. The rates between are found by
/// settling the body at moments of the flight and measuring its momentum about the vertical.
#include "performer/score.h"

// The moments of the flight, with its ends, and how often their rates are corrected.
#define SPIN_MOMENTS (SCORE_TURNS - 2)
#define SPIN_PASSES 6
// How long the feet push the body into its turn, and take it out of it, seconds.
#define SPIN_PUSH 0.14
#define SPIN_BRAKE 0.2
// Seconds over which the momentum is measured.
#define SPIN_STEP 0.008f
// No rate differs by more than this factor from that of a turn at a constant one: limbs that tarry or hurry as they
// leave the ground do not make the body whirl or halt.
#define SPIN_MAX 1.4

// The rate of the same turn if it were constant in flight.
static double getEvenRate(const rpScore* score)
{
	const rpKnot* end = score->turns + SPIN_MOMENTS + 1;
	return end->p[0] / (score->turns[SPIN_MOMENTS].t - score->turns[1].t + 0.5 * (SPIN_PUSH + SPIN_BRAKE));
}

// Headings from rates: the turn comes to `angle` in all.
static void layTurns(rpScore* score, double* rates, float angle)
{
	rpKnot* knots = score->turns + 1;
	double step = knots[1].t - knots[0].t, sum = 0.5 * (SPIN_PUSH * rates[0] + SPIN_BRAKE * rates[SPIN_MOMENTS - 1]);
	for (int i = 1; i < SPIN_MOMENTS; ++i)
	{
		sum += 0.5 * step * (rates[i - 1] + rates[i]);
	}
	double heading = 0.0;
	for (int i = 0; i < SPIN_MOMENTS; ++i)
	{
		rates[i] *= (double)angle / sum;
		heading += i == 0 ? 0.5 * SPIN_PUSH * rates[0] : 0.5 * step * (rates[i - 1] + rates[i]);
		knots[i].p[0] = heading;
		knots[i].v[0] = rates[i];
	}
	for (int i = 1; i + 1 < SPIN_MOMENTS; ++i)
	{
		knots[i].a[0] = (rates[i + 1] - rates[i - 1]) / (2.0 * step);
	}
	knots[SPIN_MOMENTS].p[0] = (double)angle;
}

void rpScore_Turn(rpScore* score, double leave, double down, float angle)
{
	double rates[SPIN_MOMENTS], step = (down - leave) / (SPIN_MOMENTS - 1);
	score->turnCount = SCORE_TURNS;
	score->turns[0] = (rpKnot){.t = leave - SPIN_PUSH};
	for (int i = 0; i < SPIN_MOMENTS; ++i)
	{
		score->turns[i + 1] = (rpKnot){.t = leave + step * i};
		rates[i] = 1.0;
	}
	score->turns[SPIN_MOMENTS + 1] = (rpKnot){.t = down + SPIN_BRAKE};
	layTurns(score, rates, angle);
}

// The angular momentum about the vertical at a moment.
static float getSpin(const rpScore* score, const rpPerformance* performance, double t)
{
	rpBodyPlan plan;
	rpTransform before[rp_performerJointCount], after[rp_performerJointCount];
	rpScore_Settle(score, performance, t - 0.5 * (double)SPIN_STEP, &plan, before);
	rpScore_Settle(score, performance, t + 0.5 * (double)SPIN_STEP, &plan, after);
	return rpBody_GetMomentum(performance->body, before, after, SPIN_STEP).angular.y;
}

void rpScore_KeepSpin(rpScore* score, const rpPerformance* performance)
{
	float angle = (float)score->turns[SPIN_MOMENTS + 1].p[0];
	for (int pass = 0; fabsf(angle) > 0.1f && pass < SPIN_PASSES; ++pass)
	{
		double rates[SPIN_MOMENTS], even = getEvenRate(score);
		float spins[SPIN_MOMENTS], mean = 0.0f;
		for (int i = 0; i < SPIN_MOMENTS; ++i)
		{
			// The ends of the flight are looked at from inside.
			double inside = i == 0 ? 0.6 * (double)SPIN_STEP : i + 1 == SPIN_MOMENTS ? -0.6 * (double)SPIN_STEP : 0.0;
			spins[i] = getSpin(score, performance, score->turns[i + 1].t + inside);
			mean += spins[i] / SPIN_MOMENTS;
		}
		for (int i = 0; i < SPIN_MOMENTS; ++i)
		{
			double part = score->turns[i + 1].v[0] / even * (spins[i] * mean > 0.0f ? (double)(mean / spins[i]) : 1.0);
			rates[i] = even * fmin(fmax(part, 1.0 / SPIN_MAX), SPIN_MAX);
		}
		layTurns(score, rates, angle);
	}
}
