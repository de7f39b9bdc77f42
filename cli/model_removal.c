#include "model_removal.h"

#include "clip.h"
#include "model_list.h"

#include <stdlib.h>
#include <string.h>

static bool isListed(const cliModels* models, const char* name)
{
	bool found = false;
	for (int i = 0; i < models->count && !found; ++i)
		found = strcmp(models->items[i]->name, name) == 0;
	return found;
}

// The first that is not there. False: reported.
static bool checkNames(cliRun* run, const rpLibrary* library, const cliModels* models, const char** names,
					   const char* noun, const char* kind)
{
	for (int i = 0; names[i] != NULL; ++i)
	{
		rpError error = {.code = rp_errorMissing};
		if (isListed(models, names[i]))
			continue;
		snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
		snprintf(error.message, sizeof error.message, "the library has no %s \"%.150s\"", noun, names[i]);
		cliHintAtModels(library, kind, "it has none at all", &error);
		return cliFailInput(run, &error);
	}
	return true;
}

static bool reportRemoved(cliRun* run, const char** names, const char* noun)
{
	json_t* list = json_array();
	json_int_t size = cliGetFileSize(run->arguments[0]);
	for (int i = 0; names[i] != NULL; ++i)
	{
		json_array_append_new(list, cliMakeText(names[i]));
		cliPrint(run, "removed the %s %s", noun, names[i]);
	}
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:I}", "removed", list, "library_bytes", size));
	json_decref(list);
	return true;
}

bool cliRemoveModels(cliRun* run, const char* kind, const char* noun)
{
	cliModels models;
	rpError error = {0};
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	if (library == NULL || !cliListModels(run, library, kind, &models))
		return false;
	int count = 0;
	while (cliGetNth(run, "name", count) != NULL)
		++count;
	const char** names = cliAllocate((size_t)(count + 2) * sizeof(char*));
	for (int i = 0; i < count; ++i)
		names[i] = cliGetNth(run, "name", i);
	if (count == 0)
		names[count++] = kind;
	names[count] = NULL;
	bool done = checkNames(run, library, &models, names, noun, kind) &&
				(rpLibrary_RemoveModels(library, names, count, &error) || cliFailWork(run, &error)) &&
				reportRemoved(run, names, noun);
	free(names);
	cliFreeModels(&models);
	return done;
}
