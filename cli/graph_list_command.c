#include "clip.h"
#include "command_options.h"
#include "graph_model.h"
#include "model_list.h"
#include "progress_bar.h"

/// What a row of the list shows.
typedef struct GraphFacts
{
	int frames, transitions;
	double seconds;
} GraphFacts;

static GraphFacts getFacts(const rpGraph* graph)
{
	GraphFacts facts = {0};
	int used = 0;
	for (int i = 0; i < graph->clipCount; ++i)
		facts.frames += graph->clips[i].frameCount;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		bool isTransition = rpGraphEdge_IsTransition(&graph->edges[e]);
		facts.transitions += isTransition;
		used += isTransition ? 0 : graph->edges[e].frameCount;
	}
	facts.seconds = used / graph->fps;
	return facts;
}

static void addHeadings(cliTable* table)
{
	static const char* const headings[] = {"name",        "clips",   "frames",   "nodes",
										   "transitions", "seconds", "steering", "bytes"};
	for (size_t i = 0; i < sizeof headings / sizeof headings[0]; ++i)
		cliTable_Add(table, "%s", headings[i]);
}

static void addRow(cliTable* table, const rpModelInfo* info, const rpGraph* graph)
{
	cliTable_Add(table, "%s", info->name);
	if (graph != NULL)
	{
		GraphFacts facts = getFacts(graph);
		cliTable_Add(table, "%d", graph->clipCount);
		cliTable_Add(table, "%d", facts.frames);
		cliTable_Add(table, "%d", graph->nodeCount);
		cliTable_Add(table, "%d", facts.transitions);
		cliTable_Add(table, "%.1f", facts.seconds);
		cliTable_Add(table, "%s", graph->steering != NULL ? "yes" : "no");
	}
	for (int i = 0; graph == NULL && i < 6; ++i)
		cliTable_Add(table, "?");
	cliTable_Add(table, "%zu", info->size);
}

static json_t* makeRow(const rpModelInfo* info, const rpGraph* graph, const rpError* error)
{
	json_t* row = json_pack("{s:o,s:I}", "name", cliMakeText(info->name), "bytes", (json_int_t)info->size);
	GraphFacts facts = graph != NULL ? getFacts(graph) : (GraphFacts){0};
	json_t* rest = graph != NULL
					   ? json_pack("{s:i,s:i,s:i,s:i,s:o,s:b,s:n}", "clips", graph->clipCount, "frames", facts.frames,
								   "nodes", graph->nodeCount, "transitions", facts.transitions, "seconds",
								   cliMakeReal(facts.seconds), "steering", graph->steering != NULL, "problem")
					   : json_pack("{s:n,s:n,s:n,s:n,s:n,s:n,s:o}", "clips", "frames", "nodes", "transitions",
								   "seconds", "steering", "problem", cliMakeText(error->message));
	json_object_update_new(row, rest);
	return row;
}

static bool listAll(cliRun* run, rpLibrary* library, const cliModels* models)
{
	cliTable table = {.columnCount = 8, .right = 2 | 4 | 8 | 16 | 32 | 128};
	json_t* list = json_array();
	bool done = true;
	if (!run->json && models->count > 0)
		addHeadings(&table);
	for (int i = 0; i < models->count && done; ++i)
	{
		// One that can no longer be used is listed too: there is no other way to learn its name.
		rpError error = {0};
		rpGraph* graph = rpLibrary_LoadGraph(library, models->items[i]->name, &error);
		if (graph == NULL)
			cliWarn(run, "%s cannot be used: %s", models->items[i]->name, error.message);
		if (!run->json)
			addRow(&table, models->items[i], graph);
		json_array_append_new(list, makeRow(models->items[i], graph, &error));
		rpDestroyGraph(graph);
		done = cliGetInterruption() == 0 || cliFail(run, cli_exitInterrupted, &error);
	}
	if (done && run->json)
		done = cliReport(run, json_pack("{s:O}", "graphs", list));
	cliTable_Print(&table, stdout, 0);
	if (models->count == 0)
		cliWarn(run, "the library has no graph: reprise graph build makes one");
	json_decref(list);
	return done;
}

static bool runGraphList(cliRun* run)
{
	cliModels models;
	rpLibrary* library = cliOpenLibrary(run, run->arguments[0], rp_openRead);
	if (library == NULL || !cliListModels(run, library, "graph", &models))
		return false;
	bool done = listAll(run, library, &models);
	cliFreeModels(&models);
	return done;
}

const cliCommand cliGraphListCommand = {
	.name = "graph list",
	.summary = "List the motion graphs of a library",
	.usage = "LIB.reprise",
	.about = "One line per graph: its name, clips and their frames (mirror images count too), nodes, transitions, "
			 "seconds of the clips that walks can use, whether it has a steering table, and its size in the library. A "
			 "graph whose clips are no longer as they were has question marks, and a remark.",
	.examples = {{"reprise graph list moves.reprise", "All graphs."},
				 {"reprise graph list moves.reprise --json | jq -r '.graphs[].name'", "Their names."},
				 {"reprise graph remove moves.reprise --name small", "Remove one of them."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphList,
};
