/// The BVH reader and the traps of the format, one small test each.
#include "support.h"

#include "file/reader.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOT_LINES \
	"HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
#define MOTION_LINES "MOTION\nFrames: 1\nFrame Time: 0.01\n"

// What a reading gives; the bytes are put at the very end of a block, so that a sanitizer sees one read too many.
typedef struct Read
{
	rpReading reading;
	rpFindings findings;
	rpError error;
	bool done;
} Read;

static Read readBytes(const void* bytes, size_t size, const rpReadDef* def)
{
	Read read = {0};
	rpReadDef defaults = rpDefaultReadDef();
	char* copy = malloc(size + 1);
	memcpy(copy + 1, bytes, size);
	read.done = rpReadBvh(copy + 1, size, def != NULL ? def : &defaults, &read.reading, &read.findings, &read.error);
	free(copy);
	assert_true(read.done == (read.reading.motion != NULL));
	return read;
}

static Read readText(const char* text)
{
	return readBytes(text, strlen(text), NULL);
}

static const rpMotion* needMotion(const Read* read)
{
	if (!read->done)
	{
		fail_msg("%d:%d: %s", read->error.line, read->error.column, read->error.message);
	}
	return read->reading.motion;
}

static void freeRead(Read* read)
{
	rpDestroyMotion(read->reading.motion);
	rpFindings_Free(&read->findings);
}

static void checkFinding(const Read* read, const char* code, bool expected)
{
	assert_int_equal(rpFindings_Find(&read->findings, code) != NULL, expected);
}

static void checkNoFindings(const Read* read)
{
	assert_int_equal(read->findings.count, 0);
}

// Reading fails at that place, and the message names these.
static void checkError(const char* text, rpErrorCode code, int line, int column, const char* part, const char* hint)
{
	Read read = readText(text);
	assert_false(read.done);
	if (read.error.code != code || read.error.line != line || read.error.column != column ||
		strstr(read.error.message, part) == NULL || strstr(read.error.hint, hint) == NULL)
	{
		fail_msg("%d at %d:%d: %s (%s)", read.error.code, read.error.line, read.error.column, read.error.message,
				 read.error.hint);
	}
	freeRead(&read);
}

static void checkVector(rpVec3 v, float x, float y, float z)
{
	if (fabsf(v.x - x) > 1e-5f || fabsf(v.y - y) > 1e-5f || fabsf(v.z - z) > 1e-5f)
	{
		fail_msg("(%g %g %g) instead of (%g %g %g)", v.x, v.y, v.z, x, y, z);
	}
}

static void checkRotation(rpQuat q, rpQuat expected)
{
	assert_true(fabsf(rpDotQuat(q, q) - 1.0f) < 1e-6f);
	if (fabsf(rpDotQuat(q, expected)) < 1.0f - 1e-6f)
	{
		fail_msg("(%g %g %g %g) instead of (%g %g %g %g)", q.w, q.x, q.y, q.z, expected.w, expected.x, expected.y,
				 expected.z);
	}
}

static void plainFile(void** state)
{
	(void)state;
	Read read = readText(ROOT_LINES "JOINT Spine\n{\nOFFSET 0 10 0\nCHANNELS 3 Zrotation Yrotation Xrotation\n"
									"End Site\n{\nOFFSET 0 5 0\n}\n}\n}\nMOTION\nFrames: 2\nFrame Time: .0083333\n"
									"1 2 3 0 0 0 90 0 0\n4 5 6 0 90 0 0 0 0\n");
	const rpMotion* motion = needMotion(&read);
	checkNoFindings(&read);
	assert_true(motion->fps == 120.0);
	assert_int_equal(motion->frameCount, 2);
	assert_int_equal(motion->skeleton->jointCount, 2);
	assert_int_equal(motion->skeleton->endCount, 1);
	assert_string_equal(motion->skeleton->joints[1].name, "Spine");
	assert_true(read.reading.metresPerUnit == 0.0);
	assert_null(motion->translations);
	checkVector(motion->rootPositions[0], 1, 2, 3);
	checkVector(motion->rootPositions[1], 4, 5, 6);
	rpTransform pose[2];
	rpMotion_Forward(motion, 0, pose);
	checkVector(rpTransformPoint(pose[1], motion->skeleton->ends[0].offset), 1 - 5, 12, 3);
	freeRead(&read);
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
		Read read = readText(text);
		const rpMotion* motion = needMotion(&read);
		const rpJoint* joint = motion->skeleton->joints + 1;
		checkRotation(motion->rotations[1], expected);
		assert_int_equal(joint->freedoms, freedoms);
		int axes[3];
		rpEulerOrder_GetAxes(joint->order, axes);
		for (int k = 0; k < count; ++k)
		{
			assert_int_equal(axes[k], orders[i][k] - 'X');
		}
		freeRead(&read);
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
		Read read = readText(text);
		double half = 0.5 * RP_DEGREE * remainder((double)(float)angles[i], 720.0);
		rpQuat q = needMotion(&read)->rotations[0];
		double sign = cos(half) < 0.0 ? -1.0 : 1.0;
		assert_true(fabs(q.w - sign * cos(half)) < 3e-7 && fabs(q.y - sign * sin(half)) < 3e-7);
		assert_true(q.x == 0.0f && q.z == 0.0f);
		freeRead(&read);
	}
}

