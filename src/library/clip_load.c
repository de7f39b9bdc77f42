/// Listing, finding and loading clips.
#include "library/clip_load.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "file/sidecar.h"
#include "library/take_blob.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void rpFreeClipInfos(rpClipInfo* infos, int count)
{
	for (int i = 0; infos != NULL && i < count; ++i)
	{
		rpFree(infos[i].name);
		rpFree(infos[i].source);
		rpFree(infos[i].labels);
	}
	rpFree(infos);
}

/// A growing list of infos.
typedef struct Infos
{
	rpClipInfo* items;
	int count, capacity;
} Infos;

static bool readLabelNames(const rpLibrary* library, rpClipInfo* info, rpError* error)
{
	sqlite3_stmt* query =
		rpStore_Query(library, error, "SELECT DISTINCT label FROM labels WHERE clip = ? ORDER BY label", "i", info->id);
	bool failed = query == NULL;
	rpText text = {0};
	rpText_AppendString(&text, "");
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		char* label = NULL;
		failed = !rpStore_ReadText(library, query, 0, RP_LIBRARY_MAX_NAME, &label, error);
		rpText_AppendString(&text, text.size > 0 ? "," : "");
		rpText_AppendString(&text, label != NULL ? label : "");
		rpFree(label);
	}
	sqlite3_finalize(query);
	failed = failed || (text.failed && !rpFail(error, rp_errorMemory, "out of memory"));
	if (failed)
	{
		rpText_Free(&text);
	}
	info->labels = text.data;
	return !failed;
}

// A clip that a session decided anew about is another one for anyone who compares hashes.
static bool hashTreatment(const rpLibrary* library, rpClipInfo* info, rpError* error)
{
	bool has = false;
	if (!rpStore_HasTakes(library, &has, error))
	{
		return false;
	}
	sqlite3_stmt* query =
		has ? rpStore_Query(library, error, "SELECT data FROM takes WHERE clip = ?", "i", info->id) : NULL;
	bool failed = has && query == NULL;
	if (query != NULL && rpStore_Step(library, query, &failed, error))
	{
		const void* data = NULL;
		size_t size = 0;
		rpText text = {0};
		failed = !rpStore_ReadBlob(library, query, 0, &data, &size, error);
		rpText_AppendString(&text, info->hash);
		rpText_Append(&text, (const char*)&info->fps, sizeof(info->fps));
		rpText_Append(&text, data, failed ? 0 : size);
		failed = failed || (text.failed && !rpFail(error, rp_errorMemory, "out of memory"));
		if (!failed)
		{
			rpHashBytes(text.data, text.size, info->hash);
		}
		rpText_Free(&text);
	}
	sqlite3_finalize(query);
	return !failed;
}

static bool readInfo(const rpLibrary* library, sqlite3_stmt* query, rpClipInfo* info, rpError* error)
{
	int64_t skeletonId, frameCount;
	rpKnownSkeleton known;
	bool done = rpStore_ReadInteger(library, query, 0, 1, INT64_MAX, &info->id, error) &&
				rpStore_ReadText(library, query, 1, RP_LIBRARY_MAX_NAME, &info->name, error) &&
				rpStore_ReadText(library, query, 2, RP_LIBRARY_MAX_NAME, &info->source, error) &&
				rpStore_ReadInteger(library, query, 3, 1, INT64_MAX, &skeletonId, error) &&
				rpStore_ReadReal(library, query, 4, &info->fps, error) &&
				rpStore_ReadInteger(library, query, 5, 1, RP_MAX_FRAMES, &frameCount, error) &&
				rpStore_ReadHash(library, query, 6, info->hash, error) &&
				rpReadKnownSkeleton(library, skeletonId, &known, error);
	if (!done)
	{
		return false;
	}
	info->frameCount = (int)frameCount;
	info->skeletonId = known.family;
	info->jointCount = known.skeleton->jointCount;
	return hashTreatment(library, info, error) && readLabelNames(library, info, error);
}

static bool listInside(const rpLibrary* library, Infos* out, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(
		library, error, "SELECT id, name, source, skeleton, fps, frame_count, content FROM clips ORDER BY id", "");
	bool failed = query == NULL;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		failed = !rpGrow(&out->items, &out->capacity, out->count, sizeof(rpClipInfo), error);
		if (!failed)
		{
			// Counted first, so that what a failure leaves in it is freed with the rest.
			rpClipInfo* info = out->items + out->count++;
			*info = (rpClipInfo){0};
			failed = !readInfo(library, query, info, error);
		}
	}
	sqlite3_finalize(query);
	return !failed;
}

int rpLibrary_ListClips(const rpLibrary* library, rpClipInfo** infos, rpError* error)
{
	RP_ASSERT(library != NULL && infos != NULL);
	Infos list = {0};
	*infos = NULL;
	bool done = rpStore_BeginRead(library, error) && listInside(library, &list, error);
	if (!rpStore_End(library, done, error))
	{
		rpFreeClipInfos(list.items, list.count);
		return -1;
	}
	*infos = list.items;
	return list.count;
}

// Names longer than this are compared by their first part only.
#define COMPARED 64

