#include "build/model_clips.h"

#include "base/error.h"
#include "base/memory.h"
#include "reprise/analysis.h"

#include <stdio.h>
#include <string.h>

/// CHSH: the hash of a clip, in the model's order.
typedef struct HashRecord
{
	char digits[32];
} HashRecord;

// ---- hashes

// The name in the library: without what tells a mirror image. NULL when memory ran out.
static char* copyOwnName(const rpModelClip* clip, rpError* error)
{
	char* name = rpCopyString(clip->name, error);
	size_t size = strlen(clip->name);
	if (name != NULL && clip->isMirrored && size > 0)
	{
		name[size - 1] = 0;
	}
	return name;
}

// *found: there is a clip of that name.
static bool lookUp(rpClipFinder* finder, const rpModelClip* clip, HashRecord* out, bool* found, rpError* error)
{
	char hash[33];
	int index;
	char* name = copyOwnName(clip, error);
	rpClipSearch search =
		name != NULL ? rpClipFinder_Take(finder, name, "", clip->isMirrored, &index, error) : rp_clipFailed;
	*found = search == rp_clipFound || search == rp_clipTwice;
	bool done =
		search != rp_clipFailed && (!*found || rpHashClip(finder->library, finder->items[index].id, hash, error));
	if (done && *found)
	{
		memcpy(out->digits, hash, sizeof(out->digits));
	}
	rpFree(name);
	return done;
}

bool rpWriteClipHashes(rpBundleWriter* writer, const rpLibrary* library, const rpModelClip* clips, int count,
					   rpError* error)
{
	rpClipFinder finder = {0};
	HashRecord* records = rpAllocateZero((size_t)count, sizeof(HashRecord), error);
	bool isWhole = true, done = records != NULL && rpClipFinder_Open(&finder, library, error);
	for (int i = 0; i < count && done && isWhole; ++i)
	{
		if (clips[i].hash[0] != 0)
		{
			memcpy(records[i].digits, clips[i].hash, sizeof(records[i].digits));
		}
		else
		{
			done = lookUp(&finder, &clips[i], &records[i], &isWhole, error);
		}
	}
	done = done && (!isWhole || rpBundleWriter_Add(writer, "CHSH", records, count, sizeof(HashRecord), error));
	rpClipFinder_Free(&finder);
	rpFree(records);
	return done;
}

bool rpReadClipHashes(const rpBundle* bundle, rpModelClip* clips, int count, bool* isByName, rpError* error)
{
	*isByName = !rpBundle_HasChunk(bundle, "CHSH");
	int hashCount = 0;
	const HashRecord* records =
		*isByName ? NULL : rpBundle_GetChunk(bundle, "CHSH", sizeof(HashRecord), &hashCount, error);
	if (*isByName || records == NULL)
	{
		return *isByName;
	}
	bool isSound = hashCount == count;
	for (int i = 0; i < count && isSound; ++i)
	{
		memcpy(clips[i].hash, records[i].digits, sizeof(records[i].digits));
		clips[i].hash[32] = 0;
		isSound = strspn(clips[i].hash, "0123456789abcdef") == 32;
	}
	return isSound || rpFail(error, rp_errorFormat, "the hashes of its clips are damaged");
}

// ---- loading

bool rpModelLoader_Open(rpModelLoader* loader, const rpLibrary* library, const rpModelKind* kind, const char* name,
						rpError* error)
{
	int64_t fileSize;
	*loader = (rpModelLoader){.kind = kind, .name = name};
	if (!rpStore_GetFileSize(library, &fileSize, error))
	{
		return false;
	}
	loader->maxSize = 2 * (size_t)fileSize;
	return rpClipFinder_Open(&loader->finder, library, error);
}

void rpModelLoader_Free(rpModelLoader* loader)
{
	rpClipFinder_Free(&loader->finder);
}

static bool fail(const rpModelLoader* loader, const rpModelClip* clip, const char* what, rpError* error)
{
	int size = (int)strlen(clip->name) - (clip->isMirrored ? 1 : 0);
	rpFail(error, rp_errorMissing, "the clip \"%.*s\" of the %s \"%.100s\" %s", size < 150 ? size : 150, clip->name,
		   loader->kind->info.name, loader->name, what);
	rpModelKind_Hint(loader->kind, loader->finder.library, loader->name, error);
	return false;
}

bool rpModelLoader_FailChanged(const rpModelLoader* loader, const rpModelClip* clip, rpError* error)
{
	return fail(loader, clip, "has changed since it was built: its frames, contacts or skeleton are others", error);
}

static bool failSearch(const rpModelLoader* loader, const rpModelClip* clip, rpClipSearch search, rpError* error)
{
	switch (search)
	{
	case rp_clipChanged:
		return rpModelLoader_FailChanged(loader, clip, error);
	case rp_clipMissing:
		return fail(loader, clip, "is no longer in the library", error);
	case rp_clipTwice:
		return rpFail(error, rp_errorFormat, "the clip \"%.150s\" stands in it twice", clip->name);
	case rp_clipFound:
	case rp_clipFailed:
		break;
	}
	return false;
}

// A file that keeps the same bytes for many clips would take any amount of memory.
static bool checkSize(rpModelLoader* loader, const rpMotion* motion, rpError* error)
{
	size_t joints = (size_t)motion->skeleton->jointCount, perJoint = sizeof(rpQuat);
	perJoint += motion->translations != NULL ? sizeof(rpVec3) : 0;
	loader->size += (size_t)motion->frameCount * (sizeof(rpVec3) + joints * perJoint);
	return loader->size <= loader->maxSize ||
		   rpFail(error, rp_errorFormat, "its clips are larger than the library that they are in");
}

static bool finish(rpModelLoader* loader, rpMotion* motion, rpError* error)
{
	return checkSize(loader, motion, error) &&
		   (rpMotion_GetIntervals(motion, rp_trackContact, NULL, 0) > 0 || rpDetectContacts(motion, NULL, NULL, error));
}

rpMotion* rpModelLoader_Load(rpModelLoader* loader, const rpModelClip* clip, rpError* error)
{
	int index;
	char* name = copyOwnName(clip, error);
	rpClipSearch search = name != NULL
							  ? rpClipFinder_Take(&loader->finder, name, clip->hash, clip->isMirrored, &index, error)
							  : rp_clipFailed;
	rpFree(name);
	if (search != rp_clipFound)
	{
		failSearch(loader, clip, search, error);
		return NULL;
	}
	rpMotion* motion = rpLibrary_LoadClip(loader->finder.library, loader->finder.items[index].id, error);
	if (motion != NULL && !finish(loader, motion, error))
	{
		rpDestroyMotion(motion);
		motion = NULL;
	}
	return motion;
}
