/// What reprise-play.wasm exports: the players of libreprise_play, laid out so that JavaScript reads and writes their
/// numbers where they lie. Where each number is, getLayout says; reprise-play.ts knows names alone.
///
/// JavaScript checks what it hands in; what can fail here fills one error, which it reads after a null or a false.
#include "live/layer_chunk.h"
#include "reprise/play/extend.h"
#include "reprise/play/player.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT(name) __attribute__((export_name(name)))

// A multiplier that spreads all bits (Knuth's MMIX generator).
#define SPREAD 6364136223846793005ULL

/// A pose and what is known about it: JavaScript has views on it.
typedef struct Moment
{
	rpPose pose;
	rpVec3 effectors[rp_effectorCount];

	/// [jointCount], as pose.rotations.
	rpVec3* positions;
	rpQuat* orientations;

	rpPlayerReport report;

	/// report.sources, each in a row of its own.
	double sourceTimes[RP_MAX_SOURCES];
	int sourceClips[RP_MAX_SOURCES];
	float sourceWeights[RP_MAX_SOURCES];
} Moment;

/// A player with what it is asked for in the next step, what the last step showed and what the last peek did.
typedef struct Player
{
	rpPlayer* player;
	const rpSkeleton* skeleton;

	/// Tells it from those that were in the same place before.
	uint32_t number;

	rpPlayerInput input;
	Moment step, peek;

	/// [jointCount], while a moment is filled.
	rpTransform* world;
} Player;

/// What begins a snapshot. The sum is over what follows.
typedef struct SnapshotHeader
{
	uint64_t sum;
	uint32_t number, size;
} SnapshotHeader;

/// Where a number is in what it is part of, bytes; its name is as C has it: "Moment.report.time".
typedef struct Field
{
	const char* name;
	int offset;
} Field;

static rpError s_error;
static rpPlayerDef s_playerDef;
static rpLeanDef s_leanDef;
static rpGaitLimits s_limits;
static uint32_t s_playerCount;

// ---- the host

// There is no environment, and libc's streams, which are linked but unused, lead nowhere: the module imports nothing.
char* getenv(const char* name)
{
	(void)name;
	return NULL;
}

size_t __stdio_write(FILE* file, const unsigned char* bytes, size_t size);
long long __stdio_seek(FILE* file, long long offset, int whence);
int __stdio_close(FILE* file);

size_t __stdio_write(FILE* file, const unsigned char* bytes, size_t size)
{
	(void)file;
	(void)bytes;
	return size;
}

long long __stdio_seek(FILE* file, long long offset, int whence)
{
	(void)file;
	(void)offset;
	(void)whence;
	return -1;
}

int __stdio_close(FILE* file)
{
	(void)file;
	return 0;
}

// ---- what is where

#define FIELD(type, path)                     \
	{                                         \
#type "." #path, offsetof(type, path) \
	}

