#include "clip.h"
#include "command_options.h"
#include "graph_model.h"
#include "saving.h"

#include <stdlib.h>

// ---- info

/// What a graph holds of one label.
typedef struct LabelFacts
{
	int frames, componentFrames, componentNodes;
} LabelFacts;

static LabelFacts getFacts(const rpGraph* graph, int label, bool* inComponent)
{
	LabelFacts facts = {.componentNodes = rpGraph_FindComponent(graph, label, inComponent, NULL)};
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		if (rpGraphEdge_IsTransition(edge) || (edge->labels >> label & 1) == 0)
			continue;
		facts.frames += edge->frameCount;
		if (facts.componentNodes > 0 && inComponent[edge->from] && inComponent[edge->to])
			facts.componentFrames += edge->frameCount;
	}
	return facts;
}

static int countTransitions(const rpGraph* graph)
{
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
		count += rpGraphEdge_IsTransition(&graph->edges[e]);
	return count;
}

static json_t* makeLabels(const rpGraph* graph, bool* inComponent)
{
	json_t* list = json_array();
	for (int i = 0; i < graph->labelCount; ++i)
	{
		LabelFacts facts = getFacts(graph, i, inComponent);
		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:i}", "label", cliMakeText(graph->labels[i]), "seconds",
											  cliMakeReal(facts.frames / graph->fps), "endless_s",
											  cliMakeReal(facts.componentFrames / graph->fps), "nodes",
											  facts.componentNodes));
	}
	return list;
}

// The shortest, the mean and the longest transition, seconds.
static void getLengths(const rpGraph* graph, double out[3])
{
	double sum = 0.0, min = INFINITY, max = 0.0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		double seconds = graph->edges[e].frameCount / graph->fps;
		bool isTransition = rpGraphEdge_IsTransition(&graph->edges[e]);
		sum += isTransition ? seconds : 0.0;
		min = isTransition ? fmin(min, seconds) : min;
		max = isTransition ? fmax(max, seconds) : max;
	}
	out[0] = min;
	out[1] = sum / countTransitions(graph);
	out[2] = max;
}

// Frames of each clip that walks can use.
static int* countUsed(const rpGraph* graph)
{
	int* used = cliAllocate((size_t)graph->clipCount * sizeof(int));
	for (int i = 0; i < graph->clipCount; ++i)
		used[i] = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		const rpGraphEdge* edge = &graph->edges[e];
		used[graph->nodes[edge->from].clip] += !rpGraphEdge_IsTransition(edge) ? edge->frameCount : 0;
	}
	return used;
}

static double getShare(const rpGraphClip* clip, int used)
{
	return clip->frameCount > 1 ? (double)used / (clip->frameCount - 1) : 0.0;
}

static json_t* makeClips(const rpGraph* graph)
{
	int* used = countUsed(graph);
	json_t* list = json_array();
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpGraphClip* clip = &graph->clips[i];
		json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:o}", "name", cliMakeText(clip->name), "seconds",
											  cliMakeReal((clip->frameCount - 1) / graph->fps), "used_s",
											  cliMakeReal(used[i] / graph->fps), "share",
											  cliMakeReal(getShare(clip, used[i]))));
	}
	free(used);
	return list;
}

static void printClips(const rpGraph* graph)
{
	cliTable table = {.columnCount = 4, .right = 2 | 4 | 8};
	int* used = countUsed(graph);
	static const char* const headings[] = {"clip", "seconds", "used", "share"};
	for (int i = 0; i < 4; ++i)
		cliTable_Add(&table, "%s", headings[i]);
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpGraphClip* clip = &graph->clips[i];
		cliTable_Add(&table, "%s", clip->name);
		cliTable_Add(&table, "%.1f", (clip->frameCount - 1) / graph->fps);
		cliTable_Add(&table, "%.1f", used[i] / graph->fps);
		cliTable_Add(&table, "%.0f %%", 100.0 * getShare(clip, used[i]));
	}
	cliTable_Print(&table, stdout, 2);
	free(used);
}

static void printGraph(cliRun* run, const rpGraph* graph, bool* inComponent)
{
	double lengths[3];
	getLengths(graph, lengths);
	int transitions = countTransitions(graph);
	cliAnswer(run, "%s: %d clip%s, %d node%s, %d edge%s, %d of them transition%s of %.2f to %.2f s, mean %.2f s",
			  cliGetGraphName(run), graph->clipCount, cliPlural(graph->clipCount), graph->nodeCount,
			  cliPlural(graph->nodeCount), graph->edgeCount, cliPlural(graph->edgeCount), transitions,
			  cliPlural(transitions), lengths[0], lengths[2], lengths[1]);
	for (int i = 0; i < graph->labelCount; ++i)
	{
		LabelFacts facts = getFacts(graph, i, inComponent);
		cliAnswer(run, "  %-16s %8.1f s of it in the graph, %8.1f s go on for ever", graph->labels[i],
				  facts.frames / graph->fps, facts.componentFrames / graph->fps);
	}
	if (cliHas(run, "clips"))
		printClips(graph);
}

