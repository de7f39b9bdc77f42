/// Skeletons are kept exactly, each once (by the hash of its bytes), and grouped into families: all members of
/// a family match each other (rpSkeleton_Matches), so that their clips can be blended, while roles, rest pose and
/// limits stay as they were given.
#include "library/skeleton_cache.h"

#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "motion/skeleton_blob.h"

#include <string.h>

struct rpSkeletonCache
{
	rpKnownSkeleton* items;
	int count, capacity;
};

rpSkeletonCache* rpCreateSkeletonCache(rpError* error)
{
	return rpAllocateZero(1, sizeof(rpSkeletonCache), error);
}

void rpDestroySkeletonCache(rpSkeletonCache* cache)
{
	for (int i = 0; cache != NULL && i < cache->count; ++i)
	{
		rpReleaseSkeleton(cache->items[i].skeleton);
	}
	if (cache != NULL)
	{
		rpFree(cache->items);
		rpFree(cache);
	}
}

static bool addToCache(rpSkeletonCache* cache, const rpKnownSkeleton* known, rpError* error)
{
	if (!rpGrow(&cache->items, &cache->capacity, cache->count, sizeof(rpKnownSkeleton), error))
	{
		return false;
	}
	cache->items[cache->count++] = *known;
	return true;
}

static bool decodeRow(const rpLibrary* library, sqlite3_stmt* query, rpKnownSkeleton* out, rpError* error)
{
	const void* bytes;
	size_t size;
	char hash[33];
	if (!rpStore_ReadBlob(library, query, 2, &bytes, &size, error))
	{
		return false;
	}
	rpHashBytes(bytes != NULL ? bytes : "", size, hash);
	if (strcmp(hash, out->hash) != 0)
	{
		return rpStore_FailDamaged(library, error, "skeleton %lld does not fit its hash", (long long)out->id);
	}
	rpError inner = {0};
	out->skeleton = rpDecodeSkeleton(bytes, size, &inner);
	if (out->skeleton != NULL)
	{
		return true;
	}
	return inner.code == rp_errorMemory
			   ? rpFail(error, rp_errorMemory, "%s", inner.message)
			   : rpStore_FailDamaged(library, error, "skeleton %lld is %.200s", (long long)out->id, inner.message);
}

static const rpKnownSkeleton* findInCache(const rpSkeletonCache* cache, const rpKnownSkeleton* wanted)
{
	for (int i = 0; i < cache->count; ++i)
	{
		const rpKnownSkeleton* known = cache->items + i;
		if (known->id == wanted->id && known->family == wanted->family && strcmp(known->hash, wanted->hash) == 0)
		{
			return known;
		}
	}
	return NULL;
}

// The query stands on a row of family, hash, data.
static bool readRow(const rpLibrary* library, sqlite3_stmt* query, rpKnownSkeleton* out, rpError* error)
{
	if (!rpStore_ReadInteger(library, query, 0, 1, INT64_MAX, &out->family, error) ||
		!rpStore_ReadHash(library, query, 1, out->hash, error))
	{
		return false;
	}
	const rpKnownSkeleton* known = findInCache(library->skeletons, out);
	if (known != NULL)
	{
		*out = *known;
		return true;
	}
	if (!decodeRow(library, query, out, error))
	{
		return false;
	}
	if (!addToCache(library->skeletons, out, error))
	{
		rpReleaseSkeleton(out->skeleton);
		out->skeleton = NULL;
		return false;
	}
	return true;
}

bool rpReadKnownSkeleton(const rpLibrary* library, int64_t id, rpKnownSkeleton* out, rpError* error)
{
	*out = (rpKnownSkeleton){.id = id};
	sqlite3_stmt* query =
		rpStore_Query(library, error, "SELECT family, hash, data FROM skeletons WHERE id = ?", "i", id);
	bool failed = query == NULL;
	bool row = !failed && rpStore_Step(library, query, &failed, error);
	bool done = row && readRow(library, query, out, error);
	sqlite3_finalize(query);
	if (!row && !failed)
	{
		return rpStore_FailDamaged(library, error, "skeleton %lld is missing", (long long)id);
	}
	return done;
}

/// The numbers of all skeletons, sorted by family.
typedef struct Members
{
	int64_t* ids;
	int count, capacity;
} Members;

static bool listMembers(const rpLibrary* library, Members* out, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(library, error, "SELECT id FROM skeletons ORDER BY family, id", "");
	bool failed = query == NULL;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		failed = !rpGrow(&out->ids, &out->capacity, out->count, sizeof(int64_t), error) ||
				 !rpStore_ReadInteger(library, query, 0, 1, INT64_MAX, out->ids + out->count, error);
		out->count += !failed;
	}
	sqlite3_finalize(query);
	return !failed;
}

// The first family of which every member matches; 0 if there is none.
static bool findFamily(const rpLibrary* library, const rpSkeleton* skeleton, int64_t* out, rpError* error)
{
	Members members = {0};
	bool done = listMembers(library, &members, error);
	int64_t family = 0;
	bool matches = false;
	*out = 0;
	for (int i = 0; done && i < members.count; ++i)
	{
		rpKnownSkeleton known;
		done = rpReadKnownSkeleton(library, members.ids[i], &known, error);
		if (done && known.family != family)
		{
			*out = matches ? family : *out;
			family = known.family;
			matches = true;
		}
		matches = done && matches && *out == 0 && rpSkeleton_Matches(known.skeleton, skeleton);
	}
	*out = matches ? family : *out;
	rpFree(members.ids);
	return done;
}

static bool insertSkeleton(const rpLibrary* library, const rpSkeleton* skeleton, const void* bytes, size_t size,
						   rpKnownSkeleton* out, rpError* error)
{
	if (!findFamily(library, skeleton, &out->family, error) ||
		!rpStore_Run(library, error, "INSERT INTO skeletons(family, hash, data) VALUES(?, ?, ?)", "isb", out->family,
					 out->hash, bytes, size))
	{
		return false;
	}
	out->id = sqlite3_last_insert_rowid(library->db);
	if (out->family != 0)
	{
		return true;
	}
	out->family = out->id;
	return rpStore_Run(library, error, "UPDATE skeletons SET family = id WHERE id = ?", "i", out->id);
}

bool rpKeepSkeleton(const rpLibrary* library, const rpSkeleton* skeleton, const void* bytes, size_t size,
					const char* hash, rpKnownSkeleton* out, rpError* error)
{
	bool found;
	*out = (rpKnownSkeleton){0};
	memcpy(out->hash, hash, sizeof(out->hash));
	if (!rpStore_GetNumber(library, &out->id, &found, error, "SELECT id FROM skeletons WHERE hash = ?", "s", hash))
	{
		return false;
	}
	if (found)
	{
		return rpReadKnownSkeleton(library, out->id, out, error);
	}
	return insertSkeleton(library, skeleton, bytes, size, out, error);
}
