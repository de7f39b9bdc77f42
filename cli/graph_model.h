/// A motion graph of a library, as the graph commands name it.
#pragma once

#include "run.h"

/// The name after --name or --model, "graph" if not given.
const char* cliGetGraphName(const cliRun* run);

/// Load the graph of the library that is the first argument. NULL: reported, with what graphs there are.
rpGraph* cliLoadGraph(cliRun* run);

#define CLI_GRAPH_NAME                                                                 \
	{                                                                                  \
		"name", 0, "NAME", "Name of the graph in the library; \"graph\" if not given." \
	}

#define CLI_GRAPH_RESULT                                                                                            \
	CLI_OUTPUT("The motion to write, .bvh, .glb or .csv."),                                                         \
		{"fps", 0, "F", "Frames per second of the result; those of the first clip if not given."},                  \
		{"no-lock", 0, NULL, "Leave the feet as the blends have them."},                                            \
		{"unit", 0, "m|cm|mm|in", "Unit of length of a BVH or CSV file; metres if not given."},                     \
		{"no-mesh", 0, NULL, "GLB only: the skeleton alone, without a body."},                                      \
	{                                                                                                               \
		"no-sidecar", 0, NULL, "Do not write the JSON file with labels, contacts and provenance beside the output." \
	}
