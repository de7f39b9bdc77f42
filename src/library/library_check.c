/// Looking for damage: SQLite's own check of its pages, indexes and types; then that all references lead somewhere;
/// then every skeleton and every clip is loaded, which checks sizes, hashes, seals and frames.
#include "base/assert.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "library/clip_load.h"

#include <stdio.h>
#include <string.h>

// More lines than these say nothing new.
#define MAX_FINDINGS 200

/// Where a check stands.
typedef struct Check
{
	const rpLibrary* library;
	rpFindings* findings;
	int count;
} Check;

static void add(Check* check, const char* code, const char* message)
{
	if (check->count++ < MAX_FINDINGS)
	{
		rpFinding* finding = rpFindings_Add(check->findings, code, "%s", message);
		rpFinding_SetAction(finding, false, "nothing; export what is whole to a new library");
	}
}

// Damage becomes a finding; what keeps the check itself from going on does not.
static bool note(Check* check, const char* code, const rpError* inner, rpError* error)
{
	if (inner->code == rp_errorFormat || inner->code == rp_errorMissing || inner->code == rp_errorLimit ||
		inner->code == rp_errorVersion)
	{
		add(check, code, inner->message);
		return true;
	}
	if (error != NULL)
	{
		*error = *inner;
	}
	return false;
}

// Each row of a query is one finding: its first column, "ok" excepted.
static bool checkRows(Check* check, const char* code, const char* sql, rpError* error)
{
	rpError inner = {0};
	sqlite3_stmt* query = rpStore_Query(check->library, &inner, sql, "");
	bool failed = query == NULL;
	while (!failed && rpStore_Step(check->library, query, &failed, &inner))
	{
		const char* text = (const char*)sqlite3_column_text(query, 0);
		if (text == NULL || strcmp(text, "ok") != 0)
		{
			char* safe = rpCopyAsText(text, &inner);
			failed = safe == NULL;
			add(check, code, safe != NULL ? safe : "");
			rpFree(safe);
		}
	}
	sqlite3_finalize(query);
	return !failed || note(check, code, &inner, error);
}

static bool checkReferences(Check* check, rpError* error)
{
	static const char* const queries[] = {
		"SELECT 'clip ' || id || ' has no skeleton' FROM clips WHERE skeleton NOT IN (SELECT id FROM skeletons)",
		"SELECT 'skeleton ' || id || ' belongs to no clip' FROM skeletons WHERE id NOT IN (SELECT skeleton FROM clips)",
		"SELECT 'frames of clip ' || clip || ', which is missing' FROM frames WHERE clip NOT IN (SELECT id FROM clips)",
		"SELECT 'a label of clip ' || clip || ', which is missing' FROM labels WHERE clip NOT IN (SELECT id FROM "
		"clips)",
		"SELECT 'an input of clip ' || clip || ', which is missing' FROM inputs WHERE clip NOT IN (SELECT id FROM "
		"clips)",
		"SELECT 'the numbers of clips begin anew' FROM (SELECT max(id) AS most FROM clips) WHERE most > "
		"(SELECT ifnull(max(seq), 0) FROM sqlite_sequence WHERE name = 'clips')",
	};
	static const char* const takes =
		"SELECT 'a take of clip ' || clip || ', which is missing' FROM takes WHERE clip NOT IN (SELECT id FROM clips)";
	bool hasTakes = false, done = rpStore_HasTakes(check->library, &hasTakes, error);
	done = done && (!hasTakes || checkRows(check, "reference", takes, error));
	for (size_t i = 0; done && i < sizeof(queries) / sizeof(queries[0]); ++i)
	{
		done = checkRows(check, "reference", queries[i], error);
	}
	return done;
}

// A cut in bytes that nothing uses would go unseen otherwise. Whole pages too many are what a program leaves that was
// killed after a removal was done, before the file was made shorter.
static bool checkSize(Check* check, rpError* error)
{
	rpError inner = {0};
	int64_t pageCount, pageSize, fileSize;
	if (!rpStore_GetNumber(check->library, &pageCount, NULL, &inner, "PRAGMA page_count", "") ||
		!rpStore_GetNumber(check->library, &pageSize, NULL, &inner, "PRAGMA page_size", "") ||
		!rpStore_GetFileSize(check->library, &fileSize, &inner))
	{
		return note(check, "structure", &inner, error);
	}
	int64_t expected = pageCount * pageSize;
	if (fileSize < expected || fileSize % pageSize != 0)
	{
		char message[120];
		snprintf(message, sizeof(message), "the file has %lld bytes instead of %lld", (long long)fileSize,
				 (long long)expected);
		add(check, "structure", message);
	}
	return true;
}

