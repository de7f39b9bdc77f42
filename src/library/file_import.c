/// Adding files: loaded, checked and hashed several at once, then put into the library in their order, each as a
/// transaction of its own. Nothing is reported before its transaction is on the disk.
#include "base/assert.h"
#include "base/error.h"
#include "base/findings.h"
#include "base/memory.h"
#include "doctor/doctor.h"
#include "file/bytes.h"
#include "library/clip_add.h"
#include "library/session.h"
#include "work/parallel.h"

#include <stdio.h>
#include <string.h>

// Files loaded at once. Their motions are all in memory.
#define BATCH 16

/// One file in progress.
typedef struct Item
{
	const char* path;
	rpMotion* motion;
	rpTake take;
	rpReadyClip ready;
	rpFindings findings;
	rpError error;
	bool failed;
} Item;

typedef struct Batch
{
	Item items[BATCH];
	const rpReadDef* read;
} Batch;

static void loadItem(int index, void* context)
{
	Batch* batch = context;
	Item* item = batch->items + index;
	item->motion = rpLoadTake(item->path, batch->read, &item->take, &item->findings, &item->error);
	item->failed = item->motion == NULL || !rpReadyClip_Make(item->motion, &item->take, &item->ready, &item->error);
	if (item->failed)
	{
		rpError_SetFile(&item->error, item->path);
	}
}

static void freeItem(Item* item)
{
	rpReadyClip_Free(&item->ready);
	rpDestroyMotion(item->motion);
	rpTake_Free(&item->take);
	rpFindings_Free(&item->findings);
	*item = (Item){0};
}

/// Where an import stands.
typedef struct Import
{
	rpLibrary* library;
	const rpAddDef* def;
	const char* const* paths;
	int count;
	/// Files done, and how many of them are in the library.
	int done, added;
	bool stopped;
	/// The last clip before, and the bodies that got new takes since.
	rpClipId lastOld;
	int64_t* families;
	int familyCount, familyCapacity;
} Import;

// Note the body of a clip that is new.
static bool noteFamily(Import* import, rpClipId clip, rpError* error)
{
	int64_t family;
	if (!rpStore_GetNumber(
			import->library, &family, NULL, error,
			"SELECT family FROM skeletons JOIN clips ON clips.skeleton = skeletons.id WHERE clips.id = ?", "i", clip))
	{
		return false;
	}
	for (int i = 0; i < import->familyCount; ++i)
	{
		if (import->families[i] == family)
		{
			return true;
		}
	}
	if (!rpGrow(&import->families, &import->familyCapacity, import->familyCount, sizeof(int64_t), error))
	{
		return false;
	}
	import->families[import->familyCount++] = family;
	return true;
}

static bool decideAll(Import* import, rpError* error)
{
	bool done = true;
	for (int i = 0; i < import->familyCount && done; ++i)
	{
		done = rpDecideFamily(import->library, import->families[i], import->lastOld, import->def, error);
	}
	rpFree(import->families);
	return done;
}

static void report(Import* import, const Item* item, rpClipId clip, bool isNew)
{
	const rpAddDef* def = import->def;
	++import->done;
	import->added += clip != 0;
	if (def->fileDone != NULL &&
		!def->fileDone(item->path, clip, isNew, &item->findings, item->failed ? &item->error : NULL, def->fileContext))
	{
		import->stopped = true;
	}
}

// The name of the folder that a file is in, NULL where its path names none; free with rpFree. Not a label: its error.
static bool copyFolderName(Item* item, char** out, rpError* error)
{
	const char* end = rpGetFileName(item->path);
	*out = NULL;
	while (end > item->path && end[-1] == '/')
	{
		--end;
	}
	const char* start = end;
	while (start > item->path && start[-1] != '/')
	{
		--start;
	}
	size_t size = (size_t)(end - start);
	// Neither "." nor ".." is a name.
	if (size == 0 || strncmp(start, "..", size) == 0)
	{
		return true;
	}
	char* name = rpAllocate(size + 1, 1, error);
	if (name == NULL)
	{
		return false;
	}
	memcpy(name, start, size);
	name[size] = 0;
	*out = rpCopyAsText(name, error);
	rpFree(name);
	if (*out != NULL && !rpCheckLabel(*out, &item->error))
	{
		item->failed = true;
		rpError_SetFile(&item->error, item->path);
	}
	return *out != NULL;
}

