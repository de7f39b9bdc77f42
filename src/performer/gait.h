/// Walking and running by formula.
#pragma once

#include "performer/stage.h"

/// What stays the same during a walk or run. Times in seconds, angles in radians.
typedef struct rpGait
{
	bool running;
	float speed, turn;
	/// Duration of a stride, part of it that a foot stands, duration of the stance.
	float stride, duty, stance;
	/// Pitch at heel strike (negative) and at toe off; parts of the stance at which the foot is flat and the heel
	/// lifts.
	float strikePitch, liftPitch, flatAt, liftAt;
	/// Where a ball stands against the path in the middle of its stance: beside it, and ahead.
	float halfWidth, ahead;
	/// Extra lift in the swing, height of the pelvis before bobbing.
	float lift, height;
} rpGait;

/// A gait of that speed, its height fitted so that no leg is overstretched.
rpGait rpMakeGait(bool running, float speed, float turn);

/// The k-th stance of a side.
rpStance rpGait_MakeStance(const rpGait* gait, int side, int k);

/// The body at a time, but for the feet.
void rpGait_Plan(const rpGait* gait, double seconds, rpBodyPlan* plan);

/// When the k-th stance of a side begins.
double rpGait_GetStrike(const rpGait* gait, int side, int k);
