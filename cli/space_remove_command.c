#include "command_options.h"
#include "model_removal.h"

static bool runSpaceRemove(cliRun* run)
{
	return cliRemoveModels(run, "space", "space");
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
