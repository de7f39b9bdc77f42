#include "build/minima_cache.h"

#include "base/error.h"
#include "base/memory.h"
#include "build/model_kind.h"
#include "motion/plausible.h"

#include <stdlib.h>
#include <string.h>

/// A pair of clips by their hashes ("~" after that of a mirror image), and its minima.
typedef struct rpCachedPair
{
	char a[34], b[34];
	rpMinima minima;
} Pair;

// What the bundle around pairs and minima takes at most, bytes.
#define FRAME_SIZE 4096

/// MPAI: a pair, and where its minima are in MMIN.
typedef struct PairRecord
{
	char a[34], b[34];
	int32_t first, count;
} PairRecord;

_Static_assert(sizeof(PairRecord) == 76 && sizeof(rpMinimum) == 28, "the layout of the model");

static int comparePairs(const void* a, const void* b)
{
	const Pair* x = a;
	const Pair* y = b;
	int order = strcmp(x->a, y->a);
	return order != 0 ? order : strcmp(x->b, y->b);
}

// Among those that were loaded, which are sorted.
static const Pair* findPair(const rpMinimaCache* cache, const char* a, const char* b)
{
	Pair wanted = {0};
	memcpy(wanted.a, a, sizeof(wanted.a));
	memcpy(wanted.b, b, sizeof(wanted.b));
	return cache->loadedCount > 0
			   ? bsearch(&wanted, cache->pairs, (size_t)cache->loadedCount, sizeof(Pair), comparePairs)
			   : NULL;
}

static bool copyMinima(const rpMinimum* items, int count, rpMinima* out, rpError* error)
{
	out->items = rpAllocate((size_t)count, sizeof(rpMinimum), error);
	if (out->items == NULL)
	{
		return false;
	}
	if (count > 0)
	{
		memcpy(out->items, items, (size_t)count * sizeof(rpMinimum));
	}
	out->count = out->capacity = count;
	return true;
}

static size_t getSize(int minimumCount)
{
	return sizeof(PairRecord) + (size_t)minimumCount * sizeof(rpMinimum);
}

static bool addPair(rpMinimaCache* cache, const char* a, const char* b, const rpMinimum* items, int count,
					rpError* error)
{
	if (!rpGrow(&cache->pairs, &cache->capacity, cache->count, sizeof(Pair), error))
	{
		return false;
	}
	Pair* pair = &cache->pairs[cache->count];
	*pair = (Pair){0};
	memcpy(pair->a, a, sizeof(pair->a));
	memcpy(pair->b, b, sizeof(pair->b));
	if (!copyMinima(items, count, &pair->minima, error))
	{
		return false;
	}
	++cache->count;
	cache->size += getSize(count);
	return true;
}

// 32 hexadecimal digits, "~" behind those of a mirror image, zeros.
static bool isHash(const char hash[34])
{
	size_t digits = strspn(hash, "0123456789abcdef"), size = digits + (hash[digits] == '~');
	return digits == 32 && hash[size] == 0 && hash[33] == 0;
}

// No two pairs share minima: what is made of them follows the file's size.
static bool isSoundRecord(const PairRecord* record, int next, int minimumCount)
{
	return record->a[33] == 0 && isHash(record->a) && record->b[33] == 0 && isHash(record->b) &&
		   record->first == next && record->count >= 0 && record->count <= minimumCount - next;
}

// Whether they lie inside the clips is seen when they are used: frames of clips are not known here.
static bool areSoundMinima(const rpMinimum* minima, int count)
{
	bool isSound = true;
	for (int i = 0; i < count && isSound; ++i)
	{
		const rpMinimum* minimum = &minima[i];
		isSound = minimum->i >= 0 && minimum->i < RP_MAX_FRAMES && minimum->j >= 0 && minimum->j < RP_MAX_FRAMES &&
				  minimum->distance >= 0.0f && minimum->distance <= RP_FARTHEST && rpIsAlignment(minimum->alignment);
	}
	return isSound;
}

static bool failMinima(rpError* error)
{
	rpFail(error, rp_errorFormat, "the minima kept in the library are damaged");
	rpError_SetHint(error, "remove them: reprise graph remove LIB --comparisons; the next graph build makes them anew");
	return false;
}

static bool readPairs(rpMinimaCache* cache, const rpBundle* bundle, rpError* error)
{
	int pairCount, minimumCount, next = 0;
	const PairRecord* records = rpBundle_GetChunk(bundle, "MPAI", sizeof(PairRecord), &pairCount, error);
	const rpMinimum* minima = rpBundle_GetChunk(bundle, "MMIN", sizeof(rpMinimum), &minimumCount, error);
	bool done = records != NULL && minima != NULL && (areSoundMinima(minima, minimumCount) || failMinima(error));
	for (int i = 0; i < pairCount && done; ++i)
	{
		done = isSoundRecord(&records[i], next, minimumCount)
				   ? addPair(cache, records[i].a, records[i].b, minima + next, records[i].count, error)
				   : failMinima(error);
		next += records[i].count;
	}
	return done && (next == minimumCount || failMinima(error));
}

