/// Motions played along a warp.
#include "edit_scene.h"

#include <string.h>

static rpMotion* makeMotion(bool withTranslations)
{
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, "take", 60.0, 181, 9);
	rpReleaseSkeleton(body);
	assert_non_null(motion);
	testAnnotate(motion);
	if (withTranslations)
	{
		testAddTranslations(motion);
	}
	return motion;
}

// Against the sampler, frame by frame; and the result is as long as it can be.
static void checkFrames(const rpMotion* motion, const rpWarp* warp, const rpMotion* result)
{
	rpQuat rotations[10];
	rpVec3 translations[10];
	testCheckMotion(result);
	testCheckAnnotations(result);
	assert_true(rpWarp_Apply(warp, rpMotion_GetDuration(result)) <= rpMotion_GetDuration(motion) + 1e-4);
	assert_true(rpWarp_Apply(warp, result->frameCount / result->fps) > rpMotion_GetDuration(motion));
	for (int i = 0; i < result->frameCount; ++i)
	{
		rpPose pose = {.rotations = rotations, .translations = translations};
		rpMotion_Sample(motion, rpWarp_Apply(warp, i / result->fps), &pose);
		assert_true(rpDistance(pose.rootPosition, result->rootPositions[i]) < 1e-5f);
		for (int k = 0; k < 10; ++k)
		{
			assert_true(rpAngleBetween(rotations[k], result->rotations[10 * i + k]) < 1e-5f);
			assert_true(result->translations == NULL ||
						rpDistance(translations[k], result->translations[10 * i + k]) < 1e-5f);
		}
	}
}

// The source of every frame: where the old motion says that the old moment comes from.
static void checkSources(const rpMotion* motion, const rpWarp* warp, const rpMotion* result, double tolerance)
{
	for (int i = 0; i < result->frameCount; ++i)
	{
		double expected = 0.0, found = 0.0;
		const char* name = testFindSource(motion, rpWarp_Apply(warp, i / result->fps), &expected);
		const char* foundName = testFindSource(result, i / result->fps, &found);
		assert_non_null(name);
		assert_non_null(foundName);
		assert_string_equal(foundName, name);
		assert_true(fabs(found - expected) < tolerance);
	}
}

// The value of every curve at every frame.
static void checkCurves(const rpMotion* motion, const rpWarp* warp, const rpMotion* result, float tolerance)
{
	assert_int_equal(result->annotations.curveCount, motion->annotations.curveCount);
	for (int n = 0; n < motion->annotations.curveCount; ++n)
	{
		const rpCurve* curve = motion->annotations.curves + n;
		const rpCurve* found = rpAnnotations_FindCurve(&result->annotations, curve->name);
		assert_non_null(found);
		for (int i = 0; i < result->frameCount; ++i)
		{
			float expected[3], value[3];
			rpCurve_Sample(curve, rpWarp_Apply(warp, i / result->fps), expected);
			rpCurve_Sample(found, i / result->fps, value);
			for (int k = 0; k < rpCurveKind_GetWidth(curve->kind); ++k)
			{
				assert_true(fabsf(value[k] - expected[k]) < tolerance);
			}
		}
	}
}

// Both ends of every interval, and every event.
static void checkMoments(const rpMotion* motion, const rpWarp* warp, const rpMotion* result)
{
	double end = result->frameCount / result->fps;
	for (int track = 0; track < rp_trackSource; ++track)
	{
		rpInterval old[8], new[8];
		int count = rpMotion_GetIntervals(motion, (rpTrack)track, old, 8);
		assert_int_equal(rpMotion_GetIntervals(result, (rpTrack)track, new, 8), count);
		for (int i = 0; i < count; ++i)
		{
			assert_true(fabs(new[i].start - rpWarp_Invert(warp, old[i].start)) < 1e-9);
			assert_true(fabs(new[i].end - fmin(rpWarp_Invert(warp, old[i].end), end)) < 1e-9);
			assert_int_equal(new[i].effector, old[i].effector);
			assert_true(new[i].supportHeight == old[i].supportHeight);
		}
	}
	for (int i = 0; i < motion->annotations.eventCount; ++i)
	{
		rpEvent old = motion->annotations.events[i], new = result->annotations.events[i];
		assert_string_equal(old.name, new.name);
		assert_true(fabs(new.time - rpWarp_Invert(warp, old.time)) < 1e-9);
	}
}

static void testAlongLines(void** state)
{
	(void)state;
	const double newTimes[] = {0.0, 0.7, 2.9, 4.1}, oldTimes[] = {0.0, 1.3, 1.9, 3.0};
	rpWarp warp = {newTimes, oldTimes, 4, false};
	for (int n = 0; n < 2; ++n)
	{
		rpMotion* motion = makeMotion(n > 0);
		rpMotion* result = rpRetimeMotion(motion, &warp, NULL);
		assert_non_null(result);
		assert_int_equal(result->frameCount, 247);
		checkFrames(motion, &warp, result);
		checkSources(motion, &warp, result, 1e-9);
		checkCurves(motion, &warp, result, 1e-5f);
		checkMoments(motion, &warp, result);
		rpDestroyMotion(motion);
		rpDestroyMotion(result);
	}
}

