/// The BVH reader and the traps of its numbers, lines and rows, one small test each; damage and memory.
#include "bvh_reading.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void oddNumbers(void** state)
{
	(void)state;
	BvhReading read =
		testReadBvh("HIERARCHY\nROOT R\n{\nOFFSET 1e-3 +2.5E1 -.5\nCHANNELS 6 Xposition Yposition Zposition "
					"Zrotation Xrotation Yrotation\n}\n" MOTION_LINES "0.0-7.5 1e-45 4.9e-324 1E+1-0.0000\n");
	const rpMotion* motion = testNeedMotion(&read);
	testCheckVector(motion->skeleton->offsets[0], 0.001f, 25.0f, -0.5f);
	assert_true(motion->rootPositions[0].y == -7.5f && motion->rootPositions[0].z == 1e-45f);
	testCheckRotation(motion->rotations[0], rpAxisAngle((rpVec3){1, 0, 0}, (float)(10 * RP_DEGREE)));
	testFreeBvh(&read);
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
		BvhReading read = testReadBvhBytes(text, (size_t)size, NULL);
		const rpMotion* motion = testNeedMotion(&read);
		assert_string_equal(motion->skeleton->joints[0].name, "My Root");
		assert_int_equal(motion->frameCount, 3);
		testCheckVector(motion->rootPositions[2], 5, 6, 0);
		testCheckNoFindings(&read);
		testFreeBvh(&read);
	}
	testCheckBvhError("HIERARCHY\rROOT R\r\n{\nOFFSET 0 0 0\r\rCHANNELS x", rp_errorFormat, 6, 10, "\"x\"", "");
}

static void endsOfTheFile(void** state)
{
	(void)state;
	static const char* const tails[] = {"", "\n", " ", "\r\n\r\n\t", "\n\x1a"};
	for (int i = 0; i < 5; ++i)
	{
		char text[512];
		sprintf(text, "%s%s", TINY "MOTION\nFrames: 1\nFrame Time: 0.01\n1 2.25", tails[i]);
		BvhReading read = testReadBvh(text);
		testCheckVector(testNeedMotion(&read)->rootPositions[0], 1, 2.25f, 0);
		testCheckNoFindings(&read);
		testFreeBvh(&read);
	}
	char padded[] = TINY MOTION_LINES "1 2\n\0\0";
	BvhReading read = testReadBvhBytes(padded, sizeof(padded), NULL);
	testNeedMotion(&read);
	testFreeBvh(&read);
}

static void byteOrderMarks(void** state)
{
	(void)state;
	BvhReading read = testReadBvh("\xef\xbb\xbf" TINY MOTION_LINES "1 2\n");
	testNeedMotion(&read);
	testFreeBvh(&read);
	testCheckBvhError("\xef\xbb\xbfhello", rp_errorFormat, 1, 1, "expected HIERARCHY", "BVH");
	testCheckBvhError("\xff\xfeH", rp_errorFormat, 1, 1, "UTF-16", "UTF-8");
}

static void wrappedRows(void** state)
{
	(void)state;
	BvhReading read = testReadBvh(TINY "MOTION\nFrames: 3\nFrame Time: 0.01\n1\n2\n3\n4\n5\n6\n");
	assert_int_equal(testNeedMotion(&read)->frameCount, 3);
	testCheckVector(testNeedMotion(&read)->rootPositions[2], 5, 6, 0);
	testCheckNoFindings(&read);
	testFreeBvh(&read);
	read = testReadBvh(TINY "MOTION\nFrames: 3\nFrame Time: 0.01\n1 2 3 4 5 6\n");
	assert_int_equal(testNeedMotion(&read)->frameCount, 3);
	testCheckNoFindings(&read);
	testFreeBvh(&read);
	// A row too short and one too long together fit: said, not refused.
	read = testReadBvh(TINY "MOTION\nFrames: 4\nFrame Time: 0.01\n1 2\n3\n4 5 6\n7 8\n");
	assert_int_equal(testNeedMotion(&read)->frameCount, 4);
	testCheckFinding(&read, "ragged_rows", true);
	assert_int_equal(rpFindings_Find(&read.findings, "ragged_rows")->firstRow, 1);
	testFreeBvh(&read);
}