/// Up to a line without a name.
EXPORT("getLayout") const Field* getLayout(void)
{
	static const Field fields[] = {
		FIELD(rpError, message),
		FIELD(rpError, hint),
		FIELD(rpPlayerDef, start.turn),
		FIELD(rpPlayerDef, start.shift.x),
		FIELD(rpPlayerDef, start.shift.z),
		FIELD(rpPlayerDef, fps),
		FIELD(rpPlayerDef, lockFeet),
		FIELD(rpPlayerDef, lookAhead),
		FIELD(rpPlayerDef, locomotion.maxBend),
		FIELD(rpSkeleton, jointCount),
		FIELD(rpSkeleton, endCount),
		FIELD(rpSkeleton, height),
		FIELD(rpSkeleton, legLength),
		FIELD(rpSkeleton, soleHeight),
		FIELD(Player, skeleton),
		FIELD(Player, input.stick.x),
		FIELD(Player, input.stick.y),
		FIELD(Player, input.request),
		FIELD(Player, input.locomotion.speed),
		FIELD(Player, input.locomotion.turn),
		FIELD(Player, input.space.isGiven),
		FIELD(Player, input.space.values),
		FIELD(Player, input.parametric.hasTarget),
		FIELD(Player, input.parametric.target),
		FIELD(Player, step),
		FIELD(Player, peek),
		FIELD(Moment, pose.rootPosition),
		FIELD(Moment, pose.rotations),
		FIELD(Moment, positions),
		FIELD(Moment, orientations),
		FIELD(Moment, effectors),
		FIELD(Moment, report.time),
		FIELD(Moment, report.ground.turn),
		FIELD(Moment, report.ground.shift.x),
		FIELD(Moment, report.ground.shift.z),
		FIELD(Moment, report.contacts),
		FIELD(Moment, report.supportHeights),
		FIELD(Moment, report.phase),
		FIELD(Moment, report.labels),
		FIELD(Moment, report.sourceCount),
		FIELD(Moment, report.span),
		FIELD(Moment, report.movement.kind),
		FIELD(Moment, report.movement.number),
		FIELD(Moment, report.movement.wantedGait),
		FIELD(Moment, report.movement.wantedSpeed),
		FIELD(Moment, report.movement.wantedTurn),
		FIELD(Moment, report.movement.speed),
		FIELD(Moment, report.movement.turn),
		FIELD(Moment, report.movement.isAnswer),
		FIELD(Moment, report.movement.response),
		FIELD(Moment, report.space.number),
		FIELD(Moment, report.space.requested),
		FIELD(Moment, report.space.nearest),
		FIELD(Moment, report.parametric.number),
		FIELD(Moment, report.parametric.node),
		FIELD(Moment, report.parametric.requestedNode),
		FIELD(Moment, report.parametric.requested),
		FIELD(Moment, report.parametric.low),
		FIELD(Moment, report.parametric.high),
		FIELD(Moment, report.parametric.granted),
		FIELD(Moment, report.parametric.achieved),
		FIELD(Moment, report.parametric.start),
		FIELD(Moment, report.parametric.end),
		FIELD(Moment, report.parametric.distance),
		FIELD(Moment, report.parametric.bad),
		FIELD(Moment, report.parametric.repairs),
		FIELD(Moment, report.parametric.isForced),
		FIELD(Moment, report.parametric.isAnswer),
		FIELD(Moment, report.parametric.response),
		FIELD(Moment, sourceTimes),
		FIELD(Moment, sourceClips),
		FIELD(Moment, sourceWeights),
		FIELD(rpLeanDef, gain),
		FIELD(rpLeanDef, maxLean),
		FIELD(rpGaitLimits, slowest),
		FIELD(rpGaitLimits, usual),
		FIELD(rpGaitLimits, fastest),
		FIELD(rpGaitLimits, maxTurnLeft),
		FIELD(rpGaitLimits, maxTurnRight),
		FIELD(rpGaitLimits, halfCycle),
		FIELD(rpGaitLimits, stop),
		FIELD(rpSpaceParameter, name),
		FIELD(rpSpaceParameter, key),
		FIELD(rpSpaceParameter, isAngle),
		FIELD(rpSpaceParameter, low),
		FIELD(rpSpaceParameter, high),
		{"RP_MAX_SOURCES", RP_MAX_SOURCES},
		{"rp_effectorCount", rp_effectorCount},
		{NULL, 0},
	};
	return fields;
}

EXPORT("getVersion") const char* getVersion(void)
{
	return rpVersion();
}

/// Names of values, from 0 on; NULL beyond the last.
EXPORT("getPhaseName") const char* getPhaseName(int phase)
{
	return phase < rp_gaitPhaseCount ? rpGaitPhase_GetName((rpGaitPhase)phase) : NULL;
}

EXPORT("getGaitName") const char* getGaitName(int gait)
{
	return gait < rp_gaitCount ? rpGait_GetName((rpGait)gait) : NULL;
}

EXPORT("getMovementName") const char* getMovementName(int kind)
{
	return kind < rp_movementKindCount ? rpMovementKind_GetString((rpMovementKind)kind) : NULL;
}

EXPORT("getEffectorName") const char* getEffectorName(int effector)
{
	return effector < rp_effectorCount ? rpEffector_GetName((rpEffector)effector) : NULL;
}

// ---- errors and memory

/// What went wrong last.
EXPORT("getError") const rpError* getError(void)
{
	return &s_error;
}

EXPORT("getErrorName") const char* getErrorName(void)
{
	return rpErrorCode_GetName(s_error.code);
}

EXPORT("allocate") void* allocate(size_t size)
{
	return rpAllocate(size, 1, &s_error);
}

EXPORT("release") void release(void* memory)
{
	rpFree(memory);
}

// ---- bundles

/// The bytes must outlive it.
EXPORT("openBundle") rpBundle* openBundle(const void* bytes, size_t size)
{
	return rpCreateBundle(bytes, size, &s_error);
}

EXPORT("closeBundle") void closeBundle(rpBundle* bundle)
{
	rpDestroyBundle(bundle);
}

/// The kind of a bundle's layer, from below; NULL beyond the last.
EXPORT("getLayer") const char* getLayer(const rpBundle* bundle, int index)
{
	rpLayers layers = {0};
	const char* name =
		rpReadLayers(bundle, &layers, &s_error) && index < layers.count ? layers.items[index].kind->name : NULL;
	rpLayers_Free(&layers);
	return name;
}

