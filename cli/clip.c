#include "clip.h"

#include "progress_bar.h"
#include "suggestion.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// ---- times

static bool parseTime(const char* text, size_t size, cliTime* out)
{
	char buffer[48];
	if (size == 0 || size >= sizeof buffer)
		return false;
	memcpy(buffer, text, size);
	out->isFrame = buffer[size - 1] == 'f';
	buffer[size - (out->isFrame ? 1 : 0)] = 0;
	out->isGiven = cliParseNumber(buffer, &out->value) && out->value >= 0.0;
	return out->isGiven && (!out->isFrame || out->value == floor(out->value));
}

bool cliParseStretch(const char* text, cliStretch* out)
{
	*out = (cliStretch){0};
	const char* dots = strstr(text, "..");
	if (dots == NULL)
	{
		out->isMoment = true;
		return parseTime(text, strlen(text), &out->start);
	}
	const char* end = dots + 2;
	bool hasStart = dots > text, hasEnd = *end != 0;
	return (hasStart || hasEnd) && (!hasStart || parseTime(text, (size_t)(dots - text), &out->start)) &&
		   (!hasEnd || parseTime(end, strlen(end), &out->end));
}

static double getSeconds(const cliTime* time, const rpMotion* motion, double otherwise)
{
	if (!time->isGiven)
		return otherwise;
	return time->isFrame ? time->value / motion->fps : time->value;
}

bool cliCropClip(cliRun* run, cliClip* clip, const cliStretch* stretch, const char* text)
{
	const rpMotion* motion = clip->motion;
	double duration = rpMotion_GetDuration(motion);
	double start = getSeconds(&stretch->start, motion, 0.0);
	double end = stretch->isMoment ? start : getSeconds(&stretch->end, motion, duration);
	double slack = 0.5 / motion->fps;
	if (end < start)
		return cliFailUsage(run, NULL, "%s ends before it starts", text);
	if (start > duration + slack || end > duration + slack)
	{
		char* hint = cliFormat("leave the end open (@%g..) to go on to the last frame", start);
		cliFailUsage(run, start > duration ? NULL : hint,
					 "%s lies outside %s, which lasts %.3f s (%d frames at %g fps)", text, clip->name, duration,
					 motion->frameCount, motion->fps);
		free(hint);
		return false;
	}
	rpError error = {0};
	rpMotion* cropped = rpCropMotion(motion, fmin(start, duration), fmin(end, duration), &error);
	if (cropped == NULL)
		return cliFailWork(run, &error);
	rpDestroyMotion(clip->motion);
	clip->motion = cropped;
	clip->start += fmin(start, duration);
	return true;
}

// ---- names

/// Where the parts of a clip's text are.
typedef struct Split
{
	/// Bytes of the path.
	size_t pathSize;
	/// After '#', or NULL. The '@' and what follows is still part of it.
	const char* clip;
	/// After the last '@' if that is a stretch, or NULL.
	const char* stretch;
} Split;

static bool pathExists(const char* text, size_t size)
{
	char* path = cliFormat("%.*s", (int)size, text);
	struct stat status;
	bool exists = stat(path, &status) == 0;
	free(path);
	return exists;
}

// What exists wins over what the signs mean: a file named "a@1.bvh" is that file.
static bool splitText(const char* text, Split* out)
{
	cliStretch stretch;
	const char* at = strrchr(text, '@');
	*out = (Split){.pathSize = strlen(text)};
	if (pathExists(text, out->pathSize))
		return true;
	out->stretch = at != NULL && cliParseStretch(at + 1, &stretch) ? at + 1 : NULL;
	if (out->stretch != NULL)
		out->pathSize = (size_t)(at - text);
	if (out->stretch != NULL && pathExists(text, out->pathSize))
		return true;
	for (const char* hash = strchr(text, '#'); hash != NULL; hash = strchr(hash + 1, '#'))
	{
		if (!pathExists(text, (size_t)(hash - text)))
			continue;
		out->pathSize = (size_t)(hash - text);
		out->clip = hash + 1;
		return true;
	}
	return false;
}

char* cliGetLibraryPath(const char* text)
{
	Split split;
	bool isOfLibrary = splitText(text, &split) && split.clip != NULL;
	return isOfLibrary ? cliFormat("%.*s", (int)split.pathSize, text) : NULL;
}

