/// Displacements: the difference of two poses, and how fast it changes, added to one of them and led to nothing. So a
/// jump cut becomes continuous in pose and velocity, in every degree of freedom, whatever the two motions do later.
///
/// For transitions over whole motions and for players alike: poses in, poses out, nothing is allocated.
#pragma once

#include "reprise/motion.h"

/// How an offset is led to nothing.
typedef enum rpDecay
{
	/// The cubic with value and velocity at either end; without velocity 2t³-3t²+1.
	rp_decayCubic,
	/// The quintic that ends without velocity, acceleration and jerk, as D. Bollo, "Inertialization: high-performance
	/// animation transitions in Gears of War" (GDC 2018). An offset that is on its way to zero arrives there early
	/// rather than overshoot.
	rp_decayQuintic,
} rpDecay;

/// A difference of two motions at a moment: metres or a rotation vector in the parent's frame (radians), and its rate
/// of change per second.
typedef struct rpOffset
{
	rpVec3 value;
	rpVec3 rate;
} rpOffset;

/// What takes poses of a motion `to` to those of a motion `from` at one moment.
typedef struct rpDisplacement
{
	int jointCount;

	/// Whether bones' translations are part of it; then all poses given must have them.
	bool hasTranslations;

	/// [rpCountOffsets(jointCount, hasTranslations)], the caller's: root position, rotations, translations.
	rpOffset* offsets;
} rpDisplacement;

/// How many offsets a displacement has.
int rpCountOffsets(int jointCount, bool hasTranslations);

/// Measure the difference of two poses of one moment; rates become 0.
void rpDisplacement_Measure(rpDisplacement* displacement, const rpPose* from, const rpPose* to);

/// Measure its rates, by the difference of both motions' poses at an earlier and at a later moment, so many seconds
/// apart (a player: the last two frames). Call it after rpDisplacement_Measure.
void rpDisplacement_MeasureRates(rpDisplacement* displacement, const rpPose* fromEarlier, const rpPose* toEarlier,
								 const rpPose* fromLater, const rpPose* toLater, float seconds);

/// Add a share of the displacement to a pose which is `time` seconds after the moment measured (negative: before it);
/// nothing is left of it `length` seconds from there. For poses of `to` the share is positive, at most 1; for poses of
/// `from` negative. Shares of s after the moment and s-1 before it make the two meet.
void rpDisplacement_Add(const rpDisplacement* displacement, rpDecay decay, float share, float time, float length,
						rpPose* pose);

/// What is left of one offset `time` seconds (not negative) after it was measured.
rpVec3 rpDecayOffset(const rpOffset* offset, rpDecay decay, float time, float length);