// Levenshtein's distance of two names.
static int getDistance(const char* a, const char* b)
{
	int row[COMPARED + 1];
	int sizeA = (int)strnlen(a, COMPARED), sizeB = (int)strnlen(b, COMPARED);
	for (int j = 0; j <= sizeB; ++j)
	{
		row[j] = j;
	}
	for (int i = 1; i <= sizeA; ++i)
	{
		int diagonal = row[0];
		row[0] = i;
		for (int j = 1; j <= sizeB; ++j)
		{
			int change = diagonal + (a[i - 1] != b[j - 1]);
			int shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
			diagonal = row[j];
			row[j] = change < shorter ? change : shorter;
		}
	}
	return row[sizeB];
}

// Hint at the nearest name, unless nothing of it is like the wanted one.
static bool hintAtName(const rpLibrary* library, const char* wanted, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(library, error, "SELECT name FROM clips ORDER BY id", "");
	bool failed = query == NULL;
	char* best = NULL;
	int bestDistance = (int)strnlen(wanted, COMPARED) * 2 / 3 + 1;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		char* name = NULL;
		failed = !rpStore_ReadText(library, query, 0, RP_LIBRARY_MAX_NAME, &name, error);
		if (!failed && getDistance(wanted, name) < bestDistance)
		{
			bestDistance = getDistance(wanted, name);
			rpFree(best);
			best = name;
			name = NULL;
		}
		rpFree(name);
	}
	sqlite3_finalize(query);
	if (!failed)
	{
		rpFail(error, rp_errorMissing, "the library has no clip \"%.200s\"", wanted);
		rpError_SetHint(error, best != NULL ? "did you mean \"%.150s\"?" : "\"reprise library list\" shows its clips%s",
						best != NULL ? best : "");
	}
	rpFree(best);
	return false;
}

// All digits and positive, or 0.
static int64_t parseNumber(const char* text)
{
	size_t size = strlen(text);
	if (size == 0 || size > 18 || strspn(text, "0123456789") != size)
	{
		return 0;
	}
	return strtoll(text, NULL, 10);
}

static bool findInside(const rpLibrary* library, const char* name, int64_t* id, rpError* error)
{
	bool found;
	if (!rpStore_GetNumber(library, id, &found, error, "SELECT id FROM clips WHERE name = ?", "s", name))
	{
		return false;
	}
	int64_t number = parseNumber(name);
	if (!found && number > 0 &&
		!rpStore_GetNumber(library, id, &found, error, "SELECT id FROM clips WHERE id = ?", "i", number))
	{
		return false;
	}
	return found || hintAtName(library, name, error);
}

rpClipId rpLibrary_FindClip(const rpLibrary* library, const char* name, rpError* error)
{
	RP_ASSERT(library != NULL && name != NULL);
	int64_t id = 0;
	bool done = rpStore_BeginRead(library, error) && findInside(library, name, &id, error);
	return rpStore_End(library, done, error) ? id : 0;
}

static bool fillAnnotations(const rpLibrary* library, const rpClipRecord* record, rpMotion* motion, rpError* error)
{
	rpError inner = {0};
	if (!rpReadAnnotations(record->annotations, strlen(record->annotations), &motion->annotations, &inner))
	{
		return inner.code == rp_errorMemory ? rpFail(error, rp_errorMemory, "%s", inner.message)
											: rpStore_FailDamaged(library, error, "annotations: %.300s", inner.message);
	}
	bool done = rpAnnotations_Append(&motion->annotations, &record->labels, 0.0, error);
	for (int i = 0; done && i < record->inputCount; ++i)
	{
		done = rpMotion_AddInput(motion, record->inputs[i].name, record->inputs[i].hash, error);
	}
	return done;
}

// Frames are kept as they were captured, so that a session can decide again; here they are put on their floor.
static bool applyTake(const rpLibrary* library, const rpClipRecord* record, rpMotion* motion, rpError* error)
{
	rpTake take;
	rpTreatment treatment;
	rpError inner = {0};
	bool done = record->take.size == 0 || rpDecodeTake(record->take.data, record->take.size, &take, &treatment, &inner);
	if (!done)
	{
		rpTake_Free(&take);
		return inner.code == rp_errorMemory
				   ? rpFail(error, rp_errorMemory, "%s", inner.message)
				   : rpStore_FailDamaged(library, error, "clip %lld: %.300s", (long long)record->id, inner.message);
	}
	if (record->take.size > 0)
	{
		if (rpFloor_IsUneven(&treatment.floor) && !treatment.floor.isSteep)
		{
			rpLevelRows(motion, 0, motion->frameCount - 1, &treatment.floor);
		}
		rpTake_Free(&take);
	}
	return true;
}

rpMotion* rpLoadInside(const rpLibrary* library, rpClipId clip, rpError* error)
{
	rpClipRecord record = {0};
	rpMotion* motion = rpReadClipRecord(library, clip, &record, error) ? rpReadFrames(library, &record, error) : NULL;
	if (motion != NULL &&
		(!fillAnnotations(library, &record, motion, error) || !applyTake(library, &record, motion, error)))
	{
		rpDestroyMotion(motion);
		motion = NULL;
	}
	rpClipRecord_Free(&record);
	return motion;
}

rpMotion* rpLibrary_LoadClip(const rpLibrary* library, rpClipId clip, rpError* error)
{
	RP_ASSERT(library != NULL);
	rpMotion* motion = rpStore_BeginRead(library, error) ? rpLoadInside(library, clip, error) : NULL;
	if (!rpStore_End(library, motion != NULL, error))
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}
