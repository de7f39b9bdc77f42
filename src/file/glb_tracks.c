#include "file/glb_tracks.h"

#include "base/error.h"

#include <string.h>

// Frames that are put together before they go to the spool: each array of a block is read at once, and a block of 31
// joints has half a megabyte.
#define BLOCK_FRAMES 1024

int rpCountGlbArrays(const rpMotion* motion)
{
	int jointCount = motion->skeleton->jointCount;
	return 1 + jointCount + (motion->translations != NULL ? jointCount - 1 : 0);
}

rpGlbArray rpGetGlbArray(const rpMotion* motion, int array)
{
	size_t jointCount = (size_t)motion->skeleton->jointCount, index = (size_t)array;
	if (index == 0)
	{
		return (rpGlbArray){sizeof(rpVec3), 0};
	}
	return index <= jointCount
			   ? (rpGlbArray){sizeof(rpQuat), sizeof(rpVec3) + (index - 1) * sizeof(rpQuat)}
			   : (rpGlbArray){sizeof(rpVec3), jointCount * sizeof(rpQuat) + (index - jointCount) * sizeof(rpVec3)};
}

size_t rpGetGlbFrameSize(const rpMotion* motion)
{
	rpGlbArray last = rpGetGlbArray(motion, rpCountGlbArrays(motion) - 1);
	return last.offset + last.size;
}

void rpGlbTracks_Start(rpGlbTracks* tracks, const rpOutput* output)
{
	*tracks = (rpGlbTracks){0};
	rpSpool_Start(&tracks->spool, output);
}

void rpGlbTracks_Free(rpGlbTracks* tracks)
{
	rpSpool_Free(&tracks->spool);
	rpFree(tracks->items);
	rpFree(tracks->block);
	*tracks = (rpGlbTracks){0};
}

// ---- frames in

bool rpGlbTracks_Begin(rpGlbTracks* tracks, const rpMotion* motion, rpError* error)
{
	char* block = rpReallocate(tracks->block, BLOCK_FRAMES, rpGetGlbFrameSize(motion), error);
	tracks->block = block != NULL ? block : tracks->block;
	tracks->blockCount = 0;
	if (block == NULL || !rpGrow(&tracks->items, &tracks->capacity, tracks->count, sizeof(rpGlbTrack), error))
	{
		return false;
	}
	tracks->items[tracks->count++] = (rpGlbTrack){motion, rpSpool_GetSize(&tracks->spool)};
	return true;
}

// A block in the spool has its arrays one after the other, each as long as the block has frames.
static bool sendBlock(rpGlbTracks* tracks, rpError* error)
{
	const rpMotion* motion = tracks->items[tracks->count - 1].motion;
	for (int i = 0; i < rpCountGlbArrays(motion); ++i)
	{
		rpGlbArray array = rpGetGlbArray(motion, i);
		rpText_Append(&tracks->spool.text, tracks->block + array.offset * BLOCK_FRAMES,
					  (size_t)tracks->blockCount * array.size);
	}
	tracks->blockCount = 0;
	return !tracks->spool.text.failed || rpSpool_Fail(&tracks->spool, error);
}

static void store(rpGlbTracks* tracks, int index, const void* numbers)
{
	rpGlbArray array = rpGetGlbArray(tracks->items[tracks->count - 1].motion, index);
	memcpy(tracks->block + array.offset * BLOCK_FRAMES + (size_t)tracks->blockCount * array.size, numbers, array.size);
}

static bool storePoint(rpGlbTracks* tracks, int index, rpVec3 p)
{
	store(tracks, index, &p);
	return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

static bool storeRotation(rpGlbTracks* tracks, int index, rpQuat q)
{
	bool isSound = isfinite(rpDotQuat(q, q));
	q = rpNormalizeQuat(q);
	store(tracks, index, (const float[4]){q.x, q.y, q.z, q.w});
	return isSound;
}

bool rpGlbTracks_Add(rpGlbTracks* tracks, int frame, const rpPose* pose, rpError* error)
{
	const rpMotion* motion = tracks->items[tracks->count - 1].motion;
	int jointCount = motion->skeleton->jointCount;
	bool isSound = storePoint(tracks, 0, pose->rootPosition);
	for (int i = 0; i < jointCount; ++i)
	{
		isSound = storeRotation(tracks, 1 + i, pose->rotations[i]) && isSound;
	}
	for (int i = 1; i < jointCount && motion->translations != NULL; ++i)
	{
		isSound = storePoint(tracks, jointCount + i, pose->translations[i]) && isSound;
	}
	if (!isSound)
	{
		return rpFail(error, rp_errorArgument, "frame %d of \"%.100s\" holds a number that is not finite", frame,
					  motion->name);
	}
	return ++tracks->blockCount < BLOCK_FRAMES || sendBlock(tracks, error);
}

bool rpGlbTracks_End(rpGlbTracks* tracks, rpError* error)
{
	return tracks->blockCount == 0 || sendBlock(tracks, error);
}

// ---- arrays out

// Seconds as floats.
static void writeTimes(const rpMotion* motion, rpText* out)
{
	for (int frame = 0; frame < motion->frameCount && !out->failed; ++frame)
	{
		float seconds = (float)(frame / motion->fps);
		rpText_Append(out, &seconds, sizeof(seconds));
	}
}

static bool writeArray(rpGlbTracks* tracks, const rpGlbTrack* track, int index, rpText* out, rpError* error)
{
	rpGlbArray array = rpGetGlbArray(track->motion, index);
	size_t frameSize = rpGetGlbFrameSize(track->motion);
	bool done = true;
	for (int first = 0; first < track->motion->frameCount && done && !out->failed; first += BLOCK_FRAMES)
	{
		int left = track->motion->frameCount - first;
		size_t count = (size_t)(left < BLOCK_FRAMES ? left : BLOCK_FRAMES);
		uint64_t block = track->start + (uint64_t)first * frameSize;
		done = rpSpool_Copy(&tracks->spool, block + count * array.offset, count * array.size, out, error);
	}
	return done;
}

bool rpGlbTracks_Write(rpGlbTracks* tracks, rpText* out, rpError* error)
{
	bool done = true;
	for (int i = 0; i < tracks->count && done; ++i)
	{
		const rpGlbTrack* track = &tracks->items[i];
		writeTimes(track->motion, out);
		for (int k = 0; k < rpCountGlbArrays(track->motion) && done; ++k)
		{
			done = writeArray(tracks, track, k, out, error);
		}
	}
	return done;
}
