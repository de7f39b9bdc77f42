#include "reference_clips.h"

#include "clip_search.h"

#include <stdlib.h>
#include <string.h>

void cliFreeReferences(cliReferences* references)
{
	for (int i = 0; i < references->count; ++i)
		cliFreeClip(&references->clips[i]);
	free(references->clips);
	*references = (cliReferences){0};
}

static cliClip* makeRoom(cliReferences* references)
{
	if (references->count == references->capacity)
	{
		references->capacity = references->capacity * 2 + 8;
		references->clips = cliReallocate(references->clips, (size_t)references->capacity * sizeof(cliClip));
	}
	references->clips[references->count] = (cliClip){0};
	return &references->clips[references->count];
}

static bool addClip(cliRun* run, cliReferences* references, const char* text)
{
	cliClip* clip = makeRoom(references);
	bool done = cliLoadClip(run, text, clip);
	references->count += done;
	return done;
}

// ---- the clips of a library that something was made from

static bool isInput(const rpMotion* made, const char* hash)
{
	for (int i = 0; i < made->inputCount; ++i)
	{
		if (hash[0] != '\0' && strcmp(made->inputs[i].hash, hash) == 0)
			return true;
	}
	return false;
}

static bool isNamedInput(const rpMotion* made, const rpClipInfo* info)
{
	for (int i = 0; i < made->inputCount; ++i)
	{
		const char* name = made->inputs[i].name;
		if (strcmp(name, info->source) == 0 || strcmp(name, info->name) == 0)
			return true;
	}
	return false;
}

// A source is named after its clip, with a ~ appended for its mirror image.
static bool isSource(const rpMotion* made, const char* name)
{
	size_t size = strlen(name);
	for (int i = 0; i < made->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &made->annotations.intervals[i];
		if (interval->track == rp_trackSource && strncmp(interval->name, name, size) == 0 &&
			(interval->name[size] == '\0' || strcmp(interval->name + size, "~") == 0))
			return true;
	}
	return false;
}

static bool isMadeFrom(const rpMotion* made, const rpClipInfo* info, const rpMotion* clip)
{
	bool isFrom = isInput(made, info->hash);
	for (int i = 0; i < clip->inputCount && !isFrom; ++i)
		isFrom = isInput(made, clip->inputs[i].hash);
	return isFrom;
}

// Clips that cannot be meant are not loaded.
static bool addIfSource(cliRun* run, cliReferences* references, const char* path, const rpClipInfo* info,
						const rpMotion* made, bool byName)
{
	bool mayBe = byName ? isSource(made, info->name) : isNamedInput(made, info) || isInput(made, info->hash);
	if (!mayBe)
		return true;
	char* text = cliFormat("%s#%s", path, info->name);
	bool done = addClip(run, references, text);
	free(text);
	cliClip* added = references->clips + references->count - 1;
	if (done && !byName && !isMadeFrom(made, info, added->motion))
	{
		cliFreeClip(added);
		--references->count;
	}
	return done;
}

static bool failUnknown(cliRun* run, const char* path, const cliClip* made)
{
	rpError error = {.code = rp_errorMissing};
	snprintf(error.file, sizeof error.file, "%s", cliGetBaseName(path));
	snprintf(error.message, sizeof error.message, "holds no clip that \"%s\" was made from", made->name);
	snprintf(error.hint, sizeof error.hint, "name the clips: --reference %s#CLIP, or --reference FILE",
			 cliGetBaseName(path));
	return cliFail(run, cli_exitInput, &error);
}

static bool addLibrary(cliRun* run, cliReferences* references, const char* path, const cliClip* made)
{
	const rpLibrary* library = cliOpenLibrary(run, path, rp_openRead);
	rpClipInfo* infos = NULL;
	rpError error = {0};
	if (library == NULL)
		return false;
	int clipCount = rpLibrary_ListClips(library, &infos, &error), before = references->count;
	if (clipCount < 0)
		return cliFailInput(run, &error);
	bool done = true;
	// What players make has no inputs, only sources.
	for (int byName = 0; byName < 2 && references->count == before && done; ++byName)
	{
		for (int i = 0; i < clipCount && done; ++i)
			done = addIfSource(run, references, path, &infos[i], made->motion, byName != 0);
		if (done && byName != 0 && references->count > before)
			cliWarn(run, "%s: no clip has the hash of an input; references were found by the names of sources",
					made->name);
	}
	rpFreeClipInfos(infos, clipCount);
	return done && (references->count > before || failUnknown(run, path, made));
}

bool cliAddReferences(cliRun* run, cliReferences* references, const char* text, const cliClip* made)
{
	if (cliHasEnding(text, ".reprise"))
		return addLibrary(run, references, text, made);
	cliSearch search = {0};
	bool done = cliSearch_Add(run, &search, text);
	for (int i = 0; i < search.count && done; ++i)
		done = addClip(run, references, search.texts[i]);
	cliFreeSearch(&search);
	return done;
}
