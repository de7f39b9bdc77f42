/// How a skeleton's joints are mirrored: S is the reflection in the plane x = 0.
#pragma once

#include "reprise/play/skeleton.h"

/// S q S, a rotation again.
static inline rpQuat rpReflectRotation(rpQuat q)
{
	return (rpQuat){q.w, q.x, -q.y, -q.z};
}

/// S v
static inline rpVec3 rpReflectVector(rpVec3 v)
{
	return (rpVec3){-v.x, v.y, v.z};
}

/// The joint's counterpart; itself on the midline. The root's is the root.
int rpGetCounterpart(const rpSkeleton* skeleton, int joint);

/// For each joint the constant by which orientations are handed over: a joint in the world orientation G gives its
/// counterpart S G S * corrections[joint]. corrections is [jointCount]. Returns false when memory ran out.
RP_NODISCARD bool rpFindCorrections(const rpSkeleton* skeleton, rpQuat* corrections, rpError* error);
