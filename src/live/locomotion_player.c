/// The player of a locomotion model (Kwon & Shin 2005, section 5): half cycles, stands and the transitions between them
/// are blended from those of the takes, one after the other, each planned in the middle of the one before it.
#include "base/memory.h"
#include "live/gait_director.h"
#include "live/player_kind.h"
#include "timeline/span_join.h"

#include <math.h>
#include <string.h>

// The share of a movement that is over when the next one is planned.
#define LOOK_AHEAD 0.5

// A path that is shorter has no direction, metres.
#define SHORTEST_PATH 0.05f

// A stitch is led to nothing over at most this time on either side, seconds.
#define LONGEST_STITCH 0.3

/// A movement in play.
typedef struct Stage
{
	rpMovementPlan plan;
	rpMovementReport report;
} Stage;

/// All that changes while it plays.
typedef struct Playback
{
	rpGaitDirector director;

	/// The movement of span n is at n & 1: the current one and, once it is planned, the next.
	Stage stages[2];
	int64_t current;
	bool isNextReady;

	/// How the path of the movement before the current one led beside its heading.
	float slip;

	/// What the last input was, when it came, and whether a movement has answered it.
	rpPlayerInput input;
	double askedAt;
	bool isAnswered;
} Playback;

typedef struct LocomotionPlayer
{
	rpGaitModel model;
	rpWeightDef weights;
	uint64_t seed;
	float maxBend;

	rpSpanJoiner joiner;

	/// By gait; zeros where there is none.
	rpGaitLimits limits[rp_gaitCount];
} LocomotionPlayer;

// ---- knots

static double getStitchLength(const rpSpan* span)
{
	return fmin((1.0 - LOOK_AHEAD) * rpSpan_GetDuration(span), LONGEST_STITCH);
}

// ---- playback

static void noteInput(Playback* playback, double time, const rpPlayerInput* input)
{
	const rpPlayerInput* last = &playback->input;
	bool isSame = last->stick.x == input->stick.x && last->stick.y == input->stick.y &&
				  last->request == input->request && last->locomotion.speed == input->locomotion.speed &&
				  last->locomotion.turn == input->locomotion.turn;
	if (!isSame)
	{
		playback->input = *input;
		playback->askedAt = time;
		playback->isAnswered = false;
	}
}

static const rpGroundRate* getEnd(const Stage* stage)
{
	return &stage->plan.span.path.places[stage->plan.span.path.stepCount];
}

// By how much the path of a movement leads beside its heading, to the left; radians.
static float getSlip(const Stage* stage)
{
	const rpGroundRate* end = getEnd(stage);
	bool isPath = sqrtf(end->x * end->x + end->z * end->z) > SHORTEST_PATH;
	return isPath ? rpAtan2(end->x, end->z) - 0.5f * end->turn : 0.0f;
}

// Where somebody goes at the end of a movement. Left and right half cycles sway to either side, so the last two count.
static float getDirection(const Playback* playback, const Stage* stage)
{
	return rpWrapAngle(stage->plan.span.placement.turn + getEnd(stage)->turn +
					   0.5f * (playback->slip + getSlip(stage)));
}

static void fillMovement(Playback* playback, const rpGaitWish* wish, Stage* next, const Stage* last)
{
	const rpMovementPlan* plan = &next->plan;
	next->report = (rpMovementReport){
		.kind = plan->kind,
		.number = last->report.number + 1,
		.wantedGait = wish->gait,
		.wantedSpeed = wish->speed,
		.wantedTurn = wish->turn,
		.speed = plan->speed,
		.turn = plan->turn,
		.plainSpeed = plan->weighed.plainSpeed,
		.plainTurn = plan->weighed.plainTurn,
		.isAnswer = !playback->isAnswered,
		.response = playback->isAnswered ? 0.0f : (float)(plan->span.start - playback->askedAt),
	};
	playback->isAnswered = true;
}

// What the shift at the knot adds to the path counts for its speed.
static void closeLoop(Playback* playback, Stage* next, const Stage* last)
{
	rpGroundTransform end = rpSpan_GetGround(&last->plan.span, rpMovementPlan_GetDuration(&last->plan));
	rpVec3 shift = rpSub(next->plan.span.placement.shift, end.shift);
	const rpGroundRate* path = getEnd(next);
	rpVec3 ahead = rpNormalize(rpRotate(rpYaw(next->plan.span.placement.turn), (rpVec3){path->x, 0.0f, path->z}));
	next->plan.speed += rpDot(shift, ahead) / (float)rpMovementPlan_GetDuration(&next->plan);
	rpGaitDirector_CloseLoop(&playback->director, &next->plan);
}

