/// Acclaim files: every way of writing that is known from the wild, and every mistake named by its line.
#include "support.h"

#include "base/memory.h"
#include "file/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASF_HEAD                                                                                \
	"# a comment\n:version 1.10\n:name VICON\n:units\n  mass 1.0\n  length 0.45\n  angle deg\n" \
	":documentation\n   free text, with begin and end\n   order of words does not matter\n"
#define ASF_ROOT ":root\n   order TX TY TZ RX RY RZ\n   axis XYZ\n   position 0 0 0\n   orientation 0 0 0\n"
#define ASF_BONES                                                                                                \
	":bonedata\n  begin\n     id 1\n     name spine\n     direction 0 1 0\n     length 2\n     axis 0 0 0 XYZ\n" \
	"    dof rx ry rz\n    limits (-20.0 45.0)\n           (-inf inf)\n           (-inf 30.0)\n  end\n"          \
	"  begin\n     limits (-10 170)\n     dof rx\n     axis 0 0 90 XYZ\n     length 3\n     direction 1 0 0\n"   \
	"     name arm\n     bodymass 3\n  end\n"                                                                    \
	"  begin\n     name dummy\n     direction 0 1 0\n     length 0\n     axis 0 0 0 XYZ\n  end\n"
#define ASF_TREE ":hierarchy\n  begin\n    root spine dummy\n    spine arm\n  end\n"
#define ASF ASF_HEAD ASF_ROOT ASF_BONES ASF_TREE

#define AMC_HEAD "#!OML:ASF somewhere\n:FULLY-SPECIFIED\n:DEGREES\n"
#define AMC AMC_HEAD "1\nroot 1 2 3 0 90 0\nspine 0 0 90\narm 90\n2\nroot 1 2.5 3 0 90 0\nspine 0 0 0\narm 0\n"

static bool readPair(const char* amc, const char* asf, const rpReadDef* def, rpReading* out, rpFindings* findings,
					 rpError* error)
{
	rpReadDef plain = rpDefaultReadDef();
	// Blocks of the exact size, so that sanitizers see any byte read beyond the end.
	char *amcCopy = malloc(strlen(amc) + 1), *asfCopy = malloc(strlen(asf) + 1);
	memcpy(amcCopy, amc, strlen(amc));
	memcpy(asfCopy, asf, strlen(asf));
	amcCopy = realloc(amcCopy, strlen(amc) > 0 ? strlen(amc) : 1);
	asfCopy = realloc(asfCopy, strlen(asf) > 0 ? strlen(asf) : 1);
	bool done = rpReadAmc(amcCopy, strlen(amc), asfCopy, strlen(asf), "body.asf", def != NULL ? def : &plain, out,
						  findings, error);
	free(amcCopy);
	free(asfCopy);
	return done;
}

static rpMotion* readGood(const char* amc, const char* asf, rpFindings* findings)
{
	rpReading reading;
	rpError error = {0};
	if (!readPair(amc, asf, NULL, &reading, findings, &error))
	{
		fail_msg("%s:%d:%d: %s", error.file, error.line, error.column, error.message);
	}
	return reading.motion;
}

static void assertPlace(const rpMotion* motion, int frame, const char* bone, float x, float y, float z)
{
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(motion, frame, pose);
	int joint = rpSkeleton_FindJoint(motion->skeleton, bone);
	assert_true(joint >= 0);
	if (!(rpDistance(pose[joint].p, (rpVec3){x, y, z}) < 1e-5f))
	{
		fail_msg("%s at %g %g %g", bone, (double)pose[joint].p.x, (double)pose[joint].p.y, (double)pose[joint].p.z);
	}
}

static void assertEnd(const rpMotion* motion, int frame, int end, float x, float y, float z)
{
	rpTransform pose[RP_MAX_JOINTS];
	rpMotion_Forward(motion, frame, pose);
	const rpEndSite* site = motion->skeleton->ends + end;
	rpVec3 p = rpTransformPoint(pose[site->joint], site->offset);
	if (!(rpDistance(p, (rpVec3){x, y, z}) < 1e-5f))
	{
		fail_msg("end %d at %g %g %g", end, (double)p.x, (double)p.y, (double)p.z);
	}
}

