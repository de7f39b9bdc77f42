#include "clip.h"
#include "clip_listing.h"
#include "clock.h"
#include "command_options.h"
#include "match_file.h"
#include "metric_option.h"
#include "progress_bar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Matches that are listed for people.
#define LISTED 20

// A gap that is narrower than this is none to rely on: those of performed acts are 1.3 to 4 times as far at the upper
// end as at the lower.
#define CLEAR_GAP 1.2

/// The clips of the query's skeleton. Zero-initialised is empty.
typedef struct Clips
{
	rpMotion** motions;

	/// [count]; infos belong to the listing.
	const rpClipInfo** infos;
	int count, leftOutCount;
} Clips;

static void freeClips(Clips* clips)
{
	for (int i = 0; i < clips->count; ++i)
		rpDestroyMotion(clips->motions[i]);
	free(clips->motions);
	free(clips->infos);
}

static bool loadClips(cliRun* run, const rpLibrary* library, const cliListing* listing, int64_t skeleton, Clips* out)
{
	size_t most = (size_t)listing->count + 1;
	out->motions = cliAllocate(most * sizeof(rpMotion*));
	out->infos = cliAllocate(most * sizeof(rpClipInfo*));
	for (int i = 0; i < listing->count; ++i)
	{
		const rpClipInfo* info = &listing->infos[i];
		if (info->skeletonId != skeleton)
		{
			++out->leftOutCount;
			continue;
		}
		rpError error = {0};
		rpMotion* motion = rpLibrary_LoadClip(library, info->id, &error);
		if (motion == NULL)
			return cliFailInput(run, &error);
		out->motions[out->count] = motion;
		out->infos[out->count++] = info;
		if (!cliStepBar(0.0, "loading clips", NULL))
		{
			error = (rpError){.code = rp_errorCancelled, .message = "interrupted"};
			return cliFail(run, cli_exitInterrupted, &error);
		}
	}
	return true;
}

/// A search at work.
typedef struct Find
{
	cliRun* run;
	const rpLibrary* library;

	/// The stretch as it was typed.
	cliClip query;
	cliListing listing;
	Clips clips;
	cliMetric metric;
	rpMatchDef def;

	/// NULL: the library has none of these clips.
	rpMatchWeb* web;
	rpMatchWebReport woven;
	rpMatches* matches;
	cliMatchFile file;
	double seconds, wovenSeconds;
} Find;

// The web of these clips, woven first if that is asked for.
static bool openWeb(Find* find)
{
	cliRun* run = find->run;
	rpMatchWebDef def = rpDefaultMatchWebDef();
	rpError error = {0};
	def.metric = &find->metric.def;
	def.mirror = find->def.mirror;
	def.progress = cliStepBar;
	rpClipId* ids = cliAllocate((size_t)(find->clips.count + 1) * sizeof(rpClipId));
	for (int i = 0; i < find->clips.count; ++i)
		ids[i] = find->clips.infos[i]->id;
	double start = cliGetSeconds();
	bool done = !cliHas(run, "web") ||
				rpLibrary_WeaveMatchWeb(run->library, ids, find->clips.count, &def, &find->woven, &error);
	find->wovenSeconds = cliGetSeconds() - start;
	if (done)
		find->web = rpLibrary_OpenMatchWeb(find->library, ids, find->clips.count, &def, &error);
	free(ids);
	// That there is none is no failure.
	done = done && (find->web != NULL || error.code == rp_errorMissing);
	return done || cliFailWork(run, &error);
}

// What is wrong with the length of the query.
static bool failSearch(const Find* find, rpError* error)
{
	if (error->code == rp_errorArgument && error->hint[0] == 0)
		snprintf(error->hint, sizeof error->hint, "write where it starts and where it ends: LIB#CLIP@1.5..2.7");
	return cliFailWork(find->run, error);
}

