/// Path data of SVG: the text of a "d" attribute as points.
#pragma once

#include "file/svg_transform.h"
#include "reprise/play/math.h"

/// Points in the making. Zero-initialised is empty.
typedef struct rpPathPoints
{
	rpVec2* points;
	int count, capacity;
} rpPathPoints;

/// Add the points of path data (M L H V C S Q T A Z, absolute and relative), mapped: curves become chords no farther
/// than `tolerance` from them, measured after the map. Only the first subpath is taken. False, and an error with the
/// column in the data, for what is no path data.
RP_NODISCARD bool rpParsePathData(const char* data, rpAffine map, double tolerance, rpPathPoints* out, rpError* error);
