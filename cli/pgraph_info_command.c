#include "command_options.h"
#include "pgraph_model.h"
#include "space_model.h"

#include <math.h>
#include <stdlib.h>

// Above this blends are seen, metres, as pgraph build has it.
#define SEEN RP_PARAMETRIC_SEEN

static const char* getMeaning(rpAxisMeaning meaning)
{
	static const char* const names[rp_axisMeaningCount] = {
		[rp_axisPlain] = "value", [rp_axisTurn] = "turn",  [rp_axisFacing] = "facing", [rp_axisSpeed] = "speed",
		[rp_axisX] = "target_x",  [rp_axisY] = "target_y", [rp_axisZ] = "target_z",
	};
	return names[meaning];
}

// How a parameter is asked for besides by its value.
static const char* getMeans(rpAxisMeaning meaning)
{
	static const char* const texts[rp_axisMeaningCount] = {
		[rp_axisPlain] = "by its value",
		[rp_axisTurn] = "by a direction or a place to go to",
		[rp_axisFacing] = "by a direction or a place to look at",
		[rp_axisSpeed] = "by how far the stick is pushed",
		[rp_axisX] = "by a place",
		[rp_axisY] = "by a place",
		[rp_axisZ] = "by a place",
	};
	return texts[meaning];
}

// ---- what is odd

static bool hasEdge(const rpParametricGraph* graph, int node, bool leaves)
{
	bool has = false;
	for (int i = 0; i < graph->edgeCount && !has; ++i)
		has = (leaves ? graph->edges[i].source : graph->edges[i].target) == node;
	return has;
}

static void warn(cliRun* run, const rpParametricGraph* graph)
{
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		if (!hasEdge(graph, i, true))
			cliWarn(run, "dead_end: %s leads nowhere: its motions end, and that is all", graph->nodes[i].name);
		if (!hasEdge(graph, i, false) && graph->nodeCount > 1)
			cliWarn(run, "unreached: nothing leads to %s", graph->nodes[i].name);
	}
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		const rpParametricEdge* edge = &graph->edges[i];
		cliEdgeFacts facts = cliGetEdgeFacts(graph, i);
		char* name = cliNameEdge(graph, edge);
		if (edge->good > SEEN)
			cliWarn(run, "not_good: %s blends motions up to %.3f m apart, which is seen", name, (double)edge->good);
		if (facts.emptyCount > 0)
			cliWarn(run, "partial: of %s %d of %d motions lead nowhere", name, facts.emptyCount, edge->sampleCount);
		free(name);
	}
}

// ---- JSON

static json_t* makeNode(const rpParametricNode* node)
{
	json_t* list = json_array();
	const rpSpace* space = node->space;
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		json_array_append_new(list, json_pack("{s:o,s:o,s:s,s:s,s:[o,o]}", "name", cliMakeText(parameter->name), "key",
											  cliMakeText(parameter->key), "unit", cliGetValueUnit(parameter),
											  "meaning", getMeaning(node->axes[i]), "range",
											  cliMakeReal(cliShowValue(parameter, parameter->low)),
											  cliMakeReal(cliShowValue(parameter, parameter->high))));
	}
	return json_pack("{s:o,s:i,s:i,s:i,s:o}", "name", cliMakeText(node->name), "examples", space->exampleCount, "clips",
					 space->clipCount, "samples", space->sampleCount, "parameters", list);
}

static json_t* makeEdge(const rpParametricGraph* graph, int index)
{
	const rpParametricEdge* edge = &graph->edges[index];
	cliEdgeFacts facts = cliGetEdgeFacts(graph, index);
	json_t* item =
		json_pack("{s:o,s:o,s:o,s:o,s:s,s:o,s:b,s:i,s:i}", "from", cliMakeText(graph->nodes[edge->source].name), "to",
				  cliMakeText(graph->nodes[edge->target].name), "good_m", cliMakeReal((double)edge->good), "bad_m",
				  cliMakeReal((double)edge->bad), "seam", rpParametricSeam_GetName(edge->seam), "seam_s",
				  cliMakeReal((double)edge->length), "partial", edge->isPartial, "samples", edge->sampleCount, "empty",
				  facts.emptyCount);
	json_t* more =
		json_pack("{s:o,s:o,s:o,s:[o,o,o],s:[o,o,o]}", "share_mean", cliMakeReal(facts.shareMean), "share_min",
				  cliMakeReal(facts.shareMin), "nearest_mean_m", cliMakeReal(facts.distanceMean), "leaves_at",
				  cliMakeReal(facts.fromLow), cliMakeReal(facts.fromMean), cliMakeReal(facts.fromHigh), "enters_at",
				  cliMakeReal(facts.toLow), cliMakeReal(facts.toMean), cliMakeReal(facts.toHigh));
	json_object_update_new(item, more);
	return item;
}

