/// Models of locomotion and libraries: built from its clips, kept in it, loaded from it with their takes.
#include "base/error.h"
#include "base/memory.h"
#include "build/locomotion_build.h"
#include "build/model_clips.h"

#include <math.h>
#include <string.h>

// ---- building

static bool isWanted(const rpLocomotionDef* def, const char* name)
{
	bool isNamed = def->clipCount == 0;
	for (int i = 0; i < def->clipCount && !isNamed; ++i)
	{
		isNamed = strcmp(def->clips[i], name) == 0;
	}
	return isNamed;
}

static bool checkNames(const rpLibrary* library, const rpLocomotionDef* def, int clipCount, rpError* error)
{
	bool done = clipCount > 0 || rpFail(error, rp_errorMissing, "the library has no clips");
	for (int i = 0; i < def->clipCount && done; ++i)
	{
		done = rpLibrary_FindClip(library, def->clips[i], error) > 0;
	}
	return done;
}

/// Clips of a library that a model is made from, and what is in them.
typedef struct Source
{
	rpMotion** takes;
	char (*hashes)[33];
	int count;
} Source;

static void freeSource(Source* source)
{
	for (int i = 0; i < source->count; ++i)
	{
		rpDestroyMotion(source->takes[i]);
	}
	rpFree(source->takes);
	rpFree(source->hashes);
}

// In the library's order, whatever that of the names.
static bool loadSource(const rpLibrary* library, const rpLocomotionDef* def, const rpClipInfo* infos, int count,
					   Source* source, rpError* error)
{
	source->takes = rpAllocateZero((size_t)count, sizeof(rpMotion*), error);
	source->hashes = rpAllocateZero((size_t)count, sizeof(*source->hashes), error);
	bool done = source->takes != NULL && source->hashes != NULL && checkNames(library, def, count, error);
	for (int i = 0; i < count && done; ++i)
	{
		if (isWanted(def, infos[i].name))
		{
			rpMotion* take = rpLibrary_LoadClip(library, infos[i].id, error);
			source->takes[source->count] = take;
			done = take != NULL && rpHashClip(library, infos[i].id, source->hashes[source->count], error);
			source->count += take != NULL;
			done = done && rpMotion_SetName(take, infos[i].name, error);
		}
	}
	return done;
}

rpLocomotion* rpBuildLocomotion(rpLibrary* library, const rpLocomotionDef* def, rpFindings* missing, rpError* error)
{
	rpLocomotionDef chosen = def != NULL ? *def : rpDefaultLocomotionDef();
	rpClipInfo* infos;
	int count = rpLibrary_ListClips(library, &infos, error);
	if (count < 0)
	{
		return NULL;
	}
	Source source = {0};
	bool done = loadSource(library, &chosen, infos, count, &source, error);
	rpLocomotion* model =
		done ? rpBuildLocomotionOf((const rpMotion* const*)source.takes, source.count, &chosen, missing, error) : NULL;
	if (model != NULL)
	{
		model->hashes = source.hashes;
		source.hashes = NULL;
	}
	freeSource(&source);
	rpFreeClipInfos(infos, count);
	return model;
}

// ---- loading

// What is known of the takes that are clips of the library; names lie one behind the other. NULL when memory ran out or
// hashes are damaged.
static rpModelClip* readClips(const rpBundle* bundle, rpLocomotion* model, const char* names, rpError* error)
{
	rpModelClip* clips = rpAllocateZero((size_t)model->originalCount, sizeof(rpModelClip), error);
	for (int i = 0; clips != NULL && i < model->originalCount; ++i)
	{
		clips[i].name = names;
		names += strlen(names) + 1;
	}
	if (clips != NULL && !rpReadClipHashes(bundle, clips, model->originalCount, &model->isByName, error))
	{
		rpFree(clips);
		clips = NULL;
	}
	return clips;
}

static bool keepHashes(rpLocomotion* model, const rpModelClip* known, rpError* error)
{
	model->hashes =
		model->isByName ? NULL : rpAllocateZero((size_t)model->originalCount, sizeof(*model->hashes), error);
	for (int i = 0; model->hashes != NULL && i < model->originalCount; ++i)
	{
		memcpy(model->hashes[i], known[i].hash, sizeof(model->hashes[i]));
	}
	return model->isByName || model->hashes != NULL;
}