bool rpMinimaCache_Load(rpMinimaCache* cache, const rpLibrary* library, const char* name, rpError* error)
{
	rpError why = {0};
	rpMinimaCache* known = rpModelKind_Load(&rpMinimaModelKind, library, name, &why);
	if (known != NULL)
	{
		*cache = *known;
		rpFree(known);
	}
	else if (why.code != rp_errorMissing && error != NULL)
	{
		*error = why;
	}
	return known != NULL || why.code == rp_errorMissing;
}

static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	(void)library;
	const rpMinimaCache* cache = model;
	size_t total = 0;
	for (int i = 0; i < cache->count; ++i)
	{
		total += (size_t)cache->pairs[i].minima.count;
	}
	if (total > INT32_MAX)
	{
		return rpFail(error, rp_errorLimit, "too many minima to keep");
	}
	PairRecord* records = rpAllocateZero((size_t)cache->count, sizeof(PairRecord), error);
	rpMinimum* minima = rpAllocate(total, sizeof(rpMinimum), error);
	bool done = records != NULL && minima != NULL;
	int next = 0;
	for (int i = 0; i < cache->count && done; ++i)
	{
		const Pair* pair = &cache->pairs[i];
		memcpy(records[i].a, pair->a, sizeof(pair->a));
		memcpy(records[i].b, pair->b, sizeof(pair->b));
		records[i].first = next;
		records[i].count = pair->minima.count;
		if (pair->minima.count > 0)
		{
			memcpy(minima + next, pair->minima.items, (size_t)pair->minima.count * sizeof(rpMinimum));
		}
		next += pair->minima.count;
	}
	done = done && rpBundleWriter_Add(writer, "MPAI", records, cache->count, sizeof(PairRecord), error) &&
		   rpBundleWriter_Add(writer, "MMIN", minima, next, sizeof(rpMinimum), error);
	rpFree(records);
	rpFree(minima);
	return done;
}

bool rpMinimaCache_Save(const rpMinimaCache* cache, rpLibrary* library, const char* name, rpError* error)
{
	if (!cache->isChanged)
	{
		return true;
	}
	// In a fixed order, whatever came first.
	qsort(cache->pairs, (size_t)cache->count, sizeof(Pair), comparePairs);
	return rpModelKind_Put(&rpMinimaModelKind, library, name, cache, error);
}

void rpMinimaCache_Free(rpMinimaCache* cache)
{
	for (int i = 0; i < cache->count; ++i)
	{
		rpMinima_Free(&cache->pairs[i].minima);
	}
	rpFree(cache->pairs);
	*cache = (rpMinimaCache){0};
}

// ---- its row in the table of kinds

static void destroy(void* model)
{
	rpMinimaCache_Free(model);
	rpFree(model);
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	(void)library;
	(void)name;
	rpMinimaCache* cache = rpAllocateZero(1, sizeof(rpMinimaCache), error);
	if (cache != NULL && !readPairs(cache, bundle, error))
	{
		destroy(cache);
		return NULL;
	}
	if (cache != NULL && cache->count > 0)
	{
		cache->loadedCount = cache->count;
		qsort(cache->pairs, (size_t)cache->count, sizeof(Pair), comparePairs);
	}
	return cache;
}

static int count(const void* model, rpModelCount* out)
{
	out[0] = (rpModelCount){"pairs", "pairs of clips", ((const rpMinimaCache*)model)->count};
	return 1;
}

const rpModelKind rpMinimaModelKind = {
	.info = {"minima", "what graph build remembers of comparing clips", NULL, false},
	.chunk = "MPAI",
	.version = 1,
	.store = store,
	.load = load,
	.destroy = destroy,
	.count = count,
};

// ---- the store

static bool find(int a, int b, rpMinima* out, void* context)
{
	const rpMinimaCache* cache = context;
	const Pair* pair = findPair(cache, cache->hashes[a], cache->hashes[b]);
	return pair != NULL && copyMinima(pair->minima.items, pair->minima.count, out, NULL);
}

static bool keep(int a, int b, const rpMinima* minima, void* context, rpError* error)
{
	rpMinimaCache* cache = context;
	if (FRAME_SIZE + cache->size + getSize(minima->count) > RP_MAX_MODEL_SIZE)
	{
		++cache->unkeptCount;
		return true;
	}
	cache->isChanged = true;
	return addPair(cache, cache->hashes[a], cache->hashes[b], minima->items, minima->count, error);
}

rpMinimaStore rpMinimaCache_GetStore(rpMinimaCache* cache)
{
	return (rpMinimaStore){find, keep, cache};
}
