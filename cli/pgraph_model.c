/// What the pgraph commands share.
#include "pgraph_model.h"

#include "clip.h"
#include "model_list.h"

#include <math.h>
#include <stdlib.h>

const char* cliGetPgraphName(const cliRun* run)
{
	const char* name = cliGet(run, "name");
	return name != NULL ? name : "pgraph";
}

rpParametricGraph* cliLoadPgraph(cliRun* run)
{
	const char* path = run->arguments[0];
	rpLibrary* library = cliOpenLibrary(run, path, rp_openRead);
	if (library == NULL)
		return NULL;
	rpError error = {0};
	rpParametricGraph* graph = rpLibrary_LoadParametricGraph(library, cliGetPgraphName(run), &error);
	if (graph == NULL)
	{
		char otherwise[200];
		snprintf(otherwise, sizeof otherwise, "build one of spaces: reprise pgraph build %.100s", path);
		if (error.code == rp_errorMissing && error.hint[0] == 0)
			cliHintAtModels(library, "pgraph", otherwise, &error);
		if (error.file[0] == 0)
			snprintf(error.file, sizeof error.file, "%s", path);
		cliFailInput(run, &error);
	}
	return graph;
}

// What a box has of its space.
static double getShare(const rpSpace* space, const float* width)
{
	double share = width[0] >= 0.0f ? 1.0 : 0.0;
	for (int k = 0; k < space->parameterCount && width[0] >= 0.0f; ++k)
	{
		double range = (double)(space->parameters[k].high - space->parameters[k].low);
		share *= range > 0.0 ? fmin((double)width[k] / range, 1.0) : 1.0;
	}
	return share;
}

static void widen(double value, double* low, double* sum, double* high)
{
	*low = fmin(*low, value);
	*high = fmax(*high, value);
	*sum += value;
}

cliEdgeFacts cliGetEdgeFacts(const rpParametricGraph* graph, int index)
{
	const rpParametricEdge* edge = &graph->edges[index];
	cliEdgeFacts facts = {
		.shareMin = INFINITY, .fromLow = INFINITY, .fromHigh = -INFINITY, .toLow = INFINITY, .toHigh = -INFINITY};
	for (int i = 0; i < edge->sampleCount; ++i)
	{
		const rpParametricSample* sample = &graph->samples[edge->firstSample + i];
		double share = getShare(graph->nodes[edge->target].space, sample->width);
		facts.shareMean += share / edge->sampleCount;
		facts.shareMin = fmin(facts.shareMin, share);
		facts.distanceMean += (double)sample->bestDistance / edge->sampleCount;
		if (sample->width[0] < 0.0f)
		{
			++facts.emptyCount;
			continue;
		}
		widen((double)sample->from, &facts.fromLow, &facts.fromMean, &facts.fromHigh);
		widen((double)sample->to, &facts.toLow, &facts.toMean, &facts.toHigh);
	}
	int count = edge->sampleCount - facts.emptyCount;
	facts.fromMean /= count > 0 ? count : 1;
	facts.toMean /= count > 0 ? count : 1;
	return facts;
}

char* cliNameEdge(const rpParametricGraph* graph, const rpParametricEdge* edge)
{
	return cliFormat("%s-%s", graph->nodes[edge->source].name, graph->nodes[edge->target].name);
}
