#include "build/model_kind.h"

#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "file/output.h"
#include "library/store.h"

#include <stdio.h>
#include <string.h>

static const rpModelKind* const s_kinds[] = {
#define X(row) &row,
	RP_MODEL_KINDS(X)
#undef X
};

enum
{
	kindCount = sizeof(s_kinds) / sizeof(s_kinds[0]),
};

struct rpModel
{
	const rpModelKind* kind;
	void* data;
};

// ---- a row

bool rpModelKind_Put(const rpModelKind* kind, rpLibrary* library, const char* name, const void* model, rpError* error)
{
	rpBundleWriter writer = {0};
	size_t size;
	void* bytes = kind->store(library, model, &writer, error) ? rpBundleWriter_Finish(&writer, &size, error) : NULL;
	// Models can be large: no more of them than need be is in memory at once.
	rpBundleWriter_Free(&writer);
	bool done = bytes != NULL && rpLibrary_PutModel(library, name, kind->info.name, kind->version, bytes, size, error);
	rpFreeBytes(bytes);
	return done;
}

void rpModelKind_Hint(const rpModelKind* kind, const rpLibrary* library, const char* name, rpError* error)
{
	bool isPlain = strcmp(name, kind->info.name) == 0;
	if (kind->info.command == NULL)
	{
		rpError_SetHint(error, "remove it: reprise graph remove %.100s --comparisons; the next build makes it anew",
						library->path);
		return;
	}
	rpError_SetHint(error, "build it anew: reprise %s %.100s%s%.80s", kind->info.command, library->path,
					isPlain ? "" : " --name ", isPlain ? "" : name);
}

// Damage is told with the model's name and what to do about it.
static void reportModel(const rpModelKind* kind, const rpLibrary* library, const char* name, rpError* error)
{
	char quoted[160];
	snprintf(quoted, sizeof(quoted), "\"%.150s\"", name);
	if (error == NULL || error->code == rp_errorMemory || strstr(error->message, quoted) != NULL)
	{
		return;
	}
	char message[sizeof(error->message)];
	memcpy(message, error->message, sizeof(message));
	snprintf(error->message, sizeof(error->message), "%s %s: %.300s", kind->info.name, quoted, message);
	rpModelKind_Hint(kind, library, name, error);
}

void* rpModelKind_Load(const rpModelKind* kind, const rpLibrary* library, const char* name, rpError* error)
{
	size_t size;
	void* bytes = rpLibrary_LoadModel(library, name, kind->info.name, NULL, &size, error);
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, error) : NULL;
	bool isSound = bundle != NULL && (rpBundle_HasChunk(bundle, kind->chunk) ||
									  rpFail(error, rp_errorFormat, "it is damaged: it is not %s", kind->info.about));
	void* model = isSound ? kind->load(library, bundle, name, error) : NULL;
	if (model == NULL && bytes != NULL)
	{
		reportModel(kind, library, name, error);
	}
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return model;
}

void* rpModelKind_WriteBundle(const rpModelKind* kind, const void* model, size_t* size, rpError* error)
{
	rpBundleWriter writer = {0};
	void* bytes = kind->bundle(model, &writer, error) ? rpBundleWriter_Finish(&writer, size, error) : NULL;
	rpBundleWriter_Free(&writer);
	return bytes;
}

bool rpModelKind_SaveBundle(const rpModelKind* kind, const void* model, const char* path, rpError* error)
{
	size_t size;
	void* bytes = rpModelKind_WriteBundle(kind, model, &size, error);
	bool done = bytes != NULL && rpReplaceFile(path, bytes, size, error);
	rpFreeBytes(bytes);
	return done;
}

// ---- the table

static const rpModelKind* findKind(const char* name)
{
	for (int i = 0; i < kindCount; ++i)
	{
		if (strcmp(s_kinds[i]->info.name, name) == 0)
		{
			return s_kinds[i];
		}
	}
	return NULL;
}

const rpModelKindInfo* rpFindModelKind(const char* name)
{
	const rpModelKind* kind = findKind(name);
	return kind != NULL ? &kind->info : NULL;
}

const rpModelKindInfo* rpGetModelKind(int index)
{
	return index >= 0 && index < kindCount ? &s_kinds[index]->info : NULL;
}

// ---- models

bool rpLibrary_BuildModel(rpLibrary* library, const char* kind, const char* name, rpError* error)
{
	const rpModelKind* row = findKind(kind);
	if (row == NULL || row->build == NULL)
	{
		return rpFail(error, rp_errorArgument, "clips alone make no model of the kind \"%.50s\"", kind);
	}
	void* model = row->build(library, error);
	bool done = model != NULL && rpModelKind_Put(row, library, name, model, error);
	if (model != NULL)
	{
		row->destroy(model);
	}
	return done;
}

