/// Takes of the performer to fit metrics to, and others to try them on.
#pragma once

#include "support.h"

enum
{
	testTakeCount = 16,
	testStrangerCount = 8,
};

/// Perform them all; a group's set-up and tear-down.
int testSetUpMetricScene(void** state);
int testTearDownMetricScene(void** state);

/// The takes that examples are drawn from, as many segments as in the thesis, and those that no example knows.
const rpMotion* const* testGetTakes(void);
const rpMotion* const* testGetStrangers(void);

/// The act of a take.
rpAct testGetTakenAct(int take);

/// Examples drawn from the takes, and a metric fitted to some. Free them.
rpJoinExamples testGenerateJoins(int good, int bad, uint64_t seed);
rpMetricFit testFitTo(const rpJoinExamples* examples, const rpFitDef* def);
