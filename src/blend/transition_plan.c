/// Where two motions meet in time and on the floor. The floor is that of L. Kovar, "Automated Methods for Data-Driven
/// Synthesis of Realistic and Controllable Human Motion" (2004), eq. 4.1-4.4: the best fit of the two windows.
#include "blend/transition_plan.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/draft.h"
#include "motion/point_cloud.h"
#include "motion/same_body.h"

#include <stdlib.h>
#include <string.h>

// Windows are compared at this rate, as the metric's default has it, Hz.
#define WINDOW_RATE 30.0

// The shortest window that still tells velocities, seconds.
#define SHORTEST_WINDOW 0.1

// Far beyond what makes sense, seconds.
#define LONGEST_BLEND 600.0

// A place in frames this near to a frame is that frame.
#define SAME_FRAME 1e-6

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
	const rpGround* alignment = def->alignment;
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
		   motion->name, seconds, moment, missing, missingAfter == missing ? "behind" : "before",
		   missingAfter == missing ? "end" : "start", rpMotion_GetDuration(motion));
	rpError_SetHint(error, "take a moment at least %.3f s %s or a shorter blend%s", missing,
					missingAfter == missing ? "earlier" : "later",
					isFade ? ", or a displacement, which needs less than a cross-fade" : "");
	return false;
}

// ---- time

static void planTimes(double from, double to, double seconds, const rpTransitionDef* def, rpTransitionPlan* plan)
{
	bool atEnds = def->anchor == rp_anchorEnds, isInertial = def->kind == rp_transitionInertial;
	plan->bShift = to - from - (atEnds ? seconds : 0.0);
	plan->start = atEnds || isInertial ? from : from - 0.5 * seconds;
	plan->end = plan->start + seconds;
	plan->seam = isInertial ? plan->start : plan->start + 0.5 * seconds;
	double last = rpMotion_GetDuration(plan->b) - plan->bShift;
	plan->frameCount = floor(last * plan->a->fps + RP_FRAME_SLACK) + 1.0;
}

static bool checkTimes(double from, double to, double seconds, const rpTransitionPlan* plan, rpError* error)
{
	// At the ends of a cross-fade one of the motions is there alone.
	double frame = 1.0 / plan->a->fps;
	double first = fmin(plan->start + frame, plan->seam), last = fmax(plan->end - frame, plan->seam);
	first = plan->isFade ? first : plan->seam;
	last = plan->isFade ? last : plan->seam;
	return checkRoom(plan->a, from, seconds, first, last, plan->isFade, error) &&
		   checkRoom(plan->b, to, seconds, first + plan->bShift, last + plan->bShift, plan->isFade, error);
}

float rpTransitionPlan_GetWeight(const rpTransitionPlan* plan, double time)
{
	if (time <= plan->start + RP_SAME_MOMENT || time >= plan->end - RP_SAME_MOMENT)
	{
		return time < plan->seam - RP_SAME_MOMENT ? 0.0f : 1.0f;
	}
	double t = (time - plan->start) / (plan->end - plan->start);
	return (float)(plan->kind == rp_transitionLinear ? t : rpSmoothstep(t));
}

// ---- poses

bool rpAllocatePoses(const rpSkeleton* skeleton, bool translations, rpScratchPoses* out, rpError* error)
{
	size_t jointCount = (size_t)skeleton->jointCount, count = sizeof(out->poses) / sizeof(out->poses[0]);
	size_t size = sizeof(rpQuat) + (translations ? sizeof(rpVec3) : 0);
	*out = (rpScratchPoses){.block = rpAllocate(count * jointCount, size, error)};
	if (out->block == NULL)
	{
		return false;
	}
	rpQuat* rotations = out->block;
	rpVec3* shifts = (rpVec3*)(rotations + count * jointCount);
	for (size_t i = 0; i < count; ++i)
	{
		out->poses[i].rotations = rotations + i * jointCount;
		out->poses[i].translations = translations ? shifts + i * jointCount : NULL;
	}
	return true;
}

