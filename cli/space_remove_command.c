#include "clip.h"
#include "command_options.h"
#include "model_list.h"
#include "space_model.h"

#include <stdlib.h>
#include <string.h>

static bool isListed(const cliModels* spaces, const char* name)
{
	bool found = false;
	for (int i = 0; i < spaces->count && !found; ++i)
		found = strcmp(spaces->items[i]->name, name) == 0;
	return found;
}

// Those named, "space" if none is. False: reported.
static bool checkNames(cliRun* run, const rpLibrary* library, const cliModels* spaces, const char** names, int count)
{
	for (int i = 0; i < count; ++i)
	{
		rpError error = {.code = rp_errorMissing};
		if (isListed(spaces, names[i]))
			continue;
		snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
		snprintf(error.message, sizeof error.message, "the library has no space \"%.150s\"", names[i]);
		cliHintAtModels(library, "space", "it has none at all", &error);
		return cliFailInput(run, &error);
	}
	return true;
}

static bool reportRemoved(cliRun* run, const char** names, int count)
{
	json_t* list = json_array();
	json_int_t size = cliGetFileSize(run->arguments[0]);
	for (int i = 0; i < count; ++i)
	{
		json_array_append_new(list, cliMakeText(names[i]));
		cliPrint(run, "removed the space %s", names[i]);
	}
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:I}", "removed", list, "library_bytes", size));
	json_decref(list);
	return true;
}

static bool runSpaceRemove(cliRun* run)
{
	cliModels spaces;
	rpError error = {0};
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	if (library == NULL || !cliListModels(run, library, "space", &spaces))
		return false;
	int count = 0;
	while (cliGetNth(run, "name", count) != NULL)
		++count;
	const char** names = cliAllocate((size_t)(count + 1) * sizeof(char*));
	for (int i = 0; i < count; ++i)
		names[i] = cliGetNth(run, "name", i);
	names[count] = "space";
	count = count > 0 ? count : 1;
	bool done = checkNames(run, library, &spaces, names, count) &&
				(rpLibrary_RemoveModels(library, names, count, &error) || cliFailWork(run, &error)) &&
				reportRemoved(run, names, count);
	free(names);
	cliFreeModels(&spaces);
	return done;
}

static const cliOption spaceRemoveOptions[] = {
	{"name", 0, "NAME", "Name of the space; \"space\" if not given. May be given several times."},
	{0},
};

const cliCommand cliSpaceRemoveCommand = {
	.name = "space remove",
	.summary = "Remove parametric spaces from a library",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "Removes all the spaces named, or none if one of them is not there. Clips stay.",
	.options = {spaceRemoveOptions},
	.examples = {{"reprise space remove moves.reprise", "The space called space."},
				 {"reprise space remove moves.reprise --name punch --name kick", "Two others."},
				 {"reprise space remove moves.reprise --name punch --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runSpaceRemove,
};
