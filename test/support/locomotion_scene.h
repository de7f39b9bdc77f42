/// Models of locomotion made from the performer's takes and what it knows about them.
#pragma once

#include "support.h"

enum
{
	testMaxTakes = 8,
};

/// Takes, and the movements in them as the performer's truth has them.
typedef struct TestLocomotion
{
	rpMotion* takes[testMaxTakes];
	int takeCount;
	rpMovements movements;
} TestLocomotion;

/// Perform scripts (rpPerformDef.script), with seeds from `seed` on.
TestLocomotion testPerformLocomotion(const char* const* scripts, int count, double fps, uint64_t seed);

/// All gaits, their transitions, several speeds and turns.
TestLocomotion testPerformAllGaits(double fps, uint64_t seed);
void testFreeLocomotion(TestLocomotion* locomotion);

/// A model of it; fails the test where there is none.
rpLocomotion* testBuildLocomotion(const TestLocomotion* locomotion, bool mirror);

/// A player at work, and all that it showed at 60 Hz.
typedef struct TestPlay
{
	void* bytes;
	rpBundle* bundle;
	rpPlayer* player;
	rpMotion* motion;
	rpPlayerReport* reports;
	int frameCount, capacity;
} TestPlay;

/// def may be NULL. Up to so many seconds can be played. Free with testEndPlay.
TestPlay testStartPlay(const rpLocomotion* model, const rpPlayerDef* def, double seconds);
void testPlayOn(TestPlay* play, const rpPlayerInput* input, double seconds);

/// Cut the motion to what was played, with contacts as they were reported.
void testFinishPlay(TestPlay* play);
void testEndPlay(TestPlay* play);
