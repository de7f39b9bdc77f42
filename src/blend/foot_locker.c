/// Foot lock for players: the stages of a whole motion's foot lock over a ring of frames, each as far behind the newest
/// pose as it must look ahead. A contact's place is the mean over as much of it as can be seen when it is needed. What
/// takes a whole motion (shaking of the root, knees that became too fast) is left out.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "blend/foot_lock_track.h"

#include <string.h>

struct rpFootLocker
{
	rpSkeleton* skeleton;
	rpFootTrack track;
	int lookAhead;

	/// The plant that each point is in, -1 if it is free.
	int plants[rp_legCount][rp_solePointCount];

	/// The poses as they came: [capacity], [capacity * jointCount]; isRigid where a pose had no translations.
	rpVec3* rootPositions;
	rpQuat* rotations;
	rpVec3* translations;
	bool* isRigid;
};

static const rpEffector s_soles[rp_legCount][rp_solePointCount] = {{rp_leftHeel, rp_leftBall},
																   {rp_rightHeel, rp_rightBall}};

static int roundUp(int count)
{
	int power = 1;
	while (power < count)
	{
		power *= 2;
	}
	return power;
}

static bool allocateRings(rpFootLocker* locker, rpError* error)
{
	rpFootTrack* track = &locker->track;
	const rpTrackSpans* spans = &track->spans;
	// From the frame that leaves, as far back as easing and smoothing look.
	int back = spans->ease + spans->turnEase + spans->smooth + spans->slope + 2;
	track->capacity = roundUp(locker->lookAhead + back);
	track->mask = (unsigned)track->capacity - 1;
	// Each of the four points can begin a plant in every second frame.
	track->plantMask = (unsigned)(2 * track->capacity) - 1;
	size_t count = (size_t)track->capacity, jointCount = (size_t)locker->skeleton->jointCount;
	track->frames = rpAllocateZero(count, sizeof(rpTrackFrame), error);
	track->plants = rpAllocateZero(2 * count, sizeof(rpPlant), error);
	track->kernel = rpAllocate((size_t)spans->smooth + 1, sizeof(float), error);
	locker->rootPositions = rpAllocate(count, sizeof(rpVec3), error);
	locker->rotations = rpAllocate(count * jointCount, sizeof(rpQuat), error);
	locker->translations = rpAllocate(count * jointCount, sizeof(rpVec3), error);
	locker->isRigid = rpAllocate(count, sizeof(bool), error);
	return track->frames != NULL && track->plants != NULL && track->kernel != NULL && locker->rootPositions != NULL &&
		   locker->rotations != NULL && locker->translations != NULL && locker->isRigid != NULL;
}

static bool checkDef(double fps, int lookAhead, const rpFootLockDef* def, rpError* error)
{
	if (!(fps > 0.0) || !isfinite(fps))
	{
		return rpFail(error, rp_errorArgument, "a rate of %g frames per second; it must be positive", fps);
	}
	if (lookAhead < 1 || lookAhead > 240)
	{
		return rpFail(error, rp_errorArgument, "a look-ahead of %d frames; 1 to 240 are allowed", lookAhead);
	}
	if (!(def->ease >= 0.0) || !isfinite(def->ease) || !(def->stretch >= 0.0f) || def->stretch > 1.0f)
	{
		return rpFail(error, rp_errorArgument, "feet eased over %g s with a stretch of %g; both must be 0 or more",
					  def->ease, (double)def->stretch);
	}
	return true;
}

rpFootLocker* rpCreateFootLocker(const rpSkeleton* skeleton, double fps, int lookAhead, const rpFootLockDef* def,
								 rpError* error)
{
	RP_ASSERT(skeleton != NULL);
	rpFootLockDef chosen = def != NULL ? *def : rpDefaultFootLockDef();
	if (!checkDef(fps, lookAhead, &chosen, error))
	{
		return NULL;
	}
	rpFootLocker* locker = rpAllocateZero(1, sizeof(rpFootLocker), error);
	if (locker == NULL)
	{
		return NULL;
	}
	locker->skeleton = rpRetainSkeleton(skeleton);
	locker->lookAhead = lookAhead;
	locker->track.def = chosen;
	locker->track.fps = fps;
	locker->track.spans = rpGetTrackSpans(fps, &chosen, lookAhead);
	if (!rpFootRig_Init(&locker->track.rig, locker->skeleton))
	{
		rpFail(error, rp_errorMissing, "this body has no leg: no hip, knee and ankle of one side are known");
		rpDestroyFootLocker(locker);
		return NULL;
	}
	if (!allocateRings(locker, error))
	{
		rpDestroyFootLocker(locker);
		return NULL;
	}
	rpFootTrack_FillKernel(&locker->track);
	rpFootLocker_Reset(locker);
	return locker;
}

void rpDestroyFootLocker(rpFootLocker* locker)
{
	if (locker != NULL)
	{
		rpReleaseSkeleton(locker->skeleton);
		rpFree(locker->track.frames);
		rpFree(locker->track.plants);
		rpFree(locker->track.kernel);
		rpFree(locker->rootPositions);
		rpFree(locker->rotations);
		rpFree(locker->translations);
		rpFree(locker->isRigid);
		rpFree(locker);
	}
}

