#include "clip.h"
#include "suggestion.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct
{
	const char* name;
	double metres;
} units[] = {{"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"cmu", 0.0254 / 0.45}};

static bool getScale(cliRun* run, double* out)
{
	const char* text = cliGet(run, "scale");
	for (size_t i = 0; text != NULL && i < sizeof(units) / sizeof(units[0]); ++i)
	{
		if (strcmp(text, units[i].name) == 0)
		{
			*out = units[i].metres;
			return true;
		}
	}
	double number = 0.0;
	if (text != NULL && !cliParseNumber(text, &number))
		return cliFailUsage(run, "for example --scale 0.01, or --scale cm",
							"--scale needs the metres in one unit of the file, or m, cm, mm, in or cmu, not \"%s\"",
							text);
	return cliGetNumber(run, "scale", 1e-6, 1e6, out);
}

static bool failRole(cliRun* run, const char* name)
{
	const char* best = NULL;
	int distance = -1;
	for (int role = 1; role < rp_roleCount; ++role)
		cliSuggest(name, rpRole_GetName((rpRole)role), &best, &distance);
	char* hint = best != NULL
					 ? cliFormat("did you mean %s?", best)
					 : cliCopyText("roles are called pelvis, left_knee, right_ankle …; reprise info shows them");
	cliFailUsage(run, hint, "there is no role \"%s\"", name);
	free(hint);
	return false;
}

// ROLE=JOINT; an empty joint means that the body has none.
static bool addRole(cliRun* run, const char* text, cliReading* out)
{
	const char* equals = strchr(text, '=');
	if (equals == NULL)
		return cliFailUsage(run, "for example --role left_knee=LeftLeg", "--role needs ROLE=JOINT, not \"%s\"", text);
	if (out->def.roleFixCount == cli_roleFixCount)
		return cliFailUsage(run, NULL, "--role is given more often than there are roles");
	char* name = cliFormat("%.*s", (int)(equals - text), text);
	rpRole role = rpRole_Find(name);
	bool isRole = role != rp_roleNone;
	if (isRole)
	{
		int index = out->def.roleFixCount++;
		out->jointNames[index] = cliCopyText(equals + 1);
		out->fixes[index] = (rpRoleFix){.role = role, .joint = out->jointNames[index]};
	}
	else
		failRole(run, name);
	free(name);
	return isRole;
}

static bool getRate(cliRun* run, double* out)
{
	// Where --fps means the rate of the result, only --read-fps overrules the file.
	bool isResult = strcmp(run->command->name, "convert") == 0;
	if (!isResult && !cliGetNumber(run, "fps", 1e-3, 1e6, out))
		return false;
	return cliGetNumber(run, "read-fps", 1e-3, 1e6, out);
}

static rpUpAxis getUp(const cliRun* run)
{
	const char* text = cliGet(run, "up");
	return text == NULL ? rp_upAuto : text[0] == 'y' ? rp_upY : text[0] == 'z' ? rp_upZ : rp_upX;
}

static bool checkSkeleton(cliRun* run, const char* path)
{
	struct stat status;
	rpError error = {
		.code = rp_errorFile, .message = "there is no such file", .hint = "--asf names the .asf of the .amc"};
	if (path == NULL || stat(path, &status) == 0)
		return true;
	snprintf(error.file, sizeof error.file, "%s", path);
	return cliFail(run, cli_exitInput, &error);
}

static bool fillReading(cliRun* run, cliReading* out)
{
	out->def.repair = !cliHas(run, "no-repair");
	out->def.keepRestRow = cliHas(run, "keep-rest-row");
	out->def.keepFloor = cliHas(run, "keep-floor");
	out->def.addOffsets = cliHas(run, "add-offsets");
	out->def.ignoreSidecar = cliHas(run, "ignore-sidecar");
	out->def.up = getUp(run);
	out->def.skeletonPath = cliGet(run, "asf");
	out->def.roleFixes = out->fixes;
	if (!checkSkeleton(run, out->def.skeletonPath) || !getScale(run, &out->def.scale) || !getRate(run, &out->def.fps))
		return false;
	const char* role;
	for (int i = 0; (role = cliGetNth(run, "role", i)) != NULL; ++i)
	{
		if (!addRole(run, role, out))
			return false;
	}
	return true;
}

bool cliGetReading(cliRun* run, cliReading* out)
{
	*out = (cliReading){.def = rpDefaultReadDef()};
	if (fillReading(run, out))
		return true;
	cliFreeReading(out);
	return false;
}

void cliFreeReading(cliReading* reading)
{
	for (int i = 0; i < reading->def.roleFixCount; ++i)
		free(reading->jointNames[i]);
	reading->def.roleFixCount = 0;
}
