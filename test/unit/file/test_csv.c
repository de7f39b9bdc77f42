/// The table holds every joint and end site of every frame, where forward kinematics has them.
#include "support.h"

#include "file/writer.h"

#include <string.h>

static rpMotion* makeMotion(void)
{
	rpJoint joints[2] = {rpDefaultJoint(), rpDefaultJoint()};
	joints[0].name = "Hips, \"wide\"";
	joints[1].name = "Head";
	joints[1].parent = 0;
	joints[1].offset = (rpVec3){0.0f, 0.5f, 0.0f};
	const rpEndSite ends[2] = {{NULL, 1, {0.0f, 0.25f, 0.0f}}, {NULL, 1, {0.125f, 0.0f, 0.0f}}};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 2;
	def.ends = ends;
	def.endCount = 2;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(skeleton);
	rpMotion* motion = rpCreateMotion(skeleton, "m", 4.0, 3, NULL);
	rpReleaseSkeleton(skeleton);
	motion->rootPositions[1] = (rpVec3){1.0f, -2.5f, 1e-5f};
	// A quarter turn about z: up becomes -x.
	motion->rotations[2 * 2 + 0] = (rpQuat){0.70710678f, 0.0f, 0.0f, 0.70710678f};
	return motion;
}

static void testTable(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatCsv;
	rpText text = {0};
	assert_true(rpWriteMotions((const rpMotion* const*)&motion, 1, &def, &text, NULL));
	const char* const names = "time,\"Hips, \"\"wide\"\".x\",\"Hips, \"\"wide\"\".y\",\"Hips, \"\"wide\"\".z\","
							  "Head.x,Head.y,Head.z,Head.end.x,Head.end.y,Head.end.z,Head.end2.x,Head.end2.y,"
							  "Head.end2.z\n";
	assert_memory_equal(text.data, names, strlen(names));
	const char* const rows = "0,0,0,0,0,0.5,0,0,0.75,0,0.125,0.5,0\n"
							 "0.25,1,-2.5,0.00001,1,-2,0.00001,1,-1.75,0.00001,1.125,-2,0.00001\n"
							 "0.5,0,0,0,-0.5,0,0,-0.75,0,0,-0.5,0.125,0\n";
	assert_string_equal(text.data + strlen(names), rows);
	rpText_Free(&text);
	def.unitsPerMetre = 100.0;
	assert_true(rpWriteMotions((const rpMotion* const*)&motion, 1, &def, &text, NULL));
	assert_non_null(strstr(text.data, "\n0.25,100,-250,0.001,"));
	rpText_Free(&text);
	rpDestroyMotion(motion);
}

static void testRotations(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatCsv;
	def.rotations = true;
	rpText text = {0};
	assert_true(rpWriteMotions((const rpMotion* const[]){motion}, 1, &def, &text, NULL));
	assert_non_null(strstr(text.data, "Head.end2.z,\"Hips, \"\"wide\"\".qw\",\"Hips, \"\"wide\"\".qx\",\"Hips, "
									  "\"\"wide\"\".qy\",\"Hips, \"\"wide\"\".qz\",Head.qw,Head.qx,Head.qy,Head.qz\n"));
	assert_non_null(strstr(text.data, "\n0.5,0,0,0,-0.5,0,0,-0.75,0,0,-0.5,0.125,0,0.707107,0,0,0.707107,1,0,0,0\n"));
	rpText_Free(&text);
	rpDestroyMotion(motion);
}

static void testOutOfMemory(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatCsv;
	int live = testCountLiveBlocks();
	bool done = false;
	for (int n = 0; !done; ++n)
	{
		rpText text = {0};
		rpError error = {0};
		testFailAllocation(n);
		done = rpWriteMotions((const rpMotion* const*)&motion, 1, &def, &text, &error);
		testFailAllocation(-1);
		assert_true(done ? n > 1 : error.code == rp_errorMemory);
		rpText_Free(&text);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	rpDestroyMotion(motion);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testTable), cmocka_unit_test(testRotations),
									   cmocka_unit_test(testOutOfMemory)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
