#include "blend/packed_rows.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/plausible.h"

// The largest step of a rotation's numbers, and of places, metres: far coarser than any that is written.
#define LARGEST_STEP 0.01f

// ---- tables

static bool failRows(rpError* error, const char* what)
{
	return rpFail(error, rp_errorFormat, "the clips in the bundle are damaged: %s", what);
}

static uint32_t makeMask(uint32_t width)
{
	return (1u << width) - 1;
}

// One lane of a slot, its bits beginning `bit` bits behind its window.
static void fillLane(rpPackedGroup* group, int slot, int lane, uint32_t bit, const rpPackedJoint* joint, float step)
{
	uint32_t shift = bit & 7;
	for (uint32_t i = 0; i < 4; ++i)
	{
		group->bytes[slot][4 * lane + (int)i] = (uint8_t)((bit >> 3) + i);
	}
	group->masks[slot][lane] = makeMask(joint->widths[slot]) << shift;
	group->scales[slot][lane] = step / (float)(1u << shift);
	group->bases[slot][lane] = step * (float)joint->bases[slot];
	group->swaps[slot][lane] = (joint->left & rp_packedLeftMask) == slot + 1 ? UINT32_MAX : 0;
	group->signs[lane] = (joint->left & rp_packedLeftNegative) != 0 ? 0x80000000u : 0;
}

// Lanes beyond the last joint turn by nothing. Returns where the next group's bits begin.
static uint32_t fillGroup(rpPackedGroup* group, const rpPackedJoint* joints, const float* steps, int count,
						  uint32_t bit)
{
	static const rpPackedJoint nothing = {{0}, {0}, 0};
	for (int slot = 0; slot < rp_packedSlots; ++slot)
	{
		for (int lane = 0; lane < rp_packedLanes; ++lane)
		{
			const rpPackedJoint* joint = lane < count ? &joints[lane] : &nothing;
			if (lane % RP_PACKED_WINDOW == 0)
			{
				group->windows[slot][lane / RP_PACKED_WINDOW] = bit >> 3;
			}
			uint32_t start = 8 * group->windows[slot][lane / RP_PACKED_WINDOW];
			fillLane(group, slot, lane, bit - start, joint, lane < count ? steps[lane] : 1.0f);
			bit += joint->widths[slot];
		}
	}
	return bit;
}

static bool isSoundJoint(const rpPackedJoint* joint)
{
	bool isSound = joint->left <= (rp_packedLeftMask | rp_packedLeftNegative);
	for (int slot = 0; slot < rp_packedSlots; ++slot)
	{
		isSound = isSound && joint->widths[slot] <= rp_packedMaxWidth && joint->bases[slot] >= -rp_packedMaxBase &&
				  joint->bases[slot] <= rp_packedMaxBase;
	}
	return isSound;
}

static bool isSoundHead(const rpPackedHead* head, int framesLeft)
{
	bool isSound = head->frameCount >= 1 && head->frameCount <= framesLeft && head->reserved == 0;
	for (int i = 0; i < 3; ++i)
	{
		isSound = isSound && rpIsWithin(head->origin[i], RP_FARTHEST) && head->widths[i] <= rp_packedMaxWidth;
	}
	return isSound;
}

static bool areSoundSteps(const float* steps, int count)
{
	bool isSound = true;
	for (int i = 0; i < count && isSound; ++i)
	{
		isSound = steps[i] > 0.0f && steps[i] <= LARGEST_STEP;
	}
	return isSound;
}

// The head of a block, which stands on an edge of four bytes, and its joints.
static const rpPackedHead* getHead(const rpPackedSource* source, int index, const rpPackedJoint** joints)
{
	const char* at = (const char*)source->blocks + (size_t)index * rpGetPackedBlockSize(source->jointCount);
	*joints = (const rpPackedJoint*)(const void*)(at + sizeof(rpPackedHead));
	return (const rpPackedHead*)(const void*)at;
}

static uint32_t fillRoot(rpPackedBlock* block, const rpPackedHead* head)
{
	uint32_t bit = 0;
	for (int i = 0; i < 3; ++i)
	{
		block->origin[i] = head->origin[i];
		block->starts[i] = bit;
		block->masks[i] = makeMask(head->widths[i]);
		bit += head->widths[i];
	}
	return bit;
}

// Its tables; sizes are still to be checked.
static bool fillBlock(rpPackedRows* rows, const rpPackedSource* source, int index, int firstFrame, rpError* error)
{
	const rpPackedJoint* joints;
	const rpPackedHead* head = getHead(source, index, &joints);
	if (!isSoundHead(head, source->frameCount - firstFrame))
	{
		return failRows(error, "a block of frames");
	}
	rpPackedBlock* block = &rows->blocks[index];
	rpPackedGroup* groups = rows->groups + (size_t)index * (size_t)rows->groupCount;
	*block = (rpPackedBlock){.firstFrame = firstFrame, .groups = groups, .step = source->steps[0]};
	uint32_t bit = fillRoot(block, head);
	for (int i = 0; i < source->jointCount; ++i)
	{
		if (!isSoundJoint(&joints[i]))
		{
			return failRows(error, "the numbers of a block");
		}
	}
	for (int i = 0; i < rows->groupCount; ++i)
	{
		int first = i * rp_packedLanes;
		bit = fillGroup(&groups[i], joints + first, source->steps + 1 + first, source->jointCount - first, bit);
	}
	// A row takes a byte at least, so that no number of frames is free.
	block->rowSize = bit > 0 ? (bit + 7) / 8 : 1;
	return true;
}

