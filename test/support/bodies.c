#include "bodies.h"

#include <stdio.h>
#include <string.h>

/// Places in a body 1.78 m tall that stands at the origin and looks along +Z, arms straight out. Left side.
/// X(name, x, y, z)
#define PLACES(X)                       \
	X(ground, 0.0, 0.0, 0.0)            \
	X(pelvis, 0.0, 0.95, 0.0)           \
	X(pelvisTop, 0.0, 0.98, -0.01)      \
	X(spine1, 0.0, 1.05, -0.01)         \
	X(spine2, 0.0, 1.14, -0.02)         \
	X(spine3, 0.0, 1.23, -0.03)         \
	X(chest, 0.0, 1.32, -0.03)          \
	X(upperChest, 0.0, 1.38, -0.04)     \
	X(neck, 0.0, 1.49, -0.03)           \
	X(neck2, 0.0, 1.54, -0.01)          \
	X(head, 0.0, 1.60, 0.0)             \
	X(headTop, 0.0, 1.78, 0.02)         \
	X(eye, 0.03, 1.68, 0.09)            \
	X(jaw, 0.0, 1.62, 0.04)             \
	X(breast, 0.09, 1.30, 0.10)         \
	X(buttock, 0.08, 0.94, 0.0)         \
	X(hip, 0.09, 0.90, 0.0)             \
	X(thighMiddle, 0.095, 0.69, 0.0)    \
	X(knee, 0.10, 0.48, 0.01)           \
	X(shinMiddle, 0.10, 0.28, 0.0)      \
	X(ankle, 0.10, 0.08, -0.02)         \
	X(ball, 0.11, 0.02, 0.11)           \
	X(toe, 0.11, 0.02, 0.18)            \
	X(heel, 0.10, 0.01, -0.06)          \
	X(clavicle, 0.02, 1.44, -0.01)      \
	X(shoulder, 0.17, 1.45, -0.03)      \
	X(armMiddle, 0.31, 1.45, -0.03)     \
	X(elbow, 0.46, 1.45, -0.03)         \
	X(forearmMiddle, 0.58, 1.45, -0.03) \
	X(wrist, 0.71, 1.45, -0.03)         \
	X(palm, 0.76, 1.45, -0.03)          \
	X(thumb1, 0.74, 1.44, 0.01)         \
	X(thumb2, 0.77, 1.43, 0.03)         \
	X(index1, 0.80, 1.45, 0.0)          \
	X(index2, 0.84, 1.45, 0.0)          \
	X(index3, 0.865, 1.45, 0.0)         \
	X(middle1, 0.805, 1.45, -0.02)      \
	X(middle2, 0.85, 1.45, -0.02)       \
	X(middle3, 0.88, 1.45, -0.02)       \
	X(pinky1, 0.79, 1.45, -0.06)        \
	X(pinky2, 0.82, 1.45, -0.06)        \
	X(handTip, 0.89, 1.45, -0.02)

typedef enum Place
{
#define X(name, x, y, z) at_##name,
	PLACES(X)
#undef X
} Place;

static const rpVec3 s_places[] = {
#define X(name, x, y, z) {(float)(x), (float)(y), (float)(z)},
	PLACES(X)
#undef X
};

/// One line of a convention; '@' in a name stands for the side, and makes two joints of the line.
typedef struct Line
{
	const char* name;
	const char* parent;
	Place place;
	/// The part of the expected role ("knee"), or NULL.
	const char* part;
} Line;

typedef struct Convention
{
	const char* name;
	const char* left;
	const char* right;
	const Line* lines;
	bool ends;
	bool shapeIsMisleading;
} Convention;

static const Line s_cmu[] = {
	{"Hips", NULL, at_pelvis, "pelvis"},
	{"@HipJoint", "Hips", at_pelvis, NULL},
	{"@@UpLeg", "@HipJoint", at_hip, "hip"},
	{"@@Leg", "@@UpLeg", at_knee, "knee"},
	{"@@Foot", "@@Leg", at_ankle, "ankle"},
	{"@@ToeBase", "@@Foot", at_ball, "ball"},
	{"LowerBack", "Hips", at_pelvis, NULL},
	{"Spine", "LowerBack", at_spine2, "spine"},
	{"Spine1", "Spine", at_chest, "chest"},
	{"Neck", "Spine1", at_neck, "neck"},
	{"Neck1", "Neck", at_neck2, NULL},
	{"Head", "Neck1", at_head, "head"},
	{"@@Shoulder", "Spine1", at_clavicle, "clavicle"},
	{"@@Arm", "@@Shoulder", at_shoulder, "shoulder"},
	{"@@ForeArm", "@@Arm", at_elbow, "elbow"},
	{"@@Hand", "@@ForeArm", at_wrist, "wrist"},
	{"@@FingerBase", "@@Hand", at_palm, NULL},
	{"@@HandIndex1", "@@FingerBase", at_middle1, NULL},
	{"@Thumb", "@@Hand", at_thumb1, NULL},
	{0},
};

