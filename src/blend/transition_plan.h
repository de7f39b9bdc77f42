/// When a transition happens, and where on the floor: worked out before any frame is made.
#pragma once

#include "reprise/blend.h"

typedef struct rpTransitionPlan
{
	const rpMotion *a, *b;
	rpTransitionKind kind;

	/// Whether frames are cross-faded, or cut and displaced.
	bool isFade;

	/// The moments, rounded to frames of a and of b.
	double from, to;

	/// Seconds of the result, which are a's.
	double start, end;
	double seam;

	/// Add it to a time of the result to have b's.
	double bShift;

	/// Takes b onto a.
	rpGround alignment;
	rpQuat turn;
	float distance;

	/// A whole number, which may be too large for a motion.
	double frameCount;
} rpTransitionPlan;

/// False: the definition or the motions do not allow it, and error says why.
RP_NODISCARD bool rpPlanTransition(const rpMotion* a, double ta, const rpMotion* b, double tb,
								   const rpTransitionDef* def, rpTransitionPlan* out, rpError* error);

/// How much of b there is at a time of the result, 0 to 1, by the function of the kind.
float rpTransitionPlan_GetWeight(const rpTransitionPlan* plan, double time);

/// Poses for working, in one block; both with translations or none. Zero-initialised is empty.
typedef struct rpScratchPoses
{
	rpPose poses[4];
	void* block;
} rpScratchPoses;

RP_NODISCARD bool rpAllocatePoses(const rpSkeleton* skeleton, bool translations, rpScratchPoses* out, rpError* error);
void rpFreePoses(rpScratchPoses* poses);

/// a's pose at a time of the result, and b's, the latter moved by the plan's alignment. Beyond a motion's ends it goes
/// on as it went. Translations are filled wherever the pose has room for them.
void rpTransitionPlan_SampleA(const rpTransitionPlan* plan, double time, rpPose* out);
void rpTransitionPlan_SampleB(const rpTransitionPlan* plan, double time, rpPose* out);