void rpFreePoses(rpScratchPoses* poses)
{
	rpFree(poses->block);
	*poses = (rpScratchPoses){0};
}

static const rpVec3* getTranslations(const rpMotion* motion, int frame)
{
	size_t first = (size_t)frame * (size_t)motion->skeleton->jointCount;
	return motion->translations != NULL ? motion->translations + first : motion->skeleton->offsets;
}

static void copyFrame(const rpMotion* motion, int frame, rpPose* out)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	out->rootPosition = motion->rootPositions[frame];
	memcpy(out->rotations, rpMotion_GetRotations(motion, frame), jointCount * sizeof(rpQuat));
	if (out->translations != NULL)
	{
		memcpy(out->translations, getTranslations(motion, frame), jointCount * sizeof(rpVec3));
	}
}

static void sampleInside(const rpMotion* motion, double time, rpPose* out)
{
	double place = fmin(fmax(time * motion->fps, 0.0), motion->frameCount - 1);
	int nearest = (int)(place + 0.5);
	if (fabs(place - nearest) < SAME_FRAME)
	{
		copyFrame(motion, nearest, out);
		return;
	}
	rpMotion_Sample(motion, time, out);
	if (motion->translations == NULL && out->translations != NULL)
	{
		memcpy(out->translations, motion->skeleton->offsets, (size_t)motion->skeleton->jointCount * sizeof(rpVec3));
	}
}

// Beyond an end: the posture as far inside, turned about that end by half a turn, so that every velocity is kept.
static void reflect(const rpMotion* motion, int end, rpPose* pose)
{
	const rpQuat* rotations = rpMotion_GetRotations(motion, end);
	const rpVec3* translations = getTranslations(motion, end);
	pose->rootPosition = rpSub(rpScale(2.0f, motion->rootPositions[end]), pose->rootPosition);
	for (int i = 0; i < motion->skeleton->jointCount; ++i)
	{
		rpQuat step = rpMulQuat(rotations[i], rpConjugate(pose->rotations[i]));
		pose->rotations[i] = rpNormalizeQuat(rpMulQuat(step, rotations[i]));
		if (pose->translations != NULL)
		{
			pose->translations[i] = rpSub(rpScale(2.0f, translations[i]), pose->translations[i]);
		}
	}
}

static void sample(const rpMotion* motion, double time, rpPose* out)
{
	double duration = rpMotion_GetDuration(motion), slack = SAME_FRAME / motion->fps;
	if (time < -slack)
	{
		sampleInside(motion, -time, out);
		reflect(motion, 0, out);
	}
	else if (time > duration + slack)
	{
		sampleInside(motion, 2.0 * duration - time, out);
		reflect(motion, motion->frameCount - 1, out);
	}
	else
	{
		sampleInside(motion, time, out);
	}
}

void rpTransitionPlan_SampleA(const rpTransitionPlan* plan, double time, rpPose* out)
{
	sample(plan->a, time, out);
}

void rpTransitionPlan_SampleB(const rpTransitionPlan* plan, double time, rpPose* out)
{
	sample(plan->b, time + plan->bShift, out);
	out->rootPosition = rpGround_Apply(plan->alignment, out->rootPosition);
	out->rotations[0] = rpNormalizeQuat(rpMulQuat(plan->turn, out->rotations[0]));
}

// ---- place

/// The two windows as clouds of points, one at every joint.
typedef struct Windows
{
	rpVec3 *p, *q;
	float* weights;
	rpTransform* joints;
	int count;
} Windows;

static void freeWindows(Windows* windows)
{
	rpFree(windows->p);
	rpFree(windows->q);
	rpFree(windows->weights);
	rpFree(windows->joints);
}