// The conversion lost a bone: neck and collar bones start on the chest.
static const Line s_cmuRaw[] = {
	{"Hips", NULL, at_pelvis, "pelvis"},
	{"@HipJoint", "Hips", at_pelvis, NULL},
	{"@@UpLeg", "@HipJoint", at_hip, "hip"},
	{"@@Leg", "@@UpLeg", at_knee, "knee"},
	{"@@Foot", "@@Leg", at_ankle, "ankle"},
	{"@@ToeBase", "@@Foot", at_ball, "ball"},
	{"LowerBack", "Hips", at_pelvis, NULL},
	{"Spine", "LowerBack", at_spine2, "spine"},
	{"Spine1", "Spine", at_chest, "chest"},
	{"Neck", "Spine1", at_chest, "neck"},
	{"Neck1", "Neck", at_neck, NULL},
	{"Head", "Neck1", at_head, "head"},
	{"@@Shoulder", "Spine1", at_chest, "clavicle"},
	{"@@Arm", "@@Shoulder", at_shoulder, "shoulder"},
	{"@@ForeArm", "@@Arm", at_elbow, "elbow"},
	{"@@Hand", "@@ForeArm", at_wrist, "wrist"},
	{"@@FingerBase", "@@Hand", at_wrist, NULL},
	{"@@HandIndex1", "@@FingerBase", at_middle1, NULL},
	{"@Thumb", "@@Hand", at_wrist, NULL},
	{0},
};

static const Line s_mixamo[] = {
	{"mixamorig:Hips", NULL, at_pelvis, "pelvis"},
	{"mixamorig:Spine", "mixamorig:Hips", at_spine1, "spine"},
	{"mixamorig:Spine1", "mixamorig:Spine", at_spine2, NULL},
	{"mixamorig:Spine2", "mixamorig:Spine1", at_chest, "chest"},
	{"mixamorig:Neck", "mixamorig:Spine2", at_neck, "neck"},
	{"mixamorig:Head", "mixamorig:Neck", at_head, "head"},
	{"mixamorig:HeadTop_End", "mixamorig:Head", at_headTop, NULL},
	{"mixamorig:@Eye", "mixamorig:Head", at_eye, NULL},
	{"mixamorig:@Shoulder", "mixamorig:Spine2", at_clavicle, "clavicle"},
	{"mixamorig:@Arm", "mixamorig:@Shoulder", at_shoulder, "shoulder"},
	{"mixamorig:@ForeArm", "mixamorig:@Arm", at_elbow, "elbow"},
	{"mixamorig:@Hand", "mixamorig:@ForeArm", at_wrist, "wrist"},
	{"mixamorig:@HandThumb1", "mixamorig:@Hand", at_thumb1, NULL},
	{"mixamorig:@HandThumb2", "mixamorig:@HandThumb1", at_thumb2, NULL},
	{"mixamorig:@HandIndex1", "mixamorig:@Hand", at_index1, NULL},
	{"mixamorig:@HandIndex2", "mixamorig:@HandIndex1", at_index2, NULL},
	{"mixamorig:@HandMiddle1", "mixamorig:@Hand", at_middle1, NULL},
	{"mixamorig:@HandMiddle2", "mixamorig:@HandMiddle1", at_middle2, NULL},
	{"mixamorig:@HandMiddle3", "mixamorig:@HandMiddle2", at_middle3, NULL},
	{"mixamorig:@UpLeg", "mixamorig:Hips", at_hip, "hip"},
	{"mixamorig:@Leg", "mixamorig:@UpLeg", at_knee, "knee"},
	{"mixamorig:@Foot", "mixamorig:@Leg", at_ankle, "ankle"},
	{"mixamorig:@ToeBase", "mixamorig:@Foot", at_ball, "ball"},
	{"mixamorig:@Toe_End", "mixamorig:@ToeBase", at_toe, NULL},
	{0},
};

static const Line s_mixamoFlat[] = {
	{"mixamorig_Hips", NULL, at_pelvis, "pelvis"},
	{"mixamorig_Spine", "mixamorig_Hips", at_spine1, "spine"},
	{"mixamorig_Spine1", "mixamorig_Spine", at_spine2, NULL},
	{"mixamorig_Spine2", "mixamorig_Spine1", at_chest, "chest"},
	{"mixamorig_Neck", "mixamorig_Spine2", at_neck, "neck"},
	{"mixamorig_Head", "mixamorig_Neck", at_head, "head"},
	{"mixamorig_HeadTop_End", "mixamorig_Head", at_headTop, NULL},
	{"mixamorig_@Shoulder", "mixamorig_Spine2", at_clavicle, "clavicle"},
	{"mixamorig_@Arm", "mixamorig_@Shoulder", at_shoulder, "shoulder"},
	{"mixamorig_@ForeArm", "mixamorig_@Arm", at_elbow, "elbow"},
	{"mixamorig_@Hand", "mixamorig_@ForeArm", at_wrist, "wrist"},
	{"mixamorig_@UpLeg", "mixamorig_Hips", at_hip, "hip"},
	{"mixamorig_@Leg", "mixamorig_@UpLeg", at_knee, "knee"},
	{"mixamorig_@Foot", "mixamorig_@Leg", at_ankle, "ankle"},
	{"mixamorig_@ToeBase", "mixamorig_@Foot", at_ball, "ball"},
	{"mixamorig_@Toe_End", "mixamorig_@ToeBase", at_toe, NULL},
	{0},
};

