/// The layout of clips, and the kernels that blend them.
///
/// Joints are taken in groups of eight: a frame is a row of groups, a group is eight w, eight x, eight y, eight z. What
/// is left of the last group is filled with rotations by nothing.
#pragma once

#include "blend/packed_rows.h"
#include "reprise/play/blend.h"

enum
{
	rp_clipLanes = rp_packedLanes,
	rp_clipGroup = 4 * rp_clipLanes,

	/// Terms of the series for the shares of a slerp.
	rp_slerpTerms = 6,
};

/// A frame of a clip: floats, or bytes that its block says how to decode.
typedef struct rpClipRow
{
	union
	{
		const float* floats;
		const uint8_t* bytes;
	};

	/// NULL: floats.
	const rpPackedBlock* block;
} rpClipRow;

/// Two neighbouring rows of one clip, and how they are mixed. With c the cosine of the angle between two rotations (as
/// unit vectors of four numbers), and u = c - 1, the share of `from` is sum of fromShare[i] u^i, that of `to`
/// likewise; the weight of the clip is contained in both.
typedef struct rpClipPart
{
	rpClipRow from, to;
	float fromShares[rp_slerpTerms + 1];
	float toShares[rp_slerpTerms + 1];
} rpClipPart;

/// The mean rotations of jointCount joints. The first part decides on the hemisphere. count is positive.
typedef void rpClipKernel(const rpClipPart* parts, int count, int jointCount, rpQuat* out);

rpClipKernel rpBlendRowsPortable;
#ifdef __x86_64__
rpClipKernel rpBlendRowsAvx2;
#endif

/// A contact of a clip (chunk CONT of bundles): seconds, metres, rpEffector.
typedef struct rpClipContact
{
	float start, end, support;
	int32_t effector;
} rpClipContact;

struct rpClip
{
	rpSkeleton* skeleton;
	double fps;
	int frameCount;

	/// Numbers per row.
	int stride;

	/// [frameCount * stride], on a cache line's edge inside memory; elsewhere where memory is NULL. For readers there
	/// is rpClip_GetRow.
	const float* rows;
	void* memory;

	/// [frameCount], metres; the clip's own in ownRoots, elsewhere where that is NULL. For readers: rpClip_GetPlace.
	const rpVec3* roots;
	rpVec3* ownRoots;

	/// The frames, instead of rows and roots, the clip's own; NULL: they are floats.
	rpPackedRows* packed;

	/// [frameCount * jointCount], the clip's own; NULL: bones are as the skeleton has them.
	rpVec3* translations;

	/// [contactCount], sorted by their starts; the clip's own in ownContacts, elsewhere where that is NULL.
	const rpClipContact* contacts;
	int contactCount;
	rpClipContact* ownContacts;

	/// The height of its floor, metres (rpFindFloorHeight).
	float floor;

	/// The fastest for this machine, chosen when the clip was made.
	rpClipKernel* kernel;
};

/// Supports whose heights differ by less are one support, metres: lower than a step of stairs, more than captured
/// floors are off.
#define RP_SAME_SUPPORT 0.05f

/// A clip on a level floor: where its feet rest higher on the floor than on average, it is lowered, and so on.
/// Otherwise as rpCreateClip.
RP_NODISCARD rpClip* rpCreateLevelClip(const rpMotion* motion, rpError* error);

/// A clip whose bones may change their lengths; otherwise as rpCreateClip.
RP_NODISCARD rpClip* rpCreateElasticClip(const rpMotion* motion, rpError* error);

/// A frame; the root's place in it, metres; one joint's rotation.
rpClipRow rpClip_GetRow(const rpClip* clip, int frame);
rpVec3 rpClip_GetPlace(const rpClip* clip, int frame);
rpQuat rpClipRow_GetRotation(const rpClipRow* row, int joint);

/// The root's place at a time (seconds, clamped to the clip), and one joint's rotation.
rpVec3 rpClip_GetRoot(const rpClip* clip, double seconds);
rpQuat rpClip_GetRotation(const rpClip* clip, int joint, double seconds);

/// Give a clip the contacts of a motion, and its floor.
RP_NODISCARD bool rpClip_CopyContacts(rpClip* clip, const rpMotion* motion, rpError* error);

/// The height of the floor, metres: feet rest on lower supports for half of the time, and on higher ones; 0 if they
/// never rest. Seats and hands do not count.
float rpFindFloorHeight(const rpClipContact* contacts, int count);

/// Numbers per row of a clip of this skeleton.
int rpGetClipStride(const rpSkeleton* skeleton);

/// A clip whose frames lie elsewhere, in a bundle, and must outlive it: finite, rotations unit, neighbouring ones in
/// one hemisphere. Its contacts and its floor are to be set, and so are packed frames, which become the clip's own,
/// where rows and roots are NULL. Free with rpDestroyClip.
RP_NODISCARD rpClip* rpCreateClipView(const rpSkeleton* skeleton, double fps, int frameCount, const float* rows,
									  const rpVec3* roots, rpError* error);
