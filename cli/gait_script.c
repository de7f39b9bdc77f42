#include "gait_script.h"

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
	mostCells = 8,
};

/// What a column holds.
typedef enum Column
{
	columnTime,
	columnGait,
	columnSpeed,
	columnTurn,
	columnDirection,
	columnMagnitude,
	columnCount,
} Column;

static const char* const s_names[columnCount] = {"time", "gait", "speed", "turn", "direction", "magnitude"};

/// What a number may be, and its unit.
static const struct
{
	double least, most;
	const char* unit;
} s_ranges[columnCount] = {
	[columnTime] = {0.0, CLI_LATEST_STEER, " s"},
	[columnSpeed] = {0.0, 20.0, " m/s"},
	[columnTurn] = {-CLI_MOST_DEGREES, CLI_MOST_DEGREES, " degrees per second"},
	[columnDirection] = {-CLI_MOST_DEGREES, CLI_MOST_DEGREES, " degrees"},
	[columnMagnitude] = {0.0, 1.0, ""},
};

/// How a file is read.
typedef struct Reader
{
	cliRun* run;
	const char* path;
	int line;

	/// What each cell of a line is.
	Column columns[mostCells];
	int columnCount;
	cliScript* script;
} Reader;

static const char s_hint[] = "write lines \"time,gait,speed,turn\", for example \"2.5,walk,1.3,-20\": seconds, stand, "
							 "walk or run, m/s, degrees per "
							 "second to the left";

// The column counts from 1.
RP_PRINTF(3, 4) static bool failAt(const Reader* reader, int column, const char* format, ...)
{
	va_list list;
	va_start(list, format);
	bool failed = cliFailInScript(reader->run, reader->path, (cliPlace){reader->line, column}, s_hint, format, list);
	va_end(list);
	return failed;
}

// The cells of a line, without spaces around them; more than fit are counted.
static int split(char* line, char* cells[mostCells])
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
		if (count < mostCells)
			cells[count] = at;
		++count;
		at = comma != NULL ? comma + 1 : NULL;
	}
	return count;
}

static bool readNames(Reader* reader, const char* line, char* cells[mostCells], int count)
{
	bool seen[columnCount] = {false};
	reader->columnCount = count;
	for (int i = 0; i < count; ++i)
	{
		int column = 0;
		while (column < columnCount && strcmp(cells[i], s_names[column]) != 0)
			++column;
		if (column == columnCount || seen[column])
			return failAt(reader, (int)(cells[i] - line) + 1,
						  "the first line names columns that are not known, or one of them twice: \"%.40s\"", cells[i]);
		reader->columns[i] = (Column)column;
		seen[column] = true;
	}
	return (seen[columnTime] && seen[columnGait]) || failAt(reader, 1, "the columns time and gait are needed");
}

static bool readGait(const Reader* reader, const char* text, int column, rpGait* out)
{
	for (int gait = 0; gait < rp_gaitCount; ++gait)
		if (strcmp(text, rpGait_GetName((rpGait)gait)) == 0)
		{
			*out = (rpGait)gait;
			return true;
		}
	return failAt(reader, column, "\"%.40s\" is no gait; there are stand, walk and run", text);
}

// An empty cell leaves what is usual.
static bool readNumber(const Reader* reader, const char* text, int at, Column column, double* out)
{
	if (text[0] == 0)
		return true;
	if (!cliParseNumber(text, out))
		return failAt(reader, at, "\"%.40s\" is no number", text);
	return (*out >= s_ranges[column].least && *out <= s_ranges[column].most) ||
		   failAt(reader, at, "a %s of %.40s%s; %g to %g are allowed", s_names[column], text, s_ranges[column].unit,
				  s_ranges[column].least, s_ranges[column].most);
}

static bool readCells(const Reader* reader, const char* line, char* cells[mostCells], int count, cliSteer* out)
{
	double values[columnCount] = {[columnMagnitude] = 1.0, [columnDirection] = NAN};
	bool hasGait = false, hasTime = false;
	for (int i = 0; i < count; ++i)
	{
		Column column = reader->columns[i];
		int at = (int)(cells[i] - line) + 1;
		if (column == columnGait)
		{
			hasGait = true;
			if (!readGait(reader, cells[i], at, &out->input.gait))
				return false;
		}
		else if (!readNumber(reader, cells[i], at, column, &values[column]))
			return false;
		hasTime = hasTime || (column == columnTime && cells[i][0] != 0);
	}
	if (!hasGait || !hasTime)
		return failAt(reader, 1, "a time and a gait are needed");
	out->time = values[columnTime];
	out->input.speed = (float)values[columnSpeed];
	out->input.turn = (float)(values[columnTurn] * RP_DEGREE);
	if (isfinite(values[columnDirection]))
	{
		double angle = values[columnDirection] * RP_DEGREE, length = values[columnMagnitude];
		out->input.direction = (rpVec2){(float)(length * sin(angle)), (float)(length * cos(angle))};
	}
	return true;
}

static bool readLine(Reader* reader, char* line)
{
	cliScript* script = reader->script;
	size_t blank = strspn(line, " \t\r\n");
	char* cells[mostCells];
	cliSteer steer = {0};
	if (line[blank] == 0 || line[blank] == '#')
		return true;
	bool isNames = script->count == 0 && isalpha((unsigned char)line[blank]);
	int count = split(line, cells);
	if (count > mostCells || (!isNames && count > reader->columnCount))
		return failAt(reader, 1, "there are too many columns");
	if (isNames)
		return readNames(reader, line, cells, count);
	if (!readCells(reader, line, cells, count, &steer))
		return false;
	if (script->count > 0 && steer.time <= script->items[script->count - 1].time)
		return failAt(reader, 1, "the times do not increase");
	if (script->count == mostLines)
		return failAt(reader, 1, "there are too many lines");
	if (script->count == script->capacity)
	{
		script->capacity = script->capacity * 2 + 16;
		script->items = cliReallocate(script->items, (size_t)script->capacity * sizeof(cliSteer));
	}
	script->items[script->count++] = steer;
	return true;
}

bool cliReadGaitScript(cliRun* run, const char* path, cliScript* out)
{
	Reader reader = {.run = run,
					 .path = path,
					 .columns = {columnTime, columnGait, columnSpeed, columnTurn},
					 .columnCount = 4,
					 .script = out};
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
		done = failAt(&reader, 1, "there is no line with a time and a gait");
	if (!done)
		cliFreeScript(out);
	return done;
}
