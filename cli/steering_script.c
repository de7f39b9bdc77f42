#include "steering_script.h"

#include "clip.h"

#include <math.h>
#include <stdlib.h>

static const char s_hint[] = "write lines \"time,direction\" (seconds, degrees to the left) or \"time,x,y\" (a stick)";

/// What a column holds.
typedef enum Column
{
	columnTime,
	columnDirection,
	columnX,
	columnY,
	columnCount,
} Column;

static const char* const s_names[columnCount] = {"time", "direction", "x", "y"};

/// What a line may hold: a time, and a direction or a stick. This is also the order of its cells where no line names
/// them.
static const int s_turned[] = {columnTime, columnDirection}, s_pushed[] = {columnTime, columnX, columnY};

/// What is read, and what each cell of a line is; no columns: none were named.
typedef struct Reading
{
	int columns[cli_maxCells];
	int columnCount;
	cliScript* script;
} Reading;

static bool readNames(const cliRowFile* rows, const cliRow* row)
{
	Reading* reading = rows->context;
	unsigned found = cliFindColumns(rows, row, s_names, columnCount, reading->columns);
	reading->columnCount = row->count;
	return found != 0 && (found == (1u << columnTime | 1u << columnDirection) ||
						  found == (1u << columnTime | 1u << columnX | 1u << columnY) ||
						  cliFailInRow(rows, 1, "the columns are time and direction, or time, x and y"));
}

static bool readNumber(const cliRowFile* rows, const cliRow* row, int cell, Column column, double* out)
{
	const char* text = row->cells[cell];
	if (!cliParseNumber(text, out))
		return cliFailInRow(rows, row->columns[cell], "\"%.40s\" is no number", text);
	if (column == columnTime && (*out < 0.0 || *out > CLI_LATEST_STEER))
		return cliFailInRow(rows, row->columns[cell], "a time of %.40s s; 0 to %.0f are allowed", text,
							CLI_LATEST_STEER);
	if (column != columnTime && fabs(*out) > CLI_MAX_DEGREES)
		return cliFailInRow(rows, row->columns[cell], "a direction of %.40s; %.0f to %.0f are allowed", text,
							-CLI_MAX_DEGREES, CLI_MAX_DEGREES);
	return true;
}

static rpPlayerInput makeInput(const double* numbers, bool isTurned)
{
	// Ahead is +z, and the right of somebody who looks there is -x.
	rpVec2 direction = {-(float)numbers[columnX], (float)numbers[columnY]};
	double angle = numbers[columnDirection] * RP_DEGREE;
	if (isTurned)
		direction = (rpVec2){(float)sin(angle), (float)cos(angle)};
	return (rpPlayerInput){.stick = direction};
}

bool cliScript_Add(cliScript* script, const cliRowFile* rows, const cliRow* row, rpOrder steer)
{
	if (script->count > 0 && steer.time <= script->items[script->count - 1].time)
		return cliFailInRow(rows, row->columns[0], "the times do not increase");
	if (script->count == script->capacity)
	{
		script->capacity = script->capacity * 2 + 16;
		script->items = cliReallocate(script->items, (size_t)script->capacity * sizeof(rpOrder));
	}
	script->items[script->count++] = steer;
	return true;
}

static bool takeRow(const cliRowFile* rows, const cliRow* row)
{
	const Reading* reading = rows->context;
	double numbers[columnCount] = {0};
	if (row->isNames)
		return readNames(rows, row);
	if (row->count > 3)
		return cliFailInRow(rows, row->columns[3], "there are more than three numbers");
	if (row->count < 2)
		return cliFailInRow(rows, 1, "two or three numbers with commas between them are needed");
	if (reading->columnCount > 0 && row->count != reading->columnCount)
		return cliFailInRow(rows, 1, "there are %d numbers for the %d columns that the first line names", row->count,
							reading->columnCount);
	const int* columns = reading->columnCount > 0 ? reading->columns : row->count == 2 ? s_turned : s_pushed;
	for (int i = 0; i < row->count; ++i)
		if (!readNumber(rows, row, i, (Column)columns[i], &numbers[columns[i]]))
			return false;
	return cliScript_Add(reading->script, rows, row,
						 (rpOrder){numbers[columnTime], makeInput(numbers, row->count == 2)});
}

bool cliReadScript(cliRun* run, const char* path, cliScript* out)
{
	*out = (cliScript){0};
	Reading reading = {.script = out};
	cliRowFile rows = {.run = run,
					   .path = path,
					   .hint = s_hint,
					   .takeRow = takeRow,
					   .context = &reading,
					   .min = 1,
					   .tooFew = "there is no line with numbers"};
	bool done = cliReadRows(&rows);
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
