/// Labels over stretches of time: union and difference of intervals of one name.
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "library/clip_add.h"

#include <math.h>
#include <string.h>

typedef struct Span
{
	double start, end;
} Span;

typedef struct Spans
{
	Span* items;
	int count, capacity;
} Spans;

static bool addSpan(Spans* spans, double start, double end, rpError* error)
{
	if (!rpGrow(&spans->items, &spans->capacity, spans->count, sizeof(Span), error))
	{
		return false;
	}
	spans->items[spans->count++] = (Span){start, end};
	return true;
}

static bool collectSpans(const rpAnnotations* labels, const char* label, Spans* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < labels->intervalCount; ++i)
	{
		const rpInterval* interval = labels->intervals + i;
		done = strcmp(interval->name, label) != 0 || addSpan(out, interval->start, interval->end, error);
	}
	return done;
}

// Put the spans in place of all intervals of that label.
static bool replaceSpans(rpAnnotations* labels, const char* label, const Spans* spans, rpError* error)
{
	bool done = true;
	rpAnnotations_Clear(labels, rp_trackLabel, label);
	for (int i = 0; done && i < spans->count; ++i)
	{
		rpInterval interval = {
			.track = rp_trackLabel, .name = label, .start = spans->items[i].start, .end = spans->items[i].end};
		done = rpAnnotations_AddInterval(labels, &interval, error);
	}
	return done;
}

bool rpCheckLabel(const char* label, rpError* error)
{
	size_t size = strlen(label);
	if (size == 0 || size > RP_LIBRARY_MAX_NAME || !rpIsUtf8(label, size) || strchr(label, ',') != NULL)
	{
		return rpFail(error, rp_errorArgument, "a label must be UTF-8 text of 1 to %d bytes without commas",
					  RP_LIBRARY_MAX_NAME);
	}
	return true;
}

bool rpCoverLabel(rpAnnotations* labels, const char* label, double start, double end, rpError* error)
{
	Spans old = {0}, new = {0};
	bool done = collectSpans(labels, label, &old, error);
	// What is swallowed may make the new span longer, so that it touches more.
	for (bool grown = true; grown;)
	{
		grown = false;
		for (int i = 0; i < old.count; ++i)
		{
			Span span = old.items[i];
			bool touches = span.start <= end && span.end >= start;
			grown = grown || (touches && (span.start < start || span.end > end));
			start = touches ? fmin(start, span.start) : start;
			end = touches ? fmax(end, span.end) : end;
		}
	}
	for (int i = 0; done && i < old.count; ++i)
	{
		Span span = old.items[i];
		done = (span.start <= end && span.end >= start) || addSpan(&new, span.start, span.end, error);
	}
	done = done && addSpan(&new, start, end, error) && replaceSpans(labels, label, &new, error);
	rpFree(old.items);
	rpFree(new.items);
	return done;
}

bool rpUncoverLabel(rpAnnotations* labels, const char* label, double start, double end, bool* found, rpError* error)
{
	Spans old = {0}, new = {0};
	bool done = collectSpans(labels, label, &old, error);
	*found = false;
	for (int i = 0; done && i < old.count; ++i)
	{
		Span span = old.items[i];
		bool inside = span.start >= start && span.end <= end;
		bool apart = !inside && (span.end <= start || span.start >= end);
		*found = *found || !apart;
		if (apart)
		{
			done = addSpan(&new, span.start, span.end, error);
			continue;
		}
		done = span.start >= start || addSpan(&new, span.start, start, error);
		done = done && (span.end <= end || addSpan(&new, end, span.end, error));
	}
	done = done && (!*found || replaceSpans(labels, label, &new, error));
	rpFree(old.items);
	rpFree(new.items);
	return done;
}
