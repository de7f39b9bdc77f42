#include "walker.h"

#include "support.h"

#include <string.h>

typedef struct Limb
{
	const char* name;
	int parent;
	rpVec3 offset;
} Limb;

#define SIDE(s, hip, l)                                                                                   \
	{l "HipJoint", 0, {0.0f, 0.0f, 0.0f}}, {s "UpLeg", hip, {(hip < 6 ? 1 : -1) * 0.09f, -0.10f, 0.03f}}, \
		{s "Leg", hip + 1, {0.0f, -0.43f, 0.0f}}, {s "Foot", hip + 2, {0.0f, -0.42f, 0.0f}},              \
	{                                                                                                     \
		s "ToeBase", hip + 3,                                                                             \
		{                                                                                                 \
			0.0f, -0.06f, 0.13f                                                                           \
		}                                                                                                 \
	}

#define ARM(s, l, first, sign)                                                                                   \
	{s "Shoulder", 13, {0.0f, 0.12f, -0.01f}}, {s "Arm", first, {(sign)*0.19f, 0.05f, 0.0f}},                    \
		{s "ForeArm", first + 1, {(sign)*0.29f, 0.0f, 0.0f}}, {s "Hand", first + 2, {(sign)*0.20f, 0.0f, 0.0f}}, \
		{s "FingerBase", first + 3, {(sign)*0.10f, 0.0f, 0.0f}},                                                 \
		{s "HandIndex1", first + 4, {(sign)*0.07f, 0.0f, 0.0f}},                                                 \
	{                                                                                                            \
		l "Thumb", first + 3,                                                                                    \
		{                                                                                                        \
			(sign) * 0.10f, 0.0f, 0.0f                                                                           \
		}                                                                                                        \
	}

static const Limb s_limbs[] = {
	{"Hips", -1, {0.0f, 0.0f, 0.0f}},
	SIDE("Left", 1, "L"),
	SIDE("Right", 6, "R"),
	{"LowerBack", 0, {0.0f, 0.0f, 0.0f}},
	{"Spine", 11, {0.0f, 0.12f, -0.01f}},
	{"Spine1", 12, {0.0f, 0.12f, -0.01f}},
	{"Neck", 13, {0.0f, 0.12f, -0.01f}},
	{"Neck1", 14, {0.0f, 0.09f, 0.01f}},
	{"Head", 15, {0.0f, 0.09f, 0.0f}},
	ARM("Left", "L", 17, 1.0f),
	ARM("Right", "R", 24, -1.0f),
};
enum
{
	limbCount = sizeof(s_limbs) / sizeof(s_limbs[0])
};

