#include "steering_script.h"

#include "clip.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	/// More lines than anybody needs.
	mostLines = 1000000,
};

static bool failAt(cliRun* run, const char* path, int line, const char* message)
{
	rpError error = {.code = line > 0 ? rp_errorFormat : rp_errorFile, .line = line, .column = line > 0 ? 1 : 0};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "%s", message);
	snprintf(error.hint, sizeof error.hint,
			 "write lines \"time,direction\" (seconds, degrees to the left) or \"time,x,y\" (a stick)");
	return cliFail(run, cli_exitInput, &error);
}

// The numbers between commas, at most three; -1 if one is none.
static int splitNumbers(char* line, double out[3])
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
		if (count == 3 || !cliParseNumber(at, &out[count]))
			return -1;
		++count;
		at = comma != NULL ? comma + 1 : NULL;
	}
	return count;
}

static rpPlayerInput makeInput(const double* numbers, int count)
{
	// Ahead is +z, and the right of somebody who looks there is -x.
	rpVec2 direction = {-(float)numbers[1], (float)numbers[2]};
	if (count == 2)
		direction = (rpVec2){(float)sin(numbers[1] * RP_DEGREE), (float)cos(numbers[1] * RP_DEGREE)};
	return (rpPlayerInput){.direction = direction};
}

static bool readLine(cliRun* run, const char* path, int number, char* line, cliScript* script)
{
	double numbers[3] = {0};
	size_t blank = strspn(line, " \t\r\n");
	if (line[blank] == 0 || line[blank] == '#' || (script->count == 0 && isalpha((unsigned char)line[blank])))
		return true;
	int count = splitNumbers(line, numbers);
	if (count < 2)
		return failAt(run, path, number, "two or three numbers with commas between them are needed");
	if (numbers[0] < 0.0 || (script->count > 0 && numbers[0] <= script->items[script->count - 1].time))
		return failAt(run, path, number, "the times do not increase");
	if (script->count == mostLines)
		return failAt(run, path, number, "there are too many lines");
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
	*out = (cliScript){0};
	FILE* file = fopen(path, "r");
	if (file == NULL)
		return failAt(run, path, 0, strerror(errno));
	cliNotePath(run, path);
	char* line = NULL;
	size_t capacity = 0;
	int number = 0;
	bool done = true;
	while (done && getline(&line, &capacity, file) >= 0)
		done = readLine(run, path, ++number, line, out);
	free(line);
	fclose(file);
	if (done && out->count == 0)
		done = failAt(run, path, number > 0 ? number : 1, "there is no line with numbers");
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
