#include "gait_route.h"

#include "clip.h"
#include "pair_file.h"

#include <stdlib.h>
#include <string.h>

void cliFreeGaitRoute(cliGaitRoute* route)
{
	rpFreeBytes(route->svgPoints);
	free(route->csvPoints);
	free(route->stretches);
	*route = (cliGaitRoute){0};
}

static bool readCsv(cliRun* run, const char* file, cliGaitRoute* route)
{
	cliPairRules rules = {
		.hint = "--path takes an SVG file, or a CSV file whose lines hold two numbers, \"x,z\", in metres"};
	cliPairs pairs;
	if (!cliReadPairs(run, file, &rules, &pairs))
		return false;
	route->csvPoints = cliAllocate((size_t)pairs.count * sizeof(rpVec2));
	for (int i = 0; i < pairs.count; ++i)
		route->csvPoints[i] = (rpVec2){(float)pairs.first[i], (float)pairs.second[i]};
	route->path.points = route->csvPoints;
	route->path.pointCount = pairs.count;
	cliFreePairs(&pairs);
	return true;
}

static bool readSvg(cliRun* run, const char* file, cliGaitRoute* route)
{
	double scale = 0.01;
	int strokes = 1;
	rpError error = {0};
	if (!cliGetNumber(run, "scale", 1e-6, 1e6, &scale))
		return false;
	if (!rpLoadSvgPath(file, scale, &route->svgPoints, &route->path.pointCount, &strokes, &error))
		return cliFailInput(run, &error);
	cliNotePath(run, file);
	if (strokes > 1)
		cliWarn(run, "%s has %d strokes; only the first is followed: draw the path as one curve", file, strokes);
	route->path.points = route->svgPoints;
	return true;
}

// ---- gaits

static const char s_hint[] =
	"for example --gaits \"walk:0,run:6@3,stand:14,walk:14\": gait, metres along the path, and "
	"behind @ m/s, or seconds of a stand";

static rpGait findGait(const char* name)
{
	int gait = 0;
	while (gait < rp_gaitCount && strcmp(name, rpGait_GetName((rpGait)gait)) != 0)
		++gait;
	return (rpGait)gait;
}

// "run:6@3"
static bool addStretch(cliRun* run, char* text, cliGaitRoute* route)
{
	char *colon = strchr(text, ':'), *at = strchr(text, '@');
	double start = 0.0, amount = 0.0;
	int count = route->path.stretchCount;
	if (colon != NULL)
		*colon = 0;
	if (at != NULL)
		*at = 0;
	rpGait gait = findGait(text);
	if (gait == rp_gaitCount)
		return cliFailUsage(run, s_hint, "there is no gait \"%s\"; there are stand, walk and run", text);
	if (colon == NULL || !cliParseNumber(colon + 1, &start) || start < 0.0)
		return cliFailUsage(run, s_hint, "the gait \"%s\" does not say from which metre of the path on", text);
	if (at != NULL && (!cliParseNumber(at + 1, &amount) || amount <= 0.0 || amount > 100.0))
		return cliFailUsage(run, s_hint, "\"%s\" is no speed in m/s and no time in seconds", at + 1);
	if (count > 0 && start < route->stretches[count - 1].start)
		return cliFailUsage(run, s_hint, "the gait \"%s\" begins before the one before it", text);
	route->stretches = cliReallocate(route->stretches, (size_t)(count + 1) * sizeof(rpGaitStretch));
	route->stretches[count] = (rpGaitStretch){.start = start, .gait = gait};
	*(gait == rp_gaitStand ? &route->stretches[count].seconds : &route->stretches[count].speed) = (float)amount;
	route->path.stretches = route->stretches;
	route->path.stretchCount = count + 1;
	return true;
}

static bool readGaits(cliRun* run, cliGaitRoute* route)
{
	const char* text = cliGet(run, "gaits");
	char* copy = cliFormat("%s", text != NULL ? text : "");
	bool done = true;
	for (char *part = copy, *next; done && *part != 0; part = next)
	{
		size_t length = strcspn(part, ",");
		next = part + length + (part[length] == ',');
		part[length] = 0;
		done = addStretch(run, part, route);
	}
	free(copy);
	return done;
}

bool cliGetGaitRoute(cliRun* run, cliGaitRoute* out)
{
	const char* file = cliGet(run, "path");
	*out = (cliGaitRoute){.path = rpDefaultGaitPath()};
	return (cliHasEnding(file, ".svg") ? readSvg(run, file, out) : readCsv(run, file, out)) && readGaits(run, out);
}

bool cliMeasureGaitRoute(cliRun* run, const cliGaitRoute* route, const rpMotion* motion, double* mean, double* most)
{
	rpEvaluateDef def = rpDefaultEvaluateDef();
	rpMeasures measures;
	rpError error = {0};
	def.path = route->path.points;
	def.pathCount = route->path.pointCount;
	if (!rpEvaluate(motion, &def, &measures, &error))
		return cliFailWork(run, &error);
	*mean = measures.values[rp_measurePathMean];
	*most = measures.values[rp_measurePathMax];
	return true;
}
