#include "model/locomotion_chunks.h"

#include "base/error.h"
#include "base/memory.h"
#include "model/model_name.h"
#include "motion/plausible.h"

#include <math.h>

/// LHDR, one record.
typedef struct LocomotionHeader
{
	int32_t takeCount, movementCount, originalCount, reserved;
	rpTurnRule turnRules[rp_gaitCount];
	int32_t padding;
} LocomotionHeader;

/// LMOV, one for each movement.
typedef struct MovementRecord
{
	double keytimes[RP_MAX_KEYTIMES];
	float speed, turn, acceleration;
	int32_t kind, take, isSuccessor;
} MovementRecord;

_Static_assert(sizeof(LocomotionHeader) == 80 && sizeof(MovementRecord) == 72 && sizeof(rpTakeRecord) == 16 &&
				   sizeof(rpGroundRate) == 12,
			   "the layout of the file");

// Key times are computed from frames, seconds.
#define KEYTIME_TOLERANCE 1e-9

// ---- writing

static bool writeTakes(rpBundleWriter* writer, const rpLocomotion* model, rpError* error)
{
	rpTakeRecord* records = rpAllocateZero((size_t)model->takeCount, sizeof(rpTakeRecord), error);
	rpText names = {0};
	if (records == NULL)
	{
		return false;
	}
	for (int i = 0; i < model->takeCount; ++i)
	{
		const rpMotion* take = model->takes[i];
		records[i] = (rpTakeRecord){take->fps, take->frameCount, i >= model->originalCount};
		rpText_Append(&names, take->name, strlen(take->name) + 1);
	}
	bool done = names.failed
					? rpFail(error, rp_errorMemory, "out of memory")
					: rpBundleWriter_Add(writer, "LTAK", records, model->takeCount, sizeof(rpTakeRecord), error) &&
						  rpBundleWriter_Add(writer, "LTXT", names.data, (int)names.size, 1, error);
	rpText_Free(&names);
	rpFree(records);
	return done;
}

static MovementRecord makeRecord(const rpMovement* movement)
{
	MovementRecord record = {.speed = movement->speed,
							 .turn = movement->turn,
							 .acceleration = movement->acceleration,
							 .kind = (int32_t)movement->kind,
							 .take = movement->take,
							 .isSuccessor = movement->isSuccessor};
	memcpy(record.keytimes, movement->keytimes, (size_t)movement->keytimeCount * sizeof(double));
	return record;
}

static bool writeMovements(rpBundleWriter* writer, const rpLocomotion* model, rpError* error)
{
	MovementRecord* records = rpAllocate((size_t)model->movementCount, sizeof(MovementRecord), error);
	if (records == NULL)
	{
		return false;
	}
	for (int i = 0; i < model->movementCount; ++i)
	{
		records[i] = makeRecord(&model->movements[i]);
	}
	bool done = rpBundleWriter_Add(writer, "LMOV", records, model->movementCount, sizeof(MovementRecord), error);
	rpFree(records);
	return done;
}

bool rpWriteLocomotionChunks(rpBundleWriter* writer, const rpLocomotion* model, rpError* error)
{
	LocomotionHeader header = {
		.takeCount = model->takeCount, .movementCount = model->movementCount, .originalCount = model->originalCount};
	uint32_t successors[rp_movementKindCount];
	memcpy(header.turnRules, model->turnRules, sizeof(header.turnRules));
	for (int kind = 0; kind < rp_movementKindCount; ++kind)
	{
		successors[kind] = model->nodes[kind].successors;
	}
	return rpBundleWriter_Add(writer, "LHDR", &header, 1, sizeof(header), error) && writeTakes(writer, model, error) &&
		   writeMovements(writer, model, error) &&
		   rpBundleWriter_Add(writer, "LNOD", successors, rp_movementKindCount, sizeof(uint32_t), error);
}

// ---- reading

static bool failModel(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the model of locomotion is damaged: %s", what);
}

