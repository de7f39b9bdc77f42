/// Spaces and libraries: kept in one, loaded from it with their examples, which are cut out of its clips again.
#include "base/error.h"
#include "base/memory.h"
#include "build/model_clips.h"
#include "build/space_build.h"
#include "reprise/edit.h"

#include <math.h>
#include <string.h>

// What the library knows of the clips; names are the space's.
static rpModelClip* listClips(const rpSpace* space, rpError* error)
{
	rpModelClip* clips = rpAllocateZero((size_t)space->clipCount, sizeof(rpModelClip), error);
	const char* name = space->clipNames;
	for (int i = 0; clips != NULL && i < space->clipCount; ++i)
	{
		clips[i].name = name;
		if (space->hashes != NULL)
		{
			memcpy(clips[i].hash, space->hashes[i], sizeof(clips[i].hash));
		}
		name += strlen(name) + 1;
	}
	return clips;
}

static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	const rpSpace* space = model;
	rpModelClip* clips = listClips(space, error);
	bool done = clips != NULL && rpWriteSpaceChunks(writer, space, error) &&
				rpWriteClipHashes(writer, library, clips, space->clipCount, error);
	rpFree(clips);
	return done;
}

static bool keepHashes(rpSpace* space, const rpModelClip* known, rpError* error)
{
	space->hashes = rpAllocateZero((size_t)space->clipCount, sizeof(*space->hashes), error);
	for (int i = 0; space->hashes != NULL && i < space->clipCount; ++i)
	{
		memcpy(space->hashes[i], known[i].hash, sizeof(space->hashes[i]));
	}
	return space->hashes != NULL;
}

// Examples of a clip, as they were cut when the space was built.
static bool cutExamples(rpSpace* space, int clip, const rpMotion* take, bool* isChanged, rpError* error)
{
	bool done = true;
	*isChanged = false;
	for (int i = 0; i < space->exampleCount && done && !*isChanged; ++i)
	{
		const rpSpaceExample* example = &space->examples[i];
		if (example->clip == clip)
		{
			space->motions[i] = rpCutSpaceExample(take, example, isChanged, error);
			done = space->motions[i] != NULL || *isChanged;
		}
	}
	return done;
}

static bool loadExamples(const rpLibrary* library, rpSpace* space, const char* name, const rpModelClip* known,
						 rpError* error)
{
	rpModelLoader loader = {0};
	space->motions = rpAllocateZero((size_t)space->exampleCount, sizeof(rpMotion*), error);
	bool done = space->motions != NULL && keepHashes(space, known, error) &&
				rpModelLoader_Open(&loader, library, &rpSpaceModelKind, name, error);
	for (int i = 0; i < space->clipCount && done; ++i)
	{
		bool isChanged;
		rpMotion* take = rpModelLoader_Load(&loader, &known[i], error);
		done = take != NULL && cutExamples(space, i, take, &isChanged, error) &&
			   (!isChanged || rpModelLoader_FailChanged(&loader, &known[i], error));
		rpDestroyMotion(take);
	}
	rpModelLoader_Free(&loader);
	return done;
}

// ---- its row in the table of kinds

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	rpSpace* space = rpReadSpaceChunks(bundle, error);
	rpModelClip* known = space != NULL ? listClips(space, error) : NULL;
	bool isByName = false;
	bool done = known != NULL && rpReadClipHashes(bundle, known, space->clipCount, &isByName, error) &&
				(!isByName || rpFail(error, rp_errorFormat, "it does not say what its clips hold")) &&
				loadExamples(library, space, name, known, error);
	rpFree(known);
	if (!done)
	{
		rpDestroySpace(space);
		return NULL;
	}
	return space;
}

static void destroy(void* model)
{
	rpDestroySpace(model);
}

static int count(const void* model, rpModelCount* out)
{
	const rpSpace* space = model;
	out[0] = (rpModelCount){"clips", "clips", space->clipCount};
	out[1] = (rpModelCount){"examples", "examples", space->exampleCount};
	out[2] = (rpModelCount){"samples", "samples", space->sampleCount};
	return 3;
}

const rpModelKind rpSpaceModelKind = {
	.info = {"space", "a parametric space", "space build", true},
	.chunk = "SHDR",
	.version = 1,
	.store = store,
	.load = load,
	.destroy = destroy,
	.bundle = rpAddSpaceBundle,
	.count = count,
};

bool rpLibrary_PutSpace(rpLibrary* library, const char* name, const rpSpace* space, rpError* error)
{
	return rpModelKind_Put(&rpSpaceModelKind, library, name, space, error);
}

rpSpace* rpLibrary_LoadSpace(rpLibrary* library, const char* name, rpError* error)
{
	return rpModelKind_Load(&rpSpaceModelKind, library, name, error);
}
