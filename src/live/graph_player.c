/// The player of a motion graph: at the end of each edge the steering table gives the next (section 4.4 of Kovar's
/// thesis, "interactive control").
#include "base/error.h"
#include "base/memory.h"
#include "live/graph_spans.h"
#include "live/player_kind.h"
#include "model/graph_start.h"

// A graph's last frame may be this much behind the clip's, seconds: it is rounded to a thousandth of a frame when it is
// built.
#define LENGTH_SLACK 1e-2

typedef struct GraphPlayer
{
	rpGraphModel graph;
	rpClipSet clips;
} GraphPlayer;

/// What an edge is chosen by.
typedef struct Choice
{
	const rpGraphModel* graph;
	const rpPlayerInput* input;
} Choice;

// ---- the walk

// What is left of the wanted direction when it is rounded to one of the table's is added to the next, so that the right
// direction is kept in the long run.
static int chooseEdge(rpGraphCursor* cursor, int node, void* context)
{
	const Choice* choice = context;
	const rpGraphModel* graph = choice->graph;
	const int* entries = graph->steering + (size_t)node * rp_steerCount;
	float x = choice->input->stick.x, z = choice->input->stick.y;
	if (graph->nodes[node].edgeCount == 1 || !(x * x + z * z >= RP_DEAD_ZONE * RP_DEAD_ZONE) ||
		!isfinite(x * x + z * z))
	{
		return entries[rp_steerStay];
	}
	float wanted = rpWrapAngle(rpAtan2(x, z) - cursor->placement.turn);
	float steps = wanted * (float)(rp_steerDirections / (2.0 * RP_PI)) + cursor->rest;
	if (!isfinite(steps))
	{
		return entries[rp_steerStay];
	}
	float nearest = roundf(steps);
	cursor->rest = steps - nearest;
	return entries[(unsigned)(int)nearest % rp_steerDirections];
}

static rpGraphGround getGround(const GraphPlayer* player)
{
	return (rpGraphGround){player->graph.fps, player->graph.nodes, player->graph.edges,
						   (const rpClip* const*)player->clips.clips};
}

// The first edge lies where the root is to be.
static void begin(const void* model, void* state, rpGroundTransform start, rpTimeline* timeline)
{
	const GraphPlayer* player = model;
	rpGraphGround graph = getGround(player);
	rpGroundTransform root = rpGraphModel_GetStart(&player->graph, &player->clips);
	rpGraphCursor_Begin(state, &graph, rpGraphModel_GetFirstEdge(&player->graph),
						rpGroundTransform_Compose(start, rpGroundTransform_Invert(root)), timeline);
}

static void produce(const void* model, void* state, double time, const rpPlayerInput* input, rpTimeline* timeline)
{
	const GraphPlayer* player = model;
	rpGraphGround graph = getGround(player);
	Choice choice = {&player->graph, input};
	rpGraphCursor_Advance(state, &graph, time, chooseEdge, &choice, timeline);
}

// ---- making and freeing

static void destroy(void* state)
{
	GraphPlayer* player = state;
	rpGraphModel_Free(&player->graph);
	rpClipSet_Free(&player->clips);
	rpFree(player);
}

// Topology and clips are sound by themselves; whether they belong together is seen here.
static bool checkModel(const GraphPlayer* player, rpError* error)
{
	const rpGraphModel* graph = &player->graph;
	if (graph->steering == NULL)
	{
		rpFail(error, rp_errorMissing, "the graph in the bundle has no steering table");
		rpError_SetHint(error, "make the bundle anew with reprise bundle");
		return false;
	}
	if (graph->edgeCount == 0 || player->clips.clipCount != graph->clipCount)
	{
		return rpFail(error, rp_errorFormat, "the graph in the bundle is damaged: %d edges, %d clips", graph->edgeCount,
					  player->clips.clipCount);
	}
	for (int i = 0; i < graph->clipCount; ++i)
	{
		const rpClip* clip = player->clips.clips[i];
		if ((graph->clips[i].frameCount - 1) / graph->fps > (clip->frameCount - 1) / clip->fps + LENGTH_SLACK)
		{
			return rpFail(error, rp_errorFormat,
						  "the graph in the bundle is damaged: clip %d of it is longer than its frames", i);
		}
	}
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (graph->nodes[n].edgeCount == 0)
		{
			return rpFail(error, rp_errorFormat, "the graph in the bundle has a dead end: node %d", n);
		}
	}
	return true;
}

static void* create(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	(void)def;
	GraphPlayer* player = rpAllocateZero(1, sizeof(GraphPlayer), error);
	if (player == NULL)
	{
		return NULL;
	}
	if (!rpGraphModel_Read(&player->graph, bundle, error) || !rpClipSet_Read(&player->clips, bundle, error) ||
		!checkModel(player, error))
	{
		destroy(player);
		return NULL;
	}
	return player;
}

static rpSkeleton* getSkeleton(const void* state)
{
	return ((const GraphPlayer*)state)->clips.skeleton;
}

static const char* getClipName(const void* state, int clip)
{
	const rpGraphModel* graph = &((const GraphPlayer*)state)->graph;
	return clip >= 0 && clip < graph->clipCount ? graph->clipNames[clip] : NULL;
}

static const char* getLabel(const void* state, int label)
{
	const rpGraphModel* graph = &((const GraphPlayer*)state)->graph;
	return label >= 0 && label < graph->labelCount ? graph->labels[label] : NULL;
}

const rpPlayerKind rpGraphPlayerKind = {
	.name = "graph",
	.chunk = "GHDR",
	.create = create,
	.destroy = destroy,
	.stateSize = sizeof(rpGraphCursor),
	.begin = begin,
	.produce = produce,
	.getSkeleton = getSkeleton,
	.getClipName = getClipName,
	.getLabel = getLabel,
};
