/// The layout of clips, and the kernels that blend them.
///
/// Joints are taken in groups of eight: a frame is a row of groups, a group is eight w, eight x, eight y, eight z. What
/// is left of the last group is filled with rotations by nothing.
#pragma once

#include "reprise/blend.h"

enum
{
	rp_clipLanes = 8,
	rp_clipGroup = 4 * rp_clipLanes,

	/// Terms of the series for the shares of a slerp.
	rp_slerpTerms = 6,
};

/// Two neighbouring rows of one clip, and how they are mixed. With c the cosine of the angle between two rotations (as
/// unit vectors of four numbers), and u = c - 1, the share of `from` is sum of fromShare[i] u^i, that of `to`
/// likewise; the weight of the clip is contained in both.
typedef struct rpClipPart
{
	const float* from;
	const float* to;
	float fromShares[rp_slerpTerms + 1];
	float toShares[rp_slerpTerms + 1];
} rpClipPart;

/// The mean rotations of jointCount joints. The first part decides on the hemisphere. count is positive.
typedef void rpClipKernel(const rpClipPart* parts, int count, int jointCount, rpQuat* out);

rpClipKernel rpBlendRowsPortable;
#ifdef __x86_64__
rpClipKernel rpBlendRowsAvx2;
#endif

struct rpClip
{
	rpSkeleton* skeleton;
	double fps;
	int frameCount;

	/// Numbers per row.
	int stride;

	/// [frameCount * stride], on a cache line's edge inside memory; elsewhere where memory is NULL.
	const float* rows;
	void* memory;

	/// [frameCount], metres; the clip's own in ownRoots, elsewhere where that is NULL.
	const rpVec3* roots;
	rpVec3* ownRoots;

	/// The fastest for this machine, chosen when the clip was made.
	rpClipKernel* kernel;
};

/// Numbers per row of a clip of this skeleton.
int rpGetClipStride(const rpSkeleton* skeleton);

/// A clip whose frames lie elsewhere, in a bundle, and must outlive it: finite, rotations unit, neighbouring ones in
/// one hemisphere. Free with rpDestroyClip.
RP_NODISCARD rpClip* rpCreateClipView(const rpSkeleton* skeleton, double fps, int frameCount, const float* rows,
									  const rpVec3* roots, rpError* error);
