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

	/// [frameCount * stride], on a cache line's edge inside memory.
	float* rows;
	void* memory;

	/// [frameCount], metres.
	rpVec3* roots;

	/// The fastest for this machine, chosen when the clip was made.
	rpClipKernel* kernel;
};
