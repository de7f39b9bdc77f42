#include "graph_seams.h"

#include "base/memory.h"
#include "judge/measure_input.h"
#include "solve/passage.h"

#include <math.h>
#include <stdlib.h>

#define RATE 60.0
#define SHARE 0.95

void benchFreeJumps(Jumps* jumps)
{
	rpFree(jumps->values);
	rpFree(jumps->shares);
	*jumps = (Jumps){0};
}

static float getJump(const rpMeasureInput* input, int joint, int frame, int stride)
{
	size_t count = (size_t)input->jointCount, at = (size_t)frame * count + (size_t)joint;
	size_t step = (size_t)stride * count;
	const rpVec3 *before = &input->places[at - step], *here = &input->places[at];
	const rpVec3* after = &input->places[at + step];
	float x = after->x - 2.0f * here->x + before->x, y = after->y - 2.0f * here->y + before->y;
	float z = after->z - 2.0f * here->z + before->z;
	return sqrtf(x * x + y * y + z * z) * (float)(input->motion->fps / stride);
}

/// A transition, seconds of the walk, and what is looked at in it: the share that the passage which is left has
/// (eq. 4.12) rises from 0 to 1 or falls from 1 to 0, or all frames count alike.
typedef struct Stretch
{
	double from, to;
	float first, last;
} Stretch;

static float getShare(const Stretch* stretch, double time)
{
	float t = (float)((time - stretch->from) / (stretch->to - stretch->from));
	return stretch->first + (stretch->last - stretch->first) * t * t * (3.0f - 2.0f * t);
}

static bool addFrame(Jumps* jumps, const rpMeasureInput* input, int frame, int stride, float share)
{
	size_t jointCount = (size_t)input->jointCount;
	if (!rpGrow(&jumps->values, &jumps->capacity, jumps->count, jointCount * sizeof(float), NULL) ||
		!rpGrow(&jumps->shares, &jumps->shareCapacity, jumps->count, sizeof(float), NULL))
	{
		return false;
	}
	float* row = jumps->values + (size_t)jumps->count * jointCount;
	jumps->shares[jumps->count++] = share;
	for (int j = 0; j < input->jointCount; ++j)
	{
		row[j] = getJump(input, j, frame, stride);
	}
	return true;
}

// The frames of a stretch; shift is added to times of the walk to have the exhibit's.
static bool addFrames(Jumps* jumps, const rpMeasureInput* input, const Stretch* stretch, double shift)
{
	double fps = input->motion->fps;
	int stride = (int)lround(fps / RATE);
	stride = stride > 1 ? stride : 1;
	jumps->jointCount = input->jointCount;
	int first = (int)ceil((stretch->from + shift) * fps), last = (int)floor((stretch->to + shift) * fps);
	bool done = true;
	for (int f = first > stride ? first : stride; f <= last && f + stride < input->frameCount && done; ++f)
	{
		done = addFrame(jumps, input, f, stride, getShare(stretch, f / fps - shift));
	}
	return done;
}

// The same moments in a clip.
static bool addPassage(Jumps* jumps, const rpGraph* graph, const rpPassage* passage, const Stretch* stretch)
{
	rpMeasureInput input;
	bool done = rpMeasureInput_Open(&input, graph->clips[passage->clip].motion, NULL) &&
				addFrames(jumps, &input, stretch, passage->clipStart - passage->start);
	rpMeasureInput_Free(&input);
	return done;
}

bool benchAddJumps(const rpGraph* graph, const rpWalk* walk, const rpMotion* motion, Jumps* made, Jumps* source)
{
	rpMeasureInput input;
	int count = 0;
	rpPassage* passages = rpListPassages(walk, graph, &count, NULL);
	bool done = passages != NULL && rpMeasureInput_Open(&input, motion, NULL);
	for (int i = 1; i < count && done; ++i)
	{
		// A transition lasts from where a passage begins to where the one before it ends.
		double from = passages[i].start, to = passages[i - 1].end;
		Stretch all = {from, to, 1.0f, 1.0f}, left = {from, to, 1.0f, 0.0f}, entered = {from, to, 0.0f, 1.0f};
		done = addFrames(made, &input, &all, 0.0) && addPassage(source, graph, &passages[i - 1], &left) &&
			   addPassage(source, graph, &passages[i], &entered);
	}
	if (passages != NULL)
	{
		rpMeasureInput_Free(&input);
	}
	rpFree(passages);
	return done;
}

/// A change of velocity, and how much it counts.
typedef struct Jump
{
	float value, share;
} Jump;

static int compareJumps(const void* a, const void* b)
{
	float x = ((const Jump*)a)->value, y = ((const Jump*)b)->value;
	return (x > y) - (x < y);
}

// What 95 % of all that counts do not exceed.
static double getHighValue(const Jumps* jumps, int joint, Jump* room)
{
	double all = 0.0, passed = 0.0;
	for (int f = 0; f < jumps->count; ++f)
	{
		room[f] = (Jump){jumps->values[(size_t)f * (size_t)jumps->jointCount + (size_t)joint], jumps->shares[f]};
		all += jumps->shares[f];
	}
	qsort(room, (size_t)jumps->count, sizeof(Jump), compareJumps);
	int f = 0;
	for (; f < jumps->count - 1 && passed + room[f].share < SHARE * all; ++f)
	{
		passed += room[f].share;
	}
	return room[f].value;
}

JumpRatio benchCompareJumps(const Jumps* made, const Jumps* source)
{
	int max = made->count > source->count ? made->count : source->count;
	Jump* room = malloc((size_t)max * sizeof(Jump) + 1);
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
			above += room[f].value > high;
		}
		ratio.max = fmax(ratio.max, own);
		ratio.mean += own / made->jointCount;
		ratio.above += (double)above / made->count / made->jointCount;
	}
	free(room);
	return ratio;
}
