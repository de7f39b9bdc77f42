/// Examples of transitions as a table: reading and writing it.
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/number.h"
#include "learn/fit_rows.h"

#include <math.h>
#include <string.h>

#define FIELD_COUNT 5
#define MAX_EXAMPLES 1000000
#define LONGEST_NAME 480

// Moments are distinguished at this rate.
#define FRAME_RATE 30.0

/// A field of a line: its text without blanks and quotation marks, and the column it starts in.
typedef struct Field
{
	const char* text;
	size_t size;
	int column;
	bool hasQuotes;
} Field;

static bool failAt(rpError* error, int line, int column, const char* what, const Field* field)
{
	rpFailAt(error, rp_errorFormat, line, column, what, (int)(field->size < 60 ? field->size : 60), field->text);
	rpError_SetHint(error, "each line holds \"clip A, seconds, clip B, seconds, good|bad\": walk,1.2,run,0.5,good");
	return false;
}

// One field from text on; *rest is after its comma, or NULL at the end of the line. False: a quotation mark is open.
static bool takeField(const char* start, const char* text, const char* end, Field* out, const char** rest)
{
	while (text < end && rpIsBlank(*text))
	{
		++text;
	}
	*out = (Field){.text = text, .column = (int)(text - start) + 1};
	out->hasQuotes = text < end && *text == '"';
	const char* stop = out->hasQuotes ? memchr(text + 1, '"', (size_t)(end - text - 1)) : NULL;
	if (out->hasQuotes && stop == NULL)
	{
		out->size = (size_t)(end - text);
		return false;
	}
	const char* comma = memchr(stop != NULL ? stop : text, ',', (size_t)(end - (stop != NULL ? stop : text)));
	const char* last = comma != NULL ? comma : end;
	while (last > text && rpIsBlank(last[-1]))
	{
		--last;
	}
	*rest = comma != NULL ? comma + 1 : NULL;
	out->size = (size_t)(last - text);
	if (out->hasQuotes)
	{
		// Nothing but blanks may follow the second mark.
		++out->text;
		out->size -= 2;
		return last == stop + 1;
	}
	return true;
}

static bool splitLine(const char* start, const char* end, int line, Field fields[FIELD_COUNT], rpError* error)
{
	const char* rest = start;
	for (int i = 0; i < FIELD_COUNT; ++i)
	{
		if (rest == NULL)
		{
			Field none = {.text = "", .column = (int)(end - start) + 1};
			rpFailAt(error, rp_errorFormat, line, none.column, "the line has %d fields; %d are needed", i, FIELD_COUNT);
			rpError_SetHint(error, "each line holds \"clip A, seconds, clip B, seconds, good|bad\"");
			return false;
		}
		if (!takeField(start, rest, end, &fields[i], &rest))
		{
			return failAt(error, line, fields[i].column, "a quotation mark stands alone: %.*s", &fields[i]);
		}
	}
	Field more = {.text = rest, .size = rest != NULL ? (size_t)(end - rest) : 0};
	return rest == NULL || failAt(error, line, (int)(rest - start) + 1, "there is more on the line: %.*s", &more);
}

static bool isWord(const Field* field, const char* word)
{
	return field->size == strlen(word) && memcmp(field->text, word, field->size) == 0;
}

static bool readTime(const Field* field, int line, double* out, rpError* error)
{
	const char* end = field->text + field->size;
	bool done = rpParseDouble(field->text, end, '.', out) == end && field->size > 0 && isfinite(*out) && *out >= 0.0 &&
				*out < 1e7;
	return done || failAt(error, line, field->column, "this is no time in seconds: \"%.*s\"", field);
}

// The index of a clip by its name, a new one if need be; -1 on failure.
static int findClip(rpJoinExamples* examples, const Field* field, int line, rpError* error)
{
	if (field->size == 0 || field->size > LONGEST_NAME || !rpIsUtf8(field->text, field->size) ||
		memchr(field->text, 0, field->size) != NULL)
	{
		failAt(error, line, field->column, "this is no name of a clip: \"%.*s\"", field);
		return -1;
	}
	for (int i = 0; i < examples->clipCount; ++i)
	{
		if (isWord(field, examples->clips[i]))
		{
			return i;
		}
	}
	char* name = rpGrow(&examples->clips, &examples->clipCapacity, examples->clipCount, sizeof(char*), error)
					 ? rpAllocateZero(field->size + 1, 1, error)
					 : NULL;
	if (name == NULL)
	{
		return -1;
	}
	memcpy(name, field->text, field->size);
	examples->clips[examples->clipCount] = name;
	return examples->clipCount++;
}

