/// Captured takes, loaded, saved and loaded again: the same motion, skeleton and annotations, and nothing to mend.
#include "support.h"

#include <stdio.h>

static rpMotion* load(const char* path, rpFindings* findings)
{
	rpError error = {0};
	rpMotion* motion = rpLoadMotion(path, NULL, findings, &error);
	if (motion == NULL)
	{
		fail_msg("%s:%d: %s", path, error.line, error.message);
	}
	return motion;
}

static void assertSameSkeleton(const rpSkeleton* a, const rpSkeleton* b)
{
	assert_true(rpSkeleton_Matches(a, b));
	for (int i = 0; i < a->jointCount; ++i)
	{
		const rpJoint *p = a->joints + i, *q = b->joints + i;
		assert_int_equal(p->role, q->role);
		assert_int_equal(p->mirror, q->mirror);
		assert_int_equal(p->freedoms, q->freedoms);
		assert_true(rpAngleBetween(p->rest, q->rest) < 1e-3f);
		assert_memory_equal(&p->lower, &q->lower, sizeof(rpVec3));
		assert_memory_equal(&p->upper, &q->upper, sizeof(rpVec3));
	}
	assert_true(fabsf(a->height - b->height) < 1e-4f);
}

static void checkRoundTrip(const char* path)
{
	rpMotion* motion = load(path, NULL);
	rpError error = {0};
	const char* saved = testPath("again.bvh");
	if (!rpSaveMotion(motion, saved, NULL, &error))
	{
		fail_msg("%s: %s", path, error.message);
	}
	rpFindings findings = {0};
	rpMotion* again = load(saved, &findings);
	if (!rpMotion_Agrees(motion, again, 1e-5f) || findings.count > 0)
	{
		fail_msg("%s: %d findings, %d frames of %d, at %g of %g per second; first finding: %s", path, findings.count,
				 again->frameCount, motion->frameCount, again->fps, motion->fps,
				 findings.count > 0 ? findings.items[0].message : "none");
	}
	assertSameSkeleton(motion->skeleton, again->skeleton);
	assert_string_equal(again->name, "again"); // a clip is called after its file
	assert_int_equal(motion->annotations.eventCount, again->annotations.eventCount);

	// And once more: nothing wanders.
	assert_true(rpSaveMotion(again, testPath("third.bvh"), NULL, NULL));
	rpMotion* third = load(testPath("third.bvh"), NULL);
	assert_true(rpMotion_Agrees(motion, third, 1e-5f));
	rpDestroyMotion(third);
	rpDestroyMotion(again);
	rpDestroyMotion(motion);
	rpFindings_Free(&findings);
}

static void testTakes(void** state)
{
	(void)state;
	const char* const* paths;
	int count = testListCapture(&paths);
	// One in twelve, for time; every one is read and written in the tests of BVH.
	for (int i = 0; i < count; i += 12)
	{
		checkRoundTrip(paths[i]);
	}
}

static void testAcclaim(void** state)
{
	(void)state;
	static const char* const names[] = {"09_06.amc", "11_01.amc"};
	for (size_t i = 0; i < 2; ++i)
	{
		char path[1024];
		snprintf(path, sizeof(path), "%s/formats/asf_amc/%s", testMocap(), names[i]);
		checkRoundTrip(path);
	}
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testTakes), cmocka_unit_test(testAcclaim)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
