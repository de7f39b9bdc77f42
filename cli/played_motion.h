/// What is known about the frames that a player showed, as annotations.
#pragma once

#include "run.h"

/// Put contacts, labels, sources and seams into a motion, from the report of each frame. Seams of a graph are where a
/// frame does not go on from the one before it, those of locomotion are its knots, where the strings of its movements
/// begin too. *seamCount becomes their number. False: reported.
bool cliAnnotatePlay(cliRun* run, const rpPlayer* player, rpMotion* motion, const rpPlayerReport* reports,
					 int* seamCount);
