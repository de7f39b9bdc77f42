#include "blend/clip_packer.h"

#include "base/error.h"
#include "blend/clip_rounding.h"

#include <math.h>
#include <string.h>

// The step of the root's places, metres: rounding is a sixth of what packing may be off by, and 24 bits are 335 m.
#define ROOT_STEP 2e-5f

// Where the search for the coarsest steps begins: coarser than any clip of CMU's took. What is off grows with the
// steps, so that the next try follows from the last; it aims a bit lower, since the largest of many errors is chance.
#define FIRST_TRAVEL 4e-5f
#define FIRST_STEP 5e-4f
#define AIM 0.97f
#define MAX_TRIES 40

// ---- blocks

/// The least and the most of each number in some frames.
typedef struct Range
{
	int firstFrame, frameCount;
	/// [3], metres.
	float low[3], high[3];
	/// [jointCount * rp_packedSlots]
	int32_t *least, *most;
} Range;

typedef struct Packer
{
	rpRounding rounding;
	rpPackedClip* out;
	Range block, cell;
} Packer;

static uint32_t countBits(uint32_t number)
{
	uint32_t count = 0;
	for (; number > 0; number >>= 1)
	{
		++count;
	}
	return count;
}

static uint32_t roundPlace(float place, float origin)
{
	return (uint32_t)rintf((place - origin) / ROOT_STEP);
}

static void addFrame(const rpRounding* rounding, Range* range, int frame)
{
	int count = rounding->jointCount * rp_packedSlots;
	const int32_t* numbers = rounding->numbers + (size_t)frame * (size_t)count;
	rpVec3 root = rounding->clip->roots[frame];
	const float places[3] = {root.x, root.y, root.z};
	bool isFirst = range->frameCount++ == 0;
	for (int i = 0; i < 3; ++i)
	{
		range->low[i] = isFirst ? places[i] : fminf(range->low[i], places[i]);
		range->high[i] = isFirst ? places[i] : fmaxf(range->high[i], places[i]);
	}
	for (int i = 0; i < count; ++i)
	{
		range->least[i] = isFirst || numbers[i] < range->least[i] ? numbers[i] : range->least[i];
		range->most[i] = isFirst || numbers[i] > range->most[i] ? numbers[i] : range->most[i];
	}
}

// Until the cell is full, or a block must begin.
static void fillCell(const rpRounding* rounding, Range* cell, int firstFrame)
{
	cell->firstFrame = firstFrame;
	cell->frameCount = 0;
	do
	{
		addFrame(rounding, cell, firstFrame + cell->frameCount);
	} while (cell->frameCount < rp_packedCell && firstFrame + cell->frameCount < rounding->clip->frameCount &&
			 !rounding->cuts[firstFrame + cell->frameCount]);
}

// Bits of a row, of two ranges together where other is not NULL.
static int64_t countRowBits(const Range* range, const Range* other, int jointCount)
{
	int64_t bits = 0;
	for (int i = 0; i < 3; ++i)
	{
		float low = other != NULL ? fminf(range->low[i], other->low[i]) : range->low[i];
		float high = other != NULL ? fmaxf(range->high[i], other->high[i]) : range->high[i];
		bits += countBits(roundPlace(high, low));
	}
	for (int i = 0; i < jointCount * rp_packedSlots; ++i)
	{
		int32_t least = other != NULL && other->least[i] < range->least[i] ? other->least[i] : range->least[i];
		int32_t most = other != NULL && other->most[i] > range->most[i] ? other->most[i] : range->most[i];
		bits += countBits((uint32_t)(most - least));
	}
	return bits;
}

// Whether it takes fewer bytes to have both in one block than in two.
static bool shouldJoin(const Packer* packer)
{
	const Range *block = &packer->block, *cell = &packer->cell;
	int jointCount = packer->rounding.jointCount;
	if (packer->rounding.cuts[cell->firstFrame])
	{
		return false;
	}
	int64_t head = 8 * (int64_t)rpGetPackedBlockSize(jointCount);
	int64_t apart = countRowBits(block, NULL, jointCount) * block->frameCount +
					countRowBits(cell, NULL, jointCount) * cell->frameCount + head;
	return countRowBits(block, cell, jointCount) * (block->frameCount + cell->frameCount) <= apart;
}

