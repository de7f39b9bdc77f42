#include "clip.h"
#include "clock.h"
#include "command_options.h"
#include "model_list.h"
#include "pgraph_model.h"
#include "progress_bar.h"
#include "space_model.h"
#include "suggestion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// What is built: nodes with their spaces, and edges.
typedef struct Plan
{
	rpLibrary* library;
	cliNodeNames names;
	char* copies[RP_MAX_PARAMETRIC_NODES];
	rpSpace* spaces[RP_MAX_PARAMETRIC_NODES];
	rpParametricNodeDef nodes[RP_MAX_PARAMETRIC_NODES];
	rpParametricEdgeDef edges[RP_MAX_PARAMETRIC_EDGES];
	int edgeCount;
	rpParametricDef def;
} Plan;

static void freePlan(Plan* plan)
{
	for (int i = 0; i < plan->names.count; ++i)
	{
		rpDestroySpace(plan->spaces[i]);
		free(plan->copies[i]);
	}
}

// ---- nodes

static bool hasSpace(const cliModels* spaces, const char* name, const char** suggestion)
{
	int distance = -1;
	*suggestion = NULL;
	for (int i = 0; i < spaces->count; ++i)
	{
		if (strcmp(spaces->items[i]->name, name) == 0)
			return true;
		cliSuggest(name, spaces->items[i]->name, suggestion, &distance);
	}
	return false;
}

static bool failSpace(cliRun* run, const Plan* plan, const char* name, const char* suggestion)
{
	rpError error = {.code = rp_errorMissing};
	snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
	snprintf(error.message, sizeof error.message, "the library has no space \"%.150s\"", name);
	cliHintAtModels(plan->library, "space", "build one: reprise space build", &error);
	if (suggestion != NULL)
		snprintf(error.hint, sizeof error.hint, "did you mean \"%.150s\"?", suggestion);
	return cliFailInput(run, &error);
}

// "walk", or "stroll=walk": a node of another name than its space. A space that really has such a name wins.
static bool addNode(cliRun* run, Plan* plan, const cliModels* spaces, const char* text)
{
	rpError error = {0};
	const char *suggestion, *sign = strchr(text, '='), *space = text;
	bool isNamed = sign != NULL && !hasSpace(spaces, text, &suggestion);
	int index = plan->names.count;
	if (index == RP_MAX_PARAMETRIC_NODES)
		return cliFailUsage(run, NULL, "a graph has %d nodes at most", RP_MAX_PARAMETRIC_NODES);
	space = isNamed ? sign + 1 : text;
	if (space[0] == 0 || (isNamed && sign == text))
		return cliFailUsage(run, "names of spaces separated by commas, or NODE=SPACE",
							"--nodes: \"%.150s\" names no space", text);
	if (!hasSpace(spaces, space, &suggestion))
		return failSpace(run, plan, space, suggestion);
	plan->spaces[index] = rpLibrary_LoadSpace(plan->library, space, &error);
	if (plan->spaces[index] == NULL)
		return cliFailInput(run, &error);
	plan->copies[index] = isNamed ? cliFormat("%.*s", (int)(sign - text), text) : cliCopyText(text);
	plan->names.names[index] = plan->copies[index];
	plan->nodes[index] = (rpParametricNodeDef){plan->copies[index], plan->spaces[index]};
	++plan->names.count;
	return true;
}