static void oneHemisphere(void** state)
{
	(void)state;
	Read read = readText("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Yrotation\n}\nMOTION\nFrames: 5\nFrame Time: "
						 "0.01\n350\n10\n200\n380\n-340\n");
	const rpMotion* motion = needMotion(&read);
	assert_true(motion->rotations[0].w > 0.0f);
	for (int i = 1; i < 5; ++i)
	{
		assert_true(rpDotQuat(motion->rotations[i - 1], motion->rotations[i]) >= 0.0f);
	}
	freeRead(&read);
}

static void repeatedAxes(void** state)
{
	(void)state;
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation Zrotation\n}\n" MOTION_LINES
			   "0 0 0\n",
			   rp_errorFormat, 5, 32, "\"Zrotation\" twice in joint R", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Xposition\n}\n" MOTION_LINES "0 0\n",
			   rp_errorFormat, 5, 22, "twice", "");
}

static void channelCountsThatLie(void** state)
{
	(void)state;
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Xrotation\n}\n", rp_errorFormat, 6, 1,
			   "expected channel 3 of 3", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation Xrotation\n}\n", rp_errorFormat, 5, 22,
			   "more channel names", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1000000000 Zrotation\n}\n", rp_errorFormat, 5, 10,
			   "0 to 6", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n}\n", rp_errorFormat, 5, 12, "\"Wrotation\"",
			   "");
}

static void mixedChannels(void** state)
{
	(void)state;
	// Rotations before positions in the root, six channels in a joint, three in the next, none in the last.
	Read read =
		readText("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 6 Zrotation Yposition Xrotation Zposition "
				 "Yrotation Xposition\nJOINT A\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition "
				 "Zrotation Xrotation Yrotation\nJOINT B\n{\nOFFSET 0 1 0\nCHANNELS 3 Yrotation Xrotation "
				 "Zrotation\nJOINT C\n{\nOFFSET 0 1 0\n}\n}\n}\n}\n" MOTION_LINES "90 2 0 3 0 1  0 1 0 0 0 0  0 0 0\n");
	const rpMotion* motion = needMotion(&read);
	checkVector(motion->rootPositions[0], 1, 2, 3);
	rpTransform pose[4];
	rpMotion_Forward(motion, 0, pose);
	checkVector(pose[3].p, -2, 2, 3);
	assert_int_equal(motion->skeleton->joints[3].freedoms, 0);
	checkNoFindings(&read);
	freeRead(&read);
}

#define POSITION_JOINT \
	ROOT_LINES         \
	"JOINT A\n{\nOFFSET 0 10 0\nCHANNELS 3 Xposition Yposition Zposition\nJOINT B\n{\nOFFSET 0 4 0\n}\n}\n}\n"

static void constantPositions(void** state)
{
	(void)state;
	const char* text = POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 1\n0 0 0 0 0 0 0 8 1\n";
	Read read = readText(text);
	const rpMotion* motion = needMotion(&read);
	assert_null(motion->translations);
	checkVector(motion->skeleton->offsets[1], 0, 8, 1);
	checkFinding(&read, "joint_positions", true);
	freeRead(&read);
	rpReadDef def = rpDefaultReadDef();
	def.addOffsets = true;
	read = readBytes(text, strlen(text), &def);
	motion = needMotion(&read);
	assert_null(motion->translations);
	checkVector(motion->skeleton->offsets[1], 0, 18, 1);
	checkFinding(&read, "joint_positions", true);
	freeRead(&read);
}

