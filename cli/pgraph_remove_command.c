#include "clip.h"
#include "command_options.h"
#include "model_list.h"
#include "pgraph_model.h"

#include <stdlib.h>
#include <string.h>

static bool isListed(const cliModels* graphs, const char* name)
{
	bool found = false;
	for (int i = 0; i < graphs->count && !found; ++i)
		found = strcmp(graphs->items[i]->name, name) == 0;
	return found;
}

// Those named, "pgraph" if none is. False: reported.
static bool checkNames(cliRun* run, const rpLibrary* library, const cliModels* graphs, const char** names, int count)
{
	for (int i = 0; i < count; ++i)
	{
		rpError error = {.code = rp_errorMissing};
		if (isListed(graphs, names[i]))
			continue;
		snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
		snprintf(error.message, sizeof error.message, "the library has no parametric graph \"%.150s\"", names[i]);
		cliHintAtModels(library, "pgraph", "it has none at all", &error);
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
		cliPrint(run, "removed the graph %s", names[i]);
	}
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:I}", "removed", list, "library_bytes", size));
	json_decref(list);
	return true;
}

static bool runPgraphRemove(cliRun* run)
{
	cliModels graphs;
	rpError error = {0};
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	if (library == NULL || !cliListModels(run, library, "pgraph", &graphs))
		return false;
	int count = 0;
	while (cliGetNth(run, "name", count) != NULL)
		++count;
	const char** names = cliAllocate((size_t)(count + 1) * sizeof(char*));
	for (int i = 0; i < count; ++i)
		names[i] = cliGetNth(run, "name", i);
	names[count] = "pgraph";
	count = count > 0 ? count : 1;
	bool done = checkNames(run, library, &graphs, names, count) &&
				(rpLibrary_RemoveModels(library, names, count, &error) || cliFailWork(run, &error)) &&
				reportRemoved(run, names, count);
	free(names);
	cliFreeModels(&graphs);
	return done;
}

static const cliOption pgraphRemoveOptions[] = {
	{"name", 0, "NAME", "Name of the graph; \"pgraph\" if not given. May be given several times."},
	{0},
};

const cliCommand cliPgraphRemoveCommand = {
	.name = "pgraph remove",
	.summary = "Remove parametric graphs from a library",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "Removes all the graphs named, or none if one of them is not there. Spaces and clips stay.",
	.options = {pgraphRemoveOptions},
	.examples = {{"reprise pgraph remove moves.reprise", "The graph called pgraph."},
				 {"reprise pgraph remove moves.reprise --name small --name large", "Two others."},
				 {"reprise pgraph remove moves.reprise --name small --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphRemove,
};
