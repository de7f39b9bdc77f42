/// The player of a parametric motion graph (Heck 6.1.2, 6.2.2): before a motion comes to where it can lead on, the next
/// one is chosen by what is asked for then, planned, compared with it where they are to meet, and laid there.
///
/// Planning and comparing take as many poses as dozens of frames. So they are done in steps, 60 a second, each about as
/// dear as a frame or two: no tick is much longer than the others.
#include "base/error.h"
#include "base/memory.h"
#include "live/parametric_choice.h"
#include "live/player_kind.h"
#include "live/space_names.h"

#include <math.h>
#include <string.h>

// Steps of planning per second, and how much is done in one: samples weighed, pieces of a span blended, pairs of poses
// compared. So no tick takes five times the median (docs/parametric-graphs.md).
#define STEP_RATE 60.0
#define SAMPLES 600
#define PIECES 60
#define PAIRS 2

// A motion that aims at a place is planned again where what it needs to hit has changed by more than this, ranges; so
// often at most.
#define AIM_TOLERANCE 0.005f
#define MAX_AIMS 2

typedef struct ParametricPlayer
{
	rpParametricModel model;
	rpParametricRoutes routes;
	rpSpaceNames names;
	uint64_t seed;

	/// Steps that it takes at most to plan a motion of a node and to compare it.
	int roundSteps[RP_MAX_PARAMETRIC_NODES];

	/// Scratch, [edgeCount].
	bool* usable;
} ParametricPlayer;

typedef enum Stage
{
	stageWatch,
	stageBegin,
	stagePlan,
	stageCompare,
} Stage;

/// All that changes while it plays.
typedef struct Playback
{
	/// What is in play and what is said about it; reports of span n are at n & 1.
	rpParametricMotion now;
	int number;
	rpParametricReport reports[2];

	/// When the seam into it is over, and when there is something to choose.
	double seamEnd, chooseFrom;

	/// Steps that were made, and what the next is about.
	int64_t step;
	Stage stage;
	rpParametricStep next;
	rpParametricPlanning planning;
	int aims, frame;
	rpPlayerInput input;
	rpCloudSums sums;
	float wanted[RP_MAX_SPACE_PARAMETERS], asked[RP_MAX_SPACE_PARAMETERS];

	rpGroundTransform start;
	bool isAsked;
	rpRandom random;

	/// The last input, and when it changed, if that was not answered yet, else -1.
	rpPlayerInput lastInput;
	double changed;
} Playback;

static double getStepTime(const Playback* playback)
{
	return (double)playback->step / STEP_RATE;
}

// ---- when

// How long before its seam begins a motion must be chosen: so that all steps are made, those of aiming too.
static double getLead(const ParametricPlayer* player, int edge, const rpPlayerInput* input)
{
	const rpParametricGraph* graph = player->model.graph;
	int target = graph->edges[edge].target, aims = rpParametricInput_Aims(graph, target, input) ? MAX_AIMS : 1;
	return (1 + aims * player->roundSteps[target]) / STEP_RATE;
}

// The last moment to choose an edge, seconds; what the box says goes into *box.
static double getDeadline(const ParametricPlayer* player, const Playback* playback, int edge, rpParametricBox* box)
{
	const rpParametricEdge* own = &player->model.graph->edges[edge];
	*box = rpParametricGraph_LookUp(player->model.graph, edge, playback->now.clip.values);
	return playback->now.span.start + rpParametricClip_GetTime(&playback->now.clip, box->from) -
		   0.5 * (double)own->length;
}

// Before that no edge need be chosen, whatever is asked for.
static void findChooseTime(const ParametricPlayer* player, Playback* playback)
{
	static const rpPlayerInput aiming = {.parametric = {.hasTarget = true}};
	const rpParametricGraph* graph = player->model.graph;
	rpParametricBox box;
	playback->chooseFrom = INFINITY;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		if (graph->edges[e].source == playback->now.clip.node)
		{
			double deadline = getDeadline(player, playback, e, &box);
			playback->chooseFrom = fmin(playback->chooseFrom, deadline - getLead(player, e, &aiming) - 1.0 / STEP_RATE);
		}
	}
}

// ---- the first motion