static void planNext(const LocomotionPlayer* player, Playback* playback, rpTimeline* timeline)
{
	const Stage* stage = &playback->stages[playback->current & 1];
	Stage* next = &playback->stages[(playback->current + 1) & 1];
	rpGaitWish wish = rpFindGaitWish(&player->model, &playback->input, getDirection(playback, stage), player->maxBend);
	playback->slip = getSlip(stage);
	rpGaitDirector_PlanNext(&playback->director, &player->model, &stage->plan, &wish, &next->plan);
	const rpSpan *from = &stage->plan.span, *to = &next->plan.span;
	rpSpanJoiner_Lay(&player->joiner, from, &next->plan.span);
	closeLoop(playback, next, stage);
	fillMovement(playback, &wish, next, stage);
	rpAppendJoined(to, getStitchLength(from), getStitchLength(to), timeline);
	playback->isNextReady = true;
}

static void produce(const void* model, void* state, double time, const rpPlayerInput* input, rpTimeline* timeline)
{
	Playback* playback = state;
	noteInput(playback, time, input);
	for (;;)
	{
		const rpSpan* span = &playback->stages[playback->current & 1].plan.span;
		double duration = rpSpan_GetDuration(span);
		if (!playback->isNextReady && time >= span->start + LOOK_AHEAD * duration)
		{
			planNext(model, playback, timeline);
		}
		if (!playback->isNextReady || time < span->start + duration)
		{
			return;
		}
		++playback->current;
		playback->isNextReady = false;
	}
}

// The first movement begins where the root is to be.
static void begin(const void* model, void* state, rpGroundTransform start, rpTimeline* timeline)
{
	const LocomotionPlayer* player = model;
	Playback* playback = state;
	Stage* stage = &playback->stages[0];
	rpSpan* span = &stage->plan.span;
	playback->director = rpStartGaitDirector(player->seed, &player->weights, player->maxBend);
	playback->isAnswered = true;
	rpGaitDirector_PlanFirst(&playback->director, &player->model, &stage->plan);
	stage->report = (rpMovementReport){.kind = stage->plan.kind, .speed = stage->plan.speed, .turn = stage->plan.turn};
	rpSpanJoiner_Begin(&player->joiner, start, span);
	*rpTimeline_GetNext(timeline) = *span;
	rpTimeline_Append(timeline, NULL);
}

static rpSpanReport getReport(const void* playback, int64_t span)
{
	rpSpanReport out = rpGetEmptyReport();
	out.movement = ((const Playback*)playback)->stages[span & 1].report;
	return out;
}

// ---- making and freeing

static void destroy(void* state)
{
	LocomotionPlayer* player = state;
	rpGaitModel_Free(&player->model);
	rpSpanJoiner_Free(&player->joiner);
	rpFree(player);
}

static void takeDef(LocomotionPlayer* player, const rpPlayerDef* def)
{
	int max = def->locomotion.maxNeighbours > 1 ? def->locomotion.maxNeighbours : 1;
	player->weights = (rpWeightDef){max < RP_MAX_SHARES ? max : RP_MAX_SHARES,
									def->locomotion.minWeight > 0.0f ? fminf(def->locomotion.minWeight, 0.5f) : 0.0f};
	player->seed = def->locomotion.seed;
	player->maxBend = def->locomotion.maxBend;
}

static void* create(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	LocomotionPlayer* player = rpAllocateZero(1, sizeof(LocomotionPlayer), error);
	if (player == NULL)
	{
		return NULL;
	}
	if (!rpGaitModel_Read(&player->model, bundle, error) ||
		!rpSpanJoiner_Create(&player->joiner, player->model.clips.skeleton, error))
	{
		destroy(player);
		return NULL;
	}
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		player->limits[gait] = rpFindGaitLimits(&player->model, (rpGait)gait);
	}
	takeDef(player, def);
	return player;
}

static bool getLimits(const void* state, rpGait gait, rpGaitLimits* out)
{
	*out = ((const LocomotionPlayer*)state)->limits[gait];
	return out->fastest > 0.0f;
}

static const char* getRequest(const void* model, int request)
{
	(void)model;
	return request >= 0 && request < rp_gaitCount ? rpGait_GetName((rpGait)request) : NULL;
}

static rpSkeleton* getSkeleton(const void* state)
{
	return ((const LocomotionPlayer*)state)->model.clips.skeleton;
}

static const char* getClipName(const void* state, int clip)
{
	const rpGaitModel* model = &((const LocomotionPlayer*)state)->model;
	return clip >= 0 && clip < model->graph->takeCount ? model->names[clip] : NULL;
}

static const char* getLabel(const void* state, int label)
{
	(void)state;
	return label >= 0 && label < rp_gaitCount ? rpGait_GetName((rpGait)label) : NULL;
}

const rpPlayerKind rpLocomotionPlayerKind = {
	.name = "locomotion",
	.chunk = "LHDR",
	.create = create,
	.destroy = destroy,
	.stateSize = sizeof(Playback),
	.begin = begin,
	.produce = produce,
	.getReport = getReport,
	.getLimits = getLimits,
	.getRequest = getRequest,
	.getSkeleton = getSkeleton,
	.getClipName = getClipName,
	.getLabel = getLabel,
};
