/// When a transition happens, and where on the floor: worked out before any frame is made.
#pragma once

#include "timeline/seam.h"

typedef struct rpTransitionPlan
{
	const rpMotion *a, *b;

	/// The moments, rounded to frames of a and of b.
	double from, to;

	/// In seconds of the result, which are a's; and whether both motions are needed over all of it.
	rpSeamDef seam;
	bool isFade;

	/// Add it to a time of the result to have b's.
	double bShift;

	/// Takes b onto a.
	rpGroundTransform alignment;
	float distance;

	/// A whole number, which may be too large for a motion.
	double frameCount;
} rpTransitionPlan;

/// False: the definition or the motions do not allow it, and error says why.
RP_NODISCARD bool rpPlanTransition(const rpMotion* a, double ta, const rpMotion* b, double tb,
								   const rpTransitionDef* def, rpTransitionPlan* out, rpError* error);