static bool addLine(rpJoinExamples* examples, const char* start, const char* end, int line, rpError* error)
{
	Field fields[FIELD_COUNT];
	if (!splitLine(start, end, line, fields, error))
	{
		return false;
	}
	rpJoinExample example = {.line = line,
							 .columns = {fields[0].column, fields[1].column, fields[2].column, fields[3].column}};
	example.isGood = isWord(&fields[4], "good");
	if (!example.isGood && !isWord(&fields[4], "bad"))
	{
		return failAt(error, line, fields[4].column, "\"%.*s\" is neither good nor bad", &fields[4]);
	}
	example.a = findClip(examples, &fields[0], line, error);
	example.b = example.a >= 0 ? findClip(examples, &fields[2], line, error) : -1;
	if (example.b < 0 || !readTime(&fields[1], line, &example.aTime, error) ||
		!readTime(&fields[3], line, &example.bTime, error))
	{
		return false;
	}
	if (examples->count >= MAX_EXAMPLES)
	{
		return rpFailAt(error, rp_errorLimit, line, 1, "more than %d examples", MAX_EXAMPLES);
	}
	if (!rpGrow(&examples->items, &examples->capacity, examples->count, sizeof(rpJoinExample), error))
	{
		return false;
	}
	examples->items[examples->count++] = example;
	return true;
}

// A line of names at the top is known by its last field.
static bool isHeading(const char* start, const char* end)
{
	Field fields[FIELD_COUNT];
	return splitLine(start, end, 1, fields, NULL) && !isWord(&fields[4], "good") && !isWord(&fields[4], "bad") &&
		   (isWord(&fields[4], "verdict") || isWord(&fields[4], "good|bad"));
}

static bool addLines(rpJoinExamples* examples, const char* text, const char* end, rpError* error)
{
	bool done = true, isFirst = true;
	for (int line = 1; text < end && done; ++line)
	{
		const char* stop = memchr(text, '\n', (size_t)(end - text));
		const char* last = stop != NULL ? stop : end;
		const char* start = text;
		while (start < last && rpIsBlank(*start))
		{
			++start;
		}
		bool isEmpty = start == last || *start == '#';
		done = isEmpty || (isFirst && isHeading(text, last)) || addLine(examples, text, last, line, error);
		isFirst &= isEmpty;
		text = stop != NULL ? stop + 1 : end;
	}
	return done;
}

static bool checkContradictions(const rpJoinExamples* examples, rpError* error)
{
	int first, second;
	if (!rpJoinExamples_FindContradiction(examples, FRAME_RATE, &first, &second, error))
	{
		return false;
	}
	if (first < 0)
	{
		return true;
	}
	rpFailAt(error, rp_errorFormat, examples->items[second].line, 1,
			 "this contradicts line %d: the same moments are %s there", examples->items[first].line,
			 examples->items[first].isGood ? "good" : "bad");
	rpError_SetHint(error, "decide for one of them");
	return false;
}

bool rpJoinExamples_Parse(rpJoinExamples* examples, const char* text, size_t size, rpError* error)
{
	*examples = (rpJoinExamples){0};
	const char* end = text + size;
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
	{
		text += 3;
	}
	bool done = addLines(examples, text, end, error) && checkContradictions(examples, error);
	if (!done)
	{
		rpJoinExamples_Free(examples);
	}
	return done;
}

// Names with signs of their own stand in quotation marks.
static void printName(rpText* text, const char* name)
{
	bool needsQuotes = strpbrk(name, ",# \t") != NULL;
	rpText_Print(text, needsQuotes ? "\"%s\"" : "%s", name);
}

static bool checkNames(const rpJoinExamples* examples, rpError* error)
{
	for (int i = 0; i < examples->clipCount; ++i)
	{
		const char* name = examples->clips[i];
		if (name[0] == 0 || strpbrk(name, "\"\r\n\v\f") != NULL)
		{
			return rpFail(error, rp_errorArgument, "the clip \"%.150s\" has a name that cannot stand in a table", name);
		}
	}
	return true;
}

char* rpJoinExamples_Format(const rpJoinExamples* examples, rpError* error)
{
	rpText text = {0};
	if (!checkNames(examples, error))
	{
		return NULL;
	}
	rpText_AppendString(&text, "clip_a,a_s,clip_b,b_s,verdict\n");
	for (int i = 0; i < examples->count; ++i)
	{
		const rpJoinExample* example = &examples->items[i];
		printName(&text, examples->clips[example->a]);
		rpText_Print(&text, ",%.4f,", example->aTime);
		printName(&text, examples->clips[example->b]);
		rpText_Print(&text, ",%.4f,%s\n", example->bTime, example->isGood ? "good" : "bad");
	}
	if (text.failed)
	{
		rpText_Free(&text);
		rpFail(error, rp_errorMemory, "out of memory");
		return NULL;
	}
	return text.data;
}
