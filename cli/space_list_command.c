#include "clip.h"
#include "command_options.h"
#include "model_list.h"
#include "space_model.h"

#include <stdlib.h>

static json_t* makeRow(const rpModelInfo* info, const rpSpace* space, const rpError* error)
{
	json_t* row = json_pack("{s:o,s:I}", "name", cliMakeText(info->name), "bytes", (json_int_t)info->size);
	json_t* rest = space != NULL
					   ? json_pack("{s:s,s:i,s:i,s:i,s:n}", "features", space->features, "clips", space->clipCount,
								   "examples", space->exampleCount, "samples", space->sampleCount, "problem")
					   : json_pack("{s:n,s:n,s:n,s:n,s:o}", "features", "clips", "examples", "samples", "problem",
								   cliMakeText(error->message));
	json_object_update_new(row, rest);
	return row;
}

static void addRow(cliTable* table, const rpModelInfo* info, const rpSpace* space)
{
	cliTable_Add(table, "%s", info->name);
	cliTable_Add(table, "%s", space != NULL ? space->features : "?");
	cliTable_Add(table, space != NULL ? "%d" : "?", space != NULL ? space->exampleCount : 0);
	cliTable_Add(table, space != NULL ? "%d" : "?", space != NULL ? space->sampleCount : 0);
	cliTable_Add(table, "%zu", info->size);
}

static bool listAll(cliRun* run, rpLibrary* library, const cliModels* models)
{
	static const char* const headings[] = {"name", "parameters", "examples", "samples", "bytes"};
	cliTable table = {.columnCount = 5, .right = 4 | 8 | 16};
	json_t* list = json_array();
	for (int i = 0; i < 5 && !run->json && models->count > 0; ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < models->count; ++i)
	{
		// One that can no longer be used is listed too: there is no other way to learn its name.
		rpError error = {0};
		rpSpace* space = rpLibrary_LoadSpace(library, models->items[i]->name, &error);
		if (space == NULL)
			cliWarn(run, "%s cannot be used: %s", models->items[i]->name, error.message);
		if (!run->json)
			addRow(&table, models->items[i], space);
		json_array_append_new(list, makeRow(models->items[i], space, &error));
		rpDestroySpace(space);
	}
	bool done = !run->json || cliReport(run, json_pack("{s:O}", "spaces", list));
	cliTable_Print(&table, stdout, 0);
	if (models->count == 0)
		cliWarn(run, "the library has no space: reprise space build makes one");
	json_decref(list);
	return done;
}

static bool runSpaceList(cliRun* run)
{
	cliModels models;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !cliListModels(run, library, "space", &models))
		return false;
	bool done = listAll(run, library, &models);
	cliFreeModels(&models);
	return done;
}

const cliCommand cliSpaceListCommand = {
	.name = "space list",
	.summary = "List the parametric spaces of a library",
	.usage = "LIB.reprise",
	.about = "One line per space: its name, what its parameters are, examples, samples, and its size in the library. A "
			 "space whose clips are no longer as they were has question marks, and a remark.",
	.examples = {{"reprise space list moves.reprise", "All spaces."},
				 {"reprise space list moves.reprise --json | jq -r '.spaces[].name'", "Their names."},
				 {"reprise space remove moves.reprise --name punch", "Remove one of them."}},
	.minimum = 1,
	.maximum = 1,
	.run = runSpaceList,
};
