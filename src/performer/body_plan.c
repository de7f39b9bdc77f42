/// The performer's skeleton, and how a plan of the body becomes rotations of its joints.
#include "performer/body_plan.h"

#include "motion/limb_ik.h"
#include "reprise/performer.h"

// X(enumerator, name, parent, x, y, z, role): T-pose, facing +Z, arms along x.
#define JOINTS(X)                                                                                       \
	X(hips, "Hips", -1, 0.0f, PELVIS_HEIGHT, 0.0f, rolePelvis)                                          \
	X(leftUpLeg, "LeftUpLeg", hips, 0.09f, -0.0325f, 0.0f, roleLeftHip)                                 \
	X(leftLeg, "LeftLeg", leftUpLeg, 0.0f, -0.429f, 0.0f, roleLeftKnee)                                 \
	X(leftFoot, "LeftFoot", leftLeg, 0.0f, -0.4305f, 0.0f, roleLeftAnkle)                               \
	X(leftToeBase, "LeftToeBase", leftFoot, 0.0f, BALL_HEIGHT - ANKLE_HEIGHT, 0.144f, roleLeftBall)     \
	X(rightUpLeg, "RightUpLeg", hips, -0.09f, -0.0325f, 0.0f, roleRightHip)                             \
	X(rightLeg, "RightLeg", rightUpLeg, 0.0f, -0.429f, 0.0f, roleRightKnee)                             \
	X(rightFoot, "RightFoot", rightLeg, 0.0f, -0.4305f, 0.0f, roleRightAnkle)                           \
	X(rightToeBase, "RightToeBase", rightFoot, 0.0f, BALL_HEIGHT - ANKLE_HEIGHT, 0.144f, roleRightBall) \
	X(spine, "Spine", hips, 0.0f, 0.1f, -0.01f, roleSpine)                                              \
	X(spine1, "Spine1", spine, 0.0f, 0.18f, -0.01f, roleChest)                                          \
	X(neck, "Neck", spine1, 0.0f, 0.25f, 0.0f, roleNeck)                                                \
	X(head, "Head", neck, 0.0f, 0.09f, 0.02f, roleHead)                                                 \
	X(leftShoulder, "LeftShoulder", spine1, 0.03f, 0.19f, 0.01f, roleLeftClavicle)                      \
	X(leftArm, "LeftArm", leftShoulder, 0.165f, 0.0f, -0.01f, roleLeftShoulder)                         \
	X(leftForeArm, "LeftForeArm", leftArm, 0.302f, 0.0f, 0.0f, roleLeftElbow)                           \
	X(leftHand, "LeftHand", leftForeArm, 0.2555f, 0.0f, 0.0f, roleLeftWrist)                            \
	X(rightShoulder, "RightShoulder", spine1, -0.03f, 0.19f, 0.01f, roleRightClavicle)                  \
	X(rightArm, "RightArm", rightShoulder, -0.165f, 0.0f, -0.01f, roleRightShoulder)                    \
	X(rightForeArm, "RightForeArm", rightArm, -0.302f, 0.0f, 0.0f, roleRightElbow)                      \
	X(rightHand, "RightHand", rightForeArm, -0.2555f, 0.0f, 0.0f, roleRightWrist)

enum
{
	none = -1,
#define X(enumerator, name, parent, x, y, z, role) enumerator,
	JOINTS(X)
#undef X
		jointTotal,
};

rpSkeleton* rpCreatePerformerSkeleton(rpError* error)
{
	rpJoint joints[jointTotal];
	for (int i = 0; i < jointTotal; ++i)
	{
		joints[i] = rpDefaultJoint();
	}
#define X(enumerator, text, above, x, y, z, what)        \
	joints[enumerator].name = text;                      \
	joints[enumerator].parent = above;                   \
	joints[enumerator].offset = (rpVec3){(x), (y), (z)}; \
	joints[enumerator].role = rp_##what;
	JOINTS(X)
#undef X
	const rpEndSite ends[] = {
		{"LeftToeEnd", leftToeBase, TOE_OFFSET},
		{"RightToeEnd", rightToeBase, TOE_OFFSET},
		{"HeadEnd", head, {0.0f, PERFORMER_HEIGHT - 1.58f, 0.0f}},
		{"LeftHandEnd", leftHand, {0.18f, 0.0f, 0.0f}},
		{"RightHandEnd", rightHand, {-0.18f, 0.0f, 0.0f}},
	};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = jointTotal;
	def.ends = ends;
	def.endCount = (int)(sizeof(ends) / sizeof(ends[0]));
	return rpCreateSkeleton(&def, error);
}

static const rpVec3 s_x = {1.0f, 0.0f, 0.0f}, s_z = {0.0f, 0.0f, 1.0f};

static rpQuat pitchBy(float radians)
{
	return rpAxisAngle(s_x, radians);
}

static rpQuat getFootRotation(float heading, float pitch)
{
	return rpMulQuat(rpYaw(heading), pitchBy(pitch));
}

