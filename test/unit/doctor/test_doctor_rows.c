/// The doctor on damaged rows: root at the origin, frozen, spikes.
#include "support.h"

#include "doctor/doctor.h"
#include "reprise/edit.h"
#include "walker.h"

#include <string.h>

static rpFindings s_findings;

static rpMotion* treatUnder(rpMotion* motion, const rpReadDef* def)
{
	rpFindings_Free(&s_findings);
	rpMotion* treated = rpTreatMotion((rpReading){motion, 0.0}, def, &s_findings, NULL);
	assert_non_null(treated);
	return treated;
}

// Damaged rows rest their feet where there is no floor.
static rpMotion* treat(rpMotion* motion)
{
	rpReadDef def = rpDefaultReadDef();
	def.keepFloor = true;
	return treatUnder(motion, &def);
}

static void assertOnly(const char* code, int firstRow, int rowCount)
{
	for (int i = 0; i < s_findings.count && s_findings.count != 1; ++i)
	{
		print_message("%s: %s: %s\n", s_findings.items[i].code, s_findings.items[i].message,
					  s_findings.items[i].action);
	}
	assert_int_equal(s_findings.count, 1);
	assert_string_equal(s_findings.items[0].code, code);
	assert_int_equal(s_findings.items[0].firstRow, firstRow);
	assert_int_equal(s_findings.items[0].rowCount, rowCount);
	assert_true(s_findings.items[0].message[0] != 0 && s_findings.items[0].action[0] != 0);
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

// The treated motion must be frames first … of the clean one; frees it.
static void assertCropped(const rpMotion* clean, rpMotion* treated, int first, int count, float metres)
{
	rpMotion* expected = rpCropFrames(clean, first, count, NULL);
	assertAgrees(expected, treated, metres);
	rpDestroyMotion(expected);
	rpDestroyMotion(treated);
}

// Without repairs it is said, and nothing is changed; frees the damaged motion.
static void assertOnlyReported(rpMotion* damaged, const char* code, int firstRow, int rowCount)
{
	rpReadDef def = rpDefaultReadDef();
	def.repair = false;
	rpMotion* treated = treatUnder(rpCopyMotion(damaged, NULL), &def);
	assertOnly(code, firstRow, rowCount);
	assert_false(s_findings.items[0].repaired);
	assert_memory_equal(s_findings.items[0].action, "nothing", 7);
	assertAgrees(damaged, treated, 0.0f);
	rpDestroyMotion(treated);
	rpDestroyMotion(damaged);
}

// ---- root at the origin ----

static rpMotion* zeroRoot(const rpMotion* clean, int first, int count)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	for (int row = first; row < first + count; ++row)
	{
		damaged->rootPositions[row] = rpVec3_zero;
	}
	return damaged;
}

static void dropsOriginRowsAtTheEnds(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* treated = treat(zeroRoot(clean, 0, 55));
	assertOnly("root_at_origin", 0, 55);
	assertCropped(clean, treated, 55, 185, 0.0f);
	treated = treat(zeroRoot(clean, 239, 1));
	assertOnly("root_at_origin", 239, 1);
	assertCropped(clean, treated, 0, 239, 0.0f);
	assertOnlyReported(zeroRoot(clean, 0, 4), "root_at_origin", 0, 4);
	rpDestroyMotion(clean);
}

