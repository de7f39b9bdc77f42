#include "command_options.h"
#include "pgraph_model.h"
#include "progress_bar.h"
#include "suggestion.h"

#include <stdlib.h>
#include <string.h>

// Thresholds that are tried for --trade: from this part of the edge's own to so many times as much.
#define TRADE_LOW 0.1
#define TRADE_HIGH 2.0

enum
{
	tradeCount = 39,
};

static bool findEdge(cliRun* run, const rpParametricGraph* graph, int* out)
{
	const char* text = cliGet(run, "edge");
	cliNodeNames names = cliGetNodeNames(graph);
	int source, target;
	*out = -1;
	if (text == NULL)
		return (!cliHas(run, "trade") && !cliHas(run, "axes")) ||
			   cliFailUsage(run, "for example --edge walk-run", "--trade and --axes are about one edge: --edge");
	if (!cliNodeNames_ReadEdge(run, &names, "edge", text, &source, &target))
		return false;
	*out = rpParametricGraph_FindEdge(graph, source, target);
	if (*out >= 0)
		return true;
	rpError error = {.code = rp_errorMissing};
	snprintf(error.file, sizeof error.file, "%s", run->arguments[0]);
	snprintf(error.message, sizeof error.message, "the graph has no edge %.150s", text);
	snprintf(error.hint, sizeof error.hint, "reprise pgraph info lists its edges");
	return cliFailInput(run, &error);
}

static bool findParameter(cliRun* run, const rpSpace* space, const char* text, int* out)
{
	const char* best = NULL;
	int distance = -1;
	for (int i = 0; i < space->parameterCount; ++i)
	{
		if (strcmp(space->parameters[i].name, text) == 0 || strcmp(space->parameters[i].key, text) == 0)
		{
			*out = i;
			return true;
		}
		cliSuggest(text, space->parameters[i].name, &best, &distance);
	}
	char* hint = cliFormat("did you mean \"%s\"?", best != NULL ? best : space->parameters[0].name);
	cliFailUsage(run, hint, "--axes: there is no parameter \"%.100s\"", text);
	free(hint);
	return false;
}

// Two parameters of the target; or one of the source, where the target has one alone.
static bool getAxes(cliRun* run, const rpParametricGraph* graph, int edge, int axes[2])
{
	const char *text = cliGet(run, "axes"), *comma = text != NULL ? strchr(text, ',') : NULL;
	if (text == NULL)
		return true;
	const rpSpace *source = graph->nodes[graph->edges[edge].source].space,
				  *target = graph->nodes[graph->edges[edge].target].space;
	if (source->parameterCount > 1 && target->parameterCount == 1)
		return findParameter(run, source, text, &axes[0]);
	if (source->parameterCount == 1)
		return cliFailUsage(run, NULL, "--axes: the source has one parameter; all of the target are drawn over it");
	if (comma == NULL)
		return cliFailUsage(run, "two names with a comma between them",
							"--axes needs two parameters of the target, not \"%.100s\"", text);
	char* first = cliFormat("%.*s", (int)(comma - text), text);
	bool done = findParameter(run, target, first, &axes[0]) && findParameter(run, target, comma + 1, &axes[1]);
	free(first);
	return done &&
		   (axes[0] != axes[1] || cliFailUsage(run, NULL, "--axes needs two parameters, not the same one twice"));
}

// Compared anew, as a build does.
static bool tryThresholds(cliRun* run, const rpParametricGraph* graph, int edge, rpParametricTrade* out)
{
	const rpParametricEdge* own = &graph->edges[edge];
	rpParametricNodeDef nodes[RP_MAX_PARAMETRIC_NODES];
	rpParametricEdgeDef only = {.source = own->source, .target = own->target};
	rpParametricDef def = rpDefaultParametricDef();
	float goods[tradeCount];
	rpError error = {0};
	for (int i = 0; i < graph->nodeCount; ++i)
		nodes[i] = (rpParametricNodeDef){graph->nodes[i].name, graph->nodes[i].space};
	for (int i = 0; i < tradeCount; ++i)
		goods[i] = own->good * (float)(TRADE_LOW + (TRADE_HIGH - TRADE_LOW) * i / (tradeCount - 1));
	def.nodes = nodes;
	def.nodeCount = graph->nodeCount;
	def.edges = &only;
	def.edgeCount = 1;
	def.margin = graph->margin;
	def.badFactor = own->bad / own->good;
	return rpTradeParametricEdge(&def, 0, goods, tradeCount, out, &error) || cliFailWork(run, &error);
}

