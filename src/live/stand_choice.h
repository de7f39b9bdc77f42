/// Which of the takes' stands somebody stands in: a quiet one, near the pose in which movements begin and end, and near
/// the pose that he comes to it in.
#pragma once

#include "live/movement_plan.h"

/// Where to begin.
typedef struct rpStandStart
{
	/// The movement, a stand, and seconds in its take.
	int movement;
	double time;
} rpStandStart;

/// The stand that suits best after a movement; last may be NULL. The model must have stands.
rpStandStart rpChooseStand(const rpGaitModel* model, const rpMovementPlan* last);