static void testPlain(void** state)
{
	(void)state;
	rpFindings findings = {0};
	rpMotion* motion = readGood(AMC, ASF, &findings);
	assert_int_equal(motion->frameCount, 2);
	assert_int_equal(motion->skeleton->jointCount, 4);
	assert_int_equal(motion->skeleton->endCount, 2);
	assert_true(motion->fps == 120.0);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.items[0].code, "frame_rate");

	// At rest but for the root, which looks along +x: the arm, along its own +x, goes to -z.
	assertPlace(motion, 1, "root", 1.0f, 2.5f, 3.0f);
	assertPlace(motion, 1, "spine", 1.0f, 2.5f, 3.0f);
	assertPlace(motion, 1, "arm", 1.0f, 4.5f, 3.0f);
	assertEnd(motion, 1, 0, 1.0f, 4.5f, 0.0f);

	// The spine falls to its -x, the world's +z, and the arm points up. The arm's axis is turned by 90 degrees about z,
	// so that its rx turns about its own y.
	assertPlace(motion, 0, "arm", 1.0f, 2.0f, 5.0f);
	int arm = rpSkeleton_FindJoint(motion->skeleton, "arm");
	rpVec3 turn = rpLogQuat(rpMotion_GetRotations(motion, 0)[arm]);
	assert_true(rpDistance(turn, (rpVec3){0.0f, (float)(0.5 * RP_PI), 0.0f}) < 1e-5f);
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
}

static void testSkeleton(void** state)
{
	(void)state;
	rpReading reading;
	assert_true(readPair(AMC, ASF, NULL, &reading, NULL, NULL));
	assert_float_equal(reading.metresPerUnit, 0.0254 / 0.45, 1e-9);
	const rpSkeleton* skeleton = reading.motion->skeleton;
	const rpJoint* spine = skeleton->joints + rpSkeleton_FindJoint(skeleton, "spine");
	const rpJoint* arm = skeleton->joints + rpSkeleton_FindJoint(skeleton, "arm");
	const rpJoint* dummy = skeleton->joints + rpSkeleton_FindJoint(skeleton, "dummy");
	assert_int_equal(spine->freedoms, rp_freeAll);
	assert_int_equal(arm->freedoms, rp_freeX);
	assert_int_equal(dummy->freedoms, 0);
	assert_float_equal(spine->lower.x, -20.0 * RP_DEGREE, 1e-6);
	assert_float_equal(spine->upper.x, 45.0 * RP_DEGREE, 1e-6);
	assert_true(spine->lower.y > spine->upper.y);
	assert_true(spine->lower.z < -1000.0f && isfinite(spine->lower.z));
	assert_float_equal(spine->upper.z, 30.0 * RP_DEGREE, 1e-6);
	assert_float_equal(arm->upper.x, 170.0 * RP_DEGREE, 1e-5);
	assert_int_equal(spine->order, rp_orderZYX);
	rpDestroyMotion(reading.motion);
}

// Line ends of every kind, and no line end at the end.
static void testLineEnds(void** state)
{
	(void)state;
	rpMotion* expected = readGood(AMC, ASF, NULL);
	const char* const ends[] = {"\r\n", "\r", " \t\n", "\n\n"};
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); ++i)
	{
		const char* const texts[2] = {AMC, ASF};
		rpText converted[2] = {{0}, {0}};
		for (int k = 0; k < 2; ++k)
		{
			for (const char* c = texts[k]; *c != 0; ++c)
			{
				rpText_AppendString(converted + k, *c == '\n' ? ends[i] : (const char[2]){*c, 0});
			}
		}
		converted[0].data[converted[0].size - strlen(ends[i])] = 0;
		rpMotion* motion = readGood(converted[0].data, converted[1].data, NULL);
		assert_true(rpMotion_Agrees(motion, expected, 0.0f));
		rpDestroyMotion(motion);
		rpText_Free(converted);
		rpText_Free(converted + 1);
	}
	rpDestroyMotion(expected);
}