// Those of --nodes, or all spaces that there are.
static bool addNodes(cliRun* run, Plan* plan)
{
	cliModels spaces;
	const char* list;
	if (!cliListModels(run, plan->library, "space", &spaces))
		return false;
	bool done = spaces.count > 0;
	if (!done)
	{
		rpError error = {.code = rp_errorMissing, .message = "the library has no space to make a node of"};
		snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
		snprintf(error.hint, sizeof error.hint,
				 "build spaces first: reprise space find %.60s#CLIP@A..B, reprise space build %.60s", run->arguments[0],
				 run->arguments[0]);
		cliFailInput(run, &error);
	}
	for (int i = 0; i < spaces.count && done && !cliHas(run, "nodes"); ++i)
		done = addNode(run, plan, &spaces, spaces.items[i]->name);
	for (int n = 0; done && (list = cliGetNth(run, "nodes", n)) != NULL; ++n)
	{
		while (list != NULL && done)
		{
			const char* comma = strchr(list, ',');
			char* part = cliFormat("%.*s", comma != NULL ? (int)(comma - list) : (int)strlen(list), list);
			done = addNode(run, plan, &spaces, part);
			free(part);
			list = comma != NULL ? comma + 1 : NULL;
		}
	}
	cliFreeModels(&spaces);
	return done;
}

// ---- edges

static int findSeam(const char* text)
{
	int seam = 0;
	while (seam < rp_parametricSeamCount && strcmp(text, rpParametricSeam_GetName((rpParametricSeam)seam)) != 0)
		++seam;
	return seam < rp_parametricSeamCount ? seam : -1;
}

// A field behind the nodes: a threshold, of which there are two at most, or a seam.
static bool readField(cliRun* run, const char* text, const char* field, int* thresholds, rpParametricEdgeDef* edge)
{
	double number;
	int seam = findSeam(field);
	if (seam >= 0)
	{
		edge->seam = (rpParametricSeam)seam;
		return true;
	}
	if (!cliParseNumber(field, &number) || *thresholds == 2)
		return cliFailUsage(run, "FROM-TO[:GOOD[:BAD]][:SEAM], metres, and smooth, linear, velocity or displace",
							*thresholds == 2 ? "--edges: there is a third number, \"%.60s\", in \"%.150s\""
											 : "--edges: \"%.60s\" of \"%.150s\" is neither a threshold nor a seam",
							field, text);
	if (!(number > 0.0 && number <= 10.0))
		return cliFailUsage(run, "leave it out, and it is found",
							"--edges: a threshold of %.60s m in \"%.150s\"; above 0 to 10 m are allowed", field, text);
	*((*thresholds)++ == 0 ? &edge->good : &edge->bad) = (float)number;
	return *thresholds < 2 || edge->bad >= edge->good ||
		   cliFailUsage(run, NULL, "--edges: what is bad, %g m, is nearer than what is good, %g m, in \"%.150s\"",
						(double)edge->bad, (double)edge->good, text);
}

// Where the nodes of an edge end: before the first colon where what is before it is an edge; names may have colons.
static size_t findFields(const cliNodeNames* names, const char* text)
{
	int source, target;
	size_t size = strlen(text);
	for (size_t i = 0; i <= size; ++i)
		if ((i == size || text[i] == ':') && cliNodeNames_Split(names, text, i, &source, &target) > 0)
			return i;
	return strcspn(text, ":");
}

// "walk-run", "walk-run:0.2:0.24:velocity".
static bool addEdge(cliRun* run, Plan* plan, const char* text)
{
	if (plan->edgeCount == RP_MAX_PARAMETRIC_EDGES)
		return cliFailUsage(run, NULL, "a graph has %d edges at most", RP_MAX_PARAMETRIC_EDGES);
	rpParametricEdgeDef* edge = &plan->edges[plan->edgeCount++];
	*edge = (rpParametricEdgeDef){0};
	int index = plan->edgeCount - 1;
	size_t size = findFields(&plan->names, text);
	char* nodes = cliFormat("%.*s", (int)size, text);
	bool done = cliNodeNames_ReadEdge(run, &plan->names, "edges", nodes, &edge->source, &edge->target);
	free(nodes);
	for (int i = 0; i < index && done; ++i)
		if (plan->edges[i].source == edge->source && plan->edges[i].target == edge->target)
			return cliFailUsage(run, NULL, "--edges names the edge from %s to %s twice",
								plan->names.names[edge->source], plan->names.names[edge->target]);
	int thresholds = 0;
	for (const char* rest = text + size; done && *rest == ':';)
	{
		size_t length = strcspn(++rest, ":");
		char* field = cliFormat("%.*s", (int)length, rest);
		done = readField(run, text, field, &thresholds, edge);
		free(field);
		rest += length;
	}
	return done;
}

