/// Foot lock: feet that rest do not slide. After Kovar, Schreiner & Gleicher, "Footskate cleanup for motion capture
/// editing" (2002).
#pragma once

#include "reprise/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to lock feet. Must come from rpDefaultFootLockDef().
typedef struct rpFootLockDef
{
	/// Seconds over which a lock is eased in before a contact and out after it, 0.2.
	double ease;

	/// The longest a leg may be stretched to reach its foot, as a share of its length, 0.03.
	float stretch;

	/// Put resting heels at one height above their supports, and resting balls at one: the mean that they have in this
	/// motion. False: each contact keeps its own mean height. True by default.
	bool ground;
} rpFootLockDef;

/// How far points of the sole slide while they rest, metres: the way that each makes over the floor in a contact; the
/// mean over the contacts, and the greatest.
typedef struct rpSlide
{
	int contactCount;
	float mean, max;
} rpSlide;

/// What it took.
typedef struct rpFootLockReport
{
	/// Contacts of heels and balls; 0 when there was nothing to lock and the motion was left alone.
	int contactCount;

	/// On the contacts of the motion as it came: all, heels and balls apart, before and after.
	rpSlide before, after;
	rpSlide heelBefore, heelAfter;
	rpSlide ballBefore, ballAfter;

	/// The fastest change of a knee's bend from frame to frame, rad/s.
	float kneeSpeedBefore, kneeSpeedAfter;

	/// Greatest correction of the root, metres, and stretch of a leg, share of its length.
	float rootShift;
	float stretch;

	/// Frames with a stretched leg.
	int stretchedFrames;

	/// How much of the planted feet's shaking was found to be the root's, and taken out of it; 0 … 1.
	float shake;
} rpFootLockReport;

RP_API rpFootLockDef rpDefaultFootLockDef(void);

/// Lock the feet of a whole motion where its contact track says that they rest. Bones that had to be stretched are
/// noted in motion->translations (made when needed). A motion without contacts of heels or balls is left alone. def,
/// report and error may be NULL. False for a body without legs, for frames that are not finite numbers or when memory
/// ran out; the motion is unchanged then.
RP_API RP_NODISCARD bool rpLockFeet(rpMotion* motion, const rpFootLockDef* def, rpFootLockReport* report,
									rpError* error);

/// The on-line form: poses go in, and come out locked, a fixed number of frames later. Allocates at creation alone.
typedef struct rpFootLocker rpFootLocker;

/// lookAhead is the number of frames by which the output is late, 1 to 240. The skeleton is retained. error may be
/// NULL. Free with rpDestroyFootLocker.
RP_API RP_NODISCARD rpFootLocker* rpCreateFootLocker(const rpSkeleton* skeleton, double fps, int lookAhead,
													 const rpFootLockDef* def, rpError* error);
RP_API void rpDestroyFootLocker(rpFootLocker* locker);

/// Forget all frames, as if just created.
RP_API void rpFootLocker_Reset(rpFootLocker* locker);

/// Give it the next pose with its contacts (bits 1u << rpEffector of heels, balls and seat) and take the one from
/// lookAhead frames ago. supportHeights, metres, is [rp_effectorCount]; NULL: all rest on the floor at 0. A contact's
/// height is taken when it begins. in->translations may be NULL; out->rotations holds jointCount, and so does
/// out->translations, which may be NULL: then legs are never stretched. Returns false, and leaves out alone, for the
/// first lookAhead poses.
RP_API bool rpFootLocker_Step(rpFootLocker* locker, const rpPose* in, unsigned contacts, const float* supportHeights,
							  rpPose* out);

#ifdef __cplusplus
}
#endif
