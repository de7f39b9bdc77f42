/// A path over the floor, from a drawing or a table.
#pragma once

#include "run.h"

/// The points of a path; cliFreeFloorPath frees them.
typedef struct cliFloorPath
{
	rpVec2* points;
	int count;

	/// Metres: how long it is, and how far it reaches along x and along z.
	double length, width, depth;

	/// Metres in one unit of the file.
	double scale;
} cliFloorPath;

/// What the option of the scale is for.
#define CLI_PATH_SCALE                                                                                                \
	"Metres in one unit of the file: 0.01 of an SVG file and 1 of a CSV file if not given. Asked for where the path " \
	"would be shorter than 0.5 m or longer than 1 km otherwise."

/// Read an SVG file (its first stroke) or a CSV file with lines "x,z". The option named scale has the metres in one
/// unit of the file, if not given 0.01 of an SVG file and 1 of a CSV file; where it is not given and the path would be
/// shorter than a step or longer than a kilometre, it is asked for. The file is noted as an input. False: reported, and
/// nothing to free.
bool cliReadFloorPath(cliRun* run, const char* file, const char* scale, cliFloorPath* out);
void cliFreeFloorPath(cliFloorPath* path);

/// "path: 12.3 m long, 4.0 x 3.1 m", and the same as path_m and path_size_m.
void cliPrintFloorPath(cliRun* run, const cliFloorPath* path);
void cliAddFloorPath(json_t* result, const cliFloorPath* path);
