/// The clips of a library as a list, and clips of it by name, number or pattern.
#pragma once

#include "run.h"

/// All clips of a library. Free with cliFreeListing.
typedef struct cliListing
{
	rpClipInfo* infos;
	int count;
} cliListing;

/// False: reported.
bool cliListClips(cliRun* run, const rpLibrary* library, cliListing* out);
void cliFreeListing(cliListing* listing);

/// The clip of that number, NULL if there is none.
const rpClipInfo* cliListing_Find(const cliListing* listing, rpClipId id);

/// By name or number; 0: reported.
rpClipId cliFindClip(cliRun* run, const rpLibrary* library, const char* name);

double cliGetClipSeconds(const rpClipInfo* info);
