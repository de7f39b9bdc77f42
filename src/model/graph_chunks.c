#include "model/graph_chunks.h"

#include "base/error.h"
#include "base/memory.h"
#include "reprise/graph.h"

#include <math.h>
#include <string.h>

/// GHDR, one record.
typedef struct GraphHeader
{
	double fps;
	int32_t reach, labelCount, clipCount, reserved;
} GraphHeader;

/// GCLP, one for each clip; its name is in GTXT behind the labels.
typedef struct ClipRecord
{
	int32_t frameCount, firstContact, isMirrored, reserved;
} ClipRecord;

_Static_assert(sizeof(rpGraphNode) == 16 && sizeof(rpGraphEdge) == 56 && sizeof(rpEdgeSides) == 16,
			   "the layout of the file");

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
	ClipRecord* records = rpAllocateZero((size_t)graph->clipCount, sizeof(ClipRecord), error);
	if (records == NULL)
	{
		return false;
	}
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpGraphClip* clip = &graph->clips[i];
		records[i] = (ClipRecord){clip->frameCount, graph->firstContacts[i], clip->isMirrored, 0};
	}
	bool done = rpBundleWriter_Add(writer, "GCLP", records, graph->clipCount, sizeof(ClipRecord), error);
	rpFree(records);
	return done;
}

bool rpWriteGraphChunks(rpBundleWriter* writer, const rpGraph* graph, rpError* error)
{
	GraphHeader header = {graph->fps, graph->reach, graph->labelCount, graph->clipCount, 0};
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

static bool failGraph(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the graph in the bundle is damaged: %s", what);
}

// A copy of a chunk's records.
static void* copyChunk(const rpBundle* bundle, const char* type, size_t recordSize, int* count, rpError* error)
{
	const void* records = rpBundle_GetChunk(bundle, type, recordSize, count, error);
	void* copy = records != NULL ? rpAllocate((size_t)*count, recordSize, error) : NULL;
	if (copy != NULL && *count > 0)
	{
		memcpy(copy, records, (size_t)*count * recordSize);
	}
	return copy;
}

static bool readHeader(const rpBundle* bundle, rpGraph* graph, rpError* error)
{
	int count;
	const GraphHeader* header = rpBundle_GetChunk(bundle, "GHDR", sizeof(GraphHeader), &count, error);
	if (header == NULL)
	{
		return false;
	}
	if (count != 1 || !(header->fps > 0.0) || header->fps > 1000.0 || header->reach < 0 || header->reach > 10000 ||
		header->labelCount < 0 || header->labelCount > RP_MAX_GRAPH_LABELS || header->clipCount < 1 ||
		header->clipCount > RP_MAX_FRAMES)
	{
		return failGraph(error, "its header");
	}
	graph->fps = header->fps;
	graph->reach = header->reach;
	graph->labelCount = header->labelCount;
	graph->clipCount = header->clipCount;
	return true;
}

// The next text of GTXT as a copy.
static char* takeText(const char** at, const char* end, rpError* error)
{
	const char* zero = *at < end ? memchr(*at, 0, (size_t)(end - *at)) : NULL;
	if (zero == NULL)
	{
		failGraph(error, "its names");
		return NULL;
	}
	char* copy = rpCopyString(*at, error);
	*at = zero + 1;
	return copy;
}

static bool readNames(const rpBundle* bundle, rpGraph* graph, rpError* error)
{
	int size, count;
	const char* at = rpBundle_GetChunk(bundle, "GTXT", 1, &size, error);
	const ClipRecord* records = rpBundle_GetChunk(bundle, "GCLP", sizeof(ClipRecord), &count, error);
	if (at == NULL || records == NULL)
	{
		return false;
	}
	if (count != graph->clipCount)
	{
		return failGraph(error, "its clips");
	}
	const char* end = at + size;
	graph->labels = rpAllocateZero((size_t)graph->labelCount, sizeof(char*), error);
	graph->clips = rpAllocateZero((size_t)graph->clipCount, sizeof(rpGraphClip), error);
	graph->firstContacts = rpAllocateZero((size_t)graph->clipCount + 1, sizeof(int), error);
	bool done = graph->labels != NULL && graph->clips != NULL && graph->firstContacts != NULL;
	for (int i = 0; i < graph->labelCount && done; ++i)
	{
		done = (graph->labels[i] = takeText(&at, end, error)) != NULL;
	}
	for (int i = 0; i < graph->clipCount && done; ++i)
	{
		done = (graph->clips[i].name = takeText(&at, end, error)) != NULL;
		graph->clips[i].frameCount = records[i].frameCount;
		graph->clips[i].isMirrored = records[i].isMirrored != 0;
		graph->firstContacts[i] = records[i].firstContact;
	}
	return done;
}

static bool readArrays(const rpBundle* bundle, rpGraph* graph, rpError* error)
{
	int lengthCount, contactCount;
	graph->nodes = copyChunk(bundle, "GNOD", sizeof(rpGraphNode), &graph->nodeCount, error);
	graph->edges = copyChunk(bundle, "GEDG", sizeof(rpGraphEdge), &graph->edgeCount, error);
	graph->path = copyChunk(bundle, "GPTH", sizeof(rpVec2), &graph->pointCount, error);
	graph->lengths = copyChunk(bundle, "GLEN", sizeof(float), &lengthCount, error);
	graph->contacts = copyChunk(bundle, "GCON", sizeof(uint16_t), &contactCount, error);
	if (graph->nodes == NULL || graph->edges == NULL || graph->path == NULL || graph->lengths == NULL ||
		graph->contacts == NULL)
	{
		return false;
	}
	graph->firstContacts[graph->clipCount] = contactCount;
	return lengthCount == graph->pointCount || failGraph(error, "its paths");
}

static bool checkClips(const rpGraph* graph, rpError* error)
{
	for (int i = 0; i < graph->clipCount; ++i)
	{
		int first = graph->firstContacts[i], next = graph->firstContacts[i + 1];
		if (first < 0 || next < first || graph->clips[i].frameCount < 1 || next - first != graph->clips[i].frameCount)
		{
			return failGraph(error, "its clips");
		}
	}
	return graph->firstContacts[0] == 0 || failGraph(error, "its clips");
}

static bool checkNodes(const rpGraph* graph, rpError* error)
{
	int next = 0;
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		const rpGraphNode* node = &graph->nodes[i];
		if (node->clip < 0 || node->clip >= graph->clipCount || node->frame < 0 ||
			node->frame >= graph->clips[node->clip].frameCount || node->firstEdge != next || node->edgeCount < 0 ||
			node->edgeCount > graph->edgeCount - next)
		{
			return failGraph(error, "its nodes");
		}
		next += node->edgeCount;
	}
	return next == graph->edgeCount || failGraph(error, "its nodes");
}