static bool addEdges(cliRun* run, Plan* plan)
{
	const char* list;
	bool isAuto = true, done = true;
	for (int n = 0; done && (list = cliGetNth(run, "edges", n)) != NULL; ++n)
	{
		isAuto = isAuto && strcmp(list, "auto") == 0;
		while (list != NULL && done && !isAuto)
		{
			const char* comma = strchr(list, ',');
			char* part = cliFormat("%.*s", comma != NULL ? (int)(comma - list) : (int)strlen(list), list);
			done = addEdge(run, plan, part);
			free(part);
			list = comma != NULL ? comma + 1 : NULL;
		}
	}
	if (done && !isAuto && !plan->def.partial && cliHas(run, "limit"))
		return cliFailUsage(run, NULL, "--limit is about edges that are found; these are given");
	plan->def.edges = isAuto ? NULL : plan->edges;
	plan->def.edgeCount = plan->edgeCount;
	return done;
}

// ---- numbers

static bool getFloat(cliRun* run, const char* option, double low, double high, float* out)
{
	double value = (double)*out;
	if (!cliGetNumber(run, option, low, high, &value))
		return false;
	*out = (float)value;
	return true;
}

// "24", or "24,1000": of sources, and of targets.
static bool getSamples(cliRun* run, rpParametricDef* def)
{
	const char* text = cliGet(run, "samples");
	if (text == NULL)
		return true;
	const char* comma = strchr(text, ',');
	char* first = cliFormat("%.*s", comma != NULL ? (int)(comma - text) : (int)strlen(text), text);
	double source, target = def->targetSamples;
	bool done = cliParseNumber(first, &source) && (comma == NULL || cliParseNumber(comma + 1, &target)) &&
				source >= 1.0 && source <= 10000.0 && source == floor(source) && target >= 1.0 && target <= 100000.0 &&
				target == floor(target);
	free(first);
	def->sourceSamples = done ? (int)source : 0;
	def->targetSamples = done ? (int)target : 0;
	return done || cliFailUsage(run, "for example --samples 64,1000",
								"--samples needs how many motions of sources, 1 to 10000, and of targets, 1 to 100000, "
								"not \"%.100s\"",
								text);
}

static bool getDef(cliRun* run, rpParametricDef* def)
{
	double seed = (double)def->seed;
	def->partial = cliHas(run, "partial");
	def->progress = cliStepBar;
	if (cliHas(run, "coverage") && !def->partial)
		return cliFailUsage(run, NULL, "--coverage is about edges that are partial: --partial");
	if (!getSamples(run, def) || !getFloat(run, "coverage", 0.0, 1.0, &def->coverage) ||
		!cliGetNumber(run, "seed", 0.0, 4e9, &seed) || !getFloat(run, "share", 0.0, 1.0, &def->share) ||
		!getFloat(run, "margin", 0.0, 2.0, &def->margin) || !getFloat(run, "seam", 0.02, 2.0, &def->seamLength) ||
		!getFloat(run, "limit", 0.0, 10.0, &def->autoLimit))
		return false;
	def->seed = (uint64_t)seed;
	return true;
}

// ---- the report

static const char* getName(const Plan* plan, int node)
{
	return plan->names.names[node];
}