static void shortRows(void** state)
{
	(void)state;
	testCheckBvhError(TINY MOTION_LINES "1 2\n3 4\n5\n6 7\n", rp_errorFormat, 12, 1,
					  "1 numbers on this line, expected 2", "damaged");
	testCheckBvhError(TINY MOTION_LINES "1 2\n3 4\n5 6 7\n6 7\n", rp_errorFormat, 12, 1, "3 numbers on this line", "");
	testCheckBvhError(TINY MOTION_LINES "1 2\n3 4\n5", rp_errorFormat, 12, 1, "1 numbers", "cut off");
	// Three channels, two lines each: the row of the third and fourth line is too long.
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\n" MOTION_LINES
					  "1 2\n3\n4 5\n6 7\n8 9\n10\n",
					  rp_errorFormat, 13, 1, "4 numbers in the row that ends here, expected 3", "");
	testCheckBvhError(TINY MOTION_LINES, rp_errorFormat, 9, 17, "no rows", "");
}

// The numbers can be dealt into rows, but not into the rows that the file claims and shows.
static void channelsThatDoNotFit(void** state)
{
	(void)state;
	testCheckBvhError(TINY "MOTION\nFrames: 2\nFrame Time: 0.01\n\n1 2 3 4 5 6\n1 2 3 4 5 6\n", rp_errorFormat, 11, 1,
					  "6 numbers on this line, expected 2", "CHANNELS");
	testCheckBvhError(TINY "MOTION\nFrames: 4\nFrame Time: 0.01\n1\r\n2\r\n3\r\n4", rp_errorFormat, 10, 1,
					  "1 numbers on this line, expected 2", "CHANNELS");
	testCheckBvhError(TINY "MOTION\nFrames: 4\nFrame Time: 0.01\n1 2\n\n3\n4\n5 6\n", rp_errorFormat, 12, 1,
					  "1 numbers on this line, expected 2", "damaged");
	testCheckBvhError(TINY "MOTION\nFrames: 3\nFrame Time: 0.01\n1 2 3\n4 5 6\n7 8 9\n", rp_errorFormat, 10, 1,
					  "3 numbers on this line, expected 2", "CHANNELS");
	// All rows on one line, and as many as they are.
	BvhReading read = testReadBvh(TINY "MOTION\nFrames: 1\nFrame Time: 0.01\n1 2 3 4 5 6\n");
	assert_int_equal(testNeedMotion(&read)->frameCount, 3);
	testCheckFinding(&read, "frame_count", true);
	testFreeBvh(&read);
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
		BvhReading read = testReadBvh(text);
		assert_int_equal(testNeedMotion(&read)->frameCount, 2);
		testCheckFinding(&read, "frame_count", true);
		testFreeBvh(&read);
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
		BvhReading read = testReadBvh(text);
		assert_true(testNeedMotion(&read)->fps == 100.0);
		assert_int_equal(testNeedMotion(&read)->frameCount, 1);
		testCheckNoFindings(&read);
		testFreeBvh(&read);
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
		BvhReading read = testReadBvh(text);
		double fps = testNeedMotion(&read)->fps;
		assert_true(fabs(fps - times[i].fps) < 1e-13 * fps);
		testCheckFinding(&read, "frame_rate", times[i].fps < 1.0);
		testFreeBvh(&read);
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
		BvhReading read = testReadBvh(text);
		assert_false(read.done);
		assert_int_equal(read.error.code, rp_errorFormat);
		assert_non_null(strstr(read.error.hint, "--fps"));
		assert_true(read.error.line >= 7);
		testFreeBvh(&read);
		rpReadDef def = rpDefaultReadDef();
		def.fps = 60.0;
		read = testReadBvhBytes(text, strlen(text), &def);
		assert_true(testNeedMotion(&read)->fps == 60.0);
		testFreeBvh(&read);
	}
	const char* text = TINY MOTION_LINES "1 2\n";
	rpReadDef def = rpDefaultReadDef();
	def.fps = 50.0;
	BvhReading read = testReadBvhBytes(text, strlen(text), &def);
	assert_true(testNeedMotion(&read)->fps == 50.0);
	testFreeBvh(&read);
}