static void join(Range* block, const Range* cell, int jointCount)
{
	block->frameCount += cell->frameCount;
	for (int i = 0; i < 3; ++i)
	{
		block->low[i] = fminf(block->low[i], cell->low[i]);
		block->high[i] = fmaxf(block->high[i], cell->high[i]);
	}
	for (int i = 0; i < jointCount * rp_packedSlots; ++i)
	{
		block->least[i] = cell->least[i] < block->least[i] ? cell->least[i] : block->least[i];
		block->most[i] = cell->most[i] > block->most[i] ? cell->most[i] : block->most[i];
	}
}

// ---- bytes

/// A row in the making: bits so far.
typedef struct RowWriter
{
	uint8_t* bytes;
	size_t bit;
} RowWriter;

static void putBits(RowWriter* row, uint32_t number, uint32_t width)
{
	for (uint32_t i = 0; i < width; ++i, ++row->bit)
	{
		row->bytes[row->bit >> 3] |= (uint8_t)((number >> i & 1u) << (row->bit & 7));
	}
}

static void putRoot(RowWriter* row, const Range* block, const rpPackedHead* head, rpVec3 root)
{
	const float places[3] = {root.x, root.y, root.z};
	for (int i = 0; i < 3; ++i)
	{
		putBits(row, roundPlace(places[i], block->low[i]), head->widths[i]);
	}
}

// Groups of joints, and in each the slots one after the other.
static void putJoints(RowWriter* row, const rpPackedJoint* joints, const int32_t* numbers, int jointCount)
{
	for (int first = 0; first < jointCount; first += rp_packedLanes)
	{
		for (int slot = 0; slot < rp_packedSlots; ++slot)
		{
			for (int i = first; i < first + rp_packedLanes && i < jointCount; ++i)
			{
				uint32_t number = (uint32_t)(numbers[i * rp_packedSlots + slot] - joints[i].bases[slot]);
				putBits(row, number, joints[i].widths[slot]);
			}
		}
	}
}

static void describe(const Packer* packer, rpPackedHead* head, rpPackedJoint* joints)
{
	const Range* block = &packer->block;
	int jointCount = packer->rounding.jointCount;
	const uint8_t* lefts = packer->rounding.lefts + (size_t)block->firstFrame * (size_t)jointCount;
	*head = (rpPackedHead){.frameCount = block->frameCount};
	for (int i = 0; i < 3; ++i)
	{
		head->origin[i] = block->low[i];
		head->widths[i] = (uint8_t)countBits(roundPlace(block->high[i], block->low[i]));
	}
	for (int i = 0; i < jointCount; ++i)
	{
		joints[i].left = lefts[i];
		for (int slot = 0; slot < rp_packedSlots; ++slot)
		{
			int at = i * rp_packedSlots + slot;
			joints[i].bases[slot] = block->least[at];
			joints[i].widths[slot] = (uint8_t)countBits((uint32_t)(block->most[at] - block->least[at]));
		}
	}
}

// The block as it is goes to the output.
static bool putBlock(Packer* packer)
{
	const rpRounding* rounding = &packer->rounding;
	const Range* block = &packer->block;
	int jointCount = rounding->jointCount;
	size_t headSize = rpGetPackedBlockSize(jointCount);
	size_t bits = (size_t)countRowBits(block, NULL, jointCount), rowSize = bits > 0 ? (bits + 7) / 8 : 1;
	size_t size = rowSize * (size_t)block->frameCount;
	char* at = rpText_Reserve(&packer->out->blocks, headSize);
	char* rows = rpText_Reserve(&packer->out->rows, size);
	if (at == NULL || rows == NULL)
	{
		return false;
	}
	rpPackedHead* head = (rpPackedHead*)(void*)at;
	rpPackedJoint* joints = (rpPackedJoint*)(void*)(at + sizeof(rpPackedHead));
	describe(packer, head, joints);
	memset(rows, 0, size);
	for (int i = 0; i < block->frameCount; ++i)
	{
		RowWriter row = {(uint8_t*)rows + (size_t)i * rowSize, 0};
		size_t frame = (size_t)(block->firstFrame + i);
		putRoot(&row, block, head, rounding->clip->roots[frame]);
		putJoints(&row, joints, rounding->numbers + frame * (size_t)(jointCount * rp_packedSlots), jointCount);
	}
	packer->out->blocks.size += headSize;
	packer->out->rows.size += size;
	++packer->out->blockCount;
	return true;
}

