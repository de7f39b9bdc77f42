#include "clip.h"
#include "command_options.h"
#include "floor_path.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What is measured, with what.
typedef struct Trial
{
	cliClip clip, truth;
	cliClip* references;
	const rpMotion** motions;
	cliFloorPath path;
	rpEvaluateDef def;

	/// Infinite where there is none.
	double limits[rp_measureCount];
} Trial;

// ---- what is asked

static bool failLimits(cliRun* run, const char* path, const json_error_t* place, const char* message)
{
	rpError error = {.code = rp_errorFormat,
					 .hint = "a limits file is one JSON object: {\"slide_mm_mean\": 5, \"skate_ratio\": 0.1}"};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "%s", message);
	if (place != NULL)
	{
		error.line = place->line > 0 ? place->line : 1;
		error.column = place->column > 0 ? place->column : 1;
	}
	return cliFail(run, cli_exitInput, &error);
}

static bool takeLimits(cliRun* run, const char* path, json_t* root, Trial* trial)
{
	const char* key;
	json_t* value;
	json_object_foreach(root, key, value)
	{
		rpMeasure measure = rpMeasure_Find(key);
		if (measure == rp_measureCount || !json_is_number(value))
		{
			char* message =
				cliFormat(measure == rp_measureCount ? "there is no measure \"%s\"" : "\"%s\" is no number", key);
			failLimits(run, path, NULL, message);
			free(message);
			return false;
		}
		trial->limits[measure] = json_number_value(value);
	}
	return true;
}

static bool readLimits(cliRun* run, const char* path, Trial* trial)
{
	json_error_t place;
	FILE* file = fopen(path, "r");
	if (file == NULL)
	{
		rpError error = {.code = rp_errorFile, .hint = "--limits takes default, or a JSON file of limits"};
		snprintf(error.file, sizeof error.file, "%s", path);
		snprintf(error.message, sizeof error.message, "cannot read it: %s", strerror(errno));
		return cliFail(run, cli_exitInput, &error);
	}
	json_t* root = json_loadf(file, JSON_REJECT_DUPLICATES, &place);
	fclose(file);
	cliNotePath(run, path);
	if (root == NULL)
		return failLimits(run, path, &place, place.text);
	bool done =
		json_is_object(root) ? takeLimits(run, path, root, trial) : failLimits(run, path, NULL, "this is no object");
	json_decref(root);
	return done;
}

static bool getLimits(cliRun* run, Trial* trial)
{
	const char* file = cliGet(run, "limits");
	bool isDefault = file != NULL && strcmp(file, "default") == 0;
	for (int i = 0; i < rp_measureCount; ++i)
		trial->limits[i] = isDefault ? rpMeasure_GetDefaultLimit(i) : (double)INFINITY;
	if (file != NULL && !isDefault && !readLimits(run, file, trial))
		return false;
	for (int i = 0; i < rp_measureCount; ++i)
	{
		char* option = cliFormat("max-%s", rpMeasure_GetLimitName(i));
		bool done = cliGetNumber(run, option, 0.0, 1e9, &trial->limits[i]);
		free(option);
		if (!done)
			return false;
	}
	return true;
}

static bool getPath(cliRun* run, Trial* trial)
{
	const char* file = cliGet(run, "path");
	if (file != NULL && !cliReadFloorPath(run, file, "path-scale", &trial->path))
		return false;
	trial->def.path = trial->path.points;
	trial->def.pathCount = trial->path.count;
	return true;
}

static bool getReferences(cliRun* run, Trial* trial)
{
	int count = 0;
	while (cliGetNth(run, "reference", count) != NULL)
		++count;
	trial->references = cliAllocate((size_t)(count + 1) * sizeof(cliClip));
	trial->motions = cliAllocate((size_t)(count + 1) * sizeof(rpMotion*));
	trial->def.references = trial->motions;
	for (int i = 0; i < count; ++i)
	{
		if (!cliLoadClip(run, cliGetNth(run, "reference", i), &trial->references[i]))
			return false;
		trial->motions[i] = trial->references[i].motion;
		trial->def.referenceCount = i + 1;
	}
	return true;
}

static bool getTruth(cliRun* run, Trial* trial)
{
	const char* truth = cliGet(run, "truth");
	const char* contacts = cliGet(run, "contacts");
	trial->def.detectContacts = contacts != NULL && strcmp(contacts, "auto") == 0;
	if (truth != NULL && !cliLoadClip(run, truth, &trial->truth))
		return false;
	trial->def.truth = trial->truth.motion;
	if (truth != NULL && rpMotion_GetIntervals(trial->truth.motion, rp_trackContact, NULL, 0) == 0)
		return cliFailUsage(run, "--truth takes a clip with contacts stored beside it", "\"%s\" has no contacts",
							truth);
	if (contacts != NULL && strcmp(contacts, "stored") == 0 &&
		rpMotion_GetIntervals(trial->clip.motion, rp_trackContact, NULL, 0) == 0)
		return cliFailUsage(run, "leave --contacts out, and they are found in the clip",
							"\"%s\" has no contacts stored", trial->clip.name);
	return true;
}

static void freeTrial(Trial* trial)
{
	cliFreeClip(&trial->clip);
	cliFreeClip(&trial->truth);
	for (int i = 0; i < trial->def.referenceCount; ++i)
		cliFreeClip(&trial->references[i]);
	free(trial->references);
	free(trial->motions);
	cliFreeFloorPath(&trial->path);
}

// ---- what is told

static bool isExceeded(const Trial* trial, const rpMeasures* measures, int i)
{
	return measures->values[i] > trial->limits[i];
}

