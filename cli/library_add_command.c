#include "clip.h"
#include "clip_search.h"
#include "command_options.h"
#include "progress_bar.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/// What happened so far.
typedef struct Import
{
	cliRun* run;
	json_t* clips;
	int addedCount, knownCount, failedCount;
	/// Many files: findings of each kind are reported once.
	bool isMany;
	json_t* findingCounts;
	json_t* firstFindings;
	/// What takes decided together.
	json_t* sessions;
} Import;

// ---- what is reported

static void noteFindings(Import* import, const char* name, const rpFindings* findings)
{
	if (!import->isMany)
	{
		cliPrintFindings(import->run, name, findings);
		return;
	}
	for (int i = 0; i < findings->count; ++i)
	{
		const rpFinding* finding = &findings->items[i];
		json_int_t count = json_integer_value(json_object_get(import->findingCounts, finding->code));
		json_object_set_new(import->findingCounts, finding->code, json_integer(count + 1));
		if (count > 0)
			continue;
		char* first = cliFormat("%s: %s: %s", name, finding->message, finding->action);
		json_object_set_new(import->firstFindings, finding->code, cliMakeText(first));
		free(first);
	}
}

static void reportFindingCounts(Import* import)
{
	const char* code;
	json_t* count;
	json_object_foreach(import->findingCounts, code, count)
	{
		const char* first = json_string_value(json_object_get(import->firstFindings, code));
		if (json_integer_value(count) == 1)
			cliWarn(import->run, "%s: once, in %s", code, first);
		else
			cliWarn(import->run, "%s: %d times, first in %s", code, (int)json_integer_value(count), first);
	}
}

static void noteClip(Import* import, const char* text, rpClipId id, bool isNew, const rpFindings* findings)
{
	json_t* item =
		json_pack("{s:o,s:I,s:b}", "file", cliMakeText(cliHideFolders(text)), "id", (json_int_t)id, "new", (int)isNew);
	json_object_set_new(item, "findings", cliMakeFindings(findings));
	json_array_append_new(import->clips, item);
	import->addedCount += isNew ? 1 : 0;
	import->knownCount += isNew ? 0 : 1;
	cliClearBar();
	const char* label = cliGet(import->run, "label");
	bool isLabelled = !isNew && (label != NULL || cliHas(import->run, "label-folders"));
	cliPrint(import->run, isNew ? "added %s as clip %lld" : "%s is clip %lld already%s", text, (long long)id,
			 isLabelled ? "; it has the labels now" : "");
	// Reported means it is in the library for good: let it be seen at once.
	fflush(stdout);
	noteFindings(import, cliHideFolders(text), findings);
}

static void noteFailure(Import* import, const char* text)
{
	json_array_append_new(import->clips, json_pack("{s:o,s:O}", "file", cliMakeText(cliHideFolders(text)), "error",
												   import->run->lastError));
	++import->failedCount;
}

static bool finishFile(const char* path, rpClipId id, bool isNew, const rpFindings* findings, const rpError* error,
					   void* context)
{
	Import* import = context;
	if (error != NULL)
	{
		rpError named = *error;
		if (named.file[0] == 0)
			snprintf(named.file, sizeof named.file, "%s", path);
		cliFailInput(import->run, &named);
		noteFailure(import, path);
	}
	else
		noteClip(import, path, id, isNew, findings);
	return cliGetInterruption() == 0;
}

// What the takes of a body decided together, and which clips that were there are others now.
static void noteSession(const rpSession* session, void* context)
{
	Import* import = context;
	json_t* changed = json_array();
	for (int i = 0; i < session->changedCount; ++i)
		json_array_append_new(changed, cliMakeText(session->changed[i]));
	json_array_append_new(import->sessions, json_pack("{s:I,s:i,s:o,s:o}", "skeleton", (json_int_t)session->skeletonId,
													  "takes", session->takeCount, "findings",
													  cliMakeFindings(session->findings), "changed", changed));
	cliClearBar();
	char* name = cliFormat("%d take%s of one body", session->takeCount, cliPlural(session->takeCount));
	cliPrintFindings(import->run, name, session->findings);
	free(name);
	if (session->changedCount > 0)
	{
		char* names = cliCopyText(session->changed[0]);
		for (int i = 1; i < session->changedCount; ++i)
		{
			char* longer = cliFormat("%s, %s", names, session->changed[i]);
			free(names);
			names = longer;
		}
		cliPrint(import->run, "changed with their session: %s", names);
		free(names);
	}
}

