#include "build/minima_cache.h"

#include "base/error.h"
#include "base/memory.h"
#include "build/model_kind.h"
#include "motion/plausible.h"

#include <stdlib.h>
#include <string.h>

/// MPAI: a pair of clips by their hashes ("~" after that of a mirror image), and where its minima are in MMIN. There
/// are many pairs of few minima: they lie in memory as they do in the model.
typedef struct rpCachedPair
{
	char a[34], b[34];
	int32_t first, count;
} Pair;

_Static_assert(sizeof(Pair) == 76 && sizeof(rpMinimum) == 28, "the layout of the model");

// What the bundle around pairs and minima takes at most, bytes.
#define FRAME_SIZE 4096

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

// Behind those that are there. No array is taken for none, so that all of a pair without minima is its line.
static bool addMinima(const rpMinimum* items, int count, rpMinima* out, rpError* error)
{
	bool done = true;
	for (int k = 0; k < count && done; ++k)
	{
		done = rpGrow(&out->items, &out->capacity, out->count, sizeof(rpMinimum), error);
		if (done)
		{
			out->items[out->count++] = items[k];
		}
	}
	return done;
}

static size_t getSize(int minimumCount)
{
	return sizeof(Pair) + (size_t)minimumCount * sizeof(rpMinimum);
}

static bool addPair(rpMinimaCache* cache, const char* a, const char* b, const rpMinimum* items, int count,
					rpError* error)
{
	Pair pair = {.first = cache->minima.count, .count = count};
	memcpy(pair.a, a, sizeof(pair.a));
	memcpy(pair.b, b, sizeof(pair.b));
	if (!rpGrow(&cache->pairs, &cache->capacity, cache->count, sizeof(Pair), error) ||
		!addMinima(items, count, &cache->minima, error))
	{
		return false;
	}
	cache->pairs[cache->count++] = pair;
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
static bool isSoundRecord(const Pair* record, int next, int minimumCount)
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
	const Pair* records = rpBundle_GetChunk(bundle, "MPAI", sizeof(Pair), &pairCount, error);
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

// Minima in the order of their pairs.
static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	(void)library;
	const rpMinimaCache* cache = model;
	Pair* records = rpBundleWriter_Reserve(writer, "MPAI", cache->count, sizeof(Pair), error);
	rpMinimum* minima = rpBundleWriter_Reserve(writer, "MMIN", cache->minima.count, sizeof(rpMinimum), error);
	bool done = records != NULL && minima != NULL;
	for (int i = 0, next = 0; i < cache->count && done; ++i)
	{
		records[i] = cache->pairs[i];
		records[i].first = next;
		for (int k = 0; k < records[i].count; ++k)
		{
			minima[next++] = cache->minima.items[cache->pairs[i].first + k];
		}
	}
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
	rpMinima_Free(&cache->minima);
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
	return pair != NULL && (pair->count == 0 || addMinima(cache->minima.items + pair->first, pair->count, out, NULL));
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
