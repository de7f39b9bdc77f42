#include "bodies.h"
#include "motion/role_names.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

static rpQuat turnTo(int axes)
{
	rpQuat zUp = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(0.5 * RP_PI));
	switch (axes)
	{
	case 1: // Z up, facing -Y
		return zUp;
	case 2: // Z up, facing +X
		return rpMulQuat(rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, (float)(0.5 * RP_PI)), zUp);
	case 3: // Y up, facing -Z
		return rpYaw((float)RP_PI);
	case 4: // X up
		return rpAxisAngle((rpVec3){0.0f, 0.0f, 1.0f}, (float)(-0.5 * RP_PI));
	default:
		return rpQuat_identity;
	}
}

// Compare with the expected roles, say each that is wrong, and return their number.
static int countWrong(const TestBody* body, const rpSkeleton* skeleton)
{
	int wrong = 0;
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		if (skeleton->joints[i].role != body->expected[i])
		{
			printf("%s: \"%s\" (%d) is %s, expected %s\n", body->convention, body->joints[i].name, i,
				   rpRole_GetName(skeleton->joints[i].role), rpRole_GetName(body->expected[i]));
			++wrong;
		}
	}
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		if (skeleton->joints[i].mirror != body->mirrors[i])
		{
			printf("%s: \"%s\" (%d) is paired with %d, expected %d\n", body->convention, body->joints[i].name, i,
				   skeleton->joints[i].mirror, body->mirrors[i]);
			++wrong;
		}
	}
	return wrong;
}

static int tryBody(const TestBodyDef* def)
{
	static TestBody body;
	rpError error = {0};
	testLayOutBody(def, &body);
	rpSkeleton* skeleton = rpCreateSkeleton(&body.def, &error);
	assert_non_null(skeleton);
	int wrong = countWrong(&body, skeleton);
	rpReleaseSkeleton(skeleton);
	return wrong;
}

// Every convention, arms out and down, in metres and centimetres, in five sets of axes, with plain and turned frames,
// either side first.
static int tryAllLayouts(TestBodyDef def)
{
	int wrong = 0;
	for (int layout = 0; layout < 80; ++layout)
	{
		def.armsDown = layout % 2 == 1;
		def.scale = layout / 2 % 2 == 0 ? 1.0f : 100.0f;
		def.turnedFrames = layout / 4 % 2 == 1;
		def.rightFirst = layout / 8 % 2 == 1;
		def.turn = turnTo(layout / 16);
		int more = tryBody(&def);
		if (more > 0 && wrong == 0)
		{
			printf("  (layout %d)\n", layout);
		}
		wrong += more;
		if (wrong > 0)
		{
			break;
		}
	}
	return wrong;
}

static void testConventions(void** state)
{
	(void)state;
	int wrong = 0;
	for (int i = 0; i < testCountBodies(); ++i)
	{
		TestBodyDef def = testDefaultBodyDef();
		def.convention = i;
		wrong += tryAllLayouts(def);
	}
	assert_int_equal(wrong, 0);
}

static void testShapeAlone(void** state)
{
	(void)state;
	int wrong = 0;
	for (int i = 0; i < testCountBodies(); ++i)
	{
		static TestBody body;
		TestBodyDef def = testDefaultBodyDef();
		def.convention = i;
		def.nonsense = true;
		testLayOutBody(&def, &body);
		wrong += body.shapeIsMisleading ? 0 : tryAllLayouts(def);
	}
	assert_int_equal(wrong, 0);
}

// A left that lies on the right: the names decide.
static void testNamesDecideSides(void** state)
{
	(void)state;
	int wrong = 0;
	for (int i = 0; i < testCountBodies(); ++i)
	{
		TestBodyDef def = testDefaultBodyDef();
		def.convention = i;
		def.swappedNames = true;
		wrong += tryAllLayouts(def);
	}
	assert_int_equal(wrong, 0);
}

static void makeBody(const char* convention, TestBody* body)
{
	TestBodyDef def = testDefaultBodyDef();
	def.convention = testFindBody(convention);
	testLayOutBody(&def, body);
}

static int findInBody(const TestBody* body, const char* name)
{
	for (int i = 0; i < body->def.jointCount; ++i)
	{
		if (strcmp(body->names[i], name) == 0)
		{
			return i;
		}
	}
	fail_msg("no joint %s", name);
	return -1;
}