rpVec3 rpPlaceAnkle(rpVec3 point, rpVec3 offset, float heading, float pitch)
{
	return rpSub(point, rpRotate(getFootRotation(heading, pitch), offset));
}

float rpFootPlan_GetLowest(const rpFootPlan* foot)
{
	rpQuat q = getFootRotation(foot->heading, foot->pitch);
	rpVec3 heel = rpAdd(foot->ankle, rpRotate(q, HEEL_OFFSET));
	rpVec3 ball = rpAdd(foot->ankle, rpRotate(q, BALL_OFFSET));
	rpVec3 toe = rpAdd(ball, rpRotate(rpMulQuat(q, pitchBy(-foot->toe)), TOE_OFFSET));
	return fminf(fminf(heel.y, ball.y), toe.y);
}

static rpQuat getPelvisRotation(const rpBodyPlan* plan)
{
	rpQuat turn = rpYaw(plan->heading + plan->pelvisTurn);
	return rpMulQuat(turn, rpMulQuat(pitchBy(plan->lean), rpAxisAngle(s_z, plan->pelvisRoll)));
}

float rpGetPerformerLeg(void)
{
	return 0.429f + 0.4305f;
}

rpVec3 rpBodyPlan_GetHip(const rpBodyPlan* plan, int side)
{
	rpVec3 offset = {SIDE(side) * 0.09f, -0.0325f, 0.0f};
	return rpAdd(plan->pelvis, rpRotate(getPelvisRotation(plan), offset));
}

// Swing the leg that hangs straight from the pelvis, knee between pelvis' and foot's forward, to its ankle.
static void poseLeg(const rpBodyPlan* plan, int side, const rpSkeleton* skeleton, rpQuat* rotations)
{
	int upLeg = side == 0 ? leftUpLeg : rightUpLeg, leg = upLeg + 1, foot = upLeg + 2, toes = upLeg + 3;
	const rpFootPlan* target = plan->feet + side;
	float out = rpWrapAngle(target->heading - plan->heading);
	rpQuat hanging = rpYaw(plan->heading + 0.7f * out);
	rpVec3 hip = rpBodyPlan_GetHip(plan, side);
	rpVec3 knee = rpAdd(hip, rpRotate(hanging, skeleton->offsets[leg]));
	rpVec3 ankle = rpAdd(knee, rpRotate(hanging, skeleton->offsets[foot]));
	rpLimb limb = {hip, knee, ankle, hanging, hanging};
	rpSolveLimb(&limb, target->ankle, rpRotate(hanging, s_z));
	rotations[upLeg] = rpMulQuat(rpConjugate(rotations[hips]), limb.upper);
	rotations[leg] = rpMulQuat(rpConjugate(limb.upper), limb.lower);
	rotations[foot] = rpMulQuat(rpConjugate(limb.lower), getFootRotation(target->heading, target->pitch));
	rotations[toes] = pitchBy(-target->toe);
}

static void poseArm(const rpArmPlan* plan, int side, rpQuat* rotations)
{
	int shoulder = side == 0 ? leftShoulder : rightShoulder;
	float lower = -SIDE(side) * (0.5f * (float)RP_PI - plan->spread);
	// The shoulder girdle goes up with an arm that is raised above the shoulder.
	float shrug = SIDE(side) * 0.25f * fmaxf(plan->spread - 1.2f, 0.0f);
	rpQuat spread = rpAxisAngle(s_z, lower - shrug);
	rotations[shoulder] = rpAxisAngle(s_z, shrug);
	rotations[shoulder + 1] = rpMulQuat(pitchBy(-plan->swing), rpMulQuat(spread, pitchBy(plan->twist)));
	rotations[shoulder + 2] = rpYaw(-SIDE(side) * plan->elbow);
}

void rpBodyPlan_Pose(const rpBodyPlan* plan, const rpSkeleton* skeleton, rpQuat* rotations)
{
	for (int i = 0; i < jointTotal; ++i)
	{
		rotations[i] = rpQuat_identity;
	}
	rotations[hips] = getPelvisRotation(plan);

	// The trunk takes back the pelvis' roll and turn on its way up, the head the rest of the turn.
	rpQuat level = rpAxisAngle(s_z, -0.6f * plan->pelvisRoll);
	float half = 0.5f * (plan->trunkTurn - plan->pelvisTurn);
	rotations[spine] = rpMulQuat(rpMulQuat(rpYaw(half), pitchBy(0.5f * plan->trunkBend)), level);
	rotations[spine1] = rpMulQuat(rpYaw(half), pitchBy(0.5f * plan->trunkBend));
	rotations[neck] = rpMulQuat(rpYaw(0.5f * (plan->headTurn - plan->trunkTurn)), pitchBy(0.5f * plan->headNod));
	rotations[head] = rotations[neck];
	for (int side = 0; side < 2; ++side)
	{
		poseLeg(plan, side, skeleton, rotations);
		poseArm(plan->arms + side, side, rotations);
	}
}
