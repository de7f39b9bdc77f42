#include "clip.h"
#include "command_options.h"
#include "graph_model.h"
#include "model_list.h"

#include <stdlib.h>
#include <string.h>

/// The models to remove, each once.
typedef struct Choice
{
	const rpModelInfo** items;
	int count;
} Choice;

static void choose(Choice* choice, const rpModelInfo* info)
{
	for (int i = 0; i < choice->count; ++i)
	{
		if (choice->items[i] == info)
			return;
	}
	choice->items = cliReallocate(choice->items, (size_t)(choice->count + 1) * sizeof(rpModelInfo*));
	choice->items[choice->count++] = info;
}

static bool chooseNamed(cliRun* run, const rpLibrary* library, const cliModels* graphs, const char* name,
						Choice* choice)
{
	for (int i = 0; i < graphs->count; ++i)
	{
		if (strcmp(graphs->items[i]->name, name) == 0)
		{
			choose(choice, graphs->items[i]);
			return true;
		}
	}
	rpError error = {.code = rp_errorMissing};
	snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
	snprintf(error.message, sizeof error.message, "the library has no graph \"%.150s\"", name);
	cliHintAtModels(library, "graph", "it has none at all", &error);
	return cliFailInput(run, &error);
}

static bool chooseAll(cliRun* run, const rpLibrary* library, const cliModels* graphs, Choice* choice)
{
	const char* name;
	bool done = true;
	for (int i = 0; done && (name = cliGetNth(run, "name", i)) != NULL; ++i)
		done = chooseNamed(run, library, graphs, name, choice);
	if (!cliHas(run, "name") && !cliHas(run, "comparisons"))
		done = chooseNamed(run, library, graphs, "graph", choice);
	for (int i = 0; done && cliHas(run, "comparisons") && i < graphs->allCount; ++i)
	{
		if (strcmp(graphs->all[i].kind, "minima") == 0)
			choose(choice, &graphs->all[i]);
	}
	return done;
}

static bool reportRemoved(cliRun* run, const Choice* choice)
{
	json_t* list = json_array();
	json_int_t size = cliGetFileSize(run->arguments[0]);
	for (int i = 0; i < choice->count; ++i)
	{
		const rpModelInfo* info = choice->items[i];
		bool isGraph = strcmp(info->kind, "graph") == 0;
		json_array_append_new(list, json_pack("{s:o,s:o,s:I}", "name", cliMakeText(info->name), "kind",
											  cliMakeText(info->kind), "bytes", (json_int_t)info->size));
		cliPrint(run, "removed %s%s, %.2f MB", isGraph ? "the graph " : "comparisons of clips, ", info->name,
				 1e-6 * (double)info->size);
	}
	if (choice->count == 0)
		cliWarn(run, "there was nothing to remove");
	if (run->json)
		return cliReport(run, json_pack("{s:o,s:I}", "removed", list, "library_bytes", size));
	json_decref(list);
	cliPrint(run, "%s: %.2f MB now", run->arguments[0], 1e-6 * (double)size);
	return true;
}

static bool removeChosen(cliRun* run, rpLibrary* library, const Choice* choice)
{
	rpError error = {0};
	const char** names = cliAllocate((size_t)(choice->count + 1) * sizeof(char*));
	for (int i = 0; i < choice->count; ++i)
		names[i] = choice->items[i]->name;
	bool done = rpLibrary_RemoveModels(library, names, choice->count, &error) || cliFailWork(run, &error);
	free(names);
	return done;
}

static bool runGraphRemove(cliRun* run)
{
	cliModels graphs;
	Choice choice = {0};
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openWrite);
	if (library == NULL || !cliListModels(run, library, "graph", &graphs))
		return false;
	bool done =
		chooseAll(run, library, &graphs, &choice) && removeChosen(run, library, &choice) && reportRemoved(run, &choice);
	free(choice.items);
	cliFreeModels(&graphs);
	return done;
}

static const cliOption graphRemoveOptions[] = {
	{"name", 0, "NAME", "Name of the graph; \"graph\" if not given. May be given several times."},
	{"comparisons", 0, NULL,
	 "Remove what graph build remembers of comparing clips too, or, without --name, that alone: the next build "
	 "compares "
	 "them again."},
	{0},
};

const cliCommand cliGraphRemoveCommand = {
	.name = "graph remove",
	.summary = "Remove motion graphs from a library",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "Removes all the graphs named, or none if one of them is not there. Clips stay; the file shrinks by what "
			 "is removed.",
	.options = {graphRemoveOptions},
	.examples = {{"reprise graph remove moves.reprise", "The graph called graph."},
				 {"reprise graph remove moves.reprise --name small --name old", "Two others."},
				 {"reprise graph remove moves.reprise --comparisons", "What makes the next build quick."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphRemove,
};
