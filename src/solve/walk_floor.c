/// The floor under a walk: the supports within the span of heights that feet rest on for the longest.
#include "solve/walk_floor.h"

#include "base/memory.h"

#include <stdlib.h>

// Supports of the floor are within this, metres: lower than a step of stairs, more than captured floors are off.
#define FLOOR_SPAN 0.1f

// The floor is uneven by as much, metres. Contacts that are farther from it than that, and from those around them, are
// of feet that do something else on it.
#define UNEVEN 0.01f

// A contact tells less and less of the floor's height from this far away on, seconds.
#define NEARNESS 0.2

/// How long a part of a foot rests on a height.
typedef struct Rest
{
	rpEffector effector;
	float height;
	double seconds;
} Rest;

static bool isFootContact(const rpInterval* interval)
{
	return interval->track == rp_trackContact && interval->effector <= rp_rightToe;
}

static int countContacts(const rpPassage* passages, int passageCount, const rpGraph* graph)
{
	int count = 0;
	for (int i = 0; i < passageCount; ++i)
	{
		count += graph->clips[passages[i].clip].motion->annotations.intervalCount;
	}
	return count;
}

// Of the whole clips that the passages are from.
static int listRests(const rpPassage* passages, int passageCount, const rpGraph* graph, Rest* out)
{
	int count = 0;
	for (int i = 0; i < passageCount; ++i)
	{
		const rpPassage* passage = passages + i;
		const rpAnnotations* notes = &graph->clips[passage->clip].motion->annotations;
		for (int k = 0; k < notes->intervalCount; ++k)
		{
			const rpInterval* contact = notes->intervals + k;
			if (isFootContact(contact))
			{
				float height = contact->supportHeight + passage->placement.shift.y;
				out[count++] = (Rest){contact->effector, height, contact->end - contact->start};
			}
		}
	}
	return count;
}

static int compareHeights(const void* a, const void* b)
{
	const Rest *x = a, *y = b;
	return x->height != y->height ? (x->height > y->height ? 1 : -1) : (int)x->effector - (int)y->effector;
}

// The span of heights, sorted, that is rested on for the longest.
static void findSpan(const Rest* rests, int count, rpWalkFloor* out)
{
	double all = 0.0, within = 0.0, most = 0.0;
	for (int i = 0, first = 0; i < count; ++i)
	{
		all += rests[i].seconds;
		within += rests[i].seconds;
		for (; rests[i].height - rests[first].height > FLOOR_SPAN; ++first)
		{
			within -= rests[first].seconds;
		}
		if (within > most)
		{
			most = within;
			out->low = rests[first].height;
			out->high = rests[i].height;
		}
	}
	if (most < 0.5 * all)
	{
		out->low = INFINITY;
	}
}

static bool isFloor(const rpWalkFloor* floor, float height)
{
	return height >= floor->low && height <= floor->high;
}

static void findLevels(const Rest* rests, int count, rpWalkFloor* out)
{
	double sums[rp_effectorCount] = {0}, seconds[rp_effectorCount] = {0};
	for (int i = 0; i < count; ++i)
	{
		if (isFloor(out, rests[i].height))
		{
			// From the lowest, so that heights that are all the same stay what they are.
			sums[rests[i].effector] += rests[i].seconds * ((double)rests[i].height - out->low);
			seconds[rests[i].effector] += rests[i].seconds;
		}
	}
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		out->levels[i] = seconds[i] > 0.0 ? out->low + (float)(sums[i] / seconds[i]) : 0.0f;
	}
}

bool rpFindWalkFloor(const rpPassage* passages, int passageCount, const rpGraph* graph, rpWalkFloor* out,
					 rpError* error)
{
	Rest* rests = rpAllocate((size_t)countContacts(passages, passageCount, graph), sizeof(Rest), error);
	if (rests == NULL)
	{
		return false;
	}
	*out = (rpWalkFloor){.low = INFINITY, .high = -INFINITY};
	int count = listRests(passages, passageCount, graph, rests);
	qsort(rests, (size_t)count, sizeof(Rest), compareHeights);
	findSpan(rests, count, out);
	findLevels(rests, count, out);
	rpFree(rests);
	return true;
}

static bool isOnFloor(const rpWalkFloor* floor, const rpPassage* passage, const rpInterval* contact)
{
	return isFootContact(contact) && isFloor(floor, contact->supportHeight + passage->placement.shift.y);
}

float rpWalkFloor_GetRise(const rpWalkFloor* floor, const rpPassage* passage, const rpMotion* motion, double seconds)
{
	double sum = 0.0, weights = 0.0;
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* contact = motion->annotations.intervals + i;
		if (isOnFloor(floor, passage, contact))
		{
			double away = fmax(fmax(contact->start - seconds, seconds - contact->end), 0.0) / NEARNESS;
			double near = 1.0 / (1.0 + away * away), weight = (contact->end - contact->start) * near * near;
			float rise = contact->supportHeight + passage->placement.shift.y - floor->levels[contact->effector];
			sum += weight * (double)rise;
			weights += weight;
		}
	}
	return weights > 0.0 ? (float)(sum / weights) : 0.0f;
}

float rpWalkFloor_GetSupport(const rpWalkFloor* floor, const rpPassage* passage, const rpMotion* motion,
							 const rpInterval* contact)
{
	float rise = rpWalkFloor_GetRise(floor, passage, motion, 0.5 * (contact->start + contact->end));
	float support = contact->supportHeight + passage->placement.shift.y - rise;
	if (!isOnFloor(floor, passage, contact))
	{
		// What is not the floor goes along with the body that rests on it.
		return support;
	}
	float level = floor->levels[contact->effector], rest = support - level;
	return level + copysignf(fmaxf(fabsf(rest) - UNEVEN, 0.0f), rest);
}
