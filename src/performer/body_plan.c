/// The performer's skeleton, and how a plan of the body becomes rotations of its joints.
#include "performer/body_plan.h"

#include "performer/stage.h"
#include "reprise/play/extend.h"
#include "reprise/play/limb.h"

// How often the pelvis is moved towards the centre of mass that is wanted, at most, and when it is near enough, metres.
#define SETTLE_STEPS 14
#define SETTLE_GAIN 1.15f
#define SETTLED 1e-6f

// A leg whose foot is in the air stretches to this part of its length, and how softly limits are met, metres.
#define LOOSE_REACH 0.98f
#define SOFTNESS 0.0035f
#define LOOSE_SOFTNESS 0.012f
// The same where it may be straight.
#define STRAIGHT_REACH 0.997f
#define STRAIGHT_SOFTNESS 0.005f
// The same for a reaching arm.
#define ARM_REACH 0.99f
#define ARM_SOFTNESS 0.008f

// How far a foot is drawn up in the air, radians.
#define DRAWN_UP 0.4f
// How softly the toes are kept from the floor when they are let down, and how far, metres.
#define CLEAR_SOFTNESS 0.004f
#define CLEAR_MIN 0.008f
// From the ankle to the tip of the toes, metres.
#define FOOT_REACH 0.24f

// The shoulder girdle goes up with an arm that is raised above this spread, by this part of it.
#define GIRDLE_SPREAD 1.2f
#define GIRDLE_PART 0.25f

// X(enumerator, name, parent, x, y, z, role): T-pose, facing +Z, arms along x.
#define JOINTS(X)                                                                                           \
	X(hips, "Hips", -1, 0.0f, PELVIS_HEIGHT, 0.0f, rolePelvis)                                              \
	X(leftUpLeg, "LeftUpLeg", rp_hips, HIP_HALF_WIDTH, -HIP_DROP, 0.0f, roleLeftHip)                        \
	X(leftLeg, "LeftLeg", rp_leftUpLeg, 0.0f, -THIGH_LENGTH, 0.0f, roleLeftKnee)                            \
	X(leftAnkle, "LeftFoot", rp_leftLeg, 0.0f, -SHANK_LENGTH, 0.0f, roleLeftAnkle)                          \
	X(leftToeBase, "LeftToeBase", rp_leftAnkle, 0.0f, BALL_HEIGHT - ANKLE_HEIGHT, 0.144f, roleLeftBall)     \
	X(rightUpLeg, "RightUpLeg", rp_hips, -HIP_HALF_WIDTH, -HIP_DROP, 0.0f, roleRightHip)                    \
	X(rightLeg, "RightLeg", rp_rightUpLeg, 0.0f, -THIGH_LENGTH, 0.0f, roleRightKnee)                        \
	X(rightAnkle, "RightFoot", rp_rightLeg, 0.0f, -SHANK_LENGTH, 0.0f, roleRightAnkle)                      \
	X(rightToeBase, "RightToeBase", rp_rightAnkle, 0.0f, BALL_HEIGHT - ANKLE_HEIGHT, 0.144f, roleRightBall) \
	X(spine, "Spine", rp_hips, 0.0f, 0.1f, -0.01f, roleSpine)                                               \
	X(spine1, "Spine1", rp_spine, 0.0f, 0.18f, -0.01f, roleChest)                                           \
	X(neck, "Neck", rp_spine1, 0.0f, 0.25f, 0.0f, roleNeck)                                                 \
	X(head, "Head", rp_neck, 0.0f, 0.09f, 0.02f, roleHead)                                                  \
	X(leftShoulder, "LeftShoulder", rp_spine1, 0.03f, 0.19f, 0.01f, roleLeftClavicle)                       \
	X(leftUpperArm, "LeftArm", rp_leftShoulder, 0.165f, 0.0f, -0.01f, roleLeftShoulder)                     \
	X(leftForeArm, "LeftForeArm", rp_leftUpperArm, UPPER_ARM_LENGTH, 0.0f, 0.0f, roleLeftElbow)             \
	X(leftWrist, "LeftHand", rp_leftForeArm, FOREARM_LENGTH, 0.0f, 0.0f, roleLeftWrist)                     \
	X(rightShoulder, "RightShoulder", rp_spine1, -0.03f, 0.19f, 0.01f, roleRightClavicle)                   \
	X(rightUpperArm, "RightArm", rp_rightShoulder, -0.165f, 0.0f, -0.01f, roleRightShoulder)                \
	X(rightForeArm, "RightForeArm", rp_rightUpperArm, -UPPER_ARM_LENGTH, 0.0f, 0.0f, roleRightElbow)        \
	X(rightWrist, "RightHand", rp_rightForeArm, -FOREARM_LENGTH, 0.0f, 0.0f, roleRightWrist)

