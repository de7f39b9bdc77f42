/// A motion graph of a library, as the graph commands name it.
#pragma once

#include "command_options.h"
#include "run.h"

/// The name after --name or --model, "graph" if not given.
const char* cliGetGraphName(const cliRun* run);

/// Load the graph of the library that is the first argument. NULL: reported, with what graphs there are.
rpGraph* cliLoadGraph(cliRun* run);

#define CLI_GRAPH_NAME                                                                 \
	{                                                                                  \
		"name", 0, "NAME", "Name of the graph in the library; \"graph\" if not given." \
	}

#define CLI_GRAPH_RESULT                                                                           \
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),                                        \
		{"fps", 0, "F", "Frames per second of the result; those of the first clip if not given."}, \
		{"no-lock", 0, NULL, "Leave the feet as the blends have them."}, CLI_SAVING_OPTIONS
