/// Frames of a clip in a sixth of the bytes: whole numbers of a few bits each, decoded where they lie.
///
/// A rotation is three of its four numbers, each a multiple of its joint's step. The one that is left out is the same
/// for a block of frames: one that stays large and keeps its sign, so that it follows from the others. A block also
/// says of each number the smallest that occurs and how many bits the rest takes; none where it does not change. Rows
/// of a block have the same layout, so that any frame is found at once, and eight joints are unpacked by one shuffle.
/// The root's place is the block's origin and a multiple of the clip's step.
///
/// After N. Frechette's Animation Compression Library (ranges of short segments, bits by what the error allows).
#pragma once

#include "reprise/play/math.h"

#include <math.h>
#include <string.h>

enum
{
	/// Numbers of a rotation that are stored.
	rp_packedSlots = 3,

	/// The most bits of a number: with the seven bits that it may begin after, four bytes hold it.
	rp_packedMaxWidth = 24,

	/// The largest smallest number, either way: sums with what is stored are whole floats.
	rp_packedMaxBase = 1 << 23,

	/// Bytes behind the last row: rows are read sixteen at once.
	rp_packedSlack = 16,

	/// Blocks are found by these many frames.
	rp_packedCell = 32,

	/// Joints of a group; as rp_clipLanes.
	rp_packedLanes = 8,

	/// Bits of rpPackedJoint.left: the number that is left out (w, x, y, z), and whether it is negative.
	rp_packedLeftMask = 3,
	rp_packedLeftNegative = 4,
};

/// What a block says of a joint. Slots are x, y and z; if one of these is left out, its slot holds w.
typedef struct rpPackedJoint
{
	int32_t bases[rp_packedSlots];
	uint8_t widths[rp_packedSlots];
	uint8_t left;
} rpPackedJoint;

/// A block as it stands in a file; its joints follow.
typedef struct rpPackedHead
{
	int32_t frameCount;
	float origin[3];
	uint8_t widths[3];
	uint8_t reserved;
} rpPackedHead;

_Static_assert(sizeof(rpPackedJoint) == 16 && sizeof(rpPackedHead) == 20, "the layout of the file");

/// Lanes of a group that are read at once, inside of sixteen bytes.
#define RP_PACKED_WINDOW 4

/// Eight joints of a block, ready for decoding: a number is (bits of four bytes of the row) & mask, times scale, plus
/// base. The masks leave bits where they are, the scales make up for it.
typedef struct rpPackedGroup
{
	/// Of each slot and lane which four bytes of its window: [slot][lane][byte].
	uint8_t bytes[rp_packedSlots][4 * rp_packedLanes];
	uint32_t masks[rp_packedSlots][rp_packedLanes];
	float scales[rp_packedSlots][rp_packedLanes];
	float bases[rp_packedSlots][rp_packedLanes];

	/// All bits where the slot holds w; the sign of what is left out.
	uint32_t swaps[rp_packedSlots][rp_packedLanes];
	uint32_t signs[rp_packedLanes];

	/// Of each slot where its two windows begin, bytes from the start of a row.
	uint32_t windows[rp_packedSlots][2];
} rpPackedGroup;

/// A block, ready for decoding.
typedef struct rpPackedBlock
{
	int firstFrame;
	uint32_t rowSize;
	/// Its first row.
	const uint8_t* rows;
	const rpPackedGroup* groups;

	/// Of the root's place: bits (row >> starts) & masks, times step, metres, plus origin.
	float origin[3], step;
	uint32_t starts[3], masks[3];
} rpPackedBlock;

/// The frames of a clip; the bytes must outlive it.
typedef struct rpPackedRows
{
	rpPackedBlock* blocks;
	rpPackedGroup* groups;
	int blockCount, groupCount;

	/// The block of each rp_packedCell-th frame.
	int* cells;
} rpPackedRows;

/// What rpCreatePackedRows reads. Borrowed.
typedef struct rpPackedSource
{
	int jointCount, frameCount;

	/// That of the root, metres, then those of the joints.
	const float* steps;

	/// Blocks, at most blockCount, and bytes, at most byteCount and rp_packedSlack more.
	const void* blocks;
	const uint8_t* bytes;
	int blockCount;
	int64_t byteCount;
} rpPackedSource;

/// Bytes of a block in a file.
static inline size_t rpGetPackedBlockSize(int jointCount)
{
	return sizeof(rpPackedHead) + (size_t)jointCount * sizeof(rpPackedJoint);
}

/// Check all numbers and make the tables. *blockCount and *byteCount are what the clip takes of its source. NULL with
/// rp_errorFormat when a number means nothing; free with rpDestroyPackedRows.
RP_NODISCARD rpPackedRows* rpCreatePackedRows(const rpPackedSource* source, int* blockCount, int64_t* byteCount,
											  rpError* error);
void rpDestroyPackedRows(rpPackedRows* rows);

// ---- decoding, one number after the other; the kernels do it for several at once

/// The block of a frame, and where its row begins.
static inline const rpPackedBlock* rpPackedRows_Find(const rpPackedRows* rows, int frame, const uint8_t** row)
{
	const rpPackedBlock* block = &rows->blocks[rows->cells[frame / rp_packedCell]];
	const rpPackedBlock* last = rows->blocks + rows->blockCount - 1;
	while (block < last && block[1].firstFrame <= frame)
	{
		++block;
	}
	*row = block->rows + (size_t)(frame - block->firstFrame) * block->rowSize;
	return block;
}

static inline uint32_t rpReadPacked(const uint8_t* at)
{
	uint32_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static inline float rpPackedBlock_GetPlace(const rpPackedBlock* block, const uint8_t* row, int axis)
{
	uint32_t start = block->starts[axis];
	uint32_t number = rpReadPacked(row + (start >> 3)) >> (start & 7) & block->masks[axis];
	return block->origin[axis] + (float)(int32_t)number * block->step;
}

/// The root's place in a row, metres.
static inline rpVec3 rpPackedBlock_GetRoot(const rpPackedBlock* block, const uint8_t* row)
{
	return (rpVec3){rpPackedBlock_GetPlace(block, row, 0), rpPackedBlock_GetPlace(block, row, 1),
					rpPackedBlock_GetPlace(block, row, 2)};
}

static inline float rpPackedGroup_GetNumber(const rpPackedGroup* group, const uint8_t* row, int slot, int lane)
{
	uint32_t at = group->windows[slot][lane / RP_PACKED_WINDOW] + group->bytes[slot][4 * lane];
	int32_t bits = (int32_t)(rpReadPacked(row + at) & group->masks[slot][lane]);
	return (float)bits * group->scales[slot][lane] + group->bases[slot][lane];
}

/// One joint's rotation, a lane of its group.
static inline rpQuat rpPackedGroup_Get(const rpPackedGroup* group, const uint8_t* row, int lane)
{
	float x = rpPackedGroup_GetNumber(group, row, 0, lane), y = rpPackedGroup_GetNumber(group, row, 1, lane),
		  z = rpPackedGroup_GetNumber(group, row, 2, lane);
	float rest = 1.0f - x * x - y * y - z * z;
	float left = sqrtf(rest > 0.0f ? rest : 0.0f);
	left = group->signs[lane] != 0 ? -left : left;
	return group->swaps[0][lane] != 0   ? (rpQuat){x, left, y, z}
		   : group->swaps[1][lane] != 0 ? (rpQuat){y, x, left, z}
		   : group->swaps[2][lane] != 0 ? (rpQuat){z, x, y, left}
										: (rpQuat){left, x, y, z};
}