static void scaleEnds(rpEndSite* ends, int count, float scale)
{
	for (int i = 0; i < count; ++i)
	{
		ends[i].offset = rpScale(scale, ends[i].offset);
	}
}

rpSkeleton* rpCreatePerformerSkeleton(float stature, rpError* error)
{
	if (!(stature >= 1.2f && stature <= 2.1f))
	{
		rpFail(error, rp_errorArgument, "a stature of %g m; 1.2 to 2.1 m are possible", (double)stature);
		return NULL;
	}
	float scale = stature / PERFORMER_HEIGHT;
	rpJoint joints[rp_performerJointCount];
	for (int i = 0; i < rp_performerJointCount; ++i)
	{
		joints[i] = rpDefaultJoint();
	}
#define X(enumerator, text, above, x, y, z, what)                             \
	joints[rp_##enumerator].name = text;                                      \
	joints[rp_##enumerator].parent = above;                                   \
	joints[rp_##enumerator].offset = rpScale(scale, (rpVec3){(x), (y), (z)}); \
	joints[rp_##enumerator].role = rp_##what;
	JOINTS(X)
#undef X
	rpEndSite ends[] = {
		{"LeftToeEnd", rp_leftToeBase, TOE_OFFSET},
		{"RightToeEnd", rp_rightToeBase, TOE_OFFSET},
		{"HeadEnd", rp_head, {0.0f, PERFORMER_HEIGHT - 1.58f, 0.0f}},
		{"LeftHandEnd", rp_leftWrist, {HAND_LENGTH, 0.0f, 0.0f}},
		{"RightHandEnd", rp_rightWrist, {-HAND_LENGTH, 0.0f, 0.0f}},
	};
	int endCount = (int)(sizeof(ends) / sizeof(ends[0]));
	scaleEnds(ends, endCount, scale);
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = rp_performerJointCount;
	def.ends = ends;
	def.endCount = endCount;
	return rpCreateSkeleton(&def, error);
}

static const rpVec3 s_x = {1.0f, 0.0f, 0.0f}, s_z = {0.0f, 0.0f, 1.0f};

static rpQuat pitchBy(float radians)
{
	return rpAxisAngle(s_x, radians);
}

// To the left, which is about -z.
static rpQuat tiltBy(float radians)
{
	return rpAxisAngle(s_z, -radians);
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
	return fminf(fminf(heel.y - BALL_HEIGHT, ball.y - BALL_HEIGHT), toe.y);
}

static rpQuat getPelvisRotation(const rpBodyPlan* plan)
{
	rpQuat turn = rpYaw(plan->heading + plan->pelvisTurn);
	rpQuat lean = rpMulQuat(tiltBy(plan->tilt), pitchBy(plan->lean));
	rpQuat planned = rpMulQuat(turn, rpMulQuat(lean, rpAxisAngle(s_z, plan->pelvisRoll)));
	return rpDot(plan->turn, plan->turn) > 0.0f ? rpMulQuat(rpExpQuat(plan->turn), planned) : planned;
}

rpVec3 rpBodyPlan_GetHip(const rpBodyPlan* plan, int side)
{
	rpVec3 offset = {SIDE(side) * HIP_HALF_WIDTH, -HIP_DROP, 0.0f};
	return rpAdd(plan->pelvis, rpRotate(getPelvisRotation(plan), offset));
}

float rpBodyPlan_GetStretch(const rpBodyPlan* plan, int side)
{
	return rpDistance(rpBodyPlan_GetHip(plan, side), plan->feet[side].ankle) / LEG_LENGTH;
}

// The lesser of two lengths, rounded off where they are equal.
static float softMin(float a, float b, float softness)
{
	return fminf(a, b) - softness * log1pf(expf(-fabsf(a - b) / softness));
}

// Where the ankle is to go: a loose foot no farther than its leg reaches.
static rpVec3 getAnkleGoal(const rpFootPlan* foot, rpVec3 hip)
{
	rpVec3 away = rpSub(foot->ankle, hip);
	float distance = rpLength(away);
	if (foot->loose <= 0.0f || distance < 0.5f * LEG_LENGTH)
	{
		return foot->ankle;
	}
	float reach = LEG_LENGTH * (LOOSE_REACH + foot->straight * (STRAIGHT_REACH - LOOSE_REACH));
	float softness = LOOSE_SOFTNESS + foot->straight * (STRAIGHT_SOFTNESS - LOOSE_SOFTNESS);
	float shorter = softMin(distance, reach, softness) / distance - 1.0f;
	// A straight leg gives way until shortly before its foot stands, or it would be overstretched there.
	float fixed = 1.0f - foot->loose, still = fixed + foot->straight * (fixed * fixed * fixed - fixed);
	return rpMulAdd(foot->ankle, (1.0f - still) * shorter, away);
}

// Lower the pelvis until both legs reach their ankles.
static void limitPelvis(rpBodyPlan* plan, float wanted)
{
	float height = wanted, reach = plan->legReach * LEG_LENGTH;
	for (int side = 0; side < 2; ++side)
	{
		rpVec3 hip = rpBodyPlan_GetHip(plan, side), ankle = plan->feet[side].ankle, away = rpSub(ankle, hip);
		float drop = sqrtf(fmaxf(reach * reach - away.x * away.x - away.z * away.z, 1e-4f));
		// A loose foot hardly pulls, it comes along.
		float highest = ankle.y + drop + plan->pelvis.y - hip.y + 0.5f * plan->feet[side].loose;
		height = softMin(height, highest, SOFTNESS);
	}
	plan->pelvis.y = height;
}

// How high ball and toes are above the floor, the lower of them, rounded off.
static float getClearance(const rpFootPlan* foot)
{
	rpQuat q = getFootRotation(foot->heading, foot->pitch);
	rpVec3 ball = rpAdd(foot->ankle, rpRotate(q, BALL_OFFSET));
	rpVec3 toe = rpAdd(ball, rpRotate(rpMulQuat(q, pitchBy(-foot->toe)), TOE_OFFSET));
	return softMin(ball.y - BALL_HEIGHT, toe.y, CLEAR_SOFTNESS) - foot->floor;
}

// A foot in the air is not drawn up against the shank farther than feet can be.
// The toes come down by it, but not to the floor, `clearance` below.
static void relaxAnkle(rpQuat* ankle, float loose, float clearance)
{
	float pitch = 2.0f * atan2f(ankle->x, ankle->w), under = -DRAWN_UP - pitch;
	float back = under < -1.0f ? 0.0f : 0.12f * log1pf(expf(under / 0.12f));
	float free = clearance - CLEAR_MIN;
	float room = (free > 0.1f ? free : CLEAR_SOFTNESS * log1pf(expf(free / CLEAR_SOFTNESS))) / FOOT_REACH;
	// Far below its floor there is no room at all, and the softness is too small for a float.
	*ankle = room > 1e-12f ? rpMulQuat(*ankle, pitchBy(loose * room * tanhf(back / room))) : *ankle;
}

// Swing the leg that hangs straight from the pelvis, knee between pelvis' and foot's forward, to its ankle.
static void poseLeg(const rpBodyPlan* plan, int side, const rpSkeleton* skeleton, rpQuat* rotations)
{
	int upLeg = side == 0 ? rp_leftUpLeg : rp_rightUpLeg, leg = upLeg + 1, foot = upLeg + 2, toes = upLeg + 3;
	const rpFootPlan* target = plan->feet + side;
	float out = rpWrapAngle(target->heading - plan->heading);
	rpQuat hanging = rpYaw(plan->heading + 0.7f * out + SIDE(side) * target->kneeOut);
	rpVec3 hip = rpBodyPlan_GetHip(plan, side);
	rpVec3 knee = rpAdd(hip, rpRotate(hanging, skeleton->offsets[leg]));
	rpVec3 ankle = rpAdd(knee, rpRotate(hanging, skeleton->offsets[foot]));
	rpLimb limb = {hip, knee, ankle, hanging, hanging};
	rpSolveLimb(&limb, getAnkleGoal(target, hip), rpRotate(hanging, s_z));
	rotations[upLeg] = rpMulQuat(rpConjugate(rotations[rp_hips]), limb.upper);
	rotations[leg] = rpMulQuat(rpConjugate(limb.upper), limb.lower);
	rotations[foot] = rpMulQuat(rpConjugate(limb.lower), getFootRotation(target->heading, target->pitch));
	if (target->loose > 0.0f)
	{
		relaxAnkle(rotations + foot, target->loose, getClearance(target));
	}
	rotations[toes] = pitchBy(-target->toe);
}

// The frame of the chest in the world.
static rpTransform getChest(const rpBodyPlan* plan, const rpSkeleton* skeleton, const rpQuat* rotations)
{
	rpTransform chest = {plan->pelvis, rotations[rp_hips]};
	for (int joint = rp_spine; joint <= rp_spine1; ++joint)
	{
		chest = rpMulTransform(chest, (rpTransform){skeleton->offsets[joint], rotations[joint]});
	}
	return chest;
}

/// An arm in the world as its angles have it: shoulder, elbow and the point of the hand that counts.
typedef struct Arm
{
	rpQuat girdle;
	rpVec3 shoulder, elbow, hand;
	/// That point against the forearm.
	rpVec3 offset;
} Arm;

static Arm getArm(const rpBodyPlan* plan, int side, const rpSkeleton* skeleton, const rpQuat* rotations)
{
	int girdle = side == 0 ? rp_leftShoulder : rp_rightShoulder, upper = girdle + 1, fore = girdle + 2;
	rpTransform up = getChest(plan, skeleton, rotations);
	up = rpMulTransform(up, (rpTransform){skeleton->offsets[girdle], rotations[girdle]});
	rpQuat upperArm = rpMulQuat(up.q, rotations[upper]);
	rpVec3 hand = {SIDE(side) * HAND_LENGTH * (1.0f - plan->arms[side].shortOf), 0.0f, 0.0f};
	Arm arm = {.girdle = up.q, .shoulder = rpTransformPoint(up, skeleton->offsets[upper])};
	arm.offset = rpAdd(skeleton->offsets[fore + 1], rpRotate(rotations[fore + 1], hand));
	arm.elbow = rpAdd(arm.shoulder, rpRotate(upperArm, skeleton->offsets[fore]));
	arm.hand = rpAdd(arm.elbow, rpRotate(rpMulQuat(upperArm, rotations[fore]), arm.offset));
	return arm;
}

// The part of a direction that is square to another one, of length 1.
static rpVec3 getSquare(rpVec3 direction, rpVec3 along)
{
	return rpNormalize(rpMulAdd(direction, -rpDot(direction, along), along));
}

// A straight arm that points along, its hinge (y of the T-pose) square to the direction of the elbow: when it bends,
// the elbow goes there, and the result is smooth in both.
static rpQuat pointArm(int side, rpVec3 along, rpVec3 bend)
{
	rpQuat swing = rpRotationBetween((rpVec3){SIDE(side), 0.0f, 0.0f}, along);
	// In the T-pose the elbow of either arm stands off backwards when it bends.
	rpVec3 back = rpRotate(swing, (rpVec3){0.0f, 0.0f, -1.0f});
	float angle = atan2f(rpDot(rpCross(back, bend), along), rpDot(back, bend));
	return rpMulQuat(rpAxisAngle(along, angle), swing);
}

// Turn upper arm and forearm so that the hand is where it shall be. Hand and elbow start from where the angles have
// them.
static void reachFor(const rpBodyPlan* plan, int side, const rpSkeleton* skeleton, rpQuat* rotations)
{
	int upper = side == 0 ? rp_leftUpperArm : rp_rightUpperArm, fore = upper + 1;
	const rpArmPlan* goal = plan->arms + side;
	Arm arm = getArm(plan, side, skeleton, rotations);
	rpVec3 outwards = rpRotate(rpYaw(plan->heading + plan->trunkTurn), (rpVec3){SIDE(side) * 0.6f, -1.0f, -0.2f});
	rpVec3 direction = rpDot(goal->elbowDirection, goal->elbowDirection) > 0.0f ? goal->elbowDirection : outwards;
	rpVec3 target = rpLerp(arm.hand, goal->target, goal->reach);
	// Out of reach, the hand stays as far as the arm goes.
	rpVec3 away = rpSub(target, arm.shoulder);
	float length = UPPER_ARM_LENGTH + rpLength(arm.offset);
	target = rpMulAdd(arm.shoulder, softMin(rpLength(away), ARM_REACH * length, ARM_SOFTNESS) / rpLength(away), away);
	rpVec3 along = rpNormalize(away), line = rpNormalize(rpSub(arm.hand, arm.shoulder));
	rpVec3 before = getSquare(rpSub(arm.elbow, arm.shoulder), line);
	rpVec3 bend = getSquare(rpLerp(before, rpNormalize(direction), goal->reach), along);
	rpQuat straight = pointArm(side, along, bend);
	rpVec3 elbow = rpAdd(arm.shoulder, rpRotate(straight, skeleton->offsets[fore]));
	// Forearm and hand as one straight bone, turned afterwards so that a hand that is bent still points there.
	rpVec3 bone = {SIDE(side) * rpLength(arm.offset), 0.0f, 0.0f};
	rpLimb limb = {arm.shoulder, elbow, rpAdd(elbow, rpRotate(straight, bone)), straight, straight};
	rpSolveLimb(&limb, target, bend);
	limb.lower = rpMulQuat(limb.lower, rpRotationBetween(arm.offset, bone));
	// A bent wrist makes a small difference between the two at the beginning; it is blended away.
	float part = rpEase(0.0, 0.8, (double)goal->reach);
	rotations[upper] = rpSlerp(rotations[upper], rpMulQuat(rpConjugate(arm.girdle), limb.upper), part);
	rotations[fore] = rpSlerp(rotations[fore], rpMulQuat(rpConjugate(limb.upper), limb.lower), part);
}

static void poseArm(const rpBodyPlan* plan, int side, const rpSkeleton* skeleton, rpQuat* rotations)
{
	const rpArmPlan* arm = plan->arms + side;
	int shoulder = side == 0 ? rp_leftShoulder : rp_rightShoulder;
	float lower = -SIDE(side) * (0.5f * (float)RP_PI - arm->spread);
	float above = fmaxf(arm->spread - GIRDLE_SPREAD, 0.0f);
	float shrug = SIDE(side) * (arm->shrug + GIRDLE_PART * above * above * above / (0.1f + above * above));
	rpQuat spread = rpAxisAngle(s_z, lower - shrug);
	rotations[shoulder] = rpAxisAngle(s_z, shrug);
	rotations[shoulder + 1] = rpMulQuat(pitchBy(-arm->swing), rpMulQuat(spread, pitchBy(arm->twist)));
	rotations[shoulder + 2] = rpYaw(-SIDE(side) * arm->elbow);
	rotations[shoulder + 3] = rpAxisAngle(s_z, -SIDE(side) * arm->wrist);
	if (arm->reach > 0.0f)
	{
		reachFor(plan, side, skeleton, rotations);
	}
}

static void poseTrunk(const rpBodyPlan* plan, rpQuat* rotations)
{
	// The trunk takes back the pelvis' roll and turn on its way up, the head the rest of the turn.
	rpQuat level = rpAxisAngle(s_z, -0.6f * plan->pelvisRoll);
	float half = 0.5f * (plan->trunkTurn - plan->pelvisTurn);
	rpQuat part = rpMulQuat(rpYaw(half), rpMulQuat(pitchBy(0.5f * plan->trunkBend), tiltBy(0.5f * plan->trunkSide)));
	rotations[rp_spine] = rpMulQuat(part, level);
	rotations[rp_spine1] = part;
	rpQuat bow = rpMulQuat(pitchBy(0.5f * plan->headNod), tiltBy(0.5f * plan->headTilt));
	rotations[rp_neck] = rpMulQuat(rpYaw(0.5f * (plan->headTurn - plan->trunkTurn)), bow);
	rotations[rp_head] = rotations[rp_neck];
}

void rpBodyPlan_Pose(const rpBodyPlan* plan, const rpSkeleton* skeleton, rpQuat* rotations)
{
	rotations[rp_hips] = getPelvisRotation(plan);
	poseTrunk(plan, rotations);
	for (int side = 0; side < 2; ++side)
	{
		poseLeg(plan, side, skeleton, rotations);
		poseArm(plan, side, skeleton, rotations);
	}
}

rpVec3 rpBodyPlan_Settle(rpBodyPlan* plan, const rpSkeleton* skeleton, const rpBody* body, rpQuat* rotations)
{
	return rpBodyPlan_SettleNear(plan, skeleton, body, SETTLED, rotations);
}

rpVec3 rpBodyPlan_SettleNear(rpBodyPlan* plan, const rpSkeleton* skeleton, const rpBody* body, float near,
							 rpQuat* rotations)
{
	rpTransform world[rp_performerJointCount];
	rpVec3 center = rpVec3_zero;
	float wanted = plan->pelvis.y;
	for (int i = 0; i < SETTLE_STEPS; ++i)
	{
		if (plan->legReach > 0.0f)
		{
			limitPelvis(plan, plan->holds[1] ? plan->pelvis.y : wanted);
		}
		rpBodyPlan_Pose(plan, skeleton, rotations);
		rpSkeleton_Forward(skeleton, plan->pelvis, rotations, NULL, world);
		center = rpBody_GetCenter(body, world);
		rpVec3 miss = rpSub(plan->center, center);
		miss = (rpVec3){plan->holds[0] ? miss.x : 0.0f, plan->holds[1] ? miss.y : 0.0f, plan->holds[2] ? miss.z : 0.0f};
		if (rpDot(miss, miss) < near * near || i + 1 == SETTLE_STEPS)
		{
			break;
		}
		// While a foot stands the centre goes along by about 0.85.
		miss = rpScale(SETTLE_GAIN, miss);
		plan->pelvis = rpAdd(plan->pelvis, miss);
		for (int side = 0; side < 2; ++side)
		{
			plan->feet[side].ankle = rpMulAdd(plan->feet[side].ankle, plan->feet[side].follow, miss);
		}
	}
	return center;
}

static float mix(float a, float b, float t)
{
	return a + t * (b - a);
}

static void blendArms(const rpArmPlan* a, const rpArmPlan* b, float t, rpArmPlan* out)
{
	rpArmPlan arm = *a;
	arm.swing = mix(a->swing, b->swing, t);
	arm.spread = mix(a->spread, b->spread, t);
	arm.twist = mix(a->twist, b->twist, t);
	arm.elbow = mix(a->elbow, b->elbow, t);
	arm.wrist = mix(a->wrist, b->wrist, t);
	arm.shrug = mix(a->shrug, b->shrug, t);
	arm.reach = mix(a->reach, b->reach, t);
	// Of two arms of which one reaches, the target is that one's.
	float weight = a->reach > 0.0f && b->reach > 0.0f ? t : a->reach > 0.0f ? 0.0f : 1.0f;
	arm.target = rpLerp(a->target, b->target, weight);
	arm.elbowDirection = rpLerp(a->elbowDirection, b->elbowDirection, weight);
	arm.shortOf = mix(a->shortOf, b->shortOf, weight);
	*out = arm;
}

static void blendFeet(const rpFootPlan* a, const rpFootPlan* b, float t, rpFootPlan* out)
{
	*out = (rpFootPlan){
		.ankle = rpLerp(a->ankle, b->ankle, t),
		.heading = mix(a->heading, b->heading, t),
		.pitch = mix(a->pitch, b->pitch, t),
		.toe = mix(a->toe, b->toe, t),
		.follow = mix(a->follow, b->follow, t),
		.kneeOut = mix(a->kneeOut, b->kneeOut, t),
		.loose = mix(a->loose, b->loose, t),
		.straight = mix(a->straight, b->straight, t),
		.floor = mix(a->floor, b->floor, t),
	};
}

void rpBlendPlans(const rpBodyPlan* a, const rpBodyPlan* b, float t, rpBodyPlan* out)
{
	rpBodyPlan plan = {.pelvis = rpLerp(a->pelvis, b->pelvis, t), .center = rpLerp(a->center, b->center, t)};
	plan.heading = mix(a->heading, b->heading, t);
	plan.legReach = mix(a->legReach, b->legReach, t);
	plan.tilt = mix(a->tilt, b->tilt, t);
	plan.pelvisTurn = mix(a->pelvisTurn, b->pelvisTurn, t);
	plan.pelvisRoll = mix(a->pelvisRoll, b->pelvisRoll, t);
	plan.lean = mix(a->lean, b->lean, t);
	plan.turn = rpLerp(a->turn, b->turn, t);
	plan.trunkTurn = mix(a->trunkTurn, b->trunkTurn, t);
	plan.trunkBend = mix(a->trunkBend, b->trunkBend, t);
	plan.trunkSide = mix(a->trunkSide, b->trunkSide, t);
	plan.headTurn = mix(a->headTurn, b->headTurn, t);
	plan.headNod = mix(a->headNod, b->headNod, t);
	plan.headTilt = mix(a->headTilt, b->headTilt, t);
	for (int i = 0; i < 3; ++i)
	{
		plan.holds[i] = a->holds[i] && b->holds[i];
	}
	for (int side = 0; side < 2; ++side)
	{
		blendArms(a->arms + side, b->arms + side, t, plan.arms + side);
		blendFeet(a->feet + side, b->feet + side, t, plan.feet + side);
	}
	*out = plan;
}