static void bridgesOriginRows(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* treated = treat(zeroRoot(clean, 100, 6));
	assertOnly("root_at_origin", 100, 6);
	assertAgrees(clean, treated, 0.002f);
	rpDestroyMotion(treated);
	assertOnlyReported(zeroRoot(clean, 100, 6), "root_at_origin", 100, 6);
	// Rows that lost the pose with the root.
	rpMotion* damaged = zeroRoot(clean, 100, 6);
	for (int row = 100; row < 106; ++row)
	{
		for (int i = 0; i < damaged->skeleton->jointCount; ++i)
		{
			*testRotation(damaged, row, i) = rpQuat_identity;
		}
	}
	treated = treat(damaged);
	assertOnly("root_at_origin", 100, 6);
	assertAgrees(clean, treated, 0.04f);
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

// A body that never leaves the origin, and one that walks away from it.
static void leavesTheOriginAlone(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* treated = treat(zeroRoot(clean, 0, 240));
	rpDestroyMotion(clean);
	assert_int_equal(s_findings.count, 0);
	assert_int_equal(treated->frameCount, 240);
	rpDestroyMotion(treated);
	rpMotion* away = makeWalker();
	for (int row = 0; row < 240; ++row)
	{
		away->rootPositions[row] = (rpVec3){0.0f, 0.0f, 0.01f * (float)row};
	}
	treated = treat(away);
	assert_int_equal(s_findings.count, 0);
	assert_int_equal(treated->frameCount, 240);
	rpDestroyMotion(treated);
}

// ---- frozen rows ----

static rpMotion* freeze(const rpMotion* clean, int first, int count)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	size_t jointCount = (size_t)clean->skeleton->jointCount;
	for (int row = first + 1; row < first + count; ++row)
	{
		damaged->rootPositions[row] = damaged->rootPositions[first];
		memcpy(testRotation(damaged, row, 0), testRotation(damaged, first, 0), jointCount * sizeof(rpQuat));
	}
	return damaged;
}

static void dropsFrozenEnds(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* treated = treat(freeze(clean, 150, 90));
	assertOnly("frozen_rows", 150, 90);
	assertCropped(clean, treated, 0, 151, 0.0f);
	rpMotion* damaged = freeze(clean, 0, 12);
	treated = treat(rpCopyMotion(damaged, NULL));
	assertOnly("frozen_rows", 0, 12);
	assertCropped(damaged, treated, 11, 229, 0.0f);
	rpDestroyMotion(damaged);
	assertOnlyReported(freeze(clean, 235, 5), "frozen_rows", 235, 5);
	rpDestroyMotion(clean);
}

static void bridgesShortFrozenRows(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* treated = treat(freeze(clean, 100, 8));
	assertOnly("frozen_rows", 100, 8);
	assert_true(s_findings.items[0].repaired);
	assertAgrees(clean, treated, 0.04f);
	rpDestroyMotion(treated);
	assertOnlyReported(freeze(clean, 100, 8), "frozen_rows", 100, 8);
	// Half a second is too long to bridge.
	rpMotion* damaged = freeze(clean, 100, 60);
	treated = treat(rpCopyMotion(damaged, NULL));
	assertOnly("frozen_rows", 100, 60);
	assert_false(s_findings.items[0].repaired);
	assertAgrees(damaged, treated, 0.0f);
	rpDestroyMotion(treated);
	rpDestroyMotion(damaged);
	rpDestroyMotion(clean);
}

// A statue, poses held on purpose again and again, a pose that is eased into, every row twice.
static void leavesHeldPosesAlone(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* held[4] = {freeze(clean, 0, 240), rpCopyMotion(clean, NULL), rpCopyMotion(clean, NULL), NULL};
	held[3] = rpCopyMotion(clean, NULL);
	for (int first = 20; first < 230; first += 30)
	{
		rpMotion* next = freeze(held[1], first, 10);
		rpDestroyMotion(held[1]);
		held[1] = next;
	}
	for (int row = 0; row < 240; ++row)
	{
		float t = fminf((float)row / 180.0f, 1.0f), ease = 1.0f - (1.0f - t) * (1.0f - t) * (1.0f - t);
		for (int i = 0; i < clean->skeleton->jointCount; ++i)
		{
			*testRotation(held[2], row, i) = rpSlerp(*testRotation(clean, 0, i), *testRotation(clean, 60, i), ease);
		}
		held[2]->rootPositions[row] = rpLerp(clean->rootPositions[0], clean->rootPositions[60], ease);
	}
	for (int row = 0; row < 240; row += 2)
	{
		rpMotion* next = freeze(held[3], row, 2);
		rpDestroyMotion(held[3]);
		held[3] = next;
	}
	for (int i = 0; i < 4; ++i)
	{
		rpMotion* treated = treat(held[i]);
		assert_int_equal(s_findings.count, 0);
		assert_int_equal(treated->frameCount, 240);
		rpDestroyMotion(treated);
	}
	rpDestroyMotion(clean);
}

// ---- spikes ----