// Take out a joint with all below it.
static void cut(TestBody* body, const char* name)
{
	int places[128];
	int kept = 0, root = findInBody(body, name), ends = 0;
	for (int i = 0; i < body->def.jointCount; ++i)
	{
		int parent = body->joints[i].parent;
		bool gone = i == root || (parent >= 0 && places[parent] < 0);
		places[i] = gone ? -1 : kept;
		if (!gone)
		{
			memmove(body->names[kept], body->names[i], sizeof(body->names[i]));
			body->joints[kept] = body->joints[i];
			body->joints[kept].name = body->names[kept];
			body->joints[kept].parent = parent >= 0 ? places[parent] : -1;
			body->expected[kept++] = body->expected[i];
		}
	}
	for (int i = 0; i < body->def.endCount; ++i)
	{
		if (places[body->ends[i].joint] >= 0)
		{
			body->ends[ends] = body->ends[i];
			body->ends[ends].joint = places[body->ends[i].joint];
			++ends;
		}
	}
	body->def.jointCount = kept;
	body->def.endCount = ends;
}

static void expectRoles(TestBody* body)
{
	rpSkeleton* skeleton = rpCreateSkeleton(&body->def, NULL);
	assert_non_null(skeleton);
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		body->mirrors[i] = skeleton->joints[i].mirror;
	}
	assert_int_equal(countWrong(body, skeleton), 0);
	rpReleaseSkeleton(skeleton);
}

// What is missing has no role, and what is left keeps its own.
static void testMissingParts(void** state)
{
	(void)state;
	static const struct
	{
		const char* convention;
		const char* joints[3];
	} cases[] = {
		{"classic BVH", {"LeftToe", "RightToe"}},
		{"classic BVH", {"Head"}},
		{"classic BVH", {"Neck"}},
		{"classic BVH", {"LeftWrist", "RightWrist"}},
		{"classic BVH", {"LeftElbow"}},
		{"classic BVH", {"LeftCollar"}},
		{"classic BVH", {"LeftHip"}},
		{"classic BVH", {"LeftHip", "RightHip"}},
		{"classic BVH", {"LeftCollar", "RightCollar"}},
		{"classic BVH", {"LeftAnkle", "RightKnee"}},
		{"Mixamo", {"mixamorig:Head"}},
		{"Mixamo", {"mixamorig:LeftHand", "mixamorig:RightHand"}},
		{"Biped", {"Bip01 L Foot", "Bip01 R Foot"}},
		{"Unreal", {"foot_l", "hand_r"}},
		{"Xsens MVN", {"LeftToe", "RightToe", "Head"}},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		static TestBody body;
		makeBody(cases[i].convention, &body);
		for (int n = 0; n < 3 && cases[i].joints[n] != NULL; ++n)
		{
			cut(&body, cases[i].joints[n]);
		}
		expectRoles(&body);
	}
}

// A hand on the chest without an arm is a wrist, and makes nobody a shoulder.
static void testHandStub(void** state)
{
	(void)state;
	static TestBody body;
	makeBody("Unreal", &body);
	cut(&body, "clavicle_l");
	cut(&body, "clavicle_r");
	for (int side = 0; side < 2; ++side)
	{
		int i = body.def.jointCount++;
		snprintf(body.names[i], sizeof(body.names[i]), "hand_%c", side == 0 ? 'l' : 'r');
		body.joints[i] = rpDefaultJoint();
		body.joints[i].name = body.names[i];
		body.joints[i].parent = findInBody(&body, "spine_03");
		body.joints[i].offset = (rpVec3){side == 0 ? 0.5f : -0.5f, 0.0f, 0.2f};
		body.expected[i] = side == 0 ? rp_roleLeftWrist : rp_roleRightWrist;
	}
	expectRoles(&body);
}