/// Numbers of rows.
typedef struct Ids
{
	int64_t* items;
	int count, capacity;
} Ids;

static bool listIds(Check* check, const char* sql, Ids* out, rpError* error)
{
	rpError inner = {0};
	sqlite3_stmt* query = rpStore_Query(check->library, &inner, sql, "");
	bool failed = query == NULL;
	while (!failed && rpStore_Step(check->library, query, &failed, &inner))
	{
		failed = !rpGrow(&out->items, &out->capacity, out->count, sizeof(int64_t), &inner);
		if (!failed)
		{
			out->items[out->count++] = sqlite3_column_int64(query, 0);
		}
	}
	sqlite3_finalize(query);
	return !failed || note(check, "structure", &inner, error);
}

static bool checkSkeleton(Check* check, int64_t id, rpError* error)
{
	rpError inner = {0};
	rpKnownSkeleton known;
	return rpReadKnownSkeleton(check->library, id, &known, &inner) || note(check, "skeleton", &inner, error);
}

static bool checkClip(Check* check, int64_t id, rpError* error)
{
	rpError inner = {0};
	rpMotion* motion = rpLoadInside(check->library, id, &inner);
	rpDestroyMotion(motion);
	if (motion != NULL)
	{
		return true;
	}
	char message[sizeof(inner.message)];
	memcpy(message, inner.message, sizeof(message));
	snprintf(inner.message, sizeof(inner.message), "clip %lld: %.400s", (long long)id, message);
	return note(check, "clip", &inner, error);
}

// The maker of a model knows what is in it; here its bytes must be those that were kept.
static bool checkModel(Check* check, int64_t id, rpError* error)
{
	rpError inner = {0};
	char kept[33], computed[33] = "";
	const void* data = NULL;
	size_t size = 0;
	sqlite3_stmt* query = rpStore_Query(check->library, &inner, "SELECT hash, data FROM models WHERE id = ?", "i", id);
	bool failed = query == NULL;
	if (!failed && rpStore_Step(check->library, query, &failed, &inner))
	{
		failed = !rpStore_ReadHash(check->library, query, 0, kept, &inner) ||
				 !rpStore_ReadBlob(check->library, query, 1, &data, &size, &inner);
		if (!failed)
		{
			rpHashBytes(data != NULL ? data : "", size, computed);
		}
		failed =
			failed || (strcmp(kept, computed) != 0 &&
					   !rpStore_FailDamaged(check->library, &inner, "model %lld does not fit its hash", (long long)id));
	}
	sqlite3_finalize(query);
	return !failed || note(check, "model", &inner, error);
}

static bool checkEach(Check* check, const char* sql, bool (*one)(Check*, int64_t, rpError*), rpError* error)
{
	Ids ids = {0};
	bool done = listIds(check, sql, &ids, error);
	for (int i = 0; done && i < ids.count; ++i)
	{
		done = one(check, ids.items[i], error);
	}
	rpFree(ids.items);
	return done;
}

static bool checkInside(Check* check, rpError* error)
{
	return checkSize(check, error) && checkRows(check, "structure", "PRAGMA integrity_check", error) &&
		   checkReferences(check, error) &&
		   checkEach(check, "SELECT id FROM skeletons ORDER BY id", checkSkeleton, error) &&
		   checkEach(check, "SELECT id FROM clips ORDER BY id", checkClip, error) &&
		   checkEach(check, "SELECT id FROM models ORDER BY id", checkModel, error);
}

bool rpCheckLibrary(const char* path, rpFindings* findings, rpError* error)
{
	RP_ASSERT(path != NULL);
	rpError inner = {0};
	Check check = {.findings = findings};
	rpLibrary* library = rpOpenLibrary(path, rp_openRead, &inner);
	check.library = library;
	if (library == NULL)
	{
		// A file that is none of ours is a mistake of the caller; ours that cannot be opened is damage.
		bool damaged = inner.code == rp_errorFormat && strstr(inner.message, "damaged") != NULL;
		return damaged ? note(&check, "structure", &inner, error) : (error != NULL ? (*error = inner, false) : false);
	}
	bool done = rpStore_BeginRead(library, error) && checkInside(&check, error);
	done = rpStore_End(library, done, error);
	rpCloseLibrary(library);
	return done;
}
