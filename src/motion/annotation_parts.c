#include "motion/annotation_parts.h"

#include "base/memory.h"
#include "motion/draft.h"

#include <string.h>

bool rpKeys_Add(rpKeys* keys, double time, const float* values, rpError* error)
{
	if (keys->count > 0 && time <= keys->times[keys->count - 1] + RP_SAME_MOMENT)
	{
		return true;
	}
	size_t keySize = (size_t)keys->width * sizeof(float);
	if (!rpGrow(&keys->times, &keys->timeCapacity, keys->count, sizeof(double), error) ||
		!rpGrow(&keys->values, &keys->valueCapacity, keys->count, keySize, error))
	{
		return false;
	}
	keys->times[keys->count] = time;
	memcpy(keys->values + (size_t)keys->count * (size_t)keys->width, values, keySize);
	++keys->count;
	return true;
}

bool rpKeys_AddSample(rpKeys* keys, double time, const rpCurve* curve, double curveTime, rpError* error)
{
	float values[3];
	rpCurve_Sample(curve, curveTime, values);
	return rpKeys_Add(keys, time, values, error);
}

bool rpKeys_Store(const rpKeys* keys, const rpCurve* like, rpAnnotations* out, rpError* error)
{
	rpCurve curve = {like->name, like->kind, keys->count, keys->times, keys->values};
	return rpAnnotations_AddCurve(out, &curve, error);
}

void rpKeys_Free(rpKeys* keys)
{
	rpFree(keys->times);
	rpFree(keys->values);
	*keys = (rpKeys){0};
}

int rpCountIntervals(const rpMotion* motion)
{
	bool isOwnSource = motion->name[0] != 0 && rpMotion_GetIntervals(motion, rp_trackSource, NULL, 0) == 0;
	return motion->annotations.intervalCount + isOwnSource;
}

rpInterval rpGetInterval(const rpMotion* motion, int index)
{
	if (index < motion->annotations.intervalCount)
	{
		return motion->annotations.intervals[index];
	}
	double end = motion->frameCount / motion->fps;
	return (rpInterval){.track = rp_trackSource, .name = motion->name, .end = end, .sourceEnd = end};
}

bool rpClipInterval(rpInterval* interval, double start, double end)
{
	rpInterval old = *interval;
	interval->start = fmax(old.start, start);
	interval->end = fmin(old.end, end);
	if (!(interval->end - interval->start > RP_SAME_MOMENT))
	{
		return false;
	}
	double rate = (old.sourceEnd - old.sourceStart) / (old.end - old.start);
	if (interval->start != old.start)
	{
		interval->sourceStart = old.sourceStart + rate * (interval->start - old.start);
	}
	if (interval->end != old.end)
	{
		interval->sourceEnd = old.sourceEnd - rate * (old.end - interval->end);
	}
	return true;
}

void rpMoveAnnotations(rpAnnotations* annotations, float factor, rpQuat rotation, rpVec3 shift)
{
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		rpInterval* interval = annotations->intervals + i;
		if (interval->track == rp_trackContact)
		{
			interval->supportHeight = factor * interval->supportHeight + shift.y;
		}
	}
	for (int i = 0; i < annotations->curveCount; ++i)
	{
		const rpCurve* curve = annotations->curves + i;
		// The values are const to readers; the annotations own them.
		rpVec3* values = (rpVec3*)(uintptr_t)curve->values;
		for (int key = 0; curve->kind == rp_curvePoint && key < curve->keyCount; ++key)
		{
			values[key] = rpMulAdd(shift, factor, rpRotate(rotation, values[key]));
		}
		for (int key = 0; curve->kind == rp_curveVector && key < curve->keyCount; ++key)
		{
			values[key] = rpRotate(rotation, values[key]);
		}
	}
}
