/// Foot lock: feet that rest do not slide. After Kovar, Schreiner & Gleicher, "Footskate cleanup for motion capture
/// editing" (2002).
#pragma once

#include "reprise/play/motion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to lock feet. Must come from rpDefaultFootLockDef().
typedef struct rpFootLockDef
{
	/// Seconds in which a foot that has left goes back to where it would be, where its next landing is not seen yet;
	/// 0.2.
	double ease;

	/// Put feet that bear on their supports, with heels and balls as high above them as in the rest pose (soleHeight),
	/// on average over a stance. False: each stance keeps its own height. True by default.
	bool ground;
} rpFootLockDef;

/// How far heels and balls slide while they bear, metres: the path that each makes over the floor in a contact, but for
/// 50 ms at its ends, in which the foot lands or leaves; the mean over the contacts, and the greatest.
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

	/// Greatest correction of the root, metres.
	float rootShift;

	/// The farthest that a foot which bears stays away from its place, since its leg does not reach, metres.
	float missed;
} rpFootLockReport;

RP_API rpFootLockDef rpDefaultFootLockDef(void);

/// Hold the feet of a whole motion where its contact track says that they bear: heel, ball and toe are held while each
/// has a contact, and the foot rolls over them as it did. The body follows, knees change as little as can be, bones
/// keep their lengths. A motion without contacts of feet is left alone. def, report and error may be NULL. False for a
/// body without legs, for frames that are not finite numbers or when memory ran out; the motion is unchanged then.
RP_API RP_NODISCARD bool rpLockFeet(rpMotion* motion, const rpFootLockDef* def, rpFootLockReport* report,
									rpError* error);

/// The on-line form: poses go in, and come out locked, a fixed number of frames later. Allocates at creation alone.
typedef struct rpFootLocker rpFootLocker;

/// lookAhead is the number of frames by which the output is late, 0 to 960. With rpFootLocker_GetFullLookAhead() frames
/// or more the result is that of rpLockFeet; with fewer it is as smooth, but what is not seen in time is held where it
/// comes to rest. The skeleton is retained. error may be NULL. Free with rpDestroyFootLocker.
RP_API RP_NODISCARD rpFootLocker* rpCreateFootLocker(const rpSkeleton* skeleton, double fps, int lookAhead,
													 const rpFootLockDef* def, rpError* error);
RP_API void rpDestroyFootLocker(rpFootLocker* locker);

/// Forget all frames, as if just created.
RP_API void rpFootLocker_Reset(rpFootLocker* locker);

/// Give it the next pose with its contacts (bits 1u << rpEffector of heels, balls, toes, hands and seat) and take the
/// one from lookAhead frames ago. supportHeights, metres, is [rp_effectorCount]; NULL: all rest on the floor at 0.
/// in->translations may be NULL; out->rotations holds jointCount, and so does out->translations, which may be NULL.
/// Returns false, and leaves out alone, for the first lookAhead poses.
RP_API bool rpFootLocker_Step(rpFootLocker* locker, const rpPose* in, unsigned contacts, const float* supportHeights,
							  rpPose* out);

/// As many frames of look-ahead as are of use at a rate.
RP_API int rpFootLocker_GetFullLookAhead(double fps);

#ifdef __cplusplus
}
#endif
