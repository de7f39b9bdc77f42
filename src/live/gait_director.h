/// The director of locomotion: from what a user wants (gait, speed, turn) to the next movement (section 5.1 of Kwon &
/// Shin 2005).
#pragma once

#include "live/movement_plan.h"
#include "reprise/play/player.h"

/// What a user wants.
typedef struct rpGaitWish
{
	rpGait gait;

	/// m/s; rad/s to the left.
	float speed, turn;
} rpGaitWish;

/// What the director remembers. Plain values.
typedef struct rpGaitDirector
{
	rpRandom random;
	rpWeightDef weights;

	/// Of the last movement: speed and turn that were gone for, step by step towards the wish, and the acceleration.
	float speed, turn, acceleration;

	/// What is added to speed and turn so that the path has them.
	float speedFix, turnFix;

	/// By how much turns may go beyond those of the takes, radians for each metre.
	float maxBend;

	/// The stand that is on: its movement, where in its take it is, and how fast its time runs, backwards below 0.
	int stand;
	double standTime, standPace;
} rpGaitDirector;

rpGaitDirector rpStartGaitDirector(uint64_t seed, const rpWeightDef* weights, float maxBend);

/// What half cycles of a gait have that can go on; zeros where there are none.
rpGaitLimits rpFindGaitLimits(const rpGaitModel* model, rpGait gait);

/// What an input means for somebody who goes in a direction: radians, as a heading.
rpGaitWish rpFindGaitWish(const rpGaitModel* model, const rpPlayerInput* input, float heading, float maxBend);

/// Plan the first movement: a stand, or the gait that there is most of.
void rpGaitDirector_PlanFirst(rpGaitDirector* director, const rpGaitModel* model, rpMovementPlan* out);

/// Plan the movement after another.
void rpGaitDirector_PlanNext(rpGaitDirector* director, const rpGaitModel* model, const rpMovementPlan* last,
							 const rpGaitWish* wish, rpMovementPlan* out);

/// What the path of a half cycle missed is asked for in addition from now on. Call it once the plan's speed and turn
/// are known.
void rpGaitDirector_CloseLoop(rpGaitDirector* director, const rpMovementPlan* plan);
