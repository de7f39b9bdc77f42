#include "edit/annotation_edit.h"

#include "base/error.h"
#include "motion/draft.h"

#include <string.h>

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
	// A single key is a constant, which its two ends give.
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
