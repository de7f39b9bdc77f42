/// The BVH reader and the traps of its hierarchy, one small test each.
#include "bvh_reading.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void plainFile(void** state)
{
	(void)state;
	BvhReading read =
		testReadBvh(ROOT_LINES "JOINT Spine\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
							   "End Site\n{\nOFFSET 0 5 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n"
							   "1 2 3 0 0 0 90 0 0\n4 5 6 0 90 0 0 0 0\n");
	const rpMotion* motion = testNeedMotion(&read);
	testCheckNoFindings(&read);
	assert_true(motion->fps == 120.0);
	assert_int_equal(motion->frameCount, 2);
	assert_int_equal(motion->skeleton->jointCount, 2);
	assert_int_equal(motion->skeleton->endCount, 1);
	assert_string_equal(motion->skeleton->joints[1].name, "Spine");
	assert_true(read.reading.metresPerUnit == 0.0);
	assert_null(motion->translations);
	testCheckVector(motion->rootPositions[0], 1, 2, 3);
	testCheckVector(motion->rootPositions[1], 4, 5, 6);
	rpTransform pose[2];
	rpMotion_Forward(motion, 0, pose);
	testCheckVector(rpTransformPoint(pose[1], motion->skeleton->ends[0].offset), 1 - 5, 12, 3);
	testFreeBvh(&read);
}

// Every order of every number of rotation channels, against turns multiplied one by one.
static void everyOrder(void** state)
{
	(void)state;
	static const char* const orders[] = {"X",  "Y",   "Z",   "XY",  "XZ",  "YX",  "YZ", "ZX",
										 "ZY", "XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
	static const float angles[] = {20.0f, -35.0f, 100.0f};
	for (int i = 0; i < 15; ++i)
	{
		char text[1024];
		int count = (int)strlen(orders[i]);
		int size = sprintf(text, ROOT_LINES "JOINT J\n{\nOFFSET 1 0 0\nCHANNELS %d", count);
		rpQuat expected = rpQuat_identity;
		int freedoms = 0;
		for (int k = 0; k < count; ++k)
		{
			int axis = orders[i][k] - 'X';
			rpVec3 unit = {axis == 0, axis == 1, axis == 2};
			size += sprintf(text + size, " %crotation", orders[i][k]);
			expected = rpMulQuat(expected, rpAxisAngle(unit, angles[k] * (float)RP_DEGREE));
			freedoms |= 1 << axis;
		}
		size += sprintf(text + size, "\n}\n}\n" MOTION_LINES "0 0 0 0 0 0");
		for (int k = 0; k < count; ++k)
		{
			size += sprintf(text + size, " %g", angles[k]);
		}
		BvhReading read = testReadBvh(text);
		const rpMotion* motion = testNeedMotion(&read);
		const rpJoint* joint = motion->skeleton->joints + 1;
		testCheckRotation(motion->rotations[1], expected);
		assert_int_equal(joint->freedoms, freedoms);
		int axes[3];
		rpEulerOrder_GetAxes(joint->order, axes);
		for (int k = 0; k < count; ++k)
		{
			assert_int_equal(axes[k], orders[i][k] - 'X');
		}
		testFreeBvh(&read);
	}
}

static void anglesOfAnySize(void** state)
{
	(void)state;
	static const double angles[] = {0.0,    1e-40,   -1e-5,  44.999,  45.001,   89.5,    90.0,  135.0,    180.0,
									-180.0, 269.99,  -359.5, 360.0,   719.0,    -7201.5, 1e5,   1000000., 123456789.0,
									-3e9,   1.25e11, 0.1,    -200.25, 573.3390, 225.0,   315.0, -134.9,   540.0};
	for (size_t i = 0; i < sizeof(angles) / sizeof(angles[0]); ++i)
	{
		char text[512];
		sprintf(text, "HIERARCHY ROOT R\n{ OFFSET 0 0 0 CHANNELS 1 Yrotation }" MOTION_LINES "%.17g", angles[i]);
		BvhReading read = testReadBvh(text);
		double half = 0.5 * RP_DEGREE * remainder((double)(float)angles[i], 720.0);
		rpQuat q = testNeedMotion(&read)->rotations[0];
		double sign = cos(half) < 0.0 ? -1.0 : 1.0;
		assert_true(fabs(q.w - sign * cos(half)) < 3e-7 && fabs(q.y - sign * sin(half)) < 3e-7);
		assert_true(q.x == 0.0f && q.z == 0.0f);
		testFreeBvh(&read);
	}
}

static void oneHemisphere(void** state)
{
	(void)state;
	BvhReading read =
		testReadBvh("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n}\nMOTION\nFrames: 5\nFrame Time: "
					"0.01\n350\n10\n200\n380\n-340\n");
	const rpMotion* motion = testNeedMotion(&read);
	assert_true(motion->rotations[0].w > 0.0f);
	for (int i = 1; i < 5; ++i)
	{
		assert_true(rpDotQuat(motion->rotations[i - 1], motion->rotations[i]) >= 0.0f);
	}
	testFreeBvh(&read);
}

static void repeatedAxes(void** state)
{
	(void)state;
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Zrotation\n}\n" MOTION_LINES
					  "0 0 0\n",
					  rp_errorFormat, 5, 32, "\"Zrotation\" twice in joint R", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Xposition\n}\n" MOTION_LINES "0 0\n",
					  rp_errorFormat, 5, 22, "twice", "");
}

