#include "model/parametric_step.h"

#include <limits.h>
#include <math.h>

// Slower than this nobody travels, m/s, and its direction is that of the ground.
#define SLOWEST 0.2f
// The direction of travel is that of so many seconds around.
#define TRAVEL_TIME 0.1

enum
{
	/// Frames by which the moment in the next motion is moved, to either side, where it does not fit.
	maxShift = 3,
};

void rpParametricStep_Begin(const rpParametricModel* model, const rpParametricMotion* now, int edge,
							rpParametricStep* step)
{
	step->edge = edge;
	step->box = rpParametricGraph_LookUp(model->graph, edge, now->clip.values);
	step->from = rpParametricClip_GetTime(&now->clip, step->box.from);
	step->repairs = 0;
	step->isForced = false;
}

bool rpParametricStep_GoOnPlanning(const rpParametricModel* model, rpParametricPlanning* planning, float to,
								   int samples, int pieces, rpParametricStep* step)
{
	int node = step->next.clip.node;
	rpSpan* span = &step->next.span;
	if (!rpParametricPlanning_GoOn(planning, &model->spaces[node], model->margin, samples, pieces, span,
								   &step->next.clip))
	{
		return false;
	}
	span->start = 0.0;
	span->placement = rpGroundTransform_identity;
	span->rise = 0.0f;
	span->labels = 1ull << node;
	step->to = rpParametricClip_GetTime(&step->next.clip, to);
	return true;
}

void rpParametricStep_Plan(const rpParametricModel* model, const float* asked, float to, rpParametricStep* step)
{
	int node = model->graph->edges[step->edge].target;
	rpParametricPlanning planning;
	rpParametricPlanning_Begin(&planning, &model->spaces[node], node, asked, &step->next.clip);
	while (!rpParametricStep_GoOnPlanning(model, &planning, to, INT_MAX, INT_MAX, step))
	{
	}
}

rpSpanMoment rpParametricStep_GetFrom(const rpParametricStep* step, const rpParametricMotion* now)
{
	return rpSpan_GetMoment(&now->span, step->from, now->clip.end);
}

rpSpanMoment rpParametricStep_GetTo(const rpParametricStep* step)
{
	return rpSpan_GetMoment(&step->next.span, step->to, step->next.clip.start);
}

rpGroundTransform rpParametricStep_Place(const rpParametricModel* model, const rpParametricMotion* now,
										 rpGroundTransform alignment, rpParametricStep* step)
{
	rpVec3 shift;
	rpSpan* span = &step->next.span;
	span->placement = alignment;
	if (rpSpanJoiner_FindFootShift(&model->joiner, &now->span, step->from, span, step->to, &shift))
	{
		alignment.shift = rpAdd(alignment.shift, shift);
	}
	span->placement = rpGroundTransform_identity;
	return alignment;
}

void rpParametricStep_Compare(const rpParametricModel* model, const rpParametricMotion* now, rpParametricStep* step)
{
	rpSpanMoment from = rpParametricStep_GetFrom(step, now), to = rpParametricStep_GetTo(step);
	rpGroundTransform alignment;
	step->distance = rpSpanCloud_Compare(&model->cloud, &from, &to, &alignment);
	step->placement = rpParametricStep_Place(model, now, alignment, step);
}

// ---- repair

// Keep the best of other moments in the next motion.
static void shiftNext(const rpParametricModel* model, const rpParametricMotion* now, rpParametricStep* step)
{
	double middle = step->to, best = step->to;
	float least = step->distance;
	for (int shift = -maxShift; shift <= maxShift; ++shift)
	{
		step->to = middle + shift * model->cloud.step;
		rpParametricStep_Compare(model, now, step);
		if (step->distance < least)
		{
			least = step->distance;
			best = step->to;
		}
	}
	step->to = best;
	rpParametricStep_Compare(model, now, step);
}

static bool isGood(const rpParametricModel* model, const rpParametricStep* step)
{
	return step->distance <= model->graph->edges[step->edge].bad;
}

static void tryMotion(const rpParametricModel* model, const rpParametricMotion* now, const float* asked, float to,
					  rpParametricStep* step)
{
	++step->repairs;
	rpParametricStep_Plan(model, asked, to, step);
	rpParametricStep_Compare(model, now, step);
	if (!isGood(model, step))
	{
		shiftNext(model, now, step);
	}
}

void rpParametricStep_Repair(const rpParametricModel* model, const rpParametricMotion* now, rpParametricStep* step)
{
	const rpParametricSample* sample = &model->graph->samples[step->box.nearest];
	if (!isGood(model, step))
	{
		++step->repairs;
		shiftNext(model, now, step);
	}
	if (!isGood(model, step))
	{
		float middle[RP_MAX_SPACE_PARAMETERS];
		for (int k = 0; k < RP_MAX_SPACE_PARAMETERS; ++k)
		{
			middle[k] = 0.5f * (step->box.low[k] + step->box.high[k]);
		}
		tryMotion(model, now, middle, step->box.to, step);
	}
	if (!isGood(model, step))
	{
		step->isForced = true;
		tryMotion(model, now, sample->best, sample->bestTo, step);
	}
}

// ---- laying

void rpParametricStep_Lay(const rpParametricModel* model, const rpParametricMotion* now, rpParametricStep* step)
{
	(void)model;
	rpSpan* span = &step->next.span;
	span->start = now->span.start + step->from - step->to;
	span->placement = step->placement;
	span->placement.turn = rpWrapAngle(step->placement.turn);
	span->rise = step->placement.shift.y;
}

void rpParametricStep_Make(const rpParametricModel* model, const rpParametricMotion* now, int edge, const float* asked,
						   rpParametricStep* step)
{
	rpParametricStep_Begin(model, now, edge, step);
	rpParametricStep_Plan(model, asked, step->box.to, step);
	rpParametricStep_Compare(model, now, step);
	rpParametricStep_Repair(model, now, step);
	rpParametricStep_Lay(model, now, step);
}

rpParametricBeginning rpParametricModel_GetBeginning(const rpParametricModel* model, const rpSpan* span, double seconds,
													 double bearing)
{
	rpPose pose = {.rotations = model->cloud.rotations};
	rpSpan_Sample(span, seconds, &pose);
	rpParametricBeginning out = {.root = rpPose_GetGround(&pose)};
	out.root.shift.y = rpSpan_FindSupport(span, bearing);
	rpGroundTransform before = rpSpan_GetGround(span, seconds - 0.5 * TRAVEL_TIME),
					  after = rpSpan_GetGround(span, seconds + 0.5 * TRAVEL_TIME);
	float x = after.shift.x - before.shift.x, z = after.shift.z - before.shift.z,
		  slowest = SLOWEST * (float)TRAVEL_TIME;
	out.travel = x * x + z * z > slowest * slowest ? rpAtan2(x, z) : rpSpan_GetGround(span, seconds).turn;
	return out;
}

void rpParametricMotion_Begin(const rpParametricModel* model, int node, const float* asked, rpGroundTransform start,
							  rpParametricMotion* out)
{
	rpSpan* span = &out->span;
	rpPlanParametricClip(&model->spaces[node], node, asked, model->margin, span, &out->clip);
	span->start = -out->clip.start;
	span->placement = rpGroundTransform_identity;
	span->rise = 0.0f;
	span->labels = 1ull << node;
	rpParametricBeginning begins = rpParametricModel_GetBeginning(model, span, out->clip.start, out->clip.start);
	span->placement = rpGroundTransform_Compose(start, rpGroundTransform_Invert(begins.root));
	span->rise = span->placement.shift.y;
}
