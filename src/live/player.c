/// What all players share: frames at a fixed rate, made ahead by as much as foot lock looks ahead, and interpolated for
/// whatever tick is asked for.
#include "base/error.h"
#include "base/memory.h"
#include "feet/foot_hold.h"
#include "live/player_kind.h"
#include "motion/kinematics.h"
#include "reprise/feet.h"

#include <string.h>

// A tick that is this much short of a frame is at the frame, in frames.
#define FRAME_SLACK 1e-6

// Nearer to a frame than this, in frames, its feet are where they should be.
#define BETWEEN_FRAMES 1e-4f

// The longest step, seconds: a caller that was asleep need not see all that it missed.
#define LONGEST_STEP 60.0

static const rpPlayerKind* const s_kinds[] = {&rpGraphPlayerKind, &rpLocomotionPlayerKind};

/// The frames that are kept, frame i at i & mask.
typedef struct Ring
{
	unsigned mask;
	rpVec3* roots;
	/// [mask + 1] * jointCount
	rpQuat* rotations;
} Ring;

struct rpPlayer
{
	const rpPlayerKind* kind;
	void* state;
	rpSkeleton* skeleton;
	double fps;
	double time;
	rpPlayerInput input;

	/// NULL: feet are left as they are.
	rpFootLocker* locker;
	int ahead;

	/// Whether feet that rest are held between frames, with [3 * jointCount] of scratch for that.
	bool holdsFeet;
	rpFootRig rig;
	rpTransform* world;

	/// Frames as they were made and as they are shown: made - ahead of them.
	int64_t madeCount;
	Ring made, shown;

	/// What is known of them, as the ring of those made.
	rpPlayerReport* reports;
};

rpPlayerDef rpDefaultPlayerDef(void)
{
	return (rpPlayerDef){.fps = 60.0, .lockFeet = true, .neighbours = 30, .leastWeight = 0.01f};
}

// ---- making and freeing

static bool createRing(Ring* ring, unsigned count, int jointCount, rpError* error)
{
	unsigned size = 1;
	while (size < count)
	{
		size *= 2;
	}
	ring->mask = size - 1;
	ring->roots = rpAllocateZero(size, sizeof(rpVec3), error);
	ring->rotations = rpAllocateZero((size_t)size * (size_t)jointCount, sizeof(rpQuat), error);
	return ring->roots != NULL && ring->rotations != NULL;
}

static bool checkDef(const rpPlayerDef* def, rpError* error)
{
	bool isSound = def->fps >= 10.0 && def->fps <= 240.0 && !isnan(def->lookAhead) && isfinite(def->start.turn) &&
				   isfinite(def->start.shift.x) && isfinite(def->start.shift.y) && isfinite(def->start.shift.z);
	return isSound ||
		   rpFail(error, rp_errorArgument, "a player at %g frames per second, %g s ahead; 10 to 240 are allowed",
				  def->fps, def->lookAhead);
}

static const rpPlayerKind* findKind(const rpBundle* bundle, rpError* error)
{
	for (size_t i = 0; i < sizeof(s_kinds) / sizeof(s_kinds[0]); ++i)
	{
		if (rpBundle_HasChunk(bundle, s_kinds[i]->chunk))
		{
			return s_kinds[i];
		}
	}
	rpFail(error, rp_errorMissing, "the bundle holds no model that this library can play");
	return NULL;
}

static bool createLocker(rpPlayer* player, const rpPlayerDef* def, rpError* error)
{
	player->holdsFeet = def->lockFeet && rpFootRig_Init(&player->rig, player->skeleton);
	if (!player->holdsFeet)
	{
		return true;
	}
	player->ahead = (int)fmin(fmax(round(def->lookAhead * def->fps), 0.0), 240.0);
	player->locker = rpCreateFootLocker(player->skeleton, def->fps, player->ahead, NULL, error);
	return player->locker != NULL;
}

