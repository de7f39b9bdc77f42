/// A path over the floor, from a drawing or a table.
#pragma once

#include "run.h"

/// The points of a path; cliFreeFloorPath frees them.
typedef struct cliFloorPath
{
	rpVec2* points;
	int count;
} cliFloorPath;

/// Read an SVG file (its first stroke; the option named scale has the metres in one of its units, 0.01 if not given) or
/// a CSV file with lines "x,z" in metres. The file is noted as an input. False: reported, and nothing to free.
bool cliReadFloorPath(cliRun* run, const char* file, const char* scale, cliFloorPath* out);
void cliFreeFloorPath(cliFloorPath* path);
