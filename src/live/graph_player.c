/// The player of a motion graph: at the end of each edge the steering table tells the next (section 4.4 of Kovar's
/// thesis, "interactive control").
#include "base/error.h"
#include "base/memory.h"
#include "live/player_kind.h"
#include "model/clip_chunks.h"
#include "model/graph_model.h"
#include "reprise/steering.h"

/// Where a walk is.
typedef struct Cursor
{
	int edge;
	/// When the edge began, seconds.
	double start;
	/// Takes the clip of the edge's start into the world.
	rpGround placement;
	/// What was left of the wanted direction when it was rounded to one of the table's, steps: it is added to the next,
	/// so that on the way the right direction is kept.
	float rest;
} Cursor;

typedef struct GraphPlayer
{
	rpGraphModel graph;
	rpClipSet clips;
	Cursor cursor;
} GraphPlayer;

// ---- the walk

static int chooseEdge(const rpGraphModel* graph, int node, const rpPlayerInput* input, Cursor* cursor)
{
	const int* entries = graph->steering + (size_t)node * rp_steerCount;
	float x = input->direction.x, z = input->direction.y;
	if (graph->nodes[node].edgeCount == 1 || !(x * x + z * z >= RP_DEAD_ZONE * RP_DEAD_ZONE) ||
		!isfinite(x * x + z * z))
	{
		return entries[rp_steerStay];
	}
	float wanted = rpWrapAngle(atan2f(x, z) - cursor->placement.turn);
	float steps = wanted * (float)(rp_steerDirections / (2.0 * RP_PI)) + cursor->rest;
	if (!isfinite(steps))
	{
		return entries[rp_steerStay];
	}
	float nearest = roundf(steps);
	cursor->rest = steps - nearest;
	return entries[(unsigned)(int)nearest % rp_steerDirections];
}

static void advance(const GraphPlayer* player, Cursor* cursor, double time, const rpPlayerInput* input)
{
	const rpGraphModel* graph = &player->graph;
	const rpGraphEdge* edge = &graph->edges[cursor->edge];
	double end = cursor->start + edge->frameCount / graph->fps;
	while (time >= end)
	{
		if (edge->distance >= 0.0f)
		{
			cursor->placement = rpGround_Compose(cursor->placement, edge->alignment);
		}
		cursor->start = end;
		cursor->edge = chooseEdge(graph, edge->to, input, cursor);
		edge = &graph->edges[cursor->edge];
		end = cursor->start + edge->frameCount / graph->fps;
	}
}

// ---- its frames

static rpShare makeShare(const GraphPlayer* player, int clip, double time, float weight, rpGround ground)
{
	return (rpShare){player->clips.clips[clip].clip, time, weight, ground};
}

static void addSource(rpPlayerReport* report, int clip, double time, float weight)
{
	report->sources[report->sourceCount++] = (rpPlayerSource){clip, time, weight};
}

// What rests is what rests in the clip whose half of a transition it is.
static void fillContacts(const GraphPlayer* player, int clip, double time, rpGround placement, rpPlayerReport* report)
{
	report->contacts = rpBundleClip_GetContacts(&player->clips.clips[clip], time, report->supportHeights);
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		report->supportHeights[i] += placement.shift.y;
	}
}

static void sample(const GraphPlayer* player, const Cursor* cursor, double time, rpPose* pose, rpPlayerReport* report)
{
	const rpGraphModel* graph = &player->graph;
	const rpGraphEdge* edge = &graph->edges[cursor->edge];
	const rpGraphNode *from = &graph->nodes[edge->from], *to = &graph->nodes[edge->to];
	double passed = time - cursor->start, fromTime = from->frame / graph->fps + passed;
	rpShare shares[2] = {makeShare(player, from->clip, fromTime, 1.0f, cursor->placement)};
	int count = 1;
	report->labels = edge->labels;
	if (edge->distance >= 0.0f)
	{
		// Cross-fade by eq. 4.12.
		float t = (float)(passed * graph->fps / edge->frameCount);
		float weight = fminf(fmaxf((2.0f * t - 3.0f) * t * t + 1.0f, 0.0f), 1.0f);
		double toTime = (to->frame - edge->frameCount) / graph->fps + passed;
		rpGround placement = rpGround_Compose(cursor->placement, edge->alignment);
		shares[0].weight = weight;
		shares[count++] = makeShare(player, to->clip, toTime, 1.0f - weight, placement);
		addSource(report, from->clip, fromTime, weight);
		addSource(report, to->clip, toTime, 1.0f - weight);
		bool isPast = t >= 0.5f;
		fillContacts(player, isPast ? to->clip : from->clip, isPast ? toTime : fromTime,
					 isPast ? placement : cursor->placement, report);
	}
	else
	{
		addSource(report, from->clip, fromTime, 1.0f);
		fillContacts(player, from->clip, fromTime, cursor->placement, report);
	}
	rpBlendClips(shares, count, pose);
}

static void make(void* state, double time, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report)
{
	GraphPlayer* player = state;
	advance(player, &player->cursor, time, input);
	sample(player, &player->cursor, time, pose, report);
}

static void predict(const void* state, double time, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report)
{
	const GraphPlayer* player = state;
	Cursor cursor = player->cursor;
	advance(player, &cursor, time, input);
	sample(player, &cursor, time, pose, report);
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
	for (int n = 0; n < graph->nodeCount; ++n)
	{
		if (graph->nodes[n].edgeCount == 0)
		{
			return rpFail(error, rp_errorFormat, "the graph in the bundle has a dead end: node %d", n);
		}
	}
	return true;
}

// Put the first edge where the root is to be.
static bool placeCursor(GraphPlayer* player, const rpPlayerDef* def, rpError* error)
{
	rpPose pose = {.rotations = rpAllocate((size_t)player->clips.skeleton->jointCount, sizeof(rpQuat), error)};
	rpPlayerReport report = {0};
	if (pose.rotations == NULL)
	{
		return false;
	}
	player->cursor.edge = player->graph.steering[rp_steerStay];
	sample(player, &player->cursor, 0.0, &pose, &report);
	rpGround root = {rpHeading(pose.rotations[0]), {pose.rootPosition.x, 0.0f, pose.rootPosition.z}};
	player->cursor.placement = rpGround_Compose(def->start, rpGround_Invert(root));
	rpFree(pose.rotations);
	return true;
}

static void* create(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	GraphPlayer* player = rpAllocateZero(1, sizeof(GraphPlayer), error);
	if (player == NULL)
	{
		return NULL;
	}
	if (!rpGraphModel_Read(&player->graph, bundle, error) || !rpClipSet_Read(&player->clips, bundle, error) ||
		!checkModel(player, error) || !placeCursor(player, def, error))
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
	.chunk = "GHDR",
	.create = create,
	.destroy = destroy,
	.make = make,
	.predict = predict,
	.getSkeleton = getSkeleton,
	.getClipName = getClipName,
	.getLabel = getLabel,
};
