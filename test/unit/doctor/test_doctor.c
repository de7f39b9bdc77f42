/// Each examination on a clean take that the test damages: found, mended back to the clean take, and silent where
/// there is nothing to find.
#include "support.h"

#include "doctor/doctor.h"
#include "reprise/edit.h"
#include "walker.h"

#include <stdio.h>
#include <string.h>

static rpFindings s_findings;

static rpMotion* treatUnder(rpMotion* motion, double metresPerUnit, const rpReadDef* def)
{
	rpFindings_Free(&s_findings);
	rpError error = {0};
	rpMotion* treated = rpTreatMotion((rpReading){motion, metresPerUnit}, def, &s_findings, &error);
	assert_non_null(treated);
	return treated;
}

static rpMotion* treat(rpMotion* motion)
{
	rpReadDef def = rpDefaultReadDef();
	return treatUnder(motion, 0.0, &def);
}

static rpMotion* replace(rpMotion* motion, rpMotion* with)
{
	assert_non_null(with);
	rpDestroyMotion(motion);
	return with;
}

static void assertFound(const char* code, int count)
{
	int found = 0;
	for (int i = 0; i < s_findings.count; ++i)
	{
		found += strcmp(s_findings.items[i].code, code) == 0;
		assert_true(s_findings.items[i].message[0] != 0 && s_findings.items[i].action[0] != 0);
	}
	if (found != count)
	{
		for (int i = 0; i < s_findings.count; ++i)
		{
			print_message("%s: %s: %s\n", s_findings.items[i].code, s_findings.items[i].message,
						  s_findings.items[i].action);
		}
	}
	assert_int_equal(found, count);
}

static void assertOnly(const char* code)
{
	assertFound(code, 1);
	assert_int_equal(s_findings.count, 1);
	assert_true(s_findings.items[0].repaired);
}

static void assertRows(const char* code, int firstRow, int rowCount)
{
	const rpFinding* finding = rpFindings_Find(&s_findings, code);
	assert_non_null(finding);
	assert_int_equal(finding->firstRow, firstRow);
	assert_int_equal(finding->rowCount, rowCount);
}

static void assertAgrees(const rpMotion* a, const rpMotion* b, float metres)
{
	assert_int_equal(a->frameCount, b->frameCount);
	assert_true(rpMotion_Agrees(a, b, metres));
}

static rpMotion* makeWalker(void)
{
	return testMakeWalker(120.0, 240);
}

static void isSilentOnCleanTakes(void** state)
{
	(void)state;
	static const double rates[] = {24.0, 30.0, 60.0, 120.0, 240.0};
	for (int i = 0; i < 5; ++i)
	{
		rpMotion* clean = testMakeWalker(rates[i], (int)(2.0 * rates[i]));
		rpMotion* treated = treat(rpCopyMotion(clean, NULL));
		assertFound("units", 0);
		assert_int_equal(s_findings.count, 0);
		assertAgrees(clean, treated, 0.0f);
		rpDestroyMotion(clean);
		rpDestroyMotion(treated);
	}
	for (int act = 0; act < rp_actCount; ++act)
	{
		rpPerformDef def = rpDefaultPerformDef((rpAct)act);
		rpMotion* treated = treat(rpPerform(&def, NULL));
		assertFound("none", 0);
		assert_int_equal(s_findings.count, 0);
		rpDestroyMotion(treated);
	}
}

// ---- units ----

static void findsUnits(void** state)
{
	(void)state;
	static const double units[] = {0.01, 0.001, 0.0254, 0.0254 / 0.45};
	for (int i = 0; i < 4; ++i)
	{
		rpMotion* clean = makeWalker();
		rpMotion* treated = treat(rpScaleMotion(clean, (float)(1.0 / units[i]), NULL));
		assertOnly("units");
		assertAgrees(clean, treated, 1e-5f);
		assert_true(fabsf(treated->skeleton->height - clean->skeleton->height) < 1e-5f);
		rpDestroyMotion(treated);
		rpDestroyMotion(clean);
	}
}

