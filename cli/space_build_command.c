#include "clip.h"
#include "clock.h"
#include "command_options.h"
#include "match_file.h"
#include "model_list.h"
#include "progress_bar.h"
#include "space_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Findings of one kind that are shown.
#define SHOWN 5

/// What the space is built of: takes of the library, and stretches of them.
typedef struct Source
{
	rpLibrary* library;
	rpMotion** takes;
	rpClipId* ids;
	int takeCount;
	rpMatch* matches;
	int matchCount;
} Source;

static void freeSource(Source* source)
{
	for (int i = 0; i < source->takeCount; ++i)
		rpDestroyMotion(source->takes[i]);
	free(source->takes);
	free(source->ids);
	free(source->matches);
}

// The index of a clip among the takes, which it joins if it is new; -1: reported.
static int takeClip(cliRun* run, Source* source, rpClipId id)
{
	rpError error = {0};
	for (int i = 0; i < source->takeCount; ++i)
		if (source->ids[i] == id)
			return i;
	rpMotion* take = rpLibrary_LoadClip(source->library, id, &error);
	if (take == NULL)
	{
		cliFailInput(run, &error);
		return -1;
	}
	size_t count = (size_t)source->takeCount + 1;
	source->takes = cliReallocate(source->takes, count * sizeof(rpMotion*));
	source->ids = cliReallocate(source->ids, count * sizeof(rpClipId));
	source->takes[source->takeCount] = take;
	source->ids[source->takeCount] = id;
	return source->takeCount++;
}

static void addMatch(Source* source, const rpMatch* match)
{
	source->matches = cliReallocate(source->matches, (size_t)(source->matchCount + 1) * sizeof(rpMatch));
	source->matches[source->matchCount++] = *match;
}

// ---- clips named one by one

static double getSeconds(const cliTime* time, const rpMotion* take, double otherwise)
{
	return !time->isGiven ? otherwise : time->isFrame ? time->value / take->fps : time->value;
}

// Half a frame beyond the end is the end.
static bool setStretch(cliRun* run, const char* text, const cliStretch* typed, const rpMotion* take, rpStretch* out)
{
	double duration = rpMotion_GetDuration(take);
	out->start = getSeconds(&typed->start, take, 0.0);
	out->end = getSeconds(&typed->end, take, duration);
	if (out->end <= out->start)
		return cliFailUsage(run, NULL, "%s ends before it starts", text);
	if (out->end > duration + 0.5 / take->fps)
	{
		char* hint = cliFormat("leave the end open (@%g..) to go on to the last frame", out->start);
		cliFailUsage(run, out->start > duration ? NULL : hint, "%s lies outside of its clip, which lasts %.3f s", text,
					 duration);
		free(hint);
		return false;
	}
	out->end = fmin(out->end, duration);
	return true;
}

// A clip, or its mirror image "walk-1~", as space find shows it. 0: error says why.
static rpClipId findClip(const Source* source, const char* text, size_t size, bool* isMirror, rpError* error)
{
	char* name = cliFormat("%.*s", (int)size, text);
	rpClipId id = rpLibrary_FindClip(source->library, name, error);
	*isMirror = id == 0 && size > 1 && name[size - 1] == '~';
	if (*isMirror)
	{
		rpError ignored = {0};
		name[size - 1] = 0;
		id = rpLibrary_FindClip(source->library, name, &ignored);
	}
	free(name);
	return id;
}

// "walk-1@1.2..2.4", or all of "walk-1"; "walk-1~@1.2..2.4". A clip that really has such a name wins.
static bool addTyped(cliRun* run, Source* source, const char* text)
{
	rpError error = {0};
	cliStretch stretch = {0};
	bool isMirror;
	rpClipId id = findClip(source, text, strlen(text), &isMirror, &error);
	const char* at = strrchr(text, '@');
	if (id == 0 && at != NULL && cliParseStretch(at + 1, &stretch))
	{
		error = (rpError){0};
		id = findClip(source, text, (size_t)(at - text), &isMirror, &error);
	}
	if (id == 0)
		return cliFailInput(run, &error);
	if (stretch.isMoment)
		return cliFailUsage(run, "write where it starts and where it ends: @1.5..2.7",
							"%s is a moment; an example lasts", text);
	int index = takeClip(run, source, id);
	rpMatch match = {.stretch = {.clip = index, .isMirror = isMirror}, .parent = -1};
	if (index < 0 || !setStretch(run, text, &stretch, source->takes[index], &match.stretch))
		return false;
	addMatch(source, &match);
	return true;
}