static void positionsEqualToTheOffset(void** state)
{
	(void)state;
	Read read = readText(POSITION_JOINT MOTION_LINES "0 0 0 0 0 0 0 10 0\n");
	assert_null(needMotion(&read)->translations);
	checkVector(needMotion(&read)->skeleton->offsets[1], 0, 10, 0);
	checkNoFindings(&read);
	freeRead(&read);
}

static void changingPositions(void** state)
{
	(void)state;
	const char* text = POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 1\n0 0 0 0 0 0 0 9 1\n";
	Read read = readText(text);
	const rpMotion* motion = needMotion(&read);
	assert_non_null(motion->translations);
	checkVector(motion->translations[1], 0, 8, 1);
	checkVector(motion->translations[3 + 1], 0, 9, 1);
	checkVector(motion->translations[3 + 2], 0, 4, 0);
	checkVector(motion->translations[3], 0, 0, 0);
	checkVector(motion->skeleton->offsets[1], 0, 10, 0);
	freeRead(&read);
	rpReadDef def = rpDefaultReadDef();
	def.addOffsets = true;
	read = readBytes(text, strlen(text), &def);
	checkVector(needMotion(&read)->translations[3 + 1], 0, 19, 1);
	freeRead(&read);
}

static void nearlyConstantPositions(void** state)
{
	(void)state;
	// The skeleton is about 12 units large: 0.0005 is nothing, 0.005 is a change.
	Read read =
		readText(POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 0\n0 0 0 0 0 0 0 8.0005 0\n");
	assert_null(needMotion(&read)->translations);
	freeRead(&read);
	read = readText(POSITION_JOINT "MOTION\nFrames: 2\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 0\n0 0 0 0 0 0 0 8.005 0\n");
	assert_non_null(needMotion(&read)->translations);
	freeRead(&read);
}

static void positionOfOneAxis(void** state)
{
	(void)state;
	Read read = readText("HIERARCHY\nROOT R\n{\nOFFSET 1 2 3\nCHANNELS 1 Yposition\n}\n" MOTION_LINES "7\n");
	checkVector(needMotion(&read)->rootPositions[0], 1, 7, 3);
	freeRead(&read);
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
		Read read = readBytes(text, strlen(text), &def);
		checkVector(needMotion(&read)->rootPositions[0], 1, 2, 3);
		checkVector(needMotion(&read)->skeleton->offsets[0], 10, 20, 30);
		freeRead(&read);
	}
	Read read = readText("HIERARCHY\nROOT R\n{\nOFFSET 10 20 30\nCHANNELS 1 Xrotation\n}\n" MOTION_LINES "1\n");
	checkVector(needMotion(&read)->rootPositions[0], 10, 20, 30);
	freeRead(&read);
}

static void oddEndSites(void** state)
{
	(void)state;
	Read read = readText(
		ROOT_LINES "JOINT A\n{\nOFFSET 0 1 0\nEnd  Site\n{\nOFFSET 0 1 0\nCHANNELS 0\n}\nend site Tip of A\n"
				   "{\nOFFSET 0 2 0\n}\nJOINT B\n{\nOFFSET 0 1 0\nEND SITE {\n\tOFFSET 0 3 0 }\n}\nEndSite\n{\n}\n}\n"
				   "JOINT C\n{\nOFFSET 1 0 0\n}\n}\n" MOTION_LINES "0 0 0 0 0 0\n");
	const rpSkeleton* skeleton = needMotion(&read)->skeleton;
	assert_int_equal(skeleton->jointCount, 4);
	assert_int_equal(skeleton->endCount, 4);
	assert_string_equal(skeleton->ends[0].name, "");
	assert_string_equal(skeleton->ends[1].name, "Tip of A");
	assert_int_equal(skeleton->ends[1].joint, 1);
	assert_int_equal(skeleton->ends[2].joint, 2);
	checkVector(skeleton->ends[2].offset, 0, 3, 0);
	checkVector(skeleton->ends[3].offset, 0, 0, 0);
	checkNoFindings(&read);
	freeRead(&read);
	// Channels of an end site stand in the rows and mean nothing.
	read = readText("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Xposition\nEnd Site\n{\nOFFSET 0 1 0\nCHANNELS 1 "
					"Xrotation\n}\nJOINT A\n{\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n}\n}\n" MOTION_LINES "5 77 90\n");
	checkVector(needMotion(&read)->rootPositions[0], 5, 0, 0);
	checkRotation(needMotion(&read)->rotations[1], rpAxisAngle((rpVec3){1, 0, 0}, (float)(90 * RP_DEGREE)));
	freeRead(&read);
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nEnd Site\n{\nJOINT A\n", rp_errorFormat, 7, 1, "inside an End Site",
			   "");
}

