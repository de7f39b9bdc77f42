/// Where two motions meet in time and on the floor. The floor is that of L. Kovar, "Automated Methods for Data-Driven
/// Synthesis of Realistic and Controllable Human Motion" (2004), eq. 4.1-4.4: the best fit of the two windows.
#include "timeline/transition_plan.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/draft.h"
#include "motion/point_cloud.h"
#include "motion/same_body.h"

#include <math.h>
#include <stdlib.h>

// Windows are compared at this rate, as the metric's default has it, Hz.
#define WINDOW_RATE 30.0

// The shortest window that still shows velocities, seconds.
#define SHORTEST_WINDOW 0.1

// Far beyond what makes sense, seconds.
#define LONGEST_BLEND 600.0

// ---- checks

static bool isFiniteVector(rpVec3 v)
{
	return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool checkMotion(const rpMotion* motion, double moment, rpError* error)
{
	double duration = rpMotion_GetDuration(motion), slack = 0.5 / motion->fps;
	if (motion->frameCount < 2)
	{
		return rpFail(error, rp_errorArgument, "\"%s\" has a single frame; a transition needs motion on both sides",
					  motion->name);
	}
	if (!(moment >= -slack && moment <= duration + slack))
	{
		return rpFail(error, rp_errorArgument, "the moment %g s lies outside \"%s\", which lasts %.3f s", moment,
					  motion->name, duration);
	}
	return rpMotion_CheckFinite(motion, error);
}

static bool checkDef(const rpTransitionDef* def, rpError* error)
{
	const rpGroundTransform* alignment = def->alignment;
	if (!(def->seconds >= 0.0 && def->seconds <= LONGEST_BLEND))
	{
		return rpFail(error, rp_errorArgument, "a blend of %g s; its length must be 0 to %g s", def->seconds,
					  LONGEST_BLEND);
	}
	if ((unsigned)def->kind >= rp_transitionKindCount || (unsigned)def->anchor >= rp_transitionAnchorCount)
	{
		return rpFail(error, rp_errorArgument, "there is no transition of kind %d with anchor %d", (int)def->kind,
					  (int)def->anchor);
	}
	if (alignment != NULL && !(isfinite(alignment->turn) && isFiniteVector(alignment->shift)))
	{
		return rpFail(error, rp_errorArgument, "cannot align by (%g, %g, %g) m and %g rad", (double)alignment->shift.x,
					  (double)alignment->shift.y, (double)alignment->shift.z, (double)alignment->turn);
	}
	return true;
}

// Whether a motion reaches from first to last, which are its own seconds.
static bool checkRoom(const rpMotion* motion, double moment, double seconds, double first, double last, bool isFade,
					  rpError* error)
{
	double slack = RP_FRAME_SLACK / motion->fps, missingAfter = last - rpMotion_GetDuration(motion);
	double missing = fmax(-first, missingAfter);
	if (missing <= slack)
	{
		return true;
	}
	rpFail(error, rp_errorArgument,
		   "\"%s\" is too short: a blend of %.3f s at its moment %.3f s needs %.3f s more %s its %s (it lasts %.3f s)",
		   motion->name, seconds, moment, missing, missingAfter == missing ? "after" : "before",
		   missingAfter == missing ? "end" : "start", rpMotion_GetDuration(motion));
	rpError_SetHint(error, "take a moment at least %.3f s %s or a shorter blend%s", missing,
					missingAfter == missing ? "earlier" : "later",
					isFade ? ", or a displacement, which needs less than a cross-fade" : "");
	return false;
}

// ---- time

static const rpSeamKind s_seams[rp_transitionKindCount] = {
	[rp_transitionFade] = rp_seamPose,         [rp_transitionLinear] = rp_seamLinear,
	[rp_transitionDisplace] = rp_seamDisplace, [rp_transitionInertial] = rp_seamInertial,
	[rp_transitionVelocity] = rp_seamVelocity,
};

// In halves of a's frames, so that times of the seam that fall on frames are theirs exactly.
static void planTimes(const rpTransitionDef* def, double ta, double tb, rpTransitionPlan* plan)
{
	double half = 2.0 * plan->a->fps, moment = 2.0 * rpMotion_GetFrame(plan->a, ta);
	double length = 2.0 * floor(def->seconds * plan->a->fps + 0.5);
	bool atEnds = def->anchor == rp_anchorEnds, isInertial = def->kind == rp_transitionInertial;
	double start = atEnds || isInertial ? moment : moment - 0.5 * length;
	plan->from = moment / half;
	plan->to = rpMotion_GetFrame(plan->b, tb) / plan->b->fps;
	plan->seam = (rpSeamDef){s_seams[def->kind], start / half, (isInertial ? start : start + 0.5 * length) / half,
							 (start + length) / half};
	plan->bShift = plan->to - (atEnds ? plan->seam.end : plan->from);
	double last = rpMotion_GetDuration(plan->b) - plan->bShift;
	plan->frameCount = floor(last * plan->a->fps + RP_FRAME_SLACK) + 1.0;
}

static bool checkTimes(const rpTransitionPlan* plan, rpError* error)
{
	const rpSeamDef* seam = &plan->seam;
	// At the ends of a cross-fade one of the motions is there alone.
	double frame = 1.0 / plan->a->fps, seconds = seam->end - seam->start;
	double first = plan->isFade ? fmin(seam->start + frame, seam->cut) : seam->cut;
	double last = plan->isFade ? fmax(seam->end - frame, seam->cut) : seam->cut;
	return checkRoom(plan->a, plan->from, seconds, first, last, plan->isFade, error) &&
		   checkRoom(plan->b, plan->to, seconds, first + plan->bShift, last + plan->bShift, plan->isFade, error);
}

// ---- place

/// The two windows as clouds of points, one at every joint.
typedef struct Windows
{
	rpVec3 *p, *q;
	float* weights;
	int count;

	/// Scratch: [jointCount] each.
	rpQuat* rotations;
	rpVec3* translations;
	rpTransform* joints;
} Windows;

static void freeWindows(Windows* windows)
{
	rpFree(windows->p);
	rpFree(windows->q);
	rpFree(windows->weights);
	rpFree(windows->rotations);
	rpFree(windows->translations);
	rpFree(windows->joints);
}

static bool allocateWindows(Windows* windows, int sampleCount, int jointCount, rpError* error)
{
	size_t joints = (size_t)jointCount, count = (size_t)sampleCount * joints;
	*windows = (Windows){
		.p = rpAllocate(count, sizeof(rpVec3), error),
		.q = rpAllocate(count, sizeof(rpVec3), error),
		.weights = rpAllocate(count, sizeof(float), error),
		.rotations = rpAllocate(joints, sizeof(rpQuat), error),
		.translations = rpAllocate(joints, sizeof(rpVec3), error),
		.joints = rpAllocate(joints, sizeof(rpTransform), error),
	};
	return windows->p != NULL && windows->q != NULL && windows->weights != NULL && windows->rotations != NULL &&
		   windows->translations != NULL && windows->joints != NULL;
}

static bool isInside(const rpMotion* motion, double time)
{
	double slack = RP_FRAME_SLACK / motion->fps;
	return time >= -slack && time <= rpMotion_GetDuration(motion) + slack;
}

static void addPoints(const Windows* windows, const rpMotion* motion, double time, rpVec3* points)
{
	rpPose pose = {.rotations = windows->rotations,
				   .translations = motion->translations != NULL ? windows->translations : NULL};
	rpMotion_Sample(motion, time, &pose);
	rpSkeleton_Forward(motion->skeleton, pose.rootPosition, pose.rotations, pose.translations, windows->joints);
	for (int i = 0; i < motion->skeleton->jointCount; ++i)
	{
		points[i] = windows->joints[i].p;
	}
}

static void fillWindows(Windows* windows, const rpTransitionPlan* plan, int halfWindow)
{
	int jointCount = plan->a->skeleton->jointCount;
	for (int k = -halfWindow; k <= halfWindow; ++k)
	{
		double time = plan->seam.cut + k / WINDOW_RATE, timeB = time + plan->bShift;
		if (k != 0 && !(isInside(plan->a, time) && isInside(plan->b, timeB)))
		{
			continue;
		}
		addPoints(windows, plan->a, time, windows->p + windows->count);
		addPoints(windows, plan->b, timeB, windows->q + windows->count);
		for (int i = 0; i < jointCount; ++i)
		{
			windows->weights[windows->count++] = 1.0f - (float)abs(k) / (float)(halfWindow + 1);
		}
	}
}

static void moveCloud(rpVec3* points, int count, rpGroundTransform ground)
{
	for (int i = 0; i < count; ++i)
	{
		points[i] = rpGroundTransform_Apply(ground, points[i]);
	}
}

static bool planPlace(const rpTransitionDef* def, rpTransitionPlan* plan, rpError* error)
{
	double length = plan->seam.end - plan->seam.start;
	double window = fmin(fmax(length, SHORTEST_WINDOW), rpMotion_GetDuration(plan->a) + 1.0);
	int halfWindow = (int)ceil(0.5 * window * WINDOW_RATE - RP_FRAME_SLACK) - 1;
	halfWindow = halfWindow > 1 ? halfWindow : 1;
	Windows windows = {0};
	bool done = allocateWindows(&windows, 2 * halfWindow + 1, plan->a->skeleton->jointCount, error);
	if (done)
	{
		fillWindows(&windows, plan, halfWindow);
		double distance = 0.0;
		if (def->alignment != NULL)
		{
			plan->alignment = *def->alignment;
			moveCloud(windows.q, windows.count, plan->alignment);
			distance = rpCompareClouds(windows.p, windows.q, windows.weights, windows.count);
		}
		else
		{
			distance = rpFitClouds(windows.p, windows.q, windows.weights, windows.count, &plan->alignment);
		}
		plan->distance = (float)sqrt(distance);
	}
	freeWindows(&windows);
	return done;
}

bool rpPlanTransition(const rpMotion* a, double ta, const rpMotion* b, double tb, const rpTransitionDef* def,
					  rpTransitionPlan* out, rpError* error)
{
	if (!checkDef(def, error) || !rpCheckSameBody(a, b, "joined", error) || !checkMotion(a, ta, error) ||
		!checkMotion(b, tb, error))
	{
		return false;
	}
	*out = (rpTransitionPlan){.a = a, .b = b, .isFade = rpTransitionKind_IsFade(def->kind)};
	planTimes(def, ta, tb, out);
	return checkTimes(out, error) && planPlace(def, out, error);
}
