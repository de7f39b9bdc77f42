/// Motion graphs: clips cut where they can be joined, and the transitions that join them. After L. Kovar's thesis,
/// chapter 4 (Kovar, Gleicher & Pighin 2002).
///
/// An edge is a stretch of motion: of a clip as it was captured, or a transition that blends from one clip into
/// another. A node is a moment of a clip where edges begin and end. Moments are frames at the graph's own rate, that of
/// the metric (30 Hz); the clips keep theirs, and a walk can be played at any.
///
/// A walk carries a placement: the ground transform that takes the clip being played into the world. Along an edge of a
/// clip it stays; a transition ends in another clip, and the placement becomes placement * alignment.
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// Max labels of a graph; label sets are bits.
#define RP_MAX_GRAPH_LABELS 64

/// A clip of a graph.
typedef struct rpGraphClip
{
	/// Its name in the library; followed by "~" for the mirror image.
	char* name;
	bool isMirrored;

	/// Owned, with contacts; at its own rate.
	rpMotion* motion;

	/// Frames at the graph's rate.
	int frameCount;

	/// Of what the library's clip holds (skeleton, frames, contacts), 32 hexadecimal digits; that of a mirror image is
	/// its original's. Empty where the graph was made from motions outside of a library, or isByName.
	char hash[33];
} rpGraphClip;

typedef struct rpGraphNode
{
	int clip, frame;

	/// Its edges are graph->edges[firstEdge …]: edges are sorted by their start node.
	int firstEdge, edgeCount;
} rpGraphNode;

typedef struct rpGraphEdge
{
	/// Nodes.
	int from, to;

	/// Length in frames at the graph's rate: frames 0 … frameCount, the last being the first of the next edge.
	int frameCount;

	/// Bits of graph->labels: for a transition those of both clips; graph->sides says which clip has which.
	uint64_t labels;

	/// Transitions only: takes the clip of `to` onto that of `from`; distance of the minimum, metres; the two moments
	/// that coincide in the middle of the blend. distance is -1 for a stretch of
	/// a clip (rpGraphEdge_IsTransition).
	rpGroundTransform alignment;
	float distance;
	int fromMiddle, toMiddle;

	/// Its root path: graph->path[firstPoint … firstPoint + frameCount], in the coordinates of the clip of `from`, and
	/// the path length from its start in graph->lengths at the same indices.
	int firstPoint;
} rpGraphEdge;

/// Whether an edge is a transition, and not a stretch of a clip.
static inline bool rpGraphEdge_IsTransition(const rpGraphEdge* edge)
{
	return edge->distance >= 0.0f;
}

/// Labels of the motion that an edge comes from and of that which it leads into, bits of graph->labels; the same for
/// stretches of a clip.
typedef struct rpEdgeSides
{
	uint64_t from, to;
} rpEdgeSides;

/// Entries of a steering table for each node: one for each direction, and one for staying where one is. Direction k is
/// (sin a, cos a) in (x, z), with a = k * 360/16 degrees, in the coordinates of the node's clip: seen from a walk with
/// a placement, a world direction less placement.turn. All edges that end in a node share its entries.
enum
{
	rp_steerDirections = 16,
	rp_steerStay = rp_steerDirections,
	rp_steerCount,
};

/// A motion graph. Const once built; fields are there to be read.
typedef struct rpGraph
{
	/// Frames per second of its frames. Transitions take at least 2 * (halfWindow + 1) frames, and exactly that many
	/// where their length was given.
	double fps;
	int halfWindow;

	char** labels;
	int labelCount;
	rpGraphClip* clips;
	int clipCount;
	rpGraphNode* nodes;
	int nodeCount;
	rpGraphEdge* edges;
	int edgeCount;

	/// [edgeCount]; NULL in graphs that know no more than their edges' labels.
	rpEdgeSides* sides;

	/// Root paths of all edges, (x, z), and the path length from the edge's start, metres. [pointCount]
	rpVec2* path;
	float* lengths;
	int pointCount;

	/// [clipCount] offsets into contacts: bits (1u << rpEffector) of heels and balls of each frame of each clip.
	int* firstContacts;
	uint16_t* contacts;

	/// The steering table, [nodeCount * rp_steerCount] edges, see reprise/steering.h; NULL where none was made.
	int* steering;

	/// Its clips were found in the library by their names alone, because it was kept before graphs knew what is in
	/// them.
	bool isByName;
} rpGraph;

RP_API void rpDestroyGraph(rpGraph* graph);

/// Index of a label, -1 if there is none.
RP_API int rpGraph_FindLabel(const rpGraph* graph, const char* label);

/// Whether an edge stays within labels: both its sides have one of these bits. 0: any edge does.
RP_API bool rpGraph_StaysIn(const rpGraph* graph, int edge, uint64_t labels);

/// Nodes in the largest strongly connected component, that with the most frames of clips, of the edges that stay in a
/// label (bit index), or of all edges (-1). inComponent is [nodeCount]; returns how many nodes it holds. error may be
/// NULL; -1 when memory ran out.
RP_API int rpGraph_FindComponent(const rpGraph* graph, int label, bool* inComponent, rpError* error);

#ifdef __cplusplus
}
#endif
