#include "warp_file.h"

#include "clip.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum
{
	/// More lines than anybody writes by hand or needs.
	mostKnots = 1000000,
};

typedef struct Knots
{
	double* newTimes;
	double* oldTimes;
	int count, capacity;
} Knots;

static bool failAt(cliRun* run, const char* path, int line, int column, const char* message)
{
	rpError error = {.code = rp_errorFormat, .line = line, .column = column};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "%s", message);
	snprintf(error.hint, sizeof error.hint, "each line holds two numbers, \"new,old\", in seconds, both increasing");
	return cliFail(run, cli_exitInput, &error);
}

static void addKnot(Knots* knots, double newTime, double oldTime)
{
	if (knots->count == knots->capacity)
	{
		knots->capacity = knots->capacity * 2 + 16;
		knots->newTimes = cliReallocate(knots->newTimes, (size_t)knots->capacity * sizeof(double));
		knots->oldTimes = cliReallocate(knots->oldTimes, (size_t)knots->capacity * sizeof(double));
	}
	knots->newTimes[knots->count] = newTime;
	knots->oldTimes[knots->count++] = oldTime;
}

// A number with blanks around it.
static bool parseField(char* text, double* out)
{
	while (isspace((unsigned char)*text))
		++text;
	for (char* end = text + strlen(text); end > text && isspace((unsigned char)end[-1]);)
		*--end = 0;
	return cliParseNumber(text, out);
}

static bool readLine(cliRun* run, const char* path, int number, char* line, Knots* knots)
{
	size_t blank = strspn(line, " \t\r\n");
	if (line[blank] == 0 || line[blank] == '#')
		return true;
	char* comma = strchr(line, ',');
	double newTime = 0.0, oldTime = 0.0;
	if (comma != NULL)
		*comma = 0;
	bool hasNew = parseField(line, &newTime);
	// Names of the columns may stand first.
	if (!hasNew && knots->count == 0 && comma != NULL && isalpha((unsigned char)line[blank]))
		return true;
	if (!hasNew || comma == NULL)
		return failAt(run, path, number, (int)blank + 1,
					  hasNew ? "a comma and a second number are missing" : "this is no number");
	if (!parseField(comma + 1, &oldTime))
		return failAt(run, path, number, (int)(comma - line) + 2, "this is no number");
	int last = knots->count - 1;
	if (last >= 0 && (newTime <= knots->newTimes[last] || oldTime <= knots->oldTimes[last]))
		return failAt(run, path, number, 1, "the times do not increase");
	if (knots->count == mostKnots)
		return failAt(run, path, number, 1, "there are too many lines");
	addKnot(knots, newTime, oldTime);
	return true;
}

static bool readLines(cliRun* run, const char* path, FILE* file, Knots* knots)
{
	char* line = NULL;
	size_t capacity = 0;
	bool done = true;
	int number = 0;
	while (done && getline(&line, &capacity, file) >= 0)
		done = readLine(run, path, ++number, line, knots);
	free(line);
	if (done && knots->count < 2)
		return failAt(run, path, number > 0 ? number : 1, 1, "a warp needs at least two lines");
	return done;
}

bool cliReadWarp(cliRun* run, const char* path, rpWarp* out)
{
	Knots knots = {0};
	FILE* file = fopen(path, "r");
	if (file == NULL)
	{
		rpError error = {.code = rp_errorFile, .hint = "--retime takes a factor, or a CSV file with lines \"new,old\""};
		snprintf(error.file, sizeof error.file, "%s", path);
		snprintf(error.message, sizeof error.message, "cannot read it: %s", strerror(errno));
		return cliFail(run, cli_exitInput, &error);
	}
	cliNotePath(run, path);
	bool done = readLines(run, path, file, &knots);
	fclose(file);
	*out = (rpWarp){.newTimes = knots.newTimes, .oldTimes = knots.oldTimes, .count = knots.count};
	if (!done)
		cliFreeWarp(out);
	return done;
}

void cliFreeWarp(rpWarp* warp)
{
	free((void*)warp->newTimes);
	free((void*)warp->oldTimes);
	*warp = (rpWarp){0};
}