// ---- adding

static bool addClip(Import* import, rpLibrary* library, const char* text, const cliClip* clip, const rpAddDef* def)
{
	bool isNew = false;
	rpError error = {0};
	rpClipId id = rpLibrary_AddClip(library, clip->motion, def, &isNew, &error);
	if (id == 0)
		return cliFailWork(import->run, &error);
	noteClip(import, text, id, isNew, &clip->findings);
	return true;
}

static bool addReference(Import* import, rpLibrary* library, const char* text, const rpAddDef* def)
{
	cliClip clip;
	if (!cliLoadClip(import->run, text, &clip))
	{
		noteFailure(import, text);
		return cliGetInterruption() == 0;
	}
	bool done = addClip(import, library, text, &clip, def);
	cliFreeClip(&clip);
	return done;
}

static bool isFile(const char* text)
{
	struct stat status;
	return stat(text, &status) == 0 && !cliHasEnding(text, ".reprise");
}

// Files that stand together are added together, several being read at once.
static bool addAll(Import* import, rpLibrary* library, const cliSearch* search, int from, const rpAddDef* def)
{
	for (int i = from; i < search->count;)
	{
		int end = i;
		while (end < search->count && isFile(search->texts[end]))
			++end;
		rpError error = {0};
		const char* const* paths = (const char* const*)search->texts + i;
		if (end > i && rpLibrary_AddFiles(library, paths, end - i, def, &error) < 0)
			return cliFailWork(import->run, &error);
		if (end == i && !addReference(import, library, search->texts[i], def))
			return false;
		i = end > i ? end : i + 1;
	}
	return cliGetInterruption() == 0 || cliFail(import->run, cli_exitInterrupted, &(rpError){0});
}

static void freeAddDef(rpAddDef* def)
{
	free((void*)def->labels);
	def->labels = NULL;
}

static rpAddDef makeAddDef(cliRun* run, Import* import, const cliReading* reading)
{
	rpAddDef def = rpDefaultAddDef();
	const char** labels = cliAllocate((size_t)(run->givenCount + 1) * sizeof(char*));
	const char* label;
	for (int i = 0; (label = cliGetNth(run, "label", i)) != NULL; ++i)
		labels[def.labelCount++] = label;
	def.labels = labels;
	def.labelByFolder = cliHas(run, "label-folders");
	def.name = cliGet(run, "name");
	def.read = &reading->def;
	def.progress = cliStepBar;
	def.fileDone = finishFile;
	def.fileContext = import;
	def.sessionDone = noteSession;
	return def;
}

// A whole library: all its clips.
static bool addLibrary(cliRun* run, cliSearch* found, const char* path)
{
	char** clips = cliExpandClips(run, &path, 1);
	for (int i = 0; clips != NULL && clips[i] != NULL; ++i)
		cliSearch_Append(found, clips[i]);
	bool done = clips != NULL;
	cliFreeTexts(clips);
	return done;
}

static bool search(cliRun* run, cliSearch* found)
{
	for (int i = 1; i < run->argumentCount; ++i)
	{
		const char* text = run->arguments[i];
		bool isLibrary = cliHasEnding(text, ".reprise") && !cliIsFolder(text);
		if (isLibrary ? !addLibrary(run, found, text) : !cliSearch_Add(run, found, text))
			return false;
	}
	if (found->count > 1 && cliHas(run, "name"))
		return cliFailUsage(run, "leave it out: each clip is named after its file",
							"--name is for one clip, not for %d", found->count);
	return true;
}

static bool exists(const char* path)
{
	struct stat status;
	return stat(path, &status) == 0;
}

static bool checkTarget(cliRun* run, const char* path)
{
	if (exists(path))
		return true;
	if (!cliHasEnding(path, ".reprise"))
		return cliFailUsage(run, "usage: reprise library add LIB.reprise FILE...",
							"the name of a new library ends in .reprise, not as \"%s\" does", path);
	return cliCheckOutput(run, path);
}

static rpLibrary* openTarget(cliRun* run, const char* path)
{
	rpError error = {0};
	bool isThere = exists(path);
	rpLibrary* library = rpOpenLibrary(path, rp_openCreate, &error);
	if (library == NULL)
		isThere ? cliFailInput(run, &error) : cliFailWork(run, &error);
	return library;
}

