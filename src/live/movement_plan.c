#include "live/movement_plan.h"

#include "timeline/stretch_blend.h"

#include <math.h>
#include <string.h>

// A stand is played for this long at least, seconds: nothing is divided by nothing.
#define SHORTEST_STAND 1e-4

double rpMovementPlan_GetDuration(const rpMovementPlan* plan)
{
	return rpSpan_GetDuration(&plan->span);
}

rpGroundTransform rpMovementPlan_GetEnd(const rpMovementPlan* plan)
{
	return rpGroundPath_Get(&plan->span.path, rpMovementPlan_GetDuration(plan));
}

static rpStretchShare getShare(const rpGaitModel* model, int movement, const double* keytimes, float weight)
{
	int take = model->graph->movements[movement].take, first = model->firstFrames[take];
	return (rpStretchShare){model->clips.clips[take], take, weight, keytimes, model->rates + first,
							model->contacts + first};
}

static void blend(rpMovementPlan* plan, const rpStretchBlendDef* def)
{
	rpStretchBlend made = rpSpan_BlendStretches(&plan->span, def);
	float seconds = (float)rpMovementPlan_GetDuration(plan);
	plan->speed = made.length / seconds;
	plan->turn = made.turn / seconds;
	plan->span.labels = 1ull << rpMovementKind_GetBefore(plan->kind) | 1ull << rpMovementKind_GetAfter(plan->kind);
}

void rpMovementPlan_Make(rpMovementPlan* plan, const rpGaitModel* model, rpMovementKind kind, const float* asked,
						 const rpWeightDef* def)
{
	rpNeighbour neighbours[RP_MAX_SHARES];
	rpStretchShare shares[RP_MAX_SHARES];
	plan->kind = kind;
	memcpy(plan->asked, asked, sizeof(plan->asked));
	int count = rpWeighMovements(model->graph, kind, asked, def, neighbours, &plan->weighed);
	for (int i = 0; i < count; ++i)
	{
		int movement = neighbours[i].movement;
		plan->movements[i] = movement;
		shares[i] = getShare(model, movement, model->graph->movements[movement].keytimes, neighbours[i].weight);
	}
	int keyCount = model->graph->movements[neighbours[0].movement].keytimeCount;
	blend(plan, &(rpStretchBlendDef){.shares = shares, .shareCount = count, .keyCount = keyCount});
}

static rpGroundRate turnRate(rpGroundRate rate, float angle)
{
	float s, c;
	rpSinCos(angle, &s, &c);
	return (rpGroundRate){c * rate.x + s * rate.z, c * rate.z - s * rate.x, rate.turn};
}

void rpMovementPlan_Bend(rpMovementPlan* plan, float rate)
{
	rpGroundPath* path = &plan->span.path;
	rpGroundRate before = path->places[0];
	for (int n = 0; n <= path->stepCount; ++n)
	{
		float time = (float)n * path->step;
		rpGroundRate old = path->places[n], *place = &path->places[n];
		path->rates[n] = turnRate(path->rates[n], rate * time);
		path->rates[n].turn += rate;
		if (n > 0)
		{
			rpGroundRate step = {old.x - before.x, old.z - before.z, 0.0f};
			step = turnRate(step, rate * (time - 0.5f * path->step));
			*place = (rpGroundRate){place[-1].x + step.x, place[-1].z + step.z, old.turn + rate * time};
		}
		before = old;
	}
	plan->turn += rate;
}

void rpMovementPlan_MakeStand(rpMovementPlan* plan, const rpGaitModel* model, int movement, double from, double to,
							  double seconds)
{
	const double times[2] = {from, to};
	rpStretchShare share = getShare(model, movement, times, 1.0f);
	plan->kind = rp_movementS;
	memset(plan->asked, 0, sizeof(plan->asked));
	plan->weighed = (rpWeighed){0};
	plan->movements[0] = movement;
	double length = fmax(seconds, SHORTEST_STAND);
	blend(plan, &(rpStretchBlendDef){.shares = &share, .shareCount = 1, .keyCount = 2, .seconds = length});
}
