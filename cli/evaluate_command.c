#include "command_options.h"
#include "floor_path.h"
#include "reference_clips.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/// What is measured, with what.
typedef struct Trial
{
	cliClip clip, truth;
	cliReferences references;
	const rpMotion** motions;
	cliFloorPath path;
	rpEvaluateDef def;

	/// What is asked for; NaN where nothing is, and --limits default decides if it is given.
	double limits[rp_measureCount];
	bool hasDefaults;

	/// Where the contacts came from: "stored", "detected" or "none".
	const char* contactSource;
} Trial;

// ---- the clip

// Whether the JSON file beside it says so: what Reprise made has inputs, contacts, labels or seams. Its own frames are
// a source of every clip.
static bool isMade(const rpMotion* motion)
{
	return motion->inputCount > 1 || motion->annotations.eventCount > 0 ||
		   rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0) > 0 ||
		   rpMotion_GetIntervals(motion, rp_trackLabel, NULL, 0) > 0;
}

// What the doctor mended that would have been measured, "floor, jump"; free it. NULL: nothing.
static char* listMended(const rpFindings* findings)
{
	static const char* const seen[] = {"floor", "jump", "spike", "frozen_rows", "bone_length", "feet"};
	char* list = NULL;
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); ++i)
	{
		const rpFinding* finding = rpFindings_Find(findings, seen[i]);
		if (finding == NULL || !finding->repaired)
			continue;
		char* longer = list == NULL ? cliCopyText(seen[i]) : cliFormat("%s, %s", list, seen[i]);
		free(list);
		list = longer;
	}
	return list;
}

static bool reloadAsItStands(cliRun* run, const char* path, cliClip* clip)
{
	cliReading reading;
	rpError error = {0};
	if (!cliGetReading(run, &reading))
		return false;
	reading.def.repair = false;
	rpMotion* motion = rpLoadMotion(path, &reading.def, NULL, &error);
	cliFreeReading(&reading);
	if (motion == NULL)
		return cliFailInput(run, &error);
	rpDestroyMotion(clip->motion);
	clip->motion = motion;
	return true;
}

// What Reprise made is judged as it stands: the doctor would mend what is to be seen. Of other clips it is reported.
static bool loadJudged(cliRun* run, const char* text, cliClip* clip)
{
	if (!cliLoadClip(run, text, clip))
		return false;
	char* mended = listMended(&clip->findings);
	bool isWholeFile = clip->id == 0 && access(text, R_OK) == 0, done = true;
	if (mended != NULL && isWholeFile && isMade(clip->motion))
		done = reloadAsItStands(run, text, clip);
	else if (mended != NULL)
		cliWarn(run, "%s: mended before it was measured: %s; --no-repair measures it as it stands", clip->name, mended);
	free(mended);
	return done;
}

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
	trial->hasDefaults = isDefault;
	for (int i = 0; i < rp_measureCount; ++i)
		trial->limits[i] = NAN;
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
	for (int i = 0; cliGetNth(run, "reference", i) != NULL; ++i)
	{
		if (!cliAddReferences(run, &trial->references, cliGetNth(run, "reference", i), &trial->clip))
			return false;
	}
	int count = trial->references.count;
	trial->motions = cliAllocate((size_t)(count + 1) * sizeof(rpMotion*));
	for (int i = 0; i < count; ++i)
		trial->motions[i] = trial->references.clips[i].motion;
	trial->def.references = trial->motions;
	trial->def.referenceCount = count;
	return true;
}

static int countContacts(const rpMotion* motion)
{
	return rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0);
}

// Contacts found anew, in place of those that came with the clip.
static bool detectContacts(cliRun* run, Trial* trial)
{
	rpError error = {0};
	bool done = rpDetectContacts(trial->clip.motion, NULL, NULL, &error);
	if (!done && error.code != rp_errorArgument)
		return cliFailInput(run, &error);
	trial->contactSource = countContacts(trial->clip.motion) > 0 ? "detected" : "none";
	return true;
}

// With --contacts auto the stored contacts are the truth, if no other is given.
static bool keepStored(cliRun* run, Trial* trial)
{
	rpError error = {0};
	if (trial->truth.motion != NULL || countContacts(trial->clip.motion) == 0)
		return true;
	trial->truth.motion = rpCopyMotion(trial->clip.motion, &error);
	return trial->truth.motion != NULL || cliFailInput(run, &error);
}

