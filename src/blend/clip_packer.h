/// Packing clips: from floats to the bytes that packed_rows.h decodes.
#pragma once

#include "base/memory.h"
#include "blend/clip.h"

/// What packing may be off by at any joint in any frame, forward kinematics included: metres and radians. A tenth of a
/// millimetre is the accuracy of good optical capture; nobody sees a twentieth of a degree.
#define RP_PACKED_TRAVEL 1e-4f
#define RP_PACKED_TURN ((float)(0.05 * RP_DEGREE))

/// A clip packed. Free with rpPackedClip_Free.
typedef struct rpPackedClip
{
	/// [1 + jointCount], as in rpPackedSource.
	float* steps;

	/// Blocks and rows as they stand in a file, without the slack behind them.
	rpText blocks, rows;
	int blockCount;

	/// The largest that any joint is off by in any frame, decoded: metres, radians.
	float travel, turn;
} rpPackedClip;

/// Pack a clip whose frames are floats, with as many bits as it takes to stay within what packing may be off by. False
/// with rp_errorLimit where the finest steps do not: on bodies that are hundreds of metres large.
RP_NODISCARD bool rpPackClip(const rpClip* clip, rpPackedClip* out, rpError* error);
/// Its frames ready for sampling, for rpClip.packed; packed must outlive them.
RP_NODISCARD rpPackedRows* rpPackedClip_Unpack(rpPackedClip* packed, const rpClip* clip, rpError* error);
void rpPackedClip_Free(rpPackedClip* packed);
