#include "file/glb_tracks.h"

#include "base/error.h"
#include "base/memory.h"
#include "motion/draft.h"

#include <string.h>

// Frames that are put together before they go to the spool: each array of a block is read at once, and a block of 31
// joints has half a megabyte.
#define BLOCK_FRAMES 1024

// ---- what moves

rpGlbBones rpGetGlbBones(const rpMotion* motion, bool rootBone)
{
	return (rpGlbBones){rootBone, motion->skeleton->jointCount, motion->translations != NULL};
}

// Bones in the lane of roots: the root bone, and the skeleton's own root.
static int countRoots(rpGlbBones bones)
{
	return bones.extraCount + 1;
}

static int countBones(rpGlbBones bones)
{
	return bones.extraCount + bones.jointCount;
}

int rpCountGlbArrays(rpGlbBones bones)
{
	return countRoots(bones) + countBones(bones) + (bones.stretch ? bones.jointCount - 1 : 0);
}

rpGlbArray rpGetGlbArray(rpGlbBones bones, int index)
{
	int roots = countRoots(bones), all = countBones(bones);
	size_t points = (size_t)roots * sizeof(rpVec3);
	if (index < roots)
	{
		return (rpGlbArray){index, false, sizeof(rpVec3), rp_glbRoots, (size_t)index * sizeof(rpVec3)};
	}
	if (index < roots + all)
	{
		int bone = index - roots;
		size_t offset = bone < roots ? points + (size_t)bone * sizeof(rpQuat) : (size_t)(bone - roots) * sizeof(rpQuat);
		return (rpGlbArray){bone, true, sizeof(rpQuat), bone < roots ? rp_glbRoots : rp_glbJoints, offset};
	}
	int bone = index - all;
	size_t turns = (size_t)(all - roots) * sizeof(rpQuat);
	return (rpGlbArray){bone, false, sizeof(rpVec3), rp_glbJoints, turns + (size_t)(bone - roots) * sizeof(rpVec3)};
}

static size_t getLaneSize(rpGlbBones bones, int lane)
{
	size_t roots = (size_t)countRoots(bones), others = (size_t)bones.jointCount - 1;
	return lane == rp_glbRoots ? roots * (sizeof(rpVec3) + sizeof(rpQuat))
							   : others * (sizeof(rpQuat) + (bones.stretch ? sizeof(rpVec3) : 0));
}

size_t rpGetGlbFrameSize(rpGlbBones bones)
{
	return getLaneSize(bones, rp_glbRoots) + getLaneSize(bones, rp_glbJoints);
}

// ---- begin and end

void rpGlbTracks_Start(rpGlbTracks* tracks, const rpOutput* output)
{
	*tracks = (rpGlbTracks){0};
	// About as many frames of either: roots are a tenth of a body of thirty joints.
	rpSpool_Start(&tracks->lanes[rp_glbRoots].spool, output, RP_SPOOL_ROOM / 8);
	rpSpool_Start(&tracks->lanes[rp_glbJoints].spool, output, RP_SPOOL_ROOM);
}

static void freeLast(rpGlbTracks* tracks)
{
	rpGroundTracker_Free(&tracks->tracker);
	rpFree(tracks->roots);
	rpDestroyMotion(tracks->edges);
	tracks->roots = NULL;
	tracks->edges = NULL;
}

void rpGlbTracks_Free(rpGlbTracks* tracks)
{
	for (int lane = 0; lane < rp_glbLaneCount; ++lane)
	{
		rpSpool_Free(&tracks->lanes[lane].spool);
		rpFree(tracks->lanes[lane].block);
	}
	freeLast(tracks);
	rpFree(tracks->items);
	*tracks = (rpGlbTracks){0};
}

static bool startLane(rpGlbLane* lane, size_t frameSize, rpError* error)
{
	// A skeleton of one joint has nothing in one of them.
	char* block = rpReallocate(lane->block, BLOCK_FRAMES, frameSize > 0 ? frameSize : 1, error);
	lane->block = block != NULL ? block : lane->block;
	lane->blockCount = 0;
	return block != NULL;
}