static void scaleOverrulesUnits(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpReadDef def = rpDefaultReadDef();
	def.scale = 0.02;
	rpMotion* treated = treatUnder(rpScaleMotion(clean, 100.0f, NULL), 0.0, &def);
	assert_int_equal(s_findings.count, 0);
	assert_true(fabsf(treated->skeleton->height - 2.0f * clean->skeleton->height) < 1e-4f);
	rpDestroyMotion(treated);
	// What the file says is taken without a word, unless no human comes of it.
	def.scale = 0.0;
	treated = treatUnder(rpScaleMotion(clean, 100.0f, NULL), 0.012, &def);
	assert_int_equal(s_findings.count, 0);
	assert_true(fabsf(treated->skeleton->height - 1.2f * clean->skeleton->height) < 1e-4f);
	rpDestroyMotion(treated);
	treated = treatUnder(rpScaleMotion(clean, 100.0f, NULL), 0.5, &def);
	assertOnly("units");
	assertAgrees(clean, treated, 1e-5f);
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

static void leavesToysAlone(void** state)
{
	(void)state;
	rpJoint joints[4];
	const char* names[] = {"base", "child1", "child2", "child3"};
	for (int i = 0; i < 4; ++i)
	{
		joints[i] = rpDefaultJoint();
		joints[i].name = names[i];
		joints[i].parent = i - 1;
		joints[i].offset = (rpVec3){0.0f, 5.0f, 0.0f};
	}
	rpSkeletonDef def = rpDefaultSkeletonDef();
	def.joints = joints;
	def.jointCount = 4;
	rpSkeleton* skeleton = rpCreateSkeleton(&def, NULL);
	rpMotion* toy = rpCreateMotion(skeleton, "toy", 60.0, 5, NULL);
	rpReleaseSkeleton(skeleton);
	rpMotion* treated = treat(toy);
	assertFound("units", 1);
	assert_int_equal(s_findings.count, 1);
	assert_false(s_findings.items[0].repaired);
	assert_non_null(strstr(s_findings.items[0].action, "--scale"));
	assert_true(treated->skeleton->offsets[1].y == 5.0f);
	rpDestroyMotion(treated);
}

// ---- axes ----

static const float s_half = 0.70710678f;

static void findsUpAxis(void** state)
{
	(void)state;
	// From Y-up to Z-up, -Z-up, X-up, -X-up and -Y-up.
	const rpQuat turns[] = {{s_half, s_half, 0.0f, 0.0f},
							{s_half, -s_half, 0.0f, 0.0f},
							{s_half, 0.0f, 0.0f, -s_half},
							{s_half, 0.0f, 0.0f, s_half},
							{0.0f, 1.0f, 0.0f, 0.0f}};
	for (int i = 0; i < 5; ++i)
	{
		rpMotion* clean = makeWalker();
		rpMotion* treated = treat(rpChangeAxes(clean, turns[i], NULL));
		assertOnly("up_axis");
		assertAgrees(clean, treated, 2e-5f);
		assert_true(fabsf(treated->skeleton->height - clean->skeleton->height) < 1e-5f);
		rpDestroyMotion(treated);
		rpDestroyMotion(clean);
	}
}

static void upOverrules(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpReadDef def = rpDefaultReadDef();
	def.up = rp_upZ;
	rpMotion* treated = treatUnder(rpChangeAxes(clean, (rpQuat){s_half, s_half, 0.0f, 0.0f}, NULL), 0.0, &def);
	assert_int_equal(s_findings.count, 0);
	assertAgrees(clean, treated, 2e-5f);
	rpDestroyMotion(treated);
	def.up = rp_upY;
	rpMotion* lying = rpChangeAxes(clean, (rpQuat){s_half, s_half, 0.0f, 0.0f}, NULL);
	treated = treatUnder(rpCopyMotion(lying, NULL), 0.0, &def);
	assert_int_equal(s_findings.count, 0);
	assertAgrees(lying, treated, 2e-5f);
	rpDestroyMotion(treated);
	rpDestroyMotion(lying);
	rpDestroyMotion(clean);
}

// The frames stay as they are in the world, but the skeleton's own frames are others: what some exporters do.
static rpMotion* turnOwnFrames(const rpMotion* clean, rpQuat turn)
{
	rpMotion* motion = rpChangeAxes(clean, turn, NULL);
	assert_non_null(motion);
	for (int frame = 0; frame < motion->frameCount; ++frame)
	{
		rpQuat* root = testRotation(motion, frame, 0);
		motion->rootPositions[frame] = clean->rootPositions[frame];
		*root = rpMulQuat(rpConjugate(turn), *root);
	}
	return motion;
}

static void standsTheRestPoseUp(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* damaged = turnOwnFrames(clean, (rpQuat){s_half, s_half, 0.0f, 0.0f});
	assertAgrees(clean, damaged, 2e-5f);
	rpMotion* treated = treat(damaged);
	assertOnly("up_axis");
	assertAgrees(clean, treated, 2e-5f);
	assert_true(rpSkeleton_Matches(clean->skeleton, treated->skeleton));
	assert_true(fabsf(treated->skeleton->height - clean->skeleton->height) < 1e-5f);
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

static void turnsTheRestPoseToFaceZ(void** state)
{
	(void)state;
	static const float degrees[] = {90.0f, -90.0f, 180.0f, 45.0f};
	for (int i = 0; i < 4; ++i)
	{
		rpMotion* clean = makeWalker();
		rpMotion* treated = treat(turnOwnFrames(clean, rpYaw(degrees[i] * (float)RP_DEGREE)));
		assertOnly("facing");
		assertAgrees(clean, treated, 2e-5f);
		assert_true(rpSkeleton_Matches(clean->skeleton, treated->skeleton));
		float heading = rpMotion_GetGround(treated, 10).turn - rpMotion_GetGround(clean, 10).turn;
		assert_true(fabsf(rpWrapAngle(heading)) < 1e-3f);
		rpDestroyMotion(treated);
		rpReadDef def = rpDefaultReadDef();
		def.repair = false;
		treated = treatUnder(turnOwnFrames(clean, rpYaw(degrees[i] * (float)RP_DEGREE)), 0.0, &def);
		assertFound("facing", 1);
		assert_false(s_findings.items[0].repaired);
		assertAgrees(clean, treated, 2e-5f);
		rpDestroyMotion(treated);
		rpDestroyMotion(clean);
	}
}

// Every bone along x while nothing is turned, as in some well-known collections: the frames are the same.
static rpMotion* foldRest(const rpMotion* clean)
{
	rpMotion* motion = rpCopyMotion(clean, NULL);
	int jointCount = clean->skeleton->jointCount;
	rpJoint joints[RP_MAX_JOINTS];
	rpQuat turns[RP_MAX_JOINTS]; // from the joint's new frame to its old one
	memcpy(joints, clean->skeleton->joints, (size_t)jointCount * sizeof(rpJoint));
	for (int i = 0; i < jointCount; ++i)
	{
		rpVec3 bone = rpVec3_zero;
		for (int j = jointCount - 1; j > i; --j)
		{
			bone = clean->skeleton->parents[j] == i ? clean->skeleton->offsets[j] : bone;
		}
		turns[i] = rpLength(bone) > 0.0f ? rpRotationBetween((rpVec3){1.0f, 0.0f, 0.0f}, bone) : rpQuat_identity;
		if (i > 0)
		{
			joints[i].offset = rpRotate(rpConjugate(turns[joints[i].parent]), joints[i].offset);
		}
		for (int frame = 0; frame < motion->frameCount; ++frame)
		{
			rpQuat* q = testRotation(motion, frame, i);
			*q = rpMulQuat(i > 0 ? rpMulQuat(rpConjugate(turns[joints[i].parent]), *q) : *q, turns[i]);
		}
	}
	rpEndSite ends[16];
	rpSkeletonDef def = rpSkeleton_GetDef(clean->skeleton);
	for (int i = 0; i < def.endCount; ++i)
	{
		ends[i] = def.ends[i];
		ends[i].offset = rpRotate(rpConjugate(turns[ends[i].joint]), ends[i].offset);
	}
	def.joints = joints;
	def.ends = ends;
	rpReleaseSkeleton(motion->skeleton);
	motion->skeleton = rpCreateSkeleton(&def, NULL);
	assert_non_null(motion->skeleton);
	return motion;
}

static void unfoldsTheRestPose(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* folded = foldRest(clean);
	assertAgrees(clean, folded, 2e-5f);
	rpMotion* treated = treat(rpCopyMotion(folded, NULL));
	assertFound("rest_pose", 1);
	assertAgrees(clean, treated, 2e-5f);
	assert_true(fabsf(treated->skeleton->height - clean->skeleton->height) < 0.08f);
	for (int frame = 0; frame < 240; frame += 20)
	{
		float off = rpMotion_GetGround(treated, frame).turn - rpMotion_GetGround(clean, frame).turn;
		assert_true(fabsf(rpWrapAngle(off)) < 10.0f * (float)RP_DEGREE);
	}
	rpDestroyMotion(treated);
	rpReadDef def = rpDefaultReadDef();
	def.repair = false;
	treated = treatUnder(folded, 0.0, &def);
	assertFound("rest_pose", 1);
	assert_false(rpFindings_Find(&s_findings, "rest_pose")->repaired);
	assertAgrees(clean, treated, 2e-5f);
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

// Somebody lies on the floor for the whole take: the rest pose and the floor show what is up.
static void leavesLyingAlone(void** state)
{
	(void)state;
	rpMotion* lying = makeWalker();
	for (int frame = 0; frame < lying->frameCount; ++frame)
	{
		rpQuat* root = testRotation(lying, frame, 0);
		*root = rpMulQuat((rpQuat){s_half, -s_half, 0.0f, 0.0f}, *root);
		lying->rootPositions[frame] = (rpVec3){3.0f, 0.15f, 4.0f + 0.1f * sinf(0.1f * (float)frame)};
	}
	rpMotion* treated = treat(rpCopyMotion(lying, NULL));
	assertFound("up_axis", 0);
	assertAgrees(lying, treated, 1e-6f);
	rpDestroyMotion(treated);
	rpDestroyMotion(lying);
}

// ---- rest row ----

static void dropsTheRestRow(void** state)
{
	(void)state;
	for (int rate = 0; rate < 2; ++rate)
	{
		rpMotion* clean = testMakeWalker(rate == 0 ? 120.0 : 30.0, 100);
		rpMotion* damaged = testAddRestRow(rpCopyMotion(clean, NULL));
		rpMotion* treated = treat(rpCopyMotion(damaged, NULL));
		assertOnly("rest_row");
		assertRows("rest_row", 0, 1);
		assertAgrees(clean, treated, 0.0f);
		int arm = testFindJoint(treated, "LeftArm");
		assert_true(rpAngleBetween(treated->skeleton->joints[arm].rest, *testRotation(damaged, 0, arm)) < 1e-3f);
		rpReadDef def = rpDefaultReadDef();
		def.keepRestRow = true;
		rpMotion* kept = treatUnder(rpCopyMotion(damaged, NULL), 0.0, &def);
		assert_int_equal(s_findings.count, 0);
		assertAgrees(damaged, kept, 0.0f);
		assert_true(kept->skeleton->height == treated->skeleton->height);
		def = rpDefaultReadDef();
		def.repair = false;
		rpMotion* reported = treatUnder(rpCopyMotion(damaged, NULL), 0.0, &def);
		assertFound("rest_row", 1);
		assertAgrees(damaged, reported, 0.0f);
		assert_true(reported->skeleton->height == treated->skeleton->height);
		rpDestroyMotion(reported);
		rpDestroyMotion(kept);
		rpDestroyMotion(treated);
		rpDestroyMotion(damaged);
		rpDestroyMotion(clean);
	}
}

// Half a second from the ideal T-pose into the walk, smoothly: a take drawn by hand.
static void keepsASmoothStart(void** state)
{
	(void)state;
	rpMotion* motion = makeWalker();
	for (int frame = 0; frame < 60; ++frame)
	{
		float t = (float)frame / 60.0f, ease = t * t * (3.0f - 2.0f * t);
		for (int i = 0; i < motion->skeleton->jointCount; ++i)
		{
			*testRotation(motion, frame, i) = rpSlerp(rpQuat_identity, *testRotation(motion, frame, i), ease);
		}
	}
	rpMotion* treated = treat(rpCopyMotion(motion, NULL));
	assert_int_equal(s_findings.count, 0);
	assertAgrees(motion, treated, 0.0f);
	rpDestroyMotion(treated);
	treated = treat(rpCropFrames(motion, 0, 1, NULL));
	assert_int_equal(s_findings.count, 0);
	rpDestroyMotion(treated);
	rpDestroyMotion(motion);
}

// Most joints of the take itself start without rotation, as in takes made by formula; the row is foreign all the same.
static void dropsTheRestRowOfAnIdealStart(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	for (int frame = 0; frame < 60; ++frame)
	{
		for (int i = 0; i < clean->skeleton->jointCount; ++i)
		{
			const char* name = clean->skeleton->joints[i].name;
			bool isLimb = strstr(name, "Arm") != NULL || strstr(name, "UpLeg") != NULL;
			float ease = isLimb ? 1.0f : (float)frame / 60.0f;
			*testRotation(clean, frame, i) = rpSlerp(rpQuat_identity, *testRotation(clean, frame, i), ease);
		}
	}
	rpMotion* treated = treat(rpCopyMotion(clean, NULL));
	assert_int_equal(s_findings.count, 0);
	rpDestroyMotion(treated);
	treated = treat(testAddRestRow(rpCopyMotion(clean, NULL)));
	assertOnly("rest_row");
	assertRows("rest_row", 0, 1);
	assertAgrees(clean, treated, 0.0f);
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

// ---- all together ----

static void mendsManyThingsAtOnce(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* damaged = testAddRestRow(rpCopyMotion(clean, NULL));
	damaged = replace(damaged, rpChangeAxes(damaged, (rpQuat){s_half, s_half, 0.0f, 0.0f}, NULL));
	damaged = replace(damaged, rpScaleMotion(damaged, 1000.0f, NULL));
	for (int row = 1; row <= 4; ++row)
	{
		damaged->rootPositions[row] = rpVec3_zero;
	}
	rpQuat* arm = testRotation(damaged, 100, testFindJoint(damaged, "LeftArm"));
	*arm = rpMulQuat(*arm, rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, 2.0f));
	rpMotion* treated = treat(damaged);
	assertFound("rest_row", 1);
	assertFound("up_axis", 1);
	assertFound("units", 1);
	assertFound("root_at_origin", 1);
	assertFound("spike", 1);
	assert_int_equal(s_findings.count, 5);
	assertRows("root_at_origin", 1, 4);
	assertRows("spike", 100, 1);
	rpMotion* expected = rpCropFrames(clean, 4, 236, NULL);
	assertAgrees(expected, treated, 0.01f);
	rpDestroyMotion(expected);
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

// With a kept rest row, bad rows after it still go.
static void keepsTheRestRowBeforeBadRows(void** state)
{
	(void)state;
	rpMotion* damaged = testAddRestRow(makeWalker());
	for (int row = 1; row <= 4; ++row)
	{
		damaged->rootPositions[row] = rpVec3_zero;
	}
	rpQuat rest = *testRotation(damaged, 0, testFindJoint(damaged, "LeftArm"));
	rpReadDef def = rpDefaultReadDef();
	def.keepRestRow = true;
	rpMotion* treated = treatUnder(rpCopyMotion(damaged, NULL), 0.0, &def);
	assertOnly("root_at_origin");
	assert_int_equal(treated->frameCount, damaged->frameCount - 4);
	assert_true(rpAngleBetween(rest, *testRotation(treated, 0, testFindJoint(treated, "LeftArm"))) < 1e-3f);
	assert_true(rpDistance(treated->rootPositions[1], damaged->rootPositions[5]) == 0.0f);
	rpDestroyMotion(treated);
	rpDestroyMotion(damaged);
}

static int tearDown(void** state)
{
	(void)state;
	rpFindings_Free(&s_findings);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(isSilentOnCleanTakes),
		cmocka_unit_test(findsUnits),
		cmocka_unit_test(scaleOverrulesUnits),
		cmocka_unit_test(leavesToysAlone),
		cmocka_unit_test(findsUpAxis),
		cmocka_unit_test(upOverrules),
		cmocka_unit_test(standsTheRestPoseUp),
		cmocka_unit_test(turnsTheRestPoseToFaceZ),
		cmocka_unit_test(leavesLyingAlone),
		cmocka_unit_test(unfoldsTheRestPose),
		cmocka_unit_test(dropsTheRestRow),
		cmocka_unit_test(dropsTheRestRowOfAnIdealStart),
		cmocka_unit_test(keepsASmoothStart),
		cmocka_unit_test(mendsManyThingsAtOnce),
		cmocka_unit_test(keepsTheRestRowBeforeBadRows),
	};
	return cmocka_run_group_tests(tests, NULL, tearDown);
}