// ---- matches of a file

// Sets those of a list of numbers, "3,7". False: reported.
static bool markNumbers(cliRun* run, const char* option, bool* marks, int count)
{
	const char *text = cliGet(run, option), *rest = text;
	while (rest != NULL)
	{
		double number;
		const char* comma = strchr(rest, ',');
		char* part = cliFormat("%.*s", comma != NULL ? (int)(comma - rest) : (int)strlen(rest), rest);
		bool isNumber = cliParseNumber(part, &number) && number >= 0.0 && number < count && number == floor(number);
		free(part);
		if (!isNumber)
			return cliFailUsage(run, "numbers as space find shows them, separated by commas",
								"--%s needs numbers of matches from 0 to %d, not \"%s\"", option, count - 1, text);
		marks[(int)number] = true;
		rest = comma != NULL ? comma + 1 : NULL;
	}
	return true;
}

// Which matches a person keeps: those of the file, or those named, less those named.
static bool choose(cliRun* run, const char* path, cliMatchFile* file)
{
	size_t size = (size_t)file->count + 1;
	bool *keeps = cliAllocate(2 * size), *drops = keeps + size, isAny = false;
	memset(keeps, 0, 2 * size);
	bool done = markNumbers(run, "keep", keeps, file->count) && markNumbers(run, "drop", drops, file->count);
	for (int i = 0; i < file->count; ++i)
	{
		file->items[i].keep = (cliHas(run, "keep") ? keeps[i] : file->items[i].keep) && !drops[i];
		isAny = isAny || file->items[i].keep;
	}
	free(keeps);
	if (done && !isAny)
		return cliFailUsage(run, "name some with --keep, or set their \"keep\" to true in the file",
							"of the %d match%s of %s none is kept", file->count, file->count == 1 ? "" : "es", path);
	return done;
}

// Each is registered with the nearest of those on its way from the query that is kept.
static bool addKept(cliRun* run, Source* source, const cliMatchFile* file)
{
	// Of each match its number among those kept; of a dropped one that of the nearest before it, -1: there is none.
	int* numbers = cliAllocate((size_t)(file->count + 1) * sizeof(int));
	bool done = true;
	for (int i = 0; i < file->count && done; ++i)
	{
		const cliMatch* from = &file->items[i];
		int parent = from->parent >= 0 ? numbers[from->parent] : -1;
		numbers[i] = from->keep ? source->matchCount : parent;
		int take = from->keep ? takeClip(run, source, from->clip) : 0;
		done = take >= 0;
		rpMatch match = {.stretch = {take, from->isMirror, from->start, from->end}, .parent = parent};
		if (done && from->keep)
			addMatch(source, &match);
	}
	free(numbers);
	return done;
}

static bool addMatches(cliRun* run, Source* source)
{
	cliMatchFile file;
	const char* path = cliGet(run, "from");
	if (path == NULL)
		return (!cliHas(run, "keep") && !cliHas(run, "drop")) ||
			   cliFailUsage(run, NULL, "--keep and --drop are about the matches of --from");
	if (!cliReadMatches(run, path, &file))
		return false;
	bool done =
		choose(run, path, &file) && cliFindMatchClips(run, path, source->library, &file) && addKept(run, source, &file);
	cliFreeMatches(&file);
	return done;
}

static bool loadSource(cliRun* run, Source* source)
{
	bool done = addMatches(run, source);
	for (int i = 1; i < run->argumentCount && done; ++i)
		done = addTyped(run, source, run->arguments[i]);
	return done && (source->matchCount > 0 ||
					cliFailUsage(run, "name clips, or --from what space find wrote", "there are no examples"));
}

// ---- building