static json_t* makeTrades(const rpParametricTrade* trades, int count)
{
	json_t* list = json_array();
	for (int i = 0; i < count; ++i)
		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o}", "good_m", cliMakeReal((double)trades[i].good),
											  "share_mean", cliMakeReal((double)trades[i].shareMean), "share_min",
											  cliMakeReal((double)trades[i].shareMin), "distance_m",
											  cliMakeReal((double)trades[i].distance)));
	return list;
}

static bool draw(cliRun* run, const rpParametricGraph* graph, const char* output)
{
	rpParametricPictureDef def = rpDefaultParametricPictureDef();
	rpParametricTrade trades[tradeCount] = {{0}};
	rpError error = {0};
	def.title = cliGetPgraphName(run);
	if (!findEdge(run, graph, &def.edge) || !getAxes(run, graph, def.edge, def.axes))
		return false;
	if (cliHas(run, "trade"))
	{
		if (!tryThresholds(run, graph, def.edge, trades))
			return false;
		def.trades = trades;
		def.tradeCount = tradeCount;
	}
	if (cliGetInterruption() != 0)
		return cliFail(run, cli_exitInterrupted, &error);
	if (!rpDrawParametricGraph(graph, &def, output, &error))
		return cliFailWork(run, &error);
	cliPrint(run, "%s", output);
	return !run->json || cliReport(run, json_pack("{s:o,s:o,s:o}", "name", cliMakeText(cliGetPgraphName(run)), "output",
												  cliMakeText(output), "trade", makeTrades(trades, def.tradeCount)));
}

static bool runPgraphPicture(cliRun* run)
{
	const char* output = cliGetOutput(run, ".png .svg");
	rpParametricGraph* graph = output != NULL ? cliLoadPgraph(run) : NULL;
	bool done = graph != NULL && draw(run, graph, output);
	rpDestroyParametricGraph(graph);
	return done;
}

static const cliOption pgraphPictureOptions[] = {
	CLI_OUTPUT("The picture, .png or .svg."),
	CLI_PGRAPH_NAME,
	{"edge", 0, "FROM-TO", "The boxes of this edge too: what can follow each motion of its source."},
	{"axes", 0, "NAME,NAME",
	 "Where source and target have several parameters: the two of the target that boxes are drawn over; the first two "
	 "if "
	 "not given."},
	{"trade", 0, NULL,
	 "How much of its target the edge leads to, and how near that is, at a tenth of its threshold to twice as much."},
	CLI_FORCE,
	{0},
};

const cliCommand cliPgraphPictureCommand = {
	.name = "pgraph picture",
	.summary = "Draw a parametric graph, and the boxes of an edge",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about =
		"Nodes, and edges with what counts as a good transition. With --edge below it what can follow: over the only "
		"parameter of the source a band for each parameter of the target, and where the transition is; else the boxes "
		"of "
		"six motions of the source that are far from each other. With --trade what a smaller or a larger threshold "
		"would "
		"give: more that can follow, or what is nearer.",
	.options = {pgraphPictureOptions},
	.examples =
		{{"reprise pgraph picture moves.reprise -o graph.png", "The graph called pgraph."},
		 {"reprise pgraph picture moves.reprise --edge walk-run --trade -o edge.png", "One edge of it."},
		 {"reprise pgraph picture moves.reprise --edge walk-punch --axes right_wrist.x@hit,right_wrist.z@hit -o "
		  "boxes.svg",
		  "Its boxes over two parameters."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphPicture,
};
