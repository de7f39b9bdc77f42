#include "feet/feet_track.h"

#include "base/error.h"
#include "base/memory.h"

#include <stddef.h>
#include <string.h>

const rpEffector rpBearers[rp_legCount][rp_bearerCount] = {{rp_leftHeel, rp_leftBall, rp_leftToe},
														   {rp_rightHeel, rp_rightBall, rp_rightToe}};

unsigned rpGetBearing(int side, unsigned contacts)
{
	unsigned bears = 0;
	for (int point = 0; point < rp_bearerCount; ++point)
	{
		bears |= (contacts >> rpBearers[side][point] & 1u) << point;
	}
	return bears;
}

// A landing is aimed at from this long before it: the swing of a slow walk, seconds.
#define AIM 0.6

// A foothold is chosen by so much of its stance, seconds: longer than a runner's, half of a walker's.
#define STANCE 0.3

// How far to both sides the body looks for feet that lead it, seconds; half of that counts for half as much or less. A
// flight of up to twice as much is crossed.
#define FOLLOW 0.4

// How long before and after a leg needs it the body comes down, seconds.
#define REACH 0.2

// The height of a foot that bears is looked at over so much time to both sides, seconds: less than half of a stance, in
// which a foot rolls.
#define SETTLE 0.15

void rpGlide(float* at, float* rate, float to, int frames)
{
	float n = (float)(frames > 1 ? frames : 1), gap = to - *at, slope = *rate * n, u = 1.0f / n;
	float a = slope - 2.0f * gap, b = 3.0f * gap - 2.0f * slope;
	*at += ((a * u + b) * u + slope) * u;
	*rate = ((3.0f * a * u + 2.0f * b) * u + slope) / n;
}

// Nobody takes a step in less than this, seconds.
#define STEP 0.12

static int getFrames(double seconds, double fps)
{
	return (int)ceil(seconds * fps);
}

// What is missing of the full look-ahead is missing in all stages alike.
static int getPart(double seconds, double fps, double share)
{
	return (int)floor(getFrames(seconds, fps) * fmin(share, 1.0) + 1e-9);
}

int rpGetFullLookAhead(double fps)
{
	return getFrames(AIM, fps) + getFrames(STANCE, fps) + getFrames(FOLLOW, fps) + getFrames(REACH, fps);
}

rpTrackSpans rpGetTrackSpans(double fps, int lookAhead, const rpFootLockDef* def)
{
	double share = (double)lookAhead / rpGetFullLookAhead(fps);
	rpTrackSpans spans = {
		.follow = getPart(FOLLOW, fps, share),
		.reach = getPart(REACH, fps, share),
		.aim = getFrames(AIM, fps),
		.stance = getFrames(STANCE, fps),
		.ease = getFrames(def->ease, fps),
		.settle = getFrames(SETTLE, fps),
		.soft = getFrames(RP_SOFT_SECONDS, fps),
		.step = getFrames(STEP, fps),
		.followBack = getFrames(FOLLOW, fps),
		.reachBack = getFrames(REACH, fps),
	};
	spans.sight = lookAhead - spans.follow - spans.reach;
	return spans;
}

static bool allocate(rpFeetTrack* track, const rpSkeleton* skeleton, int lookAhead, rpError* error)
{
	const rpTrackSpans* spans = &track->spans;
	int back =
		spans->followBack + spans->reachBack > spans->stance ? spans->followBack + spans->reachBack : spans->stance;
	unsigned size = 1;
	while (size < (unsigned)(lookAhead + back + 4))
	{
		size *= 2;
	}
	size_t jointCount = (size_t)skeleton->jointCount;
	track->mask = size - 1;
	track->frames = rpAllocateZero(size, sizeof(rpTrackFrame), error);
	track->rootPositions = rpAllocate(size, sizeof(rpVec3), error);
	track->rotations = rpAllocate(size * jointCount, sizeof(rpQuat), error);
	track->translations = rpAllocate(size * jointCount, sizeof(rpVec3), error);
	track->world = rpAllocate(jointCount, sizeof(rpTransform), error);
	return track->frames != NULL && track->rootPositions != NULL && track->rotations != NULL &&
		   track->translations != NULL && track->world != NULL;
}

bool rpFeetTrack_Create(rpFeetTrack* track, const rpSkeleton* skeleton, double fps, int lookAhead,
						const rpFootLockDef* def, rpError* error)
{
	*track = (rpFeetTrack){.def = *def, .fps = fps};
	if (!rpFootRig_Init(&track->rig, skeleton))
	{
		rpFail(error, rp_errorMissing, "this body has no leg: no hip, knee and ankle of one side are known");
		rpError_SetHint(error, "say which joints they are by their roles");
		return false;
	}
	track->spans = rpGetTrackSpans(fps, lookAhead, def);
	if (!allocate(track, skeleton, lookAhead, error))
	{
		return false;
	}
	rpFeetTrack_Reset(track);
	return true;
}

