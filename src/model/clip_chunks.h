/// Clips with their contacts as chunks of a bundle, used where they lie.
#pragma once

#include "reprise/blend.h"
#include "reprise/bundle.h"

/// A contact of a clip (chunk CONT): seconds, metres, rpEffector.
typedef struct rpClipContact
{
	float start, end, support;
	int32_t effector;
} rpClipContact;

typedef struct rpBundleClip
{
	rpClip* clip;
	const rpClipContact* contacts;
	int contactCount;

	/// The height of its floor, metres (rpFindFloorHeight).
	float floor;
} rpBundleClip;

/// The clips of a bundle, which must outlive them. Zero-initialised is empty.
typedef struct rpClipSet
{
	rpSkeleton* skeleton;
	rpBundleClip* clips;
	int clipCount;
} rpClipSet;

/// Add the chunks SKEL, CLIP, ROWS, ROOT, CONT and CFLO of motions of one skeleton.
RP_NODISCARD bool rpWriteClipChunks(rpBundleWriter* writer, const rpMotion* const* motions, int count, rpError* error);

/// Read them, every number checked; floors are found in bundles that have no CFLO. Free with rpClipSet_Free, after
/// failure too.
RP_NODISCARD bool rpClipSet_Read(rpClipSet* set, const rpBundle* bundle, rpError* error);
void rpClipSet_Free(rpClipSet* set);

/// The height of the floor, metres: feet rest on lower supports for half of the time, and on higher ones; 0 if they
/// never rest. Seats and hands do not count.
float rpFindFloorHeight(const rpClipContact* contacts, int count);

/// Bits (1u << rpEffector) of what rests at a time of the clip; the heights of supports are written for those.
/// heights is [rp_effectorCount].
unsigned rpBundleClip_GetContacts(const rpBundleClip* clip, double seconds, float* heights);
