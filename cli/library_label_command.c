/// Labels on clips and stretches of them: on one, on all that a pattern matches, or on many from a table.
#include "clip.h"
#include "clip_listing.h"
#include "command_options.h"
#include "description.h"
#include "row_file.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

/// A clip and what is put on it or taken away: LABEL or LABEL@A..B.
typedef struct Labelling
{
	const rpClipInfo* clip;
	char* text;
} Labelling;

typedef struct Work
{
	cliRun* run;
	rpLibrary* library;
	cliListing listing;
	Labelling* items;
	int count, capacity;
} Work;

// ---- which label goes onto which clip

static void append(Work* work, const rpClipInfo* clip, const char* text)
{
	if (work->count == work->capacity)
	{
		work->capacity = work->capacity * 2 + 16;
		work->items = cliReallocate(work->items, (size_t)work->capacity * sizeof(Labelling));
	}
	work->items[work->count++] = (Labelling){clip, cliCopyText(text)};
}

// A clip that has the whole name wins over what a pattern means. Returns how many clips it stands for.
static int appendFor(Work* work, const char* name, const char* text)
{
	rpError error = {0};
	rpClipId id = rpLibrary_FindClip(work->library, name, &error);
	if (id != 0)
	{
		append(work, cliListing_Find(&work->listing, id), text);
		return 1;
	}
	int before = work->count;
	for (int i = 0; i < work->listing.count && strpbrk(name, "*?[") != NULL; ++i)
	{
		if (fnmatch(name, work->listing.infos[i].name, 0) == 0)
			append(work, &work->listing.infos[i], text);
	}
	return work->count - before;
}

static bool failMissing(Work* work, const char* name)
{
	if (strpbrk(name, "*?[") == NULL)
		return cliFindClip(work->run, work->library, name) != 0;
	rpError error = {.code = rp_errorMissing, .hint = "reprise library list shows their names"};
	snprintf(error.file, sizeof error.file, "%s", work->run->arguments[0]);
	snprintf(error.message, sizeof error.message, "no clip's name is like \"%.150s\"", name);
	return cliFailInput(work->run, &error);
}

static bool takeArguments(Work* work)
{
	const cliRun* run = work->run;
	if (run->argumentCount < 3)
		return cliFailUsage(work->run, "for example reprise library label moves.reprise 'walk*' walk, or --csv FILE",
							"which label goes onto which clip?");
	for (int i = 2; i < run->argumentCount; ++i)
	{
		if (appendFor(work, run->arguments[1], run->arguments[i]) == 0)
			return failMissing(work, run->arguments[1]);
	}
	return true;
}

// clip,label or clip,label,start,end; an end that is left out is the clip's.
static bool takeRow(const cliRowFile* rows, const cliRow* row)
{
	Work* work = rows->context;
	if (row->isNames && row->count > 1 && strcmp(row->cells[0], "clip") == 0)
		return true;
	if (row->count < 2 || row->count > 4)
		return cliFailInRow(rows, 1, "expected two to four cells, there %s %d", row->count == 1 ? "is" : "are",
							row->count);
	const char* start = row->count > 2 ? row->cells[2] : "";
	const char* end = row->count > 3 ? row->cells[3] : "";
	double number = 0.0;
	for (int i = 2; i < row->count; ++i)
	{
		if (row->cells[i][0] != 0 && (!cliParseNumber(row->cells[i], &number) || number < 0.0))
			return cliFailInRow(rows, row->columns[i], "\"%.40s\" is no time in seconds", row->cells[i]);
	}
	bool isWhole = start[0] == 0 && end[0] == 0;
	char* text =
		isWhole ? cliCopyText(row->cells[1]) : cliFormat("%s@%s..%s", row->cells[1], start[0] != 0 ? start : "0", end);
	int count = appendFor(work, row->cells[0], text);
	free(text);
	return count > 0 || cliFailInRow(rows, row->columns[0], "no clip is called \"%.150s\"", row->cells[0]);
}

static bool takeTable(Work* work, const char* path)
{
	cliRowFile rows = {.run = work->run,
					   .path = path,
					   .hint = "a line is CLIP,LABEL or CLIP,LABEL,START,END, in seconds; CLIP may be a pattern",
					   .takeRow = takeRow,
					   .context = work};
	if (work->run->argumentCount > 1)
		return cliFailUsage(work->run, NULL, "labels come from --csv or from the command line, not from both");
	if (!cliReadRows(&rows))
		return false;
	return work->count > 0 || cliFailInRow(&rows, 1, "there is no label in it");
}

// ---- one label

/// A label and where it goes, seconds; an end below 0 is the clip's.
typedef struct Stretch
{
	char* name;
	double start, end;
} Stretch;

