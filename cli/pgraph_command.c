#include "command_options.h"

const cliCommand cliPgraphCommand = {
	.name = "pgraph",
	.summary = "Parametric motion graphs: spaces joined, played by a stick, by places and by numbers",
	.usage = "build|info|picture|walk|play|goto|reach|export|list|remove ...",
	.about =
		"Nodes are parametric spaces (reprise space), and an edge says from which motions of one to which of another "
		"there is a good transition, and where. A few spaces make a character that walks and runs where a stick "
		"points, and punches where it is told to. Graphs are kept in the library under a name.",
	.examples = {{"reprise pgraph build moves.reprise --nodes walk,run", "All edges that are good between two spaces."},
				 {"reprise pgraph walk moves.reprise --seconds 30 --seed 1 -o out.bvh", "Half a minute at random."},
				 {"reprise pgraph play moves.reprise --script steer.csv -o out.bvh", "As it is steered."}},
	.maximum = -1,
};