// ---- rows

// What is left out follows from the rest only where that is no longer than one.
static bool isSoundRow(const rpPackedBlock* block, const uint8_t* row, int jointCount)
{
	bool isSound = true;
	for (int i = 0; i < jointCount && isSound; ++i)
	{
		rpQuat q = rpPackedGroup_Get(&block->groups[i / rp_packedLanes], row, i % rp_packedLanes);
		isSound = rpDotQuat(q, q) <= 1.0f + 1e-6f;
	}
	return isSound;
}

static bool checkRows(const rpPackedBlock* block, const rpPackedSource* source, int frameCount, rpError* error)
{
	for (int i = 0; i < frameCount; ++i)
	{
		const uint8_t* row = block->rows + (size_t)i * block->rowSize;
		if (!isSoundRow(block, row, source->jointCount))
		{
			return failRows(error, "a rotation is none");
		}
		if (!rpIsPlace(rpPackedBlock_GetRoot(block, row)))
		{
			return failRows(error, "a root is nowhere near");
		}
	}
	return true;
}

static void fillCells(rpPackedRows* rows, int index, int firstFrame, int endFrame)
{
	int first = (firstFrame + rp_packedCell - 1) / rp_packedCell, end = (endFrame + rp_packedCell - 1) / rp_packedCell;
	for (int i = first; i < end; ++i)
	{
		rows->cells[i] = index;
	}
}

// One block behind the other until the clip is full.
static bool fillRows(rpPackedRows* rows, const rpPackedSource* source, int64_t* byteCount, rpError* error)
{
	*byteCount = 0;
	for (int i = 0, frame = 0; i < rows->blockCount; ++i)
	{
		rpPackedBlock* block = &rows->blocks[i];
		if (!fillBlock(rows, source, i, frame, error))
		{
			return false;
		}
		const rpPackedJoint* joints;
		int frameCount = getHead(source, i, &joints)->frameCount;
		block->rows = source->bytes + *byteCount;
		*byteCount += (int64_t)frameCount * block->rowSize;
		if (*byteCount > source->byteCount)
		{
			return failRows(error, "a block reaches beyond the rows");
		}
		fillCells(rows, i, frame, frame + frameCount);
		if (!checkRows(block, source, frameCount, error))
		{
			return false;
		}
		frame += frameCount;
	}
	return true;
}

// How many blocks make up the clip; 0 if they do not.
static int countBlocks(const rpPackedSource* source)
{
	const rpPackedJoint* joints;
	int64_t frames = 0;
	int count = 0;
	while (count < source->blockCount && frames < source->frameCount)
	{
		int own = getHead(source, count++, &joints)->frameCount;
		frames += own > 0 ? own : 0;
	}
	return frames == source->frameCount ? count : 0;
}

static rpPackedRows* allocateRows(const rpPackedSource* source, int blockCount, rpError* error)
{
	rpPackedRows* rows = rpAllocateZero(1, sizeof(rpPackedRows), error);
	if (rows == NULL)
	{
		return NULL;
	}
	rows->blockCount = blockCount;
	rows->groupCount = (source->jointCount + rp_packedLanes - 1) / rp_packedLanes;
	rows->blocks = rpAllocate((size_t)blockCount, sizeof(rpPackedBlock), error);
	rows->groups = rpAllocate((size_t)blockCount * (size_t)rows->groupCount, sizeof(rpPackedGroup), error);
	rows->cells = rpAllocate((size_t)source->frameCount / rp_packedCell + 1, sizeof(int), error);
	if (rows->blocks == NULL || rows->groups == NULL || rows->cells == NULL)
	{
		rpDestroyPackedRows(rows);
		return NULL;
	}
	return rows;
}

rpPackedRows* rpCreatePackedRows(const rpPackedSource* source, int* blockCount, int64_t* byteCount, rpError* error)
{
	// A row takes a byte at least.
	*blockCount = source->frameCount <= source->byteCount ? countBlocks(source) : 0;
	if (*blockCount == 0 || !areSoundSteps(source->steps, 1 + source->jointCount))
	{
		failRows(error, *blockCount == 0 ? "blocks do not make up a clip" : "a step");
		return NULL;
	}
	rpPackedRows* rows = allocateRows(source, *blockCount, error);
	if (rows != NULL && !fillRows(rows, source, byteCount, error))
	{
		rpDestroyPackedRows(rows);
		return NULL;
	}
	return rows;
}

void rpDestroyPackedRows(rpPackedRows* rows)
{
	if (rows != NULL)
	{
		rpFree(rows->blocks);
		rpFree(rows->groups);
		rpFree(rows->cells);
		rpFree(rows);
	}
}
