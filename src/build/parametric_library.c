/// Parametric graphs and libraries: kept in one with their spaces, loaded from it with the examples of these; graphs as
/// bundles, and as text.
#include "base/error.h"
#include "base/memory.h"
#include "build/model_kind.h"
#include "build/parametric_build.h"
#include "file/bytes.h"

#include <string.h>

/// The spaces of a graph as bundles.
typedef struct SpaceBytes
{
	void* bytes[RP_MAX_PARAMETRIC_NODES];
	size_t sizes[RP_MAX_PARAMETRIC_NODES];
} SpaceBytes;

static void freeSpaces(const rpParametricGraph* graph, SpaceBytes* spaces)
{
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		rpFreeBytes(spaces->bytes[i]);
	}
}

// With what the library knows of their clips; without one, for players, with nothing of the kind.
static bool packSpaces(const rpLibrary* library, const rpParametricGraph* graph, SpaceBytes* out, rpError* error)
{
	bool done = true;
	for (int i = 0; i < graph->nodeCount && done; ++i)
	{
		rpBundleWriter writer = {0};
		const rpSpace* space = graph->nodes[i].space;
		done = library != NULL ? rpSpaceModelKind.store(library, space, &writer, error)
							   : rpWriteSpaceChunks(&writer, space, error);
		out->bytes[i] = done ? rpBundleWriter_Finish(&writer, &out->sizes[i], error) : NULL;
		done = out->bytes[i] != NULL;
		rpBundleWriter_Free(&writer);
	}
	return done;
}

static bool writeGraph(const rpLibrary* library, const rpParametricGraph* graph, rpBundleWriter* writer, rpError* error)
{
	SpaceBytes spaces = {0};
	bool done = packSpaces(library, graph, &spaces, error) &&
				rpWriteParametricChunks(writer, graph, (const void* const*)spaces.bytes, spaces.sizes, error);
	freeSpaces(graph, &spaces);
	return done;
}

// ---- its row in the table of kinds

static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	return writeGraph(library, model, writer, error);
}

static bool loadSpace(const rpLibrary* library, const rpBundle* bundle, const char* name, int node,
					  rpParametricGraph* graph, rpError* error)
{
	rpBundle* chunks = rpOpenParametricNode(bundle, node, error);
	graph->nodes[node].space = chunks != NULL ? rpSpaceModelKind.load(library, chunks, name, error) : NULL;
	rpDestroyBundle(chunks);
	return graph->nodes[node].space != NULL;
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	rpParametricGraph* graph = rpReadParametricChunks(bundle, error);
	bool done = graph != NULL;
	for (int i = 0; done && i < graph->nodeCount; ++i)
	{
		done = loadSpace(library, bundle, name, i, graph, error);
	}
	if (done)
	{
		const rpSkeleton* skeleton = graph->nodes[0].space->motions[0]->skeleton;
		done = rpCheckParametricGraph(graph, skeleton->jointCount, error);
	}
	if (!done)
	{
		rpDestroyParametricGraph(graph);
		return NULL;
	}
	return graph;
}

static void destroy(void* model)
{
	rpDestroyParametricGraph(model);
}

static bool addBundle(const void* model, rpBundleWriter* writer, rpError* error)
{
	const rpParametricGraph* graph = model;
	const rpSpace* spaces[RP_MAX_PARAMETRIC_NODES];
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		spaces[i] = graph->nodes[i].space;
	}
	return writeGraph(NULL, graph, writer, error) && rpAddSpaceFrames(spaces, graph->nodeCount, writer, error);
}

static int count(const void* model, rpModelCount* out)
{
	const rpParametricGraph* graph = model;
	int examples = 0;
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		examples += graph->nodes[i].space->exampleCount;
	}
	out[0] = (rpModelCount){"nodes", "nodes", graph->nodeCount};
	out[1] = (rpModelCount){"edges", "edges", graph->edgeCount};
	out[2] = (rpModelCount){"examples", "examples", examples};
	return 3;
}

const rpModelKind rpParametricModelKind = {
	.info = {"pgraph", "a parametric motion graph", "pgraph build", true},
	.chunk = "PHDR",
	.version = 1,
	.store = store,
	.load = load,
	.destroy = destroy,
	.bundle = addBundle,
	.count = count,
};

bool rpLibrary_PutParametricGraph(rpLibrary* library, const char* name, const rpParametricGraph* graph, rpError* error)
{
	return rpModelKind_Put(&rpParametricModelKind, library, name, graph, error);
}

rpParametricGraph* rpLibrary_LoadParametricGraph(rpLibrary* library, const char* name, rpError* error)
{
	return rpModelKind_Load(&rpParametricModelKind, library, name, error);
}

void* rpWriteParametricBundle(const rpParametricGraph* graph, size_t* size, rpError* error)
{
	return rpModelKind_WriteBundle(&rpParametricModelKind, graph, size, error);
}

// ---- as text

static void printNode(const rpParametricNode* node, rpText* text)
{
	const rpSpace* space = node->space;
	rpText_Print(text, "node %s examples %d\n", node->name, space->exampleCount);
	for (int k = 0; k < space->parameterCount; ++k)
	{
		const rpSpaceParameter* parameter = &space->parameters[k];
		float scale = rpSpaceParameter_GetScale(parameter);
		rpText_Print(text, "  %s %.4g %.4g %s\n", parameter->name, (double)(scale * parameter->low),
					 (double)(scale * parameter->high), rpSpaceParameter_GetUnit(parameter));
	}
}

static void printValues(const rpSpace* space, const float* values, rpText* text)
{
	for (int k = 0; k < space->parameterCount; ++k)
	{
		rpText_Print(text, " %.4g", (double)(rpSpaceParameter_GetScale(&space->parameters[k]) * values[k]));
	}
}

static void printEdge(const rpParametricGraph* graph, const rpParametricEdge* edge, rpText* text)
{
	const rpParametricNode *source = &graph->nodes[edge->source], *target = &graph->nodes[edge->target];
	rpText_Print(text, "edge %s %s good %.4f bad %.4f seam %s %.3g%s\n", source->name, target->name, (double)edge->good,
				 (double)edge->bad, rpParametricSeam_GetName(edge->seam), (double)edge->length,
				 edge->isPartial ? " partial" : "");
	for (int i = 0; i < edge->sampleCount; ++i)
	{
		const rpParametricSample* sample = &graph->samples[edge->firstSample + i];
		printValues(source->space, sample->values, text);
		rpText_AppendString(text, " |");
		if (sample->width[0] >= 0.0f)
		{
			printValues(target->space, sample->center, text);
			rpText_AppendString(text, " |");
			printValues(target->space, sample->width, text);
			rpText_Print(text, " | %.3f %.3f", (double)sample->from, (double)sample->to);
		}
		rpText_AppendString(text, "\n");
	}
}

char* rpParametricGraph_Export(const rpParametricGraph* graph, rpError* error)
{
	rpText text = {0};
	rpText_AppendString(&text,
						"reprise-parametric-graph 1\n"
						"# node: its parameters and their ranges; edge: values of the source | centre | widths of "
						"the box in the target | when, parts of both cores\n");
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		printNode(&graph->nodes[i], &text);
	}
	for (int i = 0; i < graph->edgeCount; ++i)
	{
		printEdge(graph, &graph->edges[i], &text);
	}
	if (text.failed)
	{
		rpText_Free(&text);
		rpFail(error, rp_errorMemory, "out of memory");
		return NULL;
	}
	return text.data;
}