static json_t* makeExceeded(const Trial* trial, const rpMeasures* measures)
{
	json_t* list = json_array();
	for (int i = 0; i < rp_measureCount; ++i)
	{
		if (isExceeded(trial, measures, i))
			json_array_append_new(list,
								  json_pack("{s:s,s:o,s:o,s:o}", "measure", rpMeasure_GetKey(i), "value",
											cliMakeReal(measures->values[i]), "limit", cliMakeReal(trial->limits[i]),
											"at_s", cliMakeReal(measures->times[i])));
	}
	return list;
}

static json_t* makeResult(const Trial* trial, const rpMeasures* measures)
{
	json_t* result = json_pack("{s:o}", "clip", cliMakeText(trial->clip.name));
	for (int i = 0; i < rp_measureCount; ++i)
		json_object_set_new(result, rpMeasure_GetKey(i), cliMakeReal(measures->values[i]));
	json_object_set_new(result, "contact_f1", cliMakeReal(measures->contactF1));
	json_object_set_new(result, "contact_source", json_string(rpContactSource_GetName(measures->contactSource)));
	json_object_set_new(result, "contacts", json_integer(measures->contactCount));
	json_object_set_new(result, "flights", json_integer(measures->flightCount));
	json_object_set_new(result, "seams", json_integer(measures->seamCount));
	json_object_set_new(result, "exceeded", makeExceeded(trial, measures));
	return result;
}

static void print(const Trial* trial, const rpMeasures* measures)
{
	cliLine(stdout, "%s: contacts %s (%d)", trial->clip.name, rpContactSource_GetName(measures->contactSource),
			measures->contactCount);
	for (int i = 0; i < rp_measureCount; ++i)
	{
		if (isnan(measures->values[i]))
			continue;
		char* when = isnan(measures->times[i]) ? cliFormat("%s", "") : cliFormat("at %.2f s", measures->times[i]);
		cliLine(stdout, "  %-28s %10.3f  %-12s%s", rpMeasure_GetKey(i), measures->values[i], when,
				rpMeasure_GetText(i));
		free(when);
	}
	if (!isnan(measures->contactF1))
		cliLine(stdout, "  %-28s %10.3f  %-12s%s", "contact_f1", measures->contactF1, "", "contacts against the truth");
}

// The first limit that is exceeded is the failure; the others are warnings.
static bool failExceeded(cliRun* run, const Trial* trial, const rpMeasures* measures)
{
	for (int i = 0; i < rp_measureCount; ++i)
	{
		if (!isExceeded(trial, measures, i))
			continue;
		rpError error = {.code = rp_errorLimit};
		snprintf(error.message, sizeof error.message, "%s is %.4g, more than %.4g (%s)", rpMeasure_GetKey(i),
				 measures->values[i], trial->limits[i], rpMeasure_GetText(i));
		snprintf(error.file, sizeof error.file, "%s", trial->clip.name);
		cliFail(run, cli_exitLimit, &error);
	}
	return run->exit == 0;
}

static bool evaluate(cliRun* run, Trial* trial)
{
	rpMeasures measures;
	rpError error = {0};
	if (!rpEvaluate(trial->clip.motion, &trial->def, &measures, &error))
	{
		snprintf(error.file, sizeof error.file, "%s", trial->clip.name);
		return cliFailInput(run, &error);
	}
	if (!run->json)
		print(trial, &measures);
	failExceeded(run, trial, &measures);
	if (run->json)
		cliReport(run, makeResult(trial, &measures));
	return run->exit == 0;
}

static bool runEvaluate(cliRun* run)
{
	Trial trial = {.def = rpDefaultEvaluateDef()};
	bool done = getLimits(run, &trial) && getPath(run, &trial) && cliLoadClip(run, run->arguments[0], &trial.clip) &&
				getReferences(run, &trial) && getTruth(run, &trial) && evaluate(run, &trial);
	freeTrial(&trial);
	return done;
}

static const cliOption evaluateOptions[] = {
	{"reference", 0, "CLIP", "A clean clip to compare smoothness with. May be given several times."},
	{"path", 0, "FILE", "The path it should follow: an SVG file, or a CSV file with lines \"x,z\", metres."},
	{"path-scale", 0, "METRES", "Metres in one unit of the SVG file, 0.01 if not given."},
	{"contacts", 0, "auto|stored", "Find contacts anew, or take those beside the clip; stored if there are any."},
	{"truth", 0, "CLIP", "A clip whose contacts are the truth for contact_f1."},
	{"limits", 0, "FILE|default",
	 "Exit with 5 beyond these limits: Reprise's own, or a JSON file {\"slide_mm_mean\": 5}."},
#define X(enumerator, key, option, limit, text) {"max-" option, 0, "N", "Exit with 5 if " key " is greater."},
	RP_MEASURES(X)
#undef X
		{0},
};

const cliCommand cliEvaluateCommand = {
	.name = "evaluate",
	.summary = "Measure the quality of a clip: feet, seams, smoothness, joints, physics, path",
	.usage = "CLIP [OPTIONS]",
	.about = "Prints each measure with the moment of its worst. Formulas, thresholds and their sources stand in "
			 "docs/measures.md. A measure that the clip gives no occasion for (no seam, no flight, no path) is left "
			 "out; "
			 "in JSON it is null.\n\n"
			 "With limits the exit code is 5 if one of them is exceeded. A clip passes evaluate if it keeps the limits "
			 "of --limits default.",
	.options = {evaluateOptions, cliReadingOptions},
	.examples = {{"reprise evaluate walk.bvh", "How good is it?"},
				 {"reprise evaluate new.bvh --reference walk.bvh --limits default", "Is it as good as a capture?"},
				 {"reprise evaluate new.bvh --path path.csv --max-path 0.3 --json", "Does it keep to a path?"}},
	.minimum = 1,
	.maximum = 1,
	.run = runEvaluate,
};
