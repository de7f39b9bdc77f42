/// Thresholds of a motion graph as a table: lines "from,to,metres", with never or auto in place of metres.
#pragma once

#include "run.h"

typedef struct cliThresholds
{
	rpThreshold* items;
	int count;
	/// The file's text, which the names point into.
	char* text;
} cliThresholds;

/// Read one; cliFreeThresholds frees it. Lines with auto are left out: that is the default. False: reported.
bool cliReadThresholds(cliRun* run, const char* path, cliThresholds* out);
void cliFreeThresholds(cliThresholds* thresholds);
