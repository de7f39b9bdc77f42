/// Cross-fades (eq. 4.11-4.13 of Kovar's thesis) and displaced cuts (its section 4.4.1, after Lee et al. 2002).
#include "blend/transition_frames.h"

#include "base/memory.h"
#include "blend/displacement.h"
#include "motion/draft.h"

#include <string.h>

// Velocities at the cut are differences over this time to both sides, seconds: one frame of 60 Hz. Shorter, and the
// noise of fast captures would show; longer, and quick turns would be missed.
#define RATE_SPAN (1.0 / 60.0)

/// What frames are made with.
typedef struct Making
{
	const rpTransitionPlan* plan;
	rpScratchPoses scratch;

	/// Cross-fades: per joint, whether b's rotation has the other sign.
	bool* flips;

	/// Cuts.
	rpDisplacement displacement;
} Making;

static void storePose(const rpPose* pose, rpMotion* out, int frame)
{
	size_t jointCount = (size_t)out->skeleton->jointCount, first = (size_t)frame * jointCount;
	out->rootPositions[frame] = pose->rootPosition;
	memcpy(out->rotations + first, pose->rotations, jointCount * sizeof(rpQuat));
	if (out->translations != NULL)
	{
		memcpy(out->translations + first, pose->translations, jointCount * sizeof(rpVec3));
	}
}

// ---- cross-fade

// Which way round each joint is blended is decided at the seam and kept: one that is nearly half a turn away would
// change its mind in the middle otherwise.
static void chooseFlips(Making* making)
{
	rpPose *a = making->scratch.poses, *b = a + 1;
	rpTransitionPlan_SampleA(making->plan, making->plan->seam, a);
	rpTransitionPlan_SampleB(making->plan, making->plan->seam, b);
	for (int i = 0; i < making->plan->a->skeleton->jointCount; ++i)
	{
		making->flips[i] = rpDotQuat(a->rotations[i], b->rotations[i]) < 0.0f;
	}
}

// Spherical interpolation along the arc given, be it the longer one.
static rpQuat slerpAlong(rpQuat a, rpQuat b, float t)
{
	float cosine = rpDotQuat(a, b);
	if (cosine >= 0.0f || cosine < -0.99f)
	{
		return rpSlerp(a, b, t);
	}
	float angle = acosf(cosine), scale = 1.0f / sinf(angle);
	float wa = sinf((1.0f - t) * angle) * scale, wb = sinf(t * angle) * scale;
	return rpNormalizeQuat(
		(rpQuat){wa * a.w + wb * b.w, wa * a.x + wb * b.x, wa * a.y + wb * b.y, wa * a.z + wb * b.z});
}

static void fade(Making* making, double time, float weight)
{
	rpPose *a = making->scratch.poses, *b = a + 1;
	rpTransitionPlan_SampleA(making->plan, time, a);
	rpTransitionPlan_SampleB(making->plan, time, b);
	a->rootPosition = rpLerp(a->rootPosition, b->rootPosition, weight);
	for (int i = 0; i < making->plan->a->skeleton->jointCount; ++i)
	{
		rpQuat other = making->flips[i] ? rpNegateQuat(b->rotations[i]) : b->rotations[i];
		a->rotations[i] = slerpAlong(a->rotations[i], other, weight);
		if (a->translations != NULL)
		{
			a->translations[i] = rpLerp(a->translations[i], b->translations[i], weight);
		}
	}
}

// ---- displacement

static void measureCut(Making* making)
{
	const rpTransitionPlan* plan = making->plan;
	rpPose* poses = making->scratch.poses;
	rpTransitionPlan_SampleA(plan, plan->seam, poses);
	rpTransitionPlan_SampleB(plan, plan->seam, poses + 1);
	rpDisplacement_Measure(&making->displacement, poses, poses + 1);

	// No less than a frame of either motion, or lines between frames would be taken for their velocity.
	double span = fmax(RATE_SPAN, fmax(1.0 / plan->a->fps, 1.0 / plan->b->fps));
	rpTransitionPlan_SampleA(plan, plan->seam - span, poses);
	rpTransitionPlan_SampleB(plan, plan->seam - span, poses + 1);
	rpTransitionPlan_SampleA(plan, plan->seam + span, poses + 2);
	rpTransitionPlan_SampleB(plan, plan->seam + span, poses + 3);
	rpDisplacement_MeasureRates(&making->displacement, poses, poses + 1, poses + 2, poses + 3, (float)(2.0 * span));
}

static void displace(Making* making, double time)
{
	const rpTransitionPlan* plan = making->plan;
	rpPose* pose = making->scratch.poses;
	bool isBefore = time < plan->seam - RP_SAME_MOMENT, isInertial = plan->kind == rp_transitionInertial;
	float sinceSeam = (float)(time - plan->seam);
	isBefore ? rpTransitionPlan_SampleA(plan, time, pose) : rpTransitionPlan_SampleB(plan, time, pose);
	if (isInertial && !isBefore)
	{
		rpDisplacement_Add(&making->displacement, rp_decayQuintic, 1.0f, fmaxf(sinceSeam, 0.0f),
						   (float)(plan->end - plan->start), pose);
	}
	else if (!isInertial)
	{
		rpDisplacement_Add(&making->displacement, rp_decayCubic, isBefore ? -0.5f : 0.5f,
						   isBefore ? sinceSeam : fmaxf(sinceSeam, 0.0f), (float)(plan->end - plan->seam), pose);
	}
}

// ---- all of it

static void makeFrame(Making* making, rpMotion* out, int frame)
{
	const rpTransitionPlan* plan = making->plan;
	double time = frame / out->fps;
	float weight = rpTransitionPlan_GetWeight(plan, time);
	rpPose* pose = making->scratch.poses;
	bool inside = time > plan->start - RP_SAME_MOMENT && time < plan->end - RP_SAME_MOMENT;
	if (inside && !plan->isFade)
	{
		displace(making, time);
	}
	else if (weight <= 0.0f)
	{
		rpTransitionPlan_SampleA(plan, time, pose);
	}
	else if (weight >= 1.0f)
	{
		rpTransitionPlan_SampleB(plan, time, pose);
	}
	else
	{
		fade(making, time, weight);
	}
	storePose(pose, out, frame);
}

bool rpMakeTransitionFrames(const rpTransitionPlan* plan, rpMotion* out, rpError* error)
{
	int jointCount = out->skeleton->jointCount;
	bool translations = out->translations != NULL;
	size_t offsetCount = (size_t)rpCountOffsets(jointCount, translations);
	Making making = {.plan = plan};
	making.displacement = (rpDisplacement){.jointCount = jointCount, .hasTranslations = translations};
	making.flips = rpAllocateZero((size_t)jointCount, sizeof(bool), error);
	making.displacement.offsets = rpAllocateZero(offsetCount, sizeof(rpOffset), error);
	bool done = making.flips != NULL && making.displacement.offsets != NULL &&
				rpAllocatePoses(out->skeleton, translations, &making.scratch, error);
	if (done)
	{
		plan->isFade ? chooseFlips(&making) : measureCut(&making);
	}
	for (int frame = 0; done && frame < out->frameCount; ++frame)
	{
		makeFrame(&making, out, frame);
	}
	rpAlignHemispheres(out);
	rpFree(making.flips);
	rpFree(making.displacement.offsets);
	rpFreePoses(&making.scratch);
	return done;
}
