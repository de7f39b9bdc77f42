/// Clips with their contacts as chunks of a bundle, used where they lie.
#pragma once

#include "blend/clip.h"
#include "reprise/bundle.h"

typedef struct rpBundleClip
{
	rpClip* clip;
	const rpClipContact* contacts;
	int contactCount;
} rpBundleClip;

/// The clips of a bundle, which must outlive them. Zero-initialised is empty.
typedef struct rpClipSet
{
	rpSkeleton* skeleton;
	rpBundleClip* clips;
	int clipCount;
} rpClipSet;

/// Add the chunks SKEL, CLIP, ROWS, ROOT and CONT of motions of one skeleton.
RP_NODISCARD bool rpWriteClipChunks(rpBundleWriter* writer, const rpMotion* const* motions, int count, rpError* error);

/// Read them, every number checked. Free with rpClipSet_Free, after failure too.
RP_NODISCARD bool rpClipSet_Read(rpClipSet* set, const rpBundle* bundle, rpError* error);
void rpClipSet_Free(rpClipSet* set);

/// Bits (1u << rpEffector) of what rests at a time of the clip; the heights of supports are written for those.
/// heights is [rp_effectorCount].
unsigned rpBundleClip_GetContacts(const rpBundleClip* clip, double seconds, float* heights);