static bool getTruth(cliRun* run, Trial* trial)
{
	const char* truth = cliGet(run, "truth");
	const char* contacts = cliGet(run, "contacts");
	bool isAuto = contacts != NULL && strcmp(contacts, "auto") == 0;
	int storedCount = countContacts(trial->clip.motion);
	trial->contactSource = storedCount > 0 ? "stored" : "none";
	if (truth != NULL && !cliLoadClip(run, truth, &trial->truth))
		return false;
	if (truth != NULL && countContacts(trial->truth.motion) == 0)
		return cliFailUsage(run, "--truth takes a clip with contacts stored beside it", "\"%s\" has no contacts",
							truth);
	if (contacts != NULL && strcmp(contacts, "stored") == 0 && storedCount == 0)
		return cliFailUsage(run, "leave --contacts out; all but contacts_disagree is measured without them",
							"\"%s\" has no contacts stored", trial->clip.name);
	if (isAuto && !keepStored(run, trial))
		return false;
	trial->def.truth = trial->truth.motion;
	bool mustDetect = isAuto || (truth != NULL && storedCount == 0);
	return !mustDetect || detectContacts(run, trial);
}

static void freeTrial(Trial* trial)
{
	cliFreeClip(&trial->clip);
	cliFreeClip(&trial->truth);
	cliFreeReferences(&trial->references);
	free(trial->motions);
	cliFreeFloorPath(&trial->path);
}

// ---- what is reported

// What a measure may be: as was asked for, else as --limits default says.
static void getRange(const Trial* trial, const rpMeasures* measures, int i, double* min, double* max)
{
	*min = -INFINITY;
	*max = INFINITY;
	if (trial->hasDefaults)
		rpMeasures_GetRange(measures, i, min, max);
	if (!isnan(trial->limits[i]))
	{
		*min = -INFINITY;
		*max = trial->limits[i];
	}
}

// The limit that a measure exceeds, NaN if it keeps them.
static double getExceeded(const Trial* trial, const rpMeasures* measures, int i)
{
	double min, max, value = measures->values[i];
	getRange(trial, measures, i, &min, &max);
	return value > max ? max : value < min ? min : (double)NAN;
}

static json_t* makeExceeded(const Trial* trial, const rpMeasures* measures)
{
	json_t* list = json_array();
	for (int i = 0; i < rp_measureCount; ++i)
	{
		double limit = getExceeded(trial, measures, i);
		if (!isnan(limit))
			json_array_append_new(list, json_pack("{s:s,s:o,s:o,s:o}", "measure", rpMeasure_GetKey(i), "value",
												  cliMakeReal(measures->values[i]), "limit", cliMakeReal(limit), "at_s",
												  cliMakeReal(measures->times[i])));
	}
	return list;
}

// What the references show, where that is compared.
static json_t* makeStandards(const rpMeasures* measures)
{
	json_t* object = json_object();
	for (int i = 0; i < rp_measureCount; ++i)
	{
		if (!isnan(measures->standards[i]))
			json_object_set_new(object, rpMeasure_GetKey(i), cliMakeReal(measures->standards[i]));
	}
	return object;
}

static json_t* makeResult(const Trial* trial, const rpMeasures* measures)
{
	json_t* result = json_pack("{s:o}", "clip", cliMakeText(trial->clip.name));
	for (int i = 0; i < rp_measureCount; ++i)
		json_object_set_new(result, rpMeasure_GetKey(i), cliMakeReal(measures->values[i]));
	json_object_set_new(result, "contact_f1", cliMakeReal(measures->contactF1));
	json_object_set_new(result, "contact_source", json_string(trial->contactSource));
	json_object_set_new(result, "contacts", json_integer(measures->contactCount));
	json_object_set_new(result, "stances", json_integer(measures->stanceCount));
	json_object_set_new(result, "steps", json_integer(measures->stepCount));
	json_object_set_new(result, "flights", json_integer(measures->flightCount));
	json_object_set_new(result, "seams", json_integer(measures->seamCount));
	json_object_set_new(result, "hitch_joint", json_string(rpRole_GetName(measures->hitchRole)));
	json_object_set_new(result, "references", json_integer(trial->def.referenceCount));
	json_object_set_new(result, "reference", makeStandards(measures));
	if (trial->path.count > 0)
		cliAddFloorPath(result, &trial->path);
	json_object_set_new(result, "exceeded", makeExceeded(trial, measures));
	return result;
}

