/// What the laws of motion add, as curves over the performance.
#include "performer/laws.h"

#include "reprise/play/extend.h"

// How near the centre of mass is to its place when bodies are measured, metres.
#define NEAR 1e-5f
// How often the turns are found again after legs have been fitted to them.
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

void rpPerformance_AddLaws(const rpPerformance* performance, double t, rpBodyPlan* plan)
{
	plan->turn = rpAdd(plan->turn, sampleTurn(&performance->laws, t));
}

bool rpPerformance_KeepLaws(rpPerformance* performance, rpError* error)
{
	rpLaws* laws = &performance->laws;
	laws->count = (int)ceil((performance->seconds + 2.0 * LAWS_BEYOND) / LAWS_STEP) + 1;
	bool ok = rpPerformance_KeepMomentum(performance, error);
	if (laws->turns == NULL)
	{
		return ok;
	}
	ok = ok && (performance->refit == NULL || performance->refit(performance, error));
	for (int pass = 0; ok && pass < LAST_PASSES; ++pass)
	{
		ok = rpPerformance_KeepMomentum(performance, error);
	}
	return ok;
}
