/// Players: motion for the next tick, made live from a bundle. Part of libreprise_play.
///
/// A player allocates when it is made, and never again. It makes frames at a rate of its own, locks their feet, and
/// shows what lies between two of them, with feet that rest staying where they are: the motion is the same whatever the
/// ticks, even or uneven.
#pragma once

#include "reprise/play/blend.h"
#include "reprise/play/bundle.h"
#include "reprise/play/layer.h"
#include "reprise/play/locomotion.h"
#include "reprise/play/parametric_graph.h"
#include "reprise/play/space.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to play a model of locomotion.
typedef struct rpLocomotionPlayDef
{
	/// Seed of random choices, 0.
	uint64_t seed;

	/// Max movements that are blended, 30, up to RP_MAX_SHARES; and the weight below which one is left out, 0.01; 0
	/// keeps them all.
	int maxNeighbours;
	float minWeight;

	/// Turns beyond those of the takes are made by bending the path, by at most this much, rad/m, 0.5; 0: never.
	float maxBend;
} rpLocomotionPlayDef;

/// How to play a parametric graph.
typedef struct rpParametricPlayDef
{
	/// Seed of random walks, 0.
	uint64_t seed;
} rpParametricPlayDef;

/// How to play. Must come from rpDefaultPlayerDef(). What only one kind of model understands has a part of its own.
typedef struct rpPlayerDef
{
	/// Where the root is at first: its place on the floor and its heading.
	rpGroundTransform start;

	/// Frames per second that are made, 60; 10 to 240.
	double fps;

	/// Whether feet that bear are held, true. Frames are made lookAhead seconds before they are shown, 0, at most 240
	/// frames, and steering shows that much later. More gives footholds a foot can aim at; feet slide no less for it
	/// (docs/feet.md). Negative counts as 0.
	bool lockFeet;
	double lookAhead;

	rpLocomotionPlayDef locomotion;
	rpParametricPlayDef parametric;
} rpPlayerDef;

/// What is asked of a player of locomotion in addition to what all players understand.
typedef struct rpLocomotionInput
{
	/// m/s; 0 for what the length of the stick says or, without one, for the usual. And, where there is no direction,
	/// the turn to the left, rad/s.
	float speed, turn;
} rpLocomotionInput;

/// What is asked of a player of a space: its parameters, by which the next motion is made, in the first step the first.
/// Not given, or no number: the middles of their ranges. Of a parametric graph's: the parameters of the node that is
/// requested; what is not given there follows from the target or the stick.
typedef struct rpSpaceInput
{
	bool isGiven;
	float values[RP_MAX_SPACE_PARAMETERS];
} rpSpaceInput;

/// What is asked of a player of a parametric graph besides a direction, a request (the node, 0: whichever goes on) and
/// values.
typedef struct rpParametricInput
{
	/// A place in the world, metres: what is to be hit, or where to go.
	bool hasTarget;
	rpVec3 target;

	/// Any node that can follow, any values: a random walk (Heck, 6.2.2.1), by rpPlayerDef.parametric.seed.
	bool isRandom;
} rpParametricInput;

/// What is asked of a player in a tick. Zero-initialised: stay.
typedef struct rpPlayerInput
{
	/// Where to go: (x, z) in the world. Shorter than 0.1: stay, as far as the model can (locomotion: go by turn);
	/// otherwise its length matters only to locomotion without a speed: from the gait's slowest to, at 1, its fastest.
	rpVec2 stick;

	/// What to do, a number that rpPlayer_GetRequest names; 0 where a model has none. Locomotion: the gait (rpGait); a
	/// stick with rp_gaitStand means walk.
	int request;

	rpLocomotionInput locomotion;
	rpSpaceInput space;
	rpParametricInput parametric;
} rpPlayerInput;

/// What the player of a locomotion model reports about the movement that a frame belongs to.
typedef struct rpMovementReport
{
	/// rp_movementKindCount for other kinds of model.
	rpMovementKind kind;

	/// Movements so far; they are counted from 0.
	int number;

	/// What was asked for when it was planned: m/s, and rad/s to the left; where a direction was given, what follows
	/// from it.
	rpGait wantedGait;
	float wantedSpeed, wantedTurn;

	/// What it has, along its path; and what the blended movements would have by inverse distance alone.
	float speed, turn;
	float plainSpeed, plainTurn;

	/// Whether it is the first that answers a change of the input; then seconds from that change until it was shown.
	bool isAnswer;
	float response;
} rpMovementReport;