static void printMeasure(const rpMeasures* measures, int i)
{
	char* when = isnan(measures->times[i]) ? cliFormat("%s", "") : cliFormat("at %.2f s", measures->times[i]);
	char* standard = isnan(measures->standards[i]) ? cliFormat("%s", "") : cliFormat("(%.3f)", measures->standards[i]);
	cliLine(stdout, "  %-28s %10.3f %-11s %-12s%s", rpMeasure_GetKey(i), measures->values[i], standard, when,
			rpMeasure_GetText(i));
	free(when);
	free(standard);
}

static void print(const Trial* trial, const rpMeasures* measures)
{
	cliLine(stdout, "%s: %d stances, %d steps; contacts %s (%d)%s", trial->clip.name, measures->stanceCount,
			measures->stepCount, trial->contactSource, measures->contactCount,
			trial->def.referenceCount > 0 ? "; in brackets the references" : "");
	if (trial->path.count > 0)
		cliLine(stdout, "  path: %.1f m long, %.1f x %.1f m", trial->path.length, trial->path.width, trial->path.depth);
	for (int i = 0; i < rp_measureCount; ++i)
	{
		if (!isnan(measures->values[i]))
			printMeasure(measures, i);
	}
	if (!isnan(measures->contactF1))
		cliLine(stdout, "  %-28s %10.3f %-11s %-12s%s", "contact_f1", measures->contactF1, "", "",
				"contacts against the truth");
}

// The first limit that is exceeded is the failure; the others are warnings.
static bool failExceeded(cliRun* run, const Trial* trial, const rpMeasures* measures)
{
	for (int i = 0; i < rp_measureCount; ++i)
	{
		double limit = getExceeded(trial, measures, i);
		if (isnan(limit))
			continue;
		rpError error = {.code = rp_errorLimit};
		snprintf(error.message, sizeof error.message, "%s is %.4g, %s than %.4g (%s)", rpMeasure_GetKey(i),
				 measures->values[i], measures->values[i] > limit ? "more" : "less", limit, rpMeasure_GetText(i));
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
	bool done = getLimits(run, &trial) && getPath(run, &trial) && loadJudged(run, run->arguments[0], &trial.clip) &&
				getReferences(run, &trial) && getTruth(run, &trial) && evaluate(run, &trial);
	freeTrial(&trial);
	return done;
}

static const cliOption evaluateOptions[] = {
	{"reference", 0, "CLIP|LIB.reprise",
	 "What it was made from, to compare with: a clip, a folder, a pattern in quotes, or a library, of which those "
	 "clips "
	 "are taken that the JSON file beside the clip names. May be given several times."},
	{"path", 0, "FILE", "The path it should follow: an SVG file, or a CSV file with lines \"x,z\", metres."},
	{"path-scale", 0, "METRES", CLI_PATH_SCALE},
	{"contacts", 0, "auto|stored",
	 "Contacts to compare with the frames: found anew, or those beside the clip (the default)."},
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
	.summary = "Measure the quality of a clip: feet, steps, seams, smoothness, physics, path",
	.usage = "CLIP [OPTIONS]",
	.about = "Looks at the frames alone: finds stances, steps and flights its own way, whatever contacts say. Prints "
			 "each measure with the moment of its worst, and in brackets what the references show, steps and knees at "
			 "the same pace. Formulas, limits and their sources stand in docs/measures.md. A measure that the clip "
			 "gives no occasion for (no seam, no flight, no path) is left "
			 "out; "
			 "in JSON it is null.\n\n"
			 "With limits the exit code is 5 if one of them is exceeded. A clip passes evaluate if it keeps the limits "
			 "of --limits default: by its references where there are any, else by what captured takes show.",
	.options = {evaluateOptions, cliReadingOptions},
	.examples = {{"reprise evaluate walk.bvh", "How good is it?"},
				 {"reprise evaluate new.bvh --reference moves.reprise --limits default",
				  "Is it as good as its captures?"},
				 {"reprise evaluate new.bvh --path path.csv --max-path 0.3 --json", "Does it keep to a path?"}},
	.minimum = 1,
	.maximum = 1,
	.run = runEvaluate,
};
