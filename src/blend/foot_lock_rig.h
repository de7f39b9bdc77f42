/// The legs of a skeleton as foot lock sees them, and the closed form that puts an ankle where it shall be.
#pragma once

#include "reprise/motion.h"

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

	/// Thigh and shank together, metres.
	float length;
} rpFootSample;

/// What shall become of a leg in one frame: its ankle in the world.
typedef struct rpLegGoal
{
	rpTransform ankle;
	float stretchLimit;

	/// Toes are bent up that would come below toeFloor, metres.
	bool hasToeFloor;
	float toeFloor;
} rpLegGoal;

/// The rotations of a leg after solving, local, and by how much its bones were stretched (share of their length).
typedef struct rpLegSolution
{
	rpQuat hip, knee, ankle, ball;
	float stretch;

	/// From hip to ankle, unit.
	rpVec3 along;

	/// Lengths before stretching, metres: thigh, shank, and from hip to ankle.
	float thigh, shank, reach;
} rpLegSolution;

/// The angle by which a knee is bent, from the lengths of thigh and shank and the distance from hip to ankle; and the
/// distance from the angle.
float rpGetKneeBend(float thigh, float shank, float reach);
float rpGetKneeReach(float thigh, float shank, float bend);

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

/// Bend a leg whose hip was shifted by rootShift so that the ankle comes to its goal, or as near as the bones and the
/// stretch allow: the leg swings about the hip by the smallest turn, then hip and knee turn about the knee's axis, so
/// the knee keeps its direction. world is the chain before the shift.
void rpLeg_Solve(const rpLeg* leg, const rpFootRig* rig, const rpTransform* world, rpVec3 rootShift,
				 const rpLegGoal* goal, rpLegSolution* out);
