/// The smaller commands of a library: list, show, label, remove, rename, check.
#include "command_options.h"
#include "description.h"
#include "model_list.h"

#include <stdlib.h>
#include <string.h>

/// All clips of a library.
typedef struct Listing
{
	rpClipInfo* infos;
	int count;
} Listing;

static bool listClips(cliRun* run, const rpLibrary* library, Listing* out)
{
	rpError error = {0};
	out->count = rpLibrary_ListClips(library, &out->infos, &error);
	return out->count >= 0 || cliFailInput(run, &error);
}

static const rpClipInfo* findInfo(const Listing* listing, rpClipId id)
{
	for (int i = 0; i < listing->count; ++i)
	{
		if (listing->infos[i].id == id)
			return &listing->infos[i];
	}
	return NULL;
}

static rpClipId findClip(cliRun* run, const rpLibrary* library, const char* name)
{
	rpError error = {0};
	rpClipId id = rpLibrary_FindClip(library, name, &error);
	if (id == 0)
		cliFailInput(run, &error);
	return id;
}

static double getSeconds(const rpClipInfo* info)
{
	return (info->frameCount - 1) / info->fps;
}

static json_t* splitLabels(const char* labels)
{
	json_t* list = json_array();
	while (*labels != 0)
	{
		size_t length = strcspn(labels, ",");
		char* label = cliFormat("%.*s", (int)length, labels);
		json_array_append_new(list, cliMakeText(label));
		free(label);
		labels += length + (labels[length] == ',' ? 1 : 0);
	}
	return list;
}

// ---- list

static json_t* makeInfo(const rpClipInfo* info)
{
	json_t* item = json_object();
	json_object_set_new(item, "id", json_integer(info->id));
	json_object_set_new(item, "name", cliMakeText(info->name));
	json_object_set_new(item, "seconds", cliMakeReal(getSeconds(info)));
	json_object_set_new(item, "fps", cliMakeReal(info->fps));
	json_object_set_new(item, "frames", json_integer(info->frameCount));
	json_object_set_new(item, "joints", json_integer(info->jointCount));
	json_object_set_new(item, "skeleton", json_integer(info->skeletonId));
	json_object_set_new(item, "labels", splitLabels(info->labels));
	json_object_set_new(item, "source", cliMakeText(info->source));
	json_object_set_new(item, "hash", cliMakeText(info->hash));
	return item;
}

static void addHeadings(cliTable* table)
{
	static const char* const headings[] = {"#", "name", "seconds", "fps", "frames", "skeleton", "labels"};
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); ++i)
		cliTable_Add(table, "%s", headings[i]);
}

static void addInfoRow(cliTable* table, const rpClipInfo* info)
{
	cliTable_Add(table, "%lld", (long long)info->id);
	cliTable_Add(table, "%s", info->name);
	cliTable_Add(table, "%.2f", getSeconds(info));
	cliTable_Add(table, "%g", info->fps);
	cliTable_Add(table, "%d", info->frameCount);
	cliTable_Add(table, "%lld", (long long)info->skeletonId);
	cliTable_Add(table, "%s", info->labels);
}

static void printList(cliRun* run, const Listing* listing, const char* label)
{
	cliTable table = {.columnCount = 7, .right = 1 | 4 | 8 | 16 | 32};
	int count = 0;
	addHeadings(&table);
	for (int i = 0; i < listing->count; ++i)
	{
		if (label != NULL && !cliHoldsLabel(listing->infos[i].labels, label))
			continue;
		addInfoRow(&table, &listing->infos[i]);
		++count;
	}
	cliTable_Print(&table, stdout, 0);
	if (count == 0)
		cliWarn(run, label != NULL ? "no clip has this label" : "the library is empty");
}

static bool reportList(cliRun* run, const Listing* listing, const char* label)
{
	json_t* list = json_array();
	for (int i = 0; i < listing->count; ++i)
	{
		if (label == NULL || cliHoldsLabel(listing->infos[i].labels, label))
			json_array_append_new(list, makeInfo(&listing->infos[i]));
	}
	return cliReport(run, json_pack("{s:o}", "clips", list));
}

static bool runLibraryList(cliRun* run)
{
	Listing listing;
	const rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !listClips(run, library, &listing))
		return false;
	const char* label = cliGet(run, "label");
	bool done = true;
	if (run->json)
		done = reportList(run, &listing, label);
	else
		printList(run, &listing, label);
	rpFreeClipInfos(listing.infos, listing.count);
	return done;
}