static rpSkeleton* makeBody(void)
{
	static const rpEndSite ends[] = {
		{"", 5, {0.0f, 0.0f, 0.06f}},    {"", 10, {0.0f, 0.0f, 0.06f}},  {"", 16, {0.0f, 0.10f, 0.0f}},
		{"", 22, {0.04f, 0.0f, 0.0f}},   {"", 23, {0.06f, 0.0f, 0.05f}}, {"", 29, {-0.04f, 0.0f, 0.0f}},
		{"", 30, {-0.06f, 0.0f, 0.05f}},
	};
	rpJoint joints[limbCount];
	for (int i = 0; i < limbCount; ++i)
	{
		joints[i] = rpDefaultJoint();
		joints[i].name = s_limbs[i].name;
		joints[i].parent = s_limbs[i].parent;
		joints[i].offset = s_limbs[i].offset;
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = limbCount;
	def.ends = ends;
	def.endCount = (int)(sizeof(ends) / sizeof(ends[0]));
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	return skeleton;
}

int testFindJoint(const rpMotion* motion, const char* name)
{
	int joint = rpSkeleton_FindJoint(motion->skeleton, name);
	assert_true(joint >= 0);
	return joint;
}

rpQuat* testRotation(rpMotion* motion, int frame, int joint)
{
	return motion->rotations + (size_t)frame * (size_t)motion->skeleton->jointCount + joint;
}

void testSetJoints(rpMotion* motion, const rpJoint* joints)
{
	rpSkeletonDef def = rpSkeleton_GetDef(motion->skeleton);
	def.joints = joints;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	rpReleaseSkeleton(motion->skeleton);
	motion->skeleton = skeleton;
}

static void bend(rpMotion* motion, int frame, const char* name, rpVec3 degrees)
{
	rpVec3 angles = rpScale((float)RP_DEGREE, degrees);
	*testRotation(motion, frame, testFindJoint(motion, name)) = rpFromEuler(angles, rp_orderZYX);
}

static void poseSide(rpMotion* motion, int frame, float phase, bool left)
{
	float swing = sinf(phase), lift = fmaxf(0.0f, sinf(phase + 1.2f)), arm = left ? -75.0f : 75.0f;
	bend(motion, frame, left ? "LeftUpLeg" : "RightUpLeg", (rpVec3){-25.0f * swing - 8.0f, 2.0f, 1.5f});
	bend(motion, frame, left ? "LeftLeg" : "RightLeg", (rpVec3){10.0f + 45.0f * lift, 0.5f, 0.7f});
	bend(motion, frame, left ? "LeftFoot" : "RightFoot", (rpVec3){8.0f * swing, 3.0f, 1.0f});
	bend(motion, frame, left ? "LeftToeBase" : "RightToeBase", (rpVec3){-12.0f * lift, 0.0f, 0.3f});
	bend(motion, frame, left ? "LeftArm" : "RightArm", (rpVec3){20.0f * swing, 4.0f, arm});
	bend(motion, frame, left ? "LeftForeArm" : "RightForeArm", (rpVec3){0.0f, arm * -0.4f - 5.0f * swing, 0.0f});
	bend(motion, frame, left ? "LeftHand" : "RightHand", (rpVec3){6.0f * swing, 0.0f, 0.0f});
	bend(motion, frame, left ? "LeftFingerBase" : "RightFingerBase", (rpVec3){0.0f, 0.0f, 5.0f + 3.0f * lift});
	bend(motion, frame, left ? "LThumb" : "RThumb", (rpVec3){30.0f, 20.0f + swing, 0.0f});
}

static void poseFrame(rpMotion* motion, int frame)
{
	float time = (float)(frame / motion->fps), phase = 6.0f * time;
	motion->rootPositions[frame] =
		(rpVec3){0.9f + 0.02f * sinf(phase), 0.96f + 0.02f * cosf(2.0f * phase), -1.5f + 1.2f * time};
	bend(motion, frame, "Hips", (rpVec3){2.0f, 6.0f * sinf(phase), 1.0f + 2.0f * cosf(phase)});
	bend(motion, frame, "LowerBack", (rpVec3){3.0f, -3.0f * sinf(phase), 1.0f});
	bend(motion, frame, "Spine", (rpVec3){2.0f, -3.0f * sinf(phase), 0.5f * cosf(phase)});
	bend(motion, frame, "Spine1", (rpVec3){1.0f, -3.0f * sinf(phase), 0.5f});
	bend(motion, frame, "Neck", (rpVec3){-4.0f, 2.0f * sinf(phase), 0.5f});
	bend(motion, frame, "Neck1", (rpVec3){-3.0f, 1.0f * sinf(phase), 0.2f});
	bend(motion, frame, "Head", (rpVec3){-1.0f, 1.0f * sinf(phase + 0.4f), 0.1f});
	poseSide(motion, frame, phase, true);
	poseSide(motion, frame, phase + (float)RP_PI, false);
}

rpMotion* testMakeWalker(double fps, int frameCount)
{
	rpSkeleton* skeleton = makeBody();
	rpMotion* motion = rpCreateMotion(skeleton, "walker", fps, frameCount, NULL);
	rpReleaseSkeleton(skeleton);
	assert_non_null(motion);
	rpRandom random = rpSeedRandom(7);
	for (int frame = 0; frame < frameCount; ++frame)
	{
		poseFrame(motion, frame);
		for (int i = 0; i < limbCount; ++i)
		{
			rpVec3 noise = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random)};
			bool dummy = strstr(s_limbs[i].name, "Joint") != NULL || strstr(s_limbs[i].name, "Shoulder") != NULL;
			rpQuat* q = testRotation(motion, frame, i);
			*q = dummy ? *q : rpNormalizeQuat(rpMulQuat(*q, rpExpQuat(rpScale(0.001f, noise))));
		}
	}
	rpMotion_FixHemispheres(motion);
	return motion;
}

rpMotion* testAddRestRow(rpMotion* motion)
{
	rpMotion* out = rpCreateMotion(motion->skeleton, motion->name, motion->fps, motion->frameCount + 1, NULL);
	assert_non_null(out);
	size_t jointCount = (size_t)motion->skeleton->jointCount, count = (size_t)motion->frameCount;
	memcpy(out->rootPositions + 1, motion->rootPositions, count * sizeof(rpVec3));
	memcpy(out->rotations + jointCount, motion->rotations, count * jointCount * sizeof(rpQuat));
	out->rootPositions[0] = motion->rootPositions[0];
	for (size_t i = 0; i < jointCount; ++i)
	{
		out->rotations[i] = rpQuat_identity;
	}
	bend(out, 0, "LeftArm", (rpVec3){0.0f, 0.0f, -8.0f});
	bend(out, 0, "RightArm", (rpVec3){0.0f, 0.0f, 8.0f});
	bend(out, 0, "LeftUpLeg", (rpVec3){0.0f, 0.0f, -3.0f});
	bend(out, 0, "RightUpLeg", (rpVec3){0.0f, 0.0f, 3.0f});
	bend(out, 0, "Neck", (rpVec3){-16.0f, 0.0f, 0.0f});
	rpDestroyMotion(motion);
	return out;
}
