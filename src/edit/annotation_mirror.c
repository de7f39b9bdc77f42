/// Annotations with left and right exchanged.
#include "base/memory.h"
#include "edit/annotation_edit.h"

#include <string.h>

// Letters by their bytes, whatever the locale; bytes above 127 are parts of letters of UTF-8.
static bool isUpper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool isLower(char c)
{
	return (c >= 'a' && c <= 'z') || (unsigned char)c >= 128;
}

static bool isLetter(char c)
{
	return isUpper(c) || isLower(c);
}

// Where the word that starts at `start` ends: before what is no letter, and before a hump ("leftFoot", "HTMLLeft").
static size_t findWordEnd(const char* text, size_t start)
{
	size_t end = start + 1;
	while (isLetter(text[end]))
	{
		bool hump = isUpper(text[end]) && (isLower(text[end - 1]) || isLower(text[end + 1]));
		if (hump)
		{
			break;
		}
		++end;
	}
	return end;
}

// The opposite of the word, in the same case; NULL for any other word.
static const char* findOpposite(const char* word, size_t length)
{
	static const char* const pairs[][2] = {{"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i)
	{
		for (int side = 0; side < 2; ++side)
		{
			if (strlen(pairs[i][side]) == length && memcmp(word, pairs[i][side], length) == 0)
			{
				return pairs[i][1 - side];
			}
		}
	}
	return NULL;
}

// A footstep string, "string:LDR": its letters are phases.
static void mirrorString(char* name)
{
	bool isString = strncmp(name, "string:", 7) == 0;
	for (char* p = name + 7; isString && *p != 0; ++p)
	{
		*p = *p == 'L' ? 'R' : *p == 'R' ? 'L' : *p;
	}
}

// A copy with the words left and right exchanged.
static char* mirrorName(const char* name, rpError* error)
{
	// "left" is the shortest word that grows, by one.
	char* out = rpAllocate(2 * strlen(name) + 1, 1, error);
	if (out == NULL)
	{
		return NULL;
	}
	size_t size = 0;
	for (size_t i = 0, end; name[i] != 0; i = end)
	{
		end = isLetter(name[i]) ? findWordEnd(name, i) : i + 1;
		const char* opposite = findOpposite(name + i, end - i);
		size_t length = opposite != NULL ? strlen(opposite) : end - i;
		memcpy(out + size, opposite != NULL ? opposite : name + i, length);
		size += length;
	}
	out[size] = 0;
	mirrorString(out);
	return out;
}

static const char* mirrorPhase(const char* phase)
{
	return strcmp(phase, "L") == 0 ? "R" : strcmp(phase, "R") == 0 ? "L" : phase;
}

static bool mirrorInterval(rpInterval interval, rpAnnotations* out, rpError* error)
{
	char* name = NULL;
	switch (interval.track)
	{
	case rp_trackContact:
		interval.effector = rpEffector_Mirror(interval.effector);
		break;
	case rp_trackPhase:
		interval.name = mirrorPhase(interval.name);
		break;
	case rp_trackLabel:
		name = mirrorName(interval.name, error);
		interval.name = name;
		break;
	default:
		break;
	}
	bool done = (interval.track != rp_trackLabel || name != NULL) && rpAnnotations_AddInterval(out, &interval, error);
	rpFree(name);
	return done;
}

static bool mirrorEvent(rpEvent event, rpAnnotations* out, rpError* error)
{
	char* name = mirrorName(event.name, error);
	bool done = name != NULL && rpAnnotations_AddEvent(out, name, event.time, error);
	rpFree(name);
	return done;
}

static bool mirrorCurve(rpCurve curve, rpAnnotations* out, rpError* error)
{
	int width = rpCurveKind_GetWidth(curve.kind);
	size_t count = (size_t)curve.keyCount * (size_t)width;
	char* name = mirrorName(curve.name, error);
	float* values = rpAllocate(count, sizeof(float), error);
	bool done = name != NULL && values != NULL;
	if (done)
	{
		memcpy(values, curve.values, count * sizeof(float));
		// The first number of each key: the only one, or x.
		for (size_t i = 0; curve.kind != rp_curveScalar && i < count; i += (size_t)width)
		{
			values[i] = -values[i];
		}
		curve.name = name;
		curve.values = values;
		done = rpAnnotations_AddCurve(out, &curve, error);
	}
	rpFree(name);
	rpFree(values);
	return done;
}

bool rpMirrorAnnotations(const rpAnnotations* from, rpAnnotations* out, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < from->intervalCount; ++i)
	{
		done = mirrorInterval(from->intervals[i], out, error);
	}
	for (int i = 0; done && i < from->eventCount; ++i)
	{
		done = mirrorEvent(from->events[i], out, error);
	}
	for (int i = 0; done && i < from->curveCount; ++i)
	{
		done = mirrorCurve(from->curves[i], out, error);
	}
	return done;
}