static const cliOption listOptions[] = {
	{"label", 0, "LABEL", "Only clips with this label."},
	{0},
};

const cliCommand cliLibraryListCommand = {
	.name = "library list",
	.summary = "List the clips of a library",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "One line per clip: its number, name, length, rate, frames, skeleton and labels. Clips with the same "
			 "skeleton number can be blended with each other.",
	.options = {listOptions},
	.examples = {{"reprise library list moves.reprise", "All clips."},
				 {"reprise library list moves.reprise --label walk", "Those labelled walk."},
				 {"reprise library list moves.reprise --json | jq '[.clips[].seconds] | add'", "Seconds in all."}},
	.minimum = 1,
	.maximum = 1,
	.run = runLibraryList,
};

// ---- show

static bool showClip(cliRun* run, const Listing* listing, rpClipId id)
{
	rpError error = {0};
	const rpClipInfo* info = findInfo(listing, id);
	cliClip clip = {.id = id, .name = cliFormat("%s#%s", cliGetBaseName(run->arguments[0]), info->name)};
	clip.motion = rpLibrary_LoadClip(run->library, id, &error);
	bool done = clip.motion != NULL || cliFailInput(run, &error);
	if (done)
		cliNoteInputs(run, clip.motion);
	if (done && run->json)
	{
		json_t* result = cliMakeDescription(&clip, cliHas(run, "joints"));
		json_object_set_new(result, "source", cliMakeText(info->source));
		json_object_set_new(result, "hash", cliMakeText(info->hash));
		json_object_set_new(result, "skeleton_id", json_integer(info->skeletonId));
		done = cliReport(run, result);
	}
	else if (done)
	{
		cliPrintDescription(&clip, cliHas(run, "joints"));
		cliLine(stdout, "  clip %lld, skeleton %lld%s%s", (long long)id, (long long)info->skeletonId,
				info->source[0] != 0 ? ", from " : "", info->source);
	}
	cliFreeClip(&clip);
	return done;
}

static int countSkeletons(const Listing* listing)
{
	int count = 0;
	for (int i = 0; i < listing->count; ++i)
	{
		int first = 0;
		while (listing->infos[first].skeletonId != listing->infos[i].skeletonId)
			++first;
		count += first == i ? 1 : 0;
	}
	return count;
}

static json_t* countLabels(const Listing* listing)
{
	json_t* counts = json_object();
	for (int i = 0; i < listing->count; ++i)
	{
		json_t* labels = splitLabels(listing->infos[i].labels);
		size_t index;
		json_t* label;
		json_array_foreach(labels, index, label)
		{
			const char* name = json_string_value(label);
			json_int_t count = json_integer_value(json_object_get(counts, name));
			json_object_set_new(counts, name, json_integer(count + 1));
		}
		json_decref(labels);
	}
	return counts;
}

static void printLibrary(const char* path, const Listing* listing, int skeletons, double seconds, json_t* labels,
						 double megabytes)
{
	cliLine(stdout, "%s", path);
	cliLine(stdout, "  %d clip%s, %.1f s, %d skeleton%s, %.1f MB", listing->count, listing->count == 1 ? "" : "s",
			seconds, skeletons, skeletons == 1 ? "" : "s", megabytes);
	const char* label;
	json_t* count;
	json_object_foreach(labels, label, count)
	{
		cliLine(stdout, "  %s: %d clip%s", label, (int)json_integer_value(count),
				json_integer_value(count) == 1 ? "" : "s");
	}
}

static bool showLibrary(cliRun* run, const Listing* listing)
{
	double seconds = 0.0;
	for (int i = 0; i < listing->count; ++i)
		seconds += getSeconds(&listing->infos[i]);
	json_t* models = cliMakeModels(run, run->library);
	if (models == NULL)
		return false;
	json_int_t bytes = cliGetFileSize(run->arguments[0]);
	int skeletons = countSkeletons(listing);
	json_t* labels = countLabels(listing);
	bool done = true;
	if (run->json)
		done = cliReport(run, json_pack("{s:o,s:i,s:o,s:i,s:O,s:O,s:I}", "file",
										cliMakeText(cliGetBaseName(run->arguments[0])), "clips", listing->count,
										"seconds", cliMakeReal(seconds), "skeletons", skeletons, "labels", labels,
										"models", models, "bytes", bytes));
	else
	{
		printLibrary(run->arguments[0], listing, skeletons, seconds, labels, 1e-6 * (double)bytes);
		cliPrintModels(models);
	}
	json_decref(models);
	json_decref(labels);
	return done;
}

