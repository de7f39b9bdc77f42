#include "parametric_graphs.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// As many examples as the thesis has of each.
static const PerformedSpace s_performed[] = {
	{"walk", rp_actWalk, "turn", {{rp_paramTurn, 0.0f, 1.0f, 44}}, 1, performed_stride},
	{"run", rp_actJog, "turn", {{rp_paramTurn, 0.0f, 1.0f, 198}}, 1, performed_stride},
	{"sit", rp_actWalkSit, "seat_height", {{rp_paramHeight, 0.0f, 1.0f, 3}}, 1, performed_core},
	{"rise", rp_actRiseWalk, "seat_height", {{rp_paramHeight, 0.0f, 1.0f, 3}}, 1, performed_core},
	{"up", rp_actWalkStepUp, "support_height", {{rp_paramHeight, 0.0f, 1.0f, 3}}, 1, performed_core},
	{"off", rp_actWalkStepOff, "support_height", {{rp_paramHeight, 0.0f, 1.0f, 3}}, 1, performed_core},
	{"leap", rp_actWalkLeap, "jump_length", {{rp_paramDistance, 0.0f, 1.0f, 2}}, 1, performed_core},
	{"punch",
	 rp_actGuardPunch,
	 "right_wrist@hit",
	 {{rp_paramHeight, 0.0f, 1.0f, 5}, {rp_paramReach, 0.0f, 1.0f, 5}, {rp_paramSide, 0.0f, 1.0f, 9}},
	 3,
	 performed_core},
	{"duck", rp_actGuardDuck, "head.y@lowest", {{rp_paramHeight, 0.0f, 1.0f, 20}}, 1, performed_core},
	{"dance", rp_actGuardDance, "facing", {{rp_paramAngle, 0.0f, 1.0f, 30}}, 1, performed_core},
};

// Captured nodes are captured spaces by other names.
static const struct
{
	const char *node, *space;
} s_captured[] = {{"walk_16", "walk_16_left"}, {"walk_69", "walk_69_left"}};

const ParametricGraphKind parametricGraphs[] = {
	{.name = "walking",
	 .nodes = {"walk"},
	 .thesisNodes = 1,
	 .thesisEdges = 1,
	 .thesisExamples = 44,
	 .thesisSeconds = 300.0},
	{.name = "running",
	 .nodes = {"run"},
	 .thesisNodes = 1,
	 .thesisEdges = 1,
	 .thesisExamples = 198,
	 .thesisSeconds = 300.0},
	{.name = "walk_run", .nodes = {"walk", "run"}, .thesisNodes = 2, .thesisEdges = 4, .thesisExamples = 242},
	{.name = "everyday",
	 .nodes = {"walk", "run", "sit", "rise", "up", "off", "leap"},
	 .edges = "walk-walk,walk-run,walk-sit,walk-up,walk-leap,run-run,run-walk,run-leap,sit-rise,rise-walk,up-off,off-walk,"
			  "leap-walk,leap-run",
	 .isPartial = true,
	 .thesisNodes = 7,
	 .thesisEdges = 14,
	 .thesisExamples = 256,
	 .thesisSeconds = 660.0},
	{.name = "boxing",
	 .nodes = {"punch", "duck", "dance"},
	 .thesisNodes = 3,
	 .thesisEdges = 9,
	 .thesisExamples = 275,
	 .thesisSeconds = 460.0},
	{.name = "walking_16", .nodes = {"walk_16"}, .isCaptured = true},
	{.name = "walking_69", .nodes = {"walk_69"}, .isCaptured = true},
};

const int parametricGraphCount = sizeof(parametricGraphs) / sizeof(parametricGraphs[0]);

// ---- nodes

static rpSpace* buildSpace(const char* features, const rpMotion* const* motions, int motionCount,
						   const rpMatch* matches, int matchCount, rpError* error)
{
	rpSpaceDef def = rpDefaultSpaceDef();
	def.features = features;
	// As many examples as there are to be: what the thesis says of its graphs hangs on how many it has.
	def.thin = false;
	return rpBuildSpace(motions, motionCount, matches, matchCount, &def, NULL, NULL, error);
}

