/// A parametric motion graph of a library, as the pgraph commands name it.
#pragma once

#include "pgraph_names.h"

#define CLI_PGRAPH_NAME                                                                 \
	{                                                                                   \
		"name", 0, "NAME", "Name of the graph in the library; \"pgraph\" if not given." \
	}

/// The name after --name, "pgraph" if not given.
const char* cliGetPgraphName(const cliRun* run);

/// Load the graph of the library that is the first argument. NULL: reported, with what graphs there are.
rpParametricGraph* cliLoadPgraph(cliRun* run);

/// The part of its target's ranges that boxes of an edge have: the mean, the least; and where its transitions are,
/// parts of the cores.
typedef struct cliEdgeFacts
{
	double shareMean, shareMin;
	double fromLow, fromMean, fromHigh;
	double toLow, toMean, toHigh;
	double distanceMean;

	/// Motions that lead nowhere.
	int emptyCount;
} cliEdgeFacts;

cliEdgeFacts cliGetEdgeFacts(const rpParametricGraph* graph, int edge);

/// "walk-run"; free() it.
char* cliNameEdge(const rpParametricGraph* graph, const rpParametricEdge* edge);