const char* cliHideFolders(const char* text)
{
	Split split;
	if (!splitText(text, &split))
		return text;
	const char* start = text;
	for (size_t i = 0; i + 1 < split.pathSize; ++i)
		start = text[i] == '/' ? text + i + 1 : start;
	return start;
}

void cliNotePath(cliRun* run, const char* path)
{
	run->inputPaths = cliReallocate(run->inputPaths, (size_t)(run->inputPathCount + 1) * sizeof(char*));
	run->inputPaths[run->inputPathCount++] = cliCopyText(path);
}

// The file in the same folder whose name is nearest, or NULL; free() it.
static char* suggestFile(const char* path)
{
	const char* name = cliGetBaseName(path);
	char* folder = name > path ? cliFormat("%.*s", (int)(name - path), path) : cliCopyText("./");
	DIR* entries = opendir(folder);
	char* found = NULL;
	int distance = -1;
	for (struct dirent* entry = entries != NULL ? readdir(entries) : NULL; entry != NULL; entry = readdir(entries))
	{
		const char* best = found;
		if (strcmp(entry->d_name, name) == 0)
			continue;
		cliSuggest(name, entry->d_name, &best, &distance);
		if (best != found)
		{
			free(found);
			found = cliCopyText(best);
		}
	}
	if (entries != NULL)
		closedir(entries);
	char* result = found != NULL ? cliFormat("%s%s", name > path ? folder : "", found) : NULL;
	free(found);
	free(folder);
	return result;
}

static bool failMissing(cliRun* run, const char* text, const Split* split)
{
	// A stretch that cannot be read, after a file that is there, is the likelier mistake.
	const char* at = strrchr(text, '@');
	if (at != NULL && split->stretch == NULL && pathExists(text, (size_t)(at - text)))
		return cliFailUsage(run, "write @1.5, @1.5..3, @1.5.. or @..3 (seconds), or @30f..90f (frames)",
							"%s is no moment or stretch of a clip", at);
	const char* hash = strchr(text, '#');
	rpError error = {.code = rp_errorFile, .message = "there is no such file"};
	size_t size = hash != NULL ? (size_t)(hash - text) : split->pathSize;
	char* path = cliFormat("%.*s", (int)size, text);
	char* near = suggestFile(path);
	snprintf(error.file, sizeof error.file, "%s", path);
	struct stat status;
	bool isLink = lstat(path, &status) == 0;
	if (isLink)
		snprintf(error.message, sizeof error.message, "this link leads to no file");
	else if (near != NULL)
		snprintf(error.hint, sizeof error.hint, "did you mean %s?", near);
	else
		snprintf(error.hint, sizeof error.hint, "look for it with ls; reprise perform makes a clip to try with");
	free(near);
	free(path);
	return cliFail(run, cli_exitInput, &error);
}

// ---- loading

bool cliHoldsLabel(const char* labels, const char* label)
{
	size_t size = strlen(label);
	for (const char* at = labels; *at != 0;)
	{
		size_t length = strcspn(at, ",");
		if (length == size && strncmp(at, label, size) == 0)
			return true;
		at += length + (at[length] == ',' ? 1 : 0);
	}
	return false;
}

rpLibrary* cliOpenLibrary(cliRun* run, const char* path, rpOpenMode mode)
{
	if (run->library != NULL && strcmp(run->libraryPath, path) == 0)
		return run->library;
	rpCloseLibrary(run->library);
	free(run->libraryPath);
	rpError error = {0};
	struct stat status;
	bool exists = stat(path, &status) == 0;
	Split split = {.pathSize = strlen(path)};
	run->libraryPath = cliCopyText(path);
	run->library = NULL;
	if (!exists && mode != rp_openCreate)
		failMissing(run, path, &split);
	else if ((run->library = rpOpenLibrary(path, mode, &error)) == NULL)
		exists ? cliFailInput(run, &error) : cliFailWork(run, &error);
	else
		cliNotePath(run, path);
	return run->library;
}

