/// Models in a library: bytes under a name, with a hash.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "file/bytes.h"
#include "library/store.h"

#include <string.h>

static bool checkName(const char* name, rpError* error)
{
	size_t size = strlen(name);
	return (size > 0 && size <= RP_LIBRARY_MAX_NAME && rpIsUtf8(name, size)) ||
		   rpFail(error, rp_errorArgument, "a model's name is UTF-8 of 1 to %d bytes", RP_LIBRARY_MAX_NAME);
}

// The kind of the model of that name, to be freed; *found says whether there is one.
static bool findKind(const rpLibrary* library, const char* name, char** kind, bool* found, rpError* error)
{
	*kind = NULL;
	sqlite3_stmt* query = rpStore_Query(library, error, "SELECT kind FROM models WHERE name = ?", "s", name);
	bool failed = query == NULL;
	*found = !failed && rpStore_Step(library, query, &failed, error);
	failed = failed || (*found && !rpStore_ReadText(library, query, 0, RP_LIBRARY_MAX_NAME, kind, error));
	sqlite3_finalize(query);
	return !failed;
}

static bool putInside(const rpLibrary* library, const char* name, const char* kind, int version, const void* bytes,
					  size_t size, rpError* error)
{
	char hash[33];
	char* old;
	bool found;
	if (!findKind(library, name, &old, &found, error))
	{
		return false;
	}
	bool isOther = found && strcmp(old, kind) != 0;
	if (isOther)
	{
		rpFail(error, rp_errorArgument, "\"%.150s\" is the name of another kind of model (%.50s)", name, old);
		rpError_SetHint(error, "choose another name");
	}
	rpFree(old);
	rpHashBytes(bytes, size, hash);
	return !isOther && (!found || rpStore_Run(library, error, "DELETE FROM models WHERE name = ?", "s", name)) &&
		   rpStore_Run(library, error, "INSERT INTO models(name, kind, version, hash, data) VALUES(?, ?, ?, ?, ?)",
					   "ssisb", name, kind, (int64_t)version, hash, bytes, size);
}

bool rpLibrary_PutModel(rpLibrary* library, const char* name, const char* kind, int version, const void* bytes,
						size_t size, rpError* error)
{
	RP_ASSERT(library != NULL && name != NULL && kind != NULL && bytes != NULL);
	if (size > RP_MAX_MODEL_SIZE)
	{
		return rpFail(error, rp_errorLimit, "a model of %zu bytes; at most %zu are allowed", size, RP_MAX_MODEL_SIZE);
	}
	bool done = checkName(name, error) && checkName(kind, error) && rpStore_BeginWrite(library, error) &&
				putInside(library, name, kind, version, bytes, size, error);
	return rpStore_End(library, done, error);
}

static bool copyModel(const rpLibrary* library, sqlite3_stmt* query, const char* name, int* version, void** out,
					  size_t* size, rpError* error)
{
	char kept[33], computed[33];
	const void* data;
	int64_t number;
	if (!rpStore_ReadInteger(library, query, 0, 0, INT32_MAX, &number, error) ||
		!rpStore_ReadHash(library, query, 1, kept, error) || !rpStore_ReadBlob(library, query, 2, &data, size, error))
	{
		return false;
	}
	rpHashBytes(data != NULL ? data : "", *size, computed);
	if (strcmp(kept, computed) != 0)
	{
		return rpStore_FailDamaged(library, error, "the model \"%.150s\" does not fit its hash", name);
	}
	*out = rpAllocate(*size, 1, error);
	if (*out != NULL && data != NULL)
	{
		memcpy(*out, data, *size);
	}
	*version = (int)number;
	return *out != NULL;
}