// A dummy of no length before each joint of one leg must not take its role, nor cost it its counterpart.
static void testDummiesOnOneSide(void** state)
{
	(void)state;
	for (int named = 0; named < 2; ++named)
	{
		static TestBody body, longer;
		makeBody("Rokoko", &body);
		longer = body;
		int places[128], count = 0;
		for (int i = 0; i < body.def.jointCount; ++i)
		{
			bool split = strcmp(body.names[i], "LeftThigh") == 0;
			int parent = body.joints[i].parent;
			if (split)
			{
				longer.joints[count] = rpDefaultJoint();
				longer.joints[count].parent = places[parent];
				longer.expected[count] = rp_roleNone;
				snprintf(longer.names[count], sizeof(longer.names[count]), "%s", named ? "LeftHipDummy" : "x");
				longer.joints[count].name = longer.names[count];
				++count;
			}
			longer.joints[count] = body.joints[i];
			longer.joints[count].parent = split ? count - 1 : parent >= 0 ? places[parent] : -1;
			longer.expected[count] = body.expected[i];
			memcpy(longer.names[count], body.names[i], sizeof(longer.names[count]));
			longer.joints[count].name = longer.names[count];
			places[i] = count++;
		}
		for (int i = 0; i < body.def.endCount; ++i)
		{
			longer.ends[i].joint = places[body.ends[i].joint];
		}
		longer.def.joints = longer.joints;
		longer.def.ends = longer.ends;
		longer.def.jointCount = count;
		expectRoles(&longer);
		rpSkeleton* skeleton = rpCreateSkeleton(&longer.def, NULL);
		assert_non_null(skeleton);
		for (int i = 0; i < count; ++i)
		{
			int other = longer.joints[i].role == rp_roleNone && strstr(longer.names[i], "Left") == longer.names[i] &&
								strstr(longer.names[i], "Dummy") == NULL
							? skeleton->joints[i].mirror
							: -1;
			assert_true(other < 0 || strcmp(skeleton->joints[other].name + 5, longer.names[i] + 4) == 0);
		}
		rpReleaseSkeleton(skeleton);
	}
}

// A role that was given stays, nobody else gets it, and the rest is guessed around it.
static void testGivenRoles(void** state)
{
	(void)state;
	static TestBody body;
	makeBody("Mixamo", &body);
	int spine1 = findInBody(&body, "mixamorig:Spine1"), arm = findInBody(&body, "mixamorig:LeftArm");
	int chest = findInBody(&body, "mixamorig:Spine2");
	body.joints[spine1].role = rp_roleChest;
	body.joints[arm].role = rp_roleLeftShoulder;
	body.expected[spine1] = rp_roleChest;
	body.expected[chest] = rp_roleNone;
	expectRoles(&body);

	// Names that say nothing, and one role given on each side: the sides follow from it.
	TestBodyDef def = testDefaultBodyDef();
	def.convention = testFindBody("Mixamo");
	def.nonsense = true;
	testLayOutBody(&def, &body);
	for (int i = 0; i < body.def.jointCount; ++i)
	{
		body.joints[i].role = body.expected[i] == rp_roleLeftKnee    ? rp_roleRightKnee
							  : body.expected[i] == rp_roleRightKnee ? rp_roleLeftKnee
																	 : rp_roleNone;
		body.expected[i] = rpRole_Mirror(body.expected[i]);
	}
	expectRoles(&body);
}

static void testNoGuessesUnlessAsked(void** state)
{
	(void)state;
	static TestBody body;
	makeBody("Mixamo", &body);
	body.def.guessRoles = false;
	memset(body.expected, 0, sizeof(body.expected));
	expectRoles(&body);
}

