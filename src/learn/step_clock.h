/// The gait cycle as a clock, read from contacts: what moments of two motions correspond to each other.
#pragma once

#include "reprise/play/motion.h"

/// The middle of the time in which a foot rests. Gaits differ in how long that is, and so in when it begins, but all
/// have the body over the foot in the middle.
typedef struct rpMidstance
{
	double time;
	/// 0 left, 1 right.
	int foot;
} rpMidstance;

/// All middles of a motion's stances in order. Between one foot's and the other's the clock goes on by half a cycle.
/// Zero-initialised has none.
typedef struct rpStepClock
{
	rpMidstance* items;
	int count, capacity;
} rpStepClock;

/// Make one from the motion's contacts of heels and balls. Stances that the motion's ends cut are left out.
RP_NODISCARD bool rpStepClock_Create(rpStepClock* clock, const rpMotion* motion, rpError* error);
void rpStepClock_Free(rpStepClock* clock);

/// Where in its cycle the gait is: 0 in the middle of the left foot's stance, 0.5 in that of the right one's, under 1;
/// and the length of the cycle by this step, seconds. False where the feet do not step by turns.
bool rpStepClock_Read(const rpStepClock* clock, double time, double* phase, double* cycle);

/// The index-th moment at which the clock shows this phase; false past the last.
bool rpStepClock_Find(const rpStepClock* clock, double phase, int index, double* time);

/// How far two phases are apart, 0 to 0.5.
double rpGetPhaseDistance(double a, double b);
