#include "model/parametric_model.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/near_weights.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// ---- reading

static bool readSpace(rpParametricModel* model, const rpBundle* bundle, int node, rpError* error)
{
	rpBundle* chunks = rpOpenParametricNode(bundle, node, error);
	bool done = chunks != NULL && rpSpaceModel_ReadNext(&model->spaces[node], chunks, &model->frames, error);
	rpDestroyBundle(chunks);
	model->graph->nodes[node].space = model->spaces[node].space;
	return done;
}

bool rpSpanCloud_Create(rpSpanCloud* cloud, const rpParametricGraph* graph, const rpSkeleton* skeleton, rpError* error)
{
	size_t count = (size_t)skeleton->jointCount;
	*cloud = (rpSpanCloud){.skeleton = skeleton,
						   .markers = graph->markers,
						   .markerCount = graph->markerCount,
						   .window = graph->window,
						   .halfWindow = graph->halfWindow,
						   .step = 1.0 / (double)graph->fps};
	cloud->rotations = rpAllocateZero(count, sizeof(rpQuat), error);
	cloud->world = rpAllocateZero(2 * count, sizeof(rpTransform), error);
	return cloud->rotations != NULL && cloud->world != NULL;
}

void rpSpanCloud_Free(rpSpanCloud* cloud)
{
	rpFree(cloud->rotations);
	rpFree(cloud->world);
	*cloud = (rpSpanCloud){0};
}

bool rpParametricModel_Read(rpParametricModel* model, const rpBundle* bundle, rpError* error)
{
	*model = (rpParametricModel){.graph = rpReadParametricChunks(bundle, error)};
	bool done = model->graph != NULL && rpSpaceFrames_Read(&model->frames, bundle, error);
	int count = done ? model->graph->nodeCount : 0;
	model->spaces = done ? rpAllocateZero((size_t)count, sizeof(rpSpaceModel), error) : NULL;
	done = model->spaces != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		done = readSpace(model, bundle, i, error);
	}
	const rpSkeleton* skeleton = model->frames.clips.skeleton;
	if (done)
	{
		model->margin = rpParametricGraph_GetMargin(model->graph);
	}
	return done && rpCheckParametricGraph(model->graph, skeleton->jointCount, error) &&
		   rpSpanCloud_Create(&model->cloud, model->graph, skeleton, error) &&
		   rpSpanJoiner_Create(&model->joiner, skeleton, error);
}

void rpParametricModel_Free(rpParametricModel* model)
{
	for (int i = 0; model->graph != NULL && i < model->graph->nodeCount; ++i)
	{
		// Before any was read there are no nodes either.
		if (model->graph->nodes != NULL)
		{
			model->graph->nodes[i].space = NULL;
		}
		if (model->spaces != NULL)
		{
			rpSpaceModel_Free(&model->spaces[i]);
		}
	}
	rpDestroyParametricGraph(model->graph);
	rpFree(model->spaces);
	rpClipSet_Free(&model->frames.clips);
	rpSpanCloud_Free(&model->cloud);
	rpSpanJoiner_Free(&model->joiner);
	*model = (rpParametricModel){0};
}

// ---- motions

double rpParametricGraph_GetMargin(const rpParametricGraph* graph)
{
	double reach = (double)graph->halfWindow / (double)graph->fps;
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		reach = fmax(reach, 0.5 * (double)graph->edges[i].length);
	}
	return (double)graph->margin + reach;
}

void rpParametricPlanning_Begin(rpParametricPlanning* planning, const rpSpaceModel* space, int node, const float* asked,
								rpParametricClip* out)
{
	*out = (rpParametricClip){.node = node};
	for (int k = 0; k < space->space->parameterCount; ++k)
	{
		const rpSpaceParameter* parameter = &space->space->parameters[k];
		out->asked[k] = isfinite(asked[k]) ? asked[k] : 0.5f * (parameter->low + parameter->high);
	}
	// Of numbers it cannot fail.
	bool isBegun = rpSpaceWeighing_Begin(&planning->weighing, space->space, out->asked, NULL, NULL);
	RP_ASSERT(isBegun);
	planning->isWeighed = !isBegun;
}

