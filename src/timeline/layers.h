/// The layers of a renderer: added, switched, laid on.
#pragma once

#include "reprise/play/layer.h"
#include "timeline/sampler.h"

/// One of them.
typedef struct rpLayer
{
	const rpLayerKind* kind;
	_Alignas(8) char def[RP_MAX_LAYER_DEF];

	/// Its weight, how that changes per second, where it goes to, and in how many seconds it is there.
	float weight, rate, goal, left;

	/// Where its state begins among those of all.
	size_t state;
} rpLayer;

/// Zero-initialised: none.
typedef struct rpLayers
{
	rpLayer items[RP_MAX_LAYERS];
	int count;

	/// What they remember, and a copy of it for looking ahead; [size] bytes.
	char *states, *spare;
	size_t size;
} rpLayers;

void rpLayers_Free(rpLayers* layers);

/// Add a layer on top of the others, switched on; its number, or -1: error says why.
RP_NODISCARD int rpLayers_Add(rpLayers* layers, const rpLayerKind* kind, const void* def, rpError* error);

/// Lead a layer's weight to a value within so many seconds, without a jump in it or its rate.
void rpLayers_Switch(rpLayers* layers, int index, float weight, double seconds);

/// Forget what they remember; weights are at their goals.
void rpLayers_Reset(rpLayers* layers);

/// Lay them all on a frame that is so many seconds after the last one. spare: as a look ahead, changing nothing.
void rpLayers_Apply(rpLayers* layers, bool spare, const rpSkeleton* skeleton, double time, float seconds,
					const rpFrameNotes* notes, rpPose* pose);

extern const rpLayerKind rpLeanLayer;
