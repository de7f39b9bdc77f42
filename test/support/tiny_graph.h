/// The smallest graph that can be played: one clip of ten frames that goes round in a loop, or takes a short cut.
/// Shared with the seeds of the fuzzers, so it asserts nothing.
#pragma once

#include "tiny_motion.h"

#include <string.h>

enum
{
	tinyFrames = 10,
	tinyNodes = 3,
	tinyEdges = 4,
	tinyLength = 2,
};

/// What the graph is made of; nothing of it is owned by anybody.
typedef struct TinyGraph
{
	rpGraph graph;
	rpGraphClip clip;
	rpGraphNode nodes[tinyNodes];
	rpGraphEdge edges[tinyEdges];
	rpVec2 path[tinyEdges * (tinyFrames + 1)];
	float lengths[tinyEdges * (tinyFrames + 1)];
	int firstContacts[2];
	uint16_t contacts[tinyFrames];
	char* labels[1];
	char label[8], name[8];
} TinyGraph;

static void tinyAddEdge(TinyGraph* tiny, int from, int to, bool isTransition)
{
	rpGraph* graph = &tiny->graph;
	int length = isTransition ? tinyLength : tiny->nodes[to].frame - tiny->nodes[from].frame;
	rpGraphEdge edge = {.from = from, .to = to, .frameCount = length, .labels = 1, .distance = -1.0f};
	edge.firstPoint = graph->pointCount;
	if (isTransition)
	{
		edge.distance = 0.1f;
		edge.fromMiddle = tiny->nodes[from].frame + tinyLength / 2;
		edge.toMiddle = tiny->nodes[to].frame - tinyLength / 2;
		edge.alignment = (rpGroundTransform){0.3f, {0.0f, 0.0f, 0.05f * (float)(edge.fromMiddle - edge.toMiddle)}};
	}
	for (int f = 0; f <= length; ++f)
	{
		float z = 0.05f * (float)(tiny->nodes[from].frame + f);
		tiny->path[graph->pointCount] = (rpVec2){0.0f, z};
		tiny->lengths[graph->pointCount++] = 0.05f * (float)f;
	}
	tiny->edges[graph->edgeCount++] = edge;
	++tiny->nodes[from].edgeCount;
}

/// False when memory ran out. Free with tinyFree.
static bool tinyMake(TinyGraph* tiny)
{
	TinyPace pace = {.step = 0.05f, .tailTurn = 0.1f};
	memset(tiny, 0, sizeof(*tiny));
	strcpy(tiny->label, "walk");
	strcpy(tiny->name, "loop");
	tiny->labels[0] = tiny->label;
	tiny->clip = (rpGraphClip){
		.name = tiny->name, .motion = tinyMakeMotion("loop", tinyFrames, 0.2, pace), .frameCount = tinyFrames};
	tiny->nodes[0] = (rpGraphNode){.frame = 2};
	tiny->nodes[1] = (rpGraphNode){.frame = 5};
	tiny->nodes[2] = (rpGraphNode){.frame = 7};
	tiny->firstContacts[1] = tinyFrames;
	tiny->graph = (rpGraph){
		.fps = 30.0,
		.halfWindow = tinyLength / 2 - 1,
		.labels = tiny->labels,
		.labelCount = 1,
		.clips = &tiny->clip,
		.clipCount = 1,
		.nodes = tiny->nodes,
		.nodeCount = tinyNodes,
		.edges = tiny->edges,
		.path = tiny->path,
		.lengths = tiny->lengths,
		.firstContacts = tiny->firstContacts,
		.contacts = tiny->contacts,
	};
	tinyAddEdge(tiny, 0, 1, false);
	tiny->nodes[1].firstEdge = 1;
	tinyAddEdge(tiny, 1, 0, true);
	tinyAddEdge(tiny, 1, 2, false);
	tiny->nodes[2].firstEdge = 3;
	tinyAddEdge(tiny, 2, 0, true);
	return tiny->clip.motion != NULL;
}

static void tinyFree(TinyGraph* tiny)
{
	rpDestroyMotion(tiny->clip.motion);
}