static void severalRoots(void** state)
{
	(void)state;
	checkError("HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nROOT The Prop\n{\nOFFSET 0 0 0\n}\n"
			   "ROOT Ball\n{\nOFFSET 0 0 0\n}\n" MOTION_LINES "0\n",
			   rp_errorFormat, 7, 1, "3 roots (\"Hips\", \"The Prop\", \"Ball\")", "one hierarchy");
}

static void oddNames(void** state)
{
	(void)state;
	Read read = readText("HIERARCHY\nROOT  mixamorig:Hips \r\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT Bip01 L "
						 "Thigh{\nOFFSET 1 0 0\nJOINT Bone.001\t\n{\nOFFSET 1 0 0\nJOINT Br\xc3\xbcst\xff\n{\nOFFSET 1 "
						 "0 0\n}\n}\n}\n}\n" MOTION_LINES "0\n");
	const rpSkeleton* skeleton = needMotion(&read)->skeleton;
	assert_string_equal(skeleton->joints[0].name, "mixamorig:Hips");
	assert_string_equal(skeleton->joints[1].name, "Bip01 L Thigh");
	assert_string_equal(skeleton->joints[2].name, "Bone.001");
	assert_string_equal(skeleton->joints[3].name, "Br\xc3\xbcst\xff");
	checkNoFindings(&read);
	freeRead(&read);
}

static void namesThatRepeat(void** state)
{
	(void)state;
	Read read = readText(
		"HIERARCHY\nROOT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT A\n{\nOFFSET 1 0 0\n}\nJOINT "
		"A_2\n{\nOFFSET 1 0 0\n}\nJOINT\n{\nOFFSET 1 0 0\n}\nJOINT A\n{\nOFFSET 1 0 0\n}\n}\n" MOTION_LINES "0\n");
	const rpSkeleton* skeleton = needMotion(&read)->skeleton;
	assert_string_equal(skeleton->joints[0].name, "A");
	assert_string_equal(skeleton->joints[1].name, "A_3");
	assert_string_equal(skeleton->joints[2].name, "A_2");
	assert_string_equal(skeleton->joints[3].name, "joint_4");
	assert_string_equal(skeleton->joints[4].name, "A_4");
	checkFinding(&read, "duplicate_name", true);
	freeRead(&read);
}

static void oddNumbers(void** state)
{
	(void)state;
	Read read = readText("HIERARCHY\nROOT R\n{\nOFFSET 1e-3 +2.5E1 -.5\nCHANNELS 6 Xposition Yposition Zposition "
						 "Zrotation Xrotation Yrotation\n}\n" MOTION_LINES "0.0-7.5 1e-45 4.9e-324 1E+1-0.0000\n");
	const rpMotion* motion = needMotion(&read);
	checkVector(motion->skeleton->offsets[0], 0.001f, 25.0f, -0.5f);
	assert_true(motion->rootPositions[0].y == -7.5f && motion->rootPositions[0].z == 1e-45f);
	checkRotation(motion->rotations[0], rpAxisAngle((rpVec3){1, 0, 0}, (float)(10 * RP_DEGREE)));
	freeRead(&read);
}

#define TINY "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 2 Xposition Yposition\n}\n"

static void lineEnds(void** state)
{
	(void)state;
	const char* pattern = "HIERARCHY@ROOT My Root@{@OFFSET 0 0 0@CHANNELS 2 Xposition Yposition@}@MOTION@Frames: "
						  "3@Frame Time: 0.01@1 2@3 4@@5 6@";
	static const char* const ends[] = {"\n", "\r", "\r\n", "\n\r", " \t\r\n\r"};
	for (int i = 0; i <= 5; ++i)
	{
		char text[512];
		int size = 0, seen = 0;
		for (const char* p = pattern; *p != 0; ++p)
		{
			// The last round mixes them all.
			size += *p == '@' ? sprintf(text + size, "%s", ends[i < 5 ? i : seen++ % 5]) : (text[size] = *p, 1);
		}
		Read read = readBytes(text, (size_t)size, NULL);
		const rpMotion* motion = needMotion(&read);
		assert_string_equal(motion->skeleton->joints[0].name, "My Root");
		assert_int_equal(motion->frameCount, 3);
		checkVector(motion->rootPositions[2], 5, 6, 0);
		checkNoFindings(&read);
		freeRead(&read);
	}
	checkError("HIERARCHY\rROOT R\r\n{\nOFFSET 0 0 0\r\rCHANNELS x", rp_errorFormat, 6, 10, "\"x\"", "");
}

