/// The BVH writer: what it writes loads back to the same motion, and goes on from frame to frame.
#include "support.h"

#include "base/memory.h"
#include "file/bvh_angles.h"
#include "file/reader.h"
#include "file/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A small body whose joints do not stand depth first, each with another order, in any rotations.
static rpSkeleton* makeSkeleton(void)
{
	static const struct
	{
		const char* name;
		int parent;
		rpEulerOrder order;
		rpVec3 offset;
	} parts[] = {
		{"Hips", -1, rp_orderZYX, {0.1f, 0.9f, -0.2f}},      {"Left Leg", 0, rp_orderXYZ, {0.1f, -0.1f, 0.0f}},
		{"right:Leg", 0, rp_orderXZY, {-0.1f, -0.1f, 0.0f}}, {"Shin.L", 1, rp_orderYXZ, {0.0f, -0.4f, 0.0f}},
		{"Shin.R", 2, rp_orderYZX, {0.0f, -0.4f, 0.0f}},     {"Foot", 3, rp_orderZXY, {0.0f, -0.4f, 0.0123456789f}},
	};
	rpJoint joints[6];
	for (int i = 0; i < 6; ++i)
	{
		joints[i] = rpDefaultJoint();
		joints[i].name = parts[i].name;
		joints[i].parent = parts[i].parent;
		joints[i].order = parts[i].order;
		joints[i].offset = parts[i].offset;
	}
	const rpEndSite ends[] = {{"Toe tip", 5, {0.0f, -0.05f, 0.15f}}, {NULL, 4, {0.0f, -0.4f, 0.0f}}};
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 6;
	def.ends = ends;
	def.endCount = 2;
	return rpCreateSkeleton(&def, NULL);
}

static rpMotion* makeMotion(double fps, int frameCount, float distance, bool moving)
{
	rpSkeleton* skeleton = makeSkeleton();
	rpMotion* motion = rpCreateMotion(skeleton, "test", fps, frameCount, NULL);
	rpRandom random = rpSeedRandom(3);
	for (int i = 0; i < frameCount; ++i)
	{
		motion->rootPositions[i] = (rpVec3){distance + rpRandom_Normal(&random), 1.0f, -distance - 0.01f * (float)i};
		for (int k = 0; k < 6; ++k)
		{
			rpQuat q = {rpRandom_Normal(&random), rpRandom_Normal(&random), rpRandom_Normal(&random),
						rpRandom_Normal(&random)};
			motion->rotations[6 * i + k] = rpNormalizeQuat(q);
		}
	}
	if (moving)
	{
		motion->translations = rpAllocate((size_t)frameCount * 6, sizeof(rpVec3), NULL);
		for (int i = 0; i < 6 * frameCount; ++i)
		{
			rpVec3 stretch = {0.0f, i % 6 == 3 ? 0.1f * rpRandom_Normal(&random) : 0.0f, 0.0f};
			motion->translations[i] = rpAdd(skeleton->offsets[i % 6], stretch);
		}
	}
	rpMotion_FixHemispheres(motion);
	rpReleaseSkeleton(skeleton);
	return motion;
}

static char* writeText(const rpMotion* motion, double unitsPerMetre)
{
	rpSaveDef def = rpDefaultSaveDef();
	def.format = rp_formatBvh;
	def.unitsPerMetre = unitsPerMetre;
	rpText text = {0};
	rpError error = {0};
	if (!rpWriteMotions((const rpMotion* const*)&motion, 1, &def, &text, &error))
	{
		fail_msg("%s", error.message);
	}
	assert_int_equal(strlen(text.data), text.size);
	char* copy = strdup(text.data);
	rpText_Free(&text);
	return copy;
}

static rpMotion* readBack(const char* text)
{
	rpReading reading;
	rpReadDef def = rpDefaultReadDef();
	rpError error = {0};
	rpFindings findings = {0};
	if (!rpReadBvh(text, strlen(text), &def, &reading, &findings, &error))
	{
		fail_msg("%d:%d: %s", error.line, error.column, error.message);
	}
	rpFindings_Free(&findings);
	return reading.motion;
}

static double getDistance(rpVec3 a, rpVec3 b, double scale)
{
	double x = a.x - scale * b.x, y = a.y - scale * b.y, z = a.z - scale * b.z;
	return sqrt(x * x + y * y + z * z);
}