static bool runLibraryShow(cliRun* run)
{
	Listing listing;
	const rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !listClips(run, library, &listing))
		return false;
	rpClipId id = run->argumentCount > 1 ? findClip(run, library, run->arguments[1]) : 0;
	bool done = run->argumentCount == 1 ? showLibrary(run, &listing) : id != 0 && showClip(run, &listing, id);
	rpFreeClipInfos(listing.infos, listing.count);
	return done;
}

static const cliOption infoOptions[] = {
	{"joints", 0, NULL, "Show the skeleton as a tree as well."},
	{0},
};

const cliCommand cliLibraryShowCommand = {
	.name = "library show",
	.summary = "Show a library, or one clip of it",
	.usage = "LIB.reprise [CLIP] [OPTIONS]",
	.about =
		"Without a clip: how many clips, skeletons, seconds and labels the library holds, and which models (graph, "
		"locomotion, metric). With one: the same as "
		"info, and where the clip came from.",
	.options = {infoOptions},
	.examples = {{"reprise library show moves.reprise", "What the library holds in all."},
				 {"reprise library show moves.reprise walk", "One clip, by name."},
				 {"reprise library show moves.reprise 3 --json", "One clip, by number, for a program."}},
	.minimum = 1,
	.maximum = 2,
	.run = runLibraryShow,
};

// ---- label

/// A label and where it goes.
typedef struct Labelling
{
	char* name;
	double start, end;
} Labelling;

// LABEL or LABEL@A..B.
static bool parseLabel(cliRun* run, const char* text, double fps, Labelling* out)
{
	const char* at = strrchr(text, '@');
	cliStretch stretch = {0};
	*out = (Labelling){.end = -1.0};
	if (at != NULL && (!cliParseStretch(at + 1, &stretch) || stretch.isMoment))
		return cliFailUsage(run, "for example walk@1.5..3, walk@2.. or walk@30f..90f",
							"\"%s\": after @ goes the stretch that the label is put on", text);
	if (stretch.start.isGiven)
		out->start = stretch.start.value / (stretch.start.isFrame ? fps : 1.0);
	if (stretch.end.isGiven)
		out->end = stretch.end.value / (stretch.end.isFrame ? fps : 1.0);
	if (at == text || text[0] == 0)
		return cliFailUsage(run, NULL, "\"%s\" holds no label", text);
	out->name = cliFormat("%.*s", at != NULL ? (int)(at - text) : (int)strlen(text), text);
	return true;
}

// Everything that can be wrong is found before the first label changes.
static bool checkLabel(cliRun* run, const rpClipInfo* info, const char* text)
{
	Labelling label;
	if (!parseLabel(run, text, info->fps, &label) || label.name == NULL)
		return false;
	double seconds = getSeconds(info);
	bool isMissing = cliHas(run, "remove") && !cliHoldsLabel(info->labels, label.name);
	bool isOutside = label.start > seconds || (label.end >= 0.0 && label.end < label.start);
	rpError error = {.code = rp_errorMissing};
	snprintf(error.message, sizeof error.message, "the clip \"%.150s\" has no label \"%.150s\"", info->name,
			 label.name);
	snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
	free(label.name);
	if (isOutside)
		return cliFailUsage(run, NULL, "\"%s\" is no stretch of the clip \"%s\", which lasts %.3f s", text, info->name,
							seconds);
	// A frame's worth of rounding is no news.
	if (label.end > seconds + 0.5 / info->fps)
		cliWarn(run, "%s: the clip \"%s\" lasts %.3f s, so the label ends there", text, info->name, seconds);
	return !isMissing || cliFailInput(run, &error);
}

static bool changeLabel(cliRun* run, rpLibrary* library, const rpClipInfo* info, const char* text)
{
	Labelling label;
	rpError error = {0};
	if (!parseLabel(run, text, info->fps, &label))
		return false;
	bool isRemoval = cliHas(run, "remove");
	bool done = isRemoval ? rpLibrary_RemoveLabel(library, info->id, label.name, label.start, label.end, &error)
						  : rpLibrary_AddLabel(library, info->id, label.name, label.start, label.end, &error);
	if (done)
		cliPrint(run, isRemoval ? "%s is no longer labelled %s" : "%s is labelled %s", info->name, text);
	free(label.name);
	return done || cliFailWork(run, &error);
}