static void endsOfTheFile(void** state)
{
	(void)state;
	static const char* const tails[] = {"", "\n", " ", "\r\n\r\n\t", "\n\x1a"};
	for (int i = 0; i < 5; ++i)
	{
		char text[512];
		sprintf(text, "%s%s", TINY "MOTION\nFrames: 1\nFrame Time: 0.01\n1 2.25", tails[i]);
		Read read = readText(text);
		checkVector(needMotion(&read)->rootPositions[0], 1, 2.25f, 0);
		checkNoFindings(&read);
		freeRead(&read);
	}
	char padded[] = TINY MOTION_LINES "1 2\n\0\0";
	Read read = readBytes(padded, sizeof(padded), NULL);
	needMotion(&read);
	freeRead(&read);
}

static void byteOrderMarks(void** state)
{
	(void)state;
	Read read = readText("\xef\xbb\xbf" TINY MOTION_LINES "1 2\n");
	needMotion(&read);
	freeRead(&read);
	checkError("\xef\xbb\xbfhello", rp_errorFormat, 1, 1, "expected HIERARCHY", "BVH");
	checkError("\xff\xfeH", rp_errorFormat, 1, 1, "UTF-16", "UTF-8");
}

static void wrappedRows(void** state)
{
	(void)state;
	Read read = readText(TINY "MOTION\nFrames: 3\nFrame Time: 0.01\n1\n2\n3\n4\n5\n6\n");
	assert_int_equal(needMotion(&read)->frameCount, 3);
	checkVector(needMotion(&read)->rootPositions[2], 5, 6, 0);
	checkNoFindings(&read);
	freeRead(&read);
	read = readText(TINY "MOTION\nFrames: 3\nFrame Time: 0.01\n1 2 3 4 5 6\n");
	assert_int_equal(needMotion(&read)->frameCount, 3);
	checkNoFindings(&read);
	freeRead(&read);
	// A row too short and one too long together fit: said, not refused.
	read = readText(TINY "MOTION\nFrames: 4\nFrame Time: 0.01\n1 2\n3\n4 5 6\n7 8\n");
	assert_int_equal(needMotion(&read)->frameCount, 4);
	checkFinding(&read, "ragged_rows", true);
	assert_int_equal(rpFindings_Find(&read.findings, "ragged_rows")->firstRow, 1);
	freeRead(&read);
}

static void shortRows(void** state)
{
	(void)state;
	checkError(TINY MOTION_LINES "1 2\n3 4\n5\n6 7\n", rp_errorFormat, 12, 1, "1 numbers on this line, expected 2",
			   "damaged");
	checkError(TINY MOTION_LINES "1 2\n3 4\n5 6 7\n6 7\n", rp_errorFormat, 12, 1, "3 numbers on this line", "");
	checkError(TINY MOTION_LINES "1 2\n3 4\n5", rp_errorFormat, 12, 1, "1 numbers", "cut off");
	// Three channels, two lines each: the row of the third and fourth line is too long.
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n" MOTION_LINES
			   "1 2\n3\n4 5\n6 7\n8 9\n10\n",
			   rp_errorFormat, 13, 1, "4 numbers in the row that ends here, expected 3", "");
	checkError(TINY MOTION_LINES, rp_errorFormat, 9, 17, "no rows", "");
}

static void frameCountsThatLie(void** state)
{
	(void)state;
	static const char* const claims[] = {
		"Frames: 1\n", "Frames: 3\n", "Frames: 0\n", "Frames: -5\n", "Frames:\n", "", "Frames: 99999999\n"};
	for (int i = 0; i < 7; ++i)
	{
		char text[512];
		sprintf(text, TINY "MOTION\n%sFrame Time: 0.01\n1 2\n3 4\n", claims[i]);
		Read read = readText(text);
		assert_int_equal(needMotion(&read)->frameCount, 2);
		checkFinding(&read, "frame_count", true);
		freeRead(&read);
	}
}