static void testAlongCurve(void** state)
{
	(void)state;
	const double newTimes[] = {0.0, 0.7, 2.9, 4.1}, oldTimes[] = {0.0, 1.3, 1.9, 3.0};
	rpWarp warp = {newTimes, oldTimes, 4, true};
	rpMotion* motion = makeMotion(false);
	rpMotion* result = rpRetimeMotion(motion, &warp, NULL);
	assert_non_null(result);
	checkFrames(motion, &warp, result);
	// A tenth of a frame, in sources that run at up to twice the rate of the motion.
	checkSources(motion, &warp, result, 2.0 * 0.1 / 60.0);
	checkCurves(motion, &warp, result, 0.01f);
	checkMoments(motion, &warp, result);
	rpInterval sources[256];
	int count = rpMotion_GetIntervals(result, rp_trackSource, sources, 256);
	assert_true(count > 4 && count < 100);
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

// Half speed and back, or straight through, is the same motion.
static void testThereAndBack(void** state)
{
	(void)state;
	const double once[] = {0.0, 3.0}, twice[] = {0.0, 6.0};
	rpWarp same = {once, once, 2, false}, slow = {twice, once, 2, true}, fast = {once, twice, 2, false};
	rpMotion* motion = makeMotion(false);
	rpMotion* copy = rpRetimeMotion(motion, &same, NULL);
	assert_memory_equal(copy->rotations, motion->rotations, 1810 * sizeof(rpQuat));
	assert_true(testAnnotationsAgree(&copy->annotations, &motion->annotations, 1e-6));
	rpMotion* slowed = rpRetimeMotion(motion, &slow, NULL);
	assert_int_equal(slowed->frameCount, 361);
	rpMotion* back = rpRetimeMotion(slowed, &fast, NULL);
	assert_true(rpMotion_Agrees(motion, back, 0.0f));
	// The slow motion ends half an old frame after its last, where the old one ends a whole frame after it; the second
	// source runs at twice the rate.
	assert_true(testAnnotationsAgree(&back->annotations, &motion->annotations, 1.001 / 60.0));
	rpDestroyMotion(motion);
	rpDestroyMotion(copy);
	rpDestroyMotion(slowed);
	rpDestroyMotion(back);
}

// From the middle of the old motion to beyond its end: what lies outside is cut off.
static void testPartOfMotion(void** state)
{
	(void)state;
	const double newTimes[] = {0.0, 1.0}, oldTimes[] = {1.0, 3.5};
	rpWarp warp = {newTimes, oldTimes, 2, false};
	rpMotion* motion = makeMotion(false);
	rpMotion* result = rpRetimeMotion(motion, &warp, NULL);
	assert_int_equal(result->frameCount, 49);
	checkFrames(motion, &warp, result);
	checkSources(motion, &warp, result, 1e-9);
	checkCurves(motion, &warp, result, 1e-5f);
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

// A clip that names no source is its own.
static void testOwnSource(void** state)
{
	(void)state;
	const double newTimes[] = {0.0, 1.0, 3.0}, oldTimes[] = {0.5, 1.0, 3.0};
	rpWarp warp = {newTimes, oldTimes, 3, false};
	rpMotion* motion = makeMotion(false);
	rpAnnotations_Clear(&motion->annotations, rp_trackSource, NULL);
	rpMotion* result = rpRetimeMotion(motion, &warp, NULL);
	for (int i = 0; i < result->frameCount; ++i)
	{
		double seconds = 0.0, t = i / 60.0;
		assert_string_equal(testFindSource(result, t, &seconds), "take");
		assert_true(fabs(seconds - rpWarp_Apply(&warp, t)) < 1e-9);
	}
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

static void testErrors(void** state)
{
	(void)state;
	const double up[] = {0.0, 1.0, 2.0}, down[] = {0.0, 2.0, 1.5}, odd[] = {0.0, NAN, 2.0}, late[] = {4.0, 5.0, 6.0};
	const double early[] = {-1.0, 0.0, 6.0}, steep[] = {0.0, 1e-9, 1.1e-9}, flat[] = {0.0, 1.0, 1e10};
	const struct
	{
		rpWarp warp;
		const char* part;
	} cases[] = {
		{{up, up, 1, false}, "at least 2"},
		{{up, down, 3, false}, "must increase: knot 2 (2 s -> 1.5 s)"},
		{{down, up, 3, false}, "must increase"},
		{{up, odd, 3, false}, "knot 1 of the time warp is not finite"},
		{{up, late, 3, false}, "starts at 4 s of the clip, which lasts from 0 to 3 s"},
		{{up, early, 3, false}, "starts at -1 s of the clip"},
		{{flat, steep, 3, false}, "frames; at most"},
	};
	rpMotion* motion = makeMotion(false);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		rpError error = {0};
		assert_null(rpRetimeMotion(motion, &cases[i].warp, &error));
		if (strstr(error.message, cases[i].part) == NULL)
		{
			fail_msg("\"%s\" is not in \"%s\"", cases[i].part, error.message);
		}
	}
	rpDestroyMotion(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testAlongLines),   cmocka_unit_test(testAlongCurve), cmocka_unit_test(testThereAndBack),
		cmocka_unit_test(testPartOfMotion), cmocka_unit_test(testOwnSource),  cmocka_unit_test(testErrors),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
