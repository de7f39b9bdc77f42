#include "graph_seams.h"

#include "base/memory.h"
#include "judge/exhibit.h"
#include "solve/passage.h"

#include <math.h>
#include <stdlib.h>

#define RATE 60.0
#define SHARE 0.95

void benchFreeJumps(Jumps* jumps)
{
	rpFree(jumps->values);
	*jumps = (Jumps){0};
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

// The frames between two times, seconds.
static bool addFrames(Jumps* jumps, const rpExhibit* exhibit, double from, double to)
{
	double fps = exhibit->motion->fps;
	int stride = (int)lround(fps / RATE);
	stride = stride > 1 ? stride : 1;
	jumps->jointCount = exhibit->jointCount;
	int first = (int)ceil(from * fps), last = (int)floor(to * fps);
	for (int f = first > stride ? first : stride; f <= last && f + stride < exhibit->frameCount; ++f)
	{
		if (!rpGrow(&jumps->values, &jumps->capacity, jumps->count, (size_t)exhibit->jointCount * sizeof(float), NULL))
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

// The same moments in a clip.
static bool addPassage(Jumps* jumps, const rpGraph* graph, const rpPassage* passage, double from, double to)
{
	rpExhibit exhibit;
	double shift = passage->clipStart - passage->start;
	bool done = rpExhibit_Open(&exhibit, graph->clips[passage->clip].motion, NULL) &&
				addFrames(jumps, &exhibit, from + shift, to + shift);
	rpExhibit_Free(&exhibit);
	return done;
}

bool benchAddJumps(const rpGraph* graph, const rpWalk* walk, const rpMotion* motion, Jumps* made, Jumps* source)
{
	rpExhibit exhibit;
	int count = 0;
	rpPassage* passages = rpListPassages(walk, graph, &count, NULL);
	bool done = passages != NULL && rpExhibit_Open(&exhibit, motion, NULL);
	for (int i = 1; i < count && done; ++i)
	{
		// A transition lasts from where a passage begins to where the one before it ends.
		double from = passages[i].start, to = passages[i - 1].end;
		done = addFrames(made, &exhibit, from, to) && addPassage(source, graph, &passages[i - 1], from, to) &&
			   addPassage(source, graph, &passages[i], from, to);
	}
	if (passages != NULL)
	{
		rpExhibit_Free(&exhibit);
	}
	rpFree(passages);
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

JumpRatio benchCompareJumps(const Jumps* made, const Jumps* source)
{
	int most = made->count > source->count ? made->count : source->count;
	float* room = malloc((size_t)most * sizeof(float) + 1);
	JumpRatio ratio = {0};
	if (room == NULL || made->count == 0 || source->count == 0)
	{
		free(room);
		return (JumpRatio){(double)NAN, (double)NAN, (double)NAN};
	}
	for (int j = 0; j < made->jointCount; ++j)
	{
		double high = getHighValue(source, j, room), own = getHighValue(made, j, room) / high;
		int above = 0;
		for (int f = 0; f < made->count; ++f)
		{
			above += room[f] > high;
		}
		ratio.max = fmax(ratio.max, own);
		ratio.mean += own / made->jointCount;
		ratio.above += (double)above / made->count / made->jointCount;
	}
	free(room);
	return ratio;
}
