/// Left and right exchanged, on bodies whose joint frames are mirror images and on bodies where they are not.
#include "edit_scene.h"

#include <string.h>

static rpVec3 reflect(rpVec3 v)
{
	return (rpVec3){-v.x, v.y, v.z};
}

// The definition: every joint and end site is where the reflection of its counterpart is.
static float measureReflection(const rpMotion* motion, const rpMotion* result)
{
	const rpSkeleton* skeleton = motion->skeleton;
	rpTransform before[RP_MAX_JOINTS], after[RP_MAX_JOINTS];
	float largest = 0.0f;
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpMotion_Forward(motion, frame, before);
		rpMotion_Forward(result, frame, after);
		for (int i = 0; i < skeleton->jointCount; ++i)
		{
			rpVec3 place = after[skeleton->joints[i].mirror].p;
			largest = fmaxf(largest, rpDistance(reflect(before[i].p), place));
		}
		for (int i = 0; i < skeleton->endCount; ++i)
		{
			rpEndSite end = skeleton->ends[i], other = skeleton->ends[skeleton->endCount - 1 - i];
			rpVec3 place = rpTransformPoint(after[other.joint], other.offset);
			largest = fmaxf(largest, rpDistance(reflect(rpTransformPoint(before[end.joint], end.offset)), place));
		}
	}
	return largest;
}

static void checkMirror(const rpSkeleton* body, bool withTranslations)
{
	rpMotion* motion = testMakeMotion(body, "take", 30.0, 60, 5);
	testAnnotate(motion);
	if (withTranslations)
	{
		testAddTranslations(motion);
	}
	rpMotion* result = rpMirrorMotion(motion, NULL);
	assert_non_null(result);
	testCheckMotion(result);
	assert_string_equal(result->name, "take");
	assert_int_equal(result->inputCount, 1);
	assert_true(measureReflection(motion, result) < 1e-5f);
	rpMotion* back = rpMirrorMotion(result, NULL);
	assert_true(rpMotion_Agrees(motion, back, 1e-5f));
	for (int i = 0; i < 60 * body->jointCount; ++i)
	{
		assert_true(rpAngleBetween(motion->rotations[i], back->rotations[i]) < 1e-5f);
	}
	assert_true(testAnnotationsAgree(&motion->annotations, &back->annotations, 0.0));
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
	rpDestroyMotion(back);
}

static void testEvenFrames(void** state)
{
	(void)state;
	rpSkeleton* body = testMakePuppet(false);
	checkMirror(body, false);
	checkMirror(body, true);
	rpReleaseSkeleton(body);
}

static void testTwistedFrames(void** state)
{
	(void)state;
	rpSkeleton* body = testMakePuppet(true);
	checkMirror(body, false);
	checkMirror(body, true);
	rpReleaseSkeleton(body);
}

// The simple rule, written down on its own.
static void testLocalRule(void** state)
{
	(void)state;
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, "take", 30.0, 10, 5);
	rpMotion* result = rpMirrorMotion(motion, NULL);
	for (int i = 0; i < 10 * body->jointCount; ++i)
	{
		int joint = i % body->jointCount, other = i - joint + body->joints[joint].mirror;
		rpQuat q = motion->rotations[i], expected = {q.w, q.x, -q.y, -q.z};
		assert_memory_equal(result->rotations + other, &expected, sizeof(rpQuat));
	}
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
	rpReleaseSkeleton(body);
}

static rpSkeleton* changeBody(const rpSkeleton* body, void (*change)(rpJoint*, int), rpEndSite* ends)
{
	rpJoint joints[16];
	rpSkeletonDef def = rpSkeleton_GetDef(body);
	for (int i = 0; i < def.jointCount; ++i)
	{
		joints[i] = def.joints[i];
		change(joints + i, i);
	}
	def.joints = joints;
	def.ends = ends != NULL ? ends : def.ends;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	for (int i = 0; i < def.jointCount; ++i)
	{
		((rpJoint*)(uintptr_t)skeleton->joints)[i].mirror = joints[i].mirror;
	}
	return skeleton;
}

static void forgetRest(rpJoint* joint, int index)
{
	(void)index;
	joint->rest = rpQuat_identity;
}

// A file whose joint axes follow the bones, with no rest pose to go by: all angles zero is no posture at all.
static void testFramesAlongBones(void** state)
{
	(void)state;
	rpSkeleton* twisted = testMakePuppet(true);
	rpSkeleton* body = changeBody(twisted, forgetRest, NULL);
	checkMirror(body, false);
	checkMirror(body, true);
	rpReleaseSkeleton(twisted);
	rpReleaseSkeleton(body);
}

static const rpQuat s_aboutY = {0.70710678f, 0.0f, 0.70710678f, 0.0f};
static const rpQuat s_aboutZ = {0.70710678f, 0.0f, 0.0f, 0.70710678f};

static void turnToZ(rpJoint* joint, int index)
{
	(void)index;
	joint->offset = rpRotate(s_aboutY, joint->offset);
}

static void layDown(rpJoint* joint, int index)
{
	(void)index;
	joint->offset = rpRotate(s_aboutZ, joint->offset);
}

// A body that faces +X in its rest pose, and one whose spine lies along x there: sides are found, not assumed.
static void testOtherRestPoses(void** state)
{
	(void)state;
	rpSkeleton* even = testMakePuppet(false);
	for (int n = 0; n < 2; ++n)
	{
		rpEndSite ends[2] = {even->ends[0], even->ends[1]};
		for (int i = 0; i < 2; ++i)
		{
			ends[i].offset = rpRotate(n == 0 ? s_aboutY : s_aboutZ, ends[i].offset);
		}
		rpSkeleton* body = changeBody(even, n == 0 ? turnToZ : layDown, ends);
		checkMirror(body, false);
		checkMirror(body, true);
		rpReleaseSkeleton(body);
	}
	rpReleaseSkeleton(even);
}

static void makeUneven(rpJoint* joint, int index)
{
	joint->offset = rpScale(1.0f + 0.02f * (float)index, joint->offset);
	joint->offset.x += 0.01f * (float)(index % 3);
}

// Rotations change sides exactly; the bones stay what they are.
static void testUnevenBody(void** state)
{
	(void)state;
	rpSkeleton* even = testMakePuppet(false);
	rpSkeleton* body = changeBody(even, makeUneven, NULL);
	rpMotion* motion = testMakeMotion(body, "take", 30.0, 40, 5);
	rpMotion* result = rpMirrorMotion(motion, NULL);
	assert_ptr_equal(result->skeleton, body);
	assert_true(measureReflection(motion, result) < 0.2f);
	rpMotion* back = rpMirrorMotion(result, NULL);
	assert_memory_equal(back->rotations, motion->rotations, 400 * sizeof(rpQuat));
	assert_memory_equal(back->rootPositions, motion->rootPositions, 40 * sizeof(rpVec3));
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
	rpDestroyMotion(back);
	rpReleaseSkeleton(even);
	rpReleaseSkeleton(body);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEvenFrames),       cmocka_unit_test(testTwistedFrames),  cmocka_unit_test(testLocalRule),
		cmocka_unit_test(testFramesAlongBones), cmocka_unit_test(testOtherRestPoses), cmocka_unit_test(testUnevenBody),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
