/// Blending poses and joining motions: what runs inside a game as well (libreprise_play).
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// A motion laid out for sampling: const once made, four or eight joints to an instruction.
typedef struct rpClip rpClip;

/// error may be NULL. NULL when memory ran out, when the motion's bones are not rigid or when a number in it is not
/// finite. Free with rpDestroyClip. The motion need not outlive it; its skeleton is retained. The clip keeps to the
/// kernel that is the fastest for this machine (REPRISE_KERNEL=portable in the environment forces the reference).
RP_API RP_NODISCARD rpClip* rpCreateClip(const rpMotion* motion, rpError* error);
RP_API void rpDestroyClip(rpClip* clip);
RP_API double rpClip_GetDuration(const rpClip* clip);

/// Max shares in one pose.
#define RP_MAX_SHARES 32

/// One share of a blended pose.
typedef struct rpShare
{
	const rpClip* clip;

	/// Seconds, clamped to the clip.
	double time;

	/// Not negative; shares are taken relative to their sum, which must be positive.
	float weight;

	/// Moves the clip's root before blending.
	rpGroundTransform ground;
} rpShare;

/// The weighted mean pose of clips of one skeleton at any times (slerp between frames): rotations by rpMeanQuat, roots
/// on the ground by their transforms. 1 to RP_MAX_SHARES shares. out->rotations holds jointCount, out->translations
/// is left alone. Allocates nothing.
RP_API void rpBlendClips(const rpShare* shares, int count, rpPose* out);

/// The same, and the joints in the world; world is [jointCount].
RP_API void rpBlendClipsForward(const rpShare* shares, int count, rpPose* out, rpTransform* world);

/// Max sources of a frame: those of two blends that become one another.
#define RP_MAX_SOURCES (2 * RP_MAX_SHARES)

/// Where a part of a frame comes from: a clip, by its index in what is played, at a time, with its weight.
typedef struct rpFrameSource
{
	int clip;
	double time;
	float weight;
} rpFrameSource;

/// Weighted mean of rotations: the normalised weighted sum of the quaternions, each in the hemisphere of the heaviest
/// one (of the first of equals). For two of equal weight the middle of the arc between them. weights are not negative
/// with a positive sum; both are [count].
RP_API rpQuat rpMeanQuat(const rpQuat* rotations, const float* weights, int count);

/// How two motions are joined.
typedef enum rpTransitionKind
{
	/// Cross-fade by 2t³-3t²+1, which keeps velocities continuous (eq. 4.11-4.13 of Kovar's thesis).
	rp_transitionFade,
	/// Cross-fade by a straight line.
	rp_transitionLinear,
	/// Jump cut, with offsets in pose and velocity that decay on both sides (section 4.4.1, item 3).
	rp_transitionDisplace,
	/// Jump cut, with offsets in pose and velocity that decay after it alone (quintic), as engines do live.
	rp_transitionInertial,
	/// Fade of velocities, and of what places and poses differ by on the whole: no faster than either motion where the
	/// two are even in the middle, as graph walks have it.
	rp_transitionVelocity,
	rp_transitionKindCount,
} rpTransitionKind;

/// "fade", "linear", "displace", "inertial", "velocity".
RP_API const char* rpTransitionKind_GetName(rpTransitionKind kind);

/// Whether it needs both motions over the whole blend.
RP_API bool rpTransitionKind_IsFade(rpTransitionKind kind);

/// rp_transitionKindCount if there is none of that name.
RP_API rpTransitionKind rpTransitionKind_Find(const char* name);

typedef enum rpTransitionAnchor
{
	/// The two moments given coincide: in the middle of the blend, or, in the inertial form, at its start.
	rp_anchorCentre,
	/// The blend starts at a's moment and ends at b's: they are its first and last.
	rp_anchorEnds,
	rp_transitionAnchorCount,
} rpTransitionAnchor;

/// How to make a transition. Must come from rpDefaultTransitionDef().
typedef struct rpTransitionDef
{
	rpTransitionKind kind;
	rpTransitionAnchor anchor;

	/// Length of the blend, seconds, 0.5; at most 600, rounded to whole frames of a. 0 is a jump cut, aligned on the
	/// floor.
	double seconds;

	/// Take b onto a by this transform instead of the best fit of the two windows; NULL: the best fit. Borrowed.
	const rpGroundTransform* alignment;
} rpTransitionDef;

/// What was done.
typedef struct rpTransitionReport
{
	/// Takes b onto a.
	rpGroundTransform alignment;

	/// Root mean square distance of the two windows after alignment, metres (one marker at every joint, triangular).
	float distance;

	/// The moments in a and in b, rounded to their frames.
	double from, to;

	/// Seconds in the result: the blend; where the one motion hands over to the other; and where b's first moment would
	/// be.
	double start, end;
	double seam;
	double bStart;
} rpTransitionReport;

RP_API rpTransitionDef rpDefaultTransitionDef(void);

/// a up to its moment ta, then b from its moment tb, at a's rate: frames before the blend are a's own, to the bit, and
/// those after it are b's within 1e-6 but for their place on the floor (and between its frames, where b has another
/// rate). Labels of the blend are the union of both, phases are a's before the seam and b's after it; a "seam" event
/// marks it, sources give every frame's origin (in a fade of both), curves are cross-faded. Contacts, which begin and
/// end on frames, are a's before the seam and b's after it, where a foot that rests on both sides has one contact; in a
/// fade, a foot that steps while the other bears is let go when the blend takes it away, and held when it has come.
/// Moments are rounded to frames.
///
/// A fade needs both motions over the whole blend; a displacement needs a up to the seam and b from there on, and what
/// it would have changed beyond their other ends is left out.
///
/// report and error may be NULL. NULL when the skeletons differ, when a or b is too short around its moment (says by
/// how much), has a single frame or numbers that are not finite, or when memory ran out.
RP_API RP_NODISCARD rpMotion* rpMakeTransition(const rpMotion* a, double ta, const rpMotion* b, double tb,
											   const rpTransitionDef* def, rpTransitionReport* report, rpError* error);

#ifdef __cplusplus
}
#endif
