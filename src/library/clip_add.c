/// Adding clips. The same content, whatever its name, is kept once.
#include "library/clip_add.h"

#include "base/assert.h"
#include "base/error.h"
#include "base/utf8.h"
#include "file/bytes.h"
#include "file/sidecar.h"
#include "library/clip_frames.h"
#include "library/take_blob.h"
#include "motion/skeleton_blob.h"

#include <stdio.h>
#include <string.h>

rpAddDef rpDefaultAddDef(void)
{
	return (rpAddDef){0};
}

void rpReadyClip_Free(rpReadyClip* ready)
{
	rpText_Free(&ready->skeleton);
	rpText_Free(&ready->annotations);
	rpText_Free(&ready->take);
	*ready = (rpReadyClip){0};
}

// Encoded, and read back, so that nothing is kept that could not be loaded.
static bool encodeSkeleton(const rpSkeleton* skeleton, rpReadyClip* out, rpError* error)
{
	if (!rpEncodeSkeleton(skeleton, &out->skeleton, error))
	{
		return false;
	}
	rpSkeleton* again = rpDecodeSkeleton(out->skeleton.data, out->skeleton.size, error);
	rpReleaseSkeleton(again);
	rpHashBytes(out->skeleton.data, out->skeleton.size, out->skeletonHash);
	return again != NULL;
}

static bool checkLabels(const rpAnnotations* annotations, rpError* error)
{
	for (int i = 0; i < annotations->intervalCount; ++i)
	{
		const char* name = annotations->intervals[i].name;
		if (name != NULL && (strlen(name) > RP_LIBRARY_MAX_NAME || !rpIsUtf8(name, strlen(name))))
		{
			return rpFail(error, rp_errorFormat, "an annotation's name is not UTF-8 or has more than %d bytes",
						  RP_LIBRARY_MAX_NAME);
		}
	}
	return true;
}

// Two lists that share the memory of one: the labels, which are kept as rows, and all else, which is kept as JSON.
static bool splitLabels(const rpAnnotations* all, rpAnnotations* labels, rpAnnotations* rest, rpError* error)
{
	rpInterval* both = rpAllocate((size_t)all->intervalCount, sizeof(rpInterval), error);
	*labels = (rpAnnotations){.intervals = both};
	*rest = *all;
	if (both == NULL)
	{
		return false;
	}
	// The list is sorted by track, but what is first in it is not for this file to know.
	for (int i = 0; i < all->intervalCount; ++i)
	{
		if (all->intervals[i].track == rp_trackLabel)
		{
			both[labels->intervalCount++] = all->intervals[i];
		}
	}
	rest->intervals = both + labels->intervalCount;
	rest->intervalCount = 0;
	for (int i = 0; i < all->intervalCount; ++i)
	{
		if (all->intervals[i].track != rp_trackLabel)
		{
			rest->intervals[rest->intervalCount++] = all->intervals[i];
		}
	}
	return true;
}

static bool encodeAnnotations(const rpMotion* motion, rpReadyClip* out, rpError* error)
{
	rpAnnotations labels, rest;
	bool done = checkLabels(&motion->annotations, error) && splitLabels(&motion->annotations, &labels, &rest, error);
	if (!done)
	{
		return false;
	}
	done = rpWriteAnnotations(&rest, &out->annotations, error) &&
		   (!out->annotations.failed || rpFail(error, rp_errorMemory, "out of memory"));
	rpFree(labels.intervals);
	return done && (out->annotations.size <= RP_LIBRARY_MAX_ANNOTATIONS ||
					rpFail(error, rp_errorLimit, "%zu bytes of annotations; at most %d are allowed",
						   out->annotations.size, RP_LIBRARY_MAX_ANNOTATIONS));
}

// As its bits: printed digits would follow the locale.
static void putReal(rpText* out, double number)
{
	uint64_t bits;
	memcpy(&bits, &number, sizeof(bits));
	rpText_Print(out, " %016llx", (unsigned long long)bits);
}

// All but labels and sources. Sources name the file that frames came from, and the same take under another name is
// the same take.
static bool putAnnotations(const rpAnnotations* all, rpText* out, rpError* error)
{
	rpAnnotations kept = *all;
	kept.intervals = rpAllocate((size_t)all->intervalCount, sizeof(rpInterval), error);
	kept.intervalCount = 0;
	if (kept.intervals == NULL)
	{
		return false;
	}
	for (int i = 0; i < all->intervalCount; ++i)
	{
		if (all->intervals[i].track != rp_trackLabel && all->intervals[i].track != rp_trackSource)
		{
			kept.intervals[kept.intervalCount++] = all->intervals[i];
		}
	}
	bool done = rpWriteAnnotations(&kept, out, error);
	rpFree(kept.intervals);
	return done;
}