static const Line s_biped[] = {
	{"Bip01", NULL, at_pelvis, NULL},
	{"Bip01 Footsteps", "Bip01", at_ground, NULL},
	{"Bip01 Pelvis", "Bip01", at_pelvis, "pelvis"},
	{"Bip01 Spine", "Bip01 Pelvis", at_spine1, "spine"},
	{"Bip01 Spine1", "Bip01 Spine", at_spine3, "chest"},
	{"Bip01 Neck", "Bip01 Spine1", at_neck, "neck"},
	{"Bip01 Head", "Bip01 Neck", at_head, "head"},
	{"Bip01 HeadNub", "Bip01 Head", at_headTop, NULL},
	{"Bip01 @ Clavicle", "Bip01 Neck", at_clavicle, "clavicle"},
	{"Bip01 @ UpperArm", "Bip01 @ Clavicle", at_shoulder, "shoulder"},
	{"Bip01 @ Forearm", "Bip01 @ UpperArm", at_elbow, "elbow"},
	{"Bip01 @ ForeTwist", "Bip01 @ UpperArm", at_elbow, NULL},
	{"Bip01 @ Hand", "Bip01 @ Forearm", at_wrist, "wrist"},
	{"Bip01 @ Finger0", "Bip01 @ Hand", at_thumb1, NULL},
	{"Bip01 @ Finger1", "Bip01 @ Hand", at_middle1, NULL},
	{"Bip01 @ Finger11", "Bip01 @ Finger1", at_middle2, NULL},
	{"Bip01 @ Thigh", "Bip01 Pelvis", at_hip, "hip"},
	{"Bip01 @ Calf", "Bip01 @ Thigh", at_knee, "knee"},
	{"Bip01 @ Foot", "Bip01 @ Calf", at_ankle, "ankle"},
	{"Bip01 @ Toe0", "Bip01 @ Foot", at_ball, "ball"},
	{"Bip01 @ Toe0Nub", "Bip01 @ Toe0", at_toe, NULL},
	{0},
};

// Older exports: thighs on the spine, other spelling, collar bones on the last spine joint.
static const Line s_bipedOld[] = {
	{"Bip001", NULL, at_pelvis, NULL},
	{"Bip001_Pelvis", "Bip001", at_pelvis, "pelvis"},
	{"Bip001_Spine", "Bip001_Pelvis", at_pelvisTop, "spine"},
	{"Bip001_Spine1", "Bip001_Spine", at_spine2, NULL},
	{"Bip001_Spine2", "Bip001_Spine1", at_chest, "chest"},
	{"Bip001_Neck", "Bip001_Spine2", at_neck, "neck"},
	{"Bip001_Head", "Bip001_Neck", at_head, "head"},
	{"Bip001_@_Clavicle", "Bip001_Spine2", at_clavicle, "clavicle"},
	{"Bip001_@_UpperArm", "Bip001_@_Clavicle", at_shoulder, "shoulder"},
	{"Bip001_@_Forearm", "Bip001_@_UpperArm", at_elbow, "elbow"},
	{"Bip001_@_Hand", "Bip001_@_Forearm", at_wrist, "wrist"},
	{"Bip001_@_Thigh", "Bip001_Spine", at_hip, "hip"},
	{"Bip001_@_Calf", "Bip001_@_Thigh", at_knee, "knee"},
	{"Bip001_@_Foot", "Bip001_@_Calf", at_ankle, "ankle"},
	{"Bip001_@_Toe0", "Bip001_@_Foot", at_ball, "ball"},
	{0},
};

