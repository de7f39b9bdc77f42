/// A model of locomotion as its player reads it from a bundle.
#pragma once

#include "model/clip_chunks.h"
#include "model/locomotion_chunks.h"

/// The quiet part of a stand: seconds in its take, and how restless and unusual it is, metres (stand_choice.c).
typedef struct rpStand
{
	double from, to;
	float cost;
} rpStand;

/// Const once made.
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

	/// [movementCount]: the movement that follows in the take, -1 if there is none.
	int* followers;

	/// Of the stands, in the order of their node.
	rpStand* stands;
} rpGaitModel;

/// Read one, every number checked. Free with rpGaitModel_Free, after failure too.
RP_NODISCARD bool rpGaitModel_Read(rpGaitModel* model, const rpBundle* bundle, rpError* error);
void rpGaitModel_Free(rpGaitModel* model);

/// Look at the stands; a part of reading.
RP_NODISCARD bool rpGaitModel_FindStands(rpGaitModel* model, rpError* error);