static void channelCountsThatLie(void** state)
{
	(void)state;
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation\n}\n", rp_errorFormat, 6, 1,
					  "expected channel 3 of 3", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation Xrotation\n}\n", rp_errorFormat, 5, 22,
					  "more channel names", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1000000000 Zrotation\n}\n", rp_errorFormat, 5, 10,
					  "0 to 6", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n}\n", rp_errorFormat, 5, 12,
					  "\"Wrotation\"", "");
}

static void mixedChannels(void** state)
{
	(void)state;
	// Rotations before positions in the root, six channels in a joint, three in the next, none in the last.
	BvhReading read = testReadBvh(
		"HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 6 Zrotation Yposition Xrotation Zposition "
		"Yrotation Xposition\nJOINT A\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition "
		"Zrotation Xrotation Yrotation\nJOINT B\n{\nOFFSET 0 1 0\nCHANNELS 3 Yrotation Xrotation "
		"Zrotation\nJOINT C\n{\nOFFSET 0 1 0\n}\n}\n}\n}\n" MOTION_LINES "90 2 0 3 0 1  0 1 0 0 0 0  0 0 0\n");
	const rpMotion* motion = testNeedMotion(&read);
	testCheckVector(motion->rootPositions[0], 1, 2, 3);
	rpTransform pose[4];
	rpMotion_Forward(motion, 0, pose);
	testCheckVector(pose[3].p, -2, 2, 3);
	assert_int_equal(motion->skeleton->joints[3].freedoms, 0);
	testCheckNoFindings(&read);
	testFreeBvh(&read);
}

static void constantPositions(void** state)
{
	(void)state;
	const char* text = POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 1\n0 0 0 0 0 0 0 8 1\n";
	BvhReading read = testReadBvh(text);
	const rpMotion* motion = testNeedMotion(&read);
	assert_null(motion->translations);
	testCheckVector(motion->skeleton->offsets[1], 0, 8, 1);
	testCheckFinding(&read, "joint_positions", true);
	testFreeBvh(&read);
	rpReadDef def = rpDefaultReadDef();
	def.addOffsets = true;
	read = testReadBvhBytes(text, strlen(text), &def);
	motion = testNeedMotion(&read);
	assert_null(motion->translations);
	testCheckVector(motion->skeleton->offsets[1], 0, 18, 1);
	testCheckFinding(&read, "joint_positions", true);
	testFreeBvh(&read);
}

static void positionsEqualToTheOffset(void** state)
{
	(void)state;
	BvhReading read = testReadBvh(POSITION_JOINT MOTION_LINES "0 0 0 0 0 0 0 10 0\n");
	assert_null(testNeedMotion(&read)->translations);
	testCheckVector(testNeedMotion(&read)->skeleton->offsets[1], 0, 10, 0);
	testCheckNoFindings(&read);
	testFreeBvh(&read);
}

static void changingPositions(void** state)
{
	(void)state;
	const char* text = POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 1\n0 0 0 0 0 0 0 9 1\n";
	BvhReading read = testReadBvh(text);
	const rpMotion* motion = testNeedMotion(&read);
	assert_non_null(motion->translations);
	testCheckVector(motion->translations[1], 0, 8, 1);
	testCheckVector(motion->translations[3 + 1], 0, 9, 1);
	testCheckVector(motion->translations[3 + 2], 0, 4, 0);
	testCheckVector(motion->translations[3], 0, 0, 0);
	testCheckVector(motion->skeleton->offsets[1], 0, 10, 0);
	testFreeBvh(&read);
	rpReadDef def = rpDefaultReadDef();
	def.addOffsets = true;
	read = testReadBvhBytes(text, strlen(text), &def);
	testCheckVector(testNeedMotion(&read)->translations[3 + 1], 0, 19, 1);
	testFreeBvh(&read);
}