// Over skeleton, rate, frames and annotations, and what is open to its session; not over name, sources and inputs.
static bool hashContent(const rpMotion* motion, rpReadyClip* out, rpError* error)
{
	rpText text = {0};
	rpText_Print(&text, "%s %s %d", out->skeletonHash, out->framesHash, motion->frameCount);
	putReal(&text, motion->fps);
	rpText_AppendString(&text, "\n");
	if (!putAnnotations(&motion->annotations, &text, error))
	{
		rpText_Free(&text);
		return false;
	}
	for (int i = 0; i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		if (interval->track == rp_trackLabel)
		{
			rpText_Print(&text, "\n%s", interval->name);
			putReal(&text, interval->start + 0.0);
			putReal(&text, interval->end + 0.0);
		}
	}
	rpText_Append(&text, out->take.data, out->take.size);
	bool done = !text.failed || rpFail(error, rp_errorMemory, "out of memory");
	if (done)
	{
		rpHashBytes(text.data, text.size, out->content);
	}
	rpText_Free(&text);
	return done;
}

// With what it would decide alone, until the session does.
static bool encodeTake(const rpTake* take, rpReadyClip* out, rpError* error)
{
	rpTreatment alone;
	return take == NULL || !(take->isFloorOpen || take->isRateOpen) ||
		   (rpDecideSession(take, 1, &alone, error) && rpEncodeTake(take, &alone, &out->take, error));
}

bool rpReadyClip_Make(const rpMotion* motion, const rpTake* take, rpReadyClip* out, rpError* error)
{
	*out = (rpReadyClip){.motion = motion};
	if (!encodeTake(take, out, error) || !rpCheckFrames(motion, error) ||
		!encodeSkeleton(motion->skeleton, out, error) || !encodeAnnotations(motion, out, error))
	{
		return false;
	}
	rpHashFrames(motion, out->framesHash);
	return hashContent(motion, out, error);
}

/// Names made of one: itself, then with "-2", "-3" … appended.
typedef struct NameSeries
{
	const rpLibrary* library;
	const char* base;
	char* name;
	size_t capacity;
} NameSeries;

// Put the name of that number in place, and see whether it is taken.
static bool tryName(NameSeries* series, int64_t number, bool* taken, rpError* error)
{
	int64_t id;
	const char* format = number == 1 ? "%s" : "%s-%lld";
	snprintf(series->name, series->capacity, format, series->base, (long long)number);
	return rpStore_GetNumber(series->library, &id, taken, error, "SELECT id FROM clips WHERE name = ?", "s",
							 series->name);
}

// The first free number, by doubling and halving: a thousand clips may have one name.
static bool findFreeNumber(NameSeries* series, rpError* error)
{
	int64_t low = 0, high = 1;
	bool taken = true;
	while (taken)
	{
		if (!tryName(series, high, &taken, error))
		{
			return false;
		}
		low = taken ? high : low;
		high = taken ? 2 * high : high;
	}
	while (high - low > 1)
	{
		int64_t middle = low + (high - low) / 2;
		if (!tryName(series, middle, &taken, error))
		{
			return false;
		}
		*(taken ? &low : &high) = middle;
	}
	return tryName(series, high, &taken, error);
}

static bool findFreeName(const rpLibrary* library, const char* wanted, char** out, rpError* error)
{
	NameSeries series = {.library = library, .base = wanted[0] != 0 ? wanted : "clip"};
	series.capacity = strlen(series.base) + 24;
	series.name = rpAllocate(series.capacity, 1, error);
	*out = series.name;
	return series.name != NULL && findFreeNumber(&series, error);
}

static bool coverAll(rpAnnotations* labels, const rpAddDef* def, double duration, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < def->labelCount; ++i)
	{
		done = rpCoverLabel(labels, def->labels[i], 0.0, duration, error);
	}
	return done;
}

static bool fillLabels(const rpMotion* motion, const rpAddDef* def, rpClipRecord* record, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < motion->annotations.intervalCount; ++i)
	{
		const rpInterval* interval = motion->annotations.intervals + i;
		done = interval->track != rp_trackLabel || rpAnnotations_AddInterval(&record->labels, interval, error);
	}
	return done && coverAll(&record->labels, def, rpMotion_GetDuration(motion), error);
}

