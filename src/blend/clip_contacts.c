/// What is known of a clip's contacts.
#include "base/memory.h"
#include "blend/clip.h"

#include <math.h>

static double sumSeconds(const rpClipContact* contacts, int count, float highest)
{
	double sum = 0.0;
	for (int i = 0; i < count; ++i)
	{
		bool counts = contacts[i].effector <= rp_rightToe && contacts[i].support <= highest;
		sum += counts ? (double)(contacts[i].end - contacts[i].start) : 0.0;
	}
	return sum;
}

float rpFindFloorHeight(const rpClipContact* contacts, int count)
{
	double half = 0.5 * sumSeconds(contacts, count, INFINITY);
	float low = INFINITY, high = -INFINITY;
	for (int i = 0; i < count; ++i)
	{
		low = contacts[i].effector <= rp_rightToe ? fminf(low, contacts[i].support) : low;
		high = contacts[i].effector <= rp_rightToe ? fmaxf(high, contacts[i].support) : high;
	}
	// Halved until floats have no number in between; needs no memory.
	for (float middle = 0.5f * (low + high); half > 0.0 && low < middle && middle < high; middle = 0.5f * (low + high))
	{
		*(sumSeconds(contacts, count, middle) < half ? &low : &high) = middle;
	}
	return half > 0.0 ? high : 0.0f;
}

static int countContacts(const rpMotion* motion)
{
	int count = 0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		count += motion->annotations.intervals[i].track == rp_trackContact;
	}
	return count;
}

bool rpClip_CopyContacts(rpClip* clip, const rpMotion* motion, rpError* error)
{
	clip->ownContacts = rpAllocate((size_t)countContacts(motion) + 1, sizeof(rpClipContact), error);
	for (int i = 0; clip->ownContacts != NULL && i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &motion->annotations.intervals[i];
		if (interval->track == rp_trackContact)
		{
			clip->ownContacts[clip->contactCount++] = (rpClipContact){
				(float)interval->start, (float)interval->end, interval->supportHeight, (int32_t)interval->effector};
		}
	}
	clip->contacts = clip->ownContacts;
	clip->floor = rpFindFloorHeight(clip->contacts, clip->contactCount);
	return clip->ownContacts != NULL;
}
