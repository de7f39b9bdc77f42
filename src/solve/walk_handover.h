/// When the feet of a walk pass from one passage to the next.
#pragma once

#include "solve/passage.h"

enum
{
	rp_handoverFeet = 2,
};

/// Of each foot, left and right, seconds of the walk: contacts of the passage that is left end by `leave`, those of the
/// one that is entered start from `enter` on. leave <= middle of the seam <= enter.
typedef struct rpHandover
{
	double leave[rp_handoverFeet], enter[rp_handoverFeet];
} rpHandover;

/// The foot that an effector is a part of, -1: none.
int rpGetHandoverFoot(rpEffector effector);

/// Find the moments for the seam of a passage and the next; out is the walk's motion before feet are locked, whose
/// frames are made.
rpHandover rpFindHandover(const rpPassage* passage, const rpPassage* next, const rpGraph* graph, const rpMotion* out);
