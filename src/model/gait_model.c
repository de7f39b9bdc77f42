#include "model/gait_model.h"

#include "base/error.h"
#include "base/memory.h"
#include "blend/clip.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(rpStand) == 24, "the layout of the file");

static bool failModel(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the model of locomotion is damaged: %s", what);
}

static bool checkRates(const rpGroundRate* rates, int count)
{
	bool isSound = true;
	for (int i = 0; i < count && isSound; ++i)
	{
		isSound = fabsf(rates[i].x) <= RP_DAMAGE_LIMIT && fabsf(rates[i].z) <= RP_DAMAGE_LIMIT &&
				  fabsf(rates[i].turn) <= RP_DAMAGE_LIMIT;
	}
	return isSound;
}

static bool checkContacts(const uint16_t* contacts, int count)
{
	unsigned all = 0;
	for (int i = 0; i < count; ++i)
	{
		all |= contacts[i];
	}
	return all >> rp_effectorCount == 0;
}

static bool checkRoots(const rpClip* clip)
{
	bool isSound = true;
	for (int i = 0; i < clip->frameCount && isSound; ++i)
	{
		isSound = rpLength(rpClip_GetPlace(clip, i)) <= RP_DAMAGE_LIMIT;
	}
	return isSound;
}

// The takes' frames: all chunks must have as many.
static bool readFrames(rpGaitModel* model, const rpBundle* bundle, const rpTakeRecord* records, rpError* error)
{
	int rateCount, contactCount, takeCount = model->graph->takeCount;
	int64_t frameCount = 0;
	model->rates = rpBundle_GetChunk(bundle, "LPTH", sizeof(rpGroundRate), &rateCount, error);
	model->contacts = rpBundle_GetChunk(bundle, "LCON", sizeof(uint16_t), &contactCount, error);
	if (model->rates == NULL || model->contacts == NULL || !rpClipSet_Read(&model->clips, bundle, error))
	{
		return false;
	}
	model->firstFrames = rpAllocate((size_t)takeCount, sizeof(int), error);
	if (model->firstFrames == NULL)
	{
		return false;
	}
	bool isSound = model->clips.clipCount == takeCount;
	for (int i = 0; i < takeCount && isSound; ++i)
	{
		const rpClip* clip = model->clips.clips[i];
		model->firstFrames[i] = (int)frameCount;
		frameCount += records[i].frameCount;
		isSound = clip->frameCount == records[i].frameCount && clip->fps == records[i].fps && frameCount <= rateCount &&
				  frameCount <= contactCount && checkRoots(clip);
	}
	isSound = isSound && frameCount == rateCount && frameCount == contactCount && checkRates(model->rates, rateCount) &&
			  checkContacts(model->contacts, contactCount);
	return isSound || failModel(error, "its frames");
}

static bool readNames(rpGaitModel* model, const char* names, rpError* error)
{
	model->names = rpAllocate((size_t)model->graph->takeCount, sizeof(char*), error);
	for (int i = 0; model->names != NULL && i < model->graph->takeCount; ++i)
	{
		model->names[i] = names;
		names += strlen(names) + 1;
	}
	return model->names != NULL;
}

// ---- parameters

// How fast the ground frame turns in a movement, on the average.
static float getGroundTurn(const rpGaitModel* model, const rpMovement* movement)
{
	const rpClip* clip = model->clips.clips[movement->take];
	const rpGroundRate* rates = model->rates + model->firstFrames[movement->take];
	int first = (int)fmax(round(movement->start * clip->fps), 0.0), last = (int)round(movement->end * clip->fps);
	double sum = 0.0;
	int count = 0;
	for (int i = first; i <= last && i < clip->frameCount; ++i, ++count)
	{
		sum += (double)rates[i].turn;
	}
	return count > 0 ? (float)(sum / count) : 0.0f;
}

// Someone who sets out or stops shifts the weight: the centre of mass goes sideways, which says nothing about where the
// body turns to. There it is the ground frame's turn that counts.
static void turnWithGround(rpGaitModel* model)
{
	rpLocomotion* graph = model->graph;
	for (int i = 0; i < graph->movementCount; ++i)
	{
		rpMovement* movement = &graph->movements[i];
		if (rpMovementKind_GetBefore(movement->kind) != rpMovementKind_GetAfter(movement->kind))
		{
			movement->turn = getGroundTurn(model, movement);
		}
	}
	rpLocomotion_Derive(graph);
}

// ---- the fine graph

static bool isCyclic(int kind, int gait)
{
	return (int)rpMovementKind_GetBefore((rpMovementKind)kind) == gait &&
		   (int)rpMovementKind_GetAfter((rpMovementKind)kind) == gait;
}

// Breadth first from the goals back: in each round the kinds that lead to one of the last.
static void measureDistances(rpGaitModel* model, int gait)
{
	int* distances = model->distances[gait];
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		distances[kind] = (model->core >> kind & 1) != 0 && isCyclic(kind, gait) ? 0 : -1;
	}
	for (int round = 0; round < rp_movementKindCount; ++round)
	{
		for (int kind = 0; kind < rp_movementKindCount; ++kind)
		{
			uint32_t next = model->graph->nodes[kind].successors & model->core;
			for (int other = 0; other < rp_movementKindCount && distances[kind] < 0 && (model->core >> kind & 1) != 0;
				 ++other)
			{
				distances[kind] = (next >> other & 1) != 0 && distances[other] == round ? round + 1 : -1;
			}
		}
	}
}

