#include "base/memory.h"
#include "blend/transition_frames.h"
#include "blend/transition_notes.h"
#include "motion/draft.h"

#include <string.h>

static const char* const s_kinds[rp_transitionKindCount] = {
	[rp_transitionFade] = "fade",
	[rp_transitionLinear] = "linear",
	[rp_transitionDisplace] = "displace",
	[rp_transitionInertial] = "inertial",
};

const char* rpTransitionKind_GetName(rpTransitionKind kind)
{
	return s_kinds[kind];
}

rpTransitionKind rpTransitionKind_Find(const char* name)
{
	int kind = 0;
	while (kind < rp_transitionKindCount && strcmp(s_kinds[kind], name) != 0)
	{
		++kind;
	}
	return (rpTransitionKind)kind;
}

rpTransitionDef rpDefaultTransitionDef(void)
{
	return (rpTransitionDef){.kind = rp_transitionFade, .anchor = rp_anchorCentre, .seconds = 0.5};
}

static rpMotion* draftResult(const rpTransitionPlan* plan, rpError* error)
{
	rpMotion* result = rpDraftMotion(plan->a, plan->a->fps, plan->frameCount, error);
	bool done = result != NULL && (plan->b->translations == NULL || rpAddTranslations(result, error));
	for (int i = 0; done && i < plan->b->inputCount; ++i)
	{
		done = rpMotion_AddInput(result, plan->b->inputs[i].name, plan->b->inputs[i].hash, error);
	}
	if (!done)
	{
		rpDestroyMotion(result);
		return NULL;
	}
	return result;
}

rpMotion* rpMakeTransition(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpTransitionDef* def,
						   rpTransitionReport* report, rpError* error)
{
	rpTransitionPlan plan;
	rpMotion* result = rpPlanTransition(a, ta, b, tb, def, &plan, error) ? draftResult(&plan, error) : NULL;
	if (result == NULL || !rpMakeTransitionFrames(&plan, result, error) || !rpMakeTransitionNotes(&plan, result, error))
	{
		rpDestroyMotion(result);
		return NULL;
	}
	if (report != NULL)
	{
		*report = (rpTransitionReport){
			.alignment = plan.alignment,
			.distance = plan.distance,
			.from = plan.from,
			.to = plan.to,
			.start = plan.start,
			.end = plan.end,
			.seam = plan.seam,
			.bStart = -plan.bShift,
		};
	}
	return result;
}