static bool isInsideClip(const rpGraph* graph, int clip, int first, int last)
{
	return first >= 0 && last < graph->clips[clip].frameCount && first <= last;
}

static bool isSoundEdge(const rpGraph* graph, const rpGraphEdge* edge)
{
	if (edge->from < 0 || edge->from >= graph->nodeCount || edge->to < 0 || edge->to >= graph->nodeCount ||
		edge->frameCount < 1 || edge->frameCount > RP_MAX_FRAMES || edge->firstPoint < 0 ||
		edge->firstPoint > graph->pointCount - edge->frameCount - 1 || !isfinite(edge->distance) ||
		!isfinite(edge->alignment.turn) || !isfinite(edge->alignment.shift.x) || !isfinite(edge->alignment.shift.y) ||
		!isfinite(edge->alignment.shift.z))
	{
		return false;
	}
	const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
	if (!rpGraphEdge_IsTransition(edge))
	{
		return from->clip == to->clip && to->frame - from->frame == edge->frameCount;
	}
	return isInsideClip(graph, from->clip, from->frame, from->frame + edge->frameCount) &&
		   isInsideClip(graph, to->clip, to->frame - edge->frameCount, to->frame) &&
		   isInsideClip(graph, from->clip, edge->fromMiddle, edge->fromMiddle) &&
		   isInsideClip(graph, to->clip, edge->toMiddle, edge->toMiddle);
}

static bool checkEdges(const rpGraph* graph, rpError* error)
{
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		for (int k = 0; k < graph->nodes[n].edgeCount; ++k)
		{
			const rpGraphEdge* edge = &graph->edges[graph->nodes[n].firstEdge + k];
			if (edge->from != n || !isSoundEdge(graph, edge))
			{
				return failGraph(error, "its edges");
			}
		}
	}
	return true;
}

static bool checkPaths(const rpGraph* graph, rpError* error)
{
	for (int i = 0; i < graph->pointCount; ++i)
	{
		if (!isfinite(graph->path[i].x) || !isfinite(graph->path[i].y) || !isfinite(graph->lengths[i]))
		{
			return failGraph(error, "its paths");
		}
	}
	return true;
}

// Graphs that were kept before edges had sides have none.
static bool readSides(const rpBundle* bundle, rpGraph* graph, rpError* error)
{
	if (!rpBundle_HasChunk(bundle, "GSID"))
	{
		return true;
	}
	int count;
	graph->sides = copyChunk(bundle, "GSID", sizeof(rpEdgeSides), &count, error);
	return graph->sides != NULL && (count == graph->edgeCount || failGraph(error, "the sides of its edges"));
}

// A steering table is not in every graph.
static bool readSteering(const rpBundle* bundle, rpGraph* graph, rpError* error)
{
	if (!rpBundle_HasChunk(bundle, "GSTR"))
	{
		return true;
	}
	int count;
	graph->steering = copyChunk(bundle, "GSTR", rp_steerCount * sizeof(int), &count, error);
	if (graph->steering == NULL)
	{
		return false;
	}
	bool isSound = count == graph->nodeCount;
	for (int i = 0; isSound && i < rp_steerCount * graph->nodeCount; ++i)
	{
		const rpGraphNode* node = &graph->nodes[i / rp_steerCount];
		int edge = graph->steering[i];
		isSound =
			node->edgeCount == 0 ? edge == -1 : edge >= node->firstEdge && edge < node->firstEdge + node->edgeCount;
	}
	return isSound || failGraph(error, "its steering table");
}

rpGraph* rpReadGraphChunks(const rpBundle* bundle, rpError* error)
{
	rpGraph* graph = rpAllocateZero(1, sizeof(rpGraph), error);
	if (graph == NULL)
	{
		return NULL;
	}
	if (!readHeader(bundle, graph, error) || !readNames(bundle, graph, error) || !readArrays(bundle, graph, error) ||
		!checkClips(graph, error) || !checkNodes(graph, error) || !checkEdges(graph, error) ||
		!checkPaths(graph, error) || !readSides(bundle, graph, error) || !readSteering(bundle, graph, error))
	{
		rpDestroyGraph(graph);
		return NULL;
	}
	return graph;
}
