/// The skeleton of an Acclaim motion.
#pragma once

#include "file/acclaim_text.h"
#include "reprise/play/findings.h"
#include "reprise/play/skeleton.h"

/// What a number of a bone's line in the motion means.
typedef enum rpAcclaimDof
{
	rp_dofTX,
	rp_dofTY,
	rp_dofTZ,
	rp_dofRX,
	rp_dofRY,
	rp_dofRZ,
	/// The bone's length.
	rp_dofLength,
	rp_dofCount,
} rpAcclaimDof;

/// A bone, or the root, which is bone 0. The joint of a bone is at its start.
typedef struct rpAcclaimBone
{
	char name[128];
	/// From its start to its end in the rest pose, units of the file; the root has none.
	double direction[3], length;
	/// Angles of its frame about x, y and z, in the file's unit of angle.
	double axis[3];
	/// The order "XYZ" turns about x first: R = Rz Ry Rx, rp_orderZYX.
	rpEulerOrder order;
	/// [dofCount], and limits as far as they are given.
	rpAcclaimDof dofs[rp_dofCount];
	double limits[rp_dofCount][2];
	int dofCount, limitCount;
	/// Where it starts (the root alone).
	double position[3];
	/// Index of the bone it hangs on, -1 for none.
	int parent;
	/// Index in the skeleton, -1 for a bone that is not connected to the root.
	int joint;
	/// Its frame: rotations are made in it.
	rpQuat frame;
} rpAcclaimBone;

typedef struct rpAcclaim
{
	rpAcclaimBone* bones;
	int boneCount, boneCapacity;
	/// As the file has it; 1 where it says nothing.
	double unitLength;
	bool degrees;
	rpSkeleton* skeleton;
} rpAcclaim;

/// Read an .asf text. Errors name the line and column. False on failure, with nothing to free.
RP_NODISCARD bool rpReadAsf(const char* text, size_t size, rpAcclaim* out, rpFindings* findings, rpError* error);
void rpFreeAcclaim(rpAcclaim* acclaim);

/// Index of the bone of that name, -1 if there is none. The search starts at `hint`, since files keep their order.
int rpAcclaim_FindBone(const rpAcclaim* acclaim, rpWord name, int hint);