static void testRadians(void** state)
{
	(void)state;
	rpMotion* expected = readGood(AMC, ASF, NULL);
	const char* amc = ":fully-specified\n:RADIANS\n1\nroot 1 2 3 0 1.5707963267948966 0\nspine 0 0 1.5707963267948966\n"
					  "arm 1.5707963267948966\n2\nroot 1 2.5 3 0 1.5707963267948966 0\nspine 0 0 0\narm 0\n";
	rpMotion* motion = readGood(amc, ASF, NULL);
	assert_true(rpMotion_Agrees(motion, expected, 1e-6f));
	rpDestroyMotion(motion);

	// The skeleton's own unit: of its axes and limits, and of the motion where that says nothing.
	const char* asf =
		":units\n length 1\n angle rad\n" ASF_ROOT
		":bonedata begin id 1 name spine direction 0 1 0 length 2 axis 0 0 0 XYZ dof rx ry rz end\n"
		"begin name arm direction 1 0 0 length 3 axis 0 0 1.5707963267948966 XYZ dof rx limits (-1 2) end\n"
		"begin name dummy direction 0 1 0 length 0 axis 0 0 0 XYZ end\n" ASF_TREE;
	rpReading reading;
	assert_true(readPair(strstr(amc, "1\n"), asf, NULL, &reading, NULL, NULL));
	assert_true(rpMotion_Agrees(reading.motion, expected, 1e-6f));
	assert_true(reading.metresPerUnit == 0.0);
	assert_float_equal(reading.motion->skeleton->joints[2].upper.x, 2.0, 1e-6);
	rpDestroyMotion(reading.motion);
	rpDestroyMotion(expected);
}

static void testRates(void** state)
{
	(void)state;
	rpReadDef def = rpDefaultReadDef();
	def.fps = 60.0;
	rpReading reading;
	rpFindings findings = {0};
	assert_true(readPair(AMC, ASF, &def, &reading, &findings, NULL));
	assert_true(reading.motion->fps == 60.0);
	assert_int_equal(findings.count, 0);
	rpDestroyMotion(reading.motion);
	rpMotion* motion = readGood(":SAMPLES-PER-SECOND 30\n1\nroot 0 0 0 0 0 0\nspine 0 0 0\narm 0\n", ASF, &findings);
	assert_true(motion->fps == 30.0);
	assert_int_equal(findings.count, 0);
	rpDestroyMotion(motion);
}

// Turns about x, then y, then z, whatever the order in which the skeleton names the freedoms.
static void testOrders(void** state)
{
	(void)state;
	static const struct
	{
		const char *order, *dofs, *values;
		rpEulerOrder expected;
	} cases[] = {
		{"XYZ", "rx ry rz", "10 20 30", rp_orderZYX},
		{"XYZ", "rz rx ry", "30 10 20", rp_orderZYX},
		{"ZXY", "rx ry rz", "10 20 30", rp_orderYXZ},
		{"yzx", "RZ RY RX", "30 20 10", rp_orderXZY},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		char asf[512], amc[128];
		snprintf(
			asf, sizeof(asf),
			":bonedata\nbegin\nname b\ndirection 1 0 0\nlength 1\naxis 0 0 0 %s\ndof %s\nend\n:hierarchy\nroot b\n",
			cases[i].order, cases[i].dofs);
		snprintf(amc, sizeof(amc), "1\nroot 0 0 0 0 0 0\nb %s\n", cases[i].values);
		rpMotion* motion = readGood(amc, asf, NULL);
		rpVec3 angles = {(float)(10 * RP_DEGREE), (float)(20 * RP_DEGREE), (float)(30 * RP_DEGREE)};
		rpQuat expected = rpFromEuler(angles, cases[i].expected);
		assert_true(rpAngleBetween(rpMotion_GetRotations(motion, 0)[1], expected) < 1e-3f);
		assert_int_equal(motion->skeleton->joints[1].order, cases[i].expected);
		rpDestroyMotion(motion);
	}
	// The root's numbers in another order.
	rpMotion* motion = readGood("1\nroot 90 1 2 3 0 0\n",
								":root\norder RY TX TY TZ RX RZ\naxis XYZ\nposition 10 0 0\norientation 0 0 0\n"
								":hierarchy\nbegin\nend\n",
								NULL);
	assertPlace(motion, 0, "root", 11.0f, 2.0f, 3.0f);
	assert_true(fabsf(rpHeading(motion->rotations[0]) - (float)(0.5 * RP_PI)) < 1e-5f);
	rpDestroyMotion(motion);
}

static void testMissingBones(void** state)
{
	(void)state;
	rpFindings findings = {0};
	rpMotion* motion =
		readGood(AMC_HEAD "7\nroot 1 2 3 0 0 0\nspine 0 0 90\n8\narm 45\n10\nroot 1 2 3 0 0 0\nspine 0 0 "
						  "0\narm 0\n",
				 ASF, &findings);
	assert_int_equal(motion->frameCount, 3);
	const rpFinding* missing = rpFindings_Find(&findings, "missing_bones");
	assert_non_null(missing);
	assert_int_equal(missing->firstRow, 0);
	assert_non_null(strstr(missing->message, "\"arm\""));
	assert_non_null(strstr(missing->message, "3 times"));
	const rpFinding* numbers = rpFindings_Find(&findings, "frame_numbers");
	assert_non_null(numbers);
	assert_int_equal(numbers->firstRow, 2);

	// Frame 1 keeps the root and the spine of frame 0.
	assertPlace(motion, 1, "arm", -1.0f, 2.0f, 3.0f);
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
}

