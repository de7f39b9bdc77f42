/// Small parametric spaces of the performer, for tests.
#pragma once

#include "support.h"

enum
{
	testWalkCount = 5,
};

/// Walks that turn by -40 to 40 degrees a second, 60 Hz, named "walk-0" …; and the two steps of each that begin where
/// the left foot strikes, each registered with the one before it.
void testMakeWalks(rpMotion* walks[testWalkCount], rpMatch matches[testWalkCount]);
void testDestroyWalks(rpMotion* walks[testWalkCount]);

/// The first time after a time at which an event happens; the test fails without one.
double testFindEventAfter(const rpMotion* motion, const char* name, double after);

/// The space of them by turn.
rpSpace* testMakeWalkSpace(void);

/// The space of eight punches by where the fist hits, three parameters; its samples are few.
rpSpace* testMakePunchSpace(void);