// The largest distance between joints of one name, in metres. Roots are compared where they are, the rest relative to
// them: far from the origin a float's last place is larger than what is looked for, and sums of floats differ by it.
static double compareMotions(const rpMotion* a, const rpMotion* b, double unitsPerMetre)
{
	double worst = 0.0, scale = 1.0 / unitsPerMetre;
	rpTransform poseA[64], poseB[64];
	assert_int_equal(a->frameCount, b->frameCount);
	for (int frame = 0; frame < a->frameCount; ++frame)
	{
		size_t first = (size_t)frame * (size_t)a->skeleton->jointCount;
		rpSkeleton_Forward(a->skeleton, rpVec3_zero, a->rotations + first,
						   a->translations != NULL ? a->translations + first : NULL, poseA);
		rpSkeleton_Forward(b->skeleton, rpVec3_zero, b->rotations + first,
						   b->translations != NULL ? b->translations + first : NULL, poseB);
		double root = getDistance(a->rootPositions[frame], b->rootPositions[frame], scale);
		for (int i = 0; i < a->skeleton->jointCount; ++i)
		{
			int k = rpSkeleton_FindJoint(b->skeleton, a->skeleton->joints[i].name);
			assert_true(k >= 0);
			worst = fmax(worst, root + getDistance(poseA[i].p, poseB[k].p, scale));
		}
	}
	return worst;
}

static void loadsBack(void** state)
{
	(void)state;
	static const double units[] = {1.0, 100.0, 1000.0, 17.716535, 39.3701, 0.001};
	for (int i = 0; i < 6; ++i)
	{
		for (int k = 0; k < 4; ++k)
		{
			rpMotion* motion = makeMotion(120.0, 200, k % 2 == 0 ? 0.0f : 80.0f, k >= 2);
			char* text = writeText(motion, units[i]);
			rpMotion* again = readBack(text);
			double worst = compareMotions(motion, again, units[i]);
			if (!(worst < 1e-5))
			{
				fail_msg("%g m off at %g units per metre", worst, units[i]);
			}
			assert_true((again->translations != NULL) == (motion->translations != NULL));
			assert_true(again->fps == motion->fps);
			rpDestroyMotion(again);
			rpDestroyMotion(motion);
			free(text);
		}
	}
}

static void keepsTheSkeleton(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(60.0, 2, 0.0f, false);
	char* text = writeText(motion, 1.0);
	rpMotion* again = readBack(text);
	const rpSkeleton *a = motion->skeleton, *b = again->skeleton;
	assert_int_equal(b->endCount, 2);
	for (int i = 0; i < 6; ++i)
	{
		int k = rpSkeleton_FindJoint(b, a->joints[i].name);
		assert_true(k >= 0);
		assert_int_equal(b->joints[k].order, a->joints[i].order);
		assert_int_equal(b->joints[k].freedoms, rp_freeAll);
		assert_memory_equal(&b->offsets[k], &a->offsets[i], sizeof(rpVec3));
		assert_true(i == 0 || strcmp(b->joints[b->parents[k]].name, a->joints[a->parents[i]].name) == 0);
	}
	assert_string_equal(b->joints[b->ends[0].joint].name, "Foot");
	assert_string_equal(b->ends[0].name, "Toe tip");
	assert_string_equal(b->ends[1].name, "");
	// Writing what was read gives the same text: nothing wanders.
	char* second = writeText(again, 1.0);
	rpMotion* third = readBack(second);
	assert_true(compareMotions(motion, third, 1.0) < 1e-5);
	rpDestroyMotion(third);
	rpDestroyMotion(again);
	rpDestroyMotion(motion);
	free(second);
	free(text);
}

static void sameBytesEveryTime(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(60.0, 50, 3.0f, true);
	char *first = writeText(motion, 100.0), *second = writeText(motion, 100.0);
	assert_string_equal(first, second);
	free(first);
	free(second);
	rpDestroyMotion(motion);
}

// Position channels appear only where a joint's translation is more than its offset.
static void channelsThatAreNeeded(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(60.0, 3, 0.0f, true);
	char* text = writeText(motion, 1.0);
	int sixes = 0;
	for (const char* p = text; (p = strstr(p, "CHANNELS 6")) != NULL; ++p)
	{
		++sixes;
	}
	assert_int_equal(sixes, 2);
	free(text);
	rpDestroyMotion(motion);
}

