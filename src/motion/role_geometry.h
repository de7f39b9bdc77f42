/// What the shape of a joint tree says about a body, whatever its units, axes and names.
#pragma once

#include "motion/role_names.h"

/// The joints of a limb that are looked at: the first ones below the branch.
#define RP_MAX_CHAIN 32

/// A bone shorter than this part of the body's size is a dummy.
#define RP_DUMMY_LENGTH 0.004f

/// A joint tree in its rest pose, with what was measured on it. Filled by rpMeasureTree.
typedef struct rpTree
{
	const rpJoint* joints;
	int jointCount;
	const rpTransform* rest;
	const rpNameReading* names;

	/// Length of the bone from the parent; 0 for the root.
	float bones[RP_MAX_JOINTS];

	/// Longest path down from the joint along the bones, end sites included.
	float reaches[RP_MAX_JOINTS];

	/// The child on that path, -1 where it ends in an end site or nothing.
	int nexts[RP_MAX_JOINTS];

	/// Children of each joint, and whether it carries an end site away from it.
	int childCounts[RP_MAX_JOINTS];
	bool hasEnd[RP_MAX_JOINTS];

	/// The longest path between two ends of the tree. Lengths are judged relative to it.
	float size;
} rpTree;

/// joints, rest and names are borrowed.
void rpMeasureTree(rpTree* tree, const rpJoint* joints, int jointCount, const rpEndSite* ends, int endCount,
				   const rpTransform* rest, const rpNameReading* names);

/// Whether ancestor is joint itself or above it.
bool rpTree_IsAbove(const rpTree* tree, int ancestor, int joint);

/// Lowest joint that is above both, or one of them; -1 if either is -1.
int rpTree_FindCommon(const rpTree* tree, int a, int b);

/// Joints of a limb, from the branch outwards.
typedef struct rpChain
{
	int joints[RP_MAX_CHAIN];
	int count;

	/// Length from the joint above the first to the end, end site included.
	float length;
} rpChain;

/// The chain of the ancestors of tip below `above` (-1: from the root), continued from tip on the longest path down.
void rpTree_GetChain(const rpTree* tree, int above, int tip, rpChain* out);

/// Two limbs of one shape on one joint.
typedef struct rpLimbPair
{
	int joint;
	int first, second;
} rpLimbPair;

/// Find two legs and two arms by shape alone: two pairs of long limbs on two joints. False if the tree has none.
bool rpTree_FindLimbs(const rpTree* tree, rpLimbPair* legs, rpLimbPair* arms);

/// How much the joints at three increasing places in a chain look like hip, knee and ankle or shoulder, elbow and
/// wrist: about 0.7 for good ones, below 0.2 for bad ones. ratio is the usual length of the upper bone over the lower.
float rpChain_JudgeLimb(const rpChain* chain, const rpTree* tree, const int places[3], float ratio);