// ---- stands

static bool findOwnStands(rpGaitModel* model, int count, int jointCount, rpError* error)
{
	model->ownStands = rpAllocateZero((size_t)count, sizeof(rpStand), error);
	model->ownJoints = rpAllocate(2 * (size_t)count * (size_t)jointCount, sizeof(rpVec3), error);
	model->stands = model->ownStands;
	model->standJoints = model->ownJoints;
	return model->ownStands != NULL && model->ownJoints != NULL &&
		   rpFindStands(model, model->ownStands, model->ownJoints, error);
}

static bool isSoundStand(const rpStand* stand, const rpMovement* movement)
{
	return stand->from >= movement->start && stand->from < stand->to && stand->to <= movement->end &&
		   stand->cost >= 0.0f && stand->cost <= RP_DAMAGE_LIMIT;
}

static bool checkStands(const rpGaitModel* model, int jointTotal)
{
	const rpLocomotionNode* node = &model->graph->nodes[rp_movementS];
	bool isSound = true;
	for (int i = 0; i < node->movementCount && isSound; ++i)
	{
		isSound = isSoundStand(&model->stands[i], &model->graph->movements[node->firstMovement + i]);
	}
	for (int i = 0; i < jointTotal && isSound; ++i)
	{
		isSound = rpLength(model->standJoints[i]) <= RP_DAMAGE_LIMIT;
	}
	return isSound;
}

// The first bundles have no stands; they are found in the takes then.
static bool readStands(rpGaitModel* model, const rpBundle* bundle, rpError* error)
{
	int count = model->graph->nodes[rp_movementS].movementCount, standCount, total;
	int jointCount = model->clips.skeleton->jointCount;
	if (count == 0)
	{
		return true;
	}
	if (!rpBundle_HasChunk(bundle, "LSTD"))
	{
		return findOwnStands(model, count, jointCount, error);
	}
	model->stands = rpBundle_GetChunk(bundle, "LSTD", sizeof(rpStand), &standCount, error);
	model->standJoints = rpBundle_GetChunk(bundle, "LSTJ", sizeof(rpVec3), &total, error);
	if (model->stands == NULL || model->standJoints == NULL)
	{
		return false;
	}
	bool isSound = standCount == count && total == 2 * (int64_t)count * jointCount && checkStands(model, total);
	return isSound || failModel(error, "its stands");
}

bool rpWriteStandChunks(rpBundleWriter* writer, const rpGaitModel* model, rpError* error)
{
	int count = model->graph->nodes[rp_movementS].movementCount;
	int64_t total = 2 * (int64_t)count * model->clips.skeleton->jointCount;
	if (total > INT32_MAX)
	{
		return rpFail(error, rp_errorLimit, "%d stands are too many for a bundle", count);
	}
	return count == 0 || (rpBundleWriter_Add(writer, "LSTD", model->stands, count, sizeof(rpStand), error) &&
						  rpBundleWriter_Add(writer, "LSTJ", model->standJoints, (int)total, sizeof(rpVec3), error));
}

static bool allocateScratch(rpGaitModel* model, rpError* error)
{
	size_t jointCount = (size_t)model->clips.skeleton->jointCount;
	model->scratch = (rpPoseScratch){rpAllocate(jointCount, sizeof(rpQuat), error),
									 rpAllocate(jointCount, sizeof(rpTransform), error),
									 rpAllocate(jointCount, sizeof(rpVec3), error)};
	return model->scratch.rotations != NULL && model->scratch.world != NULL && model->scratch.joints != NULL;
}

bool rpGaitModel_Read(rpGaitModel* model, const rpBundle* bundle, rpError* error)
{
	const rpTakeRecord* records;
	const char* names;
	*model = (rpGaitModel){.graph = rpReadLocomotionChunks(bundle, &records, &names, error)};
	if (model->graph == NULL || !readFrames(model, bundle, records, error) || !readNames(model, names, error))
	{
		return false;
	}
	turnWithGround(model);
	model->core = rpLocomotion_FindCore(model->graph);
	for (int gait = 0; gait < rp_gaitCount; ++gait)
	{
		measureDistances(model, gait);
	}
	return readStands(model, bundle, error) && allocateScratch(model, error) &&
		   (model->core != 0 || failModel(error, "no gait can go on"));
}

void rpGaitModel_Free(rpGaitModel* model)
{
	rpDestroyLocomotion(model->graph);
	rpClipSet_Free(&model->clips);
	rpFree(model->names);
	rpFree(model->firstFrames);
	rpFree(model->ownStands);
	rpFree(model->ownJoints);
	rpFree(model->scratch.rotations);
	rpFree(model->scratch.world);
	rpFree(model->scratch.joints);
	*model = (rpGaitModel){0};
}
