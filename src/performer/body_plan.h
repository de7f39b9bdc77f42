/// What the performer's body is to do at one moment, and the body itself.
///
/// Everything is for a body of 1.75 m; the stage scales it to other statures. Left is 0, right is 1. Turns are to the
/// left, radians; places are in the world, metres.
#pragma once

#include "reprise/play/body.h"

/// Places in the performer's body, metres, of a man 1.75 m tall (segment lengths as parts of the height: Drillis &
/// Contini 1966, in Winter, "Biomechanics and Motor Control of Human Movement").
#define PERFORMER_HEIGHT 1.75f
#define ANKLE_HEIGHT 0.068f
#define BALL_HEIGHT 0.02f
#define PELVIS_HEIGHT 0.96f

/// Bones, metres: hip beside and below the pelvis, thigh, shank, upper arm, forearm, wrist to finger tips.
#define HIP_HALF_WIDTH 0.09f
#define HIP_DROP 0.0325f
#define THIGH_LENGTH 0.429f
#define SHANK_LENGTH 0.4305f
#define LEG_LENGTH (THIGH_LENGTH + SHANK_LENGTH)
#define UPPER_ARM_LENGTH 0.302f
#define FOREARM_LENGTH 0.2555f
#define HAND_LENGTH 0.18f

/// Points of the foot from the ankle, foot flat; the heel is where every skeleton's virtual heel is (rpPlaceEffectors),
/// so that it stands still wherever it is said to touch. Heel and ball stand BALL_HEIGHT above what they rest on.
#define BALL_OFFSET ((rpVec3){0.0f, BALL_HEIGHT - ANKLE_HEIGHT, 0.144f})
#define HEEL_OFFSET ((rpVec3){0.0f, BALL_HEIGHT - ANKLE_HEIGHT, -0.3f * 0.144f})
/// From the ball to the tip of the toes.
#define TOE_OFFSET ((rpVec3){0.0f, -BALL_HEIGHT, 0.072f})

/// The sign of x on a side.
#define SIDE(side) ((side) == 0 ? 1.0f : -1.0f)

/// The joints of the performer's skeleton, in order.
enum
{
	rp_hips,
	rp_leftUpLeg,
	rp_leftLeg,
	rp_leftAnkle,
	rp_leftToeBase,
	rp_rightUpLeg,
	rp_rightLeg,
	rp_rightAnkle,
	rp_rightToeBase,
	rp_spine,
	rp_spine1,
	rp_neck,
	rp_head,
	rp_leftShoulder,
	rp_leftUpperArm,
	rp_leftForeArm,
	rp_leftWrist,
	rp_rightShoulder,
	rp_rightUpperArm,
	rp_rightForeArm,
	rp_rightWrist,
	rp_performerJointCount,
};

/// One foot.
typedef struct rpFootPlan
{
	/// Place of the ankle joint.
	rpVec3 ankle;

	/// Where the foot points; pitch is toes down (0 flat), toe the bend of the toes upwards against the foot.
	float heading, pitch, toe;

	/// How far the ankle goes along when the pelvis is moved to reach plan.center: 0 stays (a planted foot), 1 goes
	/// along in full (a foot in the air). Let it change smoothly.
	float follow;

	/// Turns the knee outwards against the direction half-way between pelvis and foot.
	float kneeOut;

	/// How far the ankle gives way, towards the hip, where the leg is too short for it: 0 for a planted foot, 1 for one
	/// in the air. Let it change smoothly.
	float loose;

	/// How straight a leg with a loose foot may be: 0 a little bent, 1 straight, as before a heel strike.
	float straight;

	/// The height of what is below the foot, metres: in the air the toes are not let down below it.
	float floor;
} rpFootPlan;