static bool findMatches(Find* find)
{
	rpStretch query = {.start = find->query.start, .end = find->query.start + rpMotion_GetDuration(find->query.motion)};
	for (int i = 0; i < find->clips.count; ++i)
		query.clip = find->clips.infos[i]->id == find->query.id ? i : query.clip;
	rpError error = {0};
	rpMetric* metric = rpCreateMetric(find->query.motion->skeleton, &find->metric.def, &error);
	find->def.metric = metric;
	find->def.web = find->web;
	double start = cliGetSeconds();
	if (metric != NULL)
		find->matches =
			rpFindMatches((const rpMotion* const*)find->clips.motions, find->clips.count, &query, &find->def, &error);
	find->seconds = cliGetSeconds() - start;
	rpDestroyMetric(metric);
	return find->matches != NULL || failSearch(find, &error);
}

static void fillFile(Find* find)
{
	const rpMatches* matches = find->matches;
	cliMatchFile* file = &find->file;
	*file = (cliMatchFile){.library = cliCopyText(cliGetBaseName(find->run->libraryPath)),
						   .isAngle = matches->isAngle,
						   .threshold = (double)matches->threshold,
						   .isFromGap = matches->isFromGap,
						   .isToPhase = matches->isToPhase,
						   .gapLow = (double)matches->gapLow,
						   .gapHigh = (double)matches->gapHigh,
						   .clipCount = find->clips.count,
						   .leftOutCount = find->clips.leftOutCount,
						   .searchCount = matches->searchCount,
						   .count = matches->count};
	file->items = cliAllocate((size_t)matches->count * sizeof(cliMatch));
	for (int i = 0; i < matches->count; ++i)
	{
		const rpMatch* match = &matches->items[i];
		const rpClipInfo* info = find->clips.infos[match->stretch.clip];
		cliMatch* item = &file->items[i];
		*item = (cliMatch){.name = cliCopyText(info->name),
						   .clip = info->id,
						   .isMirror = match->stretch.isMirror,
						   .start = match->stretch.start,
						   .end = match->stretch.end,
						   .distance = (double)match->distance,
						   .farthest = (double)match->farthest,
						   .parent = match->parent,
						   .timeCount = match->timeCount,
						   .keep = true};
		memcpy(item->hash, info->hash, sizeof item->hash);
		item->times = cliAllocate((size_t)match->timeCount * sizeof(rpMatchedTime));
		memcpy(item->times, match->times, (size_t)match->timeCount * sizeof(rpMatchedTime));
	}
}

// ---- what is told

static bool reportJson(const Find* find, const char* output)
{
	const cliMatchFile* file = &find->file;
	json_t* list = json_array();
	for (int i = 0; i < file->count; ++i)
		json_array_append_new(list, cliMakeMatch(file, i, false));
	json_t* result = cliMakeMatchSummary(file);
	json_object_set_new(result, "time_s", cliMakeReal(find->seconds));
	json_object_set_new(result, "from_web", json_boolean(find->web != NULL));
	if (cliHas(find->run, "web"))
		json_object_set_new(result, "web",
							json_pack("{s:i,s:i,s:o,s:o}", "pairs", find->woven.pairCount, "new_pairs",
									  find->woven.newPairCount, "mb", cliMakeReal(1e-6 * (double)find->woven.size),
									  "time_s", cliMakeReal(find->wovenSeconds)));
	json_object_set_new(result, "output", output != NULL ? cliMakeText(output) : json_null());
	json_object_set_new(result, "matches", list);
	return cliReport(find->run, result);
}

static const char* getUnit(const cliMatchFile* file)
{
	return file->isAngle ? "" : " m";
}

static void addRow(cliTable* table, const cliMatchFile* file, int index)
{
	const cliMatch* match = &file->items[index];
	cliTable_Add(table, "%d", index);
	cliTable_Add(table, "%s%s@%.2f..%.2f", match->name, match->isMirror ? "~" : "", match->start, match->end);
	cliTable_Add(table, "%.3f%s", match->distance, getUnit(file));
	cliTable_Add(table, "%.3f%s", match->farthest, getUnit(file));
	if (match->parent < 0)
		cliTable_Add(table, "%s", "");
	else
		cliTable_Add(table, "%d", match->parent);
}

