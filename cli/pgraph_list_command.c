#include "clip.h"
#include "command_options.h"
#include "model_list.h"
#include "pgraph_model.h"

#include <stdlib.h>

static int countExamples(const rpParametricGraph* graph)
{
	int count = 0;
	for (int i = 0; i < graph->nodeCount; ++i)
		count += graph->nodes[i].space->exampleCount;
	return count;
}

static json_t* makeNodes(const rpParametricGraph* graph)
{
	json_t* list = json_array();
	for (int i = 0; i < graph->nodeCount; ++i)
		json_array_append_new(list, cliMakeText(graph->nodes[i].name));
	return list;
}

static json_t* makeRow(const rpModelInfo* info, const rpParametricGraph* graph, const rpError* error)
{
	json_t* row = json_pack("{s:o,s:I}", "name", cliMakeText(info->name), "bytes", (json_int_t)info->size);
	json_t* rest = graph != NULL
					   ? json_pack("{s:o,s:i,s:i,s:i,s:n}", "nodes", makeNodes(graph), "edges", graph->edgeCount,
								   "samples", graph->sampleCount, "examples", countExamples(graph), "problem")
					   : json_pack("{s:n,s:n,s:n,s:n,s:o}", "nodes", "edges", "samples", "examples", "problem",
								   cliMakeText(error->message));
	json_object_update_new(row, rest);
	return row;
}

static void addRow(cliTable* table, const rpModelInfo* info, const rpParametricGraph* graph)
{
	cliNodeNames names = graph != NULL ? cliGetNodeNames(graph) : (cliNodeNames){0};
	char* list = graph != NULL ? cliNodeNames_List(&names) : cliCopyText("?");
	cliTable_Add(table, "%s", info->name);
	cliTable_Add(table, "%s", list);
	cliTable_Add(table, graph != NULL ? "%d" : "?", graph != NULL ? graph->edgeCount : 0);
	cliTable_Add(table, graph != NULL ? "%d" : "?", graph != NULL ? countExamples(graph) : 0);
	cliTable_Add(table, "%zu", info->size);
	free(list);
}

static bool listAll(cliRun* run, rpLibrary* library, const cliModels* models)
{
	static const char* const headings[] = {"name", "nodes", "edges", "examples", "bytes"};
	cliTable table = {.columnCount = 5, .right = 4 | 8 | 16};
	json_t* list = json_array();
	for (int i = 0; i < 5 && !run->json && models->count > 0; ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < models->count; ++i)
	{
		// One that can no longer be used is listed too: there is no other way to learn its name.
		rpError error = {0};
		rpParametricGraph* graph = rpLibrary_LoadParametricGraph(library, models->items[i]->name, &error);
		if (graph == NULL)
			cliWarn(run, "%s cannot be used: %s", models->items[i]->name, error.message);
		if (!run->json)
			addRow(&table, models->items[i], graph);
		json_array_append_new(list, makeRow(models->items[i], graph, &error));
		rpDestroyParametricGraph(graph);
	}
	bool done = !run->json || cliReport(run, json_pack("{s:O}", "pgraphs", list));
	cliTable_Print(&table, stdout, 0);
	if (models->count == 0)
		cliWarn(run, "the library has no parametric graph: reprise pgraph build makes one");
	json_decref(list);
	return done;
}

static bool runPgraphList(cliRun* run)
{
	cliModels models;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !cliListModels(run, library, "pgraph", &models))
		return false;
	bool done = listAll(run, library, &models);
	cliFreeModels(&models);
	return done;
}

const cliCommand cliPgraphListCommand = {
	.name = "pgraph list",
	.summary = "List the parametric graphs of a library",
	.usage = "LIB.reprise",
	.about = "One line per graph: its name, its nodes, how many edges and examples it has, and its size in the "
			 "library. A graph whose clips are no longer as they were has question marks, and a remark.",
	.examples = {{"reprise pgraph list moves.reprise", "All graphs."},
				 {"reprise pgraph list moves.reprise --json | jq -r '.pgraphs[].name'", "Their names."},
				 {"reprise pgraph remove moves.reprise --name fights", "Remove one of them."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphList,
};
