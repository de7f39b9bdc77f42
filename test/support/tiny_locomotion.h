/// The smallest model of locomotion that stands and walks: one take of a second, with movements by hand. Shared with
/// the seeds of the fuzzers, so it asserts nothing.
#pragma once

#include "reprise/reprise.h"

enum
{
	tinyTakeFrames = 30,
	tinyMovements = 6,
};

static rpMotion* tinyMakeTake(void)
{
	rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "hips";
	joints[1].name = "tail";
	joints[1].parent = 0;
	joints[1].offset.y = 0.5f;
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 2;
	rpSkeleton* body = rpCreateSkeleton(&def, NULL);
	rpMotion* take = body != NULL ? rpCreateMotion(body, "walk", 30.0, tinyTakeFrames, NULL) : NULL;
	rpReleaseSkeleton(body);
	rpInterval contact = {.track = rp_trackContact, .effector = rp_leftHeel, .start = 0.0, .end = 0.3};
	if (take != NULL && !rpAnnotations_AddInterval(&take->annotations, &contact, NULL))
	{
		rpDestroyMotion(take);
		return NULL;
	}
	for (int i = 0; take != NULL && i < tinyTakeFrames; ++i)
	{
		take->rootPositions[i] = (rpVec3){0.0f, 1.0f, 0.03f * (float)i};
		take->rotations[2 * i] = rpYaw(0.01f * (float)i);
		take->rotations[2 * i + 1] = rpYaw(0.05f * (float)i);
	}
	return take;
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