// Open the library and add everything. A new one is made only once there is a clip to put into it, so that a
// mistyped name leaves nothing behind.
static bool openAndAdd(Import* import, const cliSearch* found, const rpAddDef* def)
{
	const char* path = import->run->arguments[0];
	cliClip first = {0};
	int next = 0;
	while (!exists(path) && next < found->count && first.motion == NULL)
	{
		if (!cliLoadClip(import->run, found->texts[next], &first))
			noteFailure(import, found->texts[next]);
		if (cliGetInterruption() != 0)
			break;
		next += first.motion == NULL;
	}
	bool isFutile = first.motion == NULL && next == found->count && next > 0;
	cliFreeClip(&first);
	if (isFutile || cliGetInterruption() != 0)
		return isFutile || cliFail(import->run, cli_exitInterrupted, &(rpError){0});
	rpLibrary* library = openTarget(import->run, path);
	bool done = library != NULL && addAll(import, library, found, next, def);
	rpCloseLibrary(library);
	return done;
}

static bool report(Import* import)
{
	cliRun* run = import->run;
	reportFindingCounts(import);
	cliPrint(run, "%s: %d added, %d there already, %d failed", run->arguments[0], import->addedCount,
			 import->knownCount, import->failedCount);
	if (!run->json)
		return run->exit == 0;
	json_t* result = json_pack("{s:o,s:i,s:i,s:i,s:O}", "library", cliMakeText(cliGetBaseName(run->arguments[0])),
							   "added", import->addedCount, "existing", import->knownCount, "failed",
							   import->failedCount, "clips", import->clips);
	json_object_set(result, "sessions", import->sessions);
	return cliReport(run, result) && run->exit == 0;
}

static bool addToLibrary(cliRun* run, Import* import, const cliSearch* found)
{
	cliReading reading;
	if (!checkTarget(run, run->arguments[0]) || !cliGetReading(run, &reading))
		return false;
	rpAddDef def = makeAddDef(run, import, &reading);
	import->isMany = found->count > 1;
	cliStartBar(run->quiet || run->json);
	bool done = openAndAdd(import, found, &def);
	cliEndBar();
	freeAddDef(&def);
	cliFreeReading(&reading);
	return done;
}

static bool runLibraryAdd(cliRun* run)
{
	Import import = {.run = run,
					 .clips = json_array(),
					 .findingCounts = json_object(),
					 .firstFindings = json_object(),
					 .sessions = json_array()};
	cliSearch found = {0};
	bool done = search(run, &found) && addToLibrary(run, &import, &found);
	done = done && report(&import);
	json_decref(import.clips);
	json_decref(import.findingCounts);
	json_decref(import.firstFindings);
	json_decref(import.sessions);
	cliFreeSearch(&found);
	return done;
}

static const cliOption addOptions[] = {
	{"label", 0, "LABEL",
	 "Put this label on every clip that is named, also where it is there already. May be given several times."},
	{"label-folders", 0, NULL, "Put the name of the folder that a file is in on its clip as a label."},
	{"name", 0, "NAME", "Name of the clip, when only one is added."},
	{0},
};

const cliCommand cliLibraryAddCommand = {
	.name = "library add",
	.summary = "Add clips to a library, which is made if need be",
	.usage = "LIB.reprise FILE|FOLDER|CLIP... [OPTIONS]",
	.about = "Takes files, folders (searched for *.bvh and *.amc, with all folders inside), patterns in quotes, and "
			 "clips or stretches of other libraries. Adding the same content twice "
			 "adds only labels that are new. Takes of one body "
			 "that come from files decide together, with those that are there, about the tilt of their floor and "
			 "about a frame rate that only some of them give away; clips that change by it are named. A file that "
			 "cannot be read is reported and does not stop the others; the exit code is then 3.",
	.options = {addOptions, cliReadingOptions},
	.examples = {{"reprise library add moves.reprise takes/ --label walk", "A whole folder, labelled."},
				 {"reprise library add moves.reprise takes/ --label-folders", "takes/walk/a.bvh is labelled walk."},
				 {"reprise library add moves.reprise 'long.bvh@12..15' --name kick", "A stretch of a long take."}},
	.minimum = 2,
	.maximum = -1,
	.run = runLibraryAdd,
};
