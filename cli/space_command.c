#include "command_options.h"

const cliCommand cliSpaceCommand = {
	.name = "space",
	.summary = "Parametric spaces: from a few examples of an action to every one between them",
	.usage = "find|build|info|picture|make|list|remove ...",
	.about = "From one example of a punch all others in a library are found; what tells them apart, such as where the "
			 "fist hits, becomes the parameters of a space; and from the space comes a punch to any place between. "
			 "Spaces are kept in the library under a name.",
	.examples = {{"reprise space find 'moves.reprise#box-1@3.2..4.1' -o punches.json", "What does the same as this?"},
				 {"reprise space build moves.reprise --from punches.json --parameters right_wrist@ahead --name punch",
				  "A space of it."},
				 {"reprise space make moves.reprise --name punch --at 0.1,1.3,0.6 -o punch.bvh", "A motion of it."}},
	.maximum = -1,
};