static bool readHeader(const rpBundle* bundle, rpLocomotion* model, rpError* error)
{
	int count;
	const LocomotionHeader* header = rpBundle_GetChunk(bundle, "LHDR", sizeof(LocomotionHeader), &count, error);
	if (header == NULL)
	{
		return false;
	}
	bool isSound = count == 1 && header->takeCount >= 1 && header->takeCount <= RP_MAX_TAKES &&
				   header->movementCount >= 1 && header->originalCount >= 1 && header->originalCount <= RP_MAX_TAKES &&
				   (header->takeCount == header->originalCount || header->takeCount == 2 * header->originalCount);
	for (int gait = 0; isSound && gait < rp_gaitCount; ++gait)
	{
		const rpTurnRule* rule = &header->turnRules[gait];
		isSound = rpIsWithin(rule->bySpeed, RP_DAMAGE_LIMIT) && rpIsWithin(rule->byTurn, RP_DAMAGE_LIMIT) &&
				  rpIsWithin(rule->constant, RP_DAMAGE_LIMIT) && rpIsWithin(rule->explained - 0.5f, 0.501f) &&
				  rule->pairCount >= 0 && rule->pairCount <= header->movementCount;
		model->turnRules[gait] = *rule;
	}
	model->takeCount = header->takeCount;
	model->originalCount = header->originalCount;
	model->movementCount = header->movementCount;
	return isSound || failModel(error, "its header");
}

// One for each take, one behind the other, each with a zero.
static bool areSoundNames(const char* names, int size, const rpTakeRecord* records, int count)
{
	const char* end = names + size;
	bool isSound = true;
	for (int i = 0; i < count && isSound; ++i)
	{
		const char* zero = names < end ? memchr(names, 0, (size_t)(end - names)) : NULL;
		isSound = zero != NULL && rpIsModelName(names, records[i].isMirrored != 0);
		names = isSound ? zero + 1 : names;
	}
	return isSound && names == end;
}

static bool readTakes(const rpBundle* bundle, const rpLocomotion* model, const rpTakeRecord** records,
					  const char** names, rpError* error)
{
	int count, size;
	*records = rpBundle_GetChunk(bundle, "LTAK", sizeof(rpTakeRecord), &count, error);
	*names = rpBundle_GetChunk(bundle, "LTXT", 1, &size, error);
	if (*records == NULL || *names == NULL)
	{
		return false;
	}
	bool isSound = count == model->takeCount;
	for (int i = 0; isSound && i < count; ++i)
	{
		const rpTakeRecord* record = *records + i;
		isSound = rpIsRate(record->fps) && record->frameCount >= 2 && record->frameCount <= RP_MAX_FRAMES &&
				  record->isMirrored == (i >= model->originalCount);
	}
	return (isSound || failModel(error, "its takes")) &&
		   (areSoundNames(*names, size, *records, count) || failModel(error, "the names of its takes"));
}

static bool isSoundMovement(const rpMovement* movement, const rpTakeRecord* take)
{
	double duration = (take->frameCount - 1) / take->fps;
	bool isSound = movement->start >= 0.0 && movement->end <= duration + KEYTIME_TOLERANCE &&
				   movement->end - movement->start >= RP_SHORTEST_MOVEMENT &&
				   movement->end - movement->start <= RP_LONGEST_MOVEMENT &&
				   rpIsWithin(movement->speed, RP_DAMAGE_LIMIT) && rpIsWithin(movement->turn, RP_DAMAGE_LIMIT) &&
				   rpIsWithin(movement->acceleration, RP_DAMAGE_LIMIT);
	for (int i = 1; i < movement->keytimeCount && isSound; ++i)
	{
		isSound = movement->keytimes[i] >= movement->keytimes[i - 1];
	}
	return isSound;
}