// The clip of a library by its name; where no clip has the whole name, what follows '@' is a stretch.
static rpClipId findClip(cliRun* run, const rpLibrary* library, const Split* split, bool* hasStretch)
{
	rpError error = {0};
	rpClipId id = rpLibrary_FindClip(library, split->clip, &error);
	*hasStretch = false;
	if (id != 0 || split->stretch == NULL || error.code != rp_errorMissing)
	{
		if (id == 0)
			cliFailInput(run, &error);
		return id;
	}
	char* name = cliFormat("%.*s", (int)(split->stretch - 1 - split->clip), split->clip);
	error = (rpError){0};
	id = rpLibrary_FindClip(library, name, &error);
	*hasStretch = id != 0;
	if (id == 0)
		cliFailInput(run, &error);
	free(name);
	return id;
}

// Options about reading files say nothing about clips that were read long ago.
static void warnOfReading(cliRun* run, const char* name)
{
	for (int i = 0; i < run->givenCount; ++i)
	{
		if (cliIsReadingOption(run->command, run->given[i].option))
			cliWarn(run, "%s: --%s has no effect on a clip of a library", name, run->given[i].option->name);
	}
}

static bool loadFromLibrary(cliRun* run, const char* path, Split* split, cliClip* out)
{
	const rpLibrary* library = cliOpenLibrary(run, path, rp_openRead);
	bool hasStretch = false;
	out->id = library != NULL ? findClip(run, library, split, &hasStretch) : 0;
	if (out->id == 0)
		return false;
	rpError error = {0};
	out->motion = rpLibrary_LoadClip(library, out->id, &error);
	if (out->motion == NULL)
		return cliFailInput(run, &error);
	split->stretch = hasStretch ? split->stretch : NULL;
	out->name = cliFormat("%s#%s", cliGetBaseName(path), out->motion->name);
	warnOfReading(run, out->name);
	return true;
}

// convert's --fps is the rate of the result; a file that has none of its own takes it for that too.
static rpMotion* loadWithRate(cliRun* run, const char* path, rpReadDef* def, cliClip* clip, rpError* error)
{
	bool lacksRate = error->code == rp_errorFormat && strstr(error->hint, "--fps") != NULL && def->fps <= 0.0;
	if (!lacksRate || !cliHas(run, "fps") || !cliGetNumber(run, "fps", 1e-3, 1e6, &def->fps))
		return NULL;
	rpFindings_Free(&clip->findings);
	*error = (rpError){0};
	rpMotion* motion = rpLoadMotion(path, def, &clip->findings, error);
	if (motion != NULL)
		cliWarn(run, "%s: the file gives no usable frame time: read at %g fps", clip->name, def->fps);
	return motion;
}

static bool loadFile(cliRun* run, const char* path, cliClip* out)
{
	struct stat status;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return cliFailUsage(run, "name a file in it; library add takes whole folders", "%s is a folder", path);
	if (cliHasEnding(path, ".reprise"))
		return cliFailUsage(run, "reprise library list shows its clips", "which clip of %s? Write %s#CLIP", path, path);
	cliReading reading;
	if (!cliGetReading(run, &reading))
		return false;
	rpError error = {0};
	cliNotePath(run, path);
	if (reading.def.skeletonPath != NULL)
		cliNotePath(run, reading.def.skeletonPath);
	out->name = cliCopyText(cliGetBaseName(path));
	out->motion = rpLoadMotion(path, &reading.def, &out->findings, &error);
	if (out->motion == NULL)
		out->motion = loadWithRate(run, path, &reading.def, out, &error);
	cliFreeReading(&reading);
	return out->motion != NULL || cliFailInput(run, &error);
}

// The whole clip; *stretch becomes what is typed after '@', or NULL.
static bool loadWhole(cliRun* run, const char* text, cliClip* out, const char** stretch)
{
	Split split;
	*out = (cliClip){.text = cliCopyText(text)};
	if (!splitText(text, &split))
		return failMissing(run, text, &split);
	char* path = cliFormat("%.*s", (int)split.pathSize, text);
	bool done = split.clip != NULL ? loadFromLibrary(run, path, &split, out) : loadFile(run, path, out);
	free(path);
	*stretch = split.stretch;
	return done;
}

