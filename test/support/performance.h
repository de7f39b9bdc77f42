/// What every performance must keep, measured on its frames against its truth.
#pragma once

#include "reprise/performer.h"

/// The worst of a performance.
typedef struct PerformanceFaults
{
	/// Metres: a planted point moves during a contact; is off its support; a part of a foot below what it is on.
	float slide, lift, sink;
	/// Metres: the centre of mass in flight off its parabola; outside the support while slow.
	float flight, balance;
	/// How fast the centre of mass is accelerated downwards while something is on the ground, as a part of gravity:
	/// above 1 the ground would have to pull.
	float pull;
	double pullTime;
	/// Metres per second squared: the change of a joint's acceleration within a millisecond.
	float jerk;
	/// Radians: beyond the limits of a joint; and which.
	float joint;
	const char* jointName;
	/// When the worst of balance, jerk, joint was, seconds.
	double balanceTime, jerkTime, jointTime;
	const char* jerkName;
	/// The largest acceleration of a part of the body, as a part of what captured people show in such acts (1: as
	/// much as their 99.9th percentile), at 120 Hz; which part, and when.
	float acceleration;
	const char* accelerationName;
	double accelerationTime;
} PerformanceFaults;

/// Parts of the body whose accelerations have bars of their own.
typedef enum PerformancePart
{
	partTrunk,
	partKnees,
	partFeet,
	partElbows,
	partHands,
	partCount,
} PerformancePart;

/// The bar of a part of the body in an act: the 99.9th percentile of captured takes of that kind, m/s². The
/// acceleration is the second difference over 25 ms to both sides.
float testGetAccelerationBar(rpAct act, PerformancePart part);

/// Perform at 120 Hz and measure accelerations against the bars: fills only the faults' acceleration.
PerformanceFaults testMeasureAccelerations(const rpPerformDef* def);

/// The same, and fail the test if one is above its bar; the performance and the worst moment are printed.
void testHoldToAccelerations(const rpPerformDef* def);

/// Perform as asked and measure. Fails the test if the performance fails.
PerformanceFaults testPerformance(const rpPerformDef* def);

/// The same without jerk and pull, which need a thousand frames per second.
PerformanceFaults testPerformanceFrames(const rpPerformDef* def);

/// How far the centre of mass is outside what it stands on when a foot leaves the ground for the first time, metres,
/// below 0 inside; -1 if none does. Someone who shifts the weight before moving is inside.
float testGetFirstLeaning(const rpPerformDef* def);

/// How far joints go beyond the limits of people: fills only the faults' joint.
void testMeasureJoints(const rpMotion* motion, PerformanceFaults* faults);

/// The same as testPerformance, and hold it to the bars that all acts share; what is beyond is printed with the
/// performance's parameters.
void testHoldToBars(const rpPerformDef* def);

/// A def with all parameters drawn from their ranges, some at their ends, and a seed.
rpPerformDef testDrawPerformance(rpAct act, uint64_t draw);

/// Perform; fails the test if that fails.
rpMotion* testPerform(const rpPerformDef* def);

/// The time of the first event of a name; negative if there is none.
double testFindEvent(const rpMotion* motion, const char* name);

/// Where an effector is at a time, between frames linearly.
rpVec3 testGetEffectorAt(const rpMotion* motion, double time, rpEffector effector);