static bool readMovement(const rpLocomotion* model, const MovementRecord* record, const rpTakeRecord* takes,
						 rpMovement* out)
{
	if (record->kind < 0 || record->kind >= rp_movementKindCount || record->take < 0 ||
		record->take >= model->takeCount || (record->isSuccessor & ~1) != 0)
	{
		return false;
	}
	*out = (rpMovement){.kind = (rpMovementKind)record->kind,
						.take = record->take,
						.speed = record->speed,
						.turn = record->turn,
						.acceleration = record->acceleration,
						.isSuccessor = record->isSuccessor != 0};
	out->keytimeCount = (int)strlen(rpMovementKind_GetString(out->kind)) + 1;
	memcpy(out->keytimes, record->keytimes, (size_t)out->keytimeCount * sizeof(double));
	out->start = out->keytimes[0];
	out->end = out->keytimes[out->keytimeCount - 1];
	return isSoundMovement(out, &takes[record->take]);
}

// By kinds, takes and time. Movements of one kind do not overlap, so that all of them are no longer than the takes.
static bool isBehind(const rpMovement* movement, const rpMovement* last)
{
	return movement->kind > last->kind ||
		   (movement->kind == last->kind &&
			(movement->take > last->take ||
			 (movement->take == last->take && movement->start >= last->end - KEYTIME_TOLERANCE)));
}

// No kind of movement begins anew with every frame. What is made for each movement so follows the number of frames.
static bool isSoundCount(const rpLocomotion* model, const rpTakeRecord* takes, int count)
{
	int64_t frameCount = 0;
	for (int i = 0; i < model->takeCount; ++i)
	{
		frameCount += takes[i].frameCount;
	}
	return count == model->movementCount && count <= rp_movementKindCount * frameCount;
}

static bool readMovements(const rpBundle* bundle, rpLocomotion* model, const rpTakeRecord* takes, rpError* error)
{
	int count;
	const MovementRecord* records = rpBundle_GetChunk(bundle, "LMOV", sizeof(MovementRecord), &count, error);
	if (records == NULL || (!isSoundCount(model, takes, count) && !failModel(error, "its movements")))
	{
		return false;
	}
	model->movements = rpAllocateZero((size_t)count, sizeof(rpMovement), error);
	bool done = model->movements != NULL;
	for (int i = 0; i < count && done; ++i)
	{
		rpMovement* movement = &model->movements[i];
		done = (readMovement(model, &records[i], takes, movement) && (i == 0 || isBehind(movement, movement - 1))) ||
			   failModel(error, "a movement");
	}
	return done;
}

static bool readSuccessors(const rpBundle* bundle, rpLocomotion* model, rpError* error)
{
	int count;
	const uint32_t* successors = rpBundle_GetChunk(bundle, "LNOD", sizeof(uint32_t), &count, error);
	if (successors == NULL)
	{
		return false;
	}
	bool isSound = count == rp_movementKindCount;
	for (int kind = 0; kind < rp_movementKindCount && isSound; ++kind)
	{
		model->nodes[kind].successors = successors[kind];
	}
	rpLocomotion_Derive(model);
	// Edges join kinds that there are movements of.
	for (int i = 0; i < 32 * rp_movementKindCount && isSound; ++i)
	{
		int kind = i / 32, next = i % 32;
		bool isEdge = (model->nodes[kind].successors >> next & 1) != 0;
		isSound = !isEdge || (next < rp_movementKindCount && model->nodes[kind].movementCount > 0 &&
							  model->nodes[next].movementCount > 0);
	}
	return isSound || failModel(error, "its edges");
}

rpLocomotion* rpReadLocomotionChunks(const rpBundle* bundle, const rpTakeRecord** records, const char** names,
									 rpError* error)
{
	rpLocomotion* model = rpAllocateZero(1, sizeof(rpLocomotion), error);
	if (model == NULL)
	{
		return NULL;
	}
	if (!readHeader(bundle, model, error) || !readTakes(bundle, model, records, names, error) ||
		!readMovements(bundle, model, *records, error) || !readSuccessors(bundle, model, error))
	{
		rpDestroyLocomotion(model);
		return NULL;
	}
	return model;
}
