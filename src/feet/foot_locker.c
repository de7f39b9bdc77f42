/// Foot lock for players: the stream with a fixed look-ahead.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "feet/feet_track.h"

// The longest look-ahead, frames.
#define LONGEST 960

struct rpFootLocker
{
	rpSkeleton* skeleton;
	rpFeetTrack track;
	int lookAhead;
};

static bool checkArguments(double fps, int lookAhead, const rpFootLockDef* def, rpError* error)
{
	if (!(fps > 0.0) || !isfinite(fps))
	{
		return rpFail(error, rp_errorArgument, "a rate of %g frames per second; it must be positive", fps);
	}
	if (lookAhead < 0 || lookAhead > LONGEST)
	{
		return rpFail(error, rp_errorArgument, "a look-ahead of %d frames; 0 to %d are allowed", lookAhead, LONGEST);
	}
	return rpCheckFootLockDef(def, error);
}

rpFootLocker* rpCreateFootLocker(const rpSkeleton* skeleton, double fps, int lookAhead, const rpFootLockDef* def,
								 rpError* error)
{
	RP_ASSERT(skeleton != NULL);
	rpFootLockDef chosen = def != NULL ? *def : rpDefaultFootLockDef();
	rpFootLocker* locker =
		checkArguments(fps, lookAhead, &chosen, error) ? rpAllocateZero(1, sizeof(rpFootLocker), error) : NULL;
	if (locker == NULL)
	{
		return NULL;
	}
	locker->skeleton = rpRetainSkeleton(skeleton);
	locker->lookAhead = lookAhead;
	if (!rpFeetTrack_Create(&locker->track, locker->skeleton, fps, lookAhead, &chosen, error))
	{
		rpDestroyFootLocker(locker);
		return NULL;
	}
	return locker;
}

void rpDestroyFootLocker(rpFootLocker* locker)
{
	if (locker != NULL)
	{
		rpReleaseSkeleton(locker->skeleton);
		rpFeetTrack_Free(&locker->track);
		rpFree(locker);
	}
}

void rpFootLocker_Reset(rpFootLocker* locker)
{
	rpFeetTrack_Reset(&locker->track);
}

bool rpFootLocker_Step(rpFootLocker* locker, const rpPose* in, unsigned contacts, const float* supportHeights,
					   rpPose* out)
{
	rpFeetTrack_Add(&locker->track, in, contacts, supportHeights);
	int ready = locker->track.newest - locker->lookAhead;
	if (ready < 0)
	{
		return false;
	}
	(void)rpFeetTrack_Show(&locker->track, ready, out);
	return true;
}

int rpFootLocker_GetFullLookAhead(double fps)
{
	return rpGetFullLookAhead(fps);
}