// ---- players

/// The definition that the next createPlayer uses, filled with defaults.
EXPORT("getPlayerDef") rpPlayerDef* getPlayerDef(void)
{
	s_playerDef = rpDefaultPlayerDef();
	return &s_playerDef;
}

EXPORT("setSeed") void setSeed(double seed)
{
	s_playerDef.locomotion.seed = s_playerDef.parametric.seed = (uint64_t)seed;
}

static bool createMoment(Moment* moment, int jointCount)
{
	size_t count = (size_t)jointCount;
	moment->pose.rotations = rpAllocateZero(count, sizeof(rpQuat), &s_error);
	moment->positions = rpAllocateZero(count, sizeof(rpVec3), &s_error);
	moment->orientations = rpAllocateZero(count, sizeof(rpQuat), &s_error);
	return moment->pose.rotations != NULL && moment->positions != NULL && moment->orientations != NULL;
}

static void freeMoment(const Moment* moment)
{
	rpFree(moment->pose.rotations);
	rpFree(moment->positions);
	rpFree(moment->orientations);
}

EXPORT("destroyPlayer") void destroyPlayer(Player* player)
{
	freeMoment(&player->step);
	freeMoment(&player->peek);
	rpFree(player->world);
	rpDestroyPlayer(player->player);
	rpFree(player);
}

static bool allocatePlayer(Player* player, const rpBundle* bundle)
{
	player->player = rpCreatePlayer(bundle, &s_playerDef, &s_error);
	if (player->player == NULL)
	{
		return false;
	}
	player->skeleton = rpPlayer_GetSkeleton(player->player);
	int jointCount = player->skeleton->jointCount;
	player->world = rpAllocate((size_t)jointCount, sizeof(rpTransform), &s_error);
	return player->world != NULL && createMoment(&player->step, jointCount) && createMoment(&player->peek, jointCount);
}

// What the library does not show itself: where joints and effectors are in the world; sources in rows.
static void finishMoment(const Player* player, Moment* moment)
{
	const rpSkeleton* skeleton = player->skeleton;
	rpTransform* world = player->world;
	rpSkeleton_Forward(skeleton, moment->pose.rootPosition, moment->pose.rotations, NULL, world);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		moment->positions[i] = world[i].p;
		moment->orientations[i] = world[i].q;
	}
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		rpAttachment place = skeleton->effectors[i];
		moment->effectors[i] =
			place.joint >= 0 ? rpTransformPoint(world[place.joint], place.offset) : (rpVec3){NAN, NAN, NAN};
	}
	for (int i = 0; i < moment->report.sourceCount; ++i)
	{
		moment->sourceTimes[i] = moment->report.sources[i].time;
		moment->sourceClips[i] = moment->report.sources[i].clip;
		moment->sourceWeights[i] = moment->report.sources[i].weight;
	}
}

static void lookAhead(const Player* player, double seconds, Moment* moment)
{
	rpPlayer_Peek(player->player, seconds, &moment->pose, &moment->report);
	finishMoment(player, moment);
}

// Show where it is without going on.
static void showBoth(Player* player)
{
	lookAhead(player, 0.0, &player->step);
	lookAhead(player, 0.0, &player->peek);
}

/// By the definition that getPlayerDef gave. NULL: see the error.
EXPORT("createPlayer") Player* createPlayer(const rpBundle* bundle)
{
	Player* player = rpAllocateZero(1, sizeof(Player), &s_error);
	if (player == NULL)
	{
		return NULL;
	}
	if (!allocatePlayer(player, bundle))
	{
		destroyPlayer(player);
		return NULL;
	}
	player->number = ++s_playerCount;
	showBoth(player);
	return player;
}

/// By its input.
EXPORT("stepPlayer") void stepPlayer(Player* player, double dt)
{
	rpPlayer_Step(player->player, dt, &player->input, &player->step.pose, &player->step.report);
	finishMoment(player, &player->step);
}

EXPORT("peekPlayer") void peekPlayer(Player* player, double seconds)
{
	lookAhead(player, seconds, &player->peek);
}

EXPORT("resetPlayer") void resetPlayer(Player* player, float x, float z, float heading)
{
	rpPlayer_Reset(player->player, (rpGroundTransform){heading, {x, 0.0f, z}});
	showBoth(player);
}

EXPORT("getLookAhead") double getLookAhead(const Player* player)
{
	return rpPlayer_GetLookAhead(player->player);
}

/// NULL: it has no such gait.
EXPORT("getGaitLimits") const rpGaitLimits* getGaitLimits(const Player* player, int gait)
{
	return rpPlayer_GetGaitLimits(player->player, (rpGait)gait, &s_limits) ? &s_limits : NULL;
}