static rpSpace* makePerformed(const PerformedSpace* kind, rpError* error)
{
	PerformedExamples examples;
	bool done = performedMake(kind, 60.0, &examples, error);
	rpSpace* space = done ? buildSpace(kind->features, (const rpMotion* const*)examples.motions, examples.count,
									   examples.matches, examples.count, error)
						  : NULL;
	performedFree(&examples);
	return space;
}

static const CapturedSpace* findCaptured(const char* node)
{
	const char* name = node;
	for (size_t i = 0; i < sizeof(s_captured) / sizeof(s_captured[0]); ++i)
	{
		name = strcmp(s_captured[i].node, node) == 0 ? s_captured[i].space : name;
	}
	for (int i = 0; i < capturedSpaceCount; ++i)
	{
		if (strcmp(capturedSpaces[i].name, name) == 0)
		{
			return &capturedSpaces[i];
		}
	}
	return NULL;
}

static rpSpace* makeCaptured(const CapturedSpace* kind, const char* folder, rpError* error)
{
	CapturedExamples examples;
	bool done = capturedFind(kind, folder, &examples);
	rpSpace* space = done ? buildSpace(kind->features, (const rpMotion* const*)examples.takes, examples.takeCount,
									   examples.matches, examples.matchCount, error)
						  : NULL;
	capturedFree(&examples);
	return space;
}

static rpSpace* makeNode(const char* name, const char* folder, const char** features, rpError* error)
{
	for (size_t i = 0; i < sizeof(s_performed) / sizeof(s_performed[0]); ++i)
	{
		if (strcmp(s_performed[i].name, name) == 0)
		{
			*features = s_performed[i].features;
			return makePerformed(&s_performed[i], error);
		}
	}
	const CapturedSpace* captured = findCaptured(name);
	*features = captured != NULL ? captured->features : NULL;
	return captured != NULL ? makeCaptured(captured, folder, error) : NULL;
}

// ---- edges

static int findNode(const ParametricGraphKind* kind, const char* name, size_t size)
{
	int node = 0;
	while (node < parametric_maxNodes && kind->nodes[node] != NULL &&
		   (strncmp(kind->nodes[node], name, size) != 0 || kind->nodes[node][size] != 0))
	{
		++node;
	}
	return node;
}

static int readEdges(const ParametricGraphKind* kind, rpParametricEdgeDef* out)
{
	int count = 0;
	for (const char* at = kind->edges; at != NULL && *at != 0;)
	{
		size_t size = strcspn(at, ","), first = strcspn(at, "-");
		out[count++] = (rpParametricEdgeDef){.source = findNode(kind, at, first),
											 .target = findNode(kind, at + first + 1, size - first - 1)};
		at += size + (at[size] == ',');
	}
	return count;
}

bool parametricMake(const ParametricGraphKind* kind, const char* folder, ParametricGraph* out)
{
	rpParametricNodeDef nodes[parametric_maxNodes];
	rpParametricEdgeDef edges[parametric_maxEdges];
	rpParametricDef def = rpDefaultParametricDef();
	rpError error = {0};
	*out = (ParametricGraph){0};
	double start = benchNow();
	bool done = true;
	for (int i = 0; i < parametric_maxNodes && kind->nodes[i] != NULL && done; ++i)
	{
		out->spaces[i] = makeNode(kind->nodes[i], folder, &out->features[i], &error);
		nodes[i] = (rpParametricNodeDef){kind->nodes[i], out->spaces[i]};
		done = out->spaces[i] != NULL;
		out->nodeCount += done;
	}
	out->spaceSeconds = benchNow() - start;
	start = benchNow();
	def.nodes = nodes;
	def.nodeCount = out->nodeCount;
	def.edges = kind->edges != NULL ? edges : NULL;
	def.edgeCount = readEdges(kind, edges);
	def.autoLimit = 1.0f;
	def.partial = kind->isPartial;
	out->graph = done ? rpBuildParametricGraph(&def, NULL, &out->built, &error) : NULL;
	out->graphSeconds = benchNow() - start;
	if (out->graph == NULL)
	{
		fprintf(stderr, "reprise-bench: %s: %s\n", kind->name, error.message[0] != 0 ? error.message : "no examples");
	}
	return out->graph != NULL;
}

void parametricFree(ParametricGraph* graph)
{
	rpDestroyParametricGraph(graph->graph);
	rpParametricBuildReport_Free(&graph->built);
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		rpDestroySpace(graph->spaces[i]);
	}
}
