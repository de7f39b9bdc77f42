#include "clip.h"
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
		if (edge->distance >= 0.0f || (edge->labels >> label & 1) == 0)
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
		count += graph->edges[e].distance >= 0.0f;
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

static void printGraph(cliRun* run, const rpGraph* graph, bool* inComponent)
{
	cliTell(run, "%s: %d clips, %d nodes, %d edges, %d of them transitions of %.2f s", cliGetGraphName(run),
			graph->clipCount, graph->nodeCount, graph->edgeCount, countTransitions(graph),
			2.0 * (graph->reach + 1) / graph->fps);
	for (int i = 0; i < graph->labelCount; ++i)
	{
		LabelFacts facts = getFacts(graph, i, inComponent);
		cliTell(run, "  %-16s %8.1f s of it in the graph, %8.1f s go on for ever", graph->labels[i],
				facts.frames / graph->fps, facts.componentFrames / graph->fps);
	}
}

bool cliRunGraphInfo(cliRun* run)
{
	rpGraph* graph = cliLoadGraph(run);
	if (graph == NULL)
		return false;
	bool* inComponent = cliAllocate((size_t)graph->nodeCount * sizeof(bool));
	bool done = true;
	if (run->json)
		done = cliReport(run, json_pack("{s:o,s:i,s:i,s:i,s:i,s:o,s:o,s:o}", "name", cliMakeText(cliGetGraphName(run)),
										"clips", graph->clipCount, "nodes", graph->nodeCount, "edges", graph->edgeCount,
										"transitions", countTransitions(graph), "fps", cliMakeReal(graph->fps),
										"blend_s", cliMakeReal(2.0 * (graph->reach + 1) / graph->fps), "labels",
										makeLabels(graph, inComponent)));
	else
		printGraph(run, graph, inComponent);
	free(inComponent);
	rpDestroyGraph(graph);
	return done;
}

// ---- picture and export

static bool tellOutput(cliRun* run, const char* output)
{
	if (run->json)
		return cliReport(run, json_pack("{s:o}", "output", cliMakeText(output)));
	cliTell(run, "%s", output);
	return true;
}

bool cliRunGraphPicture(cliRun* run)
{
	const char* output = cliGetOutput(run, ".png .svg");
	rpGraph* graph = output != NULL ? cliLoadGraph(run) : NULL;
	if (graph == NULL)
		return false;
	rpError error = {0};
	bool done = (rpDrawGraph(graph, output, &error) || cliFailWork(run, &error)) && tellOutput(run, output);
	rpDestroyGraph(graph);
	return done;
}

bool cliRunGraphExport(cliRun* run)
{
	const char* output = cliGetOutput(run, NULL);
	rpGraph* graph = output != NULL ? cliLoadGraph(run) : NULL;
	if (graph == NULL)
		return false;
	rpError error = {0};
	char* text = rpGraph_Export(graph, &error);
	bool done =
		(text != NULL || cliFailWork(run, &error)) && cliWriteText(run, output, text) && tellOutput(run, output);
	rpFreeText(text);
	rpDestroyGraph(graph);
	return done;
}