static json_t* makeResult(cliRun* run, const rpParametricGraph* graph)
{
	json_t *nodes = json_array(), *edges = json_array();
	for (int i = 0; i < graph->nodeCount; ++i)
		json_array_append_new(nodes, makeNode(&graph->nodes[i]));
	for (int i = 0; i < graph->edgeCount; ++i)
		json_array_append_new(edges, makeEdge(graph, i));
	return json_pack("{s:o,s:o,s:o,s:i,s:o}", "name", cliMakeText(cliGetPgraphName(run)), "nodes", nodes, "edges",
					 edges, "samples", graph->sampleCount, "margin_s", cliMakeReal((double)graph->margin));
}

// ---- for people

static void printNode(cliRun* run, const rpParametricNode* node)
{
	const rpSpace* space = node->space;
	cliAnswer(run, "%s: %d example%s of %d clip%s", node->name, space->exampleCount, cliPlural(space->exampleCount),
			  space->clipCount, cliPlural(space->clipCount));
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		cliAnswer(run, "  %-24s %8.3f to %.3f %s, %s", parameter->name, cliShowValue(parameter, parameter->low),
				  cliShowValue(parameter, parameter->high), cliGetValueUnit(parameter), getMeans(node->axes[i]));
	}
}

// "at 98 % (93-104)" of a core.
static void addPlace(cliTable* table, double low, double mean, double high)
{
	cliTable_Add(table, isfinite(low) ? "%.0f %% (%.0f to %.0f)" : "-", 100.0 * mean, 100.0 * low, 100.0 * high);
}

static void printEdges(const rpParametricGraph* graph)
{
	static const char* const headings[] = {"edge",      "good",     "bad", "seam", "motions", "leads to (least)",
										   "leaves at", "enters at"};
	cliTable table = {.columnCount = 8, .right = 2 | 4 | 16 | 32 | 64 | 128};
	for (int i = 0; i < 8; ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		const rpParametricEdge* edge = &graph->edges[i];
		cliEdgeFacts facts = cliGetEdgeFacts(graph, i);
		char* name = cliNameEdge(graph, edge);
		cliTable_Add(&table, "%s", name);
		cliTable_Add(&table, "%.3f m", (double)edge->good);
		cliTable_Add(&table, "%.3f m", (double)edge->bad);
		cliTable_Add(&table, "%s %.2f s", rpParametricSeam_GetName(edge->seam), (double)edge->length);
		cliTable_Add(&table, "%d", edge->sampleCount);
		cliTable_Add(&table, "%.0f %% (%.0f)", 100.0 * facts.shareMean, 100.0 * facts.shareMin);
		addPlace(&table, facts.fromLow, facts.fromMean, facts.fromHigh);
		addPlace(&table, facts.toLow, facts.toMean, facts.toHigh);
		free(name);
	}
	cliTable_Print(&table, stdout, 2);
}

static bool runPgraphInfo(cliRun* run)
{
	rpParametricGraph* graph = cliLoadPgraph(run);
	if (graph == NULL)
		return false;
	bool done = true;
	warn(run, graph);
	if (run->json)
		done = cliReport(run, makeResult(run, graph));
	else
	{
		cliAnswer(run, "%s: %d node%s, %d edge%s, %d samples", cliGetPgraphName(run), graph->nodeCount,
				  cliPlural(graph->nodeCount), graph->edgeCount, cliPlural(graph->edgeCount), graph->sampleCount);
		for (int i = 0; i < graph->nodeCount; ++i)
			printNode(run, &graph->nodes[i]);
		printEdges(graph);
	}
	rpDestroyParametricGraph(graph);
	return done;
}

static const cliOption pgraphInfoOptions[] = {CLI_PGRAPH_NAME, {0}};

const cliCommand cliPgraphInfoCommand = {
	.name = "pgraph info",
	.summary = "What a parametric graph has: nodes, edges, and where its transitions are",
	.usage = "LIB.reprise [OPTIONS]",
	.about =
		"Nodes with their parameters, ranges, and how each is asked for. Edges with what counts as good, what is never "
		"played, how the motions are joined, how many motions of the source were looked at, and the part of the "
		"target's "
		"ranges that their boxes have (and the least that one of them has). Then where the transition is: in parts of "
		"the "
		"motion that is left, and of the one that is entered, on the average and from the earliest to the latest. What "
		"is "
		"odd is said.",
	.options = {pgraphInfoOptions},
	.examples = {{"reprise pgraph info moves.reprise", "The graph called pgraph."},
				 {"reprise pgraph info moves.reprise --name gaits", "Another one."},
				 {"reprise pgraph info moves.reprise --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runPgraphInfo,
};
