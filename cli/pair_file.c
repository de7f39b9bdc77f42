#include "pair_file.h"

#include "clip.h"
#include "row_file.h"

#include <math.h>
#include <stdlib.h>

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

/// What is filled, and by which rules.
typedef struct Filling
{
	const cliPairRules* rules;
	cliPairs* pairs;
} Filling;

static bool takeRow(const cliRowFile* rows, const cliRow* row)
{
	const cliPairRules* rules = ((Filling*)rows->context)->rules;
	cliPairs* pairs = ((Filling*)rows->context)->pairs;
	double numbers[2];
	// Names of the columns may stand first.
	if (row->isNames && row->count > 1)
		return true;
	for (int i = 0; i < 2; ++i)
	{
		if (i == row->count)
			return cliFailInRow(rows, row->columns[0], "a comma and a second number are missing");
		if (!cliParseNumber(row->cells[i], &numbers[i]))
			return cliFailInRow(rows, row->columns[i], "\"%.40s\" is no number", row->cells[i]);
		if (rules->max > 0.0 && fabs(numbers[i]) > rules->max)
			return cliFailInRow(rows, row->columns[i], "%s", rules->tooMuch);
	}
	if (row->count > 2)
		return cliFailInRow(rows, row->columns[2], "there are more than two numbers");
	int last = pairs->count - 1;
	if (rules->increases && last >= 0 && (numbers[0] <= pairs->first[last] || numbers[1] <= pairs->second[last]))
		return cliFailInRow(rows, 1, "the times do not increase");
	addPair(pairs, numbers[0], numbers[1]);
	return true;
}

bool cliReadPairs(cliRun* run, const char* path, const cliPairRules* rules, cliPairs* out)
{
	*out = (cliPairs){0};
	cliRowFile rows = {.run = run,
					   .path = path,
					   .hint = rules->hint,
					   .takeRow = takeRow,
					   .context = &(Filling){rules, out},
					   .min = 2,
					   .tooFew = "at least two lines of numbers are needed"};
	bool done = cliReadRows(&rows);
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
