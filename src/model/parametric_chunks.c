#include "model/parametric_chunks.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/locomotion_chunks.h"
#include "model/model_name.h"
#include "motion/plausible.h"

#include <math.h>
#include <string.h>

/// PHDR, one record.
typedef struct GraphHeader
{
	int32_t nodeCount, edgeCount, sampleCount, markerCount, halfWindow;
	float fps, margin;
	int32_t padding;
} GraphHeader;

/// PNOD, one for each node; its space is so many bytes of PSPC.
typedef struct NodeRecord
{
	char name[RP_PARAMETRIC_NAME];
	int32_t axes[RP_MAX_SPACE_PARAMETERS];
	uint32_t offset, size;
} NodeRecord;

/// PEDG, one for each edge.
typedef struct EdgeRecord
{
	int32_t source, target, firstSample, sampleCount;
	float good, bad, length;
	int16_t seam, isPartial;
} EdgeRecord;

_Static_assert(sizeof(GraphHeader) == 32 && sizeof(NodeRecord) == 96 && sizeof(EdgeRecord) == 32 &&
				   sizeof(rpParametricSample) == 116 && sizeof(rpParametricMarker) == 20,
			   "the layout of the file");

// Bundles begin at multiples of this, as chunks do.
#define ALIGNMENT 64

// Transition points are in cores or in margins, which are not longer than cores are.
#define FARTHEST_POINT 8.0f

#define WEIGHT_TOLERANCE 1e-3f

void rpDestroyParametricGraph(rpParametricGraph* graph)
{
	if (graph == NULL)
	{
		return;
	}
	for (int i = 0; graph->nodes != NULL && i < graph->nodeCount; ++i)
	{
		rpDestroySpace(graph->nodes[i].space);
	}
	rpFree(graph->nodes);
	rpFree(graph->edges);
	rpFree(graph->samples);
	rpFree(graph->markers);
	rpFree(graph->window);
	rpFree(graph);
}

// ---- writing

static size_t align(size_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool writeNodes(rpBundleWriter* writer, const rpParametricGraph* graph, const void* const* spaces,
					   const size_t* sizes, rpError* error)
{
	size_t total = 0;
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		total += align(sizes[i]);
	}
	if (total > INT32_MAX)
	{
		return rpFail(error, rp_errorLimit, "the spaces of the graph are larger than 2 GB");
	}
	NodeRecord* records = rpBundleWriter_Reserve(writer, "PNOD", graph->nodeCount, sizeof(NodeRecord), error);
	char* bytes = records != NULL ? rpBundleWriter_Reserve(writer, "PSPC", (int)total, 1, error) : NULL;
	if (bytes == NULL)
	{
		return false;
	}
	memset(bytes, 0, total);
	size_t offset = 0;
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		const rpParametricNode* node = &graph->nodes[i];
		records[i] = (NodeRecord){.offset = (uint32_t)offset, .size = (uint32_t)sizes[i]};
		memcpy(records[i].name, node->name, sizeof(node->name));
		for (int k = 0; k < RP_MAX_SPACE_PARAMETERS; ++k)
		{
			records[i].axes[k] = node->axes[k];
		}
		memcpy(bytes + offset, spaces[i], sizes[i]);
		offset += align(sizes[i]);
	}
	return true;
}

static bool writeEdges(rpBundleWriter* writer, const rpParametricGraph* graph, rpError* error)
{
	EdgeRecord* records = rpBundleWriter_Reserve(writer, "PEDG", graph->edgeCount, sizeof(EdgeRecord), error);
	for (int i = 0; records != NULL && i < graph->edgeCount; ++i)
	{
		const rpParametricEdge* edge = &graph->edges[i];
		records[i] = (EdgeRecord){.source = edge->source,
								  .target = edge->target,
								  .firstSample = edge->firstSample,
								  .sampleCount = edge->sampleCount,
								  .good = edge->good,
								  .bad = edge->bad,
								  .length = edge->length,
								  .seam = (int16_t)edge->seam,
								  .isPartial = edge->isPartial};
	}
	return records != NULL;
}

bool rpWriteParametricChunks(rpBundleWriter* writer, const rpParametricGraph* graph, const void* const* spaces,
							 const size_t* sizes, rpError* error)
{
	GraphHeader header = {.nodeCount = graph->nodeCount,
						  .edgeCount = graph->edgeCount,
						  .sampleCount = graph->sampleCount,
						  .markerCount = graph->markerCount,
						  .halfWindow = graph->halfWindow,
						  .fps = graph->fps,
						  .margin = graph->margin};
	return rpBundleWriter_Add(writer, "PHDR", &header, 1, sizeof(header), error) &&
		   writeNodes(writer, graph, spaces, sizes, error) && writeEdges(writer, graph, error) &&
		   rpBundleWriter_Add(writer, "PSMP", graph->samples, graph->sampleCount, sizeof(rpParametricSample), error) &&
		   rpBundleWriter_Add(writer, "PMRK", graph->markers, graph->markerCount, sizeof(rpParametricMarker), error) &&
		   rpBundleWriter_Add(writer, "PWIN", graph->window, 2 * graph->halfWindow + 1, sizeof(float), error);
}