// The row of a model that is in the library; NULL, and the reason, if there is none.
static const rpModelKind* findModel(const rpLibrary* library, const char* name, rpError* error)
{
	rpModelInfo* infos;
	int count = rpLibrary_ListModels(library, &infos, error), at = 0;
	if (count < 0)
	{
		return NULL;
	}
	while (at < count && strcmp(infos[at].name, name) != 0)
	{
		++at;
	}
	const rpModelKind* kind = at < count ? findKind(infos[at].kind) : NULL;
	if (at == count)
	{
		rpFail(error, rp_errorMissing, "the library has no model \"%.150s\"", name);
	}
	else if (kind == NULL)
	{
		rpFail(error, rp_errorVersion, "the model \"%.150s\" is of an unknown kind (%.50s)", name, infos[at].kind);
		rpError_SetHint(error, "use a newer Reprise");
	}
	rpFreeModelInfos(infos, count);
	return kind;
}

rpModel* rpLibrary_OpenModel(const rpLibrary* library, const char* name, rpError* error)
{
	const rpModelKind* kind = findModel(library, name, error);
	rpModel* model = kind != NULL ? rpAllocate(1, sizeof(rpModel), error) : NULL;
	if (model == NULL)
	{
		return NULL;
	}
	*model = (rpModel){kind, rpModelKind_Load(kind, library, name, error)};
	if (model->data == NULL)
	{
		rpFree(model);
		model = NULL;
	}
	return model;
}

void rpDestroyModel(rpModel* model)
{
	if (model != NULL)
	{
		model->kind->destroy(model->data);
		rpFree(model);
	}
}

const rpModelKindInfo* rpModel_GetKind(const rpModel* model)
{
	return &model->kind->info;
}

int rpModel_GetCounts(const rpModel* model, rpModelCount* out)
{
	return model->kind->count(model->data, out);
}

bool rpModel_IsByName(const rpModel* model)
{
	return model->kind->isByName != NULL && model->kind->isByName(model->data);
}

static bool checkPlayed(const rpModel* model, rpError* error)
{
	return model->kind->bundle != NULL ||
		   rpFail(error, rp_errorArgument, "%s cannot be played", model->kind->info.about);
}

void* rpModel_WriteBundle(const rpModel* model, size_t* size, rpError* error)
{
	return checkPlayed(model, error) ? rpModelKind_WriteBundle(model->kind, model->data, size, error) : NULL;
}

bool rpModel_SaveBundle(const rpModel* model, const char* path, rpError* error)
{
	return checkPlayed(model, error) && rpModelKind_SaveBundle(model->kind, model->data, path, error);
}

// ---- checking

// A model from before is sound as far as can be seen.
static void noteOld(const rpModelInfo* info, const char* command, rpFindings* findings)
{
	rpFinding* finding = rpFindings_Add(
		findings, "old_model", "%s \"%.150s\": its clips are known by their names alone", info->kind, info->name);
	rpFinding_SetAction(finding, false, "nothing; \"reprise %s\" makes one that knows what is in them", command);
}

// Damage becomes a finding; what keeps the check itself from going on does not.
static bool checkModel(const rpLibrary* library, const rpModelInfo* info, rpFindings* findings, rpError* error)
{
	rpError inner = {0};
	const rpModelKind* kind = findKind(info->kind);
	void* model = kind != NULL ? rpModelKind_Load(kind, library, info->name, &inner) : NULL;
	if (model != NULL)
	{
		if (kind->isByName != NULL && kind->isByName(model))
		{
			noteOld(info, kind->info.command, findings);
		}
		kind->destroy(model);
	}
	if (model != NULL || kind == NULL)
	{
		return true;
	}
	bool isDamage = inner.code == rp_errorFormat || inner.code == rp_errorMissing || inner.code == rp_errorLimit ||
					inner.code == rp_errorVersion;
	if (isDamage)
	{
		rpFinding* finding = rpFindings_Add(findings, "model", "%s", inner.message);
		rpFinding_SetAction(finding, false, "nothing; %s", inner.hint[0] != 0 ? inner.hint : "make the model anew");
	}
	else if (error != NULL)
	{
		*error = inner;
	}
	return isDamage;
}

bool rpCheckModels(const char* path, rpFindings* findings, rpError* error)
{
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, error);
	rpModelInfo* infos = NULL;
	int count = library != NULL ? rpLibrary_ListModels(library, &infos, error) : -1;
	bool done = count >= 0;
	for (int i = 0; i < count && done; ++i)
	{
		done = checkModel(library, &infos[i], findings, error);
	}
	if (count >= 0)
	{
		rpFreeModelInfos(infos, count);
	}
	rpCloseLibrary(library);
	return done;
}
