/// Captured people's takes on each other's skeletons.
#include "support.h"

#include <stdio.h>

static double measureBend(const rpMotion* motion, int frame, int side)
{
	const int* roles = motion->skeleton->roles;
	rpTransform world[RP_MAX_JOINTS];
	rpMotion_Forward(motion, frame, world);
	rpVec3 hip = world[roles[side == 0 ? rp_roleLeftHip : rp_roleRightHip]].p;
	rpVec3 knee = world[roles[side == 0 ? rp_roleLeftKnee : rp_roleRightKnee]].p;
	rpVec3 ankle = world[roles[side == 0 ? rp_roleLeftAnkle : rp_roleRightAnkle]].p;
	return (double)rpLength(rpLogQuat(rpRotationBetween(rpSub(knee, hip), rpSub(ankle, knee)))) / RP_DEGREE;
}

static double compareBends(const rpMotion* a, const rpMotion* b)
{
	double sum = 0.0;
	for (int frame = 0; frame < a->frameCount; ++frame)
	{
		sum += fabs(measureBend(a, frame, 0) - measureBend(b, frame, 0)) +
			   fabs(measureBend(a, frame, 1) - measureBend(b, frame, 1));
	}
	return 0.5 * sum / a->frameCount;
}

// Walks, runs, jumps and boxing of tall and short people: no sliding, no knees bent by it, one skeleton for all.
static void testPeople(void** state)
{
	(void)state;
	const char* const pairs[][2] = {
		{"35_01", "16_16"},  {"16_16", "83_36"}, {"16_16", "86_01"},  {"16_36", "35_01"},
		{"69_01", "144_20"}, {"13_18", "86_01"}, {"118_09", "83_36"}, {"83_36", "86_01"},
	};
	for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); ++i)
	{
		rpMotion *take = testLoadTake(pairs[i][0]), *other = testLoadTake(pairs[i][1]);
		rpRetargetReport report;
		rpError error = {0};
		assert_true(rpDetectContacts(take, NULL, NULL, NULL));
		assert_false(rpSkeleton_Matches(take->skeleton, other->skeleton));
		rpMotion* result = rpRetargetMotion(take, other->skeleton, NULL, &report, &error);
		if (result == NULL)
		{
			fail_msg("%s on %s: %s", pairs[i][0], pairs[i][1], error.message);
		}
		double bend = compareBends(take, result);
		printf("%s on %s: times %.3f, raised by %+.0f mm, slide %.1f to %.2f mm, knees off by %.1f degrees on the "
			   "mean, %.1f and %.1f rad/s at most\n",
			   pairs[i][0], pairs[i][1], (double)report.factor, 1e3 * (double)report.rise,
			   1e3 * (double)report.lock.before.mean, 1e3 * (double)report.lock.after.mean, bend,
			   (double)report.lock.kneeSpeedBefore, (double)report.lock.kneeSpeedAfter);
		assert_true(rpSkeleton_Matches(result->skeleton, other->skeleton) && result->translations == NULL);
		assert_true(report.lock.after.mean < 0.2f * report.lock.before.mean && report.lock.after.mean < 2e-3f);
		assert_true(bend < 3.0);
		rpDestroyMotion(take);
		rpDestroyMotion(other);
		rpDestroyMotion(result);
	}
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testPeople)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
