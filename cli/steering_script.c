#include "steering_script.h"

#include "clip.h"

#include <math.h>
#include <stdlib.h>

static const char s_hint[] = "write lines \"time,direction\" (seconds, degrees to the left) or \"time,x,y\" (a stick)";

static bool readNumber(const cliRowFile* rows, const cliRow* row, int cell, double* out)
{
	const char* text = row->cells[cell];
	bool isTime = cell == 0;
	if (!cliParseNumber(text, out))
		return cliFailInRow(rows, row->columns[cell], "\"%.40s\" is no number", text);
	if (isTime && (*out < 0.0 || *out > CLI_LATEST_STEER))
		return cliFailInRow(rows, row->columns[cell], "a time of %.40s s; 0 to %.0f are allowed", text,
							CLI_LATEST_STEER);
	if (!isTime && fabs(*out) > CLI_MAX_DEGREES)
		return cliFailInRow(rows, row->columns[cell], "a direction of %.40s; %.0f to %.0f are allowed", text,
							-CLI_MAX_DEGREES, CLI_MAX_DEGREES);
	return true;
}

static rpPlayerInput makeInput(const double* numbers, int count)
{
	// Ahead is +z, and the right of somebody who looks there is -x.
	rpVec2 direction = {-(float)numbers[1], (float)numbers[2]};
	if (count == 2)
		direction = (rpVec2){(float)sin(numbers[1] * RP_DEGREE), (float)cos(numbers[1] * RP_DEGREE)};
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
	double numbers[3] = {0};
	if (row->isNames)
		return true;
	for (int i = 0; i < row->count && i < 3; ++i)
		if (!readNumber(rows, row, i, &numbers[i]))
			return false;
	if (row->count > 3)
		return cliFailInRow(rows, row->columns[3], "there are more than three numbers");
	if (row->count < 2)
		return cliFailInRow(rows, 1, "two or three numbers with commas between them are needed");
	return cliScript_Add(rows->context, rows, row, (rpOrder){numbers[0], makeInput(numbers, row->count)});
}

bool cliReadScript(cliRun* run, const char* path, cliScript* out)
{
	*out = (cliScript){0};
	cliRowFile rows = {.run = run,
					   .path = path,
					   .hint = s_hint,
					   .takeRow = takeRow,
					   .context = out,
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