static json_t* makeEdge(const Plan* plan, const rpParametricEdgeReport* edge)
{
	json_t* item = json_pack("{s:o,s:o,s:b,s:b,s:o,s:o}", "from", cliMakeText(getName(plan, edge->source)), "to",
							 cliMakeText(getName(plan, edge->target)), "made", edge->isMade, "found", edge->isFound,
							 "good_m", cliMakeReal((double)edge->good), "bad_m", cliMakeReal((double)edge->bad));
	bool isMeasured = edge->sampleCount > 0;
	json_t* more =
		json_pack("{s:o,s:o,s:o,s:o,s:o,s:i,s:i,s:i,s:o}", "share_mean",
				  isMeasured ? cliMakeReal((double)edge->shareMean) : json_null(), "share_min",
				  isMeasured ? cliMakeReal((double)edge->shareMin) : json_null(), "nearest_mean_m",
				  cliMakeReal((double)edge->distanceMean), "nearest_max_m", cliMakeReal((double)edge->distanceMax),
				  "farthest", cliMakeValues(plan->spaces[edge->source], edge->farthest), "samples", edge->sampleCount,
				  "empty", edge->emptyCount, "trimmed", edge->trimmedCount, "seconds", cliMakeReal(edge->seconds));
	json_object_update_new(item, more);
	return item;
}

static json_t* makeResult(cliRun* run, const Plan* plan, const rpParametricGraph* graph,
						  const rpParametricBuildReport* built, double seconds)
{
	json_t *nodes = json_array(), *edges = json_array();
	for (int i = 0; i < plan->names.count; ++i)
		json_array_append_new(nodes, json_pack("{s:o,s:i}", "name", cliMakeText(getName(plan, i)), "examples",
											   plan->spaces[i]->exampleCount));
	for (int i = 0; i < built->edgeCount; ++i)
		json_array_append_new(edges, makeEdge(plan, &built->edges[i]));
	return json_pack("{s:o,s:o,s:o,s:i,s:o}", "name", cliMakeText(cliGetPgraphName(run)), "nodes", nodes, "edges",
					 edges, "samples", graph->sampleCount, "build_seconds", cliMakeReal(seconds));
}

// What it would take, or how much of the target motions of the source lead to.
static void addRow(cliTable* table, const Plan* plan, const rpParametricEdgeReport* edge)
{
	cliTable_Add(table, "%s-%s", getName(plan, edge->source), getName(plan, edge->target));
	if (isfinite(edge->good))
		cliTable_Add(table, "%.3f m", (double)edge->good);
	else
		cliTable_Add(table, "-");
	if (edge->isMade)
		cliTable_Add(table, "%.3f m", (double)edge->bad);
	else
		cliTable_Add(table, "left out");
	if (edge->sampleCount > 0)
		cliTable_Add(table, "%.0f %% (%.0f)", 100.0 * (double)edge->shareMean, 100.0 * (double)edge->shareMin);
	else
		cliTable_Add(table, "-");
	cliTable_Add(table, "%.3f m", (double)edge->distanceMean);
}

static void printEdges(const Plan* plan, const rpParametricBuildReport* built)
{
	static const char* const headings[] = {"edge", "good", "bad", "leads to (least)", "nearest"};
	cliTable table = {.columnCount = 5, .right = 2 | 4 | 8 | 16};
	for (int i = 0; i < 5; ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < built->edgeCount; ++i)
		addRow(&table, plan, &built->edges[i]);
	cliTable_Print(&table, stdout, 2);
}

static bool report(cliRun* run, const Plan* plan, const rpParametricGraph* graph, const rpParametricBuildReport* built,
				   double seconds)
{
	if (run->json)
		return cliReport(run, makeResult(run, plan, graph, built, seconds));
	cliPrint(run, "%s: %d node%s, %d edge%s; %.2f s", cliGetPgraphName(run), graph->nodeCount,
			 cliPlural(graph->nodeCount), graph->edgeCount, cliPlural(graph->edgeCount), seconds);
	if (!run->quiet)
		printEdges(plan, built);
	return true;
}

