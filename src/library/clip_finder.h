/// Clips of a library found by what is in them, for models that were made from them.
#pragma once

#include "library/store.h"

/// Hash of what models take from a clip: its skeleton, rate, frames as they are loaded, and contacts; not its name,
/// labels, sources or number. 32 hexadecimal digits; of what is kept, so that it is the same on every machine.
RP_NODISCARD bool rpHashClip(const rpLibrary* library, rpClipId clip, char out[33], rpError* error);

/// A clip of the library.
typedef struct rpListedClip
{
	rpClipId id;
	char* name;

	/// Empty until it was asked for.
	char hash[33];

	/// Whether the model has it already, and its mirror image.
	bool isTaken[2];
} rpListedClip;

/// All clips of a library, by their names. Zero-initialised is empty; free with rpClipFinder_Free.
typedef struct rpClipFinder
{
	const rpLibrary* library;
	rpListedClip* items;
	int count, capacity;
} rpClipFinder;

RP_NODISCARD bool rpClipFinder_Open(rpClipFinder* finder, const rpLibrary* library, rpError* error);
void rpClipFinder_Free(rpClipFinder* finder);

/// How a clip of a model was found.
typedef enum rpClipSearch
{
	rp_clipFound,
	/// None of that content, though one of that name; none of either.
	rp_clipChanged,
	rp_clipMissing,
	/// The model has it, or its mirror image, already.
	rp_clipTwice,
	rp_clipFailed,
} rpClipSearch;

/// Find a clip by its hash, of several such that of the name first; where hash is empty, by its name alone. It is taken
/// then, once, and its mirror image once. *index tells it among the items. error is filled for rp_clipFailed.
rpClipSearch rpClipFinder_Take(rpClipFinder* finder, const char* name, const char* hash, bool isMirrored, int* index,
							   rpError* error);