static void print(const Find* find)
{
	static const char* const headings[] = {"#", "match", "distance", "farthest", "from"};
	const cliMatchFile* file = &find->file;
	cliTable table = {.columnCount = 5, .right = 1 | 4 | 8 | 16};
	for (size_t i = 0; i < sizeof headings / sizeof headings[0]; ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < file->count && i < LISTED; ++i)
		addRow(&table, file, i);
	cliTable_Print(&table, stdout, 0);
	if (file->count > LISTED)
		cliAnswer(find->run, "and %d more", file->count - LISTED);
	cliAnswer(find->run, "%d match%s of the query in %d clip%s; threshold %.3g%s%s", file->count - 1,
			  file->count == 2 ? "" : "es", file->clipCount, cliPlural(file->clipCount), file->threshold, getUnit(file),
			  file->isToPhase   ? ", up to another phase"
			  : file->isFromGap ? ", from the gap"
								: "");
	if (file->isToPhase)
		cliAnswer(find->run, "then come those that lie between these: another phase of what is repeated");
	else if (file->isFromGap && file->count > 1)
		cliAnswer(find->run, "hardly anything is new from %.3f to %.3f%s", file->gapLow, file->gapHigh, getUnit(file));
}

static bool tell(const Find* find, const char* output)
{
	const cliMatchFile* file = &find->file;
	cliRun* run = find->run;
	if (file->leftOutCount > 0)
		cliWarn(run, "%d clip%s of another skeleton %s not searched", file->leftOutCount, cliPlural(file->leftOutCount),
				file->leftOutCount == 1 ? "is" : "are");
	if (file->isFromGap && !file->isToPhase && file->count > 1 && file->gapHigh < CLEAR_GAP * file->gapLow)
		cliWarn(run, "no gap stands out in the distances: give a --threshold, and look at what is found");
	if (file->count == 1)
		cliWarn(run, "nothing else matches it within %.3g%s; a greater --threshold looks farther%s", file->threshold,
				getUnit(file), find->def.mirror ? "" : ", --mirror at mirror images too");
	if (output != NULL && !cliWriteMatches(run, output, file))
		return false;
	rpError error = {0};
	const char* picture = cliGet(run, "picture");
	if (picture != NULL && !rpDrawMatches((const rpMotion* const*)find->clips.motions, find->matches, picture, &error))
		return cliFailWork(run, &error);
	if (run->json)
		return reportJson(find, output);
	if (cliHas(run, "web"))
		cliPrint(run, "match web: %d pairs of clips, %d of them new, %.2f MB; %.2f s", find->woven.pairCount,
				 find->woven.newPairCount, 1e-6 * (double)find->woven.size, find->wovenSeconds);
	print(find);
	if (output != NULL)
		cliPrint(run, "%s: %d match%s", output, file->count, file->count == 1 ? "" : "es");
	return true;
}

// ---- what is asked for

static bool getOptions(Find* find, const char** output)
{
	cliRun* run = find->run;
	double threshold = 0.0;
	const char* typed = cliGet(run, "threshold");
	bool isAuto = typed == NULL || strcmp(typed, "auto") == 0;
	find->def = rpDefaultMatchDef();
	find->def.mirror = cliHas(run, "mirror");
	find->def.chains = !cliHas(run, "once");
	find->def.progress = cliStepBar;
	*output = cliHas(run, "output") ? cliGetOutput(run, ".json") : NULL;
	if ((cliHas(run, "output") && *output == NULL) ||
		(!isAuto && !cliGetNumberIn(run, "threshold", 1e-4, 10.0, "a number of metres, or auto", &threshold)))
		return false;
	find->def.threshold = (float)threshold;
	const char* picture = cliGet(run, "picture");
	if (picture != NULL && !cliHasEnding(picture, ".png .svg"))
		return cliFailUsage(run, NULL, "--picture writes .png or .svg");
	return picture == NULL || cliCheckOutput(run, picture);
}

