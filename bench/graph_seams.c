#include "graph_seams.h"

#include "base/memory.h"
#include "judge/exhibit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RATE 60.0
#define SHARE 0.95

void benchFreeJumps(Jumps* jumps)
{
	rpFree(jumps->values);
	*jumps = (Jumps){0};
}

static bool isInTransition(const rpMotion* motion, int frame, double half)
{
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		const rpEvent* event = &motion->annotations.events[i];
		if (strcmp(event->name, "seam") == 0 && fabs(frame / motion->fps - event->time) <= half)
		{
			return true;
		}
	}
	return false;
}

static float getJump(const rpExhibit* exhibit, int joint, int frame, int stride)
{
	size_t count = (size_t)exhibit->jointCount, at = (size_t)frame * count + (size_t)joint;
	size_t step = (size_t)stride * count;
	const rpVec3 *before = &exhibit->places[at - step], *here = &exhibit->places[at];
	const rpVec3* after = &exhibit->places[at + step];
	float x = after->x - 2.0f * here->x + before->x, y = after->y - 2.0f * here->y + before->y;
	float z = after->z - 2.0f * here->z + before->z;
	return sqrtf(x * x + y * y + z * z) * (float)(exhibit->motion->fps / stride);
}

static bool addFrames(Jumps* jumps, const rpExhibit* exhibit, double half)
{
	int stride = (int)lround(exhibit->motion->fps / RATE);
	stride = stride > 1 ? stride : 1;
	jumps->jointCount = exhibit->jointCount;
	size_t rowSize = (size_t)exhibit->jointCount * sizeof(float);
	for (int f = stride; f + stride < exhibit->frameCount; ++f)
	{
		if (half > 0.0 && !isInTransition(exhibit->motion, f, half))
		{
			continue;
		}
		if (!rpGrow(&jumps->values, &jumps->capacity, jumps->count, rowSize, NULL))
		{
			return false;
		}
		float* row = jumps->values + (size_t)jumps->count++ * (size_t)exhibit->jointCount;
		for (int j = 0; j < exhibit->jointCount; ++j)
		{
			row[j] = getJump(exhibit, j, f, stride);
		}
	}
	return true;
}

bool benchAddJumps(Jumps* jumps, const rpMotion* motion, double half)
{
	rpExhibit exhibit;
	bool done = rpExhibit_Open(&exhibit, motion, NULL) && addFrames(jumps, &exhibit, half);
	rpExhibit_Free(&exhibit);
	return done;
}

static int compareFloats(const void* a, const void* b)
{
	float x = *(const float*)a, y = *(const float*)b;
	return (x > y) - (x < y);
}

static double getHighValue(const Jumps* jumps, int joint, float* room)
{
	for (int f = 0; f < jumps->count; ++f)
	{
		room[f] = jumps->values[(size_t)f * (size_t)jumps->jointCount + (size_t)joint];
	}
	qsort(room, (size_t)jumps->count, sizeof(float), compareFloats);
	return room[(int)(SHARE * (jumps->count - 1))];
}

JumpRatio benchCompareJumps(const Jumps* seams, const Jumps* source)
{
	int most = seams->count > source->count ? seams->count : source->count;
	float* room = malloc((size_t)most * sizeof(float) + 1);
	JumpRatio ratio = {0};
	if (room == NULL || seams->count == 0 || source->count == 0)
	{
		free(room);
		return (JumpRatio){(double)NAN, (double)NAN, (double)NAN};
	}
	for (int j = 0; j < seams->jointCount; ++j)
	{
		double high = getHighValue(source, j, room), own = getHighValue(seams, j, room) / high;
		int above = 0;
		for (int f = 0; f < seams->count; ++f)
		{
			above += room[f] > high;
		}
		ratio.max = fmax(ratio.max, own);
		ratio.mean += own / seams->jointCount;
		ratio.above += (double)above / seams->count / seams->jointCount;
	}
	free(room);
	return ratio;
}
