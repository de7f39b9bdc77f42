/// A transition is a timeline of two spans and the seam between them.
#include "motion/draft.h"
#include "timeline/render_motion.h"
#include "timeline/transition_notes.h"

#include <string.h>

static const char* const s_kinds[rp_transitionKindCount] = {
	[rp_transitionFade] = "fade",         [rp_transitionLinear] = "linear",     [rp_transitionDisplace] = "displace",
	[rp_transitionInertial] = "inertial", [rp_transitionVelocity] = "velocity",
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

bool rpTransitionKind_IsFade(rpTransitionKind kind)
{
	return kind == rp_transitionFade || kind == rp_transitionLinear || kind == rp_transitionVelocity;
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

/// What the spans are made of.
typedef struct Making
{
	const rpTransitionPlan* plan;
	rpClip *a, *b;
} Making;

static void produce(void* context, double time, rpTimeline* timeline)
{
	(void)time;
	const Making* making = context;
	const rpTransitionPlan* plan = making->plan;
	if (timeline->count == 0)
	{
		rpSpan_PlayClipAsIs(rpTimeline_GetNext(timeline), making->a, 0, 0.0, 0.0, rpGroundTransform_identity);
		rpTimeline_Append(timeline, NULL);
		rpSpan_PlayClipAsIs(rpTimeline_GetNext(timeline), making->b, 1, plan->seam.start,
							plan->seam.start + plan->bShift, plan->alignment);
		rpTimeline_Append(timeline, &plan->seam);
	}
}

// Clips give frames back with the last digit rounded; those before the blend are a's to the bit.
static void keepFrames(const rpTransitionPlan* plan, rpMotion* out)
{
	double first =
		floor(plan->seam.start * out->fps + RP_FRAME_SLACK) + (plan->seam.start < plan->seam.cut ? 1.0 : 0.0);
	double count = fmin(first, out->frameCount);
	if (count > 0.0)
	{
		rpCopyFrames(plan->a, 0, (int)count, out, 0);
	}
	rpAlignHemispheres(out);
}

static bool makeFrames(const rpTransitionPlan* plan, rpMotion* out, rpError* error)
{
	Making making = {plan, rpCreateElasticClip(plan->a, error), rpCreateElasticClip(plan->b, error)};
	bool done = making.a != NULL && making.b != NULL && rpRenderMotion(out, false, produce, &making, error);
	rpDestroyClip(making.a);
	rpDestroyClip(making.b);
	if (done)
	{
		keepFrames(plan, out);
	}
	return done;
}

rpMotion* rpMakeTransition(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpTransitionDef* def,
						   rpTransitionReport* report, rpError* error)
{
	rpTransitionPlan plan;
	rpMotion* result = rpPlanTransition(a, ta, b, tb, def, &plan, error) ? draftResult(&plan, error) : NULL;
	if (result == NULL || !makeFrames(&plan, result, error) || !rpMakeTransitionNotes(&plan, result, error))
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
			.start = plan.seam.start,
			.end = plan.seam.end,
			.seam = plan.seam.cut,
			.bStart = -plan.bShift,
		};
	}
	return result;
}
