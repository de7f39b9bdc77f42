#include "command_options.h"
#include "model_table.h"
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

static void* load(rpLibrary* library, const char* name, rpError* error)
{
	return rpLibrary_LoadParametricGraph(library, name, error);
}

static void destroy(void* model)
{
	rpDestroyParametricGraph(model);
}

static json_t* makeRest(const void* model)
{
	const rpParametricGraph* graph = model;
	return graph != NULL ? json_pack("{s:o,s:i,s:i,s:i}", "nodes", makeNodes(graph), "edges", graph->edgeCount,
									 "samples", graph->sampleCount, "examples", countExamples(graph))
						 : json_pack("{s:n,s:n,s:n,s:n}", "nodes", "edges", "samples", "examples");
}

static void addColumns(cliTable* table, const void* model)
{
	const rpParametricGraph* graph = model;
	cliNodeNames names = graph != NULL ? cliGetNodeNames(graph) : (cliNodeNames){0};
	char* list = graph != NULL ? cliNodeNames_List(&names) : cliCopyText("?");
	cliTable_Add(table, "%s", list);
	cliTable_Add(table, graph != NULL ? "%d" : "?", graph != NULL ? graph->edgeCount : 0);
	cliTable_Add(table, graph != NULL ? "%d" : "?", graph != NULL ? countExamples(graph) : 0);
	free(list);
}

static bool runPgraphList(cliRun* run)
{
	static const cliModelTable graphs = {
		.kind = "pgraph",
		.key = "pgraphs",
		.none = "the library has no parametric graph: reprise pgraph build makes one",
		.headings = {"name", "nodes", "edges", "examples", "bytes"},
		.load = load,
		.destroy = destroy,
		.addColumns = addColumns,
		.makeRest = makeRest,
	};
	return cliListModelTable(run, &graphs);
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
