/// How much each movement of a kind contributes to one that is asked for.
#pragma once

#include "model/gait_model.h"

/// One that contributes.
typedef struct rpNeighbour
{
	int movement;
	float weight;
} rpNeighbour;

/// How to weigh.
typedef struct rpWeightDef
{
	/// How many of the nearest are taken, 1 to RP_MAX_SHARES.
	int count;

	/// Weights below this are dropped; 0 keeps all of them.
	float min;
} rpWeightDef;

/// What the weights give.
typedef struct rpWeighed
{
	/// Speed and turn of the blend, as they would be by inverse distance alone and as they are: m/s, rad/s.
	float plainSpeed, plainTurn;
	float speed, turn;
} rpWeighed;

/// The nearest movements of a kind to what is asked for (by rpMovementParameter), with weights that add up to 1, heavy
/// ones first. Weights by inverse distance shrink what is asked for towards the mean, so they are changed as little as
/// gives speed and turn as asked, as far as that can be. out holds RP_MAX_SHARES; returns how many. The kind must
/// have movements.
int rpWeighMovements(const rpLocomotion* graph, rpMovementKind kind, const float* asked, const rpWeightDef* def,
					 rpNeighbour* out, rpWeighed* report);