static bool reportLabels(cliRun* run, rpLibrary* library, rpClipId id)
{
	rpError error = {0};
	cliClip clip = {.id = id, .name = cliCopyText(cliGetBaseName(run->arguments[0]))};
	clip.motion = rpLibrary_LoadClip(library, id, &error);
	bool done = clip.motion != NULL || cliFailInput(run, &error);
	if (done)
	{
		json_t* all = cliMakeDescription(&clip, false);
		json_t* result = json_pack("{s:I,s:O,s:O}", "id", (json_int_t)id, "name", json_object_get(all, "name"),
								   "labels", json_object_get(all, "labels"));
		json_decref(all);
		done = cliReport(run, result);
	}
	cliFreeClip(&clip);
	return done;
}

static bool runLibraryLabel(cliRun* run)
{
	Listing listing;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	rpClipId id = library != NULL ? findClip(run, library, run->arguments[1]) : 0;
	if (id == 0 || !listClips(run, library, &listing))
		return false;
	const rpClipInfo* info = findInfo(&listing, id);
	bool done = info != NULL;
	for (int i = 2; i < run->argumentCount && done; ++i)
		done = checkLabel(run, info, run->arguments[i]);
	for (int i = 2; i < run->argumentCount && done; ++i)
		done = changeLabel(run, library, info, run->arguments[i]);
	rpFreeClipInfos(listing.infos, listing.count);
	return done && (!run->json || reportLabels(run, library, id));
}

static const cliOption labelOptions[] = {
	{"remove", 0, NULL, "Take the labels away instead."},
	{0},
};

const cliCommand cliLibraryLabelCommand = {
	.name = "library label",
	.summary = "Put labels on a clip or a stretch of it, or take them away",
	.usage = "LIB.reprise CLIP LABEL[@A..B]... [--remove]",
	.about = "A label says what the performer does. Without a stretch it is put on the whole clip. With --remove it is "
			 "taken away; a stretch of it leaves the rest.",
	.options = {labelOptions},
	.examples = {{"reprise library label moves.reprise walk walk", "Label the whole clip \"walk\" as walk."},
				 {"reprise library label moves.reprise long walk@0..4.2 jump@4.2..6", "Two stretches of a long take."},
				 {"reprise library label moves.reprise long walk --remove", "Take the label away."}},
	.minimum = 3,
	.maximum = -1,
	.run = runLibraryLabel,
};

// ---- remove, rename

static bool findAll(cliRun* run, const rpLibrary* library, rpClipId* ids, int* count)
{
	*count = 0;
	for (int i = 1; i < run->argumentCount; ++i)
	{
		rpClipId id = findClip(run, library, run->arguments[i]);
		if (id == 0)
			return false;
		int known = 0;
		while (known < *count && ids[known] != id)
			++known;
		if (known == *count)
			ids[(*count)++] = id;
	}
	return true;
}

static bool removeAll(cliRun* run, rpLibrary* library, const rpClipId* ids, int count, const Listing* listing)
{
	json_t* list = json_array();
	bool done = true;
	for (int i = 0; i < count && done; ++i)
	{
		rpError error = {0};
		const char* name = findInfo(listing, ids[i])->name;
		done = rpLibrary_RemoveClip(library, ids[i], &error) || cliFailWork(run, &error);
		if (!done)
			break;
		json_array_append_new(list, json_pack("{s:I,s:o}", "id", (json_int_t)ids[i], "name", cliMakeText(name)));
		cliPrint(run, "removed %s (clip %lld)", name, (long long)ids[i]);
	}
	if (done && run->json)
		done = cliReport(run, json_pack("{s:O}", "removed", list));
	json_decref(list);
	return done;
}

static bool runLibraryRemove(cliRun* run)
{
	Listing listing;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	if (library == NULL || !listClips(run, library, &listing))
		return false;
	rpClipId* ids = cliAllocate((size_t)run->argumentCount * sizeof(rpClipId));
	int count = 0;
	bool done = findAll(run, library, ids, &count) && removeAll(run, library, ids, count, &listing);
	free(ids);
	rpFreeClipInfos(listing.infos, listing.count);
	return done;
}

