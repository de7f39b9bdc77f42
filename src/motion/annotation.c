/// Annotations: sorted lists of intervals, events and curves, each with a name of its own memory.
#include "reprise/play/annotation.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "motion/annotation_parts.h"

#include <stdlib.h>
#include <string.h>

int rpCurveKind_GetWidth(rpCurveKind kind)
{
	return kind == rp_curvePoint || kind == rp_curveVector ? 3 : 1;
}

static int compareTimes(double a, double b)
{
	return (a > b) - (a < b);
}

static int compareNames(const char* a, const char* b)
{
	return strcmp(a != NULL ? a : "", b != NULL ? b : "");
}

int rpCompareIntervals(const rpInterval* a, const rpInterval* b)
{
	int order = (int)a->track - (int)b->track;
	order = order != 0 ? order : compareTimes(a->start, b->start);
	order = order != 0 ? order : compareTimes(a->end, b->end);
	order = order != 0 ? order : (int)a->effector - (int)b->effector;
	return order != 0 ? order : compareNames(a->name, b->name);
}

static bool checkInterval(const rpInterval* interval, rpError* error)
{
	bool source = interval->track == rp_trackSource;
	if ((unsigned)interval->track >= rp_trackCount || !isfinite(interval->start) || !isfinite(interval->end) ||
		interval->end < interval->start || (source && !isfinite(interval->sourceStart)) ||
		(source && !isfinite(interval->sourceEnd)))
	{
		return rpFail(error, rp_errorFormat, "an interval from %g to %g s on track %d", interval->start, interval->end,
					  (int)interval->track);
	}
	if (interval->track == rp_trackContact
			? (unsigned)interval->effector >= rp_effectorCount || !isfinite(interval->supportHeight)
			: interval->name == NULL)
	{
		return rpFail(error, rp_errorFormat, "a %s from %g to %g s without %s", rpTrack_GetName(interval->track),
					  interval->start, interval->end, interval->track == rp_trackContact ? "effector" : "name");
	}
	return true;
}

bool rpAnnotations_AddInterval(rpAnnotations* annotations, const rpInterval* interval, rpError* error)
{
	if (!checkInterval(interval, error))
	{
		return false;
	}
	// Copied before the list grows: it may be one of the list's own.
	rpInterval copy = *interval;
	if (!rpGrow(&annotations->intervals, &annotations->intervalCapacity, annotations->intervalCount, sizeof(rpInterval),
				error) ||
		(copy.name != NULL && (copy.name = rpCopyString(copy.name, error)) == NULL))
	{
		return false;
	}
	int place = annotations->intervalCount++;
	for (; place > 0 && rpCompareIntervals(annotations->intervals + place - 1, &copy) > 0; --place)
	{
		annotations->intervals[place] = annotations->intervals[place - 1];
	}
	annotations->intervals[place] = copy;
	return true;
}

bool rpAnnotations_AddEvent(rpAnnotations* annotations, const char* name, double time, rpError* error)
{
	RP_ASSERT(name != NULL);
	if (!isfinite(time))
	{
		return rpFail(error, rp_errorFormat, "the event \"%s\" has no finite time", name);
	}
	if (!rpGrow(&annotations->events, &annotations->eventCapacity, annotations->eventCount, sizeof(rpEvent), error))
	{
		return false;
	}
	rpEvent event = {rpCopyString(name, error), time};
	if (event.name == NULL)
	{
		return false;
	}
	int place = annotations->eventCount++;
	for (; place > 0 &&
		   (annotations->events[place - 1].time > time ||
			(annotations->events[place - 1].time == time && strcmp(annotations->events[place - 1].name, name) > 0));
		 --place)
	{
		annotations->events[place] = annotations->events[place - 1];
	}
	annotations->events[place] = event;
	return true;
}

static void freeCurve(const rpCurve* curve)
{
	rpFree(curve->name);
	rpFree(curve->times);
	rpFree(curve->values);
}

static bool checkCurve(const rpCurve* curve, rpError* error)
{
	if (curve->name == NULL || (unsigned)curve->kind >= rp_curveKindCount || curve->keyCount < 1)
	{
		return rpFail(error, rp_errorFormat, "a curve without name, kind or keys");
	}
	int width = rpCurveKind_GetWidth(curve->kind);
	for (int i = 0; i < curve->keyCount; ++i)
	{
		if (!isfinite(curve->times[i]) || (i > 0 && curve->times[i] <= curve->times[i - 1]))
		{
			return rpFail(error, rp_errorFormat, "the times of curve \"%s\" do not increase", curve->name);
		}
		for (int n = 0; n < width; ++n)
		{
			if (!isfinite(curve->values[(size_t)i * (size_t)width + (size_t)n]))
			{
				return rpFail(error, rp_errorFormat, "a value of curve \"%s\" is not finite", curve->name);
			}
		}
	}
	return true;
}