static bool parseLabel(cliRun* run, const Labelling* item, Stretch* out)
{
	const char *text = item->text, *at = strrchr(text, '@');
	double fps = item->clip->fps;
	cliStretch stretch = {0};
	*out = (Stretch){.end = -1.0};
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
static bool checkLabel(cliRun* run, const Labelling* item)
{
	Stretch label;
	const rpClipInfo* info = item->clip;
	if (!parseLabel(run, item, &label) || label.name == NULL)
		return false;
	double seconds = cliGetClipSeconds(info);
	bool isMissing = cliHas(run, "remove") && !cliHoldsLabel(info->labels, label.name);
	bool isOutside = label.start > seconds || (label.end >= 0.0 && label.end < label.start);
	rpError error = {.code = rp_errorMissing};
	snprintf(error.message, sizeof error.message, "the clip \"%.150s\" has no label \"%.150s\"", info->name,
			 label.name);
	snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
	free(label.name);
	if (isOutside)
		return cliFailUsage(run, NULL, "\"%s\" is no stretch of the clip \"%s\", which lasts %.3f s", item->text,
							info->name, seconds);
	// A frame's worth of rounding is no news.
	if (label.end > seconds + 0.5 / info->fps)
		cliWarn(run, "%s: the clip \"%s\" lasts %.3f s, so the label ends there", item->text, info->name, seconds);
	return !isMissing || cliFailInput(run, &error);
}

static bool changeLabel(Work* work, const Labelling* item)
{
	Stretch label;
	rpError error = {0};
	if (!parseLabel(work->run, item, &label))
		return false;
	bool isRemoval = cliHas(work->run, "remove");
	rpClipId id = item->clip->id;
	bool done = isRemoval ? rpLibrary_RemoveLabel(work->library, id, label.name, label.start, label.end, &error)
						  : rpLibrary_AddLabel(work->library, id, label.name, label.start, label.end, &error);
	if (done)
		cliPrint(work->run, isRemoval ? "%s is no longer labelled %s" : "%s is labelled %s", item->clip->name,
				 item->text);
	free(label.name);
	return done || cliFailWork(work->run, &error);
}

// ---- what is reported

static bool addReport(Work* work, const rpClipInfo* info, json_t* list)
{
	rpError error = {0};
	cliClip clip = {.id = info->id, .name = cliCopyText(cliGetBaseName(work->run->arguments[0]))};
	clip.motion = rpLibrary_LoadClip(work->library, info->id, &error);
	bool done = clip.motion != NULL || cliFailInput(work->run, &error);
	if (done)
	{
		json_t* all = cliMakeDescription(&clip, false);
		json_array_append_new(list, json_pack("{s:I,s:O,s:O}", "id", (json_int_t)info->id, "name",
											  json_object_get(all, "name"), "labels", json_object_get(all, "labels")));
		json_decref(all);
	}
	cliFreeClip(&clip);
	return done;
}

static bool report(Work* work)
{
	json_t* list = json_array();
	bool done = true;
	for (int i = 0; i < work->count && done; ++i)
	{
		int first = 0;
		while (work->items[first].clip != work->items[i].clip)
			++first;
		done = first < i || addReport(work, work->items[i].clip, list);
	}
	if (done)
		return cliReport(work->run, json_pack("{s:o}", "clips", list));
	json_decref(list);
	return false;
}

static bool runLibraryLabel(cliRun* run)
{
	const char* table = cliGet(run, "csv");
	Work work = {.run = run, .library = cliOpenLibrary(run, run->arguments[0], rp_openWrite)};
	bool done = work.library != NULL && cliListClips(run, work.library, &work.listing) &&
				(table != NULL ? takeTable(&work, table) : takeArguments(&work));
	for (int i = 0; i < work.count && done; ++i)
		done = checkLabel(run, &work.items[i]);
	for (int i = 0; i < work.count && done; ++i)
		done = changeLabel(&work, &work.items[i]);
	done = done && (!run->json || report(&work));
	for (int i = 0; i < work.count; ++i)
		free(work.items[i].text);
	free(work.items);
	cliFreeListing(&work.listing);
	return done;
}

static const cliOption labelOptions[] = {
	{"csv", 0, "FILE", "Take clips and labels from a table: lines \"clip,label\" or \"clip,label,start,end\"."},
	{"remove", 0, NULL, "Take the labels away instead."},
	{0},
};

const cliCommand cliLibraryLabelCommand = {
	.name = "library label",
	.summary = "Put labels on clips or stretches of them, or take them away",
	.usage = "LIB.reprise [CLIP|PATTERN LABEL[@A..B]...] [OPTIONS]",
	.about = "A label says what the performer does. Without a stretch it is put on the whole clip; a pattern (*, ?, "
			 "[...]) stands for all clips whose names are like it. With --csv the labels of many clips come from a "
			 "table. With --remove they are taken away; a stretch of one leaves the rest. Everything is checked before "
			 "the first label changes.",
	.options = {labelOptions},
	.examples = {{"reprise library label moves.reprise '16_*' walk", "Label all clips of that name as walk."},
				 {"reprise library label moves.reprise long walk@0..4.2 jump@4.2..6", "Two stretches of a long take."},
				 {"reprise library label moves.reprise --csv labels.csv", "Many at once."}},
	.minimum = 1,
	.maximum = -1,
	.run = runLibraryLabel,
};