/// The kind of model that it plays.
EXPORT("getModel") const char* getModel(const Player* player)
{
	return rpPlayer_GetModel(player->player);
}

/// A parameter that goes with a request; NULL beyond the last.
EXPORT("getParameter") const rpSpaceParameter* getParameter(const Player* player, int request, int index)
{
	return rpPlayer_GetParameter(player->player, request, index);
}

/// Names of what it has; NULL beyond the last.
EXPORT("getRequest") const char* getRequest(const Player* player, int request)
{
	return rpPlayer_GetRequest(player->player, request);
}

EXPORT("getClip") const char* getClip(const Player* player, int clip)
{
	return rpPlayer_GetClipName(player->player, clip);
}

EXPORT("getLabel") const char* getLabel(const Player* player, int label)
{
	return rpPlayer_GetLabel(player->player, label);
}

// ---- its body

EXPORT("getJointName") const char* getJointName(const rpSkeleton* skeleton, int joint)
{
	return skeleton->joints[joint].name;
}

EXPORT("getJointParent") int getJointParent(const rpSkeleton* skeleton, int joint)
{
	return skeleton->parents[joint];
}

EXPORT("getJointOffset") const rpVec3* getJointOffset(const rpSkeleton* skeleton, int joint)
{
	return &skeleton->offsets[joint];
}

EXPORT("getJointOrder") const char* getJointOrder(const rpSkeleton* skeleton, int joint)
{
	static char text[4];
	int axes[3];
	rpEulerOrder_GetAxes(skeleton->joints[joint].order, axes);
	for (int i = 0; i < 3; ++i)
	{
		text[i] = "XYZ"[axes[i]];
	}
	return text;
}

EXPORT("getJointRole") const char* getJointRole(const rpSkeleton* skeleton, int joint)
{
	rpRole role = skeleton->joints[joint].role;
	return role == rp_roleNone ? "" : rpRole_GetName(role);
}

EXPORT("getEndJoint") int getEndJoint(const rpSkeleton* skeleton, int end)
{
	return skeleton->ends[end].joint;
}

EXPORT("getEndOffset") const rpVec3* getEndOffset(const rpSkeleton* skeleton, int end)
{
	return &skeleton->ends[end].offset;
}

// ---- layers

/// The definition that the next addLean uses, filled with defaults.
EXPORT("getLeanDef") rpLeanDef* getLeanDef(void)
{
	s_leanDef = rpDefaultLeanDef();
	return &s_leanDef;
}

/// Its number, -1: see the error.
EXPORT("addLean") int addLean(Player* player)
{
	return rpPlayer_AddLayer(player->player, rpFindLayerKind("lean"), &s_leanDef, &s_error);
}

EXPORT("switchLayer") void switchLayer(Player* player, int layer, float weight, double seconds)
{
	rpPlayer_SwitchLayer(player->player, layer, weight, seconds);
}

// ---- snapshots

// Of bytes that JavaScript kept, which may not be what they were.
static uint64_t sum(const void* block, size_t size)
{
	const char* at = block;
	uint64_t result = size, word = 0;
	for (; size >= sizeof(word); at += sizeof(word), size -= sizeof(word))
	{
		memcpy(&word, at, sizeof(word));
		result = (result ^ word) * SPREAD;
		result ^= result >> 32;
	}
	word = 0;
	memcpy(&word, at, size);
	return (result ^ word) * SPREAD;
}

EXPORT("getSnapshotSize") size_t getSnapshotSize(const Player* player)
{
	return sizeof(SnapshotHeader) + rpPlayer_GetSnapshotSize(player->player);
}

EXPORT("takeSnapshot") void takeSnapshot(const Player* player, void* block)
{
	size_t size = rpPlayer_GetSnapshotSize(player->player);
	void* state = (char*)block + sizeof(SnapshotHeader);
	rpPlayer_TakeSnapshot(player->player, state);
	SnapshotHeader header = {sum(state, size), player->number, (uint32_t)size};
	memcpy(block, &header, sizeof(header));
}

/// The block has the size that is reported.
EXPORT("restorePlayer") bool restorePlayer(Player* player, const void* block)
{
	SnapshotHeader header;
	memcpy(&header, block, sizeof(header));
	size_t size = rpPlayer_GetSnapshotSize(player->player);
	const void* state = (const char*)block + sizeof(header);
	if (header.number != player->number || header.size != size || header.sum != sum(state, size) ||
		!rpPlayer_Restore(player->player, state))
	{
		return rpFail(&s_error, rp_errorArgument, "this is no snapshot of this player, or it was changed");
	}
	showBoth(player);
	return true;
}
