#include "library/clip_finder.h"

#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "file/sidecar.h"
#include "library/clip_record.h"
#include "library/take_blob.h"

#include <stdlib.h>
#include <string.h>

// ---- what is in a clip

// Numbers by their bits: printed digits would follow the locale.
static void putReal(rpText* out, double number)
{
	uint64_t bits;
	number += 0.0; // SQLite keeps no sign of zero
	memcpy(&bits, &number, sizeof(bits));
	rpText_Print(out, " %016llx", (unsigned long long)bits);
}

// Frames are kept as they were captured and levelled when they are loaded (clip_load.c).
static bool putFloor(const rpClipRecord* record, rpText* out, rpError* error)
{
	rpTake take;
	rpTreatment treatment;
	if (record->take.size == 0)
	{
		return true;
	}
	bool done = rpDecodeTake(record->take.data, record->take.size, &take, &treatment, error);
	if (done && rpFloor_IsUneven(&treatment.floor) && !treatment.floor.isSteep)
	{
		rpText_AppendString(out, "\nfloor");
		putReal(out, treatment.floor.slopeX);
		putReal(out, treatment.floor.slopeZ);
		putReal(out, treatment.floor.height);
	}
	rpTake_Free(&take);
	return done;
}

static bool putContacts(const rpClipRecord* record, rpText* out, rpError* error)
{
	rpAnnotations annotations = {0};
	bool done = rpReadAnnotations(record->annotations, strlen(record->annotations), &annotations, error);
	for (int i = 0; done && i < annotations.intervalCount; ++i)
	{
		const rpInterval* interval = &annotations.intervals[i];
		if (interval->track == rp_trackContact)
		{
			rpText_Print(out, "\ncontact %d", (int)interval->effector);
			putReal(out, interval->start);
			putReal(out, interval->end);
			putReal(out, (double)interval->supportHeight);
		}
	}
	rpAnnotations_Free(&annotations);
	return done;
}

static bool hashRecord(const rpClipRecord* record, char out[33], rpError* error)
{
	rpText text = {0};
	rpText_Print(&text, "%s %s %d", record->skeleton.hash, record->framesHash, record->frameCount);
	putReal(&text, record->fps);
	bool done = putFloor(record, &text, error) && putContacts(record, &text, error) &&
				(!text.failed || rpFail(error, rp_errorMemory, "out of memory"));
	if (done)
	{
		rpHashBytes(text.data, text.size, out);
	}
	rpText_Free(&text);
	return done;
}

bool rpHashClip(const rpLibrary* library, rpClipId clip, char out[33], rpError* error)
{
	rpClipRecord record = {0};
	bool done = rpStore_BeginRead(library, error) && rpReadClipRecord(library, clip, &record, error) &&
				hashRecord(&record, out, error);
	rpClipRecord_Free(&record);
	return rpStore_End(library, done, error);
}

// ---- all clips

static bool listInside(rpClipFinder* finder, rpError* error)
{
	const rpLibrary* library = finder->library;
	sqlite3_stmt* query = rpStore_Query(library, error, "SELECT id, name FROM clips ORDER BY name", "");
	bool failed = query == NULL;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		failed = !rpGrow(&finder->items, &finder->capacity, finder->count, sizeof(rpListedClip), error);
		if (!failed)
		{
			rpListedClip* item = &finder->items[finder->count++];
			*item = (rpListedClip){0};
			failed = !rpStore_ReadInteger(library, query, 0, 1, INT64_MAX, &item->id, error) ||
					 !rpStore_ReadText(library, query, 1, RP_LIBRARY_MAX_NAME, &item->name, error);
		}
	}
	sqlite3_finalize(query);
	return !failed;
}

static int compareNames(const void* a, const void* b)
{
	return strcmp(((const rpListedClip*)a)->name, ((const rpListedClip*)b)->name);
}

bool rpClipFinder_Open(rpClipFinder* finder, const rpLibrary* library, rpError* error)
{
	*finder = (rpClipFinder){.library = library};
	bool done = rpStore_BeginRead(library, error) && listInside(finder, error);
	done = rpStore_End(library, done, error);
	if (done && finder->count > 0)
	{
		// A damaged index would give them in another order.
		qsort(finder->items, (size_t)finder->count, sizeof(rpListedClip), compareNames);
	}
	return done;
}

void rpClipFinder_Free(rpClipFinder* finder)
{
	for (int i = 0; i < finder->count; ++i)
	{
		rpFree(finder->items[i].name);
	}
	rpFree(finder->items);
	*finder = (rpClipFinder){0};
}

// ---- one of them

static int findName(const rpClipFinder* finder, const char* name)
{
	rpListedClip wanted = {.name = (char*)(uintptr_t)name};
	const rpListedClip* found =
		finder->count > 0 ? bsearch(&wanted, finder->items, (size_t)finder->count, sizeof(rpListedClip), compareNames)
						  : NULL;
	return found != NULL ? (int)(found - finder->items) : -1;
}

// Whether a clip has that content. One that is damaged has none; it is not what is looked for.
static bool hasHash(rpClipFinder* finder, int index, const char* hash, bool* failed, rpError* error)
{
	rpListedClip* item = &finder->items[index];
	rpError inner = {0};
	if (item->hash[0] == 0 && !rpHashClip(finder->library, item->id, item->hash, &inner))
	{
		*failed = inner.code != rp_errorFormat && inner.code != rp_errorMissing;
		item->hash[0] = '-';
		if (*failed && error != NULL)
		{
			*error = inner;
		}
	}
	return strcmp(item->hash, hash) == 0;
}

// The first of that content that is not taken yet; one that is if there is no other, -1 if there is none.
static int findHash(rpClipFinder* finder, const char* hash, bool isMirrored, bool* failed, rpError* error)
{
	int found = -1;
	for (int i = 0; i < finder->count && !*failed; ++i)
	{
		bool isBetter =
			found < 0 || (finder->items[found].isTaken[isMirrored] && !finder->items[i].isTaken[isMirrored]);
		found = isBetter && hasHash(finder, i, hash, failed, error) ? i : found;
	}
	return found;
}

rpClipSearch rpClipFinder_Take(rpClipFinder* finder, const char* name, const char* hash, bool isMirrored, int* index,
							   rpError* error)
{
	bool failed = false;
	int named = findName(finder, name);
	bool isRight = named >= 0 && !finder->items[named].isTaken[isMirrored] && hash[0] != 0 &&
				   hasHash(finder, named, hash, &failed, error);
	*index = isRight || hash[0] == 0 || failed ? named : findHash(finder, hash, isMirrored, &failed, error);
	if (failed)
	{
		return rp_clipFailed;
	}
	if (*index < 0)
	{
		// One that the model knows as another clip has only got the name.
		return named >= 0 && !finder->items[named].isTaken[isMirrored] ? rp_clipChanged : rp_clipMissing;
	}
	bool* isTaken = &finder->items[*index].isTaken[isMirrored];
	bool isTwice = *isTaken;
	*isTaken = true;
	return isTwice ? rp_clipTwice : rp_clipFound;
}
