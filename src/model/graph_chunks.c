#include "model/graph_chunks.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/graph_model.h"

#include <string.h>

static bool writeTexts(rpBundleWriter* writer, const rpGraph* graph, rpError* error)
{
	rpText text = {0};
	for (int i = 0; i < graph->labelCount; ++i)
	{
		rpText_Append(&text, graph->labels[i], strlen(graph->labels[i]) + 1);
	}
	for (int i = 0; i < graph->clipCount; ++i)
	{
		rpText_Append(&text, graph->clips[i].name, strlen(graph->clips[i].name) + 1);
	}
	bool done = text.failed ? rpFail(error, rp_errorMemory, "out of memory")
							: rpBundleWriter_Add(writer, "GTXT", text.data, (int)text.size, 1, error);
	rpText_Free(&text);
	return done;
}

static bool writeClips(rpBundleWriter* writer, const rpGraph* graph, rpError* error)
{
	rpGraphClipRecord* records = rpAllocateZero((size_t)graph->clipCount, sizeof(rpGraphClipRecord), error);
	if (records == NULL)
	{
		return false;
	}
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpGraphClip* clip = &graph->clips[i];
		records[i] = (rpGraphClipRecord){clip->frameCount, graph->firstContacts[i], clip->isMirrored, 0};
	}
	bool done = rpBundleWriter_Add(writer, "GCLP", records, graph->clipCount, sizeof(rpGraphClipRecord), error);
	rpFree(records);
	return done;
}

bool rpWriteGraphChunks(rpBundleWriter* writer, const rpGraph* graph, rpError* error)
{
	rpGraphHeader header = {graph->fps, graph->halfWindow, graph->labelCount, graph->clipCount, 0};
	int contactCount = graph->firstContacts[graph->clipCount];
	return rpBundleWriter_Add(writer, "GHDR", &header, 1, sizeof(header), error) && writeTexts(writer, graph, error) &&
		   writeClips(writer, graph, error) &&
		   rpBundleWriter_Add(writer, "GNOD", graph->nodes, graph->nodeCount, sizeof(rpGraphNode), error) &&
		   rpBundleWriter_Add(writer, "GEDG", graph->edges, graph->edgeCount, sizeof(rpGraphEdge), error) &&
		   (graph->sides == NULL ||
			rpBundleWriter_Add(writer, "GSID", graph->sides, graph->edgeCount, sizeof(rpEdgeSides), error)) &&
		   rpBundleWriter_Add(writer, "GPTH", graph->path, graph->pointCount, sizeof(rpVec2), error) &&
		   rpBundleWriter_Add(writer, "GLEN", graph->lengths, graph->pointCount, sizeof(float), error) &&
		   rpBundleWriter_Add(writer, "GCON", graph->contacts, contactCount, sizeof(uint16_t), error) &&
		   (graph->steering == NULL ||
			rpBundleWriter_Add(writer, "GSTR", graph->steering, graph->nodeCount, rp_steerCount * sizeof(int), error));
}

// ---- reading

// A copy of an array of the view; NULL where there is none, and *done becomes false when memory ran out.
static void* copyArray(const void* items, int count, size_t size, bool* done, rpError* error)
{
	void* copy = items != NULL && *done ? rpAllocate((size_t)count, size, error) : NULL;
	*done = *done && (items == NULL || copy != NULL);
	if (copy != NULL && count > 0)
	{
		memcpy(copy, items, (size_t)count * size);
	}
	return copy;
}

static bool copyArrays(const rpGraphModel* view, rpGraph* graph, rpError* error)
{
	bool done = true;
	graph->nodes = copyArray(view->nodes, view->nodeCount, sizeof(rpGraphNode), &done, error);
	graph->edges = copyArray(view->edges, view->edgeCount, sizeof(rpGraphEdge), &done, error);
	graph->sides = copyArray(view->sides, view->edgeCount, sizeof(rpEdgeSides), &done, error);
	graph->path = copyArray(view->path, view->pointCount, sizeof(rpVec2), &done, error);
	graph->lengths = copyArray(view->lengths, view->pointCount, sizeof(float), &done, error);
	graph->contacts = copyArray(view->contacts, view->contactCount, sizeof(uint16_t), &done, error);
	graph->steering = copyArray(view->steering, view->nodeCount, rp_steerCount * sizeof(int), &done, error);
	graph->nodeCount = view->nodeCount;
	graph->edgeCount = view->edgeCount;
	graph->pointCount = view->pointCount;
	return done;
}

static bool copyNames(const rpGraphModel* view, rpGraph* graph, rpError* error)
{
	graph->labels = rpAllocateZero((size_t)view->labelCount, sizeof(char*), error);
	graph->clips = rpAllocateZero((size_t)view->clipCount, sizeof(rpGraphClip), error);
	graph->firstContacts = rpAllocate((size_t)view->clipCount + 1, sizeof(int), error);
	bool done = graph->labels != NULL && graph->clips != NULL && graph->firstContacts != NULL;
	for (; done && graph->labelCount < view->labelCount; ++graph->labelCount)
	{
		graph->labels[graph->labelCount] = rpCopyString(view->labels[graph->labelCount], error);
		done = graph->labels[graph->labelCount] != NULL;
	}
	for (int i = 0; done && i < view->clipCount; ++i)
	{
		const rpGraphClipRecord* clip = &view->clips[i];
		graph->clips[i] = (rpGraphClip){.name = rpCopyString(view->clipNames[i], error),
										.isMirrored = clip->isMirrored != 0,
										.frameCount = clip->frameCount};
		graph->firstContacts[i] = clip->firstContact;
		graph->firstContacts[i + 1] = view->contactCount;
		graph->clipCount = i + 1;
		done = graph->clips[i].name != NULL;
	}
	return done;
}

rpGraph* rpReadGraphChunks(const rpBundle* bundle, rpError* error)
{
	rpGraphModel view;
	bool isWhole = rpGraphModel_Read(&view, bundle, error) &&
				   (view.path != NULL || rpFail(error, rp_errorFormat, "the graph is damaged: it has no paths"));
	rpGraph* graph = isWhole ? rpAllocateZero(1, sizeof(rpGraph), error) : NULL;
	if (graph != NULL)
	{
		graph->fps = view.fps;
		graph->halfWindow = view.halfWindow;
		if (!copyNames(&view, graph, error) || !copyArrays(&view, graph, error))
		{
			rpDestroyGraph(graph);
			graph = NULL;
		}
	}
	rpGraphModel_Free(&view);
	return graph;
}