static bool runGraphInfo(cliRun* run)
{
	rpGraph* graph = cliLoadGraph(run);
	if (graph == NULL)
		return false;
	bool* inComponent = cliAllocate((size_t)graph->nodeCount * sizeof(bool));
	bool done = true;
	double lengths[3];
	getLengths(graph, lengths);
	if (run->json)
	{
		json_t* result = json_pack(
			"{s:o,s:i,s:i,s:i,s:i,s:o,s:o,s:o,s:o,s:o}", "name", cliMakeText(cliGetGraphName(run)), "clips",
			graph->clipCount, "nodes", graph->nodeCount, "edges", graph->edgeCount, "transitions",
			countTransitions(graph), "fps", cliMakeReal(graph->fps), "blend_s", cliMakeReal(lengths[1]), "blend_min_s",
			cliMakeReal(lengths[0]), "blend_max_s", cliMakeReal(lengths[2]), "labels", makeLabels(graph, inComponent));
		if (cliHas(run, "clips"))
			json_object_set_new(result, "clip_list", makeClips(graph));
		done = cliReport(run, result);
	}
	else
		printGraph(run, graph, inComponent);
	free(inComponent);
	rpDestroyGraph(graph);
	return done;
}

static const cliOption graphInfoOptions[] = {
	CLI_GRAPH_NAME,
	{"clips", 0, NULL, "List its clips too: how long each is, and how much of it walks can use."},
	{0},
};

const cliCommand cliGraphInfoCommand = {
	.name = "graph info",
	.summary = "Show what a motion graph holds and connects",
	.usage = "LIB.reprise [OPTIONS]",
	.about = "Clips, nodes, edges, transitions, and for each label how much of its motion can go on for ever.",
	.options = {graphInfoOptions},
	.examples = {{"reprise graph info moves.reprise", "The graph called graph."},
				 {"reprise graph info moves.reprise --name small --clips", "Another one, with its clips."},
				 {"reprise graph info moves.reprise --json", "For a program."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphInfo,
};

// ---- picture and export

static bool reportOutput(cliRun* run, const char* output)
{
	if (run->json)
		return cliReport(run, json_pack("{s:o}", "output", cliMakeText(output)));
	cliPrint(run, "%s", output);
	return true;
}

static bool runGraphPicture(cliRun* run)
{
	const char* output = cliGetOutput(run, ".png .svg");
	rpGraph* graph = output != NULL ? cliLoadGraph(run) : NULL;
	if (graph == NULL)
		return false;
	rpError error = {0};
	bool done = (rpDrawGraph(graph, output, &error) || cliFailWork(run, &error)) && reportOutput(run, output);
	rpDestroyGraph(graph);
	return done;
}

static const cliOption graphOutputOptions[] = {
	CLI_GRAPH_NAME,
	CLI_OUTPUT("The file to write."),
	{0},
};

const cliCommand cliGraphPictureCommand = {
	.name = "graph picture",
	.summary = "Draw a motion graph",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about = "Clips are bars in the colours of their labels, grey where no walk goes; transitions are arcs.",
	.options = {graphOutputOptions},
	.examples = {{"reprise graph picture moves.reprise -o graph.png", "As PNG."},
				 {"reprise graph picture moves.reprise -o graph.svg", "As SVG."},
				 {"reprise graph picture moves.reprise --name small -o small.png", "Another graph."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphPicture,
};

static bool runGraphExport(cliRun* run)
{
	const char* output = cliGetOutput(run, NULL);
	rpGraph* graph = output != NULL ? cliLoadGraph(run) : NULL;
	if (graph == NULL)
		return false;
	rpError error = {0};
	char* text = rpGraph_Export(graph, &error);
	bool done =
		(text != NULL || cliFailWork(run, &error)) && cliWriteText(run, output, text) && reportOutput(run, output);
	rpFreeText(text);
	rpDestroyGraph(graph);
	return done;
}

const cliCommand cliGraphExportCommand = {
	.name = "graph export",
	.summary = "Write a motion graph as text",
	.usage = "LIB.reprise -o FILE [OPTIONS]",
	.about = "One line for each label, clip, node and edge; the same graph gives the same bytes.",
	.options = {graphOutputOptions},
	.examples = {{"reprise graph export moves.reprise -o graph.txt", "All of it."},
				 {"reprise graph export moves.reprise -q -o /dev/stdout | grep -c \" transition \"",
				  "Count transitions."},
				 {"reprise graph export moves.reprise --name small -o small.txt", "Another graph."}},
	.minimum = 1,
	.maximum = 1,
	.run = runGraphExport,
};

const cliCommand cliGraphCommand = {
	.name = "graph",
	.summary = "Motion graphs: endless motion from a library of clips",
	.usage = "build|list|info|picture|export|walk|path|go|steer|reach|remove LIB.reprise ...",
	.about = "A motion graph joins the clips of a library wherever they are alike, so that a walk on it is new motion "
			 "that goes on for as long as one likes. Graphs are kept in the library under a name.",
	.examples = {{"reprise graph build moves.reprise", "Build one from all clips."},
				 {"reprise graph info moves.reprise", "What does it connect?"},
				 {"reprise graph picture moves.reprise -o graph.png", "See it."}},
	.maximum = -1,
};