void rpFeetTrack_Free(rpFeetTrack* track)
{
	rpFree(track->frames);
	rpFree(track->rootPositions);
	rpFree(track->rotations);
	rpFree(track->translations);
	rpFree(track->world);
}

void rpFeetTrack_VisitState(rpFeetTrack* track, rpPieceFn* visit, void* context)
{
	size_t size = (size_t)track->mask + 1, count = size * (size_t)track->rig.skeleton->jointCount;
	visit(context, track->frames, size * sizeof(*track->frames));
	visit(context, track->rootPositions, size * sizeof(rpVec3));
	visit(context, track->rotations, count * sizeof(rpQuat));
	visit(context, track->translations, count * sizeof(rpVec3));
	visit(context, &track->newest, sizeof(*track) - offsetof(rpFeetTrack, newest));
}

void rpFeetTrack_Reset(rpFeetTrack* track)
{
	track->newest = track->settled = track->followed = -1;
	track->follow = track->followRate = rpVec3_zero;
	track->drop = track->dropRate = 0.0f;
	memset(track->glides, 0, sizeof(track->glides));
	memset(track->frames, 0, ((size_t)track->mask + 1) * sizeof(rpTrackFrame));
}

static void keepPose(rpFeetTrack* track, const rpPose* in, int frame)
{
	size_t slot = (unsigned)frame & track->mask, jointCount = (size_t)track->rig.skeleton->jointCount;
	track->rootPositions[slot] = in->rootPosition;
	memcpy(track->rotations + slot * jointCount, in->rotations, jointCount * sizeof(rpQuat));
	memcpy(track->translations + slot * jointCount,
		   in->translations != NULL ? in->translations : track->rig.skeleton->offsets, jointCount * sizeof(rpVec3));
}

static void addFoot(const rpFeetTrack* track, int side, unsigned contacts, const float* supportHeights,
					rpTrackFoot* out)
{
	*out = (rpTrackFoot){.bears = rpGetBearing(side, contacts)};
	rpLeg_Sample(&track->rig.legs[side], track->world, &out->sample);
	float rise = 0.0f, support = 0.0f, count = 0.0f;
	for (int point = 0; point < rp_bearerCount; ++point)
	{
		// Toes bend as they like: they do not show how high the foot is.
		if ((out->bears >> point & 1) != 0 && point != rp_toeBears)
		{
			float height = supportHeights != NULL ? supportHeights[rpBearers[side][point]] : 0.0f;
			rise += height + track->rig.skeleton->soleHeight - rpGetBearer(&out->sample, point).y;
			support += height;
			count += 1.0f;
		}
	}
	out->knowsHeight = count > 0.0f && track->def.ground;
	out->rise = count > 0.0f ? rise / count : 0.0f;
	out->support = count > 0.0f             ? support / count
				   : supportHeights != NULL ? supportHeights[rpBearers[side][rp_toeBears]]
											: 0.0f;
	out->lead = out->bears != 0 ? rpGetLead(&out->sample) : 0.0f;
}

void rpFeetTrack_Add(rpFeetTrack* track, const rpPose* in, unsigned contacts, const float* supportHeights)
{
	const unsigned holds = 1u << rp_seat | 1u << rp_leftHand | 1u << rp_rightHand;
	int frame = ++track->newest;
	rpTrackFrame* entry = rpFeetTrack_Get(track, frame);
	*entry = (rpTrackFrame){.isHeld = (contacts & holds) != 0};
	keepPose(track, in, frame);
	rpFootRig_Forward(&track->rig, in->rootPosition, in->rotations, in->translations, track->world);
	for (int side = 0; side < rp_legCount; ++side)
	{
		if (track->rig.legs[side].isThere)
		{
			addFoot(track, side, contacts, supportHeights, &entry->feet[side]);
		}
	}
}

// Run a stage up to a frame, as far as there are frames.
static void runTo(rpFeetTrack* track, const int* done, void (*stage)(rpFeetTrack*), int frame)
{
	int last = frame < track->newest ? frame : track->newest;
	while (*done < last)
	{
		stage(track);
	}
}

float rpFeetTrack_Show(rpFeetTrack* track, int frame, rpPose* out)
{
	size_t slot = (unsigned)frame & track->mask, jointCount = (size_t)track->rig.skeleton->jointCount;
	runTo(track, &track->settled, rpFeetTrack_Settle, frame + track->spans.reach + track->spans.follow);
	runTo(track, &track->followed, rpFeetTrack_Follow, frame + track->spans.reach);
	rpPose pose = {track->rootPositions[slot], out->rotations, track->translations + slot * jointCount};
	memcpy(out->rotations, track->rotations + slot * jointCount, jointCount * sizeof(rpQuat));
	float missed = rpFeetTrack_BendLegs(track, frame, &pose);
	out->rootPosition = pose.rootPosition;
	if (out->translations != NULL)
	{
		memcpy(out->translations, pose.translations, jointCount * sizeof(rpVec3));
	}
	return missed;
}
