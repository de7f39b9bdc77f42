/// Against fat graphs (Shin & Oh 2006; Heck 6.2.3): the same walk, led through hub poses at its seams.
#pragma once

#include "parametric_graphs.h"

/// How far the trunk leans into a sharp turn that goes on, degrees: at seams, and half-way between them.
typedef struct HubLean
{
	double seams, between;
} HubLean;

/// The lean of a stream of a graph of one node that turns as sharply to the left as it can, led at each seam through
/// the mean pose in which motions of that many bands of turns begin; 0: through none, as it is. False where it cannot
/// be told.
bool hubsMeasure(const ParametricGraph* made, const rpBundle* bundle, int hubCount, HubLean* out);
