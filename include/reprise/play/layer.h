/// Layers: what changes the frames of a player after they were blended and joined, and before feet settle. They sit on
/// any player, in the order in which they were added, and are switched at any time, eased. Part of libreprise_play.
#pragma once

#include "reprise/play/blend.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// What a layer sees of the frame that it changes.
typedef struct rpLayerFrame
{
	const rpSkeleton* skeleton;

	/// Seconds since the player's start, and since the frame before; 0 in the first frame.
	double time;
	float seconds;

	/// How much of the layer is wanted, 0 to 1: above 0, or the layer is not asked.
	float weight;

	/// Bits (1u << rpEffector) of what rests, and the heights of what it rests on, metres; [rp_effectorCount].
	unsigned contacts;
	const float* supportHeights;

	/// Bits of the labels, and where the frame comes from; [sourceCount].
	uint64_t labels;
	const rpFrameSource* sources;
	int sourceCount;
} rpLayerFrame;

/// A kind of layer. Those of the library are found by name; a program may have its own.
typedef struct rpLayerKind
{
	const char* name;

	/// Bytes of its definition, which is copied, at most RP_MAX_LAYER_DEF; and of what it remembers from frame to
	/// frame: zero at first, without pointers to itself, since it is copied too.
	size_t defSize, stateSize;

	/// Whether a definition makes sense: every number in it, since it may come from a file.
	bool (*check)(const void* def);

	/// Change a frame. Must not allocate.
	void (*apply)(const void* def, void* state, const rpLayerFrame* frame, rpPose* pose);
} rpLayerKind;

#define RP_MAX_LAYER_DEF 48

/// Max layers of a player.
#define RP_MAX_LAYERS 16

/// A kind of the library ("lean"); NULL if there is none of that name.
RP_API const rpLayerKind* rpFindLayerKind(const char* name);

/// The greatest rpLeanDef.gain.
#define RP_MAX_LEAN_GAIN 2.0f

/// "lean": the body leans into turns, as much as its path bends.
typedef struct rpLeanDef
{
	/// How much of the angle at which a rigid body would be in balance is added to what the clips show, 0.5; 0 to
	/// RP_MAX_LEAN_GAIN.
	float gain;

	/// The greatest lean that is added, radians, 0.25.
	float maxLean;
} rpLeanDef;

RP_API rpLeanDef rpDefaultLeanDef(void);

#ifdef __cplusplus
}
#endif
