/// ASF/AMC and BVH twins of the same takes: the legs and the spine up to the thorax agree in every frame, and what is
/// above differs by the one bone that the BVH conversion lost.
#include "support.h"

#include "file/amc_reader.h"
#include "file/bytes.h"
#include "file/reader.h"

#include <stdio.h>
#include <string.h>

// What formats/README.md says of them, units of the files, plus one step of a float at 40 units. Computed in doubles
// the worst is 9.90e-5, all of it from the four decimals of the BVH files.
#define AGREEMENT (1e-4f + 4e-6f)

typedef struct Twin
{
	const char *asf, *amc, *bvh;
	int frames;
	float thorax;
} Twin;

static const Twin s_twins[] = {
	{"formats/asf_amc/09.asf", "formats/asf_amc/09_06.amc", "cmu/009/09_06.bvh", 141, 2.0087f},
	{"formats/asf_amc/11.asf", "formats/asf_amc/11_01.amc", "formats/asf_amc/11_01.bvh", 597, 2.2082f},
};

static const char* mocapPath(const char* name)
{
	static char paths[4][1024];
	static int next;
	char* path = paths[next++ % 4];
	snprintf(path, sizeof(paths[0]), "%s/%s", testMocap(), name);
	return path;
}

static rpReading readTake(const Twin* twin, rpFindings* findings)
{
	rpBytes amc, asf;
	assert_true(rpOpenBytes(mocapPath(twin->amc), &amc, NULL));
	assert_true(rpOpenBytes(mocapPath(twin->asf), &asf, NULL));
	rpReadDef def = rpDefaultReadDef();
	rpReading reading;
	rpError error = {0};
	if (!rpReadAmc(amc.data, amc.size, asf.data, asf.size, twin->asf, &def, &reading, findings, &error))
	{
		fail_msg("%s:%d:%d: %s", twin->amc, error.line, error.column, error.message);
	}
	rpCloseBytes(&amc);
	rpCloseBytes(&asf);
	return reading;
}

static rpMotion* readTwin(const Twin* twin)
{
	rpBytes bvh;
	assert_true(rpOpenBytes(mocapPath(twin->bvh), &bvh, NULL));
	rpReadDef def = rpDefaultReadDef();
	rpReading reading;
	rpError error = {0};
	if (!rpReadBvh(bvh.data, bvh.size, &def, &reading, NULL, &error))
	{
		fail_msg("%s: %s", twin->bvh, error.message);
	}
	rpCloseBytes(&bvh);
	return reading.motion;
}

// The start of an ASF bone and the BVH joint there.
static const char* const s_pairs[][2] = {
	{"root", "Hips"},          {"lfemur", "LeftUpLeg"},    {"ltibia", "LeftLeg"},  {"lfoot", "LeftFoot"},
	{"ltoes", "LeftToeBase"},  {"rfemur", "RightUpLeg"},   {"rtibia", "RightLeg"}, {"rfoot", "RightFoot"},
	{"rtoes", "RightToeBase"}, {"lowerback", "LowerBack"}, {"upperback", "Spine"}, {"thorax", "Spine1"},
};