static void spellingsOfTheSettings(void** state)
{
	(void)state;
	static const char* const spellings[] = {"motion\nFRAMES: 1\nframe time: 0.01\n", "Motion Frames:1 Frame Time:0.01 ",
											"MOTION\nFrames : 1\nFrame  Time : 0.01\n",
											"MOTION\nFrame Time: 0,01\nFrames: 1\n",
											"MOTION\nFrames 1\nFrameTime 1e-2\n"};
	for (int i = 0; i < 5; ++i)
	{
		char text[512];
		sprintf(text, "hierarchy\nroot R\n{\noffset 0 0 0\nchannels 2 XPOSITION yposition\n}\n%s1 2\n", spellings[i]);
		Read read = readText(text);
		assert_true(needMotion(&read)->fps == 100.0);
		assert_int_equal(needMotion(&read)->frameCount, 1);
		checkNoFindings(&read);
		freeRead(&read);
	}
}

static void frameTimes(void** state)
{
	(void)state;
	static const struct
	{
		const char* text;
		double fps;
	} times[] = {{".0083333", 120.0},
				 {"0.008333", 120.0},
				 {"0.0333667", 30000.0 / 1001.0},
				 {"0.03337", 30000.0 / 1001.0},
				 {"0.0333333", 30.0},
				 {"0.016683", 60000.0 / 1001.0},
				 {"0.041708", 24000.0 / 1001.0},
				 {"0.04", 25.0},
				 {"0.0123", 1.0 / 0.0123},
				 {"1", 1.0},
				 {"4", 0.25},
				 {"0.00833472245374229", 1.0 / 0.00833472245374229}};
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); ++i)
	{
		char text[512];
		sprintf(text, TINY "MOTION\nFrames: 1\nFrame Time: %s\n1 2\n", times[i].text);
		Read read = readText(text);
		double fps = needMotion(&read)->fps;
		assert_true(fabs(fps - times[i].fps) < 1e-13 * fps);
		freeRead(&read);
	}
}

static void noFrameTime(void** state)
{
	(void)state;
	static const char* const times[] = {"",
										"Frame Time:\n",
										"Frame Time: 0\n",
										"Frame Time: -0.01\n",
										"Frame Time: nan\n",
										"Frame Time: 0.0000\n",
										"Frame Time: 1e-999\n"};
	for (int i = 0; i < 7; ++i)
	{
		char text[512];
		sprintf(text, TINY "MOTION\nFrames: 1\n%s1 2\n", times[i]);
		Read read = readText(text);
		assert_false(read.done);
		assert_int_equal(read.error.code, rp_errorFormat);
		assert_non_null(strstr(read.error.hint, "--fps"));
		assert_true(read.error.line >= 7);
		freeRead(&read);
		rpReadDef def = rpDefaultReadDef();
		def.fps = 60.0;
		read = readBytes(text, strlen(text), &def);
		assert_true(needMotion(&read)->fps == 60.0);
		freeRead(&read);
	}
	const char* text = TINY MOTION_LINES "1 2\n";
	rpReadDef def = rpDefaultReadDef();
	def.fps = 50.0;
	Read read = readBytes(text, strlen(text), &def);
	assert_true(needMotion(&read)->fps == 50.0);
	freeRead(&read);
}

static void decimalCommas(void** state)
{
	(void)state;
	Read read = readText("HIERARCHY\nROOT Bone.001\n{\nOFFSET 0 1,5 -0,25\nCHANNELS 2 Xposition Yposition\n}\nMOTION\n"
						 "Frames: 1\nFrame Time: 0,01\n0,5 -1,25e1\n");
	checkVector(needMotion(&read)->skeleton->offsets[0], 0, 1.5f, -0.25f);
	checkVector(needMotion(&read)->rootPositions[0], 0.5f, -12.5f, -0.25f);
	assert_true(needMotion(&read)->fps == 100.0);
	checkFinding(&read, "decimal_comma", true);
	freeRead(&read);
	// The first comma stands in the rows, and the frame time has a point.
	read = readText(TINY "MOTION\nFrames: 2\nFrame Time: 0.01\n1 2\n3 4,5\n");
	checkVector(needMotion(&read)->rootPositions[1], 3, 4.5f, 0);
	freeRead(&read);
	// Both in one file: which is which cannot be known.
	checkError(TINY MOTION_LINES "1.5 2\n3 4,5\n", rp_errorFormat, 11, 3, "\"4,5\"", "decimal");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0.5 0,5\n", rp_errorFormat, 4, 14, "\"0,5\"", "");
	checkError(TINY MOTION_LINES "1,5 2\n3 4.5\n", rp_errorFormat, 11, 3, "\"4.5\"", "decimal");
}

