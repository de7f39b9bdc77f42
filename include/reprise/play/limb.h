/// Limbs of two bones: bending a leg or an arm so that its end reaches a point, in closed form.
#pragma once

#include "reprise/play/math.h"

#ifdef __cplusplus
extern "C"
{
#endif

/// A limb in the world: hip, knee, ankle, or shoulder, elbow, wrist, and how its two bones are turned.
typedef struct rpLimb
{
	rpVec3 root, middle, end;
	rpQuat upper, lower;
} rpLimb;

/// Bring limb->end to target, or as near as the bones allow. The plane of the bend goes along with the limb by the
/// smallest turn and neither bone twists against it, so the knee keeps its direction. pole is where the middle of a
/// limb that is straight now, or bent backwards a bit, shall go, in the world; need not be unit. Bone lengths are kept.
/// Returns the distance by which the target was missed, metres.
RP_API float rpSolveLimb(rpLimb* limb, rpVec3 target, rpVec3 pole);

#ifdef __cplusplus
}
#endif
