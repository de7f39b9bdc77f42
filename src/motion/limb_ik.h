/// The one inverse kinematics of limbs: what rpSolveLimb and the feet bend legs by.
#pragma once

#include "reprise/play/math.h"

/// How the two bones of a limb turn, in the world.
typedef struct rpLimbTurns
{
	rpQuat upper, lower;
} rpLimbTurns;

/// The turns after which a limb that consists of two bones ends at `reach`, seen from its root, or as near to it as its
/// bones allow. It swings by the smallest turn, then both bones turn about the axis of the bend, so that the middle
/// joint keeps its direction. pole is where the middle joint of a limb that is straight should go; it need not be unit.
/// A limb that is bent the other way a bit counts as straight. Neither bone may be of no length.
rpLimbTurns rpBendLimb(rpVec3 upper, rpVec3 lower, rpVec3 reach, rpVec3 pole);