/// One arm. The angles are against the chest, for an arm that hangs: forward swing, spread sideways, twist about the
/// upper arm (negative brings the forearm forward and up when the arm is spread), elbow bend (0 straight); the wrist's
/// bend to the palm. shrug lifts the shoulder girdle, 0.25 is much.
typedef struct rpArmPlan
{
	float swing, spread, twist, elbow, wrist, shrug;

	/// 0: by the angles above. 1: the hand's end (rp_leftHand: the finger tips)
	/// is exactly at `target`, if the arm is long enough. Between: a blend, so let it go smoothly from 0 to 1.
	float reach;

	/// In the world.
	rpVec3 target;

	/// The direction from the line between shoulder and hand in which the elbow stands off, in the world; need not be
	/// unit or perpendicular. Zero: downwards and outwards.
	rpVec3 elbowDirection;

	/// How much of the hand counts: 0, the target is for the finger tips; 1, for the wrist. A fist is 0.5.
	float shortOf;
} rpArmPlan;

/// The whole body; zero-initialised stands upright in the floor, arms hanging.
typedef struct rpBodyPlan
{
	/// The pelvis, and where the body faces. When `holds` says so, the pelvis is only where the search for the centre
	/// of mass begins.
	rpVec3 pelvis;
	float heading;

	/// Where the centre of mass shall be, and which of its components x, y, z hold. The pelvis is moved until they do;
	/// planted feet stay, free feet go along (rpFootPlan.follow).
	rpVec3 center;
	bool holds[3];

	/// If above 0: the pelvis is only as high as legs stretched to this part of their length allow, softly, whether the
	/// height of the centre of mass holds then or not.
	float legReach;

	/// The whole body leans to the left, as into a curve.
	float tilt;

	/// The pelvis against the heading: turn, roll (lifts the left side), lean (forwards; the trunk goes along).
	float pelvisTurn, pelvisRoll, lean;

	/// The pelvis, turned by all that, is turned by this rotation vector of the world; the trunk goes along.
	rpVec3 turn;

	/// The trunk above the pelvis: turn against the *heading* (the spine takes back the pelvis' turn), bend forwards,
	/// bend to the left.
	float trunkTurn, trunkBend, trunkSide;

	/// The head: turn against the heading, nod forwards and tilt to the left against the chest.
	float headTurn, headNod, headTilt;

	rpArmPlan arms[2];
	rpFootPlan feet[2];
} rpBodyPlan;

/// The hip joint of a side in the world.
rpVec3 rpBodyPlan_GetHip(const rpBodyPlan* plan, int side);

/// How long the leg of a side would have to be, as a part of its length: above 1 the foot is out of reach, above 0.995
/// a small change of place is a large one of the knee.
float rpBodyPlan_GetStretch(const rpBodyPlan* plan, int side);

/// The ankle of a foot of that heading and pitch whose heel point, or ball joint, is at a place.
rpVec3 rpPlaceAnkle(rpVec3 point, rpVec3 offset, float heading, float pitch);

/// The lowest point of a foot above the floor.
float rpFootPlan_GetLowest(const rpFootPlan* foot);

/// a at 0, b at 1, everything between linear. A component of the centre of mass holds where it holds in both, so let
/// both hold the same. out may be a or b.
void rpBlendPlans(const rpBodyPlan* a, const rpBodyPlan* b, float t, rpBodyPlan* out);

/// Local rotations of the performer's joints, [rp_performerJointCount], legs and reaching arms by inverse kinematics,
/// the pelvis where the plan says: the centre of mass is not looked at.
void rpBodyPlan_Pose(const rpBodyPlan* plan, const rpSkeleton* skeleton, rpQuat* rotations);

/// Move plan->pelvis and free feet until the centre of mass is as near as this to where it shall be, metres, and pose.
/// Returns the centre of mass.
rpVec3 rpBodyPlan_SettleNear(rpBodyPlan* plan, const rpSkeleton* skeleton, const rpBody* body, float near,
							 rpQuat* rotations);

/// The same, as near as floats allow.
rpVec3 rpBodyPlan_Settle(rpBodyPlan* plan, const rpSkeleton* skeleton, const rpBody* body, rpQuat* rotations);
