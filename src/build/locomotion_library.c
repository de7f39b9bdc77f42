/// Models of locomotion and libraries: built from its clips, kept in it, loaded from it with their takes.
#include "base/error.h"
#include "base/memory.h"
#include "build/locomotion_build.h"
#include "build/model_kind.h"
#include "reprise/analysis.h"
#include "reprise/edit.h"

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

// In the library's order, whatever that of the names.
static int loadClips(const rpLibrary* library, const rpLocomotionDef* def, const rpClipInfo* infos, int count,
					 rpMotion** takes, bool* done, rpError* error)
{
	int takeCount = 0;
	for (int i = 0; i < count && *done; ++i)
	{
		if (isWanted(def, infos[i].name))
		{
			rpMotion* take = rpLibrary_LoadClip(library, infos[i].id, error);
			*done = take != NULL;
			takes[takeCount] = take;
			takeCount += take != NULL;
			*done = *done && rpMotion_SetName(take, infos[i].name, error);
		}
	}
	return takeCount;
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
	rpMotion** takes = rpAllocateZero((size_t)count, sizeof(rpMotion*), error);
	bool done = takes != NULL && checkNames(library, &chosen, count, error);
	int takeCount = loadClips(library, &chosen, infos, count, takes, &done, error);
	rpLocomotion* model =
		done ? rpBuildLocomotionOf((const rpMotion* const*)takes, takeCount, &chosen, missing, error) : NULL;
	for (int i = 0; i < takeCount; ++i)
	{
		rpDestroyMotion(takes[i]);
	}
	rpFree(takes);
	rpFreeClipInfos(infos, count);
	return model;
}

// ---- loading

static bool failTake(const char* name, rpError* error)
{
	rpFail(error, rp_errorMissing, "the clip \"%.150s\" of the model is no longer in the library as it was", name);
	rpError_SetHint(error, "build the model anew: reprise locomotion build LIB");
	return false;
}

// The take as it was when the model was built: contacts found where there are none.
static rpMotion* loadTake(const rpLibrary* library, const char* name, const rpTakeRecord* record, rpError* error)
{
	rpClipId id = rpLibrary_FindClip(library, name, NULL);
	if (id <= 0)
	{
		failTake(name, error);
		return NULL;
	}
	rpMotion* take = rpLibrary_LoadClip(library, id, error);
	bool done =
		take != NULL && rpMotion_SetName(take, name, error) &&
		((take->frameCount == record->frameCount && fabs(take->fps - record->fps) < 1e-6 * record->fps) ||
		 failTake(name, error)) &&
		(rpMotion_GetIntervals(take, rp_trackContact, NULL, 0) > 0 || rpDetectContacts(take, NULL, NULL, error));
	if (!done)
	{
		rpDestroyMotion(take);
		take = NULL;
	}
	return take;
}

static bool loadTakes(const rpLibrary* library, rpLocomotion* model, const rpTakeRecord* records, const char* names,
					  rpError* error)
{
	model->takes = rpAllocateZero((size_t)model->takeCount, sizeof(rpMotion*), error);
	bool done = model->takes != NULL;
	for (int i = 0; i < model->takeCount && done; ++i)
	{
		rpMotion* original = i >= model->originalCount ? model->takes[i - model->originalCount] : NULL;
		model->takes[i] =
			original != NULL ? rpMirrorMotion(original, error) : loadTake(library, names, &records[i], error);
		done = model->takes[i] != NULL && rpMotion_SetName(model->takes[i], names, error) &&
			   (rpSkeleton_Matches(model->takes[0]->skeleton, model->takes[i]->skeleton) || failTake(names, error));
		names += strlen(names) + 1;
	}
	return done;
}

// ---- its row in the table of kinds

static void* build(rpLibrary* library, rpError* error)
{
	return rpBuildLocomotion(library, NULL, NULL, error);
}

static bool store(const void* model, rpBundleWriter* writer, rpError* error)
{
	return rpWriteLocomotionChunks(writer, model, error);
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	const rpTakeRecord* records;
	const char* names;
	rpLocomotion* model = rpReadLocomotionChunks(bundle, &records, &names, error);
	(void)name;
	if (model != NULL && !loadTakes(library, model, records, names, error))
	{
		rpDestroyLocomotion(model);
		model = NULL;
	}
	return model;
}

static void destroy(void* model)
{
	rpDestroyLocomotion(model);
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
};

bool rpLibrary_PutLocomotion(rpLibrary* library, const char* name, const rpLocomotion* model, rpError* error)
{
	return rpModelKind_Put(&rpLocomotionModelKind, library, name, model, error);
}

rpLocomotion* rpLibrary_LoadLocomotion(rpLibrary* library, const char* name, rpError* error)
{
	return rpModelKind_Load(&rpLocomotionModelKind, library, name, error);
}
