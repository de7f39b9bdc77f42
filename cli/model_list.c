#include "model_list.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool cliListModels(cliRun* run, const rpLibrary* library, const char* kind, cliModels* out)
{
	rpError error = {0};
	*out = (cliModels){0};
	out->allCount = rpLibrary_ListModels(library, &out->all, &error);
	if (out->allCount < 0)
		return cliFailInput(run, &error);
	out->items = cliAllocate((size_t)(out->allCount + 1) * sizeof(rpModelInfo*));
	for (int i = 0; i < out->allCount; ++i)
	{
		if (strcmp(out->all[i].kind, kind) == 0)
			out->items[out->count++] = &out->all[i];
	}
	return true;
}

void cliFreeModels(cliModels* models)
{
	if (models->allCount > 0)
		rpFreeModelInfos(models->all, models->allCount);
	free(models->items);
	*models = (cliModels){0};
}

bool cliCheckModelName(cliRun* run, const rpLibrary* library, const char* kind, const char* name)
{
	cliModels models;
	const char* other = NULL;
	if (!cliListModels(run, library, kind, &models))
		return false;
	for (int i = 0; i < models.allCount; ++i)
		if (strcmp(models.all[i].name, name) == 0 && strcmp(models.all[i].kind, kind) != 0)
			other = models.all[i].kind;
	bool done = other == NULL || cliFailUsage(run, "choose another name",
											  "\"%.150s\" is the name of another kind of model (%.50s)", name, other);
	cliFreeModels(&models);
	return done;
}

// Whether a model is one of a kind; NULL: one that can be played.
static bool isOfKind(const rpModelInfo* info, const char* kind)
{
	const rpModelKindInfo* known = rpFindModelKind(info->kind);
	return kind != NULL ? strcmp(info->kind, kind) == 0 : known != NULL && known->isPlayed;
}

void cliHintAtModels(const rpLibrary* library, const char* kind, const char* otherwise, rpError* error)
{
	rpModelInfo* infos;
	int count = rpLibrary_ListModels(library, &infos, NULL);
	size_t size = 0;
	for (int i = 0; i < count; ++i)
	{
		if (isOfKind(&infos[i], kind) && size + 60 < sizeof error->hint)
			size += (size_t)snprintf(error->hint + size, sizeof error->hint - size, "%s%.40s",
									 size == 0 ? "there are: " : ", ", infos[i].name);
	}
	if (size == 0)
		snprintf(error->hint, sizeof error->hint, "%s", otherwise);
	if (count > 0)
		rpFreeModelInfos(infos, count);
}

void cliWarnByName(cliRun* run, const char* kind, const char* name)
{
	cliWarn(
		run,
		"the %s \"%s\" was kept before models knew what is in their clips: they were found by their names, and only "
		"lengths, places and skeletons were compared; reprise %s makes it anew",
		kind, name, rpFindModelKind(kind)->command);
}

json_t* cliMakeModels(cliRun* run, const rpLibrary* library)
{
	rpModelInfo* infos;
	rpError error = {0};
	int count = rpLibrary_ListModels(library, &infos, &error);
	if (count < 0)
	{
		cliFailInput(run, &error);
		return NULL;
	}
	json_t* list = json_array();
	for (int i = 0; i < count; ++i)
		json_array_append_new(list, json_pack("{s:o,s:o,s:I}", "name", cliMakeText(infos[i].name), "kind",
											  cliMakeText(infos[i].kind), "bytes", (json_int_t)infos[i].size));
	if (count > 0)
		rpFreeModelInfos(infos, count);
	return list;
}

// What is kept incidentally, without a name, is summed up.
static void printUnnamed(json_t* models, const rpModelKindInfo* kind)
{
	size_t index;
	json_t* model;
	double bytes = 0.0;
	json_array_foreach(models, index, model)
	{
		bool isOne = strcmp(json_string_value(json_object_get(model, "kind")), kind->name) == 0;
		bytes += isOne ? (double)json_integer_value(json_object_get(model, "bytes")) : 0.0;
	}
	if (bytes > 0.0)
		cliLine(stdout, "  %s, %.1f MB", kind->about, bytes / 1e6);
}

void cliPrintModels(json_t* models)
{
	size_t index;
	json_t* model;
	json_array_foreach(models, index, model)
	{
		const char* name = json_string_value(json_object_get(model, "kind"));
		const rpModelKindInfo* kind = rpFindModelKind(name);
		if (kind == NULL || kind->command != NULL)
			cliLine(stdout, "  %s model \"%s\", %.1f MB", name, json_string_value(json_object_get(model, "name")),
					(double)json_integer_value(json_object_get(model, "bytes")) / 1e6);
	}
	const rpModelKindInfo* kind;
	for (int i = 0; (kind = rpGetModelKind(i)) != NULL; ++i)
		if (kind->command == NULL)
			printUnnamed(models, kind);
}

json_int_t cliGetFileSize(const char* path)
{
	struct stat status;
	return stat(path, &status) == 0 ? (json_int_t)status.st_size : 0;
}
