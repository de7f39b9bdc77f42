/// Feet of a whole motion that are told where to be: its legs are bent for that, and its centre of mass stays where it
/// is told to be.
#pragma once

#include "feet/leg_rig.h"
#include "reprise/play/body.h"

/// Where a foot should be in one frame.
typedef struct rpFootGoal
{
	/// Otherwise the foot is free: it goes over from one rest to the next.
	bool isPlanted;
	rpTransform ankle;
} rpFootGoal;

/// What is wanted of a motion. All is borrowed.
typedef struct rpFootGoals
{
	const rpFootRig* rig;
	const rpBody* body;

	/// [frameCount * rp_legCount]
	const rpFootGoal* feet;

	/// Where centres of mass should be, [frameCount]. The body is lowered from there where a leg is too short, but not
	/// in flight.
	const rpVec3* centers;
	const bool* isFlight;
} rpFootGoals;

/// Move the roots of a motion and bend its legs until the goals are met. *miss becomes the farthest that a planted
/// ankle is from its place, metres. False when memory ran out.
RP_NODISCARD bool rpReachFootGoals(const rpFootGoals* goals, rpMotion* motion, float* miss, rpError* error);
