#include "gait_route.h"

#include <stdlib.h>
#include <string.h>

void cliFreeGaitRoute(cliGaitRoute* route)
{
	cliFreeFloorPath(&route->floor);
	free(route->stretches);
	*route = (cliGaitRoute){0};
}

// ---- gaits

// Nobody has run faster, metres per second.
#define FASTEST 12.5

static const char s_hint[] =
	"for example --gaits \"walk:0,run:6@3,stand:14,walk:14\": gait, metres along the path, and "
	"after @ m/s, or seconds of a stand";

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
	if (gait != rp_gaitStand && amount > FASTEST)
		return cliFailUsage(run, s_hint, "nobody goes %g m/s; up to %g can be asked for", amount, FASTEST);
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
	if (!cliReadFloorPath(run, file, "scale", &out->floor))
		return false;
	out->path.points = out->floor.points;
	out->path.pointCount = out->floor.count;
	return readGaits(run, out);
}
