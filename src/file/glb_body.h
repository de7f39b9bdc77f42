/// A low-poly body for a skeleton, skinned, so that every viewer of a GLB file shows a person.
#pragma once

#include "reprise/play/skeleton.h"

/// A corner of the body in the rest pose. It moves with joints[0] by `weight`, with joints[1] by the rest.
typedef struct rpBodyVertex
{
	rpVec3 position, normal;
	int joints[2];
	float weight;
} rpBodyVertex;

/// Triangles, counter-clockwise seen from outside. Zero-initialised is empty.
typedef struct rpBodyMesh
{
	rpBodyVertex* vertices;
	uint32_t* indices;
	int vertexCount, indexCount;
	int vertexCapacity, indexCapacity;
} rpBodyMesh;

/// Make a body around a skeleton. rest is where its joints are in the rest pose, [jointCount]. What the roles name is
/// formed like a human; other bones become rods. False when memory ran out, with nothing to free.
RP_NODISCARD bool rpMakeBodyMesh(const rpSkeleton* skeleton, const rpTransform* rest, rpBodyMesh* out, rpError* error);
void rpFreeBodyMesh(rpBodyMesh* body);
