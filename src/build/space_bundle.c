/// A space as a bundle for players: examples' paths over the floor apart from what the body does along them.
#include "base/memory.h"
#include "build/model_kind.h"
#include "build/space_build.h"
#include "build/take_split.h"

#include <string.h>

/// All examples of several spaces, cut in two, and what rests in each frame.
typedef struct Split
{
	rpMotion** locals;
	rpGroundRate* rates;
	uint16_t* contacts;
	int count, frameCount;
} Split;

static void freeSplit(Split* split)
{
	for (int i = 0; i < split->count && split->locals != NULL; ++i)
	{
		rpDestroyMotion(split->locals[i]);
	}
	rpFree(split->locals);
	rpFree(split->rates);
	rpFree(split->contacts);
}

static bool allocateSplit(const rpSpace* const* spaces, int spaceCount, Split* split, rpError* error)
{
	for (int n = 0; n < spaceCount; ++n)
	{
		split->count += spaces[n]->exampleCount;
		for (int i = 0; i < spaces[n]->exampleCount; ++i)
		{
			split->frameCount += spaces[n]->motions[i]->frameCount;
		}
	}
	split->locals = rpAllocateZero((size_t)split->count, sizeof(rpMotion*), error);
	split->rates = rpAllocate((size_t)split->frameCount, sizeof(rpGroundRate), error);
	split->contacts = rpAllocateZero((size_t)split->frameCount, sizeof(uint16_t), error);
	return split->locals != NULL && split->rates != NULL && split->contacts != NULL;
}

static bool splitExamples(const rpSpace* const* spaces, int spaceCount, Split* split, rpError* error)
{
	bool done = allocateSplit(spaces, spaceCount, split, error);
	for (int n = 0, local = 0, first = 0; n < spaceCount && done; ++n)
	{
		for (int i = 0; i < spaces[n]->exampleCount && done; ++i)
		{
			const rpMotion* motion = spaces[n]->motions[i];
			split->locals[local] = rpSplitTake(motion, 0.0f, split->rates + first, error);
			done = split->locals[local++] != NULL;
			rpMarkContacts(motion, split->contacts + first);
			first += motion->frameCount;
		}
	}
	return done;
}

bool rpAddSpaceFrames(const rpSpace* const* spaces, int count, rpBundleWriter* writer, rpError* error)
{
	Split split = {0};
	bool done = splitExamples(spaces, count, &split, error) &&
				rpWriteSpaceFrames(writer, (const rpMotion* const*)split.locals, split.count, split.rates,
								   split.contacts, split.frameCount, error);
	freeSplit(&split);
	return done;
}

bool rpAddSpaceBundle(const void* model, rpBundleWriter* writer, rpError* error)
{
	const rpSpace* space = model;
	return rpWriteSpaceChunks(writer, space, error) && rpAddSpaceFrames(&space, 1, writer, error);
}

// ---- copies

static bool copyMotions(const rpSpace* space, rpSpace* copy, rpError* error)
{
	copy->motions = rpAllocateZero((size_t)space->exampleCount, sizeof(rpMotion*), error);
	bool done = copy->motions != NULL;
	for (int i = 0; i < space->exampleCount && done; ++i)
	{
		copy->motions[i] = rpCopyMotion(space->motions[i], error);
		done = copy->motions[i] != NULL;
	}
	return done;
}

static bool copyHashes(const rpSpace* space, rpSpace* copy, rpError* error)
{
	if (space->hashes == NULL)
	{
		return true;
	}
	copy->hashes = rpAllocateZero((size_t)space->clipCount, sizeof(*space->hashes), error);
	if (copy->hashes != NULL)
	{
		memcpy(copy->hashes, space->hashes, (size_t)space->clipCount * sizeof(*space->hashes));
	}
	return copy->hashes != NULL;
}

// All but motions and hashes goes the way of files.
rpSpace* rpCopySpace(const rpSpace* space, rpError* error)
{
	rpBundleWriter writer = {0};
	size_t size;
	void* bytes = rpWriteSpaceChunks(&writer, space, error) ? rpBundleWriter_Finish(&writer, &size, error) : NULL;
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, error) : NULL;
	rpSpace* copy = bundle != NULL ? rpReadSpaceChunks(bundle, error) : NULL;
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	rpBundleWriter_Free(&writer);
	if (copy != NULL && !(copyMotions(space, copy, error) && copyHashes(space, copy, error)))
	{
		rpDestroySpace(copy);
		copy = NULL;
	}
	return copy;
}

void* rpWriteSpaceBundle(const rpSpace* space, size_t* size, rpError* error)
{
	return rpModelKind_WriteBundle(&rpSpaceModelKind, space, size, error);
}
