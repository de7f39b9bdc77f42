/// What the laws of motion add, as curves over the performance.
#include "performer/laws.h"

#include "reprise/play/extend.h"

// How near the centre of mass is to its place when bodies are measured, metres.
#define NEAR 1e-5f
// How often turns and shifts are found, each with the others there, before legs are fitted to them.
#define PASSES 2
// How often the turns are found again at last.
#define LAST_PASSES 2

void rpLaws_Pose(const rpPerformance* performance, const rpBodyPlan* plan, rpVec3* offset, rpTransform* world)
{
	rpBodyPlan copy = *plan;
	rpQuat rotations[rp_performerJointCount];
	bool known = rpDot(*offset, *offset) > 0.0f;
	for (int i = 0; i < 3 && known; ++i)
	{
		float* pelvis = &copy.pelvis.x + i;
		*pelvis = copy.holds[i] ? (&copy.center.x)[i] + (&offset->x)[i] : *pelvis;
	}
	rpVec3 center = rpBodyPlan_SettleNear(&copy, performance->skeleton, performance->body, NEAR, rotations);
	*offset = rpSub(copy.pelvis, center);
	rpSkeleton_Forward(performance->skeleton, copy.pelvis, rotations, NULL, world);
}

double rpLaws_GetTime(int moment)
{
	return LAWS_STEP * moment - LAWS_BEYOND;
}

// The C2 curve through turns at all moments, whose rates are those of the parabola through three.
static rpVec3 sampleTurn(const rpLaws* laws, double t)
{
	int i = (int)floor((t - rpLaws_GetTime(0)) / LAWS_STEP);
	if (laws->turns == NULL || i < 1 || i + 2 >= laws->count)
	{
		return rpVec3_zero;
	}
	rpKnot knots[2];
	for (int n = 0; n < 2; ++n)
	{
		const float *before = &laws->turns[i + n - 1].x, *now = &laws->turns[i + n].x,
					*after = &laws->turns[i + n + 1].x;
		knots[n] = (rpKnot){.t = rpLaws_GetTime(i + n)};
		for (int k = 0; k < 3; ++k)
		{
			knots[n].p[k] = (double)now[k];
			knots[n].v[k] = ((double)after[k] - (double)before[k]) / (2.0 * LAWS_STEP);
			knots[n].a[k] = ((double)after[k] - 2.0 * (double)now[k] + (double)before[k]) / (LAWS_STEP * LAWS_STEP);
		}
	}
	return rpSampleKnots(knots, 2, t);
}

// The uniform cubic B-spline of the shifts.
static rpVec3 sampleShift(const rpLaws* laws, double t)
{
	double at = (t + LAWS_BEYOND) / BALANCE_STEP, s = at - floor(at), r = 1.0 - s;
	int i = (int)floor(at);
	if (laws->shifts == NULL || i < 1 || i + 2 >= laws->shiftCount)
	{
		return rpVec3_zero;
	}
	const double weights[4] = {r * r * r / 6.0, (4.0 - 3.0 * s * s * (1.0 + r)) / 6.0,
							   (4.0 - 3.0 * r * r * (1.0 + s)) / 6.0, s * s * s / 6.0};
	double x = 0.0, z = 0.0;
	for (int k = 0; k < 4; ++k)
	{
		x += weights[k] * (double)laws->shifts[i - 1 + k].x;
		z += weights[k] * (double)laws->shifts[i - 1 + k].y;
	}
	return (rpVec3){(float)x, 0.0f, (float)z};
}

void rpPerformance_AddLaws(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	plan->turn = rpAdd(plan->turn, sampleTurn(&performance->laws, t));
	rpVec3 shift = sampleShift(&performance->laws, t);
	plan->center = rpAdd(plan->center, shift);
	plan->pelvis = rpAdd(plan->pelvis, shift);
}

// What is as it was planned: dances go from foot to foot faster than a centre of mass could that is over a foot
// whenever it is slow, as theirs is; the farthest punches from guard to guard, and steps off from the highest
// platforms, already move arm and knee as fast as captured people do.
static bool isBalanced(const rpPerformance* performance)
{
	static const rpAct planned[] = {rp_actDance, rp_actBoxDance, rp_actGuardPunch, rp_actWalkStepOff};
	bool isPlanned = false;
	for (size_t i = 0; i < sizeof(planned) / sizeof(planned[0]); ++i)
	{
		isPlanned = isPlanned || performance->row->act == planned[i];
	}
	return !isPlanned;
}

bool rpPerformance_KeepLaws(rpPerformance* performance, rpError* error)
{
	rpLaws* laws = &performance->laws;
	laws->count = (int)ceil((performance->seconds + 2.0 * LAWS_BEYOND) / LAWS_STEP) + 1;
	bool ok = true;
	for (int pass = 0; ok && pass < PASSES; ++pass)
	{
		ok = rpPerformance_KeepMomentum(performance, error) &&
			 (!isBalanced(performance) || rpPerformance_KeepBalance(performance, error)) &&
			 (performance->refit == NULL || performance->refit(performance, error));
	}
	for (int pass = 0; ok && pass < LAST_PASSES; ++pass)
	{
		ok = rpPerformance_KeepMomentum(performance, error);
	}
	return ok;
}
