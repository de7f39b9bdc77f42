#include "pair_file.h"

#include "clip.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	/// More lines than anybody writes by hand or needs.
	mostPairs = 1000000,
};

static bool failAt(cliRun* run, const char* path, const cliPairRules* rules, int line, int column, const char* message)
{
	rpError error = {.code = rp_errorFormat, .line = line, .column = column};
	snprintf(error.file, sizeof error.file, "%s", path);
	snprintf(error.message, sizeof error.message, "%s", message);
	snprintf(error.hint, sizeof error.hint, "%s", rules->hint);
	return cliFail(run, cli_exitInput, &error);
}

static void addPair(cliPairs* pairs, double first, double second)
{
	if (pairs->count == pairs->capacity)
	{
		pairs->capacity = pairs->capacity * 2 + 16;
		pairs->first = cliReallocate(pairs->first, (size_t)pairs->capacity * sizeof(double));
		pairs->second = cliReallocate(pairs->second, (size_t)pairs->capacity * sizeof(double));
	}
	pairs->first[pairs->count] = first;
	pairs->second[pairs->count++] = second;
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

static bool readLine(cliRun* run, const char* path, const cliPairRules* rules, int number, char* line, cliPairs* pairs)
{
	size_t blank = strspn(line, " \t\r\n");
	if (line[blank] == 0 || line[blank] == '#')
		return true;
	char* comma = strchr(line, ',');
	double first = 0.0, second = 0.0;
	if (comma != NULL)
		*comma = 0;
	bool hasFirst = parseField(line, &first);
	// Names of the columns may stand first.
	if (!hasFirst && pairs->count == 0 && comma != NULL && isalpha((unsigned char)line[blank]))
		return true;
	if (!hasFirst || comma == NULL)
		return failAt(run, path, rules, number, (int)blank + 1,
					  hasFirst ? "a comma and a second number are missing" : "this is no number");
	if (!parseField(comma + 1, &second))
		return failAt(run, path, rules, number, (int)(comma - line) + 2, "this is no number");
	if (rules->most > 0.0 && fmax(fabs(first), fabs(second)) > rules->most)
		return failAt(run, path, rules, number, fabs(first) > rules->most ? (int)blank + 1 : (int)(comma - line) + 2,
					  rules->tooMuch);
	int last = pairs->count - 1;
	if (rules->increases && last >= 0 && (first <= pairs->first[last] || second <= pairs->second[last]))
		return failAt(run, path, rules, number, 1, "the times do not increase");
	if (pairs->count == mostPairs)
		return failAt(run, path, rules, number, 1, "there are too many lines");
	addPair(pairs, first, second);
	return true;
}

static bool readLines(cliRun* run, const char* path, const cliPairRules* rules, FILE* file, cliPairs* pairs)
{
	char* line = NULL;
	size_t capacity = 0;
	bool done = true;
	int number = 0;
	while (done && getline(&line, &capacity, file) >= 0)
		done = readLine(run, path, rules, ++number, line, pairs);
	free(line);
	if (done && pairs->count < 2)
		return failAt(run, path, rules, number > 0 ? number : 1, 1, "at least two lines of numbers are needed");
	return done;
}

bool cliReadPairs(cliRun* run, const char* path, const cliPairRules* rules, cliPairs* out)
{
	*out = (cliPairs){0};
	FILE* file = fopen(path, "r");
	if (file == NULL)
	{
		rpError error = {.code = rp_errorFile};
		snprintf(error.hint, sizeof error.hint, "%s", rules->hint);
		snprintf(error.file, sizeof error.file, "%s", path);
		snprintf(error.message, sizeof error.message, "cannot read it: %s", strerror(errno));
		return cliFail(run, cli_exitInput, &error);
	}
	cliNotePath(run, path);
	bool done = readLines(run, path, rules, file, out);
	fclose(file);
	if (!done)
		cliFreePairs(out);
	return done;
}

void cliFreePairs(cliPairs* pairs)
{
	free(pairs->first);
	free(pairs->second);
	*pairs = (cliPairs){0};
}
