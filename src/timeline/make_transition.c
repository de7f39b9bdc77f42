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

/// A clip of some frames of a motion, and the time of the first of them.
typedef struct Part
{
	rpClip* clip;
	double start;
} Part;

/// What the spans are made of.
typedef struct Making
{
	const rpTransitionPlan* plan;
	Part a, b;
} Making;

// The motion between two moments is looked at where it lies; its contacts keep their times.
static bool createPart(const rpMotion* motion, double from, double to, Part* part, rpError* error)
{
	int first = (int)fmin(fmax(floor(from * motion->fps), 0.0), motion->frameCount - 1);
	int last = (int)fmin(fmax(ceil(to * motion->fps), first), motion->frameCount - 1);
	size_t skipped = (size_t)first * (size_t)motion->skeleton->jointCount;
	rpMotion view = *motion;
	view.frameCount = last - first + 1;
	view.rootPositions += first;
	view.rotations += skipped;
	view.translations = motion->translations != NULL ? motion->translations + skipped : NULL;
	*part = (Part){rpCreateElasticClip(&view, error), first / motion->fps};
	return part->clip != NULL;
}

// Of a the blend alone is needed, of b also what follows up to a time; and what velocities at a cut are told from.
static bool createParts(Making* making, double last, rpError* error)
{
	const rpTransitionPlan* plan = making->plan;
	double span = 2.0 * fmax(1.0 / RP_SEAM_RATE, fmax(1.0 / plan->a->fps, 1.0 / plan->b->fps));
	double before = fmin(plan->seam.start, plan->seam.cut - span), after = fmax(last, plan->seam.cut + span);
	return createPart(plan->a, before, plan->seam.end, &making->a, error) &&
		   createPart(plan->b, plan->seam.start + plan->bShift, after + plan->bShift, &making->b, error);
}

static void appendPart(rpTimeline* timeline, const Part* part, int source, double start, double time,
					   rpGroundTransform placement, const rpSeamDef* seam)
{
	rpSpan* span = rpTimeline_GetNext(timeline);
	rpSpan_PlayClipAsIs(span, part->clip, source, start, time - part->start, placement);
	span->contactShift = -time;
	rpTimeline_Append(timeline, seam);
}

static void produce(void* context, double time, rpTimeline* timeline)
{
	(void)time;
	const Making* making = context;
	const rpTransitionPlan* plan = making->plan;
	if (timeline->count == 0)
	{
		appendPart(timeline, &making->a, 0, 0.0, 0.0, rpGroundTransform_identity, NULL);
		appendPart(timeline, &making->b, 1, plan->seam.start, plan->seam.start + plan->bShift, plan->alignment,
				   &plan->seam);
	}
}

// Frames before the blend are a's to the bit; how many.
static int keepStart(const rpTransitionPlan* plan, rpMotion* out)
{
	double first =
		floor(plan->seam.start * out->fps + RP_FRAME_SLACK) + (plan->seam.start < plan->seam.cut ? 1.0 : 0.0);
	int count = (int)fmax(fmin(first, out->frameCount), 0.0);
	rpCopyFrames(plan->a, 0, count, out, 0);
	return count;
}

// Those after the blend are b's on their new ground, where b has frames at the same times; the first of them.
static int keepEnd(const rpTransitionPlan* plan, rpMotion* out)
{
	double shift = plan->bShift * out->fps, first = fmax(ceil(plan->seam.end * out->fps - RP_FRAME_SLACK), 0.0);
	int offset = (int)floor(shift + 0.5), start = (int)fmin(first, out->frameCount);
	if (plan->b->fps != out->fps || fabs(shift - offset) > RP_FRAME_SLACK)
	{
		return out->frameCount;
	}
	rpQuat turn = rpYaw(plan->alignment.turn);
	rpCopyFrames(plan->b, start + offset, out->frameCount - start, out, start);
	for (int i = start; i < out->frameCount; ++i)
	{
		rpQuat* root = &out->rotations[(size_t)i * (size_t)out->skeleton->jointCount];
		*root = rpMulQuat(turn, *root);
		out->rootPositions[i] = rpGroundTransform_Apply(plan->alignment, out->rootPositions[i]);
	}
	return start;
}

static bool makeFrames(const rpTransitionPlan* plan, rpMotion* out, rpError* error)
{
	Making making = {.plan = plan};
	int first = keepStart(plan, out), end = keepEnd(plan, out);
	bool done = createParts(&making, end / out->fps, error) && rpRenderFrames(out, first, end, produce, &making, error);
	rpDestroyClip(making.a.clip);
	rpDestroyClip(making.b.clip);
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
