/// The legs of a skeleton: where their feet are, and how they are bent so that an ankle is where it should be.
#pragma once

#include "reprise/play/motion.h"

enum
{
	rp_legCount = 2,
	/// The points of a foot that can be planted: heel and ball.
	rp_solePointCount = 2,
};

/// One leg of a rig.
typedef struct rpLeg
{
	bool isThere;

	/// ball is -1 where the foot has no joint that bends.
	int hip, knee, ankle, ball;

	/// Where heel and ball are: points that move with a joint.
	rpAttachment sole[rp_solePointCount];

	/// Where the toes end; its joint is -1 unless they bend at the ball.
	rpAttachment toe;

	/// Where the knee points in the rest pose, in the hip's frame, unit.
	rpVec3 pole;
} rpLeg;

/// The legs of a skeleton and the joints that lead to them.
typedef struct rpFootRig
{
	const rpSkeleton* skeleton;
	rpLeg legs[rp_legCount];

	/// Joints from the root to the feet, parents first: all that forward kinematics of the legs needs.
	int chain[RP_MAX_JOINTS];
	int chainCount;
} rpFootRig;

/// A foot in one frame as it came.
typedef struct rpFootSample
{
	rpVec3 hip;
	rpTransform ankle;
	rpVec3 sole[rp_solePointCount];

	/// Where the toes end; the ball, if they do not bend.
	rpVec3 toe;

	/// Hip to knee, knee to ankle, and the lengths of both together, metres.
	rpVec3 thigh, shank;
	float length;
} rpFootSample;

/// Where an ankle is to go, in the world.
typedef struct rpLegGoal
{
	rpTransform ankle;

	/// Toes are bent up that would come below toeFloor, metres.
	bool hasToeFloor;
	float toeFloor;
} rpLegGoal;

/// The rotations of a leg after solving, local.
typedef struct rpLegSolution
{
	rpQuat hip, knee, ankle, ball;
} rpLegSolution;

/// How far something is raised that is `under` a limit, or nearly so, with a round corner; metres.
float rpGetFloorRaise(float under);

/// False if the skeleton has no leg with hip, knee, ankle and heel.
bool rpFootRig_Init(rpFootRig* rig, const rpSkeleton* skeleton);

/// The joints of the chain in the world; those of others are not touched. translations may be NULL. world is
/// [jointCount].
void rpFootRig_Forward(const rpFootRig* rig, rpVec3 rootPosition, const rpQuat* rotations, const rpVec3* translations,
					   rpTransform* world);

/// Take a foot's sample from the chain in the world.
void rpLeg_Sample(const rpLeg* leg, const rpTransform* world, rpFootSample* out);

/// Bend a leg whose hip was shifted by rootShift so that the ankle comes to its goal, or as near as the bones allow:
/// the leg swings about the hip by the smallest turn, then hip and knee turn about the knee's axis, so the knee keeps
/// its direction. world is the chain before the shift.
void rpLeg_Solve(const rpLeg* leg, const rpFootRig* rig, const rpTransform* world, rpVec3 rootShift,
				 const rpLegGoal* goal, rpLegSolution* out);

/// Put a solved leg into a pose, each rotation in the hemisphere of the one it replaces.
void rpLeg_Put(const rpLeg* leg, const rpLegSolution* solution, rpQuat* rotations);