static void decimalCommas(void** state)
{
	(void)state;
	BvhReading read =
		testReadBvh("HIERARCHY\nROOT Bone.001\n{\nOFFSET 0 1,5 -0,25\nCHANNELS 2 Xposition Yposition\n}\nMOTION\n"
					"Frames: 1\nFrame Time: 0,01\n0,5 -1,25e1\n");
	testCheckVector(testNeedMotion(&read)->skeleton->offsets[0], 0, 1.5f, -0.25f);
	testCheckVector(testNeedMotion(&read)->rootPositions[0], 0.5f, -12.5f, -0.25f);
	assert_true(testNeedMotion(&read)->fps == 100.0);
	testCheckFinding(&read, "decimal_comma", true);
	testFreeBvh(&read);
	// The first comma stands in the rows, and the frame time has a point.
	read = testReadBvh(TINY "MOTION\nFrames: 2\nFrame Time: 0.01\n1 2\n3 4,5\n");
	testCheckVector(testNeedMotion(&read)->rootPositions[1], 3, 4.5f, 0);
	testFreeBvh(&read);
	// Both in one file: which is which cannot be known.
	testCheckBvhError(TINY MOTION_LINES "1.5 2\n3 4,5\n", rp_errorFormat, 11, 3, "\"4,5\"", "decimal");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0.5 0,5\n", rp_errorFormat, 4, 14, "\"0,5\"", "");
	testCheckBvhError(TINY MOTION_LINES "1,5 2\n3 4.5\n", rp_errorFormat, 11, 3, "\"4.5\"", "decimal");
}

static void commaLocale(void** state)
{
	(void)state;
	if (!testUseCommaLocale())
	{
		skip();
	}
	BvhReading read = testReadBvh(TINY "MOTION\nFrames: 1\nFrame Time: .0083333\n1.5 123456.7890123456789e-3\n");
	assert_true(testNeedMotion(&read)->fps == 120.0);
	testCheckVector(testNeedMotion(&read)->rootPositions[0], 1.5f, 123.4567890123f, 0);
	testFreeBvh(&read);
	testUsePlainLocale();
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
		testCheckBvhError(text, rp_errorFormat, 11, 3, "in row 1, expected a number", "");
		sprintf(text, "HIERARCHY\nROOT R\n{\nOFFSET 0 %s 0\n", words[i]);
		testCheckBvhError(text, rp_errorFormat, 4, 10, "OFFSET", "");
	}
}

static void zeroLengthBones(void** state)
{
	(void)state;
	BvhReading read =
		testReadBvh(ROOT_LINES "JOINT A\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nJOINT B\n{\nOFFSET 0 0 0\nEnd "
							   "Site\n{\nOFFSET 0 0 0\n}\n}\n}\n}\n" MOTION_LINES "0 0 0 0 0 0 5\n");
	assert_int_equal(testNeedMotion(&read)->skeleton->jointCount, 3);
	assert_int_equal(testNeedMotion(&read)->skeleton->endCount, 1);
	testCheckNoFindings(&read);
	testFreeBvh(&read);
}

