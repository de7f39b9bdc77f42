/// A kind of player: what a model must do to be played. It turns what is asked for into spans of a timeline; the player
/// itself renders them and shows what lies between frames.
///
/// Of a kind's memory, the model is const once it is made; all that changes is the state, bytes without pointers to
/// itself, so that it can be copied: to look ahead, to go back.
#pragma once

#include "reprise/play/player.h"
#include "timeline/timeline.h"

/// A direction of an input that is shorter means: none.
#define RP_DEAD_ZONE 0.1f

/// What a kind alone knows of a span; of other kinds movement.kind is rp_movementKindCount, parametric.node -1 and
/// space zero.
typedef struct rpSpanReport
{
	rpMovementReport movement;
	rpSpaceReport space;
	rpParametricReport parametric;
} rpSpanReport;

/// That of which nothing is known.
static inline rpSpanReport rpGetEmptyReport(void)
{
	return (rpSpanReport){.movement = {.kind = rp_movementKindCount}, .parametric = {.node = -1, .requestedNode = -1}};
}

typedef struct rpPlayerKind
{
	/// As rpPlayer_GetModel has it.
	const char* name;

	/// The chunk that identifies this kind of model.
	const char* chunk;

	/// A model to be played, with scratch memory. The bundle outlives it. NULL: error says why.
	void* (*create)(const rpBundle* bundle, const rpPlayerDef* def, rpError* error);
	void (*destroy)(void* model);

	/// Bytes of a state.
	size_t stateSize;

	/// Begin a state: the timeline, which is empty, gets its first span.
	void (*begin)(const void* model, void* state, rpGroundTransform start, rpTimeline* timeline);

	/// Go on to a time, which never decreases: append spans until the timeline reaches there.
	void (*produce)(const void* model, void* state, double time, const rpPlayerInput* input, rpTimeline* timeline);

	/// What it knows of a span, one of those in play at the time last produced; NULL: nothing.
	rpSpanReport (*getReport)(const void* state, int64_t span);

	/// What it covers of a gait; false where it has none. NULL: it has no gaits.
	bool (*getLimits)(const void* model, rpGait gait, rpGaitLimits* out);

	/// The parameters that can be asked for with a request, by number; NULL: none.
	const rpSpaceParameter* (*getParameter)(const void* model, int request, int index);

	/// What can be requested, by number; NULL: nothing.
	const char* (*getRequest)(const void* model, int request);

	rpSkeleton* (*getSkeleton)(const void* model);
	const char* (*getClipName)(const void* model, int clip);

	/// When a clip begins in what it was cut from, seconds; NULL: clips are whole.
	double (*getClipStart)(const void* model, int clip);
	const char* (*getLabel)(const void* model, int label);
} rpPlayerKind;

extern const rpPlayerKind rpGraphPlayerKind;
extern const rpPlayerKind rpLocomotionPlayerKind;
extern const rpPlayerKind rpSpacePlayerKind;
extern const rpPlayerKind rpParametricPlayerKind;