static const Line s_rokoko[] = {
	{"Hips", NULL, at_pelvis, "pelvis"},
	{"Spine1", "Hips", at_spine1, "spine"},
	{"Spine2", "Spine1", at_spine2, NULL},
	{"Spine3", "Spine2", at_spine3, NULL},
	{"Spine4", "Spine3", at_chest, "chest"},
	{"Neck", "Spine4", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{"@Shoulder", "Spine4", at_clavicle, "clavicle"},
	{"@Arm", "@Shoulder", at_shoulder, "shoulder"},
	{"@ForeArm", "@Arm", at_elbow, "elbow"},
	{"@Hand", "@ForeArm", at_wrist, "wrist"},
	{"@Digit1Metacarpal", "@Hand", at_thumb1, NULL},
	{"@Digit3Metacarpal", "@Hand", at_middle1, NULL},
	{"@Thigh", "Hips", at_hip, "hip"},
	{"@Shin", "@Thigh", at_knee, "knee"},
	{"@Foot", "@Shin", at_ankle, "ankle"},
	{"@Toe", "@Foot", at_ball, "ball"},
	{"@ToeTip", "@Toe", at_toe, NULL},
	{0},
};

static const Line s_xsens[] = {
	{"Pelvis", NULL, at_pelvis, "pelvis"},
	{"L5", "Pelvis", at_spine1, "spine"},
	{"L3", "L5", at_spine2, NULL},
	{"T12", "L3", at_spine3, NULL},
	{"T8", "T12", at_chest, "chest"},
	{"Neck", "T8", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{"@Shoulder", "T8", at_clavicle, "clavicle"},
	{"@UpperArm", "@Shoulder", at_shoulder, "shoulder"},
	{"@ForeArm", "@UpperArm", at_elbow, "elbow"},
	{"@Hand", "@ForeArm", at_wrist, "wrist"},
	{"@UpperLeg", "Pelvis", at_hip, "hip"},
	{"@LowerLeg", "@UpperLeg", at_knee, "knee"},
	{"@Foot", "@LowerLeg", at_ankle, "ankle"},
	{"@Toe", "@Foot", at_ball, "ball"},
	{0},
};

// As Xsens writes BVH.
static const Line s_xsensBvh[] = {
	{"Hips", NULL, at_pelvis, "pelvis"},
	{"Chest", "Hips", at_spine1, "spine"},
	{"Chest2", "Chest", at_spine2, NULL},
	{"Chest3", "Chest2", at_spine3, NULL},
	{"Chest4", "Chest3", at_chest, "chest"},
	{"Neck", "Chest4", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{"@Collar", "Chest4", at_clavicle, "clavicle"},
	{"@Shoulder", "@Collar", at_shoulder, "shoulder"},
	{"@LowerArm", "@Shoulder", at_elbow, "elbow"},
	{"@Wrist", "@LowerArm", at_wrist, "wrist"},
	{"@Hip", "Hips", at_hip, "hip"},
	{"@Knee", "@Hip", at_knee, "knee"},
	{"@Ankle", "@Knee", at_ankle, "ankle"},
	{"@Toe", "@Ankle", at_ball, "ball"},
	{0},
};

static const Line s_asf[] = {
	{"root", NULL, at_pelvis, "pelvis"},          {"@hipjoint", "root", at_pelvis, NULL},
	{"@femur", "@hipjoint", at_hip, "hip"},       {"@tibia", "@femur", at_knee, "knee"},
	{"@foot", "@tibia", at_ankle, "ankle"},       {"@toes", "@foot", at_ball, "ball"},
	{"lowerback", "root", at_pelvis, NULL},       {"upperback", "lowerback", at_spine2, "spine"},
	{"thorax", "upperback", at_chest, "chest"},   {"lowerneck", "thorax", at_neck, "neck"},
	{"upperneck", "lowerneck", at_neck2, NULL},   {"head", "upperneck", at_head, "head"},
	{"@clavicle", "thorax", at_neck, "clavicle"}, {"@humerus", "@clavicle", at_shoulder, "shoulder"},
	{"@radius", "@humerus", at_elbow, "elbow"},   {"@wrist", "@radius", at_wrist, "wrist"},
	{"@hand", "@wrist", at_palm, NULL},           {"@fingers", "@hand", at_middle1, NULL},
	{"@thumb", "@wrist", at_palm, NULL},          {0},
};

static const Line s_rigify[] = {
	{"spine", NULL, at_pelvis, "pelvis"},
	{"spine.001", "spine", at_spine1, "spine"},
	{"spine.002", "spine.001", at_spine3, NULL},
	{"spine.003", "spine.002", at_chest, "chest"},
	{"spine.004", "spine.003", at_neck, "neck"},
	{"spine.005", "spine.004", at_neck2, NULL},
	{"spine.006", "spine.005", at_head, "head"},
	{"pelvis.@", "spine", at_buttock, NULL},
	{"breast.@", "spine.003", at_breast, NULL},
	{"shoulder.@", "spine.003", at_clavicle, "clavicle"},
	{"upper_arm.@", "shoulder.@", at_shoulder, "shoulder"},
	{"forearm.@", "upper_arm.@", at_elbow, "elbow"},
	{"hand.@", "forearm.@", at_wrist, "wrist"},
	{"palm.01.@", "hand.@", at_palm, NULL},
	{"f_index.01.@", "palm.01.@", at_index1, NULL},
	{"thumb.01.@", "palm.01.@", at_thumb1, NULL},
	{"thigh.@", "spine", at_hip, "hip"},
	{"shin.@", "thigh.@", at_knee, "knee"},
	{"foot.@", "shin.@", at_ankle, "ankle"},
	{"toe.@", "foot.@", at_ball, "ball"},
	{"heel.02.@", "foot.@", at_heel, NULL},
	{0},
};

// Rigify's deform bones: every long bone in two halves.
static const Line s_rigifyDef[] = {
	{"DEF-spine", NULL, at_pelvis, "pelvis"},
	{"DEF-spine.001", "DEF-spine", at_spine1, "spine"},
	{"DEF-spine.002", "DEF-spine.001", at_spine3, NULL},
	{"DEF-spine.003", "DEF-spine.002", at_chest, "chest"},
	{"DEF-neck", "DEF-spine.003", at_neck, "neck"},
	{"DEF-head", "DEF-neck", at_head, "head"},
	{"DEF-shoulder.@", "DEF-spine.003", at_clavicle, "clavicle"},
	{"DEF-upper_arm.@", "DEF-shoulder.@", at_shoulder, "shoulder"},
	{"DEF-upper_arm.@.001", "DEF-upper_arm.@", at_armMiddle, NULL},
	{"DEF-forearm.@", "DEF-upper_arm.@.001", at_elbow, "elbow"},
	{"DEF-forearm.@.001", "DEF-forearm.@", at_forearmMiddle, NULL},
	{"DEF-hand.@", "DEF-forearm.@.001", at_wrist, "wrist"},
	{"DEF-thigh.@", "DEF-spine", at_hip, "hip"},
	{"DEF-thigh.@.001", "DEF-thigh.@", at_thighMiddle, NULL},
	{"DEF-shin.@", "DEF-thigh.@.001", at_knee, "knee"},
	{"DEF-shin.@.001", "DEF-shin.@", at_shinMiddle, NULL},
	{"DEF-foot.@", "DEF-shin.@.001", at_ankle, "ankle"},
	{"DEF-toe.@", "DEF-foot.@", at_ball, "ball"},
	{0},
};

static const Line s_unreal[] = {
	{"root", NULL, at_ground, NULL},
	{"pelvis", "root", at_pelvis, "pelvis"},
	{"spine_01", "pelvis", at_spine1, "spine"},
	{"spine_02", "spine_01", at_spine2, NULL},
	{"spine_03", "spine_02", at_chest, "chest"},
	{"clavicle_@", "spine_03", at_clavicle, "clavicle"},
	{"upperarm_@", "clavicle_@", at_shoulder, "shoulder"},
	{"lowerarm_@", "upperarm_@", at_elbow, "elbow"},
	{"hand_@", "lowerarm_@", at_wrist, "wrist"},
	{"index_01_@", "hand_@", at_index1, NULL},
	{"index_02_@", "index_01_@", at_index2, NULL},
	{"middle_01_@", "hand_@", at_middle1, NULL},
	{"middle_02_@", "middle_01_@", at_middle2, NULL},
	{"thumb_01_@", "hand_@", at_thumb1, NULL},
	{"lowerarm_twist_01_@", "lowerarm_@", at_forearmMiddle, NULL},
	{"upperarm_twist_01_@", "upperarm_@", at_armMiddle, NULL},
	{"neck_01", "spine_03", at_neck, "neck"},
	{"head", "neck_01", at_head, "head"},
	{"thigh_@", "pelvis", at_hip, "hip"},
	{"calf_@", "thigh_@", at_knee, "knee"},
	{"calf_twist_01_@", "calf_@", at_shinMiddle, NULL},
	{"foot_@", "calf_@", at_ankle, "ankle"},
	{"ball_@", "foot_@", at_ball, "ball"},
	{"thigh_twist_01_@", "thigh_@", at_thighMiddle, NULL},
	{"ik_foot_root", "root", at_ground, NULL},
	{"ik_foot_@", "ik_foot_root", at_ankle, NULL},
	{"ik_hand_root", "root", at_ground, NULL},
	{"ik_hand_gun", "ik_hand_root", at_chest, NULL},
	{"ik_hand_@", "ik_hand_gun", at_wrist, NULL},
	{0},
};

static const Line s_daz[] = {
	{"hip", NULL, at_pelvis, "pelvis"},
	{"abdomen", "hip", at_spine1, "spine"},
	{"chest", "abdomen", at_spine3, "chest"},
	{"neck", "chest", at_neck, "neck"},
	{"head", "neck", at_head, "head"},
	{"@Eye", "head", at_eye, NULL},
	{"@Collar", "chest", at_clavicle, "clavicle"},
	{"@Shldr", "@Collar", at_shoulder, "shoulder"},
	{"@ForeArm", "@Shldr", at_elbow, "elbow"},
	{"@Hand", "@ForeArm", at_wrist, "wrist"},
	{"@Thumb1", "@Hand", at_thumb1, NULL},
	{"@Thumb2", "@Thumb1", at_thumb2, NULL},
	{"@Index1", "@Hand", at_index1, NULL},
	{"@Mid1", "@Hand", at_middle1, NULL},
	{"@Mid2", "@Mid1", at_middle2, NULL},
	{"@Pinky1", "@Hand", at_pinky1, NULL},
	{"@Buttock", "hip", at_buttock, NULL},
	{"@Thigh", "@Buttock", at_hip, "hip"},
	{"@Shin", "@Thigh", at_knee, "knee"},
	{"@Foot", "@Shin", at_ankle, "ankle"},
	{"@Toe", "@Foot", at_ball, "ball"},
	{0},
};

// Genesis 8: a pelvis beside the spine, every long bone bent and twisted by joints of their own.
static const Line s_genesis[] = {
	{"Genesis8Female", NULL, at_ground, NULL},
	{"hip", "Genesis8Female", at_pelvisTop, "pelvis"},
	{"pelvis", "hip", at_pelvisTop, NULL},
	{"@ThighBend", "pelvis", at_hip, "hip"},
	{"@ThighTwist", "@ThighBend", at_thighMiddle, NULL},
	{"@Shin", "@ThighTwist", at_knee, "knee"},
	{"@Foot", "@Shin", at_ankle, "ankle"},
	{"@Metatarsals", "@Foot", at_ankle, NULL},
	{"@Toe", "@Metatarsals", at_ball, "ball"},
	{"@BigToe", "@Toe", at_toe, NULL},
	{"abdomenLower", "hip", at_spine1, "spine"},
	{"abdomenUpper", "abdomenLower", at_spine2, NULL},
	{"chestLower", "abdomenUpper", at_spine3, NULL},
	{"@Pectoral", "chestLower", at_breast, NULL},
	{"chestUpper", "chestLower", at_chest, "chest"},
	{"@Collar", "chestUpper", at_clavicle, "clavicle"},
	{"@ShldrBend", "@Collar", at_shoulder, "shoulder"},
	{"@ShldrTwist", "@ShldrBend", at_armMiddle, NULL},
	{"@ForearmBend", "@ShldrTwist", at_elbow, "elbow"},
	{"@ForearmTwist", "@ForearmBend", at_forearmMiddle, NULL},
	{"@Hand", "@ForearmTwist", at_wrist, "wrist"},
	{"@Carpal1", "@Hand", at_palm, NULL},
	{"@Index1", "@Carpal1", at_index1, NULL},
	{"@Thumb1", "@Hand", at_thumb1, NULL},
	{"neckLower", "chestUpper", at_neck, "neck"},
	{"neckUpper", "neckLower", at_neck2, NULL},
	{"head", "neckUpper", at_head, "head"},
	{"upperTeeth", "head", at_jaw, NULL},
	{"lowerJaw", "head", at_jaw, NULL},
	{"tongue01", "lowerJaw", at_jaw, NULL},
	{0},
};

static const Line s_smpl[] = {
	{"pelvis", NULL, at_pelvis, "pelvis"},
	{"@_hip", "pelvis", at_hip, "hip"},
	{"@_knee", "@_hip", at_knee, "knee"},
	{"@_ankle", "@_knee", at_ankle, "ankle"},
	{"@_foot", "@_ankle", at_ball, "ball"},
	{"spine1", "pelvis", at_spine1, "spine"},
	{"spine2", "spine1", at_spine2, NULL},
	{"spine3", "spine2", at_chest, "chest"},
	{"neck", "spine3", at_neck, "neck"},
	{"head", "neck", at_head, "head"},
	{"@_collar", "spine3", at_clavicle, "clavicle"},
	{"@_shoulder", "@_collar", at_shoulder, "shoulder"},
	{"@_elbow", "@_shoulder", at_elbow, "elbow"},
	{"@_wrist", "@_elbow", at_wrist, "wrist"},
	{"@_hand", "@_wrist", at_middle1, NULL},
	{0},
};

static const Line s_classic[] = {
	{"Hips", NULL, at_pelvis, "pelvis"},
	{"@Hip", "Hips", at_hip, "hip"},
	{"@Knee", "@Hip", at_knee, "knee"},
	{"@Ankle", "@Knee", at_ankle, "ankle"},
	{"@Toe", "@Ankle", at_ball, "ball"},
	{"Chest", "Hips", at_spine1, "spine"},
	{"Chest2", "Chest", at_chest, "chest"},
	{"@Collar", "Chest2", at_clavicle, "clavicle"},
	{"@Shoulder", "@Collar", at_shoulder, "shoulder"},
	{"@Elbow", "@Shoulder", at_elbow, "elbow"},
	{"@Wrist", "@Elbow", at_wrist, "wrist"},
	{"Neck", "Chest2", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{0},
};

// The oldest BVH files: one joint for the trunk, no ball.
static const Line s_biovision[] = {
	{"Hips", NULL, at_pelvis, "pelvis"},
	{"@UpLeg", "Hips", at_hip, "hip"},
	{"@LowLeg", "@UpLeg", at_knee, "knee"},
	{"@Foot", "@LowLeg", at_ankle, "ankle"},
	{"Chest", "Hips", at_spine2, "chest"},
	{"@Collar", "Chest", at_clavicle, "clavicle"},
	{"@UpArm", "@Collar", at_shoulder, "shoulder"},
	{"@LowArm", "@UpArm", at_elbow, "elbow"},
	{"@Hand", "@LowArm", at_wrist, "wrist"},
	{"Neck", "Chest", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{0},
};

static const Line s_optitrack[] = {
	{"Hip", NULL, at_pelvis, "pelvis"},
	{"Ab", "Hip", at_spine1, "spine"},
	{"Chest", "Ab", at_spine3, "chest"},
	{"Neck", "Chest", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{"@Shoulder", "Chest", at_clavicle, "clavicle"},
	{"@UArm", "@Shoulder", at_shoulder, "shoulder"},
	{"@FArm", "@UArm", at_elbow, "elbow"},
	{"@Hand", "@FArm", at_wrist, "wrist"},
	{"@Thigh", "Hip", at_hip, "hip"},
	{"@Shin", "@Thigh", at_knee, "knee"},
	{"@Foot", "@Shin", at_ankle, "ankle"},
	{"@Toe", "@Foot", at_ball, "ball"},
	{0},
};

static const Line s_neuron[] = {
	{"Hips", NULL, at_pelvis, "pelvis"},
	{"@UpLeg", "Hips", at_hip, "hip"},
	{"@Leg", "@UpLeg", at_knee, "knee"},
	{"@Foot", "@Leg", at_ankle, "ankle"},
	{"Spine", "Hips", at_spine1, "spine"},
	{"Spine1", "Spine", at_spine2, NULL},
	{"Spine2", "Spine1", at_spine3, NULL},
	{"Spine3", "Spine2", at_chest, "chest"},
	{"Neck", "Spine3", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{"@Shoulder", "Spine3", at_clavicle, "clavicle"},
	{"@Arm", "@Shoulder", at_shoulder, "shoulder"},
	{"@ForeArm", "@Arm", at_elbow, "elbow"},
	{"@Hand", "@ForeArm", at_wrist, "wrist"},
	{"@HandThumb1", "@Hand", at_thumb1, NULL},
	{"@InHandIndex", "@Hand", at_palm, NULL},
	{"@HandIndex1", "@InHandIndex", at_index1, NULL},
	{"@HandIndex2", "@HandIndex1", at_index2, NULL},
	{"@InHandMiddle", "@Hand", at_palm, NULL},
	{"@HandMiddle1", "@InHandMiddle", at_middle1, NULL},
	{"@HandMiddle2", "@HandMiddle1", at_middle2, NULL},
	{0},
};

static const Line s_motionBuilder[] = {
	{"Reference", NULL, at_ground, NULL},
	{"Hips", "Reference", at_pelvis, "pelvis"},
	{"@UpLeg", "Hips", at_hip, "hip"},
	{"@UpLegRoll", "@UpLeg", at_thighMiddle, NULL},
	{"@Leg", "@UpLegRoll", at_knee, "knee"},
	{"@LegRoll", "@Leg", at_shinMiddle, NULL},
	{"@Foot", "@LegRoll", at_ankle, "ankle"},
	{"@ToeBase", "@Foot", at_ball, "ball"},
	{"Spine", "Hips", at_spine1, "spine"},
	{"Spine1", "Spine", at_chest, "chest"},
	{"@Shoulder", "Spine1", at_clavicle, "clavicle"},
	{"@Arm", "@Shoulder", at_shoulder, "shoulder"},
	{"@ArmRoll", "@Arm", at_armMiddle, NULL},
	{"@ForeArm", "@ArmRoll", at_elbow, "elbow"},
	{"@ForeArmRoll", "@ForeArm", at_forearmMiddle, NULL},
	{"@Hand", "@ForeArmRoll", at_wrist, "wrist"},
	{"Neck", "Spine1", at_neck, "neck"},
	{"Head", "Neck", at_head, "head"},
	{0},
};

// No collar bones, no balls, one joint above the chest.
static const Line s_sparse[] = {
	{"PELVIS", NULL, at_pelvis, "pelvis"},
	{"TORSO", "PELVIS", at_spine1, "spine"},
	{"CHEST", "TORSO", at_chest, "chest"},
	{"HEAD", "CHEST", at_head, "head"},
	{"@SHOULDER", "CHEST", at_shoulder, "shoulder"},
	{"@ELBOW", "@SHOULDER", at_elbow, "elbow"},
	{"@HAND", "@ELBOW", at_wrist, "wrist"},
	{"@THIGH", "PELVIS", at_hip, "hip"},
	{"@KNEE", "@THIGH", at_knee, "knee"},
	{"@FOOT", "@KNEE", at_ankle, "ankle"},
	{0},
};

static const Convention s_conventions[] = {
	{"CMU", "L", "R", s_cmu, true, false},
	{"CMU, bones lost", "L", "R", s_cmuRaw, true, true},
	{"Mixamo", "Left", "Right", s_mixamo, false, false},
	{"Mixamo, underscore", "Left", "Right", s_mixamoFlat, true, false},
	{"Biped", "L", "R", s_biped, false, true},
	{"Biped, old", "L", "R", s_bipedOld, true, true},
	{"Rokoko", "Left", "Right", s_rokoko, true, false},
	{"Xsens MVN", "Left", "Right", s_xsens, true, false},
	{"Xsens BVH", "Left", "Right", s_xsensBvh, true, false},
	{"ASF", "l", "r", s_asf, true, false},
	{"Rigify", "L", "R", s_rigify, true, false},
	{"Rigify deform", "L", "R", s_rigifyDef, true, false},
	{"Unreal", "l", "r", s_unreal, false, false},
	{"DAZ", "l", "r", s_daz, true, false},
	{"DAZ Genesis", "l", "r", s_genesis, false, false},
	{"SMPL", "left", "right", s_smpl, true, false},
	{"classic BVH", "Left", "Right", s_classic, true, false},
	{"Biovision", "Left", "Right", s_biovision, true, false},
	{"OptiTrack", "L", "R", s_optitrack, true, false},
	{"Perception Neuron", "Left", "Right", s_neuron, true, false},
	{"MotionBuilder", "Left", "Right", s_motionBuilder, true, false},
	{"sparse, capitals", "LEFT", "RIGHT", s_sparse, true, false},
};

int testCountBodies(void)
{
	return (int)(sizeof(s_conventions) / sizeof(s_conventions[0]));
}

TestBodyDef testDefaultBodyDef(void)
{
	return (TestBodyDef){.scale = 1.0f, .turn = rpQuat_identity};
}

// '@' becomes the side; "@@" the side in full.
static void spell(char* out, const char* pattern, const char* side)
{
	size_t length = 0;
	for (const char* c = pattern; *c != 0; ++c)
	{
		const char* text = side;
		if (c[0] == '@' && c[1] == '@')
		{
			text = side[0] == 'L' || side[0] == 'l' ? "Left" : "Right";
			++c;
		}
		else if (c[0] != '@')
		{
			out[length++] = *c;
			continue;
		}
		memcpy(out + length, text, strlen(text));
		length += strlen(text);
	}
	out[length] = 0;
}

static rpVec3 getPlace(const TestBodyDef* def, Place place, float side)
{
	rpVec3 p = s_places[place];
	if (def->armsDown && place > at_shoulder)
	{
		rpVec3 shoulder = s_places[at_shoulder];
		p = rpAdd(shoulder, rpRotate(rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, -0.8f), rpSub(p, shoulder)));
	}
	p.x *= side;
	return rpRotate(def->turn, rpScale(def->scale, p));
}

/// What is needed while a body is put together.
typedef struct Maker
{
	const TestBodyDef* def;
	const Convention* convention;
	TestBody* body;
	rpTransform world[128];
	/// The line and the side that each joint came from.
	const Line* lines[128];
	int sides[128];
	int count;
	rpRandom random;
} Maker;

static int findJoint(const Maker* maker, const char* name)
{
	for (int i = 0; i < maker->count; ++i)
	{
		if (strcmp(maker->body->names[i], name) == 0)
		{
			return i;
		}
	}
	return -1;
}

static rpRole getRole(const char* part, int side)
{
	char name[64];
	snprintf(name, sizeof(name), "%s%s", side > 0 ? "left_" : side < 0 ? "right_" : "", part);
	return rpRole_Find(name);
}

static void addJoint(Maker* maker, const Line* line, int side)
{
	const char* text = side >= 0 ? maker->convention->left : maker->convention->right;
	TestBody* body = maker->body;
	int i = maker->count;
	rpJoint* joint = body->joints + i;
	char parent[64];
	*joint = rpDefaultJoint();
	spell(body->names[i], line->name, text);
	if (line->parent != NULL)
	{
		spell(parent, line->parent, text);
		joint->parent = findJoint(maker, parent);
	}
	joint->name = body->names[i];
	if (maker->def->turnedFrames)
	{
		joint->rest = rpExpQuat((rpVec3){rpRandom_Normal(&maker->random), rpRandom_Normal(&maker->random), 0.5f});
	}
	// The frame of the world is kept, the offset is what leads there.
	rpVec3 place = getPlace(maker->def, line->place, side < 0 ? -1.0f : 1.0f);
	rpTransform above = joint->parent >= 0 ? maker->world[joint->parent] : (rpTransform){place, rpQuat_identity};
	joint->offset = rpRotate(rpConjugate(above.q), rpSub(place, above.p));
	maker->world[i] = (rpTransform){place, rpMulQuat(above.q, joint->rest)};
	body->expected[i] = line->part != NULL ? getRole(line->part, side) : rp_roleNone;
	maker->lines[i] = line;
	maker->sides[i] = side;
	maker->count = i + 1;
}

static void findMirrors(Maker* maker)
{
	for (int i = 0; i < maker->count; ++i)
	{
		for (int j = 0; j < maker->count; ++j)
		{
			if (maker->lines[i] == maker->lines[j] && maker->sides[i] == -maker->sides[j])
			{
				maker->body->mirrors[i] = j;
			}
		}
	}
}

static void addEnd(Maker* maker, int joint, Place place, float side)
{
	rpTransform world = maker->world[joint];
	rpVec3 p = getPlace(maker->def, place, side);
	maker->body->ends[maker->body->def.endCount++] =
		(rpEndSite){NULL, joint, rpRotate(rpConjugate(world.q), rpSub(p, world.p))};
}

static bool isLeaf(const Maker* maker, int joint)
{
	for (int i = joint + 1; i < maker->count; ++i)
	{
		if (maker->body->joints[i].parent == joint)
		{
			return false;
		}
	}
	return true;
}

static void addEnds(Maker* maker)
{
	for (int i = 0; i < maker->count; ++i)
	{
		rpRole role = maker->body->expected[i];
		if (!isLeaf(maker, i))
		{
			continue;
		}
		if (role == rp_roleHead)
		{
			addEnd(maker, i, at_headTop, 1.0f);
		}
		else if (role == rp_roleLeftBall || role == rp_roleLeftAnkle)
		{
			addEnd(maker, i, at_toe, 1.0f);
		}
		else if (role == rp_roleRightBall || role == rp_roleRightAnkle)
		{
			addEnd(maker, i, at_toe, -1.0f);
		}
		else if (role == rp_roleLeftWrist || role == rp_roleRightWrist)
		{
			addEnd(maker, i, at_handTip, role == rp_roleLeftWrist ? 1.0f : -1.0f);
		}
	}
}

static void hideNames(Maker* maker)
{
	for (int i = 0; i < maker->count; ++i)
	{
		snprintf(maker->body->names[i], sizeof(maker->body->names[i]), "joint%d", (i * 37 + 11) % 128);
	}
}

// Exchange the names of each pair of joints.
static void swapNames(Maker* maker)
{
	for (int i = 0; i + 1 < maker->count; ++i)
	{
		rpRole role = maker->body->expected[i];
		for (int j = i + 1; j < maker->count; ++j)
		{
			if (role != rp_roleNone && rpRole_Mirror(role) != role && maker->body->expected[j] == rpRole_Mirror(role))
			{
				char name[64];
				memcpy(name, maker->body->names[i], 64);
				memcpy(maker->body->names[i], maker->body->names[j], 64);
				memcpy(maker->body->names[j], name, 64);
				maker->body->expected[i] = maker->body->expected[j];
				maker->body->expected[j] = role;
				break;
			}
		}
	}
}

static void addSide(Maker* maker, const Line* line, int side)
{
	// A run of sided lines is one side's limb after the other.
	for (; line->name != NULL && strchr(line->name, '@') != NULL; ++line)
	{
		addJoint(maker, line, side);
	}
}

void testLayOutBody(const TestBodyDef* def, TestBody* body)
{
	Maker maker = {.def = def, .convention = s_conventions + def->convention, .body = body, .random = rpSeedRandom(9)};
	memset(body, 0, sizeof(*body));
	body->convention = maker.convention->name;
	body->shapeIsMisleading = maker.convention->shapeIsMisleading;
	for (const Line* line = maker.convention->lines; line->name != NULL;)
	{
		if (strchr(line->name, '@') == NULL)
		{
			addJoint(&maker, line++, 0);
			continue;
		}
		addSide(&maker, line, def->rightFirst ? -1 : 1);
		addSide(&maker, line, def->rightFirst ? 1 : -1);
		while (line->name != NULL && strchr(line->name, '@') != NULL)
		{
			++line;
		}
	}
	body->def = rpDefaultSkeletonDef();
	findMirrors(&maker);
	if (maker.convention->ends)
	{
		addEnds(&maker);
	}
	if (def->swappedNames)
	{
		swapNames(&maker);
	}
	if (def->nonsense)
	{
		hideNames(&maker);
	}
	body->def.joints = body->joints;
	body->def.jointCount = maker.count;
	body->def.ends = body->ends;
}