static bool createRings(rpPlayer* player, rpError* error)
{
	int jointCount = player->skeleton->jointCount;
	unsigned count = (unsigned)player->ahead + 4;
	if (!createRing(&player->made, count, jointCount, error) || !createRing(&player->shown, 2, jointCount, error))
	{
		return false;
	}
	player->reports = rpAllocateZero((size_t)player->made.mask + 1, sizeof(rpPlayerReport), error);
	player->world = rpAllocate(3 * (size_t)jointCount, sizeof(rpTransform), error);
	return player->reports != NULL && player->world != NULL;
}

rpPlayer* rpCreatePlayer(const rpBundle* bundle, const rpPlayerDef* def, rpError* error)
{
	rpPlayerDef chosen = def != NULL ? *def : rpDefaultPlayerDef();
	const rpPlayerKind* kind = checkDef(&chosen, error) ? findKind(bundle, error) : NULL;
	rpPlayer* player = kind != NULL ? rpAllocateZero(1, sizeof(rpPlayer), error) : NULL;
	if (player == NULL)
	{
		return NULL;
	}
	player->kind = kind;
	player->fps = chosen.fps;
	player->state = kind->create(bundle, &chosen, error);
	player->skeleton = player->state != NULL ? kind->getSkeleton(player->state) : NULL;
	if (player->skeleton == NULL || !createLocker(player, &chosen, error) || !createRings(player, error))
	{
		rpDestroyPlayer(player);
		return NULL;
	}
	return player;
}

void rpDestroyPlayer(rpPlayer* player)
{
	if (player == NULL)
	{
		return;
	}
	rpDestroyFootLocker(player->locker);
	rpFree(player->made.roots);
	rpFree(player->made.rotations);
	rpFree(player->shown.roots);
	rpFree(player->shown.rotations);
	rpFree(player->reports);
	rpFree(player->world);
	if (player->state != NULL)
	{
		player->kind->destroy(player->state);
	}
	rpFree(player);
}

// ---- frames

// Seconds that a caller may go on by.
static double limitTime(double seconds)
{
	return seconds > 0.0 ? fmin(seconds, LONGEST_STEP) : 0.0;
}

static rpPose getPose(const rpPlayer* player, const Ring* ring, int64_t frame)
{
	size_t slot = (size_t)frame & ring->mask;
	return (rpPose){ring->roots[slot], ring->rotations + slot * (size_t)player->skeleton->jointCount, NULL};
}

static char findPhase(unsigned contacts)
{
	bool left = (contacts & (1u << rp_leftHeel | 1u << rp_leftBall)) != 0;
	bool right = (contacts & (1u << rp_rightHeel | 1u << rp_rightBall)) != 0;
	return left && right ? 'D' : left ? 'L' : right ? 'R' : 'F';
}

// Make the next frame; one from before comes out of the foot lock.
static void makeFrame(rpPlayer* player)
{
	int64_t frame = player->madeCount++, ready = frame - player->ahead;
	rpPose made = getPose(player, &player->made, frame), out = getPose(player, &player->shown, ready);
	rpPlayerReport* report = &player->reports[(size_t)frame & player->made.mask];
	*report = (rpPlayerReport){.movement.kind = rp_movementKindCount};
	player->kind->make(player->state, (double)frame / player->fps, &player->input, &made, report);
	// What was made ahead is seen later.
	report->movement.response += report->movement.isAnswer ? (float)(player->ahead / player->fps) : 0.0f;
	player->made.roots[(size_t)frame & player->made.mask] = made.rootPosition;
	if (player->locker == NULL)
	{
		out.rootPosition = made.rootPosition;
		memcpy(out.rotations, made.rotations, (size_t)player->skeleton->jointCount * sizeof(rpQuat));
	}
	else if (!rpFootLocker_Step(player->locker, &made, report->contacts, report->supportHeights, &out))
	{
		return;
	}
	player->shown.roots[(size_t)ready & player->shown.mask] = out.rootPosition;
}

// What rests in a frame, and in the one behind it too where the time is between them.
static unsigned getContacts(const rpPlayer* player, int64_t frame, float t)
{
	unsigned contacts = player->reports[(size_t)frame & player->made.mask].contacts;
	return t > BETWEEN_FRAMES ? contacts & player->reports[(size_t)(frame + 1) & player->made.mask].contacts : contacts;
}

