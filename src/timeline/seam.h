/// Seams: how one span of a timeline becomes the next.
///
/// A seam is prepared once, when time comes to it; from then on it is a function of time: the same pose at the same
/// moment, whatever the frames. Nothing is allocated after rpSeam_Create.
#pragma once

#include "feet/leg_rig.h"
#include "timeline/span.h"

/// Spans are looked at this often in seams, Hz: differences of captured motions have little above 10 Hz, and a frame at
/// 60 Hz is what is shown.
#define RP_SEAM_RATE 60.0

typedef enum rpSeamKind
{
	/// The one ends where the other begins.
	rp_seamCut,
	/// Velocities are faded, and what places differ by on the whole (seam_fade.c).
	rp_seamVelocity,
	/// Poses are faded by 2t³-3t²+1, or by a straight line (eq. 4.11-4.13 of Kovar's thesis).
	rp_seamPose,
	rp_seamLinear,
	/// A cut, with offsets in pose and velocity that decay on both sides of it (seam_offset.c).
	rp_seamDisplace,
	/// A cut, with offsets that decay after it alone.
	rp_seamInertial,
} rpSeamKind;

/// How a span is joined with the one before it: seconds in the timeline. Of fades, the one span is needed up to `end`
/// and the other from `start` on; of cuts, up to `cut` and from there on.
typedef struct rpSeamDef
{
	rpSeamKind kind;
	double start, cut, end;
} rpSeamDef;

/// A difference of two motions at a moment: metres or a rotation vector in the parent's frame (radians), and its rate
/// of change per second.
typedef struct rpOffset
{
	rpVec3 value;
	rpVec3 rate;
} rpOffset;

enum
{
	/// Max pieces that a fade is integrated in.
	rp_maxSeamNodes = 64,
	rp_seamPoses = 6,
};

/// A seam, prepared. A row is the root's place, the joints' rotations and, of bodies whose bones change their lengths,
/// the joints' translations.
typedef struct rpSeam
{
	rpSeamDef def;
	const rpSpan *from, *to;
	int jointCount, rowSize;
	bool hasTranslations;
	void* block;

	/// Velocity fades: what `from` differs by from `to`, and the integral of it (seam_fade.c): rows at each node.
	int nodeCount;
	rpVec3* rows;
	rpVec3* sums;

	/// [jointCount], the rotations that the spans differ by in the middle: they decide the direction of the turn.
	rpQuat* middles;

	/// Cuts: what is added before it and after it, rows.
	rpOffset *tail, *head;

	/// Scratch: a row, poses, and the legs in the world.
	rpVec3* row;
	rpPose poses[rp_seamPoses];
	rpTransform* world;

	/// When each foot's contacts pass from the one span to the other (seam_feet.c).
	double leave[rp_legCount], enter[rp_legCount];
} rpSeam;

/// Memory for seams of a body. The root alone (jointCount 0) can be had as well. False when memory ran out; free with
/// rpSeam_Free even then.
RP_NODISCARD bool rpSeam_Create(rpSeam* seam, int jointCount, bool hasTranslations, rpError* error);
void rpSeam_Free(rpSeam* seam);

/// Bytes of its block.
size_t rpSeam_CountBytes(const rpSeam* seam);

/// Prepare a seam between two spans, which must stay as they are until the seam is over. rig may be NULL: then contacts
/// pass at the cut.
void rpSeam_Prepare(rpSeam* seam, const rpSeamDef* def, const rpSpan* from, const rpSpan* to, const rpFootRig* rig);

/// The pose at a time of the timeline within the seam.
void rpSeam_Sample(rpSeam* seam, double time, rpPose* pose);

/// The share of the span before, 1 to 0.
float rpSeam_GetWeight(const rpSeam* seam, double time);

// ---- its parts

/// Sample spans at a time of the timeline.
void rpSeam_SampleFrom(const rpSeam* seam, double time, rpPose* pose);
void rpSeam_SampleTo(const rpSeam* seam, double time, rpPose* pose);

/// As rpExpQuat; of angles below a radian by the series, to the precision of floats: for each joint in each frame of
/// seams.
rpQuat rpExpandTurn(rpVec3 v);

void rpSeam_PrepareFade(rpSeam* seam);
void rpSeam_Fade(rpSeam* seam, double time, rpPose* pose);

void rpSeam_PrepareOffsets(rpSeam* seam);
void rpSeam_Displace(rpSeam* seam, double time, rpPose* pose);

/// What is left of an offset `time` seconds (not negative) after it was measured, `length` seconds after which there is
/// none: by the cubic with value and velocity at either end, or as D. Bollo, "Inertialization: high-performance
/// animation transitions in Gears of War" (GDC 2018), by the quintic that ends without velocity, acceleration and jerk;
/// an offset that is decreasing to zero then arrives there early rather than overshoot.
rpVec3 rpDecayCubic(const rpOffset* offset, float time, float length);
rpVec3 rpDecayQuintic(const rpOffset* offset, float time, float length);

/// Find when feet pass over; the seam's poses can be sampled already.
void rpSeam_HandOverFeet(rpSeam* seam, const rpFootRig* rig);
