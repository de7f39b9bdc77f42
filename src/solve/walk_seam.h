/// Seams of walks: how one passage fades into the next.
#pragma once

#include "solve/passage.h"

/// The pose of a passage at a time of the walk, seconds, in the world. pose has no translations.
void rpPassage_Sample(const rpPassage* passage, const rpGraph* graph, double time, rpPose* pose);

/// Make the frames of a walk's motion from `first` on in which a passage fades into the one after it: those between
/// next->start and passage->end that the motion has. False when memory ran out.
RP_NODISCARD bool rpPassage_FadeInto(const rpPassage* passage, const rpPassage* next, const rpGraph* graph, int first,
									 rpMotion* out, rpError* error);