static rpParametricBox getWholeBox(const rpSpace* space)
{
	rpParametricBox box = {0};
	for (int k = 0; k < space->parameterCount; ++k)
	{
		box.low[k] = space->parameters[k].low;
		box.high[k] = space->parameters[k].high;
	}
	return box;
}

static void report(const ParametricPlayer* player, Playback* playback, const rpParametricBox* box)
{
	rpParametricReport* out = &playback->reports[playback->number & 1];
	const rpParametricClip* clip = &playback->now.clip;
	*out = (rpParametricReport){.number = playback->number,
								.node = clip->node,
								.requestedNode = rpParametricInput_GetNode(player->model.graph, &playback->input),
								.start = playback->now.span.start + clip->start,
								.end = playback->now.span.start + clip->end};
	memcpy(out->requested, playback->wanted, sizeof(out->requested));
	memcpy(out->low, box->low, sizeof(out->low));
	memcpy(out->high, box->high, sizeof(out->high));
	memcpy(out->granted, clip->asked, sizeof(out->granted));
	memcpy(out->achieved, clip->values, sizeof(out->achieved));
}

static void planFirst(const ParametricPlayer* player, Playback* playback, const rpPlayerInput* input,
					  rpTimeline* timeline)
{
	const rpParametricGraph* graph = player->model.graph;
	int wanted = rpParametricInput_GetNode(graph, input), node = wanted >= 0 ? wanted : 0;
	rpParametricBox box = getWholeBox(graph->nodes[node].space);
	rpParametricBeginning begins = {playback->start, playback->start.turn};
	float granted[RP_MAX_SPACE_PARAMETERS];
	playback->input = *input;
	rpChooseParametricValues(graph, node, input, &begins, &box, NULL, &playback->random, playback->wanted, granted);
	rpParametricMotion_Begin(&player->model, node, granted, playback->start, &playback->now);
	playback->seamEnd = -INFINITY;
	findChooseTime(player, playback);
	report(player, playback, &box);
	*rpTimeline_GetNext(timeline) = playback->now.span;
	rpTimeline_Append(timeline, NULL);
}

static void begin(const void* model, void* state, rpGroundTransform start, rpTimeline* timeline)
{
	const ParametricPlayer* player = model;
	Playback* playback = state;
	const rpPlayerInput none = {0};
	playback->start = start;
	playback->random = rpSeedRandom(player->seed);
	playback->changed = -1.0;
	planFirst(player, playback, &none, timeline);
}

// ---- watching

// Mark the edges that lead on; in time: those whose last moment has not passed. Returns how many there are.
static int markUsable(const ParametricPlayer* player, const Playback* playback, const rpPlayerInput* input, bool inTime)
{
	const rpParametricGraph* graph = player->model.graph;
	double latest = getStepTime(playback) - 1.0 / STEP_RATE;
	int count = 0;
	for (int e = 0; e < graph->edgeCount; ++e)
	{
		rpParametricBox box;
		player->usable[e] = false;
		if (graph->edges[e].source == playback->now.clip.node)
		{
			double deadline = getDeadline(player, playback, e, &box);
			player->usable[e] = !box.isEmpty && (!inTime || deadline - getLead(player, e, input) >= latest);
		}
		count += player->usable[e];
	}
	return count;
}

static bool isSameInput(const rpPlayerInput* a, const rpPlayerInput* b)
{
	bool isSame = a->stick.x == b->stick.x && a->stick.y == b->stick.y && a->request == b->request &&
				  a->space.isGiven == b->space.isGiven && a->parametric.hasTarget == b->parametric.hasTarget &&
				  a->parametric.target.x == b->parametric.target.x &&
				  a->parametric.target.y == b->parametric.target.y && a->parametric.target.z == b->parametric.target.z;
	for (int k = 0; k < RP_MAX_SPACE_PARAMETERS && a->space.isGiven && isSame; ++k)
	{
		isSame = a->space.values[k] == b->space.values[k] || (isnan(a->space.values[k]) && isnan(b->space.values[k]));
	}
	return isSame;
}

