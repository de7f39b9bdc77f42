/// The extent of places on the floor.
#pragma once

#include "reprise/play/math.h"

/// Along 16 directions: the diameter of a set of places, to half a per cent. Zero-initialised is empty.
typedef struct rpExtent
{
	float low[16], high[16];
	int count;
} rpExtent;

void rpExtent_Grow(rpExtent* extent, rpVec3 place);

/// 0 of less than two places.
double rpExtent_GetDiameter(const rpExtent* extent);
