#include "command_options.h"
#include "model_table.h"
#include "space_model.h"

static void* load(rpLibrary* library, const char* name, rpError* error)
{
	return rpLibrary_LoadSpace(library, name, error);
}

static void destroy(void* model)
{
	rpDestroySpace(model);
}

static json_t* makeRest(const void* model)
{
	const rpSpace* space = model;
	return space != NULL ? json_pack("{s:s,s:i,s:i,s:i}", "features", space->features, "clips", space->clipCount,
									 "examples", space->exampleCount, "samples", space->sampleCount)
						 : json_pack("{s:n,s:n,s:n,s:n}", "features", "clips", "examples", "samples");
}

static void addColumns(cliTable* table, const void* model)
{
	const rpSpace* space = model;
	cliTable_Add(table, "%s", space != NULL ? space->features : "?");
	cliTable_Add(table, space != NULL ? "%d" : "?", space != NULL ? space->exampleCount : 0);
	cliTable_Add(table, space != NULL ? "%d" : "?", space != NULL ? space->sampleCount : 0);
}

static bool runSpaceList(cliRun* run)
{
	static const cliModelTable spaces = {
		.kind = "space",
		.key = "spaces",
		.none = "the library has no space: reprise space build makes one",
		.headings = {"name", "parameters", "examples", "samples", "bytes"},
		.load = load,
		.destroy = destroy,
		.addColumns = addColumns,
		.makeRest = makeRest,
	};
	return cliListModelTable(run, &spaces);
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