static bool checkQuery(const Find* find)
{
	const cliClip* query = &find->query;
	if (query->id == 0)
		return cliFailUsage(find->run, "reprise library add LIB.reprise FILE takes it in",
							"%s is a file: what is searched is the clip's library", query->name);
	if (query->motion->frameCount < 2)
		return cliFailUsage(find->run, "write where it starts and where it ends: @1.5..2.7",
							"%s is a moment; what is looked for lasts", query->text);
	return true;
}

static bool work(Find* find)
{
	cliRun* run = find->run;
	const cliListing* listing = &find->listing;
	const rpClipInfo* info = cliListing_Find(listing, find->query.id);
	cliStartBar(run->quiet || run->json);
	bool done = loadClips(run, find->library, listing, info != NULL ? info->skeletonId : 0, &find->clips) &&
				openWeb(find) && findMatches(find);
	cliEndBar();
	return done;
}

static void freeFind(Find* find)
{
	cliFreeMatches(&find->file);
	rpDestroyMatches(find->matches);
	rpDestroyMatchWeb(find->web);
	freeClips(&find->clips);
	cliFreeMetric(&find->metric);
	if (find->listing.infos != NULL)
		cliFreeListing(&find->listing);
	cliFreeClip(&find->query);
}

// A library that is to keep a web is opened for writing; the clip is then loaded from it.
static bool openToWeave(cliRun* run)
{
	char* path = cliHas(run, "web") ? cliGetLibraryPath(run->arguments[0]) : NULL;
	bool done = path == NULL || cliOpenLibrary(run, path, rp_openWrite) != NULL;
	free(path);
	return done;
}

static bool runSpaceFind(cliRun* run)
{
	Find find = {.run = run};
	const char* output;
	if (!getOptions(&find, &output) || !openToWeave(run) || !cliLoadClip(run, run->arguments[0], &find.query))
		return false;
	find.library = run->library;
	bool done = checkQuery(&find) &&
				cliFindMetric(run, cliGet(run, "metric"), find.query.motion->skeleton, &find.metric) &&
				cliListClips(run, find.library, &find.listing) && work(&find);
	if (done)
	{
		cliNoteInputs(run, find.query.motion);
		fillFile(&find);
		done = tell(&find, output);
	}
	freeFind(&find);
	return done;
}

static const cliOption spaceFindOptions[] = {
	CLI_OUTPUT("Write the matches with their time alignments, .json: drop some by setting their \"keep\" to false."),
	{"threshold", 0, "METRES",
	 "How far a match may be from the one that led to it, on average; auto, if not given: chosen where hardly anything "
	 "new is found in a wide range of distances."},
	{"mirror", 0, NULL, "Search the clips' mirror images too."},
	{"picture", 0, "FILE", "Draw the matches and what led to them, .png or .svg."},
	{"web", 0, NULL,
	 "First compare all clips with each other, as far as that is not known, and keep in the library where they are "
	 "alike: "
	 "later searches need to look there alone."},
	{"once", 0, NULL, "Search from the query alone, not from its matches in turn."},
	CLI_METRIC,
	CLI_FORCE,
	{0},
};

const cliCommand cliSpaceFindCommand = {
	.name = "space find",
	.summary = "Find all stretches of a library that do the same as one",
	.usage = "LIB.reprise#CLIP@START..END [OPTIONS]",
	.about =
		"Searches the clips of the query's skeleton for stretches of half to twice its length that align well with "
		"it, then for those that align with these, until nothing new appears: so examples are found that are far "
		"from the query, through others that lie between. Of matches that overlap the nearest stays.\n\nEach match "
		"tells its clip and stretch, its distance from the match that led to it, and the greatest distance on the "
		"way from the query.",
	.options = {spaceFindOptions},
	.examples = {{"reprise space find moves.reprise#boxing@3.1..4.2 -o punches.json", "Find all punches."},
				 {"reprise space find moves.reprise#walk@2..3.1 --mirror --threshold 0.05", "Strides of either foot."},
				 {"reprise space find moves.reprise#walk@2..3.1 --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runSpaceFind,
};