static bool fits(const rpMotion* take, const rpTakeRecord* record, const rpSkeleton* skeleton)
{
	return take->frameCount == record->frameCount && fabs(take->fps - record->fps) < 1e-6 * record->fps &&
		   rpSkeleton_Matches(skeleton, take->skeleton);
}

// Under the names that the clips have now.
static bool mirrorTakes(rpLocomotion* model, rpError* error)
{
	bool done = true;
	for (int i = model->originalCount; i < model->takeCount && done; ++i)
	{
		model->takes[i] = rpMirrorTake(model->takes[i - model->originalCount], error);
		done = model->takes[i] != NULL;
	}
	return done;
}

static bool loadTakes(const rpLibrary* library, rpLocomotion* model, const char* name, const rpTakeRecord* records,
					  const rpModelClip* known, rpError* error)
{
	rpModelLoader loader = {0};
	model->takes = rpAllocateZero((size_t)model->takeCount, sizeof(rpMotion*), error);
	bool done = model->takes != NULL && keepHashes(model, known, error) &&
				rpModelLoader_Open(&loader, library, &rpLocomotionModelKind, name, error);
	for (int i = 0; i < model->originalCount && done; ++i)
	{
		rpMotion* take = model->takes[i] = rpModelLoader_Load(&loader, &known[i], error);
		done = take != NULL && (fits(take, &records[i], model->takes[0]->skeleton) ||
								rpModelLoader_FailChanged(&loader, &known[i], error));
	}
	rpModelLoader_Free(&loader);
	return done && mirrorTakes(model, error);
}

// ---- its row in the table of kinds

static void* build(rpLibrary* library, rpError* error)
{
	return rpBuildLocomotion(library, NULL, NULL, error);
}

static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	const rpLocomotion* locomotion = model;
	rpModelClip* clips = rpAllocateZero((size_t)locomotion->originalCount, sizeof(rpModelClip), error);
	for (int i = 0; clips != NULL && i < locomotion->originalCount; ++i)
	{
		clips[i].name = locomotion->takes[i]->name;
		if (locomotion->hashes != NULL)
		{
			memcpy(clips[i].hash, locomotion->hashes[i], sizeof(clips[i].hash));
		}
	}
	bool done = clips != NULL && rpWriteLocomotionChunks(writer, locomotion, error) &&
				(locomotion->isByName || rpWriteClipHashes(writer, library, clips, locomotion->originalCount, error));
	rpFree(clips);
	return done;
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	const rpTakeRecord* records;
	const char* names;
	rpLocomotion* model = rpReadLocomotionChunks(bundle, &records, &names, error);
	rpModelClip* known = model != NULL ? readClips(bundle, model, names, error) : NULL;
	if (known == NULL || !loadTakes(library, model, name, records, known, error))
	{
		rpDestroyLocomotion(model);
		model = NULL;
	}
	rpFree(known);
	return model;
}

static void destroy(void* model)
{
	rpDestroyLocomotion(model);
}

static bool isByName(const void* model)
{
	return ((const rpLocomotion*)model)->isByName;
}

static int count(const void* model, rpModelCount* out)
{
	const rpLocomotion* locomotion = model;
	out[0] = (rpModelCount){"clips", "takes", locomotion->takeCount};
	out[1] = (rpModelCount){"movements", "movements", locomotion->movementCount};
	return 2;
}

const rpModelKind rpLocomotionModelKind = {
	.info = {"locomotion", "a model of locomotion", "locomotion build", true},
	.chunk = "LHDR",
	.version = 1,
	.build = build,
	.store = store,
	.load = load,
	.destroy = destroy,
	.bundle = rpAddLocomotionBundle,
	.count = count,
	.isByName = isByName,
};

bool rpLibrary_PutLocomotion(rpLibrary* library, const char* name, const rpLocomotion* model, rpError* error)
{
	return rpModelKind_Put(&rpLocomotionModelKind, library, name, model, error);
}

rpLocomotion* rpLibrary_LoadLocomotion(rpLibrary* library, const char* name, rpError* error)
{
	return rpModelKind_Load(&rpLocomotionModelKind, library, name, error);
}
