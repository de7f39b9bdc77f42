/// Lofts: closed surfaces through a row of rings, what the low-poly body is made of.
#pragma once

#include "file/glb_body.h"

/// Which joints a ring follows: `first` by `weight`, `second` by the rest.
typedef struct rpInfluence
{
	int first, second;
	float weight;
} rpInfluence;

/// A closed curve in the plane of two unit vectors.
typedef struct rpRing
{
	rpVec3 center, side, front;

	/// Extent along ±side, along +front and along -front, metres.
	float width, ahead, behind;
	rpInfluence influence;
} rpRing;

/// Add the surface through the rings, with a lid at each end; normals are smooth. squareness 1 makes ellipses, towards
/// 0 rounded boxes. False when memory ran out.
RP_NODISCARD bool rpBodyMesh_AddLoft(rpBodyMesh* body, const rpRing* rings, int ringCount, int sides, float squareness,
									 rpError* error);

/// Add a rod with round ends from a to b, of radius ra at a, rm at the fraction `middle`, rb at b, all moving with one
/// joint.
RP_NODISCARD bool rpBodyMesh_AddRod(rpBodyMesh* body, rpVec3 a, rpVec3 b, float ra, float middle, float rm, float rb,
									int joint, rpError* error);
