/// The smallest model of locomotion that stands and walks: one take of a second, with movements by hand. Shared with
/// the seeds of the fuzzers, so it asserts nothing.
#pragma once

#include "tiny_motion.h"

enum
{
	tinyTakeFrames = 30,
	tinyMovements = 6,
};

static rpMotion* tinyMakeTake(void)
{
	TinyPace pace = {.step = 0.03f, .rootTurn = 0.01f, .tailTurn = 0.05f};
	return tinyMakeMotion("walk", tinyTakeFrames, 0.3, pace);
}

static rpMovement tinyMakeMovement(rpMovementKind kind, int first, int end)
{
	rpMovement movement = {.kind = kind, .start = first / 30.0, .end = end / 30.0, .isSuccessor = first > 0};
	const char* string = rpMovementKind_GetString(kind);
	for (int i = 0; i == 0 || string[i - 1] != 0; ++i)
	{
		movement.keytimes[movement.keytimeCount++] = (first + i) / 30.0;
	}
	movement.keytimes[movement.keytimeCount - 1] = movement.end;
	movement.speed = kind == rp_movementS ? 0.0f : 0.9f;
	return movement;
}

/// Free with rpDestroyLocomotion; NULL when memory ran out.
static rpLocomotion* tinyMakeLocomotion(void)
{
	rpMovement items[tinyMovements] = {
		tinyMakeMovement(rp_movementS, 0, 4),      tinyMakeMovement(rp_movementSLDR, 4, 10),
		tinyMakeMovement(rp_movementRDL, 10, 14),  tinyMakeMovement(rp_movementLDR, 14, 18),
		tinyMakeMovement(rp_movementRDLS, 18, 24), tinyMakeMovement(rp_movementS, 24, 28),
	};
	rpMovements movements = {.items = items, .count = tinyMovements};
	rpMotion* take = tinyMakeTake();
	const rpMotion* takes[1] = {take};
	rpLocomotion* model = take != NULL ? rpBuildLocomotionFrom(takes, 1, &movements, NULL, NULL, NULL) : NULL;
	rpDestroyMotion(take);
	return model;
}
