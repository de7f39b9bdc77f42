/// What the performer's body is to do at one moment, and the body itself.
#pragma once

#include "reprise/motion.h"

/// Places in the performer's body, metres, of a man 1.75 m tall (segment lengths as parts of the height: Drillis &
/// Contini 1966, in Winter, "Biomechanics and Motor Control of Human Movement").
#define PERFORMER_HEIGHT 1.75f
#define ANKLE_HEIGHT 0.068f
#define BALL_HEIGHT 0.02f
#define PELVIS_HEIGHT 0.96f

/// Points of the foot from the ankle, foot flat; the heel is where every skeleton's virtual heel is (rpPlaceEffectors),
/// so that it stands still wherever it is said to touch.
#define BALL_OFFSET ((rpVec3){0.0f, BALL_HEIGHT - ANKLE_HEIGHT, 0.144f})
#define HEEL_OFFSET ((rpVec3){0.0f, BALL_HEIGHT - ANKLE_HEIGHT, -0.3f * 0.144f})
/// From the ball to the tip of the toes.
#define TOE_OFFSET ((rpVec3){0.0f, -BALL_HEIGHT, 0.072f})

/// Left is 0, right is 1, and this is the sign of x on that side.
#define SIDE(side) ((side) == 0 ? 1.0f : -1.0f)

/// One foot in the world. Angles in radians; pitch is toes down, toe is the toes' bend upwards against the foot.
typedef struct rpFootPlan
{
	rpVec3 ankle;
	float heading, pitch, toe;
} rpFootPlan;

/// One arm against the chest: forward swing, spread from hanging, twist (back of the elbow down is negative), elbow.
typedef struct rpArmPlan
{
	float swing, spread, twist, elbow;
} rpArmPlan;

/// The whole body; zero-initialised stands upright in the floor. Turns are to the left, lean and bend forwards, roll
/// lifts the left side.
typedef struct rpBodyPlan
{
	rpVec3 pelvis;
	float heading, pelvisTurn, pelvisRoll, lean;
	float trunkTurn, trunkBend, headTurn, headNod;
	rpArmPlan arms[2];
	rpFootPlan feet[2];
} rpBodyPlan;

/// The hip joint of a side in the world.
rpVec3 rpBodyPlan_GetHip(const rpBodyPlan* plan, int side);

/// Length of the leg from hip to ankle, metres.
float rpGetPerformerLeg(void);

/// The ankle of a foot of that heading and pitch whose heel point, or ball joint, is at a place.
rpVec3 rpPlaceAnkle(rpVec3 point, rpVec3 offset, float heading, float pitch);

/// The lowest point of a foot above the floor.
float rpFootPlan_GetLowest(const rpFootPlan* foot);

/// Local rotations of the performer's joints, legs by inverse kinematics.
void rpBodyPlan_Pose(const rpBodyPlan* plan, const rpSkeleton* skeleton, rpQuat* rotations);
