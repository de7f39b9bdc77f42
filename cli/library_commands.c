/// The smaller commands of a library: list, show, remove, rename, check.
#include "clip_listing.h"
#include "command_options.h"
#include "description.h"
#include "model_list.h"

#include <stdlib.h>
#include <string.h>

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
	json_object_set_new(item, "seconds", cliMakeReal(cliGetClipSeconds(info)));
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
	cliTable_Add(table, "%.2f", cliGetClipSeconds(info));
	cliTable_Add(table, "%g", info->fps);
	cliTable_Add(table, "%d", info->frameCount);
	cliTable_Add(table, "%lld", (long long)info->skeletonId);
	cliTable_Add(table, "%s", info->labels);
}

static void printList(cliRun* run, const cliListing* listing, const char* label)
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

static bool reportList(cliRun* run, const cliListing* listing, const char* label)
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
	cliListing listing;
	const rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !cliListClips(run, library, &listing))
		return false;
	const char* label = cliGet(run, "label");
	bool done = true;
	if (run->json)
		done = reportList(run, &listing, label);
	else
		printList(run, &listing, label);
	cliFreeListing(&listing);
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

static bool showClip(cliRun* run, const cliListing* listing, rpClipId id)
{
	rpError error = {0};
	const rpClipInfo* info = cliListing_Find(listing, id);
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

static int countSkeletons(const cliListing* listing)
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

static json_t* countLabels(const cliListing* listing)
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

static void printLibrary(const char* path, const cliListing* listing, int skeletons, double seconds, json_t* labels,
						 double megabytes)
{
	cliLine(stdout, "%s", path);
	cliLine(stdout, "  %d clip%s, %.1f s, %d skeleton%s, %.1f MB", listing->count, cliPlural(listing->count), seconds,
			skeletons, cliPlural(skeletons), megabytes);
	const char* label;
	json_t* count;
	json_object_foreach(labels, label, count)
	{
		cliLine(stdout, "  %s: %d clip%s", label, (int)json_integer_value(count),
				cliPlural((int)json_integer_value(count)));
	}
}

static bool showLibrary(cliRun* run, const cliListing* listing)
{
	double seconds = 0.0;
	for (int i = 0; i < listing->count; ++i)
		seconds += cliGetClipSeconds(&listing->infos[i]);
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
	cliListing listing;
	const rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !cliListClips(run, library, &listing))
		return false;
	rpClipId id = run->argumentCount > 1 ? cliFindClip(run, library, run->arguments[1]) : 0;
	bool done = run->argumentCount == 1 ? showLibrary(run, &listing) : id != 0 && showClip(run, &listing, id);
	cliFreeListing(&listing);
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

// ---- remove, rename

static bool findAll(cliRun* run, const rpLibrary* library, rpClipId* ids, int* count)
{
	*count = 0;
	for (int i = 1; i < run->argumentCount; ++i)
	{
		rpClipId id = cliFindClip(run, library, run->arguments[i]);
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

static bool removeAll(cliRun* run, rpLibrary* library, const rpClipId* ids, int count, const cliListing* listing)
{
	json_t* list = json_array();
	bool done = true;
	for (int i = 0; i < count && done; ++i)
	{
		rpError error = {0};
		const char* name = cliListing_Find(listing, ids[i])->name;
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
	cliListing listing;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	if (library == NULL || !cliListClips(run, library, &listing))
		return false;
	rpClipId* ids = cliAllocate((size_t)run->argumentCount * sizeof(rpClipId));
	int count = 0;
	bool done = findAll(run, library, ids, &count) && removeAll(run, library, ids, count, &listing);
	free(ids);
	cliFreeListing(&listing);
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
	rpClipId id = library != NULL ? cliFindClip(run, library, old) : 0;
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
		cliLine(stderr, "reprise: %s is damaged: %d finding%s", path, count, cliPlural(count));
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
