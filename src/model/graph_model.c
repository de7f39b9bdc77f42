#include "model/graph_model.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/graph_chunks.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(rpGraphNode) == 16 && sizeof(rpGraphEdge) == 56 && sizeof(rpEdgeSides) == 16 &&
				   sizeof(rpGraphClipRecord) == 16 && sizeof(rpGraphHeader) == 24,
			   "the layout of the file");

static bool failGraph(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the graph in the bundle is damaged: %s", what);
}

// ---- views

static bool readHeader(rpGraphModel* graph, const rpBundle* bundle, rpError* error)
{
	int count;
	const rpGraphHeader* header = rpBundle_GetChunk(bundle, "GHDR", sizeof(rpGraphHeader), &count, error);
	if (header == NULL)
	{
		return false;
	}
	if (count != 1 || !(header->fps > 0.0) || header->fps > 1000.0 || header->halfWindow < 0 ||
		header->halfWindow > 10000 || header->labelCount < 0 || header->labelCount > RP_MAX_GRAPH_LABELS ||
		header->clipCount < 1 || header->clipCount > RP_MAX_FRAMES)
	{
		return failGraph(error, "its header");
	}
	graph->fps = header->fps;
	graph->halfWindow = header->halfWindow;
	graph->labelCount = header->labelCount;
	graph->clipCount = header->clipCount;
	return true;
}

static bool readArrays(rpGraphModel* graph, const rpBundle* bundle, rpError* error)
{
	int clipCount, lengthCount;
	graph->clips = rpBundle_GetChunk(bundle, "GCLP", sizeof(rpGraphClipRecord), &clipCount, error);
	graph->nodes = rpBundle_GetChunk(bundle, "GNOD", sizeof(rpGraphNode), &graph->nodeCount, error);
	graph->edges = rpBundle_GetChunk(bundle, "GEDG", sizeof(rpGraphEdge), &graph->edgeCount, error);
	graph->path = rpBundle_GetChunk(bundle, "GPTH", sizeof(rpVec2), &graph->pointCount, error);
	graph->lengths = rpBundle_GetChunk(bundle, "GLEN", sizeof(float), &lengthCount, error);
	graph->contacts = rpBundle_GetChunk(bundle, "GCON", sizeof(uint16_t), &graph->contactCount, error);
	if (graph->clips == NULL || graph->nodes == NULL || graph->edges == NULL || graph->path == NULL ||
		graph->lengths == NULL || graph->contacts == NULL)
	{
		return false;
	}
	return (clipCount == graph->clipCount || failGraph(error, "its clips")) &&
		   (lengthCount == graph->pointCount || failGraph(error, "its paths"));
}

// Texts of GTXT one after the other, each with a zero: labels, then clips.
static bool readNames(rpGraphModel* graph, const rpBundle* bundle, rpError* error)
{
	int size, count = graph->labelCount + graph->clipCount;
	const char* at = rpBundle_GetChunk(bundle, "GTXT", 1, &size, error);
	graph->labels = at != NULL ? rpAllocate((size_t)count, sizeof(char*), error) : NULL;
	if (graph->labels == NULL)
	{
		return false;
	}
	graph->clipNames = graph->labels + graph->labelCount;
	const char* end = at + size;
	for (int i = 0; i < count; ++i)
	{
		const char* zero = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
		if (zero == NULL)
		{
			return failGraph(error, "its names");
		}
		graph->labels[i] = at;
		at = zero + 1;
	}
	return true;
}

// Graphs that were kept before edges had sides have none; a steering table is not in every graph.
static bool readExtras(rpGraphModel* graph, const rpBundle* bundle, rpError* error)
{
	int sideCount = graph->edgeCount, rowCount = graph->nodeCount;
	bool hasSides = rpBundle_HasChunk(bundle, "GSID"), hasSteering = rpBundle_HasChunk(bundle, "GSTR");
	graph->sides = hasSides ? rpBundle_GetChunk(bundle, "GSID", sizeof(rpEdgeSides), &sideCount, error) : NULL;
	graph->steering =
		hasSteering ? rpBundle_GetChunk(bundle, "GSTR", rp_steerCount * sizeof(int), &rowCount, error) : NULL;
	if ((hasSides && graph->sides == NULL) || (hasSteering && graph->steering == NULL))
	{
		return false;
	}
	return (sideCount == graph->edgeCount || failGraph(error, "the sides of its edges")) &&
		   (rowCount == graph->nodeCount || failGraph(error, "its steering table"));
}

// ---- numbers

static bool checkClips(const rpGraphModel* graph, rpError* error)
{
	int next = 0;
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpGraphClipRecord* clip = &graph->clips[i];
		if (clip->frameCount < 1 || clip->firstContact != next || clip->frameCount > graph->contactCount - next)
		{
			return failGraph(error, "its clips");
		}
		next += clip->frameCount;
	}
	return next == graph->contactCount || failGraph(error, "its clips");
}

static bool checkNodes(const rpGraphModel* graph, rpError* error)
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

static bool isInsideClip(const rpGraphModel* graph, int clip, int first, int last)
{
	return first >= 0 && last < graph->clips[clip].frameCount && first <= last;
}

static bool isSoundEdge(const rpGraphModel* graph, const rpGraphEdge* edge)
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

static bool checkEdges(const rpGraphModel* graph, rpError* error)
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

static bool checkPaths(const rpGraphModel* graph, rpError* error)
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

static bool checkSteering(const rpGraphModel* graph, rpError* error)
{
	bool isSound = true;
	for (int i = 0; isSound && graph->steering != NULL && i < rp_steerCount * graph->nodeCount; ++i)
	{
		const rpGraphNode* node = &graph->nodes[i / rp_steerCount];
		int edge = graph->steering[i];
		isSound =
			node->edgeCount == 0 ? edge == -1 : edge >= node->firstEdge && edge < node->firstEdge + node->edgeCount;
	}
	return isSound || failGraph(error, "its steering table");
}

bool rpGraphModel_Read(rpGraphModel* graph, const rpBundle* bundle, rpError* error)
{
	*graph = (rpGraphModel){0};
	return readHeader(graph, bundle, error) && readArrays(graph, bundle, error) && readNames(graph, bundle, error) &&
		   readExtras(graph, bundle, error) && checkClips(graph, error) && checkNodes(graph, error) &&
		   checkEdges(graph, error) && checkPaths(graph, error) && checkSteering(graph, error);
}

void rpGraphModel_Free(rpGraphModel* graph)
{
	rpFree(graph->labels);
	*graph = (rpGraphModel){0};
}