static void finishWeighing(rpParametricPlanning* planning, const rpSpaceModel* space, double margin, rpSpan* span,
						   rpParametricClip* out)
{
	rpSpaceAnswer answer;
	rpSpaceWeighing_Finish(&planning->weighing, space->space, &answer);
	memcpy(out->values, answer.nearest, sizeof(out->values));
	rpSpacePlanning_Begin(&planning->planning, space, answer.weights, answer.weightCount, margin, span);
	planning->isWeighed = true;
}

bool rpParametricPlanning_GoOn(rpParametricPlanning* planning, const rpSpaceModel* space, double margin, int samples,
							   int pieces, rpSpan* span, rpParametricClip* out)
{
	if (!planning->isWeighed)
	{
		if (rpSpaceWeighing_GoOn(&planning->weighing, space->space, samples))
		{
			finishWeighing(planning, space, margin, span, out);
		}
		return false;
	}
	if (!rpSpacePlanning_GoOn(&planning->planning, span, pieces))
	{
		return false;
	}
	out->start = planning->planning.plan.before;
	out->end = rpSpan_GetDuration(span) - planning->planning.plan.after;
	return true;
}

void rpPlanParametricClip(const rpSpaceModel* space, int node, const float* asked, double margin, rpSpan* span,
						  rpParametricClip* out)
{
	rpParametricPlanning planning;
	rpParametricPlanning_Begin(&planning, space, node, asked, out);
	while (!rpParametricPlanning_GoOn(&planning, space, margin, INT_MAX, INT_MAX, span, out))
	{
	}
}

// ---- lookup

const char* rpParametricSeam_GetName(rpParametricSeam seam)
{
	static const char* const names[rp_parametricSeamCount] = {"smooth", "linear", "velocity", "displace"};
	return names[seam];
}

int rpParametricGraph_FindNode(const rpParametricGraph* graph, const char* name)
{
	int node = graph->nodeCount - 1;
	while (node >= 0 && strcmp(graph->nodes[node].name, name) != 0)
	{
		--node;
	}
	return node;
}

int rpParametricGraph_FindEdge(const rpParametricGraph* graph, int source, int target)
{
	int edge = graph->edgeCount - 1;
	while (edge >= 0 && (graph->edges[edge].source != source || graph->edges[edge].target != target))
	{
		--edge;
	}
	return edge;
}

static float getDistance(const rpSpace* space, const float* a, const float* b)
{
	float sum = 0.0f;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		float range = space->parameters[k].high - space->parameters[k].low;
		float difference = range > 0.0f ? (a[k] - b[k]) / range : 0.0f;
		sum += difference * difference;
	}
	return sqrtf(sum);
}

// The thesis takes d + 1 neighbours and gives the last no weight (6.1.2): with one parameter boxes would jump. Here the
// rim is the next one.
static int findNeighbours(const rpParametricGraph* graph, const rpParametricEdge* edge, const float* values,
						  rpNear* near)
{
	const rpSpace* space = graph->nodes[edge->source].space;
	int count = 0, max = space->parameterCount + 1;
	float rim = INFINITY;
	for (int i = 0; i < edge->sampleCount; ++i)
	{
		int sample = edge->firstSample + i;
		rpAddNear(near, &count, max, &rim, sample, getDistance(space, values, graph->samples[sample].values));
	}
	rpWeighNear(near, count, rim, 0.0f);
	return count;
}

static void addBox(const rpParametricSample* sample, float weight, int dimension, rpParametricBox* box)
{
	for (int k = 0; k < dimension; ++k)
	{
		box->low[k] += weight * (sample->center[k] - 0.5f * sample->width[k]);
		box->high[k] += weight * (sample->center[k] + 0.5f * sample->width[k]);
		box->isEmpty = box->isEmpty || sample->width[k] < 0.0f;
	}
	box->from += weight * sample->from;
	box->to += weight * sample->to;
}

rpParametricBox rpParametricGraph_LookUp(const rpParametricGraph* graph, int edge, const float* values)
{
	const rpParametricEdge* own = &graph->edges[edge];
	rpNear near[rp_maxNear];
	int count = findNeighbours(graph, own, values, near), dimension = graph->nodes[own->target].space->parameterCount;
	rpParametricBox box = {.nearest = near[0].index};
	for (int i = 0; i < count; ++i)
	{
		if (near[i].weight > 0.0f)
		{
			addBox(&graph->samples[near[i].index], near[i].weight, dimension, &box);
		}
	}
	return box;
}
