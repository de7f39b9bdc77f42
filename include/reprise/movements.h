/// Takes cut into movements of locomotion. After T. Kwon & S. Y. Shin, "Motion modeling for on-line locomotion
/// synthesis" (2005), section 3.
#pragma once

#include "reprise/play/locomotion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How to find movements. Must come from rpDefaultMovementDef().
typedef struct rpMovementDef
{
	/// A peak of the centre of mass counts if it stands out by this much, metres. 0.003 by default.
	float prominence;

	/// A stand: the centre of mass is slower than this, m/s, for longer than this, seconds, where a moment counts the
	/// less the nearer it is to that speed, and in full if nothing moves. 0.15 and 0.2 by default.
	float standSpeed;
	double standSeconds;
} rpMovementDef;

/// The longest footstep string that is reported, with its terminating zero.
#define RP_FOOTSTEP_SIZE 16

/// A stretch that could not be used.
typedef struct rpDroppedMovement
{
	int take;
	double start, end;

	/// Its footsteps; a long string is cut.
	char string[RP_FOOTSTEP_SIZE];
} rpDroppedMovement;

/// What takes are made of.
typedef struct rpMovements
{
	/// In order of takes and time.
	rpMovement* items;
	int count;

	/// What stayed invalid and was dropped, in the same order.
	rpDroppedMovement* dropped;
	int droppedCount;

	/// Segments before refinement; merged over a spurious peak, split over a missed one.
	int countBefore;
	int mergedCount, splitCount;

	/// Half cycles that were cut at another phase than the others of their gait, and so dropped.
	int outOfPhaseCount;

	/// How uneven consecutive half cycles of one gait are: the 90th percentile of the logarithm of the ratio of their
	/// times, without its sign; NaN where there are none.
	float irregularity;

	/// Of each kind.
	int counts[rp_movementKindCount];

	/// Seconds of all takes; of them between the first boundary and the last of each take; of them in movements.
	double seconds, locomotionSeconds, validSeconds;
} rpMovements;

RP_API rpMovementDef rpDefaultMovementDef(void);

/// Find the movements of takes of one skeleton, or of several. Contacts are detected where a take has none. def and
/// error may be NULL. NULL with rp_errorNoSolution and a reason where there is no locomotion in any of them; free with
/// rpDestroyMovements.
RP_API RP_NODISCARD rpMovements* rpFindMovements(const rpMotion* const* takes, int count, const rpMovementDef* def,
												 rpError* error);
RP_API void rpDestroyMovements(rpMovements* movements);

#ifdef __cplusplus
}
#endif
