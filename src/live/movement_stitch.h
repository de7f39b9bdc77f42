/// Stitches: two movements that meet at a knot are bent towards one another on both sides of it, so that every degree
/// of freedom is continuous there, and its velocity too (Kwon & Shin 2005, section 5.3).
#pragma once

#include "reprise/motion.h"

/// By how much a joint is off at the knot, and how fast that changes: the vector of a rotation by half an angle's
/// tangent (Rodrigues), whose sum and share are cheap, or metres.
typedef struct rpBend
{
	rpVec3 value;
	rpVec3 rate;
} rpBend;

/// One side of a knot.
typedef struct rpStitch
{
	/// Seconds over which it is led to nothing; 0: there is none.
	float length;
	rpBend root;

	/// [jointCount], the owner's.
	rpBend* joints;
	int jointCount;
} rpStitch;

/// A movement at the knot: its pose there, and two poses before or after it. Of three poses velocity at the knot itself
/// can be told; two would tell that half-way between them, and a stitch by that would take from an acceleration that
/// both sides have.
typedef struct rpKnotSide
{
	rpPose at, beside, beyond;

	/// Seconds from the knot to the pose beside it, and half of those to the one beyond: negative before the knot.
	float seconds;
} rpKnotSide;

/// Make both sides of a knot, each led to nothing within its length: they meet half-way, in pose and velocity.
void rpMakeStitch(const rpKnotSide* before, const rpKnotSide* after, float beforeLength, float afterLength,
				  rpStitch* tail, rpStitch* head);

/// Bend a pose that is `time` seconds from the knot (not negative: on the stitch's own side).
void rpStitch_Apply(const rpStitch* stitch, float time, rpPose* pose);