static void swapRanges(Packer* packer)
{
	Range block = packer->block;
	packer->block = packer->cell;
	packer->cell = block;
}

// Cells become blocks, neighbours joined where that saves bytes.
static bool putBlocks(Packer* packer)
{
	const rpRounding* rounding = &packer->rounding;
	packer->out->blocks.size = packer->out->rows.size = 0;
	packer->out->blockCount = 0;
	bool done = true;
	fillCell(rounding, &packer->block, 0);
	for (int frame = packer->block.frameCount; frame < rounding->clip->frameCount && done;)
	{
		fillCell(rounding, &packer->cell, frame);
		frame += packer->cell.frameCount;
		if (shouldJoin(packer))
		{
			join(&packer->block, &packer->cell, rounding->jointCount);
		}
		else
		{
			done = putBlock(packer);
			swapRanges(packer);
		}
	}
	return done && putBlock(packer);
}

// ---- what it is off by

/// Joints of a frame without its root's place, which may be far away where floats are coarse.
typedef struct Pose
{
	rpQuat* rotations;
	rpTransform* world;
	rpVec3 root;
} Pose;

static void makePose(const rpClip* clip, int frame, Pose* pose)
{
	rpClipRow row = rpClip_GetRow(clip, frame);
	for (int i = 0; i < clip->skeleton->jointCount; ++i)
	{
		pose->rotations[i] = rpClipRow_GetRotation(&row, i);
	}
	pose->root = rpClip_GetPlace(clip, frame);
	rpSkeleton_Forward(clip->skeleton, rpVec3_zero, pose->rotations, NULL, pose->world);
}

// The angle is small: its sine does.
static float getTurn(rpQuat a, rpQuat b)
{
	rpQuat turn = rpMulQuat(rpConjugate(a), b);
	return 2.0f * rpLength((rpVec3){turn.x, turn.y, turn.z});
}

static void compare(const rpClip* clip, const rpClip* packed, Pose* poses, rpPackedClip* out)
{
	out->travel = out->turn = 0.0f;
	for (int frame = 0; frame < clip->frameCount; ++frame)
	{
		makePose(clip, frame, &poses[0]);
		makePose(packed, frame, &poses[1]);
		rpVec3 shift = rpSub(poses[1].root, poses[0].root);
		for (int i = 0; i < clip->skeleton->jointCount; ++i)
		{
			const rpTransform *a = &poses[0].world[i], *b = &poses[1].world[i];
			out->travel = fmaxf(out->travel, rpLength(rpAdd(rpSub(b->p, a->p), shift)));
			out->turn = fmaxf(out->turn, getTurn(a->q, b->q));
		}
	}
}

rpPackedRows* rpPackedClip_Unpack(rpPackedClip* packed, const rpClip* clip, rpError* error)
{
	char* slack = rpText_Reserve(&packed->rows, rp_packedSlack);
	if (slack == NULL)
	{
		rpFail(error, rp_errorMemory, "out of memory");
		return NULL;
	}
	memset(slack, 0, rp_packedSlack);
	rpPackedSource source = {.jointCount = clip->skeleton->jointCount,
							 .frameCount = clip->frameCount,
							 .steps = packed->steps,
							 .blocks = packed->blocks.data,
							 .bytes = (const uint8_t*)packed->rows.data,
							 .blockCount = packed->blockCount,
							 .byteCount = (int64_t)packed->rows.size};
	int blockCount;
	int64_t byteCount;
	return rpCreatePackedRows(&source, &blockCount, &byteCount, error);
}

