#include "model/graph_model.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/graph_chunks.h"
#include "model/model_name.h"
#include "motion/plausible.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(rpGraphNode) == 16 && sizeof(rpGraphEdge) == 56 && sizeof(rpEdgeSides) == 16 &&
				   sizeof(rpGraphClipRecord) == 16 && sizeof(rpGraphHeader) == 24 && sizeof(rpGroundTransform) == 16,
			   "the layout of the file");

// Frames per second, as of a metric.
#define FASTEST 1000.0

// The most frames on either side of a transition's middle: 333 s at 30 Hz.
#define MAX_HALF_WINDOW 10000

// Distances are metres or radians; none that was ever a transition comes near.
#define GREATEST_DISTANCE 1000.0f

// How far a length may be from what its path says, of a metre or of itself: sums of floats.
#define LENGTH_TOLERANCE 1e-4f

static bool failGraph(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the graph is damaged: %s", what);
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
	if (count != 1 || !(header->fps >= RP_SLOWEST_RATE) || header->fps > FASTEST || header->halfWindow < 0 ||
		header->halfWindow > MAX_HALF_WINDOW || header->labelCount < 0 || header->labelCount > RP_MAX_GRAPH_LABELS ||
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
	int clipCount, lengthCount = 0;
	bool hasPaths = rpBundle_HasChunk(bundle, "GPTH");
	graph->clips = rpBundle_GetChunk(bundle, "GCLP", sizeof(rpGraphClipRecord), &clipCount, error);
	graph->nodes = rpBundle_GetChunk(bundle, "GNOD", sizeof(rpGraphNode), &graph->nodeCount, error);
	graph->edges = rpBundle_GetChunk(bundle, "GEDG", sizeof(rpGraphEdge), &graph->edgeCount, error);
	graph->path = hasPaths ? rpBundle_GetChunk(bundle, "GPTH", sizeof(rpVec2), &graph->pointCount, error) : NULL;
	graph->lengths = hasPaths ? rpBundle_GetChunk(bundle, "GLEN", sizeof(float), &lengthCount, error) : NULL;
	graph->contacts = rpBundle_GetChunk(bundle, "GCON", sizeof(uint16_t), &graph->contactCount, error);
	if (graph->clips == NULL || graph->nodes == NULL || graph->edges == NULL || graph->contacts == NULL ||
		(hasPaths && (graph->path == NULL || graph->lengths == NULL)))
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
	return at == end || failGraph(error, "its names");
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

static bool readStart(rpGraphModel* graph, const rpBundle* bundle, rpError* error)
{
	int count;
	if (!rpBundle_HasChunk(bundle, "GBEG"))
	{
		return true;
	}
	graph->start = rpBundle_GetChunk(bundle, "GBEG", sizeof(rpGroundTransform), &count, error);
	return graph->start != NULL &&
		   ((count == 1 && rpIsAlignment(*graph->start)) || failGraph(error, "where it begins"));
}

// ---- numbers

// In alphabetical order, each once.
static bool checkLabels(const rpGraphModel* graph, rpError* error)
{
	bool isSound = true;
	for (int i = 0; i < graph->labelCount && isSound; ++i)
	{
		isSound = rpIsUtf8(graph->labels[i], strlen(graph->labels[i])) &&
				  (i == 0 || strcmp(graph->labels[i - 1], graph->labels[i]) < 0);
	}
	return isSound || failGraph(error, "its labels");
}

// The states of each clip's frames lie one behind the other.
static bool checkClips(const rpGraphModel* graph, rpError* error)
{
	int next = 0;
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpGraphClipRecord* clip = &graph->clips[i];
		if (clip->frameCount < 1 || clip->frameCount > RP_MAX_FRAMES || clip->firstContact != next ||
			clip->frameCount > graph->contactCount - next || (clip->isMirrored & ~1) != 0)
		{
			return failGraph(error, "its clips");
		}
		if (!rpIsModelName(graph->clipNames[i], clip->isMirrored != 0))
		{
			return failGraph(error, "the name of a clip");
		}
		next += clip->frameCount;
	}
	return next == graph->contactCount || failGraph(error, "its clips");
}

static bool checkContacts(const rpGraphModel* graph, rpError* error)
{
	unsigned all = 0;
	for (int i = 0; i < graph->contactCount; ++i)
	{
		all |= graph->contacts[i];
	}
	return all >> rp_effectorCount == 0 || failGraph(error, "its contacts");
}

static bool isBehind(const rpGraphNode* node, const rpGraphNode* last)
{
	return node->clip > last->clip || (node->clip == last->clip && node->frame > last->frame);
}

// By clips, then by time, each with its edges behind those of the last.
static bool checkNodes(const rpGraphModel* graph, rpError* error)
{
	int next = 0;
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		const rpGraphNode* node = &graph->nodes[i];
		if (node->clip < 0 || node->clip >= graph->clipCount || node->frame < 0 ||
			node->frame >= graph->clips[node->clip].frameCount || node->firstEdge != next || node->edgeCount < 0 ||
			node->edgeCount > graph->edgeCount - next || (i > 0 && !isBehind(node, node - 1)))
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

// Both clips meet in the middle of a transition.
static bool isSoundTransition(const rpGraphModel* graph, const rpGraphEdge* edge)
{
	const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
	int half = edge->frameCount / 2;
	return isInsideClip(graph, from->clip, from->frame, from->frame + edge->frameCount) &&
		   isInsideClip(graph, to->clip, to->frame - edge->frameCount, to->frame) && edge->frameCount == 2 * half &&
		   edge->fromMiddle == from->frame + half && edge->toMiddle == to->frame - half &&
		   edge->distance <= GREATEST_DISTANCE && rpIsAlignment(edge->alignment);
}

static bool isSoundStretch(const rpGraphModel* graph, const rpGraphEdge* edge)
{
	const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
	return from->clip == to->clip && to->frame - from->frame == edge->frameCount && edge->distance == -1.0f;
}

static bool areLabels(const rpGraphModel* graph, uint64_t labels)
{
	return graph->labelCount == RP_MAX_GRAPH_LABELS || labels >> graph->labelCount == 0;
}

static bool isSoundEdge(const rpGraphModel* graph, const rpGraphEdge* edge)
{
	if (edge->from < 0 || edge->from >= graph->nodeCount || edge->to < 0 || edge->to >= graph->nodeCount ||
		edge->frameCount < 1 || edge->frameCount > RP_MAX_FRAMES || edge->firstPoint < 0 ||
		(graph->path != NULL && edge->firstPoint > graph->pointCount - edge->frameCount - 1) ||
		!areLabels(graph, edge->labels))
	{
		return false;
	}
	return rpGraphEdge_IsTransition(edge) ? isSoundTransition(graph, edge) : isSoundStretch(graph, edge);
}

// Edges stand with the node that they begin in, and their paths one behind the other.
static bool checkEdges(const rpGraphModel* graph, rpError* error)
{
	int64_t next = 0;
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		for (int k = 0; k < graph->nodes[n].edgeCount; ++k)
		{
			const rpGraphEdge* edge = &graph->edges[graph->nodes[n].firstEdge + k];
			if (edge->from != n || !isSoundEdge(graph, edge) || edge->firstPoint != next)
			{
				return failGraph(error, "its edges");
			}
			next += edge->frameCount + 1;
		}
	}
	return graph->path == NULL || next == graph->pointCount || failGraph(error, "its paths");
}

static bool checkSides(const rpGraphModel* graph, rpError* error)
{
	bool isSound = true;
	for (int i = 0; graph->sides != NULL && i < graph->edgeCount && isSound; ++i)
	{
		isSound = areLabels(graph, graph->sides[i].from) && areLabels(graph, graph->sides[i].to);
	}
	return isSound || failGraph(error, "the labels of its edges");
}

// Lengths begin at 0 with each edge, and grow by what its path goes.
static bool isSoundPath(const rpVec2* path, const float* lengths, int frameCount)
{
	bool isSound = lengths[0] == 0.0f && rpIsPlace((rpVec3){path[0].x, 0.0f, path[0].y});
	for (int i = 1; i <= frameCount && isSound; ++i)
	{
		float step = rpHypot(path[i].x - path[i - 1].x, path[i].y - path[i - 1].y);
		isSound = rpIsPlace((rpVec3){path[i].x, 0.0f, path[i].y}) && lengths[i] >= lengths[i - 1] &&
				  fabsf(lengths[i] - lengths[i - 1] - step) <= LENGTH_TOLERANCE * (1.0f + lengths[i]);
	}
	return isSound;
}

static bool checkPaths(const rpGraphModel* graph, rpError* error)
{
	for (int i = 0; graph->path != NULL && i < graph->edgeCount; ++i)
	{
		const rpGraphEdge* edge = &graph->edges[i];
		if (!isSoundPath(graph->path + edge->firstPoint, graph->lengths + edge->firstPoint, edge->frameCount))
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
		   readExtras(graph, bundle, error) && readStart(graph, bundle, error) && checkLabels(graph, error) &&
		   checkClips(graph, error) && checkContacts(graph, error) && checkNodes(graph, error) &&
		   checkEdges(graph, error) && checkSides(graph, error) && checkPaths(graph, error) &&
		   checkSteering(graph, error);
}

void rpGraphModel_Free(rpGraphModel* graph)
{
	rpFree(graph->labels);
	*graph = (rpGraphModel){0};
}
