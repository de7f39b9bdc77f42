/// What `info` reports about a bundle.
#pragma once

#include "run.h"

/// A bundle and a player of it, which knows what can be asked for. Free with cliFreeBundle, after failure too.
typedef struct cliBundle
{
	const char* path;
	rpBundle* bundle;
	rpPlayer* player;
} cliBundle;

/// Open it and note it as an input. False: reported.
bool cliOpenBundle(cliRun* run, const char* path, const rpPlayerDef* def, cliBundle* out);
void cliFreeBundle(cliBundle* bundle);

/// As JSON, and for people.
json_t* cliMakeBundleDescription(const cliBundle* bundle);
void cliPrintBundleDescription(const cliBundle* bundle);