static void nearlyConstantPositions(void** state)
{
	(void)state;
	// The skeleton is about 12 units large: 0.0005 is nothing, 0.005 is a change.
	BvhReading read =
		testReadBvh(POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 0\n0 0 0 0 0 0 0 8.0005 0\n");
	assert_null(testNeedMotion(&read)->translations);
	testFreeBvh(&read);
	read =
		testReadBvh(POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 0\n0 0 0 0 0 0 0 8.005 0\n");
	assert_non_null(testNeedMotion(&read)->translations);
	testFreeBvh(&read);
}

static void positionOfOneAxis(void** state)
{
	(void)state;
	BvhReading read = testReadBvh("HIERARCHY\nROOT R\n{\nOFFSET 1 2 3\nCHANNELS 1 Yposition\n}\n" MOTION_LINES "7\n");
	testCheckVector(testNeedMotion(&read)->rootPositions[0], 1, 7, 3);
	testFreeBvh(&read);
}

static void rootOffset(void** state)
{
	(void)state;
	// Absolute positions: the OFFSET is kept, and no part of them, whatever the reading of other joints.
	const char* text =
		"HIERARCHY\nROOT R\n{\nOFFSET 10 20 30\nCHANNELS 3 Xposition Yposition Zposition\n}\n" MOTION_LINES "1 2 3\n";
	rpReadDef def = rpDefaultReadDef();
	for (int i = 0; i < 2; ++i)
	{
		def.addOffsets = i == 1;
		BvhReading read = testReadBvhBytes(text, strlen(text), &def);
		testCheckVector(testNeedMotion(&read)->rootPositions[0], 1, 2, 3);
		testCheckVector(testNeedMotion(&read)->skeleton->offsets[0], 10, 20, 30);
		testFreeBvh(&read);
	}
	BvhReading read =
		testReadBvh("HIERARCHY\nROOT R\n{\nOFFSET 10 20 30\nCHANNELS 1 Xrotation\n}\n" MOTION_LINES "1\n");
	testCheckVector(testNeedMotion(&read)->rootPositions[0], 10, 20, 30);
	testFreeBvh(&read);
}

static void oddEndSites(void** state)
{
	(void)state;
	BvhReading read = testReadBvh(
		ROOT_LINES "JOINT A\n{\nOFFSET 0 1 0\nEnd  Site\n{\nOFFSET 0 1 0\nCHANNELS 0\n}\nend site Tip of A\n"
				   "{\nOFFSET 0 2 0\n}\nJOINT B\n{\nOFFSET 0 1 0\nEND SITE {\n\tOFFSET 0 3 0 }\n}\nEndSite\n{\n}\n}\n"
				   "JOINT C\n{\nOFFSET 1 0 0\n}\n}\n" MOTION_LINES "0 0 0 0 0 0\n");
	const rpSkeleton* skeleton = testNeedMotion(&read)->skeleton;
	assert_int_equal(skeleton->jointCount, 4);
	assert_int_equal(skeleton->endCount, 4);
	assert_string_equal(skeleton->ends[0].name, "");
	assert_string_equal(skeleton->ends[1].name, "Tip of A");
	assert_int_equal(skeleton->ends[1].joint, 1);
	assert_int_equal(skeleton->ends[2].joint, 2);
	testCheckVector(skeleton->ends[2].offset, 0, 3, 0);
	testCheckVector(skeleton->ends[3].offset, 0, 0, 0);
	testCheckNoFindings(&read);
	testFreeBvh(&read);
	// Channels of an end site stand in the rows and mean nothing.
	read =
		testReadBvh("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 0 1 0\nCHANNELS 1 "
					"Xrotation\n}\nJOINT A\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n}\n" MOTION_LINES "5 77 90\n");
	testCheckVector(testNeedMotion(&read)->rootPositions[0], 5, 0, 0);
	testCheckRotation(testNeedMotion(&read)->rotations[1], rpAxisAngle((rpVec3){1, 0, 0}, (float)(90 * RP_DEGREE)));
	testFreeBvh(&read);
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nEnd Site\n{\nJOINT A\n", rp_errorFormat, 7, 1,
					  "inside an End Site", "");
}

static void severalRoots(void** state)
{
	(void)state;
	testCheckBvhError(
		"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nROOT The Prop\n{\nOFFSET 0 0 0\n}\n"
		"ROOT Ball\n{\nOFFSET 0 0 0\n}\n" MOTION_LINES "0\n",
		rp_errorFormat, 7, 1, "3 roots (\"Hips\", \"The Prop\", \"Ball\")", "one hierarchy");
}

static void oddNames(void** state)
{
	(void)state;
	BvhReading read =
		testReadBvh("HIERARCHY\nROOT  mixamorig:Hips \r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT Bip01 L "
					"Thigh{\nOFFSET 1 0 0\nJOINT Bone.001\t\n{\nOFFSET 1 0 0\nJOINT Br\xfcst\n{\nOFFSET 1 "
					"0 0\n}\n}\n}\n}\n" MOTION_LINES "0\n");
	const rpSkeleton* skeleton = testNeedMotion(&read)->skeleton;
	assert_string_equal(skeleton->joints[0].name, "mixamorig:Hips");
	assert_string_equal(skeleton->joints[1].name, "Bip01 L Thigh");
	assert_string_equal(skeleton->joints[2].name, "Bone.001");
	assert_string_equal(skeleton->joints[3].name, "Br\xc3\xbcst");
	testCheckNoFindings(&read);
	testFreeBvh(&read);
}

static void namesThatRepeat(void** state)
{
	(void)state;
	BvhReading read = testReadBvh(
		"HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT A\n{\nOFFSET 1 0 0\n}\nJOINT "
		"A_2\n{\nOFFSET 1 0 0\n}\nJOINT\n{\nOFFSET 1 0 0\n}\nJOINT A\n{\nOFFSET 1 0 0\n}\n}\n" MOTION_LINES "0\n");
	const rpSkeleton* skeleton = testNeedMotion(&read)->skeleton;
	assert_string_equal(skeleton->joints[0].name, "A");
	assert_string_equal(skeleton->joints[1].name, "A_3");
	assert_string_equal(skeleton->joints[2].name, "A_2");
	assert_string_equal(skeleton->joints[3].name, "joint_4");
	assert_string_equal(skeleton->joints[4].name, "A_4");
	testCheckFinding(&read, "duplicate_name", true);
	testFreeBvh(&read);
}

// A name of the greatest length that repeats is cut before it is numbered, so that what we write can be read back.
static void longNamesThatRepeat(void** state)
{
	(void)state;
	static char name[1001], text[4000];
	memset(name, 'a', 1000);
	memcpy(name + 479, "\xc3\xbc", 2);
	snprintf(text, sizeof(text),
			 "HIERARCHY\nROOT %s\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT %s\n{\nOFFSET 1 0 0\n}\n}\n" MOTION_LINES
			 "0\n",
			 name, name);
	BvhReading read = testReadBvh(text);
	const rpSkeleton* skeleton = testNeedMotion(&read)->skeleton;
	assert_string_equal(skeleton->joints[0].name, name);
	assert_int_equal(strlen(skeleton->joints[1].name), 479 + 2);
	testCheckFinding(&read, "duplicate_name", true);
	testFreeBvh(&read);
}

// What is no BVH file is distinguished from a damaged one.
static void otherFiles(void** state)
{
	(void)state;
	static const struct
	{
		const char* text;
		size_t size;
		const char* hint;
	} files[] = {
		{"", 0, "no text"},
		{" \n\0\0\0", 5, "no text"},
		{"\x1f\x8b\x08\0\0", 5, "gunzip"},
		{"PK\3\4....", 8, "zip"},
		{"H\0I\0E\0R\0", 8, "UTF-16LE"},
		{"\0H\0I\0E\0R", 8, "UTF-16BE"},
		{"version https://git-lfs.github.com/spec/v1\n", 43, "git lfs"},
		{"# a walk\nHIERARCHY\n", 19, "comments"},
		{"HIERARCHY\n// a walk\n", 20, "comments"},
		{"HIERARCHY\nROO", 13, "cut off"},
		{"<html>", 6, "is this a BVH"},
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); ++i)
	{
		BvhReading read = testReadBvhBytes(files[i].text, files[i].size, NULL);
		assert_false(read.done);
		assert_int_equal(read.error.code, rp_errorFormat);
		assert_non_null(strstr(read.error.hint, files[i].hint));
		testFreeBvh(&read);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(otherFiles),
		cmocka_unit_test(plainFile),
		cmocka_unit_test(everyOrder),
		cmocka_unit_test(anglesOfAnySize),
		cmocka_unit_test(oneHemisphere),
		cmocka_unit_test(repeatedAxes),
		cmocka_unit_test(channelCountsThatLie),
		cmocka_unit_test(mixedChannels),
		cmocka_unit_test(constantPositions),
		cmocka_unit_test(positionsEqualToTheOffset),
		cmocka_unit_test(changingPositions),
		cmocka_unit_test(nearlyConstantPositions),
		cmocka_unit_test(positionOfOneAxis),
		cmocka_unit_test(rootOffset),
		cmocka_unit_test(oddEndSites),
		cmocka_unit_test(severalRoots),
		cmocka_unit_test(oddNames),
		cmocka_unit_test(namesThatRepeat),
		cmocka_unit_test(longNamesThatRepeat),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
