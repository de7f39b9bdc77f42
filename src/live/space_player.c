/// The player of a parametric space: one motion of it after another, each by what is asked for when the one before it
/// ends, the first by what is asked for in the first step. For gaits that is walking under a stick of parameters; for
/// other actions the same again and again.
#include "base/memory.h"
#include "live/player_kind.h"
#include "live/space_names.h"
#include "model/space_model.h"
#include "timeline/span_join.h"

#include <math.h>
#include <string.h>

// Motions are led towards one another over at most this time on either side of a knot, seconds, and this share of a
// motion.
#define LONGEST_STITCH 0.3
#define STITCH_SHARE 0.4

// So long before its stitch begins a motion is planned, seconds: frames at 10 a second are not past it then.
#define EARLIER 0.1

typedef struct SpacePlayer
{
	rpSpaceModel model;
	rpSpanJoiner joiner;

	rpSpaceNames names;
} SpacePlayer;

/// All that changes while it plays.
typedef struct Playback
{
	/// The last one that was planned, and what is reported of it and of the one before it: that of span n is at n & 1.
	rpSpan span;
	int number;
	rpSpaceReport reports[2];

	/// Where the first one begins. Until a frame is made it is by no input; isAsked: it is by that of the first step.
	rpGroundTransform start;
	bool isAsked;
} Playback;

static double getStitch(const rpSpan* span)
{
	return fmin(STITCH_SHARE * rpSpan_GetDuration(span), LONGEST_STITCH);
}

// What is not given, and what is no number, is in the middle of its range.
static void takeInput(const rpSpace* space, const rpSpaceInput* input, float* out)
{
	for (int i = 0; i < space->parameterCount; ++i)
	{
		const rpSpaceParameter* parameter = &space->parameters[i];
		bool isGiven = input->isGiven && isfinite(input->values[i]);
		out[i] = isGiven ? input->values[i] : 0.5f * (parameter->low + parameter->high);
	}
}

static void plan(const SpacePlayer* player, const rpSpaceInput* input, Playback* playback)
{
	float asked[RP_MAX_SPACE_PARAMETERS] = {0.0f};
	rpSpaceAnswer answer;
	rpError ignored;
	takeInput(player->model.space, input, asked);
	bool isPlanned = rpSpace_Weigh(player->model.space, asked, NULL, &answer, &ignored);
	const rpSpaceWeight first = {0, 1.0f};
	const rpSpaceWeight* weights = isPlanned ? answer.weights : &first;
	rpSpaceModel_Plan(&player->model, weights, isPlanned ? answer.weightCount : 1, 0.0, &playback->span);
	rpSpaceReport* report = &playback->reports[playback->number & 1];
	*report = (rpSpaceReport){.number = playback->number};
	memcpy(report->requested, asked, sizeof(asked));
	memcpy(report->nearest, answer.nearest, sizeof(report->nearest));
}

// The first motion, on a timeline that is empty.
static void planFirst(const SpacePlayer* player, Playback* playback, const rpSpaceInput* input, rpTimeline* timeline)
{
	plan(player, input, playback);
	rpSpanJoiner_Begin(&player->joiner, playback->start, &playback->span);
	*rpTimeline_GetNext(timeline) = playback->span;
	rpTimeline_Append(timeline, NULL);
}

static void begin(const void* model, void* state, rpGroundTransform start, rpTimeline* timeline)
{
	const rpSpaceInput none = {0};
	((Playback*)state)->start = start;
	planFirst(model, state, &none, timeline);
}

static void planNext(const SpacePlayer* player, Playback* playback, const rpPlayerInput* input, rpTimeline* timeline)
{
	// The timeline has a copy of it.
	const rpSpan* last = rpTimeline_Get(timeline, timeline->count - 1);
	++playback->number;
	plan(player, &input->space, playback);
	rpSpanJoiner_Lay(&player->joiner, last, &playback->span);
	rpAppendJoined(&playback->span, getStitch(last), getStitch(&playback->span), timeline);
}

static void produce(const void* model, void* state, double time, const rpPlayerInput* input, rpTimeline* timeline)
{
	Playback* playback = state;
	const rpSpan* span = &playback->span;
	if (!playback->isAsked)
	{
		playback->isAsked = true;
		memset(timeline, 0, sizeof(*timeline));
		planFirst(model, playback, &input->space, timeline);
	}
	while (time >= span->start + rpSpan_GetDuration(span) - getStitch(span) - EARLIER)
	{
		planNext(model, playback, input, timeline);
	}
}

static rpSpanReport getReport(const void* state, int64_t span)
{
	rpSpanReport out = rpGetEmptyReport();
	out.space = ((const Playback*)state)->reports[span & 1];
	return out;
}

// ---- making and freeing

static void destroy(void* state)
{
	SpacePlayer* player = state;
	rpSpaceModel_Free(&player->model);
	rpSpanJoiner_Free(&player->joiner);
	rpSpaceNames_Free(&player->names);
	rpFree(player);
}

static void* create(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	(void)def;
	SpacePlayer* player = rpAllocateZero(1, sizeof(SpacePlayer), error);
	if (player == NULL)
	{
		return NULL;
	}
	if (!rpSpaceModel_Read(&player->model, bundle, error) ||
		!rpSpaceNames_List(&player->names, (const rpSpace* const*)&player->model.space, 1, error) ||
		!rpSpanJoiner_Create(&player->joiner, player->model.clips.skeleton, error))
	{
		destroy(player);
		return NULL;
	}
	return player;
}

static const rpSpaceParameter* getParameter(const void* state, int request, int index)
{
	const rpSpace* space = ((const SpacePlayer*)state)->model.space;
	return request == 0 && index >= 0 && index < space->parameterCount ? &space->parameters[index] : NULL;
}

static rpSkeleton* getSkeleton(const void* state)
{
	return ((const SpacePlayer*)state)->model.clips.skeleton;
}

static const char* getClipName(const void* state, int clip)
{
	return rpSpaceNames_Get(&((const SpacePlayer*)state)->names, clip);
}

// Examples are cut out of their takes, with margins.
static double getClipStart(const void* state, int clip)
{
	const rpSpaceExample* example = &((const SpacePlayer*)state)->model.space->examples[clip];
	return example->from - example->start;
}

static const char* getLabel(const void* state, int label)
{
	(void)state;
	(void)label;
	return NULL;
}

const rpPlayerKind rpSpacePlayerKind = {
	.name = "space",
	.chunk = "SHDR",
	.create = create,
	.destroy = destroy,
	.stateSize = sizeof(Playback),
	.begin = begin,
	.produce = produce,
	.getReport = getReport,
	.getParameter = getParameter,
	.getSkeleton = getSkeleton,
	.getClipName = getClipName,
	.getClipStart = getClipStart,
	.getLabel = getLabel,
};
