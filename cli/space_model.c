/// What the space commands share.
#include "space_model.h"

#include "clip.h"
#include "model_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* cliGetSpaceName(const cliRun* run)
{
	const char* name = cliGet(run, "name");
	return name != NULL ? name : "space";
}

// What stands before the name of an act.
#define PERFORMER "performer:"

const char* cliGetPerformedAct(const cliRun* run)
{
	const char* text = run->arguments[0];
	return strncmp(text, PERFORMER, strlen(PERFORMER)) == 0 ? text + strlen(PERFORMER) : NULL;
}

bool cliFindPerformedSpace(cliRun* run, const char* name, rpPerformedSpace* out)
{
	rpAct act = rpAct_Find(name);
	*out = rpDefaultPerformedSpace(act < rp_actCount ? act : rp_actStand);
	return (act < rp_actCount && out->parameterCount > 0) ||
		   cliFailUsage(run, "reprise perform --list",
						act == rp_actCount ? "the performer has no act \"%s\"" : "%s has no parameters", name);
}

rpSpace* cliLoadSpace(cliRun* run)
{
	const char* path = run->arguments[0];
	if (cliGetPerformedAct(run) != NULL)
	{
		cliFailUsage(run, "space info tells its parameters, space make makes motions of it",
					 "%s is a space by formula, without examples", path);
		return NULL;
	}
	rpLibrary* library = cliOpenLibrary(run, path, rp_openRead);
	if (library == NULL)
		return NULL;
	rpError error = {0};
	rpSpace* space = rpLibrary_LoadSpace(library, cliGetSpaceName(run), &error);
	if (space == NULL)
	{
		char otherwise[200];
		snprintf(otherwise, sizeof otherwise,
				 "build one: reprise space build %.100s --from MATCHES.json --parameters turn", path);
		if (error.code == rp_errorMissing && error.hint[0] == 0)
			cliHintAtModels(library, "space", otherwise, &error);
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", path);
		cliFailInput(run, &error);
	}
	return space;
}

// ---- values

double cliShowValue(const rpSpaceParameter* parameter, float value)
{
	// Radians in single precision are degrees to the fifth digit behind the point.
	return parameter->isAngle ? round((double)value / RP_DEGREE * 1e4) * 1e-4 : (double)value;
}

const char* cliGetValueUnit(const rpSpaceParameter* parameter)
{
	return rpSpaceParameter_GetUnit(parameter);
}

static bool endsIn(const char* text, const char* ending)
{
	size_t size = strlen(text), length = strlen(ending);
	return size >= length && strcmp(text + size - length, ending) == 0;
}

char* cliGetValueKey(const rpSpaceParameter* parameter)
{
	size_t size = strlen(parameter->key);
	bool isRadian = endsIn(parameter->key, "_rad");
	return cliFormat("%.*s%s", (int)(isRadian ? size - 4 : size), parameter->key, isRadian ? "_deg" : "");
}

json_t* cliMakeValues(const rpSpace* space, const float* values)
{
	json_t* result = json_object();
	for (int i = 0; i < space->parameterCount; ++i)
	{
		char* key = cliGetValueKey(&space->parameters[i]);
		json_object_set_new(result, key, cliMakeReal(cliShowValue(&space->parameters[i], values[i])));
		free(key);
	}
	return result;
}

char* cliFormatValues(const rpSpace* space, const float* values)
{
	char text[RP_MAX_SPACE_PARAMETERS * 128] = "";
	size_t size = 0;
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		size += (size_t)snprintf(text + size, sizeof text - size, "%s%s %.*f %s", i > 0 ? ", " : "", parameter->name,
								 parameter->isAngle ? 1 : 3, cliShowValue(parameter, values[i]),
								 cliGetValueUnit(parameter));
	}
	return cliCopyText(text);
}

char* cliNameExample(const rpSpace* space, int example)
{
	const char* name = space->clipNames;
	for (int i = 0; i < space->examples[example].clip; ++i)
		name += strlen(name) + 1;
	return cliFormat("%s%s", name, space->examples[example].isMirror ? "~" : "");
}
