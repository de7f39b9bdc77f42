#include "floor_path.h"

#include "clip.h"
#include "pair_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cliFreeFloorPath(cliFloorPath* path)
{
	free(path->points);
	*path = (cliFloorPath){0};
}

static bool readCsv(cliRun* run, const char* file, cliFloorPath* out)
{
	cliPairRules rules = {
		.hint = "--path takes an SVG file, or a CSV file whose lines hold two numbers, \"x,z\", in metres",
		.max = 1e5,
		.tooMuch = "a path has no points beyond 100 km"};
	cliPairs pairs;
	if (!cliReadPairs(run, file, &rules, &pairs))
		return false;
	out->points = cliAllocate((size_t)pairs.count * sizeof(rpVec2));
	for (int i = 0; i < pairs.count; ++i)
		out->points[i] = (rpVec2){(float)pairs.first[i], (float)pairs.second[i]};
	out->count = pairs.count;
	cliFreePairs(&pairs);
	return true;
}

static bool readSvg(cliRun* run, const char* file, const char* scaleOption, cliFloorPath* out)
{
	double scale = 0.01;
	int strokes = 1;
	rpVec2* points;
	rpError error = {0};
	if (!cliGetNumber(run, scaleOption, 1e-6, 1e6, &scale))
		return false;
	if (!rpLoadSvgPath(file, scale, &points, &out->count, &strokes, &error))
		return cliFailInput(run, &error);
	cliNotePath(run, file);
	if (strokes > 1)
		cliWarn(run, "%s has %d strokes; only the first is followed: draw the path as one curve", file, strokes);
	out->points = cliAllocate((size_t)out->count * sizeof(rpVec2));
	memcpy(out->points, points, (size_t)out->count * sizeof(rpVec2));
	rpFreeBytes(points);
	return true;
}

// Nobody can follow one without length.
static bool checkLength(cliRun* run, const char* file, const cliFloorPath* path)
{
	double length = 0.0;
	for (int i = 1; i < path->count; ++i)
		length += hypot((double)path->points[i].x - (double)path->points[i - 1].x,
						(double)path->points[i].y - (double)path->points[i - 1].y);
	if (length > 0.0 && length <= 1e5)
		return true;
	rpError error = {.code = rp_errorFormat};
	snprintf(error.file, sizeof error.file, "%s", file);
	snprintf(error.message, sizeof error.message, "a path of %g m; more than 0 and at most 100 km are possible",
			 length);
	return cliFail(run, cli_exitInput, &error);
}

bool cliReadFloorPath(cliRun* run, const char* file, const char* scale, cliFloorPath* out)
{
	*out = (cliFloorPath){0};
	bool done = (cliHasEnding(file, ".svg") ? readSvg(run, file, scale, out) : readCsv(run, file, out)) &&
				checkLength(run, file, out);
	if (!done)
		cliFreeFloorPath(out);
	return done;
}
