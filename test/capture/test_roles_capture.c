#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The hierarchy of a BVH file, read by a plain tokenizer of this test's own: roles must not hang on the reader.
typedef struct Hierarchy
{
	rpJoint joints[128];
	char names[128][64];
	rpEndSite ends[64];
	rpSkeletonDef def;
} Hierarchy;

static char* readToken(char** text)
{
	char* start = *text + strspn(*text, " \t\r\n");
	char* end = start + strcspn(start, " \t\r\n");
	*text = *end != 0 ? end + 1 : end;
	*end = 0;
	return start;
}

static rpVec3 readVector(char** text)
{
	float v[3];
	for (int i = 0; i < 3; ++i)
	{
		v[i] = strtof(readToken(text), NULL);
	}
	return (rpVec3){v[0], v[1], v[2]};
}

static void addJoint(Hierarchy* h, int parent, const char* name)
{
	int i = h->def.jointCount++;
	assert_true(i < 128);
	snprintf(h->names[i], sizeof(h->names[i]), "%s", name);
	h->joints[i] = rpDefaultJoint();
	h->joints[i].name = h->names[i];
	h->joints[i].parent = parent;
}

static void readHierarchy(const char* path, Hierarchy* h)
{
	memset(h, 0, sizeof(*h));
	h->def = rpDefaultSkeletonDef();
	char* file = testReadFile(path, NULL);
	assert_non_null(file);
	char* text = file;
	int stack[64], depth = 0, current = -1;
	bool inEnd = false;
	for (char* token = readToken(&text); strcmp(token, "MOTION") != 0; token = readToken(&text))
	{
		assert_true(*token != 0);
		if (strcmp(token, "ROOT") == 0 || strcmp(token, "JOINT") == 0)
		{
			addJoint(h, current, readToken(&text));
		}
		else if (strcmp(token, "End") == 0)
		{
			readToken(&text);
			inEnd = true;
		}
		else if (strcmp(token, "{") == 0)
		{
			stack[depth++] = current;
			current = inEnd ? current : h->def.jointCount - 1;
		}
		else if (strcmp(token, "}") == 0)
		{
			current = stack[--depth];
			inEnd = false;
		}
		else if (strcmp(token, "OFFSET") == 0 && inEnd)
		{
			rpVec3 offset = readVector(&text);
			h->ends[h->def.endCount++] = (rpEndSite){NULL, current, offset};
		}
		else if (strcmp(token, "OFFSET") == 0)
		{
			h->joints[current].offset = readVector(&text);
		}
	}
	free(file);
	h->def.joints = h->joints;
	h->def.ends = h->ends;
}

static const char* const s_cmuRoles[rp_roleCount] = {
	[rp_rolePelvis] = "Hips",
	[rp_roleSpine] = "Spine",
	[rp_roleChest] = "Spine1",
	[rp_roleNeck] = "Neck",
	[rp_roleHead] = "Head",
	[rp_roleLeftClavicle] = "LeftShoulder",
	[rp_roleLeftShoulder] = "LeftArm",
	[rp_roleLeftElbow] = "LeftForeArm",
	[rp_roleLeftWrist] = "LeftHand",
	[rp_roleLeftHip] = "LeftUpLeg",
	[rp_roleLeftKnee] = "LeftLeg",
	[rp_roleLeftAnkle] = "LeftFoot",
	[rp_roleLeftBall] = "LeftToeBase",
	[rp_roleRightClavicle] = "RightShoulder",
	[rp_roleRightShoulder] = "RightArm",
	[rp_roleRightElbow] = "RightForeArm",
	[rp_roleRightWrist] = "RightHand",
	[rp_roleRightHip] = "RightUpLeg",
	[rp_roleRightKnee] = "RightLeg",
	[rp_roleRightAnkle] = "RightFoot",
	[rp_roleRightBall] = "RightToeBase",
};

static const char* const s_dazRoles[rp_roleCount] = {
	[rp_rolePelvis] = "hip",
	[rp_roleSpine] = "abdomen",
	[rp_roleChest] = "chest",
	[rp_roleNeck] = "neck",
	[rp_roleHead] = "head",
	[rp_roleLeftClavicle] = "lCollar",
	[rp_roleLeftShoulder] = "lShldr",
	[rp_roleLeftElbow] = "lForeArm",
	[rp_roleLeftWrist] = "lHand",
	[rp_roleLeftHip] = "lThigh",
	[rp_roleLeftKnee] = "lShin",
	[rp_roleLeftAnkle] = "lFoot",
	[rp_roleRightClavicle] = "rCollar",
	[rp_roleRightShoulder] = "rShldr",
	[rp_roleRightElbow] = "rForeArm",
	[rp_roleRightWrist] = "rHand",
	[rp_roleRightHip] = "rThigh",
	[rp_roleRightKnee] = "rShin",
	[rp_roleRightAnkle] = "rFoot",
};

