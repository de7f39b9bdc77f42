/// A course that comes near a goal, changed a little so that it comes there.
#pragma once

#include "solve/parametric_course.h"
#include "solve/parametric_goal.h"

/// The moment of its last motion that is nearest to the goal, seconds; false where seams leave nothing of it.
bool rpCourse_FindNearest(const rpCourse* course, const rpParametricGoDef* def, double* seconds, rpGoalMiss* miss);

/// Change what is asked of its last motions, within their boxes, and the moment, until it is there or comes no nearer
/// (damped Gauss-Newton steps on what the motions themselves do, no table). Memory is taken once. False when it ran
/// out.
RP_NODISCARD bool rpCourse_Refine(rpCourse* course, const rpParametricGoDef* def, double* seconds, rpGoalMiss* miss,
								  rpError* error);