static void noteInput(Playback* playback, const rpPlayerInput* input)
{
	if (!isSameInput(&playback->lastInput, input))
	{
		playback->lastInput = *input;
		playback->changed = getStepTime(playback);
	}
}

// For the edge that was chosen.
static void chooseValues(const ParametricPlayer* player, Playback* playback, const rpParametricBeginning* begins,
						 float* out)
{
	int target = player->model.graph->edges[playback->next.edge].target;
	rpChooseParametricValues(player->model.graph, target, &playback->input, begins, &playback->next.box,
							 target == playback->now.clip.node ? playback->now.clip.values : NULL, &playback->random,
							 playback->wanted, out);
}

static void watch(const ParametricPlayer* player, Playback* playback, const rpPlayerInput* input)
{
	const rpParametricGraph* graph = player->model.graph;
	rpRandom random = playback->random;
	// If the last moment of all has passed they all count: better late than never.
	bool isTime = getStepTime(playback) >= playback->chooseFrom;
	if (!isTime || (markUsable(player, playback, input, true) == 0 && markUsable(player, playback, input, false) == 0))
	{
		return;
	}
	int edge = rpChooseParametricEdge(graph, &player->routes, playback->now.clip.node, input, player->usable, &random);
	rpParametricBox box;
	double deadline = getDeadline(player, playback, edge, &box);
	// There is time yet: the request may change.
	if (deadline - getLead(player, edge, input) > getStepTime(playback) + 1.0 / STEP_RATE)
	{
		return;
	}
	playback->random = random;
	playback->input = *input;
	playback->aims = 0;
	rpParametricStep_Begin(&player->model, &playback->now, edge, &playback->next);
	rpParametricBeginning begins = rpParametricModel_GetBeginning(&player->model, &playback->now.span,
																  playback->next.from, playback->now.clip.end);
	chooseValues(player, playback, &begins, playback->asked);
	playback->stage = stageBegin;
}

// ---- planning and comparing

static void goOnPlanning(const ParametricPlayer* player, Playback* playback)
{
	rpParametricStep* next = &playback->next;
	if (rpParametricStep_GoOnPlanning(&player->model, &playback->planning, next->box.to, SAMPLES, PIECES, next))
	{
		playback->sums = (rpCloudSums){0};
		playback->frame = 0;
		playback->stage = stageCompare;
	}
}

// Whether what it takes to hit the target from where the motion now begins is something else than what was planned for.
static bool aimAgain(const ParametricPlayer* player, Playback* playback)
{
	const rpParametricGraph* graph = player->model.graph;
	const rpParametricStep* next = &playback->next;
	int node = graph->edges[next->edge].target;
	if (++playback->aims >= MAX_AIMS || !rpParametricInput_Aims(graph, node, &playback->input))
	{
		return false;
	}
	rpParametricBeginning begins =
		rpParametricModel_GetBeginning(&player->model, &next->next.span, next->next.clip.start, next->next.clip.start);
	begins.root = rpGroundTransform_Compose(next->placement, begins.root);
	begins.travel += next->placement.turn;
	float asked[RP_MAX_SPACE_PARAMETERS], miss = 0.0f;
	chooseValues(player, playback, &begins, asked);
	const rpSpace* space = graph->nodes[node].space;
	for (int k = 0; k < space->parameterCount; ++k)
	{
		float range = space->parameters[k].high - space->parameters[k].low;
		miss = range > 0.0f ? fmaxf(miss, fabsf(asked[k] - playback->asked[k]) / range) : miss;
		playback->asked[k] = asked[k];
	}
	return miss > AIM_TOLERANCE;
}

// ---- going over

static rpSeamDef getSeam(const ParametricPlayer* player, const Playback* playback, double cut)
{
	static const rpSeamKind kinds[rp_parametricSeamCount] = {rp_seamPose, rp_seamLinear, rp_seamVelocity,
															 rp_seamDisplace};
	const rpParametricEdge* edge = &player->model.graph->edges[playback->next.edge];
	// Seams do not overlap: after a short motion they are shorter.
	double half = fmin(0.5 * (double)edge->length, fmax(cut - playback->seamEnd, 1e-3));
	return (rpSeamDef){kinds[edge->seam], cut - half, cut, cut + half};
}