static bool fillRecord(const rpReadyClip* ready, const char* source, const rpAddDef* def, rpClipRecord* record,
					   rpError* error)
{
	const rpMotion* motion = ready->motion;
	record->fps = motion->fps;
	record->frameCount = motion->frameCount;
	memcpy(record->framesHash, ready->framesHash, sizeof(record->framesHash));
	memcpy(record->content, ready->content, sizeof(record->content));
	record->source = rpCopyAsText(source, error);
	record->annotations = record->source != NULL ? rpCopyString(ready->annotations.data, error) : NULL;
	rpText_Append(&record->take, ready->take.data, ready->take.size);
	bool isCopied = !record->take.failed || rpFail(error, rp_errorMemory, "out of memory");
	bool done = isCopied && record->annotations != NULL && fillLabels(motion, def, record, error);
	for (int i = 0; done && i < motion->inputCount; ++i)
	{
		done = rpClipRecord_AddInput(record, motion->inputs[i].name, motion->inputs[i].hash, error);
	}
	return done;
}

static bool insertClip(rpLibrary* library, const rpReadyClip* ready, const char* name, rpClipRecord* record,
					   rpError* error)
{
	char* wanted = rpCopyAsText(name, error);
	bool done = wanted != NULL && findFreeName(library, wanted, &record->name, error) &&
				rpKeepSkeleton(library, ready->motion->skeleton, ready->skeleton.data, ready->skeleton.size,
							   ready->skeletonHash, &record->skeleton, error) &&
				rpInsertClipRecord(library, record, error) && rpInsertFrames(library, record->id, ready->motion, error);
	rpFree(wanted);
	return done;
}

// A clip that is there already gets the labels, too: who gives them wants them.
static bool labelClip(const rpLibrary* library, rpClipId clip, const rpAddDef* def, rpError* error)
{
	rpClipRecord record = {.id = clip};
	bool done = def->labelCount == 0 || (rpReadClipRecord(library, clip, &record, error) &&
										 coverAll(&record.labels, def, (record.frameCount - 1) / record.fps, error) &&
										 rpUpdateClipRecord(library, &record, error));
	rpClipRecord_Free(&record);
	return done;
}

static bool addInside(rpLibrary* library, const rpReadyClip* ready, const char* name, const rpAddDef* def,
					  rpClipRecord* record, bool* isNew, rpError* error)
{
	bool found;
	int64_t id;
	if (!rpStore_GetNumber(library, &id, &found, error, "SELECT id FROM clips WHERE content = ?", "s", ready->content))
	{
		return false;
	}
	*isNew = !found;
	if (found)
	{
		record->id = id;
		return labelClip(library, id, def, error);
	}
	return insertClip(library, ready, name, record, error);
}

rpClipId rpAddReadyClip(rpLibrary* library, const rpReadyClip* ready, const char* name, const char* source,
						const rpAddDef* def, bool* isNew, rpError* error)
{
	rpClipRecord record = {0};
	bool new = false;
	bool done = fillRecord(ready, source, def, &record, error) && rpStore_BeginWrite(library, error);
	done = rpStore_End(library, done && addInside(library, ready, name, def, &record, &new, error), error);
	rpClipId id = done ? record.id : 0;
	rpClipRecord_Free(&record);
	if (isNew != NULL)
	{
		*isNew = new&& done;
	}
	return id;
}

bool rpCheckAddDef(const rpAddDef* def, rpError* error)
{
	bool done = true;
	for (int i = 0; done && i < def->labelCount; ++i)
	{
		done = rpCheckLabel(def->labels[i], error);
	}
	if (done && def->name != NULL && (def->name[0] == 0 || !rpIsUtf8(def->name, strlen(def->name))))
	{
		return rpFail(error, rp_errorArgument, "a clip's name must be UTF-8 text and not empty");
	}
	return done;
}

rpClipId rpLibrary_AddClip(rpLibrary* library, const rpMotion* motion, const rpAddDef* def, bool* isNew, rpError* error)
{
	RP_ASSERT(library != NULL && motion != NULL);
	rpAddDef plain = rpDefaultAddDef();
	def = def != NULL ? def : &plain;
	rpReadyClip ready = {0};
	rpClipId id = 0;
	if (rpCheckAddDef(def, error) && rpReadyClip_Make(motion, NULL, &ready, error))
	{
		const char* source = motion->inputCount == 1 ? motion->inputs[0].name : "";
		id = rpAddReadyClip(library, &ready, def->name != NULL ? def->name : motion->name, source, def, isNew, error);
	}
	rpReadyClip_Free(&ready);
	return id;
}