static rpMotion* twist(const rpMotion* clean, const char* joint, int first, int count, float degrees)
{
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	for (int row = first; row < first + count; ++row)
	{
		rpQuat* q = testRotation(damaged, row, testFindJoint(damaged, joint));
		*q = rpMulQuat(*q, rpAxisAngle((rpVec3){0.6f, 0.0f, 0.8f}, degrees * (float)RP_DEGREE));
	}
	return damaged;
}

static void bridgesSpikes(void** state)
{
	(void)state;
	static const char* const joints[] = {"LeftArm", "RightLeg", "Spine1", "Head", "Hips"};
	static const double rates[] = {30.0, 60.0, 120.0, 240.0};
	for (int i = 0; i < 20; ++i)
	{
		double fps = rates[i / 5];
		rpMotion* clean = testMakeWalker(fps, (int)(2.0 * fps));
		int row = (int)fps, count = fps > 50.0 ? 1 + i % 3 : 1;
		rpMotion* damaged = twist(clean, joints[i % 5], row, count, 110.0f);
		rpMotion* treated = treat(rpCopyMotion(damaged, NULL));
		assertOnly("spike", row, count);
		assert_non_null(strstr(s_findings.items[0].message, joints[i % 5]));
		assertAgrees(clean, treated, fps > 50.0 ? 0.01f : 0.03f);
		rpDestroyMotion(treated);
		assertOnlyReported(damaged, "spike", row, count);
		rpDestroyMotion(clean);
	}
}

// A pelvis that is turned by 12 degrees for a row is not too fast, but nobody is back so soon. All of the row is
// mended, since the thighs were turned in the other direction; a quick kick of the hips, out and back in a tenth of a
// second, is left alone.
static void bridgesLostRows(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* turned = twist(clean, "Hips", 100, 1, 12.0f);
	rpMotion* damaged = twist(turned, "LeftUpLeg", 100, 1, -12.0f);
	rpMotion* treated = treat(rpCopyMotion(damaged, NULL));
	assertOnly("spike", 100, 1);
	assertAgrees(clean, treated, 0.01f);
	rpDestroyMotion(treated);
	rpDestroyMotion(turned);
	assertOnlyReported(damaged, "spike", 100, 1);

	rpMotion* kick = rpCopyMotion(clean, NULL);
	for (int i = -6; i <= 6; ++i)
	{
		double angle = 12.0 * RP_DEGREE * 0.5 * (1.0 + cos(RP_PI * i / 6.0));
		rpQuat* root = kick->rotations + (size_t)(100 + i) * (size_t)kick->skeleton->jointCount;
		*root = rpMulQuat(*root, rpYaw((float)angle));
	}
	treated = treat(rpCopyMotion(kick, NULL));
	assert_int_equal(s_findings.count, 0);
	rpDestroyMotion(treated);
	rpDestroyMotion(kick);
	rpDestroyMotion(clean);
}

// 60 degrees in a row may be human for the joint, but not for the hand, which flies at 40 m/s.
static void bridgesSwings(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* treated = treat(twist(clean, "RightArm", 100, 1, 60.0f));
	assertOnly("spike", 100, 1);
	assertAgrees(clean, treated, 0.01f);
	rpDestroyMotion(treated);
	rpDestroyMotion(clean);
}

static void bridgesRootSpikes(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* damaged = rpCopyMotion(clean, NULL);
	damaged->rootPositions[90].x += 1.5f;
	damaged->rootPositions[91].x += 1.4f;
	rpMotion* treated = treat(rpCopyMotion(damaged, NULL));
	assertOnly("spike", 90, 2);
	assertAgrees(clean, treated, 0.002f);
	rpDestroyMotion(treated);
	assertOnlyReported(damaged, "spike", 90, 2);
	rpDestroyMotion(clean);
}

// A limb that is lost in the first or last rows, as in three of CMU's takes.
static void dropsRowsWithALostLimb(void** state)
{
	(void)state;
	rpMotion* clean = makeWalker();
	rpMotion* treated = treat(twist(clean, "LeftArm", 0, 6, 90.0f));
	assertOnly("spike", 0, 6);
	assertCropped(clean, treated, 6, 234, 0.0f);
	treated = treat(twist(clean, "LeftUpLeg", 232, 8, 90.0f));
	assertOnly("spike", 232, 8);
	assertCropped(clean, treated, 0, 232, 0.0f);
	assertOnlyReported(twist(clean, "LeftArm", 0, 6, 90.0f), "spike", 0, 6);
	// In the middle nobody knows which side is right.
	rpMotion* damaged = twist(clean, "LeftArm", 120, 120, 90.0f);
	assertOnlyReported(damaged, "spike", 120, 1);
	rpDestroyMotion(clean);
}

