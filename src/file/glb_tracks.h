/// The frames of glTF animations. A sampler wants the numbers of one joint in one piece, and frames come one by one:
/// they wait, block by block, and are put together at the end.
#pragma once

#include "file/writer.h"

/// One animation: its motion, and where its first block waits. Its arrays are, in this order: times, the root's
/// translation, each joint's rotation and, where bones change length, the other joints' translations.
typedef struct rpGlbTrack
{
	const rpMotion* motion;
	uint64_t start;
} rpGlbTrack;

/// All of them. Zero-initialised has none.
typedef struct rpGlbTracks
{
	rpSpool spool;
	rpGlbTrack* items;
	int count, capacity;

	/// The frames of the last one that have not gone to the spool yet, array after array, and how many these are.
	char* block;
	int blockCount;
} rpGlbTracks;

/// Bytes of a frame of a motion in all arrays but the times.
size_t rpGetGlbFrameSize(const rpMotion* motion);

/// The numbers of an array's frame, and where they are among those of all: array 0 is the root's translation.
typedef struct rpGlbArray
{
	size_t size, offset;
} rpGlbArray;
rpGlbArray rpGetGlbArray(const rpMotion* motion, int array);
int rpCountGlbArrays(const rpMotion* motion);

void rpGlbTracks_Start(rpGlbTracks* tracks, const rpOutput* output);
void rpGlbTracks_Free(rpGlbTracks* tracks);

/// An animation begins; its next frame; and it ends.
RP_NODISCARD bool rpGlbTracks_Begin(rpGlbTracks* tracks, const rpMotion* motion, rpError* error);
RP_NODISCARD bool rpGlbTracks_Add(rpGlbTracks* tracks, int frame, const rpPose* pose, rpError* error);
RP_NODISCARD bool rpGlbTracks_End(rpGlbTracks* tracks, rpError* error);

/// Append the arrays of all animations, whose frame counts are known by now.
RP_NODISCARD bool rpGlbTracks_Write(rpGlbTracks* tracks, rpText* out, rpError* error);