// ---- reading

static bool fail(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the parametric graph is damaged: %s", what);
}

static bool isCount(int count, int low, int high)
{
	return count >= low && count <= high;
}

static bool readHeader(const rpBundle* bundle, rpParametricGraph* graph, rpError* error)
{
	int count;
	const GraphHeader* header = rpBundle_GetChunk(bundle, "PHDR", sizeof(GraphHeader), &count, error);
	if (header == NULL)
	{
		return false;
	}
	bool isSound = count == 1 && isCount(header->nodeCount, 1, RP_MAX_PARAMETRIC_NODES) &&
				   isCount(header->edgeCount, 1, RP_MAX_PARAMETRIC_EDGES) &&
				   isCount(header->sampleCount, 1, RP_MAX_PARAMETRIC_SAMPLES) &&
				   isCount(header->markerCount, 1, RP_MAX_PARAMETRIC_MARKERS) &&
				   isCount(header->halfWindow, 0, RP_MAX_PARAMETRIC_WINDOW) && header->fps >= 1.0f &&
				   header->fps <= 1000.0f && header->margin >= 0.0f && header->margin <= 10.0f;
	graph->nodeCount = header->nodeCount;
	graph->edgeCount = header->edgeCount;
	graph->sampleCount = header->sampleCount;
	graph->markerCount = header->markerCount;
	graph->halfWindow = header->halfWindow;
	graph->fps = header->fps;
	graph->margin = header->margin;
	return isSound || fail(error, "its header");
}

static const NodeRecord* getNodes(const rpBundle* bundle, int* count, rpError* error)
{
	return rpBundle_GetChunk(bundle, "PNOD", sizeof(NodeRecord), count, error);
}

static bool isName(const char* name)
{
	return memchr(name, 0, RP_PARAMETRIC_NAME) != NULL && name[0] != 0 && rpIsModelName(name, false);
}

static bool readNodes(const rpBundle* bundle, rpParametricGraph* graph, rpError* error)
{
	int count;
	const NodeRecord* records = getNodes(bundle, &count, error);
	if (records == NULL || (count != graph->nodeCount && !fail(error, "its nodes")))
	{
		return false;
	}
	graph->nodes = rpAllocateZero((size_t)count, sizeof(rpParametricNode), error);
	bool isSound = true;
	for (int i = 0; graph->nodes != NULL && i < count && isSound; ++i)
	{
		isSound = isName(records[i].name);
		memcpy(graph->nodes[i].name, records[i].name, sizeof(records[i].name));
		for (int k = 0; k < RP_MAX_SPACE_PARAMETERS && isSound; ++k)
		{
			isSound = isCount(records[i].axes[k], 0, rp_axisMeaningCount - 1);
			graph->nodes[i].axes[k] = (rpAxisMeaning)records[i].axes[k];
		}
	}
	return graph->nodes != NULL && (isSound || fail(error, "a node"));
}

static bool isSoundEdge(const rpParametricGraph* graph, const EdgeRecord* record)
{
	return isCount(record->source, 0, graph->nodeCount - 1) && isCount(record->target, 0, graph->nodeCount - 1) &&
		   isCount(record->firstSample, 0, graph->sampleCount - 1) &&
		   isCount(record->sampleCount, 1, graph->sampleCount - record->firstSample) && record->good >= 0.0f &&
		   record->good <= RP_FARTHEST && record->bad >= record->good && record->bad <= RP_FARTHEST &&
		   isCount(record->seam, 0, rp_parametricSeamCount - 1) && record->length >= 0.02f && record->length <= 2.0f &&
		   isCount(record->isPartial, 0, 1);
}

static bool readEdges(const rpBundle* bundle, rpParametricGraph* graph, rpError* error)
{
	int count;
	const EdgeRecord* records = rpBundle_GetChunk(bundle, "PEDG", sizeof(EdgeRecord), &count, error);
	if (records == NULL || (count != graph->edgeCount && !fail(error, "its edges")))
	{
		return false;
	}
	graph->edges = rpAllocateZero((size_t)count, sizeof(rpParametricEdge), error);
	bool isSound = true;
	for (int i = 0; graph->edges != NULL && i < count && isSound; ++i)
	{
		const EdgeRecord* record = &records[i];
		isSound = isSoundEdge(graph, record);
		graph->edges[i] = (rpParametricEdge){.source = record->source,
											 .target = record->target,
											 .firstSample = record->firstSample,
											 .sampleCount = record->sampleCount,
											 .good = record->good,
											 .bad = record->bad,
											 .length = record->length,
											 .seam = (rpParametricSeam)record->seam,
											 .isPartial = record->isPartial != 0};
	}
	return graph->edges != NULL && (isSound || fail(error, "an edge"));
}

