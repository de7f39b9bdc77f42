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

// A path shorter than a step, or as long as nobody draws one, has another unit than was thought, metres.
#define SHORTEST 0.5
#define LONGEST 1000.0

// About how long a path is that people draw, metres: the power of ten that comes nearest is proposed.
#define USUAL 10.0

static bool readCsv(cliRun* run, const char* file, cliFloorPath* out)
{
	cliPairRules rules = {
		.hint = "--path takes an SVG file, or a CSV file whose lines hold two numbers, \"x,z\", in metres "
				"or as the scale says",
		.max = 1e5 / out->scale,
		.tooMuch = "a path has no points beyond 100 km"};
	cliPairs pairs;
	if (!cliReadPairs(run, file, &rules, &pairs))
		return false;
	out->points = cliAllocate((size_t)pairs.count * sizeof(rpVec2));
	for (int i = 0; i < pairs.count; ++i)
		out->points[i] = (rpVec2){(float)(out->scale * pairs.first[i]), (float)(out->scale * pairs.second[i])};
	out->count = pairs.count;
	cliFreePairs(&pairs);
	return true;
}

static bool readSvg(cliRun* run, const char* file, cliFloorPath* out)
{
	int strokes = 1;
	rpVec2* points;
	rpError error = {0};
	if (!rpLoadSvgPath(file, out->scale, &points, &out->count, &strokes, &error))
		return cliFailInput(run, &error);
	cliNotePath(run, file);
	if (strokes > 1)
		cliWarn(run, "%s has %d strokes; only the first is followed: draw the path as one curve", file, strokes);
	out->points = cliAllocate((size_t)out->count * sizeof(rpVec2));
	memcpy(out->points, points, (size_t)out->count * sizeof(rpVec2));
	rpFreeBytes(points);
	return true;
}

static void measure(cliFloorPath* path)
{
	rpVec2 low = path->points[0], high = low;
	for (int i = 1; i < path->count; ++i)
	{
		rpVec2 a = path->points[i - 1], b = path->points[i];
		path->length += hypot((double)b.x - (double)a.x, (double)b.y - (double)a.y);
		low = (rpVec2){fminf(low.x, b.x), fminf(low.y, b.y)};
		high = (rpVec2){fmaxf(high.x, b.x), fmaxf(high.y, b.y)};
	}
	path->width = (double)high.x - (double)low.x;
	path->depth = (double)high.y - (double)low.y;
}

static bool failLength(cliRun* run, const char* file, rpError* error)
{
	error->code = rp_errorFormat;
	snprintf(error->file, sizeof error->file, "%s", file);
	return cliFail(run, cli_exitInput, error);
}

// Nobody can follow one without length; and one that is tiny or huge by a unit that nobody gave is asked about.
static bool checkLength(cliRun* run, const char* file, const char* option, const cliFloorPath* path)
{
	rpError error = {0};
	double length = path->length;
	bool isSmall = length < SHORTEST;
	if (!(length > 0.0 && length <= 1e5))
	{
		snprintf(error.message, sizeof error.message, "a path of %g m; more than 0 and at most 100 km are possible",
				 length);
		return failLength(run, file, &error);
	}
	if (cliHas(run, option) || (!isSmall && length <= LONGEST))
	{
		if (isSmall)
			cliWarn(run, "%s: the path is %.3g m long, less than a step", file, length);
		return true;
	}
	snprintf(error.message, sizeof error.message,
			 "the path would be %.3g m long, %s: a unit of the file is taken as %g m", length,
			 isSmall ? "less than a step" : "more than a kilometre", path->scale);
	double factor = pow(10.0, round(log10(USUAL / length)));
	snprintf(error.hint, sizeof error.hint,
			 "say how long a unit is: --%s %g makes the path %.3g m long, --%s %g leaves it as it is", option,
			 factor * path->scale, factor * length, option, path->scale);
	return failLength(run, file, &error);
}

bool cliReadFloorPath(cliRun* run, const char* file, const char* scale, cliFloorPath* out)
{
	bool isSvg = cliHasEnding(file, ".svg");
	*out = (cliFloorPath){.scale = isSvg ? 0.01 : 1.0};
	bool done =
		cliGetNumber(run, scale, 1e-6, 1e6, &out->scale) && (isSvg ? readSvg(run, file, out) : readCsv(run, file, out));
	if (done)
		measure(out);
	done = done && checkLength(run, file, scale, out);
	if (!done)
		cliFreeFloorPath(out);
	return done;
}

void cliPrintFloorPath(cliRun* run, const cliFloorPath* path)
{
	cliPrint(run, "path: %.1f m long, %.1f x %.1f m", path->length, path->width, path->depth);
}

void cliAddFloorPath(json_t* result, const cliFloorPath* path)
{
	json_object_set_new(result, "path_m", cliMakeReal(path->length));
	json_object_set_new(result, "path_size_m", json_pack("[o,o]", cliMakeReal(path->width), cliMakeReal(path->depth)));
}
