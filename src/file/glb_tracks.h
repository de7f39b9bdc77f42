/// The frames of glTF animations. A sampler wants the numbers of one bone in one piece, and frames come one by one:
/// they wait, block by block, and are put together at the end.
#pragma once

#include "file/spool.h"
#include "motion/ground_track.h"

/// Frames at both ends that say whether a motion repeats (rpMotion_Repeats).
#define RP_GLB_EDGE 3

/// What moves in an animation. Bones are the joints, and before them, if there is one, the bone that carries where the
/// body goes. The first translate, all turn, and the others translate too where they stretch.
typedef struct rpGlbBones
{
	/// 1: there is a root bone, 0: there is none.
	int extraCount;
	int jointCount;
	bool stretch;
} rpGlbBones;

rpGlbBones rpGetGlbBones(const rpMotion* motion, bool rootBone);

/// An array of an animation: the translations of the first bones, the rotations of all, the other translations.
typedef struct rpGlbArray
{
	/// The bone that it moves, and whether it turns it.
	int bone;
	bool isRotation;

	/// Bytes of a frame; which of the lanes holds it, and where in a frame of that.
	size_t size;
	int lane;
	size_t offset;
} rpGlbArray;

int rpCountGlbArrays(rpGlbBones bones);
rpGlbArray rpGetGlbArray(rpGlbBones bones, int index);

/// Bytes of a frame in all arrays.
size_t rpGetGlbFrameSize(rpGlbBones bones);

/// Roots, which may be known later than their frame; and all else.
enum
{
	rp_glbRoots,
	rp_glbJoints,
	rp_glbLaneCount,
};

/// Frames that wait: array after array for each block of frames.
typedef struct rpGlbLane
{
	rpSpool spool;
	char* block;
	int blockCount;
} rpGlbLane;

/// One animation: its motion, its bones, and where its first blocks wait.
typedef struct rpGlbTrack
{
	const rpMotion* motion;
	rpGlbBones bones;
	uint64_t starts[rp_glbLaneCount];
} rpGlbTrack;

/// All of them. Zero-initialised has none.
typedef struct rpGlbTracks
{
	rpGlbLane lanes[rp_glbLaneCount];
	rpGlbTrack* items;
	int count, capacity;

	/// Of the last one, where it has a root bone: its way over the floor, and the roots of frames whose way is not
	/// known yet, [tracker.mask + 1], a frame at its number & mask.
	rpGroundTracker tracker;
	rpTransform* roots;

	/// Its first and its last frames.
	rpMotion* edges;
} rpGlbTracks;

void rpGlbTracks_Start(rpGlbTracks* tracks, const rpOutput* output);
void rpGlbTracks_Free(rpGlbTracks* tracks);

/// An animation begins; its next frame; and it ends.
RP_NODISCARD bool rpGlbTracks_Begin(rpGlbTracks* tracks, const rpMotion* motion, bool rootBone, rpError* error);
RP_NODISCARD bool rpGlbTracks_Add(rpGlbTracks* tracks, int frame, const rpPose* pose, rpError* error);
RP_NODISCARD bool rpGlbTracks_End(rpGlbTracks* tracks, rpError* error);

/// Whether the last animation, which has ended, repeats.
RP_NODISCARD bool rpGlbTracks_Repeats(rpGlbTracks* tracks, bool* out, rpError* error);

/// Append the arrays of all animations, whose frame counts are known by now.
RP_NODISCARD bool rpGlbTracks_Write(rpGlbTracks* tracks, rpText* out, rpError* error);