static bool loadInside(const rpLibrary* library, const char* name, const char* kind, int* version, void** out,
					   size_t* size, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(
		library, error, "SELECT version, hash, data FROM models WHERE name = ? AND kind = ?", "ss", name, kind);
	bool failed = query == NULL, found = !failed && rpStore_Step(library, query, &failed, error);
	bool done = found && copyModel(library, query, name, version, out, size, error);
	if (!failed && !found)
	{
		rpFail(error, rp_errorMissing, "the library has no %.50s \"%.150s\"", kind, name);
	}
	sqlite3_finalize(query);
	return done;
}

void* rpLibrary_LoadModel(const rpLibrary* library, const char* name, const char* kind, int* version, size_t* size,
						  rpError* error)
{
	RP_ASSERT(library != NULL && name != NULL && kind != NULL && size != NULL);
	void* bytes = NULL;
	int unused;
	bool done = rpStore_BeginRead(library, error) &&
				loadInside(library, name, kind, version != NULL ? version : &unused, &bytes, size, error);
	if (!rpStore_End(library, done, error))
	{
		rpFree(bytes);
		return NULL;
	}
	return bytes;
}

static bool readInfo(const rpLibrary* library, sqlite3_stmt* query, rpModelInfo* out, rpError* error)
{
	int64_t version, size;
	if (!rpStore_ReadText(library, query, 0, RP_LIBRARY_MAX_NAME, &out->name, error) ||
		!rpStore_ReadText(library, query, 1, RP_LIBRARY_MAX_NAME, &out->kind, error) ||
		!rpStore_ReadInteger(library, query, 2, 0, INT32_MAX, &version, error) ||
		!rpStore_ReadInteger(library, query, 3, 0, RP_LIBRARY_MAX_ROW, &size, error))
	{
		return false;
	}
	out->version = (int)version;
	out->size = (size_t)size;
	return true;
}

static bool listInside(const rpLibrary* library, rpModelInfo** infos, int* count, rpError* error)
{
	int capacity = 0;
	sqlite3_stmt* query =
		rpStore_Query(library, error, "SELECT name, kind, version, length(data) FROM models ORDER BY name", "");
	bool failed = query == NULL;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		failed = !rpGrow(infos, &capacity, *count, sizeof(rpModelInfo), error);
		if (!failed)
		{
			(*infos)[*count] = (rpModelInfo){0};
			failed = !readInfo(library, query, &(*infos)[(*count)++], error);
		}
	}
	sqlite3_finalize(query);
	return !failed;
}

int rpLibrary_ListModels(const rpLibrary* library, rpModelInfo** infos, rpError* error)
{
	RP_ASSERT(library != NULL && infos != NULL);
	int count = 0;
	*infos = NULL;
	bool done = rpStore_BeginRead(library, error) && listInside(library, infos, &count, error);
	if (!rpStore_End(library, done, error))
	{
		rpFreeModelInfos(*infos, count);
		*infos = NULL;
		return -1;
	}
	return count;
}

void rpFreeModelInfos(rpModelInfo* infos, int count)
{
	for (int i = 0; i < count; ++i)
	{
		rpFree(infos[i].name);
		rpFree(infos[i].kind);
	}
	rpFree(infos);
}

static bool removeInside(const rpLibrary* library, const char* name, rpError* error)
{
	char* kind;
	bool found;
	if (!findKind(library, name, &kind, &found, error))
	{
		return false;
	}
	rpFree(kind);
	return found ? rpStore_Run(library, error, "DELETE FROM models WHERE name = ?", "s", name)
				 : rpFail(error, rp_errorMissing, "the library has no model \"%.150s\"", name);
}

bool rpLibrary_RemoveModels(rpLibrary* library, const char* const* names, int count, rpError* error)
{
	RP_ASSERT(library != NULL && (names != NULL || count == 0));
	bool done = rpStore_BeginWrite(library, error);
	for (int i = 0; i < count && done; ++i)
	{
		done = removeInside(library, names[i], error);
	}
	return rpStore_End(library, done, error);
}

bool rpLibrary_RemoveModel(rpLibrary* library, const char* name, rpError* error)
{
	RP_ASSERT(name != NULL);
	return rpLibrary_RemoveModels(library, &name, 1, error);
}