// The report of a frame, brought to a time shortly after it; the phase goes on until the next frame.
static void fillReport(const rpPlayer* player, int64_t frame, double time, float t, rpPlayerReport* out)
{
	*out = player->reports[(size_t)frame & player->made.mask];
	out->phase = findPhase(out->contacts);
	out->contacts = getContacts(player, frame, t);
	for (int i = 0; i < out->sourceCount; ++i)
	{
		out->sources[i].time += time - (double)frame / player->fps;
	}
}

static void finishReport(const rpPose* pose, double time, rpPlayerReport* report)
{
	report->time = time;
	report->ground = (rpGround){rpHeading(pose->rotations[0]), {pose->rootPosition.x, 0.0f, pose->rootPosition.z}};
}

// Between two frames of a ring; in those that are shown feet that rest in both are held.
static void interpolate(const rpPlayer* player, const Ring* ring, double time, rpPose* out, rpPlayerReport* report)
{
	int64_t frame = (int64_t)floor(time * player->fps + FRAME_SLACK);
	float t = (float)fmax(time * player->fps - (double)frame, 0.0);
	rpPose a = getPose(player, ring, frame), b = getPose(player, ring, frame + 1);
	rpSlerpMany(a.rotations, b.rotations, t, player->skeleton->jointCount, out->rotations);
	out->rootPosition = rpLerp(a.rootPosition, b.rootPosition, t);
	if (player->holdsFeet && ring == &player->shown && t > BETWEEN_FRAMES)
	{
		rpHoldFeet(&player->rig, &a, &b, t, getContacts(player, frame, t), player->world, out);
	}
	if (report != NULL)
	{
		fillReport(player, frame, time, t, report);
		finishReport(out, time, report);
	}
}

// The frame behind a time is there too, for interpolation.
static bool isThere(const rpPlayer* player, double time, int64_t count)
{
	return (int64_t)floor(time * player->fps + FRAME_SLACK) + 1 < count;
}

void rpPlayer_Step(rpPlayer* player, double dt, const rpPlayerInput* input, rpPose* pose, rpPlayerReport* report)
{
	player->input = input != NULL ? *input : (rpPlayerInput){0};
	player->time += limitTime(dt);
	while (!isThere(player, player->time, player->madeCount - player->ahead))
	{
		makeFrame(player);
	}
	interpolate(player, &player->shown, player->time, pose, report);
}

void rpPlayer_Peek(const rpPlayer* player, double seconds, rpPose* pose, rpPlayerReport* report)
{
	double time = player->time + limitTime(seconds);
	if (isThere(player, time, player->madeCount - player->ahead))
	{
		interpolate(player, &player->shown, time, pose, report);
	}
	else if (isThere(player, time, player->madeCount))
	{
		interpolate(player, &player->made, time, pose, report);
	}
	else
	{
		rpPlayerReport own = {.movement.kind = rp_movementKindCount};
		player->kind->predict(player->state, time, &player->input, pose, &own);
		own.phase = findPhase(own.contacts);
		finishReport(pose, time, &own);
		if (report != NULL)
		{
			*report = own;
		}
	}
}

double rpPlayer_GetLookAhead(const rpPlayer* player)
{
	return player->ahead / player->fps;
}

bool rpPlayer_GetGaitLimits(const rpPlayer* player, rpGait gait, rpGaitLimits* out)
{
	*out = (rpGaitLimits){0};
	bool isGait = (int)gait >= 0 && gait < rp_gaitCount;
	return isGait && player->kind->getLimits != NULL && player->kind->getLimits(player->state, gait, out);
}

const rpSkeleton* rpPlayer_GetSkeleton(const rpPlayer* player)
{
	return player->skeleton;
}

const char* rpPlayer_GetClipName(const rpPlayer* player, int clip)
{
	return player->kind->getClipName(player->state, clip);
}

const char* rpPlayer_GetLabel(const rpPlayer* player, int label)
{
	return player->kind->getLabel(player->state, label);
}
