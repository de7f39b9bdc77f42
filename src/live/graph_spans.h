/// Edges of a motion graph as spans of a timeline: a stretch of a clip goes on with its span, a transition begins the
/// next one.
#pragma once

#include "reprise/play/graph.h"
#include "timeline/timeline.h"

/// What is walked on; all borrowed. clips is [clipCount], and so are the sources that reports name.
typedef struct rpGraphGround
{
	double fps;
	const rpGraphNode* nodes;
	const rpGraphEdge* edges;
	const rpClip* const* clips;
} rpGraphGround;

/// Where a walk is.
typedef struct rpGraphCursor
{
	int edge;

	/// When the edge began, frames at the graph's rate since the start.
	int64_t start;

	/// Takes the clip of the edge's start into the world.
	rpGroundTransform placement;

	/// The player's: what was left of the wanted direction when it was rounded, steps.
	float rest;
} rpGraphCursor;

/// The edge that follows at the node where the current one ends, -1: none, the walk ends there. The cursor may be
/// changed, but for its edge.
typedef int rpChooseEdgeFn(rpGraphCursor* cursor, int node, void* context);

/// Begin with an edge.
void rpGraphCursor_Begin(rpGraphCursor* cursor, const rpGraphGround* graph, int edge, rpGroundTransform placement,
						 rpTimeline* timeline);

/// Go on to a time, choosing edges as they are needed.
void rpGraphCursor_Advance(rpGraphCursor* cursor, const rpGraphGround* graph, double time, rpChooseEdgeFn* choose,
						   void* context, rpTimeline* timeline);
