/// A place to go to, and how far others are from it.
#pragma once

#include "reprise/parametric_go.h"

/// How far a place is from a goal: metres, and radians (0 where no heading was asked for); and the larger of both as
/// parts of what is allowed: up to 1 it is there.
typedef struct rpGoalMiss
{
	float distance, turn, worst;
} rpGoalMiss;

static inline rpGoalMiss rpParametricGoDef_Measure(const rpParametricGoDef* def, float x, float z, float turn)
{
	rpGoalMiss miss = {.distance = rpHypot(x - def->goal.shift.x, z - def->goal.shift.z)};
	miss.turn = def->hasHeading ? fabsf(rpWrapAngle(turn - def->goal.turn)) : 0.0f;
	miss.worst = fmaxf(miss.distance / def->radius, miss.turn / def->tolerance);
	return miss;
}
