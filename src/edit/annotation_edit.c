#include "edit/annotation_edit.h"

#include "base/error.h"
#include "base/memory.h"
#include "edit/draft.h"

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

// Intervals and events of some frames; the first frame lands at `target` seconds.
static bool copyMoments(const rpMotion* motion, int first, int count, double target, rpAnnotations* out, rpError* error)
{
	double start = first / motion->fps, end = (first + count) / motion->fps;
	int intervalCount = rpCountIntervals(motion);
	bool done = true;
	for (int i = 0; done && i < intervalCount; ++i)
	{
		rpInterval interval = rpGetInterval(motion, i);
		if (rpClipInterval(&interval, start, end))
		{
			interval.start += target - start;
			interval.end += target - start;
			done = rpAnnotations_AddInterval(out, &interval, error);
		}
	}
	for (int i = 0; done && i < motion->annotations.eventCount; ++i)
	{
		rpEvent event = motion->annotations.events[i];
		if (event.time >= start - RP_SAME_MOMENT && event.time < end - RP_SAME_MOMENT)
		{
			done = rpAnnotations_AddEvent(out, event.name, target + fmax(event.time - start, 0.0), error);
		}
	}
	return done;
}

// Keys from start to last, moved so that start lands at target. A key is put at either end where the curve goes on
// beyond it, or always.
static bool cropCurve(rpKeys* keys, const rpCurve* curve, double start, double last, double target, bool alwaysEnds,
					  rpError* error)
{
	double shift = target - start;
	if (curve->keyCount == 1 && !alwaysEnds)
	{
		return rpKeys_Add(keys, fmin(fmax(curve->times[0], start), last) + shift, curve->values, error);
	}
	bool done = true;
	if (alwaysEnds || curve->times[0] < start)
	{
		done = rpKeys_AddSample(keys, target, curve, start, error);
	}
	// A single key is a constant, which its two ends tell.
	for (int i = 0; done && i < curve->keyCount && curve->keyCount > 1; ++i)
	{
		if (curve->times[i] >= start && curve->times[i] <= last)
		{
			done = rpKeys_Add(keys, curve->times[i] + shift, curve->values + i * keys->width, error);
		}
	}
	if (done && (alwaysEnds || curve->times[curve->keyCount - 1] > last))
	{
		done = rpKeys_AddSample(keys, last + shift, curve, last, error);
	}
	return done;
}

bool rpCropAnnotations(const rpMotion* motion, int first, int count, rpAnnotations* out, rpError* error)
{
	double start = first / motion->fps, last = (first + count - 1) / motion->fps;
	bool done = copyMoments(motion, first, count, 0.0, out, error);
	for (int i = 0; done && i < motion->annotations.curveCount; ++i)
	{
		const rpCurve* curve = motion->annotations.curves + i;
		rpKeys keys = {.width = rpCurveKind_GetWidth(curve->kind)};
		done = cropCurve(&keys, curve, start, last, 0.0, false, error) && rpKeys_Store(&keys, curve, out, error);
		rpKeys_Free(&keys);
	}
	return done;
}

static bool checkKinds(const rpMotion* motion, const rpCurve* curve, const rpCurve* other, rpError* error)
{
	static const char* const kinds[rp_curveKindCount] = {"scalar", "sided", "point", "vector"};
	if (other->kind != curve->kind)
	{
		return rpFail(error, rp_errorArgument, "the curve \"%s\" is of kind %s in \"%s\" and of kind %s before",
					  curve->name, kinds[other->kind], motion->name, kinds[curve->kind]);
	}
	return true;
}

static bool isSameConstant(const rpMotion* const* motions, int count, const rpCurve* curve)
{
	size_t size = (size_t)rpCurveKind_GetWidth(curve->kind) * sizeof(float);
	bool same = curve->keyCount == 1;
	for (int i = 0; same && i < count; ++i)
	{
		const rpCurve* other = rpAnnotations_FindCurve(&motions[i]->annotations, curve->name);
		same = other == NULL ||
			   (other->kind == curve->kind && other->keyCount == 1 && memcmp(other->values, curve->values, size) == 0);
	}
	return same;
}

static bool joinCurve(rpKeys* keys, const rpMotion* const* motions, int count, const rpCurve* curve, rpError* error)
{
	double frame = 0.0, fps = motions[0]->fps;
	bool done = true;
	for (int i = 0; done && i < count; ++i)
	{
		const rpCurve* part = rpAnnotations_FindCurve(&motions[i]->annotations, curve->name);
		if (part != NULL)
		{
			done = checkKinds(motions[i], curve, part, error) &&
				   cropCurve(keys, part, 0.0, rpMotion_GetDuration(motions[i]), frame / fps, true, error);
		}
		frame += motions[i]->frameCount;
	}
	return done;
}

static bool joinCurves(const rpMotion* const* motions, int count, const rpAnnotations* from, rpAnnotations* out,
					   rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < from->curveCount; ++i)
	{
		const rpCurve* curve = from->curves + i;
		if (rpAnnotations_FindCurve(out, curve->name) != NULL)
		{
			continue;
		}
		rpKeys keys = {.width = rpCurveKind_GetWidth(curve->kind)};
		done = isSameConstant(motions, count, curve) ? rpKeys_Add(&keys, 0.0, curve->values, error)
													 : joinCurve(&keys, motions, count, curve, error);
		done = done && rpKeys_Store(&keys, curve, out, error);
		rpKeys_Free(&keys);
	}
	return done;
}

bool rpJoinAnnotations(const rpMotion* const* motions, int count, rpAnnotations* out, rpError* error)
{
	double frame = 0.0, fps = motions[0]->fps;
	bool done = true;
	for (int i = 0; done && i < count; ++i)
	{
		done = (i == 0 || rpAnnotations_AddEvent(out, "seam", frame / fps, error)) &&
			   copyMoments(motions[i], 0, motions[i]->frameCount, frame / fps, out, error) &&
			   joinCurves(motions, count, &motions[i]->annotations, out, error);
		frame += motions[i]->frameCount;
	}
	return done;
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
