/// Names of the clips that spaces are made of, as players report them.
#pragma once

#include "reprise/play/space.h"

typedef struct rpSpaceNames
{
	/// [count], those of mirror images with a ~ behind; and the text they are in.
	const char** names;
	char* text;
	int count;
} rpSpaceNames;

/// Names of all examples of spaces, in their order. Free with rpSpaceNames_Free, after failure too.
RP_NODISCARD bool rpSpaceNames_List(rpSpaceNames* names, const rpSpace* const* spaces, int spaceCount, rpError* error);
void rpSpaceNames_Free(rpSpaceNames* names);

/// NULL beyond the last.
const char* rpSpaceNames_Get(const rpSpaceNames* names, int example);