static bool startTracker(rpGlbTracks* tracks, double fps, rpError* error)
{
	if (!rpGroundTracker_Create(&tracks->tracker, fps, error))
	{
		return false;
	}
	tracks->roots = rpAllocate((size_t)tracks->tracker.mask + 1, sizeof(rpTransform), error);
	return tracks->roots != NULL;
}

bool rpGlbTracks_Begin(rpGlbTracks* tracks, const rpMotion* motion, bool rootBone, rpError* error)
{
	rpGlbTrack track = {.motion = motion, .bones = rpGetGlbBones(motion, rootBone)};
	freeLast(tracks);
	tracks->edges = rpCreateMotion(motion->skeleton, NULL, motion->fps, 2 * RP_GLB_EDGE, error);
	bool done = tracks->edges != NULL && (!track.bones.stretch || rpAddTranslations(tracks->edges, error)) &&
				(!rootBone || startTracker(tracks, motion->fps, error)) &&
				rpGrow(&tracks->items, &tracks->capacity, tracks->count, sizeof(rpGlbTrack), error);
	for (int lane = 0; lane < rp_glbLaneCount && done; ++lane)
	{
		track.starts[lane] = rpSpool_GetSize(&tracks->lanes[lane].spool);
		done = startLane(&tracks->lanes[lane], getLaneSize(track.bones, lane), error);
	}
	if (done)
	{
		tracks->items[tracks->count++] = track;
	}
	return done;
}

// ---- frames in

// A block in the spool has its arrays one after the other, each as long as the block has frames.
static bool sendBlock(rpGlbTracks* tracks, int which, rpError* error)
{
	rpGlbBones bones = tracks->items[tracks->count - 1].bones;
	rpGlbLane* lane = &tracks->lanes[which];
	for (int i = 0; i < rpCountGlbArrays(bones); ++i)
	{
		rpGlbArray array = rpGetGlbArray(bones, i);
		if (array.lane == which)
		{
			rpText_Append(&lane->spool.text, lane->block + array.offset * BLOCK_FRAMES,
						  (size_t)lane->blockCount * array.size);
		}
	}
	lane->blockCount = 0;
	return !lane->spool.text.failed || rpSpool_Fail(&lane->spool, error);
}

static bool endFrame(rpGlbTracks* tracks, int which, rpError* error)
{
	return ++tracks->lanes[which].blockCount < BLOCK_FRAMES || sendBlock(tracks, which, error);
}

static void store(rpGlbTracks* tracks, int index, const void* numbers)
{
	rpGlbArray array = rpGetGlbArray(tracks->items[tracks->count - 1].bones, index);
	rpGlbLane* lane = &tracks->lanes[array.lane];
	memcpy(lane->block + array.offset * BLOCK_FRAMES + (size_t)lane->blockCount * array.size, numbers, array.size);
}

static void storeTurn(rpGlbTracks* tracks, int index, rpQuat q)
{
	q = rpNormalizeQuat(q);
	store(tracks, index, (const float[4]){q.x, q.y, q.z, q.w});
}

// Translations, then rotations, of as many bones as there are.
static bool storeRoots(rpGlbTracks* tracks, const rpTransform* roots, rpError* error)
{
	int count = countRoots(tracks->items[tracks->count - 1].bones);
	for (int i = 0; i < count; ++i)
	{
		store(tracks, i, &roots[i].p);
		storeTurn(tracks, count + i, roots[i].q);
	}
	return endFrame(tracks, rp_glbRoots, error);
}

// The root bone goes where the body goes, and the skeleton's root is seen from there.
static rpTransform splitRoot(const double place[3], rpTransform root, rpTransform* own)
{
	rpGroundTransform ground = {(float)place[2], {(float)place[0], 0.0f, (float)place[1]}};
	*own = (rpTransform){rpGroundTransform_Apply(rpGroundTransform_Invert(ground), root.p),
						 rpMulQuat(rpYaw(-ground.turn), root.q)};
	return (rpTransform){ground.shift, rpYaw(ground.turn)};
}

static bool showRoots(rpGlbTracks* tracks, rpError* error)
{
	rpGroundTracker* tracker = &tracks->tracker;
	double place[3];
	bool done = true;
	while (done && rpGroundTracker_Show(tracker, place))
	{
		rpTransform bones[2];
		bones[0] = splitRoot(place, tracks->roots[(tracker->shown - 1) & tracker->mask], &bones[1]);
		done = storeRoots(tracks, bones, error);
	}
	return done;
}