// A throw: the arm whips through 180 degrees, the hand at 25 m/s at its fastest.
static rpMotion* throwAt(double fps, float* fastest)
{
	rpMotion* motion = testMakeWalker(fps, (int)(2.0 * fps));
	rpVec3 before = rpVec3_zero;
	*fastest = 0.0f;
	for (int row = 0; row < motion->frameCount; ++row)
	{
		float angle = 90.0f * tanhf(((float)(row / fps) - 1.0f) / 0.034f);
		rpTransform pose[RP_MAX_JOINTS];
		*testRotation(motion, row, testFindJoint(motion, "RightArm")) =
			rpAxisAngle((rpVec3){0.0f, 1.0f, 0.0f}, angle * (float)RP_DEGREE);
		rpMotion_Forward(motion, row, pose);
		rpVec3 hand = pose[testFindJoint(motion, "RightHandIndex1")].p;
		*fastest = row > 0 ? fmaxf(*fastest, rpDistance(hand, before) * (float)fps) : 0.0f;
		before = hand;
	}
	return motion;
}

static void leavesThrowsAlone(void** state)
{
	(void)state;
	static const double rates[] = {30.0, 60.0, 120.0, 240.0};
	for (int i = 0; i < 4; ++i)
	{
		float fastest = 0.0f;
		rpMotion* motion = throwAt(rates[i], &fastest);
		assert_true(rates[i] < 100.0 || (fastest > 24.0f && fastest < 32.0f));
		rpMotion* treated = treat(rpCopyMotion(motion, NULL));
		assert_int_equal(s_findings.count, 0);
		assertAgrees(motion, treated, 0.0f);
		rpDestroyMotion(treated);
		rpDestroyMotion(motion);
	}
}

// Annotations keep their moments when rows before them go.
static void movesAnnotations(void** state)
{
	(void)state;
	rpMotion* damaged = makeWalker();
	memset(damaged->rootPositions, 0, 24 * sizeof(rpVec3));
	assert_true(rpAnnotations_AddEvent(&damaged->annotations, "clap", 1.0, NULL));
	rpInterval source = {.track = rp_trackSource, .end = 2.0, .name = "file", .sourceEnd = 2.0};
	assert_true(rpAnnotations_AddInterval(&damaged->annotations, &source, NULL));
	rpMotion* treated = treat(damaged);
	assertOnly("root_at_origin", 0, 24);
	assert_int_equal(treated->annotations.eventCount, 1);
	assert_true(fabs(treated->annotations.events[0].time - 0.8) < 1e-9);
	rpInterval out;
	assert_int_equal(rpMotion_GetIntervals(treated, rp_trackSource, &out, 1), 1);
	assert_true(fabs(out.start) < 1e-9 && fabs(out.end - 1.8) < 1e-9);
	assert_true(fabs(out.sourceStart - 0.2) < 1e-9 && fabs(out.sourceEnd - 2.0) < 1e-9);
	rpDestroyMotion(treated);
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
		cmocka_unit_test(dropsOriginRowsAtTheEnds),
		cmocka_unit_test(bridgesOriginRows),
		cmocka_unit_test(leavesTheOriginAlone),
		cmocka_unit_test(dropsFrozenEnds),
		cmocka_unit_test(bridgesShortFrozenRows),
		cmocka_unit_test(leavesHeldPosesAlone),
		cmocka_unit_test(bridgesSpikes),
		cmocka_unit_test(bridgesRootSpikes),
		cmocka_unit_test(bridgesSwings),
		cmocka_unit_test(bridgesLostRows),
		cmocka_unit_test(dropsRowsWithALostLimb),
		cmocka_unit_test(leavesThrowsAlone),
		cmocka_unit_test(movesAnnotations),
	};
	return cmocka_run_group_tests(tests, NULL, tearDown);
}
