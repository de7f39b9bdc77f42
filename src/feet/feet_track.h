/// Feet that rest are held, frame by frame, with as much look-ahead as there is.
///
/// Three stages, each as far ahead of the next as that one looks ahead: 1. A foot's shift (foothold.c). While the foot
/// bears, the points that bear stay where they are: the shift takes back whatever they move by, and the foot keeps its
/// own roll from heel to ball to toe. In swing the shift goes over to that of the next foothold, which is chosen so
/// that it moves the coming stance as little as possible; where that is not seen yet, to nothing. A shift and its rate
/// are never set, they go over: so nothing jumps, however little is seen. 2. The body's shift (body_follow.c): where
/// the feet that bear lead it, smoothly; straight legs lead more than bent ones, which have room. Between stances it is
/// nearly a straight line, so a body in flight stays on its parabola. 3. The legs (leg_reach.c): a foot that pushes off
/// rolls a little more or less over its ball, so that the knee stays as it was; what is left is taken up by hip and
/// knee; where a leg is too short, the body comes down.
#pragma once

#include "feet/leg_rig.h"
#include "reprise/play/feet.h"

/// In how long a foot that lands is held firmly, and one that leaves let go, seconds: contacts are right within two
/// frames at 60 Hz or so.
#define RP_SOFT_SECONDS 0.05

/// The points of a foot that bear.
enum
{
	rp_heelBears,
	rp_ballBears,
	rp_toeBears,
	rp_bearerCount,
};

/// By side and point.
extern const rpEffector rpBearers[rp_legCount][rp_bearerCount];

/// Bits of the points of a side that are among these contacts (bits 1u << rpEffector).
unsigned rpGetBearing(int side, unsigned contacts);

/// The point that a foot turns about: its ball if that bears, which carries most of a stance; else its heel, else its
/// toe.
static inline int rpChoosePivot(unsigned bears)
{
	return (bears >> rp_ballBears & 1) != 0   ? rp_ballBears
		   : (bears >> rp_heelBears & 1) != 0 ? rp_heelBears
											  : rp_toeBears;
}

static inline rpVec3 rpGetBearer(const rpFootSample* sample, int point)
{
	return point == rp_toeBears ? sample->toe : sample->sole[point];
}

/// How a foot is moved: x, y, z of its ankle, metres, and its turn about the vertical through the ankle, radians.
enum
{
	rp_shiftX,
	rp_shiftY,
	rp_shiftZ,
	rp_shiftTurn,
	rp_shiftCount,
};

typedef struct rpFootShift
{
	float v[rp_shiftCount];
} rpFootShift;

/// One foot in one frame.
typedef struct rpTrackFoot
{
	/// As it came.
	rpFootSample sample;

	/// Bits of the points that bear; whether these determine the foot's height, and how far it would have to rise for
	/// them to be on their supports, metres; and the mean height of these.
	unsigned bears;
	bool knowsHeight;
	float rise, support;

	/// Stage 1. floor is the height of what the foot is on, or, in swing, of the lower of what it comes from and goes
	/// to, metres; very low where neither is known. freedom is 0 while it bears, and grows to 1 in swing.
	rpFootShift shift;
	float floor, freedom;

	/// How much it leads the body, 0 if it does not bear.
	float lead;

	/// Stage 2: by how much the foot would roll on about its ball so that the knee stays as it was, radians about the
	/// foot's own left; 0 while its heel bears, or it swings.
	float roll;
} rpTrackFoot;

typedef struct rpTrackFrame
{
	rpTrackFoot feet[rp_legCount];

	/// Whether a seat or a hand bears: someone who sits stays.
	bool isHeld;

	/// Stage 2: how far the body goes along, and how far it must come down for its legs to reach, metres.
	rpVec3 follow;
	float drop;
} rpTrackFrame;

/// A stance that is coming, or that a foot is in.
typedef struct rpFoothold
{
	/// Its first frame, -1 for none; and the frames that it was looked at up to.
	int first, seen;

	/// The foot's shift at its first frame that moves the stance as little as possible.
	rpFootShift shift;
} rpFoothold;

/// What is known of a foot where stage 1 is.
typedef struct rpFootGlide
{
	rpFootShift shift, rate;
	rpFoothold hold;

	/// The first frame of the swing that it is in.
	int left;

	/// The height of the floor under it, very low where none is known, and how that changes.
	float floor, floorRate;
} rpFootGlide;

