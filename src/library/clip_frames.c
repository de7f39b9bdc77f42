/// Frames as blobs of little-endian floats, in parts far below SQLite's limit. How many frames a part holds follows
/// from its size, and all its blobs must agree.
#include "library/clip_frames.h"

#include "base/error.h"
#include "base/memory.h"
#include "file/bytes.h"
#include "motion/plausible.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "frames are copied as they stand in memory");
_Static_assert(sizeof(rpVec3) == 12 && sizeof(rpQuat) == 16, "frames are kept without gaps");

// Bytes of a part, about.
#define PART_SIZE ((size_t)8 << 20)

// A square norm farther from 1 than this is no rotation.
#define UNIT_TOLERANCE 1e-3f

static size_t getRotationCount(const rpMotion* motion)
{
	return (size_t)motion->frameCount * (size_t)motion->skeleton->jointCount;
}

// The first place that is none, or too far away; -1 if there is none such.
static ptrdiff_t findNoPlace(const rpVec3* places, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		if (!rpIsPlace(places[i]))
		{
			return (ptrdiff_t)i;
		}
	}
	return -1;
}

static ptrdiff_t findNotUnit(const rpQuat* rotations, size_t count)
{
	for (size_t i = 0; i < count; ++i)
	{
		rpQuat q = rotations[i];
		float square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
		if (!(fabsf(square - 1.0f) <= UNIT_TOLERANCE))
		{
			return (ptrdiff_t)i;
		}
	}
	return -1;
}

static bool failFrame(const rpMotion* motion, ptrdiff_t rotation, const char* what, rpError* error)
{
	int jointCount = motion->skeleton->jointCount;
	return rpFail(error, rp_errorFormat, "frame %td: the %s of joint \"%.100s\"", rotation / jointCount, what,
				  motion->skeleton->joints[rotation % jointCount].name);
}

bool rpCheckFrames(const rpMotion* motion, rpError* error)
{
	size_t rotationCount = getRotationCount(motion);
	ptrdiff_t bad = findNoPlace(motion->rootPositions, (size_t)motion->frameCount);
	if (bad >= 0)
	{
		rpVec3 p = motion->rootPositions[bad];
		return rpFail(error, rp_errorFormat, "frame %td: the root is at (%g, %g, %g); up to %g m are allowed", bad,
					  (double)p.x, (double)p.y, (double)p.z, (double)RP_FARTHEST);
	}
	if ((bad = findNotUnit(motion->rotations, rotationCount)) >= 0)
	{
		return failFrame(motion, bad, "rotation is not unit", error);
	}
	if (motion->translations != NULL && (bad = findNoPlace(motion->translations, rotationCount)) >= 0)
	{
		return failFrame(motion, bad, "translation is none, or too far", error);
	}
	return true;
}

void rpHashFrames(const rpMotion* motion, char out[33])
{
	char hashes[3][33] = {"", "", ""};
	size_t rotationCount = getRotationCount(motion);
	rpHashBytes(motion->rootPositions, (size_t)motion->frameCount * sizeof(rpVec3), hashes[0]);
	rpHashBytes(motion->rotations, rotationCount * sizeof(rpQuat), hashes[1]);
	if (motion->translations != NULL)
	{
		rpHashBytes(motion->translations, rotationCount * sizeof(rpVec3), hashes[2]);
	}
	rpHashBytes(hashes, sizeof(hashes), out);
}

static size_t getFrameSize(size_t jointCount, bool withTranslations)
{
	return sizeof(rpVec3) + jointCount * (sizeof(rpQuat) + (withTranslations ? sizeof(rpVec3) : 0));
}

static bool insertPart(const rpLibrary* library, rpClipId clip, int64_t part, const rpMotion* motion, size_t first,
					   size_t count, rpError* error)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	const rpVec3* translations = motion->translations != NULL ? motion->translations + first * jointCount : NULL;
	return rpStore_Run(library, error,
					   "INSERT INTO frames(clip, part, positions, rotations, translations) VALUES(?, ?, ?, ?, ?)",
					   translations != NULL ? "iibbb" : "iibbn", clip, part, motion->rootPositions + first,
					   count * sizeof(rpVec3), motion->rotations + first * jointCount,
					   count * jointCount * sizeof(rpQuat), translations, count * jointCount * sizeof(rpVec3));
}

bool rpInsertFrames(const rpLibrary* library, rpClipId clip, const rpMotion* motion, rpError* error)
{
	size_t frameCount = (size_t)motion->frameCount;
	size_t step = PART_SIZE / getFrameSize((size_t)motion->skeleton->jointCount, motion->translations != NULL);
	bool done = true;
	int64_t part = 0;
	for (size_t first = 0; done && first < frameCount; first += step)
	{
		size_t count = frameCount - first < step ? frameCount - first : step;
		done = insertPart(library, clip, part++, motion, first, count, error);
	}
	return done;
}