static bool addRoot(rpGlbTracks* tracks, rpTransform root, rpError* error)
{
	rpGroundTracker* tracker = &tracks->tracker;
	if (tracks->roots == NULL)
	{
		return storeRoots(tracks, &root, error);
	}
	tracks->roots[tracker->count & tracker->mask] = root;
	rpGroundTracker_Add(tracker, root.p, root.q);
	return showRoots(tracks, error);
}

// The first frames stay, and the last push the others out.
static void keepEdge(rpMotion* edges, int frame, const rpPose* pose)
{
	int last = 2 * RP_GLB_EDGE - 1, slot = frame < last ? frame : last;
	for (int i = RP_GLB_EDGE; frame > last && i < last; ++i)
	{
		rpCopyFrames(edges, i + 1, 1, edges, i);
	}
	(void)rpStoreFrame(edges, edges, slot, pose, NULL);
	edges->frameCount = slot + 1;
}

static bool isFinite(const rpGlbTrack* track, const rpPose* pose)
{
	rpVec3 p = pose->rootPosition;
	float sum = 0.0f * (p.x + p.y + p.z);
	for (int i = 0; i < track->bones.jointCount; ++i)
	{
		rpVec3 moved = i > 0 && track->bones.stretch ? pose->translations[i] : rpVec3_zero;
		sum += 0.0f * (rpDotQuat(pose->rotations[i], pose->rotations[i]) + moved.x + moved.y + moved.z);
	}
	// What is not finite makes this not a number.
	return sum == 0.0f;
}

bool rpGlbTracks_Add(rpGlbTracks* tracks, int frame, const rpPose* pose, rpError* error)
{
	const rpGlbTrack* track = &tracks->items[tracks->count - 1];
	int roots = countRoots(track->bones), bones = countBones(track->bones), jointCount = track->bones.jointCount;
	if (!isFinite(track, pose))
	{
		return rpFail(error, rp_errorArgument, "frame %d of \"%.100s\" holds a number that is not finite", frame,
					  track->motion->name);
	}
	for (int i = 1; i < jointCount; ++i)
	{
		storeTurn(tracks, roots + track->bones.extraCount + i, pose->rotations[i]);
	}
	for (int i = 1; i < jointCount && track->bones.stretch; ++i)
	{
		store(tracks, roots + bones + i - 1, &pose->translations[i]);
	}
	keepEdge(tracks->edges, frame, pose);
	return addRoot(tracks, (rpTransform){pose->rootPosition, pose->rotations[0]}, error) &&
		   endFrame(tracks, rp_glbJoints, error);
}

bool rpGlbTracks_End(rpGlbTracks* tracks, rpError* error)
{
	tracks->tracker.isOver = true;
	bool done = tracks->roots == NULL || showRoots(tracks, error);
	for (int lane = 0; lane < rp_glbLaneCount && done; ++lane)
	{
		done = tracks->lanes[lane].blockCount == 0 || sendBlock(tracks, lane, error);
	}
	return done;
}

bool rpGlbTracks_Repeats(rpGlbTracks* tracks, bool* out, rpError* error)
{
	return rpMotion_Repeats(tracks->edges, out, error);
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
	rpGlbArray array = rpGetGlbArray(track->bones, index);
	size_t frameSize = getLaneSize(track->bones, array.lane);
	bool done = true;
	for (int first = 0; first < track->motion->frameCount && done && !out->failed; first += BLOCK_FRAMES)
	{
		int left = track->motion->frameCount - first;
		size_t count = (size_t)(left < BLOCK_FRAMES ? left : BLOCK_FRAMES);
		uint64_t block = track->starts[array.lane] + (uint64_t)first * frameSize;
		done = rpSpool_Copy(&tracks->lanes[array.lane].spool, block + count * array.offset, count * array.size, out,
							error);
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
		for (int k = 0; k < rpCountGlbArrays(track->bones) && done; ++k)
		{
			done = writeArray(tracks, track, k, out, error);
		}
	}
	return done;
}