static bool getDef(cliRun* run, rpSpaceDef* def)
{
	double samples = def->maxSamples;
	def->features = cliGet(run, "parameters");
	def->thin = !cliHas(run, "no-thin");
	def->progress = cliStepBar;
	if (def->features == NULL)
		return cliFailUsage(run, "for example --parameters turn, or --parameters right_wrist@hit",
							"--parameters says what tells the motions of a space apart");
	if (!cliGetNumber(run, "margin", 0.0, 10.0, &def->margin) || !cliGetNumber(run, "samples", 0.0, 1e5, &samples))
		return false;
	def->maxSamples = (int)samples;
	return true;
}

static json_t* makeResult(cliRun* run, const rpSpace* space, const rpSpaceBuildReport* report, double seconds)
{
	json_t* ranges = json_object();
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		char* key = cliGetValueKey(parameter);
		json_object_set_new(ranges, key,
							json_pack("[o,o]", cliMakeReal(cliShowValue(parameter, parameter->low)),
									  cliMakeReal(cliShowValue(parameter, parameter->high))));
		free(key);
	}
	json_t* result =
		json_pack("{s:o,s:s,s:i,s:i,s:i,s:o,s:o}", "name", cliMakeText(cliGetSpaceName(run)), "features",
				  space->features, "clips", space->clipCount, "examples", space->exampleCount, "samples",
				  space->sampleCount, "ranges", ranges, "roughness", cliMakeReal((double)space->roughness));
	json_t* more = json_pack("{s:i,s:o,s:o,s:o,s:i,s:i,s:o}", "registrations", report->registrationCount, "miss_mean",
							 cliMakeReal((double)report->missMean), "miss_p95", cliMakeReal((double)report->miss95),
							 "miss_before", cliMakeReal((double)report->missBefore), "physical", report->physicalCount,
							 "plain", report->plainCount, "build_seconds", cliMakeReal(seconds));
	json_object_update_new(result, more);
	return result;
}

#define TOLERANCES "1 cm, 1 degree, 0.03 m/s, 0.02 s"

// A space whose motions do other things than they are asked for is of little use, and its picture looks fine.
static void warnOfMisses(cliRun* run, const rpSpaceBuildReport* built)
{
	if (built->requestCount > 0 && built->missMean > 1.0f)
		cliWarn(run,
				"motions miss what they are asked for by %.1f tolerances on the average (" TOLERANCES
				"): blends of these examples do something else than lies between them; leave out those that are "
				"unlike the others (--drop), or choose other parameters (reprise space info)",
				(double)built->missMean);
}

static bool report(cliRun* run, const rpSpace* space, const rpSpaceBuildReport* built, double seconds)
{
	warnOfMisses(run, built);
	if (run->json)
		return cliReport(run, makeResult(run, space, built, seconds));
	cliPrint(run, "%s: %d example%s, %d samples; %.2f s", cliGetSpaceName(run), space->exampleCount,
			 cliPlural(space->exampleCount), space->sampleCount, seconds);
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		cliPrint(run, "  %-24s %8.3f to %.3f %s", parameter->name, cliShowValue(parameter, parameter->low),
				 cliShowValue(parameter, parameter->high), cliGetValueUnit(parameter));
	}
	if (built->requestCount > 0)
		cliPrint(run, "requests are met to %.2f of the tolerance on the average (" TOLERANCES ")",
				 (double)built->missMean);
	// Feet slide less and bodies fall as they should in physical ones: contacts that are wrong show here.
	if (built->plainCount > 0)
		cliPrint(run, "%d of %d blends are plain: their examples do not touch the ground in the same order",
				 built->plainCount, built->plainCount + built->physicalCount);
	return true;
}

// How many findings before one have its code.
static int countBefore(const rpFindings* findings, int index)
{
	int count = 0;
	for (int i = 0; i < index; ++i)
		count += strcmp(findings->items[i].code, findings->items[index].code) == 0;
	return count;
}

// Of each kind a few, and how many more there are; to programs all.
static void warn(cliRun* run, const rpFindings* findings)
{
	for (int i = 0; i < findings->count; ++i)
	{
		const rpFinding* finding = &findings->items[i];
		int before = countBefore(findings, i), all = before + 1;
		for (int k = i + 1; k < findings->count; ++k)
			all += strcmp(findings->items[k].code, finding->code) == 0;
		// One more takes no more room than to say so.
		bool isShown = run->json || before < SHOWN || all == SHOWN + 1;
		char* text =
			isShown ? cliFormatFinding(finding) : cliFormat("%s: %d more like that", finding->code, all - SHOWN);
		if (isShown || before == SHOWN)
			cliWarn(run, "%s", text);
		free(text);
	}
}

