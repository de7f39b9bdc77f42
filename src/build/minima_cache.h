/// Minima of clip pairs kept in the library, so that clips that come later are all that is compared.
#pragma once

#include "build/graph_candidates.h"

/// What is known, and what was learnt. Zero-initialised is empty.
typedef struct rpMinimaCache
{
	struct rpCachedPair* pairs;
	int count, capacity, loadedCount;

	/// Those of all pairs.
	rpMinima minima;

	/// Hash of each clip of the graph to be, mirror images included. Borrowed.
	const char (*hashes)[34];
	bool isChanged;

	/// Bytes that it will take in the library. Pairs that would not have fitted: they are compared again next time.
	size_t size;
	int unkeptCount;
} rpMinimaCache;

/// Read what the library knows about a metric (by its name there); nothing is no failure.
RP_NODISCARD bool rpMinimaCache_Load(rpMinimaCache* cache, const rpLibrary* library, const char* name, rpError* error);

/// Keep it in the library, if anything was learnt.
RP_NODISCARD bool rpMinimaCache_Save(const rpMinimaCache* cache, rpLibrary* library, const char* name, rpError* error);
void rpMinimaCache_Free(rpMinimaCache* cache);

/// The store that candidates are found with.
rpMinimaStore rpMinimaCache_GetStore(rpMinimaCache* cache);
