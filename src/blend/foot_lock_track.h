/// The frames that foot lock is working on, and its stages. Each stage looks a fixed number of frames ahead into the
/// result of the one before, so a whole motion goes through them one after the other, and a stream frame by frame,
/// with equal results.
#pragma once

#include "blend/foot_lock_rig.h"
#include "reprise/feet.h"

/// What a seat that rests counts for against a foot: who sits stays where the seat is.
#define RP_SEAT_WEIGHT 4.0f

/// A heel or ball that rests: one contact.
typedef struct rpPlant
{
	/// Frames, both included; on-line, last grows while the contact lasts.
	int first, last;
	int side, point;
	float support;

	/// Where it rests; known once settled.
	rpVec3 place;
} rpPlant;

/// Where a foot stands among stretches of frames of some kind.
typedef struct rpRuns
{
	/// First frame of the stretch that this frame is in, -1 if in none.
	int start;

	/// Last frame of the stretch before, first frame of the one behind; -1 if too far to matter.
	int before, behind;
} rpRuns;

/// What is known about one foot in one frame.
typedef struct rpFootState
{
	rpFootSample sample;

	/// Which plant each point of the sole belongs to, -1 if it is free.
	int plants[rp_solePointCount];

	/// Stretches with any point planted, and with all of them.
	rpRuns planted, flat;

	/// Rotation vector by which the foot is turned so that all planted points come to their places.
	rpVec3 turn;

	/// Where the ankle is to go, from where it is; known for planted feet.
	rpVec3 want;

	/// Where the foot's weight last went over from one point to the other at once, -1 if it did not: the ankle would
	/// jump up by this then, metres, and does so over some time.
	int jumpFrame;
	float jump;

	/// The same relative to the shift of the root; known for all.
	rpVec3 offset;

	/// Height of the lower of the supports it rests on, or rested on last, metres; infinite before the first.
	float support;
} rpFootState;

typedef struct rpTrackFrame
{
	rpFootState feet[rp_legCount];

	/// Feet that ask for a shift of the root: sum of their wants, and their number; a seat that rests counts as well.
	rpVec3 push;
	float pushWeight;

	/// Where the feet lead the root, and how it follows them: the same, smoothed.
	rpVec3 lead, follow;

	/// What it takes beyond that to bring the feet into reach: in this frame alone, and the greatest of those around.
	rpVec3 pull, widePull;

	/// What slows down a knee at the last, as quick as need be; for whole motions.
	rpVec3 nudge;
} rpTrackFrame;

/// Lengths in frames.
typedef struct rpTrackSpans
{
	/// Easing of positions, of the foot's turns, smoothing of the root's way, and how far speeds are measured.
	int ease, turnEase, smooth, slope;

	/// How far a contact is seen before its place must be known; very large for a whole motion.
	int sight;
} rpTrackSpans;

typedef struct rpFootTrack
{
	rpFootRig rig;
	rpFootLockDef def;
	rpTrackSpans spans;
	double fps;

	/// Frame i is at frames[i & mask], of which there are capacity; plant i is at plants[i & plantMask].
	rpTrackFrame* frames;
	unsigned mask;
	int capacity;
	rpPlant* plants;
	unsigned plantMask;
	int plantCount;

	/// The frames that are there: oldest to newest; newest is -1 while there is none.
	int oldest, newest;

	/// The last frame that has a pull, -1 while there is none.
	int lastPull;

	/// How high each point is above its support when it rests, metres: sum over the plants that were settled, and
	/// their number. A joint at the ball of a foot has a sole under it.
	double clearances[rp_solePointCount];
	int clearanceCounts[rp_solePointCount];

	/// How much lower than the ball, or higher, the toes' end is while the ball rests: as above.
	double toeRises;

	/// [smooth + 1], from its middle outwards; adds up to 1 over both sides.
	float* kernel;
} rpFootTrack;

/// The spans for a rate and a def; lookAhead limits them, 0 for a whole motion.
rpTrackSpans rpGetTrackSpans(double fps, const rpFootLockDef* def, int lookAhead);

/// Count a plant's height above its support, over the frames of it that can be seen. A whole motion counts all before
/// it settles the first.
void rpFootTrack_AddClearance(rpFootTrack* track, const rpPlant* plant);

void rpFootTrack_FillKernel(rpFootTrack* track);

static inline rpTrackFrame* rpFootTrack_Get(const rpFootTrack* track, int frame)
{
	return track->frames + ((unsigned)frame & track->mask);
}

static inline rpPlant* rpFootTrack_GetPlant(const rpFootTrack* track, int index)
{
	return track->plants + ((unsigned)index & track->plantMask);
}

/// The point that a planted foot stands on: the heel if that rests.
static inline int rpFootState_GetBearer(const rpFootState* foot)
{
	return foot->plants[0] >= 0 ? 0 : 1;
}

/// Add frame track->newest + 1: samples are taken from the pose, plants are the indices of the plants that each point
/// of each foot belongs to. isSeated: the root is held by a seat.
void rpFootTrack_Add(rpFootTrack* track, rpVec3 rootPosition, const rpQuat* rotations, const rpVec3* translations,
					 const int plants[rp_legCount][rp_solePointCount], bool isSeated);

/// The stages, in order, each for one frame. What each looks ahead by:
/// settle: sight; turn: turnEase + slope; lead: smooth; follow: smooth; reach: ease + slope; widen: smooth; solve:
/// smooth.
void rpFootTrack_Settle(rpFootTrack* track, int frame);
void rpFootTrack_Turn(rpFootTrack* track, int frame);
void rpFootTrack_Lead(rpFootTrack* track, int frame);
void rpFootTrack_Follow(rpFootTrack* track, int frame);
void rpFootTrack_Reach(rpFootTrack* track, int frame);
void rpFootTrack_Widen(rpFootTrack* track, int frame);

/// The legs of a frame, and the shift of its root.
typedef struct rpTrackSolution
{
	rpVec3 shift;
	rpLegSolution legs[rp_legCount];
} rpTrackSolution;

/// stretch: the most a leg may be stretched, share of its length.
void rpFootTrack_Solve(const rpFootTrack* track, int frame, rpVec3 rootPosition, const rpQuat* rotations,
					   const rpVec3* translations, float stretch, rpTrackSolution* out);

/// Put a solution into a pose. translations may be NULL when no leg is stretched.
void rpFootTrack_Apply(const rpFootTrack* track, const rpTrackSolution* solution, rpVec3* rootPosition,
					   rpQuat* rotations, rpVec3* translations);
