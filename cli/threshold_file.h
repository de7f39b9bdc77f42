/// Thresholds of a motion graph as a table: lines "from,to,distance", with never or auto in place of the distance. A
/// first line with these names may stand above. Where it names more columns, as that of graph build --csv does, these
/// are passed over, but for one called chosen: only lines with a 1 in it count.
#pragma once

#include "run.h"

/// A label as the table names it, and where.
typedef struct cliNamedLabel
{
	const char* name;
	int line, column;
} cliNamedLabel;

typedef struct cliThresholds
{
	rpThreshold* items;
	int count;

	/// The labels of all lines, those with auto too.
	cliNamedLabel* labels;
	int labelCount;

	/// The file's text, which the names point into.
	char* text;
} cliThresholds;

/// Read one; cliFreeThresholds frees it. Lines with auto are left out: that is the default. False: reported.
bool cliReadThresholds(cliRun* run, const char* path, cliThresholds* out);

/// Whether a clip of the library has each of the labels ("unlabelled": one that has none). False: reported.
bool cliCheckThresholds(cliRun* run, const char* path, const cliThresholds* thresholds, const rpLibrary* library);
void cliFreeThresholds(cliThresholds* thresholds);