// Decode what was written, and hold it against the clip.
static bool measure(const rpClip* clip, rpPackedClip* out, Pose* poses, rpError* error)
{
	rpClip packed = *clip;
	packed.packed = rpPackedClip_Unpack(out, clip, error);
	if (packed.packed != NULL)
	{
		compare(clip, &packed, poses, out);
	}
	rpDestroyPackedRows(packed.packed);
	return packed.packed != NULL;
}

// ---- the search for steps

static bool isWithin(const rpPackedClip* packed)
{
	return packed->travel <= RP_PACKED_TRAVEL && packed->turn <= RP_PACKED_TURN;
}

static bool packOnce(Packer* packer, const rpCoarseness* coarseness, Pose* poses, rpError* error)
{
	rpRounding* rounding = &packer->rounding;
	rpRounding_Round(rounding, coarseness);
	packer->out->steps[0] = ROOT_STEP;
	memcpy(packer->out->steps + 1, rounding->steps, (size_t)rounding->jointCount * sizeof(float));
	return (putBlocks(packer) || rpFail(error, rp_errorMemory, "out of memory")) &&
		   measure(rounding->clip, packer->out, poses, error);
}

// Finer by what it is off by too much.
static void refine(rpCoarseness* coarseness, const rpPackedClip* packed)
{
	if (packed->travel > RP_PACKED_TRAVEL)
	{
		coarseness->travel *= AIM * RP_PACKED_TRAVEL / packed->travel;
	}
	if (packed->turn > RP_PACKED_TURN)
	{
		coarseness->step *= AIM * RP_PACKED_TURN / packed->turn;
	}
}

static bool search(Packer* packer, Pose* poses, rpError* error)
{
	rpCoarseness coarseness = {FIRST_TRAVEL, FIRST_STEP};
	for (int i = 0; i < MAX_TRIES; ++i)
	{
		if (!packOnce(packer, &coarseness, poses, error))
		{
			return false;
		}
		if (isWithin(packer->out))
		{
			return true;
		}
		refine(&coarseness, packer->out);
	}
	return rpFail(error, rp_errorLimit, "joints would be off by %.2g mm; at most %.2g are allowed",
				  1e3 * (double)packer->out->travel, 1e3 * (double)RP_PACKED_TRAVEL);
}

static bool allocate(Packer* packer, Pose* poses, rpError* error)
{
	size_t jointCount = (size_t)packer->rounding.jointCount;
	bool done = true;
	Range* ranges[2] = {&packer->block, &packer->cell};
	for (int i = 0; i < 2 && done; ++i)
	{
		ranges[i]->least = rpAllocate(jointCount, rp_packedSlots * sizeof(int32_t), error);
		ranges[i]->most = rpAllocate(jointCount, rp_packedSlots * sizeof(int32_t), error);
		poses[i].rotations = rpAllocate(jointCount, sizeof(rpQuat), error);
		poses[i].world = rpAllocate(jointCount, sizeof(rpTransform), error);
		done =
			ranges[i]->least != NULL && ranges[i]->most != NULL && poses[i].rotations != NULL && poses[i].world != NULL;
	}
	packer->out->steps = rpAllocate(1 + jointCount, sizeof(float), error);
	return done && packer->out->steps != NULL;
}

bool rpPackClip(const rpClip* clip, rpPackedClip* out, rpError* error)
{
	*out = (rpPackedClip){0};
	Packer packer = {.out = out};
	Pose poses[2] = {{0}};
	bool done = rpRounding_Create(&packer.rounding, clip, error) && allocate(&packer, poses, error) &&
				search(&packer, poses, error);
	const Range ranges[2] = {packer.block, packer.cell};
	for (int i = 0; i < 2; ++i)
	{
		rpFree(ranges[i].least);
		rpFree(ranges[i].most);
		rpFree(poses[i].rotations);
		rpFree(poses[i].world);
	}
	rpRounding_Free(&packer.rounding);
	return done;
}

void rpPackedClip_Free(rpPackedClip* packed)
{
	rpFree(packed->steps);
	rpText_Free(&packed->blocks);
	rpText_Free(&packed->rows);
	*packed = (rpPackedClip){0};
}