// The report of the motion that has just come into play.
static void reportNext(const ParametricPlayer* player, Playback* playback, double cut)
{
	const rpParametricStep* next = &playback->next;
	double changed = playback->changed;
	report(player, playback, &next->box);
	rpParametricReport* out = &playback->reports[playback->number & 1];
	out->distance = next->distance;
	out->bad = player->model.graph->edges[next->edge].bad;
	out->repairs = next->repairs;
	out->isForced = next->isForced;
	out->isAnswer = changed >= 0.0 && isSameInput(&playback->lastInput, &playback->input) &&
					(out->requestedNode < 0 || out->requestedNode == out->node);
	out->response = out->isAnswer ? (float)(cut - changed) : 0.0f;
	playback->changed = out->isAnswer ? -1.0 : changed;
}

static void goOver(const ParametricPlayer* player, Playback* playback, rpTimeline* timeline)
{
	rpParametricStep* next = &playback->next;
	rpParametricStep_Repair(&player->model, &playback->now, next);
	rpParametricStep_Lay(&player->model, &playback->now, next);
	double cut = playback->now.span.start + next->from;
	rpSeamDef seam = getSeam(player, playback, cut);
	playback->now = next->next;
	playback->seamEnd = seam.end;
	++playback->number;
	findChooseTime(player, playback);
	reportNext(player, playback, cut);
	*rpTimeline_GetNext(timeline) = playback->now.span;
	rpTimeline_Append(timeline, &seam);
}

static void comparePairs(const ParametricPlayer* player, Playback* playback, rpTimeline* timeline)
{
	int end = 2 * player->model.graph->halfWindow + 1;
	rpParametricStep* next = &playback->next;
	rpSpanMoment from = rpParametricStep_GetFrom(next, &playback->now), to = rpParametricStep_GetTo(next);
	for (int i = 0; i < PAIRS && playback->frame < end; ++i)
	{
		rpSpanCloud_Add(&player->model.cloud, &from, &to, playback->frame++, &playback->sums);
	}
	if (playback->frame < end)
	{
		return;
	}
	rpGroundTransform alignment;
	next->distance = rpSpanCloud_Finish(&from, &to, &playback->sums, &alignment);
	next->placement = rpParametricStep_Place(&player->model, &playback->now, alignment, next);
	playback->stage = stageBegin;
	if (!aimAgain(player, playback))
	{
		goOver(player, playback, timeline);
		playback->stage = stageWatch;
	}
}

static void beginPlanning(const ParametricPlayer* player, Playback* playback)
{
	int node = player->model.graph->edges[playback->next.edge].target;
	rpParametricPlanning_Begin(&playback->planning, &player->model.spaces[node], node, playback->asked,
							   &playback->next.next.clip);
	playback->stage = stagePlan;
	goOnPlanning(player, playback);
}

static void makeStep(const ParametricPlayer* player, Playback* playback, const rpPlayerInput* input,
					 rpTimeline* timeline)
{
	noteInput(playback, input);
	switch (playback->stage)
	{
	case stageWatch:
		watch(player, playback, input);
		break;
	case stageBegin:
		beginPlanning(player, playback);
		break;
	case stagePlan:
		goOnPlanning(player, playback);
		break;
	case stageCompare:
		comparePairs(player, playback, timeline);
		break;
	}
	++playback->step;
}

static void produce(const void* model, void* state, double time, const rpPlayerInput* input, rpTimeline* timeline)
{
	const ParametricPlayer* player = model;
	Playback* playback = state;
	if (!playback->isAsked)
	{
		playback->isAsked = true;
		playback->lastInput = *input;
		memset(timeline, 0, sizeof(*timeline));
		planFirst(player, playback, input, timeline);
	}
	while (getStepTime(playback) <= time)
	{
		makeStep(player, playback, input, timeline);
	}
}

static rpSpanReport getReport(const void* state, int64_t span)
{
	rpSpanReport out = rpGetEmptyReport();
	out.parametric = ((const Playback*)state)->reports[span & 1];
	return out;
}

// ---- making and freeing