const cliCommand cliLibraryRemoveCommand = {
	.name = "library remove",
	.summary = "Remove clips from a library",
	.usage = "LIB.reprise CLIP...",
	.about = "Removes all the clips named, or none if one of them is not there. Numbers of clips are never used again.",
	.examples = {{"reprise library remove moves.reprise walk", "By name."},
				 {"reprise library remove moves.reprise 3 4 7", "By number."},
				 {"reprise library remove moves.reprise walk --json", "What was removed, for a program."}},
	.minimum = 2,
	.maximum = -1,
	.run = runLibraryRemove,
};

static bool runLibraryRename(cliRun* run)
{
	const char *name = run->arguments[2], *old = run->arguments[1];
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	rpClipId id = library != NULL ? findClip(run, library, old) : 0;
	rpError error = {0};
	if (id == 0)
		return false;
	if (!rpLibrary_RenameClip(library, id, name, &error))
		return cliFailWork(run, &error);
	if (run->json)
		return cliReport(run, json_pack("{s:I,s:o}", "id", (json_int_t)id, "name", cliMakeText(name)));
	cliPrint(run, "%s is called %s now", old, name);
	return true;
}

const cliCommand cliLibraryRenameCommand = {
	.name = "library rename",
	.summary = "Give a clip another name",
	.usage = "LIB.reprise CLIP NAME",
	.about = "Names are unique in a library.",
	.examples = {{"reprise library rename moves.reprise 16_15 walk", "16_15 is called walk now."},
				 {"reprise library rename moves.reprise 3 walk-left", "By number."},
				 {"reprise library rename moves.reprise walk 'walk slowly'", "Names may hold spaces."}},
	.minimum = 3,
	.maximum = 3,
	.run = runLibraryRename,
};

// ---- check

// Models from before are no damage.
static void warnOfOldModels(cliRun* run, rpFindings* findings)
{
	int kept = 0;
	for (int i = 0; i < findings->count; ++i)
	{
		const rpFinding* finding = &findings->items[i];
		if (strcmp(finding->code, "old_model") == 0)
			cliWarn(run, "%s; %s", finding->message, finding->action);
		else
			findings->items[kept++] = *finding;
	}
	findings->count = kept;
}

static bool runLibraryCheck(cliRun* run)
{
	rpFindings findings = {0};
	rpError error = {0};
	const char* path = run->arguments[0];
	// What is damaged is not loaded.
	if (!rpCheckLibrary(path, &findings, &error) || (findings.count == 0 && !rpCheckModels(path, &findings, &error)))
	{
		rpFindings_Free(&findings);
		return cliFailInput(run, &error);
	}
	warnOfOldModels(run, &findings);
	int count = findings.count;
	for (int i = 0; i < count && !run->json; ++i)
		cliLine(stdout, "%s: %s: %s", path, findings.items[i].code, findings.items[i].message);
	if (run->json)
		cliReport(run, json_pack("{s:b,s:o}", "sound", count == 0, "findings", cliMakeFindings(&findings)));
	else if (count == 0)
		cliPrint(run, "%s is sound", path);
	else
		cliLine(stderr, "reprise: %s is damaged: %d finding%s", path, count, count == 1 ? "" : "s");
	run->exit = count > 0 ? cli_exitInput : 0;
	rpFindings_Free(&findings);
	return count == 0;
}

const cliCommand cliLibraryCheckCommand = {
	.name = "library check",
	.summary = "Look for damage in a library",
	.usage = "LIB.reprise",
	.about =
		"Reads everything in the library and names whatever is not as it was written, and models that cannot be loaded "
		"with the clips that are there. Nothing is changed. The exit code is 0 when all is well, 3 when there is "
		"damage.",
	.examples = {{"reprise library check moves.reprise", "Is it sound?"},
				 {"reprise library check moves.reprise --json", "The same for a program."},
				 {"reprise library check moves.reprise --quiet && cp moves.reprise backup/", "Back up what is sound."}},
	.minimum = 1,
	.maximum = 1,
	.run = runLibraryCheck,
};

const cliCommand cliLibraryCommand = {
	.name = "library",
	.summary = "Keep many clips in one file",
	.usage = "add|list|show|label|remove|rename|export|check LIB.reprise ...",
	.about = "A motion library is one file that keeps skeletons, clips and their annotations. Every change is made "
			 "whole or not at all, even when the power fails. Clips in it are named LIB.reprise#CLIP.",
	.examples = {{"reprise library add moves.reprise takes/", "Put all clips of a folder into a library."},
				 {"reprise library list moves.reprise", "What is in it?"},
				 {"reprise info 'moves.reprise#walk-1'", "Use one of its clips."}},
	.maximum = -1,
};
