/// A walk as passages: the stretches of clips that it plays, each blended into the next.
#pragma once

#include "reprise/walk.h"

/// A stretch of one clip. It fades in over the time that it shares with the one before it, and out over that with the
/// next.
typedef struct rpPassage
{
	int clip;

	/// Seconds in the walk; the last ones may go on beyond its end, where it ends within an edge.
	double start, end;

	/// Seconds in the clip at `start`.
	double clipStart;

	/// Takes the clip into the world.
	rpGroundTransform placement;
} rpPassage;

/// The passages of a walk; free with rpFree. NULL when memory ran out.
rpPassage* rpListPassages(const rpWalk* walk, const rpGraph* graph, int* count, rpError* error);
