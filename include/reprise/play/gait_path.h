/// Following a path with a player of locomotion, with gaits along it (Fig. 4 of Kwon & Shin 2005). Part of
/// libreprise_play.
#pragma once

#include "reprise/play/player.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// A part of a path and how it is gone.
typedef struct rpGaitStretch
{
	/// Metres along the path where it begins; it ends where the next one begins.
	double start;

	/// A stretch of standing is waited out for `seconds` where it begins; it has no length.
	rpGait gait;

	/// m/s; 0 for the gait's usual speed.
	float speed;

	/// Stands alone: how long, 2 s if 0.
	float seconds;
} rpGaitStretch;

/// A path over the floor. Must come from rpDefaultGaitPath(). All pointers are borrowed.
typedef struct rpGaitPath
{
	/// (x, z), metres, at least 2.
	const rpVec2* points;
	int pointCount;

	/// In order of their start; none: walk all the way. What lies before the first is walked.
	const rpGaitStretch* stretches;
	int stretchCount;

	/// The fastest turn that is asked for, rad/s, if the player's model covers it; where the path bends more, the guide
	/// goes slower. 1.2 by default.
	float maxTurnRate;

	/// Bends that cannot be run, as slowly as it may be, within this far of the path are walked, metres; 0.5 by
	/// default. INFINITY: run however far off.
	float maxDeviation;
} rpGaitPath;

/// Where a guide is. Zero-initialised is the beginning of the path.
typedef struct rpGaitGuide
{
	/// Metres along the path of where the next movement will begin, and stretches whose stands are over.
	double along;
	int stoodCount;

	/// Where the character was last, once it has begun, and its recent displacement relative to where it faces: metres
	/// to its left and ahead.
	bool hasBegun;
	rpGroundTransform last;
	rpVec2 lately;

	/// When the stand that is waited out began to show, seconds; and whether there is one.
	double standStart;
	bool isStanding;

	/// What was asked for last, and until when that holds, seconds.
	rpPlayerInput input;
	double nextTime;

	/// Whether a bend is walked that should be run, and metres of the path that were gone so.
	bool isWalkingBend;
	double walkedBends;

	/// Whether the end of the path was near enough to stop, and whether the character has stopped since.
	bool isStopping;
	bool hasArrived;
} rpGaitGuide;

RP_API rpGaitPath rpDefaultGaitPath(void);

/// Length of the path, metres.
RP_API double rpGaitPath_GetLength(const rpGaitPath* path);

/// Where a player is to be started (rpPlayerDef.start): at the beginning of the path, facing along it.
RP_API rpGroundTransform rpGaitPath_GetStart(const rpGaitPath* path);

/// What to ask of the player in its next step so that it goes along the path: the gait of the stretch, its speed, and
/// the turn that leads back to the path within the next movements, by looking ahead to where the next movement that is
/// not yet planned will begin. Near the end it asks for standing. Call it once for each step. Allocates nothing.
RP_API rpPlayerInput rpGaitGuide_Step(rpGaitGuide* guide, const rpGaitPath* path, const rpPlayer* player);

#ifdef __cplusplus
}
#endif