/// Lengths in frames.
typedef struct rpTrackSpans
{
	/// How far ahead stage 1, 2 and 3 look.
	int sight, follow, reach;

	/// How far a landing is aimed at, how much of a stance its foothold is chosen by, and in how long a shift goes over
	/// to nothing where no landing is in sight; around how many frames a foot's height is looked at.
	int aim, stance, ease, settle;

	/// In how long a foot that lands is held firmly, and one that leaves let go.
	int soft;

	/// What is shorter is no step: the foot stays where it was held.
	int step;

	/// How far back stages 2 and 3 look.
	int followBack, reachBack;
} rpTrackSpans;

typedef struct rpFeetTrack
{
	rpFootRig rig;
	rpFootLockDef def;
	double fps;
	rpTrackSpans spans;

	/// Frame i is at i & mask. Poses: [mask + 1] and [(mask + 1) * jointCount]; translations of poses that had none are
	/// the skeleton's.
	unsigned mask;
	rpTrackFrame* frames;
	rpVec3* rootPositions;
	rpQuat* rotations;
	rpVec3* translations;

	/// Scratch, [jointCount].
	rpTransform* world;

	/// The last frames that were added, that stage 1 has done and that stage 2 has; -1: none.
	int newest, settled, followed;

	rpFootGlide glides[rp_legCount];

	/// The body's shift, and how it changes from frame to frame; how far it has come down beside that.
	rpVec3 follow, followRate;
	float drop, dropRate;
} rpFeetTrack;

/// One frame towards a value that is reached, at rest, in so many frames: a cubic. rate is its change in a frame.
void rpGlide(float* at, float* rate, float to, int frames);

/// How many frames ahead are enough: more change nothing.
int rpGetFullLookAhead(double fps);

/// The lengths for a rate, with so many frames of look-ahead.
rpTrackSpans rpGetTrackSpans(double fps, int lookAhead, const rpFootLockDef* def);

/// Whether a definition makes sense; error says why not.
RP_NODISCARD bool rpCheckFootLockDef(const rpFootLockDef* def, rpError* error);

/// lookAhead is how many frames ahead of the one that is shown are seen at most. The skeleton must outlive the track.
/// False, with an error, for a body without legs or when memory ran out; free it even then.
RP_NODISCARD bool rpFeetTrack_Create(rpFeetTrack* track, const rpSkeleton* skeleton, double fps, int lookAhead,
									 const rpFootLockDef* def, rpError* error);
void rpFeetTrack_Free(rpFeetTrack* track);

/// Called with each piece of memory that changes while something runs, always in the same order.
typedef void rpPieceFn(void* context, void* memory, size_t size);

/// All that changes in a track.
void rpFeetTrack_VisitState(rpFeetTrack* track, rpPieceFn* visit, void* context);

/// Forget all frames.
void rpFeetTrack_Reset(rpFeetTrack* track);

/// Add frame newest + 1; contacts and supportHeights as of rpFootLocker_Step.
void rpFeetTrack_Add(rpFeetTrack* track, const rpPose* in, unsigned contacts, const float* supportHeights);

/// The pose of a frame, which is not before the one shown last nor further back than the look-ahead.
/// out->translations may be NULL. Returns how far its feet stay from where they should be, metres.
float rpFeetTrack_Show(rpFeetTrack* track, int frame, rpPose* out);

static inline rpTrackFrame* rpFeetTrack_Get(const rpFeetTrack* track, int frame)
{
	return track->frames + ((unsigned)frame & track->mask);
}

/// How much a foot that bears leads the body: 1 on a straight leg, less the more its knee is bent.
float rpGetLead(const rpFootSample* sample);

/// Stage 1 for frame settled + 1.
void rpFeetTrack_Settle(rpFeetTrack* track);

/// Stage 2 for frame followed + 1.
void rpFeetTrack_Follow(rpFeetTrack* track);

/// The part of stage 2 that looks at legs: feet's rolls, and the drop, in a frame of which is known where the body
/// goes.
void rpFeetTrack_LookAtLegs(const rpFeetTrack* track, rpTrackFrame* entry);

/// From hip to ankle: `reach`, or as much of it as a leg may take up that came as its sample says.
rpVec3 rpLimitReach(const rpFootSample* sample, rpVec3 reach);

/// How far down a hip must come so that a leg reaches, metres.
float rpFindDrop(const rpFootSample* sample, rpVec3 reach);

/// How much of a drop there is so many frames away from where a leg needs it: 1 there, 0 without slope beyond the
/// frames that are looked at.
float rpWeighReach(int away, int back, int ahead);

/// Stage 3: the pose of a frame. Returns the distance that feet which bear are away from their places, metres.
float rpFeetTrack_BendLegs(rpFeetTrack* track, int frame, rpPose* out);
