/// Loading captured files of other kinds: ASF/AMC against its BVH twin, BVH from elsewhere.
#include "support.h"

#include "walker.h"

#include <stdio.h>
#include <string.h>

// On the floor of the file: bodies of another height have other soles.
static rpMotion* load(const char* file, rpFindings* findings)
{
	rpReadDef def = rpDefaultReadDef();
	def.keepFloor = true;
	char path[1024];
	snprintf(path, sizeof(path), "%s/%s", testMocap(), file);
	rpError error = {0};
	rpMotion* motion = rpLoadMotion(path, &def, findings, &error);
	if (motion == NULL)
	{
		print_message("%s:%d: %s\n", error.file, error.line, error.message);
	}
	assert_non_null(motion);
	return motion;
}

// Bones of the ASF and the joints of the BVH at their starts: up to the thorax, then beyond.
static const char* const s_twins[][2] = {
	{"root", "Hips"},
	{"lfemur", "LeftUpLeg"},
	{"ltibia", "LeftLeg"},
	{"lfoot", "LeftFoot"},
	{"ltoes", "LeftToeBase"},
	{"rfemur", "RightUpLeg"},
	{"rtibia", "RightLeg"},
	{"rfoot", "RightFoot"},
	{"rtoes", "RightToeBase"},
	{"lowerback", "LowerBack"},
	{"upperback", "Spine"},
	{"thorax", "Spine1"},
	{"lowerneck", "Neck"},
	{"upperneck", "Neck1"},
	{"head", "Head"},
	{"lclavicle", "LeftShoulder"},
	{"lhumerus", "LeftArm"},
	{"lradius", "LeftForeArm"},
	{"lwrist", "LeftHand"},
	{"lhand", "LeftFingerBase"},
	{"rclavicle", "RightShoulder"},
	{"rhumerus", "RightArm"},
	{"rradius", "RightForeArm"},
	{"rwrist", "RightHand"},
	{"rhand", "RightFingerBase"},
};
enum
{
	twinCount = sizeof(s_twins) / sizeof(s_twins[0]),
	firstAbove = 12,
};

// 1e-4 units of the files, in metres, and what floats lose.
#define NEAR (1e-4f * 0.0564444f + 4e-6f)

static float compare(const rpMotion* amc, const rpMotion* bvh, int first, int end)
{
	float farthest = 0.0f;
	rpTransform a[RP_MAX_JOINTS], b[RP_MAX_JOINTS];
	for (int frame = 0; frame < amc->frameCount; ++frame)
	{
		rpMotion_Forward(amc, frame, a);
		rpMotion_Forward(bvh, frame, b);
		for (int i = first; i < end; ++i)
		{
			int bone = testFindJoint(amc, s_twins[i][0]), joint = testFindJoint(bvh, s_twins[i][1]);
			farthest = fmaxf(farthest, rpDistance(a[bone].p, b[joint].p));
		}
	}
	return farthest;
}

// Put the ASF's own thorax into the BVH.
static void takeThorax(const rpMotion* amc, rpMotion* bvh)
{
	static const char* const names[][2] = {
		{"lowerneck", "Neck"}, {"lclavicle", "LeftShoulder"}, {"rclavicle", "RightShoulder"}};
	rpJoint joints[RP_MAX_JOINTS];
	memcpy(joints, bvh->skeleton->joints, (size_t)bvh->skeleton->jointCount * sizeof(rpJoint));
	for (int i = 0; i < 3; ++i)
	{
		rpVec3 thorax = amc->skeleton->offsets[testFindJoint(amc, names[i][0])];
		rpVec3* offset = &joints[testFindJoint(bvh, names[i][1])].offset;
		// Guessed from the bone below: within 4 % of its length.
		assert_true(fabsf(rpLength(*offset) - rpLength(thorax)) < 0.04f * rpLength(thorax));
		*offset = thorax;
	}
	testSetJoints(bvh, joints);
}

static void twinsAgree(void** state)
{
	(void)state;
	static const char* const files[][2] = {{"formats/asf_amc/09_06.amc", "cmu/009/09_06.bvh"},
										   {"formats/asf_amc/11_01.amc", "formats/asf_amc/11_01.bvh"}};
	for (int i = 0; i < 2; ++i)
	{
		rpFindings findings = {0};
		rpMotion* amc = load(files[i][0], &findings);
		// An AMC does not say its rate; that, and a thumb that jumps, is all there is to say.
		assert_string_equal(findings.items[0].code, "frame_rate");
		for (int j = 1; j < findings.count; ++j)
		{
			assert_string_equal(findings.items[j].code, "jump");
		}
		rpMotion* bvh = load(files[i][1], NULL);
		assert_int_equal(amc->frameCount, bvh->frameCount);
		assert_true(compare(amc, bvh, 0, firstAbove) < NEAR);
		takeThorax(amc, bvh);
		assert_true(compare(amc, bvh, 0, twinCount) < NEAR);
		rpDestroyMotion(amc);
		rpDestroyMotion(bvh);
		rpFindings_Free(&findings);
	}
}

static void loadsBvhFromElsewhere(void** state)
{
	(void)state;
	rpFindings findings = {0};
	rpMotion* motion = load("formats/bvh_other/threejs_pirouette.bvh", &findings);
	assert_non_null(strstr(rpFindings_Find(&findings, "units")->message, "centimetres"));
	assert_non_null(rpFindings_Find(&findings, "rest_row"));
	assert_int_equal(findings.count, 2);
	assert_int_equal(motion->frameCount, 591);
	assert_true(motion->skeleton->height > 1.45f && motion->skeleton->height < 1.75f);
	// The same take as 05_11, on another skeleton: the hips take the same path, 5.64 cm per unit.
	rpMotion* twin = load("cmu/005/05_11.bvh", NULL);
	for (int frame = 10; frame < 591; ++frame)
	{
		rpVec3 displacement = rpSub(motion->rootPositions[frame], motion->rootPositions[10]);
		rpVec3 twinDisplacement = rpSub(twin->rootPositions[frame], twin->rootPositions[10]);
		assert_true(rpDistance(displacement, twinDisplacement) < 0.1f);
	}
	rpDestroyMotion(twin);
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
	motion = load("formats/bvh_other/fairmotion_sinusoidal.bvh", &findings);
	assert_int_equal(findings.count, 1);
	assert_string_equal(findings.items[0].code, "units");
	assert_false(findings.items[0].repaired);
	assert_int_equal(motion->frameCount, 120);
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
	motion = load("formats/bvh_other/cmu_76_07_tiny.bvh", &findings);
	assert_int_equal(motion->frameCount, 20);
	assert_int_equal(findings.count, 3);
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(twinsAgree), cmocka_unit_test(loadsBvhFromElsewhere)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
