/// A space as a bundle for players: examples' paths over the floor apart from what the body does along them.
#include "base/memory.h"
#include "build/model_kind.h"
#include "build/space_build.h"
#include "build/take_split.h"

/// All examples, cut in two, and what rests in each frame.
typedef struct Split
{
	rpMotion** locals;
	rpGroundRate* rates;
	uint16_t* contacts;
	int frameCount;
} Split;

static void freeSplit(Split* split, int count)
{
	for (int i = 0; i < count && split->locals != NULL; ++i)
	{
		rpDestroyMotion(split->locals[i]);
	}
	rpFree(split->locals);
	rpFree(split->rates);
	rpFree(split->contacts);
}

static bool splitExamples(const rpSpace* space, Split* split, rpError* error)
{
	for (int i = 0; i < space->exampleCount; ++i)
	{
		split->frameCount += space->motions[i]->frameCount;
	}
	split->locals = rpAllocateZero((size_t)space->exampleCount, sizeof(rpMotion*), error);
	split->rates = rpAllocate((size_t)split->frameCount, sizeof(rpGroundRate), error);
	split->contacts = rpAllocateZero((size_t)split->frameCount, sizeof(uint16_t), error);
	bool done = split->locals != NULL && split->rates != NULL && split->contacts != NULL;
	for (int i = 0, first = 0; i < space->exampleCount && done; ++i)
	{
		split->locals[i] = rpSplitTake(space->motions[i], 0.0f, split->rates + first, error);
		done = split->locals[i] != NULL;
		rpMarkContacts(space->motions[i], split->contacts + first);
		first += space->motions[i]->frameCount;
	}
	return done;
}

bool rpAddSpaceBundle(const void* model, rpBundleWriter* writer, rpError* error)
{
	const rpSpace* space = model;
	Split split = {0};
	bool done =
		splitExamples(space, &split, error) && rpWriteSpaceModel(writer, space, (const rpMotion* const*)split.locals,
																 split.rates, split.contacts, split.frameCount, error);
	freeSplit(&split, space->exampleCount);
	return done;
}

void* rpWriteSpaceBundle(const rpSpace* space, size_t* size, rpError* error)
{
	return rpModelKind_WriteBundle(&rpSpaceModelKind, space, size, error);
}