static void commaLocale(void** state)
{
	(void)state;
	static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8"};
	const char* found = NULL;
	for (int i = 0; i < 4 && found == NULL; ++i)
	{
		found = setlocale(LC_ALL, names[i]);
	}
	if (found == NULL)
	{
		print_message("skipped: no locale with a decimal comma is installed\n");
		skip();
	}
	Read read = readText(TINY "MOTION\nFrames: 1\nFrame Time: .0083333\n1.5 123456.7890123456789e-3\n");
	assert_true(needMotion(&read)->fps == 120.0);
	checkVector(needMotion(&read)->rootPositions[0], 1.5f, 123.4567890123f, 0);
	freeRead(&read);
	setlocale(LC_ALL, "C");
}

static void noFiniteNumbers(void** state)
{
	(void)state;
	static const char* const words[] = {"nan",   "-nan", "inf", "Infinity", "1.#IND", "1e39", "0x10",
										"1.5.2", "-",    "--5", "1e13",     "5e",     "\x01", "NaN(7)"};
	for (int i = 0; i < 14; ++i)
	{
		char text[512];
		sprintf(text, TINY MOTION_LINES "1 2\n3 %s\n", words[i]);
		checkError(text, rp_errorFormat, 11, 3, "in row 1, expected a number", "");
		sprintf(text, "HIERARCHY\nROOT R\n{\nOFFSET 0 %s 0\n", words[i]);
		checkError(text, rp_errorFormat, 4, 10, "OFFSET", "");
	}
}

static void zeroLengthBones(void** state)
{
	(void)state;
	Read read = readText(ROOT_LINES "JOINT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT B\n{\nOFFSET 0 0 0\nEnd "
									"Site\n{\nOFFSET 0 0 0\n}\n}\n}\n}\n" MOTION_LINES "0 0 0 0 0 0 5\n");
	assert_int_equal(needMotion(&read)->skeleton->jointCount, 3);
	assert_int_equal(needMotion(&read)->skeleton->endCount, 1);
	checkNoFindings(&read);
	freeRead(&read);
}

static void malformedHierarchies(void** state)
{
	(void)state;
	checkError("", rp_errorFormat, 1, 1, "the end of the file, expected HIERARCHY", "BVH");
	checkError("HIERARCHY\n", rp_errorFormat, 1, 10, "expected ROOT", "cut off");
	checkError("HIERARCHY\nJOINT A\n{\n", rp_errorFormat, 2, 1, "outside the root", "");
	checkError("HIERARCHY\nROOT R\nOFFSET 0 0 0\n", rp_errorFormat, 3, 1, "expected {", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0\n}\n", rp_errorFormat, 5, 1, "expected number 3 of 3 of an OFFSET",
			   "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n}\n", rp_errorFormat, 5, 1, "second OFFSET", "");
	checkError("HIERARCHY\nROOT R\n{\nCHANNELS 1 Xrotation\n}\n", rp_errorFormat, 5, 1, "without an OFFSET", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nMOTION\n", rp_errorFormat, 6, 1,
			   "MOTION inside joint R", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n}\n" MOTION_LINES "1\n", rp_errorFormat, 6, 1,
			   "no joint has channels", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n}\n}\n", rp_errorFormat, 6, 1, "without a joint to close", "");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n", rp_errorFormat, 6, 2,
			   "the end of the file, expected MOTION", "cut off");
	checkError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nROOT S\n{\n", rp_errorFormat, 5, 1, "ROOT inside joint R", "");
	checkError("HIERARCHY\nROOT \xc3\xa4\xc3\xb6 {{\n", rp_errorFormat, 2, 10, "found \"{\"", "");
}

// What a small file claims is not believed, and costs next to nothing.
static void hugeClaims(void** state)
{
	(void)state;
	checkError(TINY "MOTION\nFrames: 1000000000\nFrame Time: 0.01\n1 2\n", rp_errorLimit, 8, 1, "1000000000 frames",
			   "");
	char* text = malloc(1000000);
	int size = sprintf(text, "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n");
	for (int i = 0; i < 10000; ++i)
	{
		size += sprintf(text + size, "JOINT J%d\n{\nOFFSET 0 0 0\n", i);
	}
	checkError(text, rp_errorLimit, 3 * 1024 + 2, 1, "more than 1024 joints", "");
	size = sprintf(text, "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n");
	for (int i = 0; i < 10000; ++i)
	{
		size += sprintf(text + size, "End Site\n{\nOFFSET 0 0 0\n}\n");
	}
	checkError(text, rp_errorLimit, 4 * 4096 + 5, 1, "more than 4096 end sites", "");
	free(text);
}

