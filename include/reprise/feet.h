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

	/// Put resting heels and balls on their support's height, and keep the others from sinking into it.
	bool ground;
} rpFootLockDef;

/// What it took.
typedef struct rpFootLockReport
{
	int contactCount;

	/// Mean and greatest slide of the contacts before and after, metres: the way a resting heel or ball makes.
	float slideBefore, slideBeforeMax;
	float slideAfter, slideAfterMax;

	/// Greatest correction of the root, metres, and stretch of a leg, share of its length.
	float rootShift;
	float stretch;
} rpFootLockReport;

RP_API rpFootLockDef rpDefaultFootLockDef(void);

/// Lock the feet of a whole motion where its contact track says that they rest. Bones that had to be stretched are
/// noted in motion->translations (made when needed). def, report and error may be NULL. False for a body without legs
/// or when memory ran out; the motion is unchanged then.
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

/// Give it the next pose with its contacts (bits 1u << rpEffector of heels and balls; supportHeight for all of them)
/// and take the one from lookAhead frames ago. Returns false, and leaves out alone, for the first lookAhead poses.
RP_API bool rpFootLocker_Step(rpFootLocker* locker, const rpPose* in, unsigned contacts, float supportHeight,
							  rpPose* out);

#ifdef __cplusplus
}
#endif
