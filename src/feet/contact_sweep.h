/// The contacts of a motion, frame by frame.
#pragma once

#include "reprise/play/motion.h"

typedef struct rpContactSweep
{
	const rpMotion* motion;

	/// The next interval to look at, and by effector the one in force, or the last that was; -1: none yet.
	int next;
	int current[rp_effectorCount];
} rpContactSweep;

rpContactSweep rpStartContactSweep(const rpMotion* motion);

/// What touches in a frame (bits 1u << rpEffector); frames must come in order. supportHeights is [rp_effectorCount]: of
/// those that touch.
unsigned rpContactSweep_Step(rpContactSweep* sweep, int frame, float* supportHeights);