static void malformedHierarchies(void** state)
{
	(void)state;
	testCheckBvhError("", rp_errorFormat, 1, 1, "the end of the file, expected HIERARCHY", "no text");
	testCheckBvhError("HIERARCHY\n", rp_errorFormat, 1, 10, "expected ROOT", "cut off");
	testCheckBvhError("HIERARCHY\nJOINT A\n{\n", rp_errorFormat, 2, 1, "outside the root", "");
	testCheckBvhError("HIERARCHY\nROOT R\nOFFSET 0 0 0\n", rp_errorFormat, 3, 1, "expected {", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0\n}\n", rp_errorFormat, 5, 1,
					  "expected number 3 of 3 of an OFFSET", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nOFFSET 0 0 0\n}\n", rp_errorFormat, 5, 1, "second OFFSET",
					  "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nCHANNELS 1 Xrotation\n}\n", rp_errorFormat, 5, 1, "without an OFFSET", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\nMOTION\n", rp_errorFormat, 6, 1,
					  "MOTION inside joint R", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n}\n" MOTION_LINES "1\n", rp_errorFormat, 6, 1,
					  "no joint has channels", "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n}\n}\n", rp_errorFormat, 6, 1, "without a joint to close",
					  "");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\n", rp_errorFormat, 6, 2,
					  "the end of the file, expected MOTION", "cut off");
	testCheckBvhError("HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nROOT S\n{\n", rp_errorFormat, 5, 1, "ROOT inside joint R",
					  "");
	testCheckBvhError("HIERARCHY\nROOT \xc3\xa4\xc3\xb6 {{\n", rp_errorFormat, 2, 10, "found \"{\"", "");
}

// What a small file claims is not believed, and costs next to nothing.
static void hugeClaims(void** state)
{
	(void)state;
	testCheckBvhError(TINY "MOTION\nFrames: 1000000000\nFrame Time: 0.01\n1 2\n", rp_errorLimit, 8, 1,
					  "1000000000 frames", "");
	char* text = malloc(1000000);
	int size = sprintf(text, "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n");
	for (int i = 0; i < 10000; ++i)
	{
		size += sprintf(text + size, "JOINT J%d\n{\nOFFSET 0 0 0\n", i);
	}
	testCheckBvhError(text, rp_errorLimit, 3 * 1024 + 2, 1, "more than 1024 joints", "");
	size = sprintf(text, "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\n");
	for (int i = 0; i < 10000; ++i)
	{
		size += sprintf(text + size, "End Site\n{\nOFFSET 0 0 0\n}\n");
	}
	testCheckBvhError(text, rp_errorLimit, 4 * 4096 + 5, 1, "more than 4096 end sites", "");
	free(text);
}

// Joints without channels cost memory but no bytes: a small file must not fill the machine.
static void hugeRows(void** state)
{
	(void)state;
	char* text = malloc(1000000);
	int size = sprintf(text, "HIERARCHY\nROOT R\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n");
	for (int i = 1; i < RP_MAX_JOINTS; ++i)
	{
		size += sprintf(text + size, "JOINT J%d\n{\nOFFSET 0 0 0\n}\n", i);
	}
	size += sprintf(text + size, "}\nMOTION\nFrames: 90000\nFrame Time: 0.01\n");
	memset(text + size, ' ', 180000);
	for (int i = 0; i < 90000; ++i)
	{
		text[size + 2 * i] = '0';
	}
	text[size + 180000] = 0;
	BvhReading read = testReadBvh(text);
	assert_false(read.done);
	assert_int_equal(read.error.code, rp_errorLimit);
	testFreeBvh(&read);
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
		BvhReading read = testReadBvhBytes(text, (size_t)size, NULL);
		size_t kept = s_bytes, peak = s_peak + (size_t)size;
		assert_int_equal(testNeedMotion(&read)->frameCount, 3000);
		testFreeBvh(&read);
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
		cmocka_unit_test(oddNumbers),
		cmocka_unit_test(lineEnds),
		cmocka_unit_test(endsOfTheFile),
		cmocka_unit_test(byteOrderMarks),
		cmocka_unit_test(wrappedRows),
		cmocka_unit_test(shortRows),
		cmocka_unit_test(channelsThatDoNotFit),
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
		cmocka_unit_test(hugeRows),
		cmocka_unit_test(peakMemory),
		cmocka_unit_test(everyAllocationFails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
