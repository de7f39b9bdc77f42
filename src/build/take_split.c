/// Takes in two parts: the path over the floor, and what the body does along it. Kovar & Gleicher 2003 lay motions on
/// one another by an alignment curve before they blend them; with the path taken out, motions lie on one another.
#include "build/take_split.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/clip_chunks.h"
#include "motion/ground_track.h"
#include "reprise/play/feet.h"

#include <math.h>

// Central differences, one-sided at the ends, in the frame's own axes.
static rpGroundRate getRate(const rpMotion* take, const rpGroundTrack* path, int frame)
{
	int before = frame > 0 ? frame - 1 : frame, after = frame + 1 < take->frameCount ? frame + 1 : frame;
	double scale = after > before ? take->fps / (after - before) : 0.0;
	double x = scale * (path->x[after] - path->x[before]);
	double z = scale * (path->z[after] - path->z[before]);
	double c = cos(path->heading[frame]), s = sin(path->heading[frame]);
	return (rpGroundRate){(float)(c * x - s * z), (float)(s * x + c * z),
						  (float)(scale * (path->heading[after] - path->heading[before]))};
}

bool rpFindTakeFloor(const rpMotion* take, float* out, rpError* error)
{
	rpClipContact* contacts = rpAllocate((size_t)take->annotations.intervalCount, sizeof(rpClipContact), error);
	int count = 0;
	for (int i = 0; contacts != NULL && i < take->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &take->annotations.intervals[i];
		if (interval->track == rp_trackContact)
		{
			contacts[count++] = (rpClipContact){(float)interval->start, (float)interval->end, interval->supportHeight,
												(int32_t)interval->effector};
		}
	}
	*out = contacts != NULL ? rpFindFloorHeight(contacts, count) : 0.0f;
	rpFree(contacts);
	return contacts != NULL;
}

static void makeLocal(rpMotion* local, const rpGroundTrack* path, float floor)
{
	int jointCount = local->skeleton->jointCount;
	for (int i = 0; i < local->frameCount; ++i)
	{
		float heading = (float)remainder(path->heading[i], 2.0 * RP_PI);
		rpGroundTransform ground = {heading, {(float)path->x[i], floor, (float)path->z[i]}};
		rpQuat* root = local->rotations + (size_t)i * (size_t)jointCount;
		local->rootPositions[i] = rpGroundTransform_Apply(rpGroundTransform_Invert(ground), local->rootPositions[i]);
		*root = rpNormalizeQuat(rpMulQuat(rpYaw(-heading), *root));
	}
	rpMotion_FixHemispheres(local);
}

// A copy whose feet stand still on their supports: what is blended from takes whose feet slide, slides, and a mirror
// image has the lengths of the other leg.
static rpMotion* settleFeet(const rpMotion* take, rpError* error)
{
	rpMotion* local = rpCopyMotion(take, error);
	rpError why = {0};
	if (local == NULL)
	{
		return NULL;
	}
	// A body without legs has nothing to settle.
	if (!rpLockFeet(local, NULL, NULL, &why) && why.code == rp_errorMemory)
	{
		rpFail(error, rp_errorMemory, "no memory to lock the feet of \"%.80s\"", take->name);
		rpDestroyMotion(local);
		return NULL;
	}
	return local;
}

rpMotion* rpSplitTake(const rpMotion* take, float floor, rpGroundRate* rates, rpError* error)
{
	rpGroundTrack path = {0};
	rpMotion* local = settleFeet(take, error);
	if (local != NULL && rpMakeGroundTrack(local, &path, error))
	{
		for (int i = 0; i < take->frameCount; ++i)
		{
			rates[i] = getRate(local, &path, i);
		}
		makeLocal(local, &path, floor);
	}
	else
	{
		rpDestroyMotion(local);
		local = NULL;
	}
	rpFreeGroundTrack(&path);
	return local;
}

void rpMarkContacts(const rpMotion* take, uint16_t* contacts)
{
	for (int i = 0; i < take->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &take->annotations.intervals[i];
		if (interval->track != rp_trackContact)
		{
			continue;
		}
		int first = (int)fmin(fmax(ceil(interval->start * take->fps), 0.0), take->frameCount);
		for (int frame = first; frame < take->frameCount && frame < interval->end * take->fps; ++frame)
		{
			contacts[frame] |= (uint16_t)(1u << interval->effector);
		}
	}
}
