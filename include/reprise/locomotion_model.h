/// Models of locomotion: the two-level graph of Kwon & Shin 2005 (section 4.5), built from takes in which somebody
/// stands, walks and runs, kept in a library, and written as a bundle that a player walks, runs and stands from.
#pragma once

#include "reprise/findings.h"
#include "reprise/library.h"
#include "reprise/locomotion.h"

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

/// What movements are told apart by, in the arrays of a node.
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

	/// By rpMovementParameter: mean, deviation (for distances between parameters), least and greatest.
	float means[rp_movementParameterCount], deviations[rp_movementParameterCount];
	float lows[rp_movementParameterCount], highs[rp_movementParameterCount];
} rpLocomotionNode;

/// The two-level graph with its takes. Const once built; fields are there to be read.
typedef struct rpLocomotion
{
	/// [takeCount], owned, of one skeleton, with contacts; the mirror images of all originalCount takes behind them,
	/// if there are any, with "~" behind their names.
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
} rpLocomotion;

/// How to build a model. Must come from rpDefaultLocomotionDef().
typedef struct rpLocomotionDef
{
	/// rpBuildLocomotion only: clips of the library by name; count 0 for all of them, which must be of one skeleton
	/// then. Borrowed for the call.
	const char* const* clips;
	int clipCount;

	/// How movements are found.
	rpMovementDef movements;

	/// Add mirror images of all takes: they fill kinds of movement that one foot lacks. False by default.
	bool mirror;
} rpLocomotionDef;

RP_API rpLocomotionDef rpDefaultLocomotionDef(void);

/// Build a model from movements that were found in takes of one skeleton, which are copied. missing, which may be NULL,
/// gets a line for each kind of movement that the takes lack (code "missing_movement") and for each gait that has no
/// way to the others and back (code "unreachable_gait"). def and error may be NULL. NULL with rp_errorNoSolution where
/// no gait can go on, with rp_errorArgument where the skeletons differ, or when memory ran out; free with
/// rpDestroyLocomotion.
RP_API RP_NODISCARD rpLocomotion* rpBuildLocomotionFrom(const rpMotion* const* takes, int count,
														const rpMovements* movements, const rpLocomotionDef* def,
														rpFindings* missing, rpError* error);

/// The same with movements that are found first (rpFindMovements).
RP_API RP_NODISCARD rpLocomotion* rpBuildLocomotionOf(const rpMotion* const* takes, int count,
													  const rpLocomotionDef* def, rpFindings* missing, rpError* error);

/// The same from clips of a library, which are named in the model.
RP_API RP_NODISCARD rpLocomotion* rpBuildLocomotion(rpLibrary* library, const rpLocomotionDef* def, rpFindings* missing,
													rpError* error);
RP_API void rpDestroyLocomotion(rpLocomotion* model);

/// Keep a model in the library under a name, in place of one of that name; its takes must be clips of the library.
RP_API RP_NODISCARD bool rpLibrary_PutLocomotion(rpLibrary* library, const char* name, const rpLocomotion* model,
												 rpError* error);

/// A model that was kept, with its takes. NULL with rp_errorMissing if there is none of that name, or if a clip is gone
/// or changed; free with rpDestroyLocomotion.
RP_API RP_NODISCARD rpLocomotion* rpLibrary_LoadLocomotion(rpLibrary* library, const char* name, rpError* error);

/// The model as a bundle for players; *size bytes, free with rpFreeBytes. error may be NULL.
RP_API RP_NODISCARD void* rpWriteLocomotionBundle(const rpLocomotion* model, size_t* size, rpError* error);

/// The same as a file.
RP_API RP_NODISCARD bool rpSaveLocomotionBundle(const rpLocomotion* model, const char* path, rpError* error);

#ifdef __cplusplus
}
#endif
