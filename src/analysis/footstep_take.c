/// What must be known of a take before it is cut into movements.
#include "analysis/footstep_take.h"

#include "base/error.h"
#include "reprise/analysis.h"

// Slower captures do not show when feet touch, frames per second.
#define SLOWEST_RATE 20.0

bool rpIsFootContact(const rpInterval* interval)
{
	return rpInterval_IsFootContact(interval);
}

static bool hasFootContacts(const rpMotion* motion)
{
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		if (rpIsFootContact(motion->annotations.intervals + i))
		{
			return true;
		}
	}
	return false;
}

static bool checkRate(const rpMotion* motion, rpError* error)
{
	if (motion->fps >= SLOWEST_RATE)
	{
		return true;
	}
	rpFail(error, rp_errorNoSolution,
		   "%s has %g frames per second, which do not show footsteps; %g are needed at least", motion->name,
		   motion->fps, SLOWEST_RATE);
	rpError_SetHint(error, "take a faster capture; to resample a slow one brings nothing back");
	return false;
}

bool rpFootstepTake_Open(rpFootstepTake* take, const rpMotion* motion, const rpMovementDef* def, rpError* error)
{
	*take = (rpFootstepTake){.motion = motion};
	if (!checkRate(motion, error))
	{
		return false;
	}
	if (!hasFootContacts(motion))
	{
		take->motion = take->copy = rpCopyMotion(motion, error);
		if (take->copy == NULL || !rpDetectContacts(take->copy, NULL, NULL, error))
		{
			return false;
		}
	}
	return rpCenterTrack_Follow(&take->track, take->motion, def, error) &&
		   rpFootstepPhases_Find(&take->phases, take->motion, &take->track, def, error);
}

void rpFootstepTake_Free(rpFootstepTake* take)
{
	rpCenterTrack_Free(&take->track);
	rpFootstepPhases_Free(&take->phases);
	rpDestroyMotion(take->copy);
	*take = (rpFootstepTake){0};
}
