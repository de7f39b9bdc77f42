/// Models of locomotion: the two-level graph of Kwon & Shin 2005 (section 4.5), built from takes in which somebody
/// stands, walks and runs, kept in a library, and written as a bundle that a player walks, runs and stands from.
#pragma once

#include "reprise/play/locomotion.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// How left and right half cycles of a gait share a turn (eq. 14): turn of the left one less that of the right one is
/// bySpeed * speed + byTurn * turn + constant; rad/s, m/s.
typedef struct rpTurnRule
{
	float bySpeed, byTurn, constant;

	/// Pairs of half cycles that it was fitted to; share of their variance that it explains, 0 … 1.
	int pairCount;
	float explained;
} rpTurnRule;

/// The parameters that distinguish movements, in the arrays of a node.
typedef enum rpMovementParameter
{
	rp_movementSpeed,
	rp_movementTurn,
	rp_movementAcceleration,
	rp_movementParameterCount,
} rpMovementParameter;

/// All movements of one kind: a fine node of the graph.
typedef struct rpLocomotionNode
{
	/// Its movements are model->movements[firstMovement …].
	int firstMovement, movementCount;

	/// Bits (1u << rpMovementKind) of the kinds that follow it in the takes: the fine edges.
	uint32_t successors;

	/// By rpMovementParameter: mean, deviation (for distances between parameters), minimum and maximum.
	float means[rp_movementParameterCount], deviations[rp_movementParameterCount];
	float lows[rp_movementParameterCount], highs[rp_movementParameterCount];
} rpLocomotionNode;

/// The two-level graph with its takes. Const once built; fields are there to be read.
typedef struct rpLocomotion
{
	/// [takeCount], owned, of one skeleton, with contacts; followed by the mirror images of all originalCount takes, if
	/// there are any, whose names end in "~".
	rpMotion** takes;
	int takeCount, originalCount;

	/// Sorted by kind, then take, then time. isSuccessor is as it was in the takes.
	rpMovement* movements;
	int movementCount;
	rpLocomotionNode nodes[rp_movementKindCount];

	/// Coarse edges: bits (1u << rpGait) of the gaits that a gait leads to through one transition that the takes show,
	/// and of itself where it can go on.
	uint32_t reachable[rp_gaitCount];

	/// By gait; for walking and running.
	rpTurnRule turnRules[rp_gaitCount];

	/// [originalCount] of what the library's clips hold (skeleton, frames, contacts), 32 hexadecimal digits each; NULL
	/// where the model was made from motions outside of a library, or isByName.
	char (*hashes)[33];

	/// Its takes were found in the library by their names alone, because it was kept before models knew what is in
	/// them.
	bool isByName;
} rpLocomotion;

RP_API void rpDestroyLocomotion(rpLocomotion* model);

#ifdef __cplusplus
}
#endif