// What became of the examples where too few are left, for those who do not see the warnings too.
static void hintAtFindings(const rpFindings* findings, rpError* error)
{
	if (error->code != rp_errorNoSolution || error->hint[0] != 0)
		return;
	if (findings->count == 0)
		snprintf(error->hint, sizeof error->hint, "name more of them, or find some: reprise space find");
	else
		snprintf(error->hint, sizeof error->hint, "%d %s left out: %.200s%s", findings->count,
				 findings->count == 1 ? "is" : "are", findings->items[0].message, findings->count > 1 ? " ..." : "");
}

static bool buildSpace(cliRun* run, const Source* source, const rpSpaceDef* def)
{
	rpFindings findings = {0};
	rpSpaceBuildReport built;
	rpError error = {0};
	double start = cliGetSeconds();
	cliStartBar(run->quiet);
	rpSpace* space = rpBuildSpace((const rpMotion* const*)source->takes, source->takeCount, source->matches,
								  source->matchCount, def, &findings, &built, &error);
	cliEndBar();
	double seconds = cliGetSeconds() - start;
	warn(run, &findings);
	hintAtFindings(&findings, &error);
	bool isKept = space != NULL && rpLibrary_PutSpace(source->library, cliGetSpaceName(run), space, &error);
	bool done = isKept ? report(run, space, &built, seconds) : cliFailWork(run, &error);
	rpDestroySpace(space);
	rpFindings_Free(&findings);
	return done;
}

static bool runSpaceBuild(cliRun* run)
{
	rpSpaceDef def = rpDefaultSpaceDef();
	if (!getDef(run, &def))
		return false;
	Source source = {.library = cliOpenLibrary(run, run->arguments[0], rp_openWrite)};
	bool done = source.library != NULL && cliCheckModelName(run, source.library, "space", cliGetSpaceName(run)) &&
				loadSource(run, &source) && buildSpace(run, &source, &def);
	freeSource(&source);
	return done;
}

static const cliOption spaceBuildOptions[] = {
	{"from", 0, "MATCHES.json", "Examples that space find found: those with \"keep\": true."},
	{"keep", 0, "N,N,...", "Of these only the ones with these numbers."},
	{"drop", 0, "N,N,...", "Without the ones with these numbers."},
	{"parameters", 'p', "FEATURES",
	 "What tells the motions apart, separated by commas: turn; turn,speed; right_wrist@hit; head.y@lowest (see "
	 "reprise help features)."},
	CLI_SPACE_NAME,
	{"margin", 0, "S", "Seconds before and after each example that are kept with it, for transitions; 0.4."},
	{"samples", 0, "N", "Most samples, examples included; 1500. 0: examples alone."},
	{"no-thin", 0, NULL, "Keep examples that do what another one does."},
	{0},
};

const cliCommand cliSpaceBuildCommand = {
	.name = "space build",
	.summary = "Build a parametric space from examples of one action",
	.usage = "LIB.reprise [--from MATCHES.json] [CLIP[~][@A..B]...] --parameters FEATURES [OPTIONS]",
	.about =
		"Examples are registered with each other in time and place; what the parameters are is measured on their "
		"frames, "
		"and on blends of neighbouring ones, until requests inside are met. Examples that do not belong (half a cycle "
		"off, without the event that a feature needs) are left out, and named; so are those that do what another one "
		"does. Those that are unlike their neighbours are named, and stay. CLIP~ is the mirror image of CLIP.\n\nA "
		"space of the same name is "
		"replaced.",
	.options = {spaceBuildOptions},
	.examples = {{"reprise space build moves.reprise jump-1@1..3 jump-2 jump-3 -p jump_length --name jump",
				  "Three clips, by the length of the jump."},
				 {"reprise space build moves.reprise --from punches.json -p right_wrist@hit --name punch",
				  "What space find found."},
				 {"reprise space build moves.reprise --from walks.json -p turn,speed --drop 3,7 --json",
				  "Without two of them; for a program."}},
	.minimum = 1,
	.maximum = -1,
	.run = runSpaceBuild,
};