static void testOddSkeletons(void** state)
{
	(void)state;
	rpFindings findings = {0};
	// A bone that can change its length, one that hangs on nothing, one whose direction is no unit vector.
	const char* asf = ":units\nlength 1.0\n:bonedata\n"
					  "begin\nname a\ndirection 0 10 0\nlength 2\naxis 0 0 0 XYZ\ndof rx l tx\nend\n"
					  "begin\nname b\ndirection 1 0 0\nlength 1\naxis 0 0 0 XYZ\nend\n"
					  "begin\nname loose\ndirection 1 0 0\nlength 1\naxis 0 0 0 XYZ\ndof rx\nend\n"
					  ":hierarchy\nbegin\nroot a\na b\nend\n";
	rpMotion* motion = readGood("1\nroot 0 0 0 0 0 0\na 0 5 6\nloose 3\n", asf, &findings);
	assert_int_equal(motion->skeleton->jointCount, 3);
	assertPlace(motion, 0, "b", 0.0f, 2.0f, 0.0f);
	assert_non_null(rpFindings_Find(&findings, "bone_translation"));
	assert_non_null(rpFindings_Find(&findings, "loose_bones"));
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
}

static void assertBad(const char* amc, const char* asf, const char* file, int line, const char* word)
{
	rpReading reading;
	rpError error = {0};
	if (readPair(amc, asf, NULL, &reading, NULL, &error))
	{
		fail_msg("accepted: %s | %s", amc, asf);
	}
	assert_null(reading.motion);
	if (error.line != line || strcmp(error.file, file) != 0 || strstr(error.message, word) == NULL)
	{
		fail_msg("%s:%d: %s (expected %s:%d: %s)", error.file, error.line, error.message, file, line, word);
	}
	assert_true(line == 0 || error.column >= 1);
	assert_false(readPair(amc, asf, NULL, &reading, NULL, NULL));
}

static void testBadMotions(void** state)
{
	(void)state;
	assertBad("", ASF, "", 1, "no frames");
	assertBad(AMC_HEAD, ASF, "", 4, "no frames");
	assertBad("HIERARCHY\n", ASF, "", 1, "HIERARCHY");
	assertBad(AMC_HEAD "1\n2\nroot 0 0 0 0 0 0\n", ASF, "", 4, "bones");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 0\n2\n", ASF, "", 6, "bones");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0\n", ASF, "", 5, "5 numbers, expected 6");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 0 0\n", ASF, "", 5, "more than 6 numbers");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 0\ndummy 1\n", ASF, "", 6, "more than 0");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 0\nspine 0 0 x\n", ASF, "", 6, "\"x\"");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 nan\n", ASF, "", 5, "a number");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 1e99\n", ASF, "", 5, "a number");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 0\ntail 0\n", ASF, "", 6, "\"tail\"");
	assertBad(AMC_HEAD "1\nroot 0 0 0 0 0 0\nroot 0 0 0 0 0 0\n", ASF, "", 6, "once");
	assertBad(":SAMPLES-PER-SECOND 0\n1\nroot 0 0 0 0 0 0\n", ASF, "", 1, "positive");
}

