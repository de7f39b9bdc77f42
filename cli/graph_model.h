/// A motion graph of a library, as the graph commands name it.
#pragma once

#include "run.h"

/// The name after --name or --model, "graph" if not given.
const char* cliGetGraphName(const cliRun* run);

/// Load the graph of the library that is the first argument. NULL: reported, with what graphs there are.
rpGraph* cliLoadGraph(cliRun* run);