static bool build(cliRun* run, Plan* plan)
{
	rpFindings findings = {0};
	rpParametricBuildReport built = {0};
	rpError error = {0};
	double start = cliGetSeconds();
	plan->def.nodes = plan->nodes;
	plan->def.nodeCount = plan->names.count;
	cliStartBar(run->quiet);
	rpParametricGraph* graph = rpBuildParametricGraph(&plan->def, &findings, &built, &error);
	cliEndBar();
	double seconds = cliGetSeconds() - start;
	for (int i = 0; i < findings.count; ++i)
	{
		char* text = cliFormatFinding(&findings.items[i]);
		cliWarn(run, "%s", text);
		free(text);
	}
	bool isKept = graph != NULL && rpLibrary_PutParametricGraph(plan->library, cliGetPgraphName(run), graph, &error);
	bool done = isKept ? report(run, plan, graph, &built, seconds) : cliFailWork(run, &error);
	rpParametricBuildReport_Free(&built);
	rpDestroyParametricGraph(graph);
	rpFindings_Free(&findings);
	return done;
}

static bool runPgraphBuild(cliRun* run)
{
	Plan* plan = cliAllocate(sizeof(Plan));
	*plan = (Plan){.def = rpDefaultParametricDef()};
	bool done = getDef(run, &plan->def) &&
				(plan->library = cliOpenLibrary(run, run->arguments[0], rp_openWrite)) != NULL &&
				cliCheckModelName(run, plan->library, "pgraph", cliGetPgraphName(run)) && addNodes(run, plan) &&
				addEdges(run, plan) && build(run, plan);
	freePlan(plan);
	free(plan);
	return done;
}

static const cliOption pgraphBuildOptions[] = {
	{"nodes", 0, "SPACE,...",
	 "Spaces of the library that become nodes, each under its own name or, NODE=SPACE, under another; all spaces if "
	 "not "
	 "given."},
	{"edges", 0, "EDGE,...",
	 "FROM-TO[:GOOD[:BAD]][:SEAM]: an edge between two nodes, with what counts as a good transition and what is never "
	 "played (metres; found if not given), and how one motion becomes the other: smooth (as usual), linear, velocity "
	 "or "
	 "displace. auto, or not given: all pairs are tried."},
	{"limit", 0, "M",
	 "Of edges that are tried those are kept whose threshold is found to be at most this, metres; 0.15."},
	{"share", 0, "S", "Thresholds that are found are the least that lead each motion to this part of the target; 0.3."},
	{"samples", 0, "NS,NT",
	 "Motions of each source and of each target that are compared; 24, 64, 125 ... by how many parameters the source "
	 "has, and 1000."},
	{"partial", 0, NULL,
	 "Edges may be partial: some motions of the source lead nowhere, and others are played instead."},
	{"coverage", 0, "C",
	 "With --partial, where it takes more than --limit for all motions of a source to lead to so much: the part of "
	 "them "
	 "that must; 0.5."},
	{"margin", 0, "S", "Seconds around the ends of motions in which transitions are looked for, to either side; 0.2."},
	{"seam", 0, "S", "Seconds that going over from one motion to the next takes; 0.3."},
	{"seed", 0, "N", "Which motions are compared; 1."},
	CLI_PGRAPH_NAME,
	{0},
};

const cliCommand cliPgraphBuildCommand = {
	.name = "pgraph build",
	.summary = "Build a parametric motion graph of spaces of a library",
	.usage = "LIB.reprise [OPTIONS]",
	.about =
		"Motions of each source, the extremes among them, are compared with a thousand of each target where the one "
		"ends and the other begins. What is near enough encloses a box of the target's parameters, which is made "
		"smaller until nothing that is bad is inside: from there any motion of the box can follow.\n\n"
		"The report says of each edge what counts as good, what is never played, the part of the target that motions "
		"of the source lead to (and the least that one of them does), and how far the nearest are from them.",
	.options = {pgraphBuildOptions},
	.examples =
		{{"reprise pgraph build moves.reprise", "Of all spaces, with all edges that are good."},
		 {"reprise pgraph build moves.reprise --nodes walk,run --edges walk-walk,run-run,walk-run:0.2:0.24,run-walk "
		  "--name gaits",
		  "Edges by hand; one with thresholds."},
		 {"reprise pgraph build moves.reprise --nodes walk,punch --partial --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphBuild,
};
