/// A model of locomotion as its player reads it from a bundle.
#pragma once

#include "model/clip_chunks.h"
#include "model/locomotion_chunks.h"
#include "model/stand.h"

/// What players need of memory for looking at a pose, [jointCount] each.
typedef struct rpPoseScratch
{
	rpQuat* rotations;
	rpTransform* world;
	rpVec3* joints;
} rpPoseScratch;

/// Const once made, but for its scratch: a model belongs to one player.
typedef struct rpGaitModel
{
	/// Movements, nodes, edges, rules; its takes are NULL: their frames are in clips.
	rpLocomotion* graph;
	rpClipSet clips;

	/// [takeCount], in the bundle; and the first frame of each take in rates and contacts.
	const char** names;
	int* firstFrames;

	/// How the takes' ground frames move, and bits (1u << rpEffector) of what rests, frame by frame; in the bundle.
	const rpGroundRate* rates;
	const uint16_t* contacts;

	/// Bits of the kinds that can go on for ever.
	uint32_t core;

	/// How many movements each kind is away from going on in each gait: one that begins and ends in it; -1 where that
	/// cannot be reached.
	int distances[rp_gaitCount][rp_movementKindCount];

	/// Of the stands, in the order of their node: their quiet parts, and joints where each begins and where its quiet
	/// part does, [stands][2][jointCount]. In the bundle, or in memory of the model's own where that has none.
	const rpStand* stands;
	const rpVec3* standJoints;
	rpStand* ownStands;
	rpVec3* ownJoints;

	rpPoseScratch scratch;
} rpGaitModel;

/// Read one, every number checked; stands are found in bundles that have no LSTD. Free with rpGaitModel_Free, after
/// failure too.
RP_NODISCARD bool rpGaitModel_Read(rpGaitModel* model, const rpBundle* bundle, rpError* error);
void rpGaitModel_Free(rpGaitModel* model);

/// Add the chunks LSTD and LSTJ: the stands of a model, which were found when it was read.
RP_NODISCARD bool rpWriteStandChunks(rpBundleWriter* writer, const rpGaitModel* model, rpError* error);
