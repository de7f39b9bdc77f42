#include "solve/reach_floor.h"

#include "base/memory.h"

#include <math.h>

// The fastest that a root moves, m/s: more cells than that are never needed.
#define FASTEST 12.0

rpReach* rpCreateReach(double seconds, double speed, float cell, int start, rpError* error)
{
	rpReach* reach = rpAllocateZero(1, sizeof(rpReach), error);
	if (reach == NULL)
	{
		return NULL;
	}
	double radius = seconds * fmin(speed, FASTEST);
	reach->seconds = seconds;
	reach->cell = cell;
	reach->start = start;
	reach->width = 2 * (int)fmin(ceil(radius / (double)cell), 1000.0) + 1;
	reach->isWhole = true;
	size_t cells = (size_t)reach->width * (size_t)reach->width;
	reach->times = rpAllocate(cells, sizeof(float), error);
	reach->headings = rpAllocateZero(cells, sizeof(uint16_t), error);
	if (reach->times == NULL || reach->headings == NULL)
	{
		rpDestroyReach(reach);
		return NULL;
	}
	for (size_t i = 0; i < cells; ++i)
	{
		reach->times[i] = INFINITY;
	}
	return reach;
}

void rpDestroyReach(rpReach* reach)
{
	if (reach != NULL)
	{
		rpFree(reach->times);
		rpFree(reach->headings);
		rpFree(reach->switchTimes);
		rpFree(reach->switchShares);
		rpFree(reach);
	}
}

// ---- places

static int findHeading(float turn)
{
	int k = (int)floorf(rpWrapAngle(turn) * (float)(rp_reachHeadings / (2.0 * RP_PI)) + 0.5f);
	return (k + rp_reachHeadings) % rp_reachHeadings;
}

int rpReach_FindPlace(const rpReach* reach, float x, float z, float turn)
{
	float half = 0.5f * (float)reach->width;
	float column = floorf(x / reach->cell + half), row = floorf(z / reach->cell + half);
	bool isInside = column >= 0.0f && row >= 0.0f && column < (float)reach->width && row < (float)reach->width;
	return isInside ? ((int)row * reach->width + (int)column) * rp_reachHeadings + findHeading(turn) : -1;
}

void rpReach_Mark(rpReach* reach, float x, float z, float turn, double seconds)
{
	int place = rpReach_FindPlace(reach, x, z, turn);
	if (place >= 0)
	{
		int cell = place / rp_reachHeadings;
		reach->times[cell] = fminf(reach->times[cell], (float)seconds);
		reach->headings[cell] |= (uint16_t)(1u << place % rp_reachHeadings);
	}
}

void rpReach_SumUp(rpReach* reach)
{
	int cells = 0, headings = 0;
	for (int i = 0; i < reach->width * reach->width; ++i)
	{
		cells += isfinite(reach->times[i]);
		headings += __builtin_popcount(reach->headings[i]);
	}
	reach->area = cells * (double)reach->cell * (double)reach->cell;
	reach->headingShare = cells > 0 ? (double)headings / (cells * rp_reachHeadings) : 0.0;
}

// ---- what was seen

bool rpReachSeen_Create(rpReachSeen* seen, int max, rpError* error)
{
	size_t count = 1024;
	// Twice as many as places, so that one is always free.
	while (count < 2 * (size_t)max)
	{
		count *= 2;
	}
	*seen = (rpReachSeen){.slots = rpAllocateZero(count, sizeof(uint64_t), error), .mask = count - 1, .max = max};
	return seen->slots != NULL;
}

void rpReachSeen_Free(rpReachSeen* seen)
{
	rpFree(seen->slots);
	*seen = (rpReachSeen){0};
}

uint64_t* rpReachSeen_Find(const rpReachSeen* seen, uint64_t key)
{
	size_t slot = (size_t)(key * 0x9e3779b97f4a7c15ULL >> 20) & seen->mask;
	while (seen->slots[slot] != 0 && seen->slots[slot] != key)
	{
		slot = (slot + 1) & seen->mask;
	}
	return &seen->slots[slot];
}