static void destroy(void* state)
{
	ParametricPlayer* player = state;
	rpParametricModel_Free(&player->model);
	rpParametricRoutes_Free(&player->routes);
	rpSpaceNames_Free(&player->names);
	rpFree(player->usable);
	rpFree(player);
}

static bool listNames(ParametricPlayer* player, rpError* error)
{
	const rpSpace* spaces[RP_MAX_PARAMETRIC_NODES];
	for (int i = 0; i < player->model.graph->nodeCount; ++i)
	{
		spaces[i] = player->model.graph->nodes[i].space;
	}
	return rpSpaceNames_List(&player->names, spaces, player->model.graph->nodeCount, error);
}

// How many steps planning takes hangs on how many samples a space has, and on how long its motions are.
static void countSteps(ParametricPlayer* player)
{
	const rpParametricGraph* graph = player->model.graph;
	int pairs = 2 * graph->halfWindow + 1;
	for (int i = 0; i < graph->nodeCount; ++i)
	{
		const rpSpace* space = graph->nodes[i].space;
		double longest = 0.0;
		for (int k = 0; k < space->exampleCount; ++k)
		{
			longest = fmax(longest, space->examples[k].end - space->examples[k].start);
		}
		double pieces = RP_MAX_GROUND_STEPS + RP_LOOK_RATE * (longest + 2.0 * player->model.margin);
		player->roundSteps[i] =
			1 + (space->sampleCount + SAMPLES - 1) / SAMPLES + (int)ceil(pieces / PIECES) + (pairs + PAIRS - 1) / PAIRS;
	}
}

static void* create(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	ParametricPlayer* player = rpAllocateZero(1, sizeof(ParametricPlayer), error);
	if (player == NULL)
	{
		return NULL;
	}
	player->seed = def->parametric.seed;
	bool done = rpParametricModel_Read(&player->model, bundle, error) &&
				rpParametricRoutes_Find(&player->routes, player->model.graph, error) && listNames(player, error);
	player->usable = done ? rpAllocateZero((size_t)player->model.graph->edgeCount, sizeof(bool), error) : NULL;
	if (player->usable == NULL)
	{
		destroy(player);
		return NULL;
	}
	countSteps(player);
	return player;
}

// Of the first request, which is for any node, there are none.
static const rpSpaceParameter* getParameter(const void* state, int request, int index)
{
	const rpParametricGraph* graph = ((const ParametricPlayer*)state)->model.graph;
	if (request < 1 || request > graph->nodeCount)
	{
		return NULL;
	}
	const rpSpace* space = graph->nodes[request - 1].space;
	return index >= 0 && index < space->parameterCount ? &space->parameters[index] : NULL;
}

static const char* getNodeName(const void* state, int node)
{
	const rpParametricGraph* graph = ((const ParametricPlayer*)state)->model.graph;
	return node >= 0 && node < graph->nodeCount ? graph->nodes[node].name : NULL;
}

static const char* getRequest(const void* state, int request)
{
	return request == 0 ? "any" : getNodeName(state, request - 1);
}

static rpSkeleton* getSkeleton(const void* state)
{
	return ((const ParametricPlayer*)state)->model.frames.clips.skeleton;
}

static const char* getClipName(const void* state, int clip)
{
	return rpSpaceNames_Get(&((const ParametricPlayer*)state)->names, clip);
}

// Examples are cut out of their takes, with margins.
static double getClipStart(const void* state, int clip)
{
	const rpParametricModel* model = &((const ParametricPlayer*)state)->model;
	int node = model->graph->nodeCount - 1;
	while (node > 0 && clip < model->spaces[node].firstClip)
	{
		--node;
	}
	const rpSpaceExample* example = &model->spaces[node].space->examples[clip - model->spaces[node].firstClip];
	return example->from - example->start;
}

const rpPlayerKind rpParametricPlayerKind = {
	.name = "pgraph",
	.chunk = "PHDR",
	.create = create,
	.destroy = destroy,
	.stateSize = sizeof(Playback),
	.begin = begin,
	.produce = produce,
	.getReport = getReport,
	.getParameter = getParameter,
	.getRequest = getRequest,
	.getSkeleton = getSkeleton,
	.getClipName = getClipName,
	.getClipStart = getClipStart,
	.getLabel = getNodeName,
};
