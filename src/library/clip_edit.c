/// Changing clips that are in the library: labels, names, removal.
#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "library/clip_add.h"

#include <math.h>
#include <string.h>

// Bring a stretch inside the clip; an end below 0 is the clip's.
static bool clampStretch(const rpClipRecord* record, double* start, double* end, rpError* error)
{
	double duration = (record->frameCount - 1) / record->fps;
	if (!isfinite(*start) || !isfinite(*end) || *start > duration || (*end >= 0.0 && *end < *start))
	{
		return rpFail(error, rp_errorArgument, "a stretch from %g to %g s; the clip lasts %g s", *start, *end,
					  duration);
	}
	*start = fmax(*start, 0.0);
	*end = *end < 0.0 ? duration : fmin(*end, duration);
	return true;
}

static bool addLabelInside(const rpLibrary* library, rpClipRecord* record, const char* label, double start, double end,
						   rpError* error)
{
	return rpReadClipRecord(library, record->id, record, error) && clampStretch(record, &start, &end, error) &&
		   rpCoverLabel(&record->labels, label, start, end, error) && rpUpdateClipRecord(library, record, error);
}

bool rpLibrary_AddLabel(rpLibrary* library, rpClipId clip, const char* label, double start, double end, rpError* error)
{
	RP_ASSERT(library != NULL && label != NULL);
	rpClipRecord record = {.id = clip};
	bool done = rpCheckLabel(label, error) && rpStore_BeginWrite(library, error) &&
				addLabelInside(library, &record, label, start, end, error);
	rpClipRecord_Free(&record);
	return rpStore_End(library, done, error);
}

static bool removeLabelInside(const rpLibrary* library, rpClipRecord* record, const char* label, double start,
							  double end, rpError* error)
{
	bool found;
	if (!rpReadClipRecord(library, record->id, record, error) || !clampStretch(record, &start, &end, error) ||
		!rpUncoverLabel(&record->labels, label, start, end, &found, error))
	{
		return false;
	}
	if (!found)
	{
		return rpFail(error, rp_errorMissing, "the clip \"%.150s\" has no label \"%.150s\" from %g to %g s",
					  record->name, label, start, end);
	}
	return rpUpdateClipRecord(library, record, error);
}

bool rpLibrary_RemoveLabel(rpLibrary* library, rpClipId clip, const char* label, double start, double end,
						   rpError* error)
{
	RP_ASSERT(library != NULL && label != NULL);
	rpClipRecord record = {.id = clip};
	bool done = rpStore_BeginWrite(library, error) && removeLabelInside(library, &record, label, start, end, error);
	rpClipRecord_Free(&record);
	return rpStore_End(library, done, error);
}

static bool renameInside(const rpLibrary* library, rpClipRecord* record, const char* name, rpError* error)
{
	int64_t id;
	bool taken;
	if (!rpReadClipRecord(library, record->id, record, error) ||
		!rpStore_GetNumber(library, &id, &taken, error, "SELECT id FROM clips WHERE name = ?", "s", name))
	{
		return false;
	}
	if (taken)
	{
		return id == record->id ||
			   rpFail(error, rp_errorArgument, "the name \"%.200s\" belongs to clip %lld", name, (long long)id);
	}
	rpFree(record->name);
	record->name = rpCopyString(name, error);
	return record->name != NULL && rpUpdateClipRecord(library, record, error);
}

bool rpLibrary_RenameClip(rpLibrary* library, rpClipId clip, const char* name, rpError* error)
{
	RP_ASSERT(library != NULL && name != NULL);
	size_t size = strlen(name);
	if (size == 0 || size > RP_LIBRARY_MAX_COPY || !rpIsUtf8(name, size))
	{
		return rpFail(error, rp_errorArgument, "a clip's name must be UTF-8 text of 1 to %d bytes",
					  RP_LIBRARY_MAX_COPY);
	}
	rpClipRecord record = {.id = clip};
	bool done = rpStore_BeginWrite(library, error) && renameInside(library, &record, name, error);
	rpClipRecord_Free(&record);
	return rpStore_End(library, done, error);
}

// Does not read the record, so that a damaged clip can be removed too.
static bool removeInside(const rpLibrary* library, rpClipId clip, rpError* error)
{
	int64_t skeleton;
	bool found, hasTakes;
	if (!rpStore_HasTakes(library, &hasTakes, error) ||
		!rpStore_GetNumber(library, &skeleton, &found, error, "SELECT skeleton FROM clips WHERE id = ?", "i", clip))
	{
		return false;
	}
	if (!found)
	{
		return rpFail(error, rp_errorMissing, "there is no clip %lld", (long long)clip);
	}
	return rpStore_Run(library, error, "DELETE FROM labels WHERE clip = ?", "i", clip) &&
		   rpStore_Run(library, error, "DELETE FROM inputs WHERE clip = ?", "i", clip) &&
		   rpStore_Run(library, error, "DELETE FROM frames WHERE clip = ?", "i", clip) &&
		   (!hasTakes || rpStore_Run(library, error, "DELETE FROM takes WHERE clip = ?", "i", clip)) &&
		   rpStore_Run(library, error, "DELETE FROM clips WHERE id = ?", "i", clip) &&
		   rpStore_Run(library, error,
					   "DELETE FROM skeletons WHERE id = ?1 AND NOT EXISTS(SELECT 1 FROM clips WHERE skeleton = ?1)",
					   "i", skeleton);
}

bool rpLibrary_RemoveClip(rpLibrary* library, rpClipId clip, rpError* error)
{
	RP_ASSERT(library != NULL);
	bool done = rpStore_BeginWrite(library, error) && removeInside(library, clip, error);
	return rpStore_End(library, done, error);
}