static bool endLoading(cliRun* run, bool done, cliClip* clip)
{
	if (done && cliGetInterruption() != 0)
		done = cliFail(run, cli_exitInterrupted, &(rpError){0});
	if (done)
		cliNoteInputs(run, clip->motion);
	else
		cliFreeClip(clip);
	return done;
}

bool cliLoadClip(cliRun* run, const char* text, cliClip* out)
{
	const char* typed = NULL;
	bool done = loadWhole(run, text, out, &typed);
	if (done && typed != NULL)
	{
		cliStretch stretch;
		cliParseStretch(typed, &stretch);
		done = cliCropClip(run, out, &stretch, typed - 1);
	}
	return endLoading(run, done, out);
}

static bool findMoment(cliRun* run, const cliClip* clip, const char* typed, double* seconds)
{
	const rpMotion* motion = clip->motion;
	cliStretch stretch = {0};
	*seconds = NAN;
	if (typed == NULL)
		return true;
	if (!cliParseStretch(typed, &stretch) || !stretch.isMoment)
		return cliFailUsage(run, "write the moment after it: @1.5 (seconds) or @90f (a frame)", "%s: at which moment?",
							clip->name);
	*seconds = getSeconds(&stretch.start, motion, 0.0);
	if (*seconds <= rpMotion_GetDuration(motion) + 0.5 / motion->fps)
		return true;
	return cliFailUsage(run, NULL, "@%s lies outside %s, which lasts %.3f s (%d frames at %g fps)", typed, clip->name,
						rpMotion_GetDuration(motion), motion->frameCount, motion->fps);
}

bool cliLoadMoment(cliRun* run, const char* text, cliClip* out, double* seconds)
{
	const char* typed = NULL;
	bool done = loadWhole(run, text, out, &typed) && findMoment(run, out, typed, seconds);
	return endLoading(run, done, out);
}

void cliFindContacts(cliClip* clip)
{
	rpError error = {0};
	if (rpMotion_GetIntervals(clip->motion, rp_trackContact, NULL, 0) == 0 &&
		!rpDetectContacts(clip->motion, NULL, NULL, &error))
	{
		// What cannot be found is not shown; everything else is.
		error.code = rp_errorNone;
	}
}

void cliFreeClip(cliClip* clip)
{
	free(clip->name);
	free(clip->text);
	rpDestroyMotion(clip->motion);
	rpFindings_Free(&clip->findings);
	*clip = (cliClip){0};
}

// ---- lists

void cliFreeTexts(char** texts)
{
	for (int i = 0; texts != NULL && texts[i] != NULL; ++i)
		free(texts[i]);
	free(texts);
}

static bool expandLibrary(cliRun* run, const char* path, char*** texts, int* count)
{
	const rpLibrary* library = cliOpenLibrary(run, path, rp_openRead);
	rpClipInfo* infos = NULL;
	rpError error = {0};
	int clipCount = library != NULL ? rpLibrary_ListClips(library, &infos, &error) : -1;
	if (library != NULL && clipCount < 0)
		cliFailInput(run, &error);
	if (clipCount == 0)
		cliWarn(run, "%s: the library is empty", cliGetBaseName(path));
	*texts = cliReallocate(*texts, (size_t)(*count + (clipCount > 0 ? clipCount : 0) + 1) * sizeof(char*));
	for (int i = 0; i < clipCount; ++i)
		(*texts)[(*count)++] = cliFormat("%s#%s", path, infos[i].name);
	if (clipCount >= 0)
		rpFreeClipInfos(infos, clipCount);
	(*texts)[*count] = NULL;
	return clipCount >= 0;
}

char** cliExpandClips(cliRun* run, const char* const* typed, int typedCount)
{
	char** texts = cliAllocate(sizeof(char*));
	int count = 0;
	texts[0] = NULL;
	for (int i = 0; i < typedCount; ++i)
	{
		const char* text = typed[i];
		if (cliHasEnding(text, ".reprise") && pathExists(text, strlen(text)))
		{
			if (!expandLibrary(run, text, &texts, &count))
			{
				cliFreeTexts(texts);
				return NULL;
			}
			continue;
		}
		texts = cliReallocate(texts, (size_t)(count + 2) * sizeof(char*));
		texts[count++] = cliCopyText(text);
		texts[count] = NULL;
	}
	return texts;
}
