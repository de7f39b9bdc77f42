/// Clips with their contacts as chunks of a bundle, used where they lie.
#pragma once

#include "blend/clip.h"
#include "reprise/play/bundle.h"

/// The clips of a bundle, which must outlive them. Zero-initialised is empty.
typedef struct rpClipSet
{
	rpSkeleton* skeleton;
	rpClip** clips;
	int clipCount;
} rpClipSet;

/// Makes a clip of a motion: rpCreateClip or rpCreateLevelClip.
typedef rpClip* rpCreateClipFn(const rpMotion* motion, rpError* error);

/// Add the chunks SKEL, CLIP, ROWS, ROOT, CONT and CFLO of motions of one skeleton.
RP_NODISCARD bool rpWriteClipChunks(rpBundleWriter* writer, const rpMotion* const* motions, int count,
									rpCreateClipFn* create, rpError* error);

/// Add CLIP, PSTP, PBLK and PROW: the clips of a bundle whose frames are floats, packed; set is read from it. Frames
/// that are not shown are those beside them again. What shown frames are off by is added to packing.
typedef struct rpShownFrames rpShownFrames;
RP_NODISCARD bool rpPackClipChunks(rpBundleWriter* writer, const rpBundle* bundle, const rpClipSet* set,
								   const rpShownFrames* shown, rpPacking* packing, rpError* error);

/// Read them, every number checked; floors are found in bundles that have no CFLO. Free with rpClipSet_Free, after
/// failure too.
RP_NODISCARD bool rpClipSet_Read(rpClipSet* set, const rpBundle* bundle, rpError* error);
void rpClipSet_Free(rpClipSet* set);