/// What the player of a space reports about the motion that a frame belongs to: what was asked for when it was planned,
/// and the nearest to it that the space has; how many came before it.
typedef struct rpSpaceReport
{
	int number;
	float requested[RP_MAX_SPACE_PARAMETERS], nearest[RP_MAX_SPACE_PARAMETERS];
} rpSpaceReport;

/// What the player of a parametric graph reports about the motion that a frame belongs to.
typedef struct rpParametricReport
{
	/// How many came before it; its node, -1 for other kinds of model; the node that was requested, -1: none was.
	int number, node, requestedNode;

	/// What was asked of it, the box of what it could be, what was granted, the nearest in the box, and what was
	/// achieved, the nearest to that in the space. By parameter of the node.
	float requested[RP_MAX_SPACE_PARAMETERS];
	float low[RP_MAX_SPACE_PARAMETERS], high[RP_MAX_SPACE_PARAMETERS];
	float granted[RP_MAX_SPACE_PARAMETERS], achieved[RP_MAX_SPACE_PARAMETERS];

	/// When its core begins and ends, seconds since the start.
	double start, end;

	/// How far it was from the one before it where one became the other, metres, and the most that is allowed; how many
	/// other ways were tried for that.
	float distance, bad;
	int repairs;

	/// None was good enough: what is played is the motion that was found to follow when the graph was built.
	bool isForced;

	/// Whether it is the first that answers a change of the input; then seconds from that change until it began.
	bool isAnswer;
	float response;
} rpParametricReport;

/// Which feet rest, by heels and balls.
typedef enum rpGaitPhase
{
	rp_phaseFlight,
	rp_phaseLeft,
	rp_phaseRight,
	rp_phaseDouble,
	rp_gaitPhaseCount,
} rpGaitPhase;

/// "flight", "left", "right", "double".
RP_API const char* rpGaitPhase_GetName(rpGaitPhase phase);

/// What a player knows about a pose.
typedef struct rpPlayerReport
{
	/// Seconds since the start.
	double time;

	/// The root's heading and its place on the floor.
	rpGroundTransform ground;

	/// Bits (1u << rpEffector) of what rests, and the heights of what it rests on, metres. Between two of the player's
	/// frames: what rests in both.
	unsigned contacts;
	float supportHeights[rp_effectorCount];

	/// By the feet that rest in the last of the player's frames.
	rpGaitPhase phase;

	/// Bits of the labels (rpPlayer_GetLabel).
	uint64_t labels;

	/// Where the frame comes from; weights add up to 1. More than one source: a transition or a blend. A space's clips
	/// have the times of the takes that they were cut from.
	rpFrameSource sources[RP_MAX_SOURCES];
	int sourceCount;

	/// The number of the span in play, counted from 0: it changes in the middle of each seam.
	int64_t span;

	/// Only for locomotion; only for spaces; only for parametric graphs.
	rpMovementReport movement;
	rpSpaceReport space;
	rpParametricReport parametric;
} rpPlayerReport;

/// What a player of locomotion covers of a gait: m/s, and the rad/s that both half cycles can turn to a side, bends at
/// the usual speed included. Requests beyond that are met as nearly as possible.
typedef struct rpGaitLimits
{
	float slowest, usual, fastest;
	float maxTurnLeft, maxTurnRight;

	/// Seconds of a half cycle, and metres of a stop out of the gait, on the average; the latter 0 where there is none.
	float halfCycle, stop;
} rpGaitLimits;

typedef struct rpPlayer rpPlayer;

RP_API rpPlayerDef rpDefaultPlayerDef(void);

/// Make a player of the model that a bundle holds; every index in it is checked. def may be NULL, and so may error. The
/// bundle must outlive the player. NULL when the bundle is damaged or holds no model that can be played, or memory ran
/// out; free with rpDestroyPlayer.
RP_API RP_NODISCARD rpPlayer* rpCreatePlayer(const rpBundle* bundle, const rpPlayerDef* def, rpError* error);
RP_API void rpDestroyPlayer(rpPlayer* player);

/// Begin anew, with the root at a place on the floor. What follows is what a new player would do. Allocates nothing.
RP_API void rpPlayer_Reset(rpPlayer* player, rpGroundTransform start);