static void testNames(void** state)
{
	(void)state;
	static const struct
	{
		const char* name;
		int side;
		int part;
	} cases[] = {
		{"LeftUpLeg", 1, rp_partHip},
		{"leftupleg", 1, rp_partHip},
		{"LEFTUPLEG", 1, rp_partHip},
		{"left_up_leg", 1, rp_partHip},
		{"Model:LeftUpLeg", 1, rp_partHip},
		{"Character1_RightUpLeg", -1, rp_partHip},
		{"ValveBiped.Bip01_R_Thigh", -1, rp_partHip},
		{"|Armature|Hips|thigh.R", -1, rp_partHip},
		{"thigh.R.001", -1, rp_partHip},
		{"R_Thigh", -1, rp_partHip},
		{"rfemur", -1, rp_partHip},
		{"hip_l", 1, rp_partHip},
		{"hip", 0, rp_partPelvis},
		{"Hips", 0, rp_partPelvis},
		{"B_Pelvis", 0, rp_partPelvis},
		{"LLeg", 1, rp_partKnee},
		{"LeftLowerLeg", 1, rp_partKnee},
		{"CC_Base_L_Calf", 1, rp_partKnee},
		{"J_Bip_L_LowerLeg", 1, rp_partKnee},
		{"lf_shin", 1, rp_partKnee},
		{"FootR", -1, rp_partAnkle},
		{"rightfoot", -1, rp_partAnkle},
		{"footr", -1, rp_partAnkle},
		{"LeftToeBase", 1, rp_partBall},
		{"ball_l", 1, rp_partBall},
		{"LeftForefoot", 1, rp_partBall},
		{"LUArm", 1, rp_partShoulder},
		{"RFArm", -1, rp_partElbow},
		{"LeftForeArm", 1, rp_partElbow},
		{"rlowarm", -1, rp_partElbow},
		{"lradius", 1, rp_partElbow},
		{"RightHand", -1, rp_partWrist},
		{"l_wrist", 1, rp_partWrist},
		{"shoulder_blade_L", 1, rp_partClavicle},
		{"CollarLeft", 1, rp_partClavicle},
		{"L5", 0, rp_partSpine},
		{"t12", 0, rp_partSpine},
		{"lowerback", 0, rp_partSpine},
		{"ToSpine", 0, rp_partSpine},
		{"UpperChest", 0, rp_partChest},
		{"upperneck", 0, rp_partNeck},
		{"Head", 0, rp_partHead},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		rpNameReading reading = rpReadJointName(cases[i].name);
		int best = 0;
		for (int part = 1; part < rp_partCount; ++part)
		{
			best = reading.votes[part] > reading.votes[best] ? part : best;
		}
		if (!reading.known || best != cases[i].part || reading.side != cases[i].side)
		{
			fail_msg("\"%s\" reads as part %d of side %d", cases[i].name, best, reading.side);
		}
	}
}

static void testNamesOfNoPart(void** state)
{
	(void)state;
	static const char* const names[] = {"LeftForeArmRoll",
										"thigh_twist_01_l",
										"ik_foot_root",
										"HeadTop_End",
										"Bone.012",
										"joint1",
										"LeftHandIndex1",
										"rThumb2",
										"IKFootL",
										"Toe0Nub",
										"leftEye",
										"Bip01",
										"",
										":",
										"::::",
										"\xe5\xb7\xa6\xe8\xb6\xb3",
										"llllllllllllllllllllllllllllllllllllllllllllllll",
										"toetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoetoe!",
										"LeftUpLeg_pole_target",
										"Camera",
										"HeadEnd",
										"lHeel"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		rpNameReading reading = rpReadJointName(names[i]);
		if (reading.known)
		{
			fail_msg("\"%s\" is taken for a part of the body", names[i]);
		}
	}
	assert_true(rpReadJointName("RightHandThumb2").thumb);
	assert_true(rpReadJointName("lMid1").middle);
	assert_false(rpReadJointName("SpineMid").middle);
}

// The key is the same on both sides and differs otherwise.
static void testNameKeys(void** state)
{
	(void)state;
	static const char* const pairs[][2] = {
		{"LeftFoot", "RightFoot"},
		{"lfoot", "rfoot"},
		{"foot.L.001", "foot.R.001"},
		{"foot_left", "foot_right"},
		{"FootLeft", "FootRight"},
		{"footleft", "footright"},
		{"Bip01 L Toe0", "Bip01 R Toe0"},
		{"leftgizmo", "rightgizmo"},
		{"lf_a", "rt_a"},
		{"a:LeftHandIndex2", "a:RightHandIndex2"},
	};
	int count = (int)(sizeof(pairs) / sizeof(pairs[0]));
	for (int i = 0; i < count; ++i)
	{
		rpNameReading left = rpReadJointName(pairs[i][0]), right = rpReadJointName(pairs[i][1]);
		assert_true(left.key == right.key);
		assert_int_equal(left.side, 1);
		assert_int_equal(right.side, -1);
	}
	assert_true(rpReadJointName("LeftHandIndex1").key != rpReadJointName("RightHandIndex2").key);
	assert_true(rpReadJointName("LeftHand").key != rpReadJointName("RightFoot").key);
}