static void ratesComeBack(void** state)
{
	(void)state;
	static const double rates[] = {
		120.0, 60.0,     30.0,   25.0,  24.0,   30000.0 / 1001.0, 60000.0 / 1001.0, 119.98,
		29.97, 59.94,    1.0,    0.25,  1e-3,   1000.0,           12345.678,        100.0 / 3.0,
		1e6,   99.99999, 1.0e-9, 1e300, 1e-300, 7.0 / 3.0,        120.000000001};
	rpRandom random = rpSeedRandom(5);
	for (int i = 0; i < 500; ++i)
	{
		double fps = i < 23 ? rates[i] : exp((double)rpRandom_Range(&random, -5.0f, 9.0f)) + 1e-9 * i;
		rpMotion* motion = makeMotion(fps, 1, 0.0f, false);
		char* text = writeText(motion, 1.0);
		rpMotion* again = readBack(text);
		if (again->fps != fps)
		{
			fail_msg("%.17g instead of %.17g", again->fps, fps);
		}
		rpDestroyMotion(again);
		rpDestroyMotion(motion);
		free(text);
	}
}

static rpQuat turn(const int axes[3], const double degrees[3])
{
	rpQuat q = rpQuat_identity;
	for (int i = 0; i < 3; ++i)
	{
		rpVec3 axis = {axes[i] == 0, axes[i] == 1, axes[i] == 2};
		q = rpMulQuat(q, rpAxisAngle(axis, (float)(degrees[i] * RP_DEGREE)));
	}
	return q;
}

// Angles wound up through several turns, and over the pole of the middle one, come out as they went in.
static void anglesGoOn(void** state)
{
	(void)state;
	for (int order = 0; order < rp_eulerOrderCount; ++order)
	{
		int axes[3];
		rpEulerOrder_GetAxes((rpEulerOrder)order, axes);
		BvhAngles before = {{0.0, 0.0, 0.0}};
		for (int i = 0; i < 2000; ++i)
		{
			// The middle angle passes 90 degrees between frames, never on one.
			const double wanted[3] = {0.7 * i, 0.13 + 0.21 * i, -0.4 * i};
			BvhAngles angles = bvhGetAngles(turn(axes, wanted), axes, i > 0 ? &before : NULL);
			for (int k = 0; k < 3; ++k)
			{
				// Near the pole the outer angles are only as sure as the float quaternion is.
				double sure = 0.002 + 3e-5 / fabs(cos(wanted[1] * RP_DEGREE));
				if (fabs(angles.values[k] - wanted[k]) > sure)
				{
					fail_msg("order %d frame %d: %g instead of %g", order, i, angles.values[k], wanted[k]);
				}
			}
			before = angles;
		}
	}
}

// On gimbal lock itself the free angle stays where it was.
static void gimbalLock(void** state)
{
	(void)state;
	for (int order = 0; order < rp_eulerOrderCount; ++order)
	{
		for (int side = -1; side <= 1; side += 2)
		{
			int axes[3];
			rpEulerOrder_GetAxes((rpEulerOrder)order, axes);
			BvhAngles before = {{40.0, 89.0 * side, 25.0}};
			const double locked[3] = {41.0, 90.0 * side, 25.0};
			rpQuat q = turn(axes, locked);
			BvhAngles angles = bvhGetAngles(q, axes, &before);
			for (int k = 0; k < 3; ++k)
			{
				assert_true(fabs(angles.values[k] - before.values[k]) < 2.0);
			}
			assert_true(rpAngleBetween(turn(axes, angles.values), q) < 2e-6f);
		}
	}
}

static void angleLimits(void** state)
{
	(void)state;
	const int axes[3] = {2, 1, 0};
	BvhAngles before = {{3601.0, 5.0, -5000.0}};
	BvhAngles angles = bvhGetAngles(rpQuat_identity, axes, &before);
	for (int k = 0; k < 3; ++k)
	{
		assert_true(fabs(angles.values[k]) < 1e-9);
	}
}

static void namesThatWouldBreakTheFile(void** state)
{
	(void)state;
	rpJoint joint = rpDefaultJoint();
	joint.name = "a{b}c\nd\r";
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = &joint;
	def.jointCount = 1;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, NULL, 30.0, 1, NULL);
	char* text = writeText(motion, 1.0);
	rpMotion* again = readBack(text);
	assert_string_equal(again->skeleton->joints[0].name, "a_b_c_d_");
	rpDestroyMotion(again);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
	free(text);
}