static bool allocateWindows(Windows* windows, int sampleCount, int jointCount, rpError* error)
{
	size_t count = (size_t)sampleCount * (size_t)jointCount;
	*windows = (Windows){
		.p = rpAllocate(count, sizeof(rpVec3), error),
		.q = rpAllocate(count, sizeof(rpVec3), error),
		.weights = rpAllocate(count, sizeof(float), error),
		.joints = rpAllocate((size_t)jointCount, sizeof(rpTransform), error),
	};
	return windows->p != NULL && windows->q != NULL && windows->weights != NULL && windows->joints != NULL;
}

static bool isInside(const rpMotion* motion, double time)
{
	double slack = RP_FRAME_SLACK / motion->fps;
	return time >= -slack && time <= rpMotion_GetDuration(motion) + slack;
}

static void addSample(Windows* windows, const rpTransitionPlan* plan, double time, float weight, rpPose* pose)
{
	const rpSkeleton* skeleton = plan->a->skeleton;
	for (int side = 0; side < 2; ++side)
	{
		rpVec3* points = (side == 0 ? windows->p : windows->q) + windows->count;
		side == 0 ? rpTransitionPlan_SampleA(plan, time, pose) : rpTransitionPlan_SampleB(plan, time, pose);
		rpSkeleton_Forward(skeleton, pose->rootPosition, pose->rotations, pose->translations, windows->joints);
		for (int i = 0; i < skeleton->jointCount; ++i)
		{
			points[i] = windows->joints[i].p;
			windows->weights[windows->count + i] = weight;
		}
	}
	windows->count += skeleton->jointCount;
}

static void fillWindows(Windows* windows, const rpTransitionPlan* plan, int reach, rpPose* pose)
{
	for (int k = -reach; k <= reach; ++k)
	{
		double time = plan->seam + k / WINDOW_RATE;
		float weight = 1.0f - (float)abs(k) / (float)(reach + 1);
		if (k == 0 || (isInside(plan->a, time) && isInside(plan->b, time + plan->bShift)))
		{
			addSample(windows, plan, time, weight, pose);
		}
	}
}

static bool planPlace(const rpTransitionDef* def, rpTransitionPlan* plan, rpError* error)
{
	double window = fmin(fmax(plan->end - plan->start, SHORTEST_WINDOW), rpMotion_GetDuration(plan->a) + 1.0);
	int reach = (int)ceil(0.5 * window * WINDOW_RATE - RP_FRAME_SLACK) - 1;
	reach = reach > 1 ? reach : 1;
	bool translations = plan->a->translations != NULL || plan->b->translations != NULL;
	Windows windows = {0};
	rpScratchPoses scratch = {0};
	plan->alignment = def->alignment != NULL ? *def->alignment : rpGround_identity;
	plan->turn = rpYaw(plan->alignment.turn);
	bool done = allocateWindows(&windows, 2 * reach + 1, plan->a->skeleton->jointCount, error) &&
				rpAllocatePoses(plan->a->skeleton, translations, &scratch, error);
	if (done)
	{
		fillWindows(&windows, plan, reach, scratch.poses);
		double distance = def->alignment != NULL
							  ? rpCompareClouds(windows.p, windows.q, windows.weights, windows.count)
							  : rpFitClouds(windows.p, windows.q, windows.weights, windows.count, &plan->alignment);
		plan->turn = rpYaw(plan->alignment.turn);
		plan->distance = (float)sqrt(distance);
	}
	freeWindows(&windows);
	rpFreePoses(&scratch);
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
	double from = rpMotion_GetFrame(a, ta) / a->fps, to = rpMotion_GetFrame(b, tb) / b->fps;
	double seconds = floor(def->seconds * a->fps + 0.5) / a->fps;
	*out = (rpTransitionPlan){.a = a, .b = b, .kind = def->kind, .from = from, .to = to};
	out->isFade = def->kind == rp_transitionFade || def->kind == rp_transitionLinear;
	planTimes(from, to, seconds, def, out);
	return checkTimes(from, to, seconds, out, error) && planPlace(def, out, error);
}
