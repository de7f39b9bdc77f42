/// What plans with a parametric graph have in common.
#pragma once

#include "live/parametric_choice.h"
#include "solve/parametric_course.h"
#include "solve/parametric_search.h"

struct rpParametricPlanner
{
	rpParametricModel model;
	rpParametricMoves moves;
	rpGoLimits limits;
	rpParametricRoutes routes;

	/// Scratch, [edgeCount].
	bool* usable;
};

/// The greedy way (Heck, 6.2.2.2): every motion as players choose it, towards the goal. The course up to the motion
/// that is nearest to it, and when that is. False when memory ran out.
RP_NODISCARD bool rpGoGreedily(rpParametricPlanner* planner, const rpParametricGoDef* def, rpCourse* course,
							   double* seconds, rpGoalMiss* miss, rpError* error);