// Copy a blob after what is there already; its size must be that of count elements.
static bool copyBlob(const rpLibrary* library, sqlite3_stmt* query, int column, void* out, size_t size, rpError* error)
{
	const void* data;
	size_t found;
	if (!rpStore_ReadBlob(library, query, column, &data, &found, error))
	{
		return false;
	}
	if (found != size)
	{
		return rpStore_FailDamaged(library, error, "a part of the frames has %zu bytes instead of %zu", found, size);
	}
	memcpy(out, data, size);
	return true;
}

static bool wantTranslations(const rpLibrary* library, rpMotion* motion, bool wanted, size_t first, rpError* error)
{
	if (first > 0 && wanted != (motion->translations != NULL))
	{
		return rpStore_FailDamaged(library, error, "translations are kept for a part of the frames only");
	}
	if (wanted && motion->translations == NULL)
	{
		motion->translations = rpAllocate(getRotationCount(motion), sizeof(rpVec3), error);
	}
	return !wanted || motion->translations != NULL;
}

// The query stands on a row of part, positions, rotations, translations. Adds to *first.
static bool readPart(const rpLibrary* library, sqlite3_stmt* query, int64_t part, rpMotion* motion, size_t* first,
					 rpError* error)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount;
	int64_t number;
	bool blob = sqlite3_column_type(query, 1) == SQLITE_BLOB;
	size_t count = blob ? (size_t)sqlite3_column_bytes(query, 1) / sizeof(rpVec3) : 0;
	bool translated = sqlite3_column_type(query, 3) != SQLITE_NULL;
	if (!rpStore_ReadInteger(library, query, 0, part, part, &number, error) ||
		!wantTranslations(library, motion, translated, *first, error))
	{
		return false;
	}
	if (count == 0 || count > (size_t)motion->frameCount - *first)
	{
		return rpStore_FailDamaged(library, error, "a part of the frames is empty or too long");
	}
	size_t rotations = count * jointCount, place = *first * jointCount;
	*first += count;
	return copyBlob(library, query, 1, motion->rootPositions + *first - count, count * sizeof(rpVec3), error) &&
		   copyBlob(library, query, 2, motion->rotations + place, rotations * sizeof(rpQuat), error) &&
		   (!translated ||
			copyBlob(library, query, 3, motion->translations + place, rotations * sizeof(rpVec3), error));
}

static bool readParts(const rpLibrary* library, const rpClipRecord* record, rpMotion* motion, rpError* error)
{
	sqlite3_stmt* query = rpStore_Query(
		library, error, "SELECT part, positions, rotations, translations FROM frames WHERE clip = ? ORDER BY part", "i",
		record->id);
	bool failed = query == NULL;
	int64_t part = 0;
	size_t first = 0;
	while (!failed && rpStore_Step(library, query, &failed, error))
	{
		failed = !readPart(library, query, part++, motion, &first, error);
	}
	sqlite3_finalize(query);
	if (!failed && first != (size_t)record->frameCount)
	{
		return rpStore_FailDamaged(library, error, "%zu of %d frames are there", first, record->frameCount);
	}
	return !failed;
}

static bool checkHash(const rpLibrary* library, const rpClipRecord* record, const rpMotion* motion, rpError* error)
{
	char hash[33];
	rpError inner = {0};
	rpHashFrames(motion, hash);
	if (strcmp(hash, record->framesHash) != 0)
	{
		return rpStore_FailDamaged(library, error, "the frames do not fit their hash");
	}
	return rpCheckFrames(motion, &inner) || rpStore_FailDamaged(library, error, "%.300s", inner.message);
}

// A file cannot hold more frames than it has bytes for: an allocation follows only what is there.
static bool checkRoom(const rpLibrary* library, const rpClipRecord* record, rpError* error)
{
	int64_t fileSize;
	if (!rpStore_GetFileSize(library, &fileSize, error))
	{
		return false;
	}
	size_t frameSize = getFrameSize((size_t)record->skeleton.skeleton->jointCount, false);
	return frameSize * (size_t)record->frameCount <= (size_t)fileSize ||
		   rpStore_FailDamaged(library, error, "%d frames do not fit in the file", record->frameCount);
}

rpMotion* rpReadFrames(const rpLibrary* library, const rpClipRecord* record, rpError* error)
{
	if (!checkRoom(library, record, error))
	{
		return NULL;
	}
	rpMotion* motion = rpCreateMotion(record->skeleton.skeleton, record->name, record->fps, record->frameCount, error);
	if (motion != NULL && (!readParts(library, record, motion, error) || !checkHash(library, record, motion, error)))
	{
		rpDestroyMotion(motion);
		return NULL;
	}
	return motion;
}