static void testTwinsAgree(void** state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(s_twins) / sizeof(s_twins[0]); ++k)
	{
		rpFindings findings = {0};
		rpReading reading = readTake(s_twins + k, &findings);
		rpMotion *amc = reading.motion, *bvh = readTwin(s_twins + k);
		assert_int_equal(amc->frameCount, s_twins[k].frames);
		assert_int_equal(bvh->frameCount, s_twins[k].frames + 1);
		assert_int_equal(amc->skeleton->jointCount, 31);
		assert_float_equal(reading.metresPerUnit, 0.0254 / 0.45, 1e-9);
		assert_true(amc->fps == 120.0);

		// Silent but for the frame rate, which the file does not say.
		assert_int_equal(findings.count, 1);
		assert_string_equal(findings.items[0].code, "frame_rate");
		float worst = 0.0f;
		rpTransform a[RP_MAX_JOINTS], b[RP_MAX_JOINTS];
		for (int frame = 0; frame < amc->frameCount; ++frame)
		{
			rpMotion_Forward(amc, frame, a);
			rpMotion_Forward(bvh, frame + 1, b);
			for (size_t i = 0; i < sizeof(s_pairs) / sizeof(s_pairs[0]); ++i)
			{
				int bone = rpSkeleton_FindJoint(amc->skeleton, s_pairs[i][0]);
				int joint = rpSkeleton_FindJoint(bvh->skeleton, s_pairs[i][1]);
				assert_true(bone >= 0 && joint >= 0);
				worst = fmaxf(worst, rpDistance(a[bone].p, b[joint].p));
			}
			// The neck is one thorax away from where the BVH has it.
			int neck = rpSkeleton_FindJoint(amc->skeleton, "lowerneck");
			int lost = rpSkeleton_FindJoint(bvh->skeleton, "Neck");
			assert_float_equal(rpDistance(a[neck].p, b[lost].p), s_twins[k].thorax, 1e-3);
		}
		print_message("%s: worst difference %.4g units\n", s_twins[k].amc, (double)worst);
		assert_true(worst < AGREEMENT);
		rpFindings_Free(&findings);
		rpDestroyMotion(amc);
		rpDestroyMotion(bvh);
	}
}

static void testRoles(void** state)
{
	(void)state;
	rpReading reading = readTake(s_twins, NULL);
	static const struct
	{
		rpRole role;
		const char* bone;
	} expected[] = {
		{rp_rolePelvis, "root"},
		{rp_roleLeftHip, "lfemur"},
		{rp_roleLeftKnee, "ltibia"},
		{rp_roleLeftAnkle, "lfoot"},
		{rp_roleLeftBall, "ltoes"},
		{rp_roleRightHip, "rfemur"},
		{rp_roleRightShoulder, "rhumerus"},
		{rp_roleRightElbow, "rradius"},
		{rp_roleHead, "head"},
	};
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); ++i)
	{
		int joint = rpSkeleton_FindRole(reading.motion->skeleton, expected[i].role);
		assert_true(joint >= 0);
		assert_string_equal(reading.motion->skeleton->joints[joint].name, expected[i].bone);
	}
	rpDestroyMotion(reading.motion);
}

// The knee turns about one axis only, within its limits, in its own frame.
static void testFreedoms(void** state)
{
	(void)state;
	rpReading reading = readTake(s_twins, NULL);
	const rpSkeleton* skeleton = reading.motion->skeleton;
	int knee = rpSkeleton_FindJoint(skeleton, "ltibia");
	const rpJoint* joint = skeleton->joints + knee;
	assert_int_equal(joint->freedoms, rp_freeX);
	assert_float_equal(joint->lower.x, -10.0 * RP_DEGREE, 1e-6);
	assert_float_equal(joint->upper.x, 170.0 * RP_DEGREE, 1e-6);
	assert_true(joint->lower.y > joint->upper.y);
	for (int frame = 0; frame < reading.motion->frameCount; ++frame)
	{
		rpQuat q = rpMotion_GetRotations(reading.motion, frame)[knee];
		rpVec3 turn = rpLogQuat(rpMulQuat(rpMulQuat(rpConjugate(joint->axes), q), joint->axes));
		assert_true(fabsf(turn.y) < 1e-5f && fabsf(turn.z) < 1e-5f);
		assert_true(turn.x > joint->lower.x - 1e-4f && turn.x < joint->upper.x + 1e-4f);
	}
	rpDestroyMotion(reading.motion);
}

static void testFindsItsSkeleton(void** state)
{
	(void)state;
	for (size_t k = 0; k < sizeof(s_twins) / sizeof(s_twins[0]); ++k)
	{
		char found[1024];
		assert_true(rpFindSkeletonFile(mocapPath(s_twins[k].amc), found, sizeof(found)));
		assert_string_equal(found, mocapPath(s_twins[k].asf));
	}
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testTwinsAgree),
		cmocka_unit_test(testRoles),
		cmocka_unit_test(testFreedoms),
		cmocka_unit_test(testFindsItsSkeleton),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
