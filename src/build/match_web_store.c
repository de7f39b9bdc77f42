#include "build/match_web_store.h"

#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <string.h>

/// MWCL: a clip. MWSZ: sizes of pairs, int32 each, in rows. MWBY: their bytes, one after another.
typedef struct ClipRecord
{
	char hash[36];
	int32_t tiles;
} ClipRecord;

_Static_assert(sizeof(ClipRecord) == 40, "the layout of the model");

void rpWovenWeb_Free(rpWovenWeb* web)
{
	for (int k = 0; web->pairs != NULL && web->bytes == NULL && k < web->count * web->count; ++k)
	{
		rpFree(web->pairs[k].bytes);
	}
	rpFree(web->pairs);
	rpFree(web->bytes);
	rpFree(web->clips);
	*web = (rpWovenWeb){0};
}

int rpWovenWeb_Find(const rpWovenWeb* web, const char* hash)
{
	int low = 0, high = web->count - 1, found = -1;
	while (low <= high && found < 0)
	{
		int middle = low + (high - low) / 2, order = strcmp(hash, web->clips[middle].hash);
		found = order == 0 ? middle : -1;
		low = order > 0 ? middle + 1 : low;
		high = order < 0 ? middle - 1 : high;
	}
	return found;
}

// ---- to a bundle

static bool store(const rpLibrary* library, const void* model, rpBundleWriter* writer, rpError* error)
{
	(void)library;
	const rpWovenWeb* web = model;
	int pairCount = web->count * web->count;
	size_t size = 0;
	for (int k = 0; k < pairCount; ++k)
	{
		size += web->pairs[k].size;
	}
	if (size > RP_MAX_MODEL_SIZE || (size_t)pairCount * sizeof(int32_t) > RP_MAX_MODEL_SIZE)
	{
		return rpFail(error, rp_errorLimit, "a match web of %.0f MB; a library keeps %.0f MB at most",
					  1e-6 * (double)size, 1e-6 * (double)RP_MAX_MODEL_SIZE);
	}
	ClipRecord* clips = rpBundleWriter_Reserve(writer, "MWCL", web->count, sizeof(ClipRecord), error);
	int32_t* sizes = rpBundleWriter_Reserve(writer, "MWSZ", pairCount, sizeof(int32_t), error);
	uint8_t* bytes = rpBundleWriter_Reserve(writer, "MWBY", (int)size, 1, error);
	if (clips == NULL || sizes == NULL || bytes == NULL)
	{
		return false;
	}
	for (int k = 0; k < web->count; ++k)
	{
		clips[k] = (ClipRecord){.tiles = web->clips[k].tiles};
		memcpy(clips[k].hash, web->clips[k].hash, sizeof(web->clips[k].hash));
	}
	for (int k = 0; k < pairCount; ++k)
	{
		sizes[k] = (int32_t)web->pairs[k].size;
		memcpy(bytes, web->pairs[k].bytes, web->pairs[k].size);
		bytes += web->pairs[k].size;
	}
	return true;
}

// ---- from a bundle

static bool failDamaged(rpError* error)
{
	rpFail(error, rp_errorFormat, "the match web kept in the library is damaged");
	rpError_SetHint(error, "weave it anew: reprise space find LIB#CLIP@A..B --web");
	return false;
}

// 32 hexadecimal digits, "~" behind those of a mirror image, zeros; in their order.
static bool isSoundClip(const ClipRecord* clips, int k)
{
	const char* hash = clips[k].hash;
	size_t digits = strspn(hash, "0123456789abcdef"), size = digits + (hash[digits] == '~');
	return hash[33] == 0 && digits == 32 && hash[size] == 0 && clips[k].tiles > 0 &&
		   clips[k].tiles <= rpWeb_CountTiles(RP_MAX_FRAMES) && (k == 0 || strcmp(clips[k - 1].hash, hash) < 0);
}

static bool takeClips(rpWovenWeb* web, const ClipRecord* clips, int count, rpError* error)
{
	web->clips = rpAllocate((size_t)count + 1, sizeof(rpWovenClip), error);
	bool done = web->clips != NULL;
	for (int k = 0; k < count && done; ++k)
	{
		// The last byte of a hash is looked at first: it ends it.
		done = clips[k].hash[33] == 0 && isSoundClip(clips, k);
		if (!done)
		{
			return failDamaged(error);
		}
		web->clips[k].tiles = clips[k].tiles;
		memcpy(web->clips[k].hash, clips[k].hash, sizeof(web->clips[k].hash));
		web->count = k + 1;
	}
	return done;
}

static bool takePairs(rpWovenWeb* web, const int32_t* sizes, const uint8_t* bytes, int size, rpError* error)
{
	int pairCount = web->count * web->count, at = 0;
	web->pairs = rpAllocateZero((size_t)pairCount + 1, sizeof(rpWebPair), error);
	web->bytes = rpAllocate((size_t)size + 1, 1, error);
	if (web->pairs == NULL || web->bytes == NULL)
	{
		return false;
	}
	memcpy(web->bytes, bytes, (size_t)size);
	for (int k = 0; k < pairCount; ++k)
	{
		if (sizes[k] < 0 || sizes[k] > size - at)
		{
			return failDamaged(error);
		}
		web->pairs[k] = (rpWebPair){web->bytes + at, (size_t)sizes[k], web->clips[k / web->count].tiles,
									web->clips[k % web->count].tiles};
		at += sizes[k];
	}
	return at == size || failDamaged(error);
}

static void destroy(void* model)
{
	rpWovenWeb_Free(model);
	rpFree(model);
}

static bool read(rpWovenWeb* web, const rpBundle* bundle, rpError* error)
{
	int clipCount = 0, pairCount = 0, size = 0;
	const ClipRecord* clips = rpBundle_GetChunk(bundle, "MWCL", sizeof(ClipRecord), &clipCount, error);
	const int32_t* sizes = clips != NULL ? rpBundle_GetChunk(bundle, "MWSZ", sizeof(int32_t), &pairCount, error) : NULL;
	const uint8_t* bytes = sizes != NULL ? rpBundle_GetChunk(bundle, "MWBY", 1, &size, error) : NULL;
	if (bytes == NULL)
	{
		return false;
	}
	if ((int64_t)clipCount * clipCount != pairCount)
	{
		return failDamaged(error);
	}
	return takeClips(web, clips, clipCount, error) && takePairs(web, sizes, bytes, size, error);
}

static void* load(const rpLibrary* library, const rpBundle* bundle, const char* name, rpError* error)
{
	(void)library;
	(void)name;
	rpWovenWeb* web = rpAllocateZero(1, sizeof(rpWovenWeb), error);
	if (web != NULL && !read(web, bundle, error))
	{
		// Pairs point into the bytes only once these are there.
		if (web->bytes == NULL)
		{
			rpFree(web->pairs);
			web->pairs = NULL;
		}
		destroy(web);
		web = NULL;
	}
	return web;
}

static int count(const void* model, rpModelCount* out)
{
	out[0] = (rpModelCount){"clips", "clips and mirror images", ((const rpWovenWeb*)model)->count};
	return 1;
}

const rpModelKind rpMatchWebModelKind = {
	.info = {"match-web", "what space find remembers of comparing clips", NULL, false},
	.chunk = "MWCL",
	.version = 1,
	.store = store,
	.load = load,
	.destroy = destroy,
	.count = count,
};
