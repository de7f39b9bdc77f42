/// A table of two columns: a time warp ("new,old", seconds), or a path over the floor ("x,z", metres).
#pragma once

#include "run.h"

/// Two columns of numbers; cliFreePairs frees them.
typedef struct cliPairs
{
	double* first;
	double* second;
	int count, capacity;
} cliPairs;

/// What a table must be.
typedef struct cliPairRules
{
	/// What to do about a wrong one.
	const char* hint;

	/// Both columns must increase.
	bool increases;

	/// The largest size of a number, or 0 if any will do; and what is said of a larger one.
	double max;
	const char* tooMuch;
} cliPairRules;

/// Read one of at least two lines; empty lines, comments (#) and a line of names at the top are passed over. The file
/// is noted as an input. False: reported, and nothing to free.
bool cliReadPairs(cliRun* run, const char* path, const cliPairRules* rules, cliPairs* out);
void cliFreePairs(cliPairs* pairs);