static void assertRoles(const char* path, const rpSkeleton* skeleton, const char* const* expected)
{
	for (int role = rp_roleNone + 1; role < rp_roleCount; ++role)
	{
		int joint = skeleton->roles[role];
		const char* name = joint >= 0 ? skeleton->joints[joint].name : "nothing";
		const char* wanted = expected[role] != NULL ? expected[role] : "nothing";
		if (strcmp(name, wanted) != 0)
		{
			fail_msg("%s: %s is %s, expected %s", path, rpRole_GetName((rpRole)role), name, wanted);
		}
	}
}

static void assertMirrors(const rpSkeleton* skeleton)
{
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		int mirror = skeleton->joints[i].mirror;
		int parent = skeleton->parents[i];
		char name[64];
		assert_int_equal(skeleton->joints[mirror].mirror, i);
		assert_int_equal(skeleton->parents[mirror], parent < 0 ? -1 : skeleton->joints[parent].mirror);
		// By name: Left to Right, L to R, l to r, each at the start.
		snprintf(name, sizeof(name), "%s", skeleton->joints[i].name);
		const char* other = skeleton->joints[mirror].name;
		if (strncmp(name, "Left", 4) == 0)
		{
			assert_string_equal(name + 4, other + 5);
		}
		else if (name[0] == 'L' && name[1] != 'o')
		{
			assert_true(other[0] == 'R');
			assert_string_equal(name + 1, other + 1);
		}
	}
}

static rpVec3 getEffector(const rpSkeleton* skeleton, const rpTransform* rest, rpEffector effector)
{
	rpAttachment at = skeleton->effectors[effector];
	assert_true(at.joint >= 0);
	return rpTransformPoint(rest[at.joint], at.offset);
}

// The feet stand level, with the heel behind, in a body that faces +Z.
static void assertFeet(const rpSkeleton* skeleton)
{
	rpTransform rest[128];
	rpSkeleton_GetRest(skeleton, rest);
	for (int side = 0; side < 2; ++side)
	{
		rpVec3 heel = getEffector(skeleton, rest, side == 0 ? rp_leftHeel : rp_rightHeel);
		rpVec3 ball = getEffector(skeleton, rest, side == 0 ? rp_leftBall : rp_rightBall);
		rpVec3 toe = getEffector(skeleton, rest, side == 0 ? rp_leftToe : rp_rightToe);
		rpVec3 ankle = rest[skeleton->roles[side == 0 ? rp_roleLeftAnkle : rp_roleRightAnkle]].p;
		float foot = toe.z - heel.z;
		assert_true(heel.z < ankle.z && ankle.z < ball.z && ball.z < toe.z);
		assert_float_equal(heel.y, ball.y, 1e-3f * skeleton->height);
		assert_true(foot > 0.08f * skeleton->height && foot < 0.22f * skeleton->height);
	}
}

static void testEveryTake(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths);
	assert_int_equal(count, 222);
	for (int i = 0; i < count; ++i)
	{
		static Hierarchy h;
		readHierarchy(paths[i], &h);
		rpSkeleton* skeleton = rpCreateSkeleton(&h.def, NULL);
		assert_non_null(skeleton);
		assertRoles(paths[i], skeleton, s_cmuRoles);
		assertMirrors(skeleton);
		assertFeet(skeleton);
		rpReleaseSkeleton(skeleton);
	}
}

// The shape of each person alone: limbs and sides without a single name. The trunk of these files has lost a bone.
static void testEveryTakeWithoutNames(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths);
	for (int i = 0; i < count; ++i)
	{
		static Hierarchy h;
		readHierarchy(paths[i], &h);
		rpSkeleton* named = rpCreateSkeleton(&h.def, NULL);
		assert_non_null(named);
		for (int n = 0; n < h.def.jointCount; ++n)
		{
			snprintf(h.names[n], sizeof(h.names[n]), "Bone.%03d", n);
		}
		rpSkeleton* skeleton = rpCreateSkeleton(&h.def, NULL);
		assert_non_null(skeleton);
		for (int role = rp_roleNone + 1; role < rp_roleCount; ++role)
		{
			if (role != rp_roleNeck && skeleton->roles[role] != named->roles[role])
			{
				fail_msg("%s: %s is joint %d by shape, %d by name", paths[i], rpRole_GetName((rpRole)role),
						 skeleton->roles[role], named->roles[role]);
			}
		}
		for (int n = 0; n < skeleton->jointCount; ++n)
		{
			assert_int_equal(skeleton->joints[skeleton->joints[n].mirror].mirror, n);
			assert_int_equal(skeleton->joints[n].mirror, named->joints[n].mirror);
		}
		rpReleaseSkeleton(skeleton);
		rpReleaseSkeleton(named);
	}
}

static void readOther(const char* name, Hierarchy* h)
{
	char path[1024];
	snprintf(path, sizeof(path), "%s/formats/bvh_other/%s", testMocap(), name);
	readHierarchy(path, h);
}

