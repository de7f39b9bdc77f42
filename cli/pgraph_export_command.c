#include "command_options.h"
#include "pgraph_model.h"
#include "saving.h"

static bool runPgraphExport(cliRun* run)
{
	const char* output = cliGetOutput(run, NULL);
	rpParametricGraph* graph = output != NULL ? cliLoadPgraph(run) : NULL;
	if (graph == NULL)
		return false;
	rpError error = {0};
	char* text = rpParametricGraph_Export(graph, &error);
	bool done = (text != NULL || cliFailWork(run, &error)) && cliWriteText(run, output, text);
	rpFreeText(text);
	rpDestroyParametricGraph(graph);
	if (!done)
		return false;
	if (run->json)
		return cliReport(
			run, json_pack("{s:o,s:o}", "name", cliMakeText(cliGetPgraphName(run)), "output", cliMakeText(output)));
	cliPrint(run, "%s", output);
	return true;
}

static const cliOption pgraphExportOptions[] = {
	CLI_PGRAPH_NAME,
	CLI_OUTPUT("The file to write."),
	{0},
};

const cliCommand cliPgraphExportCommand = {
	.name = "pgraph export",
	.summary = "Write a parametric graph as text",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about =
		"Nodes with their parameters; edges, each with a line for every motion of the source that was looked at: its "
		"values, the middle and the widths of the box that it leads to, and where the transition is. The same graph "
		"gives the same bytes.",
	.options = {pgraphExportOptions},
	.examples = {{"reprise pgraph export moves.reprise -o graph.txt", "All of it."},
				 {"reprise pgraph export moves.reprise -q -o /dev/stdout | grep ^edge", "Its edges."},
				 {"reprise pgraph export moves.reprise --name gaits -o gaits.txt", "Another graph."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphExport,
};
