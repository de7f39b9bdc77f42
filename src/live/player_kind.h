/// A kind of player: what a model must do to be played. The player itself makes frames at its rate, locks feet and
/// interpolates; the kind gives the frame of a time.
#pragma once

#include "reprise/player.h"

/// A direction of an input that is shorter means: none.
#define RP_DEAD_ZONE 0.1f

typedef struct rpPlayerKind
{
	/// The chunk that tells this kind of model.
	const char* chunk;

	/// The state of a model in play. The bundle outlives it. NULL: error says why.
	void* (*create)(const rpBundle* bundle, const rpPlayerDef* def, rpError* error);
	void (*destroy)(void* state);

	/// Go on to a time, which never decreases, and give the frame there. In the report everything but time, ground and
	/// phase is filled.
	void (*make)(void* state, double time, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report);

	/// The same without going on.
	void (*predict)(const void* state, double time, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report);

	/// What it covers of a gait; false where it has none. NULL: it has no gaits.
	bool (*getLimits)(const void* state, rpGait gait, rpGaitLimits* out);

	rpSkeleton* (*getSkeleton)(const void* state);
	const char* (*getClipName)(const void* state, int clip);
	const char* (*getLabel)(const void* state, int label);
} rpPlayerKind;

extern const rpPlayerKind rpGraphPlayerKind;
extern const rpPlayerKind rpLocomotionPlayerKind;