void rpFootLocker_Reset(rpFootLocker* locker)
{
	rpFootTrack* track = &locker->track;
	track->newest = -1;
	track->oldest = 0;
	track->plantCount = 0;
	track->lastPull = -1;
	track->toeRises = 0.0;
	for (int point = 0; point < rp_solePointCount; ++point)
	{
		track->clearances[point] = 0.0;
		track->clearanceCounts[point] = 0;
		locker->plants[0][point] = locker->plants[1][point] = -1;
	}
}

// Begin, continue or end the plants of all points.
static void notePlants(rpFootLocker* locker, unsigned contacts, const float* supportHeights)
{
	rpFootTrack* track = &locker->track;
	int frame = track->newest + 1;
	for (int side = 0; side < rp_legCount; ++side)
	{
		for (int point = 0; point < rp_solePointCount; ++point)
		{
			rpEffector effector = s_soles[side][point];
			int* current = &locker->plants[side][point];
			if ((contacts & 1u << effector) == 0 || !track->rig.legs[side].isThere)
			{
				*current = -1;
				continue;
			}
			if (*current < 0)
			{
				*current = track->plantCount++;
				track->plants[(unsigned)*current & track->plantMask] =
					(rpPlant){.first = frame,
							  .side = side,
							  .point = point,
							  .support = supportHeights != NULL ? supportHeights[effector] : 0.0f};
			}
			track->plants[(unsigned)*current & track->plantMask].last = frame;
		}
	}
}

static void keepPose(rpFootLocker* locker, const rpPose* in, int frame)
{
	size_t slot = (unsigned)frame & locker->track.mask, jointCount = (size_t)locker->skeleton->jointCount;
	locker->rootPositions[slot] = in->rootPosition;
	memcpy(locker->rotations + slot * jointCount, in->rotations, jointCount * sizeof(rpQuat));
	locker->isRigid[slot] = in->translations == NULL;
	if (in->translations != NULL)
	{
		memcpy(locker->translations + slot * jointCount, in->translations, jointCount * sizeof(rpVec3));
	}
}

// Plants that begin at a frame count for how high a point is above its support.
static void noteClearances(rpFootTrack* track, int frame)
{
	const rpTrackFrame* entry = rpFootTrack_Get(track, frame);
	for (int i = 0; i < rp_legCount * rp_solePointCount; ++i)
	{
		int side = i / rp_solePointCount, index = entry->feet[side].plants[i % rp_solePointCount];
		if (track->rig.legs[side].isThere && index >= 0)
		{
			const rpPlant* plant = track->plants + ((unsigned)index & track->plantMask);
			if (plant->first == frame)
			{
				rpFootTrack_AddClearance(track, plant);
			}
		}
	}
}

static void settle(rpFootTrack* track, int frame)
{
	noteClearances(track, frame);
	rpFootTrack_Settle(track, frame);
}

// Every stage for the frame that is as far behind the newest as all stages up to it look ahead. Returns the frame that
// can be solved.
static int runStages(rpFootTrack* track)
{
	const rpTrackSpans* spans = &track->spans;
	const struct
	{
		void (*run)(rpFootTrack* track, int frame);
		int ahead;
	} stages[] = {
		{settle, spans->sight},
		{rpFootTrack_Turn, spans->turnEase + spans->slope},
		{rpFootTrack_Lead, spans->smooth},
		{rpFootTrack_Follow, spans->smooth},
		{rpFootTrack_Reach, spans->ease + spans->slope},
		{rpFootTrack_Widen, spans->smooth},
	};
	int frame = track->newest;
	for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); ++i)
	{
		frame -= stages[i].ahead;
		if (frame >= 0)
		{
			stages[i].run(track, frame);
		}
	}
	return frame - spans->smooth;
}

static void putOut(rpFootLocker* locker, int frame, rpPose* out)
{
	size_t slot = (unsigned)frame & locker->track.mask, jointCount = (size_t)locker->skeleton->jointCount;
	const rpQuat* rotations = locker->rotations + slot * jointCount;
	const rpVec3* translations = locker->isRigid[slot] ? NULL : locker->translations + slot * jointCount;
	rpTrackSolution solution;
	rpFootTrack_Solve(&locker->track, frame, locker->rootPositions[slot], rotations, translations,
					  out->translations != NULL ? locker->track.def.stretch : 0.0f, &solution);
	out->rootPosition = locker->rootPositions[slot];
	memcpy(out->rotations, rotations, jointCount * sizeof(rpQuat));
	if (out->translations != NULL)
	{
		memcpy(out->translations, translations != NULL ? translations : locker->skeleton->offsets,
			   jointCount * sizeof(rpVec3));
	}
	rpFootTrack_Apply(&locker->track, &solution, &out->rootPosition, out->rotations, out->translations);
}

bool rpFootLocker_Step(rpFootLocker* locker, const rpPose* in, unsigned contacts, const float* supportHeights,
					   rpPose* out)
{
	rpFootTrack* track = &locker->track;
	notePlants(locker, contacts, supportHeights);
	keepPose(locker, in, track->newest + 1);
	rpFootTrack_Add(track, in->rootPosition, in->rotations, in->translations, locker->plants,
					(contacts & 1u << rp_seat) != 0);
	int frame = runStages(track);
	if (frame < 0)
	{
		return false;
	}
	putOut(locker, frame, out);
	return true;
}
