/// A motion graph in play: views of the chunks of a bundle, used where they lie. The graph that is built, changed and
/// walked off-line is an rpGraph; rpReadGraphChunks makes one of this.
#pragma once

#include "reprise/play/bundle.h"
#include "reprise/play/graph.h"

/// A clip of the graph (chunk GCLP): frames at the graph's rate, and where its states begin in contacts.
typedef struct rpGraphClipRecord
{
	int32_t frameCount, firstContact, isMirrored, reserved;
} rpGraphClipRecord;

/// Const once made; the bundle must outlive it. Fields are as in rpGraph. Zero-initialised is empty.
typedef struct rpGraphModel
{
	double fps;
	int halfWindow;

	/// Names in the bundle: [labelCount], and after them in the same memory [clipCount].
	const char** labels;
	int labelCount;
	const char** clipNames;
	const rpGraphClipRecord* clips;
	int clipCount;

	const rpGraphNode* nodes;
	int nodeCount;
	const rpGraphEdge* edges;
	int edgeCount;

	/// NULL in graphs that know no more than their edges' labels.
	const rpEdgeSides* sides;

	/// Both [pointCount]; NULL in packed bundles: no player needs them.
	const rpVec2* path;
	const float* lengths;
	int pointCount;

	const uint16_t* contacts;
	int contactCount;

	/// NULL where none was made.
	const int* steering;

	/// Where the root is where the first edge begins; NULL: where its clip has it (graph_start.h).
	const rpGroundTransform* start;
} rpGraphModel;

/// View the graph of a bundle, every number checked. Free with rpGraphModel_Free, after failure too.
RP_NODISCARD bool rpGraphModel_Read(rpGraphModel* graph, const rpBundle* bundle, rpError* error);
void rpGraphModel_Free(rpGraphModel* graph);