/// Go on by dt seconds and give the pose there. The first step shows what is dt after the start; a dt of 0 shows the
/// same again, negative values and NaN count as 0, more than a minute as a minute. input NULL: stay. pose->rotations
/// holds as many as the skeleton has joints, pose->translations is left alone. report may be NULL. Allocates nothing.
RP_API void rpPlayer_Step(rpPlayer* player, double dt, const rpPlayerInput* input, rpPose* pose,
						  rpPlayerReport* report);

/// The pose some seconds ahead, if the input stays as it was in the last step. Frames that are not made yet are shown
/// without foot lock. pose or report may be NULL. Allocates nothing and changes nothing.
RP_API void rpPlayer_Peek(const rpPlayer* player, double seconds, rpPose* pose, rpPlayerReport* report);

/// The whole state of a player at a moment as one block of bytes, for going back to it (rollback): what follows a
/// restore is the same to the bit as what followed the snapshot. The block is the caller's, of the size reported, which
/// stays the same until a layer is added; it means nothing to other players or another run. Allocates nothing.
/// Restoring returns false, and changes nothing, if the block is not a snapshot of this player.
RP_API size_t rpPlayer_GetSnapshotSize(const rpPlayer* player);
RP_API void rpPlayer_TakeSnapshot(const rpPlayer* player, void* block);
RP_API RP_NODISCARD bool rpPlayer_Restore(rpPlayer* player, const void* block);

/// The bytes of a bundle with another layer on top of those that it has: a bundle holds one model and any number of
/// layers of the library's kinds, up to RP_MAX_LAYERS, and every player of it has them. error may be NULL. NULL when
/// the definition makes no sense, there are too many, or memory ran out; free with rpFreeBytes.
RP_API RP_NODISCARD void* rpBundle_WithLayer(const rpBundle* bundle, const rpLayerKind* kind, const void* def,
											 size_t* size, rpError* error);

/// Lay something on the player's frames, on top of the layers that it has, those of its bundle first; switched on. def
/// is copied. Its number, or -1: the definition makes no sense, there are too many, or memory ran out. error may be
/// NULL.
RP_API RP_NODISCARD int rpPlayer_AddLayer(rpPlayer* player, const rpLayerKind* kind, const void* def, rpError* error);

/// Change the weight of a layer to a value, 0 (off) to 1 (on), over `seconds`: neither it nor its rate jumps. Frames
/// that were made already stay as they are.
RP_API void rpPlayer_SwitchLayer(rpPlayer* player, int layer, float weight, double seconds);

/// The topmost layer of a name, -1 if there is none.
RP_API int rpPlayer_FindLayer(const rpPlayer* player, const char* name);

/// How long before they are shown the player makes its frames, seconds; 0 if it does not lock feet ahead.
RP_API double rpPlayer_GetLookAhead(const rpPlayer* player);

/// What its model covers of walking or running. False where it has no such gait that can go on, or is no model of
/// locomotion; all limits are 0 then.
RP_API bool rpPlayer_GetGaitLimits(const rpPlayer* player, rpGait gait, rpGaitLimits* out);

/// The body; owned by the player.
RP_API const rpSkeleton* rpPlayer_GetSkeleton(const rpPlayer* player);

/// Whether something rests, by the bits of a report's contacts.
static inline bool rpIsResting(unsigned contacts, rpEffector effector)
{
	return (contacts >> effector & 1) != 0;
}

/// The kind of model that it plays: "graph", "locomotion", "space", "pgraph". What it can be asked for depends on it.
RP_API const char* rpPlayer_GetModel(const rpPlayer* player);

/// A parameter that can be asked for together with a request (spaces: 0; parametric graphs: that of a node); NULL
/// beyond the last, or for other kinds of model. Owned by the player.
RP_API const rpSpaceParameter* rpPlayer_GetParameter(const rpPlayer* player, int request, int index);

/// Name of what can be requested of a player ("stand", "walk", "run"; "any", then the nodes of a parametric graph);
/// NULL beyond the last: graphs have none.
RP_API const char* rpPlayer_GetRequest(const rpPlayer* player, int request);

/// Name of a clip of the bundle, of a label; NULL beyond the last.
RP_API const char* rpPlayer_GetClipName(const rpPlayer* player, int clip);
RP_API const char* rpPlayer_GetLabel(const rpPlayer* player, int label);

#ifdef __cplusplus
}
#endif
