/// The parametric graphs of the thesis' Table 6.1, of performed and captured motion.
#pragma once

#include "captured_spaces.h"
#include "performed_spaces.h"

enum
{
	parametric_maxNodes = 8,
	parametric_maxEdges = 20,
};

/// A graph: its nodes by name, performed ones (performedNodes) or captured spaces; its edges "walk-run", NULL: all pairs.
typedef struct ParametricGraphKind
{
	const char* name;
	const char* nodes[parametric_maxNodes];
	const char* edges;

	/// The thesis': nodes, edges, examples, and the time that it took to build, seconds; 0: it says nothing.
	int thesisNodes, thesisEdges, thesisExamples;
	double thesisSeconds;

	/// Whether edges may be partial: who turns sharply does not sit down.
	bool isPartial;
	bool isCaptured;
} ParametricGraphKind;

extern const ParametricGraphKind parametricGraphs[];
extern const int parametricGraphCount;

/// One that was built, with the spaces that it is of and what they measure.
typedef struct ParametricGraph
{
	rpSpace* spaces[parametric_maxNodes];
	const char* features[parametric_maxNodes];
	int nodeCount;
	rpParametricGraph* graph;
	rpParametricBuildReport built;

	/// Seconds for spaces and graph, and for the graph alone.
	double spaceSeconds, graphSeconds;
} ParametricGraph;

/// False, with the reason on stderr, where it cannot be built; free with parametricFree in any case. folder is that of
/// captured takes.
bool parametricMake(const ParametricGraphKind* kind, const char* folder, ParametricGraph* out);
void parametricFree(ParametricGraph* graph);
