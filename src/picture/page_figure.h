/// A figure as a page holds it: the points that it is drawn from, numbered anew.
#pragma once

#include "base/memory.h"
#include "picture/figure.h"

typedef struct rpPageFigure
{
	rpFigure figure;

	/// The new number of each point that the figure is drawn from, in the same order; [figure.pointCount], -1 where
	/// unused. The root is always the first.
	int* numbers;
	int usedCount;
} rpPageFigure;

/// Free with rpPageFigure_Free.
RP_NODISCARD bool rpMakePageFigure(const rpSkeleton* skeleton, rpPageFigure* out, rpError* error);
void rpPageFigure_Free(rpPageFigure* figure);

/// The members "pointCount", "stature", "limbs" and "head", each with a comma before it.
void rpPageFigure_Append(const rpPageFigure* figure, rpText* out);
