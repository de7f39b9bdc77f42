/// Nodes and edges of a parametric graph as they are typed: "walk", "walk-run". Names may contain dashes.
#pragma once

#include "run.h"

/// Names of nodes, borrowed.
typedef struct cliNodeNames
{
	const char* names[RP_MAX_PARAMETRIC_NODES];
	int count;
} cliNodeNames;

cliNodeNames cliGetNodeNames(const rpParametricGraph* graph);

/// The node that the first size bytes of a text name, -1 if there is none.
int cliNodeNames_Find(const cliNodeNames* names, const char* text, size_t size);

/// The name that is most like a text, NULL if none is.
const char* cliNodeNames_Suggest(const cliNodeNames* names, const char* text);

/// In how many ways the first size bytes of a text are an edge, and the first of them.
int cliNodeNames_Split(const cliNodeNames* names, const char* text, size_t size, int* source, int* target);

/// The nodes of an edge that is typed after an option. False: reported.
bool cliNodeNames_ReadEdge(cliRun* run, const cliNodeNames* names, const char* option, const char* text, int* source,
						   int* target);

/// "walk, run"; free() it.
char* cliNodeNames_List(const cliNodeNames* names);