static void testPartsAndRoles(void** state)
{
	(void)state;
	for (int role = rp_roleNone + 1; role < rp_roleCount; ++role)
	{
		int side;
		rpBodyPart part = rpRole_GetPart((rpRole)role, &side);
		assert_int_equal(rpBodyPart_GetRole(part, side), role);
		assert_int_equal(rpBodyPart_GetRole(part, -side), rpRole_Mirror((rpRole)role));
		assert_int_equal(rpRole_Find(rpRole_GetName((rpRole)role)), role);
	}
}

static void checkInvariants(const rpSkeleton* skeleton)
{
	int seen[rp_roleCount] = {0};
	for (int i = 0; i < skeleton->jointCount; ++i)
	{
		int mirror = skeleton->joints[i].mirror;
		assert_true(mirror >= 0 && mirror < skeleton->jointCount);
		assert_int_equal(skeleton->joints[mirror].mirror, i);
		rpRole role = skeleton->joints[i].role;
		assert_true(role == rp_roleNone || ++seen[role] == 1);
		assert_true(role == rp_roleNone || skeleton->roles[role] == i);
	}
}

// Trees of every kind, none of them a body: no crash, no role twice, counterparts of counterparts.
static void testAnyTree(void** state)
{
	(void)state;
	static rpJoint joints[RP_MAX_JOINTS];
	static char names[RP_MAX_JOINTS][64];
	static const char* const words[] = {"Left",  "Right", "Up",   "Leg",   "Arm", "Foot", "Hand", "Hips",
										"Spine", "Head",  "Neck", "Thumb", "_l",  "_r",   "Toe",  "End"};
	rpRandom random = rpSeedRandom(77);
	for (int n = 0; n < 600; ++n)
	{
		int count = n % 50 == 0 ? RP_MAX_JOINTS : 1 + rpRandom_Index(&random, 60);
		float spread = n % 7 == 0 ? 0.0f : n % 11 == 0 ? 1e30f : 1.0f;
		for (int i = 0; i < count; ++i)
		{
			joints[i] = rpDefaultJoint();
			int parent = n % 3 == 0 ? i - 1 : n % 3 == 1 ? 0 : rpRandom_Index(&random, i > 0 ? i : 1);
			joints[i].parent = i == 0 ? -1 : parent;
			joints[i].offset = (rpVec3){spread * rpRandom_Normal(&random), spread * rpRandom_Normal(&random), spread};
			joints[i].role = n % 5 == 0 && i % 9 == 0 ? (rpRole)(1 + i / 9 % (rp_roleCount - 1)) : rp_roleNone;
			joints[i].role = i / 9 >= rp_roleCount - 1 ? rp_roleNone : joints[i].role;
			snprintf(names[i], sizeof(names[i]), "%s%s%s%d", words[rpRandom_Index(&random, 16)],
					 words[rpRandom_Index(&random, 16)], words[rpRandom_Index(&random, 16)], i);
			joints[i].name = names[i];
		}
		rpEndSite ends[2] = {{NULL, count - 1, {0.0f, 1.0f, 0.0f}}, {NULL, 0, {0.0f, 0.0f, 0.0f}}};
		rpSkeletonDef def = rpDefaultSkeletonDef();
		def.joints = joints;
		def.jointCount = count;
		def.ends = ends;
		def.endCount = 2;
		rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
		assert_non_null(skeleton);
		checkInvariants(skeleton);
		rpReleaseSkeleton(skeleton);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testConventions),
		cmocka_unit_test(testShapeAlone),
		cmocka_unit_test(testNamesDecideSides),
		cmocka_unit_test(testMissingParts),
		cmocka_unit_test(testHandStub),
		cmocka_unit_test(testDummiesOnOneSide),
		cmocka_unit_test(testGivenRoles),
		cmocka_unit_test(testNoGuessesUnlessAsked),
		cmocka_unit_test(testNames),
		cmocka_unit_test(testNamesOfNoPart),
		cmocka_unit_test(testNameKeys),
		cmocka_unit_test(testPartsAndRoles),
		cmocka_unit_test(testAnyTree),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