static bool copyCurve(const rpCurve* curve, rpCurve* copy, rpError* error)
{
	size_t count = (size_t)curve->keyCount;
	size_t width = (size_t)rpCurveKind_GetWidth(curve->kind);
	char* name = rpCopyString(curve->name, error);
	double* times = rpAllocate(count, sizeof(double), error);
	float* values = rpAllocate(count * width, sizeof(float), error);
	*copy = (rpCurve){name, curve->kind, curve->keyCount, times, values};
	if (name == NULL || times == NULL || values == NULL)
	{
		freeCurve(copy);
		return false;
	}
	memcpy(times, curve->times, count * sizeof(double));
	memcpy(values, curve->values, count * width * sizeof(float));
	return true;
}

bool rpAnnotations_AddCurve(rpAnnotations* annotations, const rpCurve* curve, rpError* error)
{
	rpCurve copy;
	if (!checkCurve(curve, error) || !copyCurve(curve, &copy, error))
	{
		return false;
	}
	if (!rpGrow(&annotations->curves, &annotations->curveCapacity, annotations->curveCount, sizeof(rpCurve), error))
	{
		freeCurve(&copy);
		return false;
	}
	int place = 0;
	while (place < annotations->curveCount && strcmp(annotations->curves[place].name, copy.name) < 0)
	{
		++place;
	}
	if (place < annotations->curveCount && strcmp(annotations->curves[place].name, copy.name) == 0)
	{
		freeCurve(annotations->curves + place);
	}
	else
	{
		memmove(annotations->curves + place + 1, annotations->curves + place,
				(size_t)(annotations->curveCount++ - place) * sizeof(rpCurve));
	}
	annotations->curves[place] = copy;
	return true;
}

void rpAnnotations_Clear(rpAnnotations* annotations, rpTrack track, const char* name)
{
	int kept = 0;
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		rpInterval interval = annotations->intervals[i];
		if (interval.track == track && (name == NULL || compareNames(interval.name, name) == 0))
		{
			rpFree(interval.name);
		}
		else
		{
			annotations->intervals[kept++] = interval;
		}
	}
	annotations->intervalCount = kept;
}

static bool appendCurve(rpAnnotations* annotations, const rpCurve* curve, double shift, rpError* error)
{
	double* times = rpAllocate((size_t)curve->keyCount, sizeof(double), error);
	if (times == NULL)
	{
		return false;
	}
	for (int i = 0; i < curve->keyCount; ++i)
	{
		times[i] = curve->times[i] + shift;
	}
	rpCurve shifted = *curve;
	shifted.times = times;
	bool done = rpAnnotations_AddCurve(annotations, &shifted, error);
	rpFree(times);
	return done;
}

bool rpAnnotations_Append(rpAnnotations* annotations, const rpAnnotations* from, double shift, rpError* error)
{
	RP_ASSERT(from != annotations);
	bool done = true;
	for (int i = 0; done && i < from->intervalCount; ++i)
	{
		rpInterval interval = from->intervals[i];
		interval.start += shift;
		interval.end += shift;
		done = rpAnnotations_AddInterval(annotations, &interval, error);
	}
	for (int i = 0; done && i < from->eventCount; ++i)
	{
		done = rpAnnotations_AddEvent(annotations, from->events[i].name, from->events[i].time + shift, error);
	}
	for (int i = 0; done && i < from->curveCount; ++i)
	{
		done = appendCurve(annotations, from->curves + i, shift, error);
	}
	return done;
}

void rpCurve_Sample(const rpCurve* curve, double seconds, float* out)
{
	int width = rpCurveKind_GetWidth(curve->kind);
	int low = 0, high = curve->keyCount - 1;
	while (high - low > 1)
	{
		int middle = low + (high - low) / 2;
		*(curve->times[middle] <= seconds ? &low : &high) = middle;
	}
	double span = curve->times[high] - curve->times[low];
	double t = span > 0.0 ? (seconds - curve->times[low]) / span : 0.0;
	t = fmin(fmax(t, 0.0), 1.0);
	for (int i = 0; i < width; ++i)
	{
		float from = curve->values[(size_t)low * (size_t)width + (size_t)i];
		float to = curve->values[(size_t)high * (size_t)width + (size_t)i];
		out[i] = from + (float)t * (to - from);
	}
}

const rpCurve* rpAnnotations_FindCurve(const rpAnnotations* annotations, const char* name)
{
	for (int i = 0; i < annotations->curveCount; ++i)
	{
		if (strcmp(annotations->curves[i].name, name) == 0)
		{
			return annotations->curves + i;
		}
	}
	return NULL;
}

void rpAnnotations_Free(rpAnnotations* annotations)
{
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		rpFree(annotations->intervals[i].name);
	}
	for (int i = 0; i < annotations->eventCount; ++i)
	{
		rpFree(annotations->events[i].name);
	}
	for (int i = 0; i < annotations->curveCount; ++i)
	{
		freeCurve(annotations->curves + i);
	}
	rpFree(annotations->intervals);
	rpFree(annotations->events);
	rpFree(annotations->curves);
	*annotations = (rpAnnotations){0};
}