static void testBadSkeletons(void** state)
{
	(void)state;
	static const struct
	{
		const char* text;
		int line;
		const char* word;
	} cases[] = {
		{"", 1, "hierarchy"},
		{"HIERARCHY\n", 1, "Acclaim"},
		{":units\nlength 0\n", 2, "positive"},
		{":units\nlength x\n", 2, "positive"},
		{":units\nangle grad\n", 2, "deg or rad"},
		{":root\norder TX TX\n", 2, "each freedom once"},
		{":root\naxis XXY\n", 2, "order"},
		{":root\nposition 0 0\n", 2, "three numbers"},
		{":bonedata\nname x\n", 2, "begin"},
		{":bonedata\nbegin\nname x\n", 2, "no end"},
		{":bonedata\nbegin\nend\n", 2, "no name"},
		{":bonedata\nbegin\nname root\nend\n", 3, "no other bone"},
		{":bonedata\nbegin\nname a\ndirection 0 1\nend\n", 4, "three numbers"},
		{":bonedata\nbegin\nname a\nlength 1e30\nend\n", 4, "length"},
		{":bonedata\nbegin\nname a\naxis 0 0 0\nend\n", 4, "order"},
		{":bonedata\nbegin\nname a\ndof rx rq\nend\n", 4, "\"rq\""},
		{":bonedata\nbegin\nname a\nlimits (1\nend\n", 5, "upper"},
		{":hierarchy\nbegin\nroot tail\nend\n", 3, "\"tail\""},
		{":bonedata\nbegin\nname a\nend\n:hierarchy\nroot a\nroot a\n", 7, "nothing yet"},
		{":bonedata\nbegin\nname a\nend\n:hierarchy\na root\n", 6, "nothing yet"},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		assertBad(AMC, cases[i].text, "body.asf", cases[i].line, cases[i].word);
	}
}

// Bones in a ring, hanging on each other and not on the root.
static void testRing(void** state)
{
	(void)state;
	const char* asf = ":bonedata\nbegin\nname a\nend\nbegin\nname b\nend\n:hierarchy\na b\nb a\n";
	rpMotion* motion = readGood("1\nroot 0 0 0 0 0 0\n", asf, NULL);
	assert_int_equal(motion->skeleton->jointCount, 1);
	rpDestroyMotion(motion);
}

static rpText makeChain(int count)
{
	rpText asf = {0};
	rpText_AppendString(&asf, ":bonedata\n");
	for (int i = 0; i < count; ++i)
	{
		rpText_Print(&asf, "begin\nname b%d\ndirection 0 1 0\nlength 1\nend\n", i);
	}
	rpText_AppendString(&asf, ":hierarchy\nroot b0\n");
	for (int i = 1; i < count; ++i)
	{
		rpText_Print(&asf, "b%d b%d\n", i - 1, i);
	}
	return asf;
}

static void testLimits(void** state)
{
	(void)state;
	// The longest chain that is allowed, and one bone more.
	rpText asf = makeChain(RP_MAX_JOINTS - 1);
	rpMotion* motion = readGood("1\nroot 0 0 0 0 0 0\n", asf.data, NULL);
	assert_int_equal(motion->skeleton->jointCount, RP_MAX_JOINTS);
	assertPlace(motion, 0, "b1000", 0.0f, 1000.0f, 0.0f);
	rpDestroyMotion(motion);

	// Many frames that name one bone of a thousand: too much memory for so few bytes.
	rpText amc = {0};
	for (int i = 0; i < 2000; ++i)
	{
		rpText_AppendString(&amc, "1\nb1\n");
	}
	rpReading reading;
	rpError error = {0};
	assert_false(readPair(amc.data, asf.data, NULL, &reading, NULL, &error));
	assert_int_equal(error.code, rp_errorLimit);
	rpText_Free(&amc);
	rpText_Free(&asf);
	asf = makeChain(RP_MAX_JOINTS);
	assert_false(readPair("1\nroot 0 0 0 0 0 0\n", asf.data, NULL, &reading, NULL, &error));
	assert_int_equal(error.code, rp_errorLimit);
	rpText_Free(&asf);
}

static void testOutOfMemory(void** state)
{
	(void)state;
	int live = testCountLiveBlocks();
	bool done = false;
	int attempts = 0;
	for (; !done; ++attempts)
	{
		rpReading reading;
		rpError error = {0};
		rpFindings findings = {0};
		testFailAllocation(attempts);
		done = readPair(AMC, ASF, NULL, &reading, &findings, &error);
		testFailAllocation(-1);
		assert_true(done || (error.code == rp_errorMemory && reading.motion == NULL));
		rpDestroyMotion(reading.motion);
		rpFindings_Free(&findings);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(attempts > 8);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testPlain),        cmocka_unit_test(testSkeleton),     cmocka_unit_test(testLineEnds),
		cmocka_unit_test(testRadians),      cmocka_unit_test(testRates),        cmocka_unit_test(testOrders),
		cmocka_unit_test(testMissingBones), cmocka_unit_test(testOddSkeletons), cmocka_unit_test(testBadMotions),
		cmocka_unit_test(testBadSkeletons), cmocka_unit_test(testRing),         cmocka_unit_test(testLimits),
		cmocka_unit_test(testOutOfMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
