/// Pairs of motions registered by hand, and what blends are measured by.
#pragma once

#include "support.h"

/// Two motions with keys of their own.
typedef struct TestPair
{
	const rpMotion* motions[2];
	double times[2 * 64];
	rpGroundTransform grounds[2 * 64];
	rpStage stages[64];
	rpRegistration registration;
} TestPair;

/// times is [2 * keyCount]; transforms are those that take root onto root. Both motions are borrowed.
void testInitPair(TestPair* pair, const rpMotion* a, const rpMotion* b, const double* times, int keyCount);

/// Jumps registered by their flights: stance, flight, stance.
void testRegisterJumps(TestPair* pair, rpMotion* const motions[2]);

/// One performance at 120 Hz with one parameter; fails the test if there is none.
rpMotion* testPerformOne(rpAct act, rpParameter parameter, float value, double seconds);

/// The blend of two with this weight on the second; fails the test, with the error, if there is none.
rpMotion* testBlendTwo(const rpRegistration* registration, float weight, rpBlendScheme scheme, rpBlendReport* report);

/// registration may be NULL.
void testDestroyTwo(rpMotion* const motions[2], rpRegistration* registration);

/// The distance that a resting point moves on the floor, the worst of all contacts, metres.
float testMeasureSlide(const rpMotion* motion);

/// The greatest acceleration of a joint, m/s².
float testMeasureAcceleration(const rpMotion* motion);

/// With all weight on one motion, of three at most, that motion comes back where the registration puts its first frame:
/// rotations to 1e-6, positions to 1e-5 m.
void testCheckOriginal(const rpRegistration* registration, int motion, rpBlendScheme scheme);