// The most bytes that live at once, counted through the allocation hooks.
static size_t s_bytes, s_peak;

static void* countAllocate(size_t size, void* context)
{
	(void)context;
	size_t* block = malloc(size + 16);
	*block = size;
	s_bytes += size;
	s_peak = s_bytes > s_peak ? s_bytes : s_peak;
	return block + 2;
}

static void countRelease(void* memory, void* context)
{
	(void)context;
	size_t* block = (size_t*)memory - 2;
	s_bytes -= *block;
	free(block);
}

static void* countReallocate(void* memory, size_t size, void* context)
{
	void* moved = countAllocate(size, context);
	size_t old = ((size_t*)memory)[-2];
	memcpy(moved, memory, old < size ? old : size);
	countRelease(memory, context);
	return moved;
}

// At most twice file and motion, also where the file lies about its frames or says nothing.
static void peakMemory(void** state)
{
	(void)state;
	static const rpAllocator allocator = {countAllocate, countReallocate, countRelease, NULL};
	static const char* const claims[] = {"Frames: 3000\n", "Frames: 5\n", "", "Frames: 3500\n"};
	char* text = malloc(3000000);
	for (int i = 0; i < 4; ++i)
	{
		int size = sprintf(text, "%s", ROOT_LINES);
		for (int k = 0; k < 20; ++k)
		{
			size +=
				sprintf(text + size, "JOINT J%d\n{\nOFFSET 0 1 0\nCHANNELS 3 Zrotation Xrotation Yrotation\n}\n", k);
		}
		size += sprintf(text + size, "}\nMOTION\n%sFrame Time: 0.01\n", claims[i]);
		for (int row = 0; row < 3000; ++row)
		{
			for (int k = 0; k < 66; ++k)
			{
				size += sprintf(text + size, "%d.%04d ", k, row);
			}
			text[size++] = '\n';
		}
		rpSetAllocator(&allocator);
		s_bytes = s_peak = 0;
		Read read = readBytes(text, (size_t)size, NULL);
		size_t kept = s_bytes, peak = s_peak + (size_t)size;
		assert_int_equal(needMotion(&read)->frameCount, 3000);
		freeRead(&read);
		assert_int_equal(s_bytes, 0);
		rpSetAllocator(NULL);
		assert_true(peak <= 2 * (kept + (size_t)size));
		// With the right count there is nothing beyond file and motion but a row of scratch.
		assert_true(i > 0 || peak <= kept + (size_t)size + 20000);
	}
	free(text);
}

static void everyAllocationFails(void** state)
{
	(void)state;
	const char* text = POSITION_JOINT "MOTION\nFrames: 1\nFrame Time: 0.01\n0 0 0 0 0 0 0 8 1\n0 0 0 0 0 0 0 9 1\n";
	testUseCountingAllocator();
	rpReadDef def = rpDefaultReadDef();
	int failures = 0;
	for (bool done = false; !done; ++failures)
	{
		rpReading reading;
		rpFindings findings = {0};
		rpError error = {0};
		testFailAllocation(failures);
		done = rpReadBvh(text, strlen(text), &def, &reading, &findings, &error);
		bool complete = testCountAllocations() <= failures;
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		rpDestroyMotion(reading.motion);
		rpFindings_Free(&findings);
		assert_int_equal(testCountLiveBlocks(), 0);
		done = done && complete;
		assert_true(failures < 1000);
	}
	assert_true(failures > 10);
	rpSetAllocator(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		cmocka_unit_test(oddNumbers),
		cmocka_unit_test(lineEnds),
		cmocka_unit_test(endsOfTheFile),
		cmocka_unit_test(byteOrderMarks),
		cmocka_unit_test(wrappedRows),
		cmocka_unit_test(shortRows),
		cmocka_unit_test(frameCountsThatLie),
		cmocka_unit_test(spellingsOfTheSettings),
		cmocka_unit_test(frameTimes),
		cmocka_unit_test(noFrameTime),
		cmocka_unit_test(decimalCommas),
		cmocka_unit_test(commaLocale),
		cmocka_unit_test(noFiniteNumbers),
		cmocka_unit_test(zeroLengthBones),
		cmocka_unit_test(malformedHierarchies),
		cmocka_unit_test(hugeClaims),
		cmocka_unit_test(peakMemory),
		cmocka_unit_test(everyAllocationFails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
