#include "command_options.h"
#include "model_removal.h"

static bool runPgraphRemove(cliRun* run)
{
	return cliRemoveModels(run, "pgraph", "parametric graph");
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
