/// Where an act begins in the stretches of a graph that bear its label.
#pragma once

#include "reprise/walk.h"

/// The stretch of a clip that goes on at a node with what is asked for, -1: none.
int rpGraphPart_FindStretch(const rpGraph* graph, int node, const rpGraphPart* part);

/// A take of a jump begins with a stand, and has the label all the same. The act itself is where the motion is unlike
/// all of `from`: frames from each node to where that begins, [nodeCount]; 0 where it has begun, or where nothing of
/// its label stands out (somebody who sneaks); -1 from its middle on, and outside of `to`. error may be NULL. False
/// when memory ran out.
RP_NODISCARD bool rpFindOnsets(const rpGraph* graph, const rpGraphPart* from, const rpGraphPart* to, int* frames,
							   rpError* error);