// With the labels of the definition, and that of its folder.
static rpClipId addLabelled(Import* import, Item* item, bool* isNew, rpError* error)
{
	rpAddDef def = *import->def;
	const char* fileName = rpGetFileName(item->path);
	const char* name = import->count == 1 && def.name != NULL ? def.name : item->motion->name;
	char* folder = NULL;
	if (!def.labelByFolder)
	{
		return rpAddReadyClip(import->library, &item->ready, name, fileName, &def, isNew, error);
	}
	const char** labels = rpAllocate((size_t)def.labelCount + 1, sizeof(char*), error);
	rpClipId clip = 0;
	if (labels != NULL && copyFolderName(item, &folder, error) && !item->failed)
	{
		for (int i = 0; i < def.labelCount; ++i)
		{
			labels[i] = def.labels[i];
		}
		labels[def.labelCount] = folder;
		def.labels = labels;
		def.labelCount += folder != NULL;
		clip = rpAddReadyClip(import->library, &item->ready, name, fileName, &def, isNew, error);
	}
	rpFree(labels);
	rpFree(folder);
	return clip;
}

static bool addItem(Import* import, Item* item, rpError* error)
{
	const rpAddDef* def = import->def;
	const char* fileName = rpGetFileName(item->path);
	double fraction = (double)import->done / import->count;
	if (def->progress != NULL && !def->progress(fraction, fileName, def->progressContext))
	{
		return rpFail(error, rp_errorCancelled, "stopped after %d of %d files", import->done, import->count);
	}
	bool isNew = false;
	rpClipId clip = 0;
	if (!item->failed)
	{
		clip = addLabelled(import, item, &isNew, error);
		if (clip == 0 && !item->failed)
		{
			return false;
		}
	}
	report(import, item, clip, isNew);
	return !isNew || item->ready.take.size == 0 || noteFamily(import, clip, error);
}

static bool runBatch(Import* import, Batch* batch, rpError* error)
{
	int first = import->done;
	int count = import->count - first < BATCH ? import->count - first : BATCH;
	for (int i = 0; i < count; ++i)
	{
		batch->items[i] = (Item){.path = import->paths[first + i]};
	}
	rpParallelFor(count, loadItem, batch);
	bool done = true;
	for (int i = 0; i < count; ++i)
	{
		done = done && (import->stopped || addItem(import, batch->items + i, error));
		freeItem(batch->items + i);
	}
	return done;
}

// Each file is a transaction of its own: what failed is only the last.
static void sayWhatStays(const Import* import, rpError* error)
{
	if (error != NULL && import->added > 0)
	{
		size_t size = strlen(error->message);
		snprintf(error->message + size, sizeof(error->message) - size, "; %d of %d files were added before and stay",
				 import->added, import->count);
	}
}

int rpLibrary_AddFiles(rpLibrary* library, const char* const* paths, int count, const rpAddDef* def, rpError* error)
{
	RP_ASSERT(library != NULL && (paths != NULL || count == 0));
	rpAddDef plain = rpDefaultAddDef();
	Import import = {.library = library, .def = def != NULL ? def : &plain, .paths = paths, .count = count};
	Batch* batch = rpCheckAddDef(import.def, error) ? rpAllocateZero(1, sizeof(Batch), error) : NULL;
	bool done = batch != NULL;
	if (done)
	{
		batch->read = import.def->read;
		done = rpStore_GetNumber(library, &import.lastOld, NULL, error, "SELECT ifnull(max(id), 0) FROM clips", "");
	}
	while (done && !import.stopped && import.done < count)
	{
		done = runBatch(&import, batch, error);
	}
	rpFree(batch);
	if (!done)
	{
		sayWhatStays(&import, error);
	}
	// What was added stays, and so its session decides.
	done = decideAll(&import, done ? error : NULL) && done;
	if (done && import.def->progress != NULL)
	{
		import.def->progress(1.0, "done", import.def->progressContext);
	}
	return done ? import.added : -1;
}