static void testOtherFiles(void** state)
{
	(void)state;
	static Hierarchy h;
	readOther("threejs_pirouette.bvh", &h);
	rpSkeleton* skeleton = rpCreateSkeleton(&h.def, NULL);
	assert_non_null(skeleton);
	assertRoles("threejs_pirouette.bvh", skeleton, s_dazRoles);
	assertMirrors(skeleton);
	assertFeet(skeleton);
	assert_int_equal(skeleton->joints[rpSkeleton_FindJoint(skeleton, "lPinky2")].mirror,
					 rpSkeleton_FindJoint(skeleton, "rPinky2"));
	assert_int_equal(skeleton->joints[rpSkeleton_FindJoint(skeleton, "leftEye")].mirror,
					 rpSkeleton_FindJoint(skeleton, "rightEye"));
	rpReleaseSkeleton(skeleton);

	readOther("cmu_76_07_tiny.bvh", &h);
	skeleton = rpCreateSkeleton(&h.def, NULL);
	assert_non_null(skeleton);
	assertRoles("cmu_76_07_tiny.bvh", skeleton, s_cmuRoles);
	rpReleaseSkeleton(skeleton);

	// A chain that is no body.
	readOther("fairmotion_sinusoidal.bvh", &h);
	skeleton = rpCreateSkeleton(&h.def, NULL);
	assert_non_null(skeleton);
	for (int role = 0; role < rp_roleCount; ++role)
	{
		assert_int_equal(skeleton->roles[role], -1);
	}
	rpReleaseSkeleton(skeleton);
}

static const char* const s_asfRoles[rp_roleCount] = {
	[rp_rolePelvis] = "root",
	[rp_roleSpine] = "upperback",
	[rp_roleChest] = "thorax",
	[rp_roleNeck] = "lowerneck",
	[rp_roleHead] = "head",
	[rp_roleLeftClavicle] = "lclavicle",
	[rp_roleLeftShoulder] = "lhumerus",
	[rp_roleLeftElbow] = "lradius",
	[rp_roleLeftWrist] = "lwrist",
	[rp_roleLeftHip] = "lfemur",
	[rp_roleLeftKnee] = "ltibia",
	[rp_roleLeftAnkle] = "lfoot",
	[rp_roleLeftBall] = "ltoes",
	[rp_roleRightClavicle] = "rclavicle",
	[rp_roleRightShoulder] = "rhumerus",
	[rp_roleRightElbow] = "rradius",
	[rp_roleRightWrist] = "rwrist",
	[rp_roleRightHip] = "rfemur",
	[rp_roleRightKnee] = "rtibia",
	[rp_roleRightAnkle] = "rfoot",
	[rp_roleRightBall] = "rtoes",
};

static void testAcclaim(void** state)
{
	(void)state;
	static const char* const names[] = {"09_06.amc", "11_01.amc"};
	for (int i = 0; i < 2; ++i)
	{
		char path[1024];
		rpError error = {0};
		snprintf(path, sizeof(path), "%s/formats/asf_amc/%s", testMocap(), names[i]);
		rpMotion* motion = rpLoadMotion(path, NULL, NULL, &error);
		assert_non_null(motion);
		assertRoles(path, motion->skeleton, s_asfRoles);
		assertFeet(motion->skeleton);
		rpDestroyMotion(motion);
	}
}

static int compareHeights(const void* a, const void* b)
{
	float x = *(const float*)a, y = *(const float*)b;
	return (x > y) - (x < y);
}

// How low an effector comes: the height that it is under in one frame of fifty.
static float findLow(const rpMotion* motion, rpEffector effector)
{
	float* heights = malloc((size_t)motion->frameCount * sizeof(float));
	for (int i = 0; i < motion->frameCount; ++i)
	{
		rpVec3 place;
		assert_true(rpMotion_GetEffector(motion, i, effector, &place));
		heights[i] = place.y;
	}
	qsort(heights, (size_t)motion->frameCount, sizeof(float), compareHeights);
	float low = heights[motion->frameCount / 50];
	free(heights);
	return low;
}

// In every walk of one person the virtual heels come down as far as the captured balls, and both to the floor.
static void testHeelsReachTheFloor(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths), walks = 0;
	for (int i = 0; i < count; ++i)
	{
		if (strstr(paths[i], "/069/") == NULL)
		{
			continue;
		}
		rpMotion* motion = rpLoadMotion(paths[i], NULL, NULL, NULL);
		assert_non_null(motion);
		assertRoles(paths[i], motion->skeleton, s_cmuRoles);
		for (int side = 0; side < 2; ++side)
		{
			float heel = findLow(motion, side == 0 ? rp_leftHeel : rp_rightHeel);
			float ball = findLow(motion, side == 0 ? rp_leftBall : rp_rightBall);
			float toe = findLow(motion, side == 0 ? rp_leftToe : rp_rightToe);
			assert_true(heel > -0.03f && heel < 0.07f);
			assert_true(toe > -0.03f && toe < 0.07f);
			assert_float_equal(heel, ball, 0.035f);
		}
		rpDestroyMotion(motion);
		++walks;
	}
	assert_int_equal(walks, 22);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testEveryTake), cmocka_unit_test(testEveryTakeWithoutNames), cmocka_unit_test(testOtherFiles),
		cmocka_unit_test(testAcclaim),   cmocka_unit_test(testHeelsReachTheFloor),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
