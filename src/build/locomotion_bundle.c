/// A model of locomotion as a bundle for players: the takes' paths apart from what the body does along them.
#include "base/memory.h"
#include "build/locomotion_build.h"
#include "build/model_kind.h"
#include "build/take_split.h"
#include "model/gait_model.h"

#include <math.h>

/// All takes, cut in two, and what rests in each frame.
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

static bool splitTakes(const rpLocomotion* model, Split* split, rpError* error)
{
	for (int i = 0; i < model->takeCount; ++i)
	{
		split->frameCount += model->takes[i]->frameCount;
	}
	split->locals = rpAllocateZero((size_t)model->takeCount, sizeof(rpMotion*), error);
	split->rates = rpAllocate((size_t)split->frameCount, sizeof(rpGroundRate), error);
	split->contacts = rpAllocateZero((size_t)split->frameCount, sizeof(uint16_t), error);
	bool done = split->locals != NULL && split->rates != NULL && split->contacts != NULL;
	for (int i = 0, first = 0; i < model->takeCount && done; ++i)
	{
		float floor;
		done = rpFindTakeFloor(model->takes[i], &floor, error);
		split->locals[i] = done ? rpSplitTake(model->takes[i], floor, split->rates + first, error) : NULL;
		done = split->locals[i] != NULL;
		rpMarkContacts(model->takes[i], split->contacts + first);
		first += model->takes[i]->frameCount;
	}
	return done;
}

// What a player would find in the bundle so far is found here, once and for all.
static bool addStands(rpBundleWriter* writer, rpError* error)
{
	rpGaitModel model = {0};
	size_t size;
	void* bytes = rpBundleWriter_Finish(writer, &size, error);
	rpBundle* bundle = bytes != NULL ? rpCreateBundle(bytes, size, error) : NULL;
	bool done = bundle != NULL && rpGaitModel_Read(&model, bundle, error) && rpWriteStandChunks(writer, &model, error);
	rpGaitModel_Free(&model);
	rpDestroyBundle(bundle);
	rpFreeBytes(bytes);
	return done;
}

bool rpAddLocomotionBundle(const void* model, rpBundleWriter* writer, rpError* error)
{
	const rpLocomotion* locomotion = model;
	Split split = {0};
	bool done =
		splitTakes(locomotion, &split, error) && rpWriteLocomotionChunks(writer, locomotion, error) &&
		rpWriteClipChunks(writer, (const rpMotion* const*)split.locals, locomotion->takeCount, rpCreateClip, error) &&
		rpBundleWriter_Add(writer, "LPTH", split.rates, split.frameCount, sizeof(rpGroundRate), error) &&
		rpBundleWriter_Add(writer, "LCON", split.contacts, split.frameCount, sizeof(uint16_t), error) &&
		addStands(writer, error);
	freeSplit(&split, locomotion->takeCount);
	return done;
}

void* rpWriteLocomotionBundle(const rpLocomotion* model, size_t* size, rpError* error)
{
	return rpModelKind_WriteBundle(&rpLocomotionModelKind, model, size, error);
}

bool rpSaveLocomotionBundle(const rpLocomotion* model, const char* path, rpError* error)
{
	return rpModelKind_SaveBundle(&rpLocomotionModelKind, model, path, error);
}