// A thousand joints, each inside the one before: no recursion, here or in the reader.
static void deepSkeleton(void** state)
{
	(void)state;
	rpJoint* joints = malloc(RP_MAX_JOINTS * sizeof(rpJoint));
	char(*names)[16] = malloc(RP_MAX_JOINTS * sizeof(*names));
	for (int i = 0; i < RP_MAX_JOINTS; ++i)
	{
		joints[i] = rpDefaultJoint();
		sprintf(names[i], "j%d", i);
		joints[i].name = names[i];
		joints[i].parent = i - 1;
		joints[i].offset = (rpVec3){0.0f, 0.01f, 0.0f};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = RP_MAX_JOINTS;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* motion = rpCreateMotion(skeleton, NULL, 30.0, 2, NULL);
	char* text = writeText(motion, 1.0);
	rpMotion* again = readBack(text);
	assert_true(rpMotion_Agrees(motion, again, 1e-5f));
	rpDestroyMotion(again);
	rpDestroyMotion(motion);
	rpReleaseSkeleton(skeleton);
	free(text);
	free(joints);
	free(names);
}

static void hugePositions(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(30.0, 1, 0.0f, false);
	motion->rootPositions[0] = (rpVec3){1e11f, -3e10f, 1e-20f};
	char* text = writeText(motion, 1.0);
	rpMotion* again = readBack(text);
	assert_true(fabsf(again->rootPositions[0].x - 1e11f) < 1e5f && fabsf(again->rootPositions[0].y + 3e10f) < 1e5f);
	rpDestroyMotion(again);
	rpDestroyMotion(motion);
	free(text);
}

static void unitsThatAreNone(void** state)
{
	(void)state;
	static const double units[] = {0.0, -1.0, NAN, INFINITY};
	rpMotion* motion = makeMotion(30.0, 1, 0.0f, false);
	for (int i = 0; i < 4; ++i)
	{
		rpSaveDef def = rpDefaultSaveDef();
		def.format = rp_formatBvh;
		rpText text = {0};
		rpError error = {0};
		def.unitsPerMetre = units[i];
		assert_false(rpWriteMotions((const rpMotion* const*)&motion, 1, &def, &text, &error));
		assert_int_equal(error.code, rp_errorArgument);
		rpText_Free(&text);
	}
	rpDestroyMotion(motion);
}

static void commaLocale(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion(119.98, 3, 0.0f, false);
	char* plain = writeText(motion, 1.0);
	if (!testUseCommaLocale())
	{
		rpDestroyMotion(motion);
		free(plain);
		skip();
	}
	char* text = writeText(motion, 1.0);
	testUsePlainLocale();
	assert_string_equal(text, plain);
	rpDestroyMotion(motion);
	free(plain);
	free(text);
}

static void everyAllocationFails(void** state)
{
	(void)state;
	testUseCountingAllocator();
	rpMotion* motion = makeMotion(30.0, 2, 0.0f, true);
	int live = testCountLiveBlocks(), failures = 0;
	for (bool done = false; !done; ++failures)
	{
		rpSaveDef def = rpDefaultSaveDef();
		def.format = rp_formatBvh;
		rpText text = {0};
		rpError error = {0};
		testFailAllocation(failures);
		done = rpWriteMotions((const rpMotion* const*)&motion, 1, &def, &text, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		rpText_Free(&text);
		assert_int_equal(testCountLiveBlocks(), live);
	}
	assert_true(failures > 6);
	rpDestroyMotion(motion);
	rpSetAllocator(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loadsBack),
		cmocka_unit_test(keepsTheSkeleton),
		cmocka_unit_test(sameBytesEveryTime),
		cmocka_unit_test(channelsThatAreNeeded),
		cmocka_unit_test(ratesComeBack),
		cmocka_unit_test(anglesGoOn),
		cmocka_unit_test(gimbalLock),
		cmocka_unit_test(angleLimits),
		cmocka_unit_test(namesThatWouldBreakTheFile),
		cmocka_unit_test(deepSkeleton),
		cmocka_unit_test(hugePositions),
		cmocka_unit_test(unitsThatAreNone),
		cmocka_unit_test(commaLocale),
		cmocka_unit_test(everyAllocationFails),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
