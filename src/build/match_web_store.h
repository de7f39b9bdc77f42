/// A match web as a library keeps it: its clips by what is in them, and every pair.
#pragma once

#include "align/match_web.h"
#include "build/model_kind.h"

/// A clip or its mirror image.
typedef struct rpWovenClip
{
	/// As rpHashClip tells it, "~" behind that of a mirror image.
	char hash[34];

	/// Tiles of it.
	int tiles;
} rpWovenClip;

/// Clips in the order of their hashes. Zero-initialised is empty; free with rpWovenWeb_Free.
typedef struct rpWovenWeb
{
	rpWovenClip* clips;
	int count;

	/// [count * count], rows by columns; their bytes are part of `bytes`, or, where that is NULL, each pair's own.
	rpWebPair* pairs;
	uint8_t* bytes;
} rpWovenWeb;

void rpWovenWeb_Free(rpWovenWeb* web);

/// Index of a clip, -1 if there is none.
int rpWovenWeb_Find(const rpWovenWeb* web, const char* hash);