static bool areWithin(const float* values, int count, float limit)
{
	bool isSound = true;
	for (int i = 0; i < count && isSound; ++i)
	{
		isSound = rpIsWithin(values[i], limit);
	}
	return isSound;
}

// A copy of a chunk of floats, or of records of nothing else.
static void* copyFloats(const rpBundle* bundle, const char* type, int expected, size_t size, float limit,
						rpError* error)
{
	int count;
	const void* chunk = rpBundle_GetChunk(bundle, type, size, &count, error);
	if (chunk == NULL || (count != expected && !fail(error, "its tables are of different sizes")))
	{
		return NULL;
	}
	bool isSound = areWithin(chunk, (int)((size_t)count * size / sizeof(float)), limit);
	void* copy = isSound || fail(error, "a number") ? rpAllocate((size_t)count, size, error) : NULL;
	if (copy != NULL)
	{
		memcpy(copy, chunk, (size_t)count * size);
	}
	return copy;
}

static bool readSamples(const rpBundle* bundle, rpParametricGraph* graph, rpError* error)
{
	graph->samples = copyFloats(bundle, "PSMP", graph->sampleCount, sizeof(rpParametricSample), RP_FARTHEST, error);
	bool isSound = true;
	for (int i = 0; graph->samples != NULL && i < graph->sampleCount && isSound; ++i)
	{
		const rpParametricSample* sample = &graph->samples[i];
		isSound = rpIsWithin(sample->from, FARTHEST_POINT) && rpIsWithin(sample->to, FARTHEST_POINT) &&
				  rpIsWithin(sample->bestFrom, FARTHEST_POINT) && rpIsWithin(sample->bestTo, FARTHEST_POINT);
	}
	return graph->samples != NULL && (isSound || fail(error, "a sample"));
}

static bool isSum(double sum)
{
	return fabs(sum - 1.0) < (double)WEIGHT_TOLERANCE;
}

static bool readMarkers(const rpBundle* bundle, rpParametricGraph* graph, rpError* error)
{
	int count;
	const rpParametricMarker* records = rpBundle_GetChunk(bundle, "PMRK", sizeof(rpParametricMarker), &count, error);
	graph->markers = records != NULL ? rpAllocate((size_t)count + 1, sizeof(rpParametricMarker), error) : NULL;
	if (graph->markers == NULL)
	{
		return false;
	}
	double sum = 0.0;
	bool isSound = count == graph->markerCount;
	for (int i = 0; i < count && isSound; ++i)
	{
		isSound = records[i].joint >= 0 && areWithin(records[i].offset, 3, RP_FARTHEST) && records[i].weight >= 0.0f &&
				  records[i].weight <= 1.0f + WEIGHT_TOLERANCE;
		sum += (double)records[i].weight;
		graph->markers[i] = records[i];
	}
	return (isSound && isSum(sum)) || fail(error, "a marker");
}

static bool readWindow(const rpBundle* bundle, rpParametricGraph* graph, rpError* error)
{
	int count = 2 * graph->halfWindow + 1;
	graph->window = copyFloats(bundle, "PWIN", count, sizeof(float), 1.0f + WEIGHT_TOLERANCE, error);
	double sum = 0.0;
	for (int i = 0; graph->window != NULL && i < count; ++i)
	{
		sum += (double)graph->window[i];
	}
	return graph->window != NULL && (isSum(sum) || fail(error, "its window"));
}

rpParametricGraph* rpReadParametricChunks(const rpBundle* bundle, rpError* error)
{
	rpParametricGraph* graph = rpAllocateZero(1, sizeof(rpParametricGraph), error);
	if (graph == NULL)
	{
		return NULL;
	}
	if (!readHeader(bundle, graph, error) || !readNodes(bundle, graph, error) || !readEdges(bundle, graph, error) ||
		!readSamples(bundle, graph, error) || !readMarkers(bundle, graph, error) || !readWindow(bundle, graph, error))
	{
		rpDestroyParametricGraph(graph);
		return NULL;
	}
	return graph;
}

bool rpCheckParametricGraph(const rpParametricGraph* graph, int jointCount, rpError* error)
{
	bool isSound = true;
	for (int i = 0; i < graph->markerCount && isSound; ++i)
	{
		isSound = graph->markers[i].joint < jointCount;
	}
	return isSound || fail(error, "a marker");
}

rpBundle* rpOpenParametricNode(const rpBundle* bundle, int node, rpError* error)
{
	int count, size;
	const NodeRecord* records = getNodes(bundle, &count, error);
	const char* bytes = records != NULL ? rpBundle_GetChunk(bundle, "PSPC", 1, &size, error) : NULL;
	if (bytes == NULL)
	{
		return NULL;
	}
	const NodeRecord* record = &records[node];
	bool isSound = node < count && record->offset % ALIGNMENT == 0 && record->offset <= (uint32_t)size &&
				   record->size <= (uint32_t)size - record->offset;
	return isSound || fail(error, "a node's space") ? rpCreateBundle(bytes + record->offset, record->size, error)
													: NULL;
}
