#include "gait_script.h"

#include "clip.h"

#include <math.h>
#include <string.h>

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
	double min, max;
	const char* unit;
} s_ranges[columnCount] = {
	[columnTime] = {0.0, CLI_LATEST_STEER, " s"},
	[columnSpeed] = {0.0, 20.0, " m/s"},
	[columnTurn] = {-CLI_MAX_DEGREES, CLI_MAX_DEGREES, " degrees per second"},
	[columnDirection] = {-CLI_MAX_DEGREES, CLI_MAX_DEGREES, " degrees"},
	[columnMagnitude] = {0.0, 1.0, ""},
};

/// What is read, and what each cell of a line is.
typedef struct Reading
{
	int columns[cli_maxCells];
	int columnCount;
	cliScript* script;
} Reading;

static const char s_hint[] = "write lines \"time,gait,speed,turn\", for example \"2.5,walk,1.3,-20\": seconds, stand, "
							 "walk or run, m/s, degrees per "
							 "second to the left";

static bool readNames(const cliRowFile* rows, const cliRow* row)
{
	Reading* reading = rows->context;
	const unsigned needed = 1u << columnTime | 1u << columnGait;
	unsigned found = cliFindColumns(rows, row, s_names, columnCount, reading->columns);
	reading->columnCount = row->count;
	return found != 0 && ((found & needed) == needed || cliFailInRow(rows, 1, "the columns time and gait are needed"));
}

static bool readGait(const cliRowFile* rows, const char* text, int column, int* out)
{
	for (int gait = 0; gait < rp_gaitCount; ++gait)
		if (strcmp(text, rpGait_GetName((rpGait)gait)) == 0)
		{
			*out = gait;
			return true;
		}
	return cliFailInRow(rows, column, "\"%.40s\" is no gait; there are stand, walk and run", text);
}

// An empty cell leaves what is usual.
static bool readNumber(const cliRowFile* rows, const char* text, int at, Column column, double* out)
{
	if (text[0] == 0)
		return true;
	if (!cliParseNumber(text, out))
		return cliFailInRow(rows, at, "\"%.40s\" is no number", text);
	return (*out >= s_ranges[column].min && *out <= s_ranges[column].max) ||
		   cliFailInRow(rows, at, "a %s of %.40s%s; %g to %g are allowed", s_names[column], text, s_ranges[column].unit,
						s_ranges[column].min, s_ranges[column].max);
}

static bool readCells(const cliRowFile* rows, const cliRow* row, rpOrder* out)
{
	const Reading* reading = rows->context;
	double values[columnCount] = {[columnMagnitude] = 1.0, [columnDirection] = NAN};
	bool hasGait = false, hasTime = false;
	for (int i = 0; i < row->count; ++i)
	{
		Column column = (Column)reading->columns[i];
		int at = row->columns[i];
		if (column == columnGait)
		{
			hasGait = true;
			if (!readGait(rows, row->cells[i], at, &out->input.request))
				return false;
		}
		else if (!readNumber(rows, row->cells[i], at, column, &values[column]))
			return false;
		hasTime = hasTime || (column == columnTime && row->cells[i][0] != 0);
	}
	if (!hasGait || !hasTime)
		return cliFailInRow(rows, 1, "a time and a gait are needed");
	out->time = values[columnTime];
	out->input.locomotion.speed = (float)values[columnSpeed];
	out->input.locomotion.turn = (float)(values[columnTurn] * RP_DEGREE);
	if (isfinite(values[columnDirection]))
	{
		double angle = values[columnDirection] * RP_DEGREE, length = values[columnMagnitude];
		out->input.stick = (rpVec2){(float)(length * sin(angle)), (float)(length * cos(angle))};
	}
	return true;
}

static bool takeRow(const cliRowFile* rows, const cliRow* row)
{
	const Reading* reading = rows->context;
	rpOrder steer = {0};
	if (row->isNames)
		return readNames(rows, row);
	if (row->count > reading->columnCount)
		return cliFailInRow(rows, row->columns[reading->columnCount], "there are too many columns");
	return readCells(rows, row, &steer) && cliScript_Add(reading->script, rows, row, steer);
}

bool cliReadGaitScript(cliRun* run, const char* path, cliScript* out)
{
	*out = (cliScript){0};
	Reading reading = {.columns = {columnTime, columnGait, columnSpeed, columnTurn}, .columnCount = 4, .script = out};
	cliRowFile rows = {.run = run,
					   .path = path,
					   .hint = s_hint,
					   .takeRow = takeRow,
					   .context = &reading,
					   .min = 1,
					   .tooFew = "there is no line with a time and a gait"};
	bool done = cliReadRows(&rows);
	if (!done)
		cliFreeScript(out);
	return done;
}
