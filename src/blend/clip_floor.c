/// Clips on one level. Captured floors tilt, and takes stand some centimetres higher here than there: feet of one
/// person rest 0 to 7 cm high on a flat floor. What plays one clip after the other would go up and down with it.
#include "blend/clip.h"

#include <math.h>

// A contact tells less and less of the floor's height from this far away on, seconds: less than a step of a run.
#define NEARNESS 0.2

static bool isOnFloor(const rpClip* clip, const rpClipContact* contact)
{
	return contact->effector <= rp_rightToe && fabsf(contact->support - clip->floor) < RP_SAME_SUPPORT;
}

// The mean heights of the floor's supports, one for each part of the feet.
static void findLevels(const rpClip* clip, float* levels)
{
	double sums[rp_effectorCount] = {0}, seconds[rp_effectorCount] = {0};
	for (int i = 0; i < clip->contactCount; ++i)
	{
		const rpClipContact* contact = &clip->contacts[i];
		double length = isOnFloor(clip, contact) ? (double)contact->end - contact->start : 0.0;
		// From the floor, so that heights that are all the same stay what they are.
		sums[contact->effector] += length * ((double)contact->support - clip->floor);
		seconds[contact->effector] += length;
	}
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		levels[i] = clip->floor + (seconds[i] > 0.0 ? (float)(sums[i] / seconds[i]) : 0.0f);
	}
}

// How much higher than elsewhere the floor is around a time.
static float getRise(const rpClip* clip, const float* levels, double time)
{
	double sum = 0.0, weights = 0.0;
	for (int i = 0; i < clip->contactCount; ++i)
	{
		const rpClipContact* contact = &clip->contacts[i];
		if (isOnFloor(clip, contact))
		{
			double away = fmax(fmax(contact->start - time, time - contact->end), 0.0) / NEARNESS;
			double near = 1.0 / (1.0 + away * away), weight = (contact->end - contact->start) * near * near;
			sum += weight * (double)(contact->support - levels[contact->effector]);
			weights += weight;
		}
	}
	return weights > 0.0 ? (float)(sum / weights) : 0.0f;
}

// Supports go along with the body that rests on them.
static void level(rpClip* clip, const rpMotion* motion)
{
	float levels[rp_effectorCount];
	findLevels(clip, levels);
	for (int i = 0; i < clip->frameCount; ++i)
	{
		clip->ownRoots[i].y -= getRise(clip, levels, i / clip->fps);
	}
	for (int i = 0; i < clip->contactCount; ++i)
	{
		rpClipContact* contact = &clip->ownContacts[i];
		int frame = rpMotion_GetFrame(motion, 0.5 * ((double)contact->start + contact->end));
		contact->support -= motion->rootPositions[frame].y - clip->roots[frame].y;
	}
	clip->floor = rpFindFloorHeight(clip->contacts, clip->contactCount);
}

rpClip* rpCreateLevelClip(const rpMotion* motion, rpError* error)
{
	rpClip* clip = rpCreateClip(motion, error);
	if (clip != NULL)
	{
		level(clip, motion);
	}
	return clip;
}
