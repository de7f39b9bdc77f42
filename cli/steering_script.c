#include "steering_script.h"

#include "clip.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum
{
	/// More lines than anybody needs.
	mostLines = 1000000,
};

bool cliFailInScript(cliRun* run, const char* path, cliPlace place, const char* hint, const char* format, va_list list)
{
	bool isInside = place.line > 0;
	rpError error = {
		.code = isInside ? rp_errorFormat : rp_errorFile, .line = place.line, .column = isInside ? place.column : 0};
	vsnprintf(error.message, sizeof error.message, format, list);
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.hint, sizeof error.hint, "%s", hint);
	return cliFail(run, cli_exitInput, &error);
}

/// How a file is read.
typedef struct Reader
{
	cliRun* run;
	const char* path;
	int line;
	cliScript* script;
} Reader;

static const char s_hint[] = "write lines \"time,direction\" (seconds, degrees to the left) or \"time,x,y\" (a stick)";

// The column counts from 1.
RP_PRINTF(3, 4) static bool failAt(const Reader* reader, int column, const char* format, ...)
{
	va_list list;
	va_start(list, format);
	bool failed = cliFailInScript(reader->run, reader->path, (cliPlace){reader->line, column}, s_hint, format, list);
	va_end(list);
	return failed;
}

static bool readNumber(const Reader* reader, const char* text, int column, bool isTime, double* out)
{
	if (!cliParseNumber(text, out))
		return failAt(reader, column, "\"%.40s\" is no number", text);
	if (isTime && (*out < 0.0 || *out > CLI_LATEST_STEER))
		return failAt(reader, column, "a time of %.40s s; 0 to %.0f are allowed", text, CLI_LATEST_STEER);
	if (!isTime && fabs(*out) > CLI_MOST_DEGREES)
		return failAt(reader, column, "a direction of %.40s; %.0f to %.0f are allowed", text, -CLI_MOST_DEGREES,
					  CLI_MOST_DEGREES);
	return true;
}

// The numbers between commas, two or three; 0: reported.
static int splitNumbers(const Reader* reader, char* line, double out[3])
{
	int count = 0;
	for (char* at = line; at != NULL;)
	{
		char* comma = strchr(at, ',');
		if (comma != NULL)
			*comma = 0;
		while (isspace((unsigned char)*at))
			++at;
		for (char* end = at + strlen(at); end > at && isspace((unsigned char)end[-1]);)
			*--end = 0;
		int column = (int)(at - line) + 1;
		if (count == 3)
			return failAt(reader, column, "there are more than three numbers");
		if (!readNumber(reader, at, column, count == 0, &out[count]))
			return 0;
		++count;
		at = comma != NULL ? comma + 1 : NULL;
	}
	return count >= 2 ? count : failAt(reader, 1, "two or three numbers with commas between them are needed");
}

static rpPlayerInput makeInput(const double* numbers, int count)
{
	// Ahead is +z, and the right of somebody who looks there is -x.
	rpVec2 direction = {-(float)numbers[1], (float)numbers[2]};
	if (count == 2)
		direction = (rpVec2){(float)sin(numbers[1] * RP_DEGREE), (float)cos(numbers[1] * RP_DEGREE)};
	return (rpPlayerInput){.direction = direction};
}

static bool readLine(const Reader* reader, char* line)
{
	cliScript* script = reader->script;
	double numbers[3] = {0};
	size_t blank = strspn(line, " \t\r\n");
	if (line[blank] == 0 || line[blank] == '#' || (script->count == 0 && isalpha((unsigned char)line[blank])))
		return true;
	int count = splitNumbers(reader, line, numbers);
	if (count == 0)
		return false;
	if (script->count > 0 && numbers[0] <= script->items[script->count - 1].time)
		return failAt(reader, (int)blank + 1, "the times do not increase");
	if (script->count == mostLines)
		return failAt(reader, 1, "there are too many lines");
	if (script->count == script->capacity)
	{
		script->capacity = script->capacity * 2 + 16;
		script->items = cliReallocate(script->items, (size_t)script->capacity * sizeof(cliSteer));
	}
	script->items[script->count++] = (cliSteer){numbers[0], makeInput(numbers, count)};
	return true;
}

bool cliReadScript(cliRun* run, const char* path, cliScript* out)
{
	Reader reader = {.run = run, .path = path, .script = out};
	*out = (cliScript){0};
	FILE* file = fopen(path, "r");
	if (file == NULL)
		return failAt(&reader, 0, "%s", strerror(errno));
	cliNotePath(run, path);
	char* line = NULL;
	size_t capacity = 0;
	bool done = true;
	while (done && getline(&line, &capacity, file) >= 0)
	{
		++reader.line;
		done = readLine(&reader, line);
	}
	free(line);
	fclose(file);
	reader.line += reader.line == 0;
	if (done && out->count == 0)
		done = failAt(&reader, 1, "there is no line with numbers");
	if (!done)
		cliFreeScript(out);
	return done;
}

void cliFreeScript(cliScript* script)
{
	free(script->items);
	*script = (cliScript){0};
}

rpPlayerInput cliScript_Get(const cliScript* script, double time)
{
	rpPlayerInput input = {0};
	for (int i = 0; i < script->count && script->items[i].time <= time + 1e-9; ++i)
		input = script->items[i].input;
	return input;
}

bool cliSteerByScript(void* script, const rpPlayer* player, double time, rpPlayerInput* out)
{
	(void)player;
	*out = cliScript_Get(script, time);
	return true;
}
