#include "support.h"

#include "motion/annotation_parts.h"

#include <string.h>

static rpInterval makeLabel(const char* name, double start, double end)
{
	return (rpInterval){.track = rp_trackLabel, .start = start, .end = end, .name = name};
}

static rpInterval makeContact(rpEffector effector, double start, double end)
{
	return (rpInterval){.track = rp_trackContact, .start = start, .end = end, .effector = effector};
}

static int compareIntervals(const rpInterval* a, const rpInterval* b)
{
	if (a->track != b->track)
	{
		return a->track < b->track ? -1 : 1;
	}
	if (a->start != b->start)
	{
		return a->start < b->start ? -1 : 1;
	}
	if (a->end != b->end)
	{
		return a->end < b->end ? -1 : 1;
	}
	if (a->effector != b->effector)
	{
		return a->effector < b->effector ? -1 : 1;
	}
	return strcmp(a->name != NULL ? a->name : "", b->name != NULL ? b->name : "");
}

// Added in any order, kept in one.
static void testSorted(void** state)
{
	(void)state;
	static const char* const names[] = {"walk", "run", "L", "R", "jump"};
	rpRandom random = rpSeedRandom(5);
	rpAnnotations annotations = {0};
	for (int n = 0; n < 500; ++n)
	{
		double start = rpRandom_Index(&random, 10), length = rpRandom_Index(&random, 3);
		rpInterval interval = {
			.track = (rpTrack)rpRandom_Index(&random, rp_trackCount),
			.start = start,
			.end = start + length,
			.name = names[rpRandom_Index(&random, 5)],
		};
		if (interval.track == rp_trackContact)
		{
			interval.name = NULL;
			interval.effector = (rpEffector)rpRandom_Index(&random, rp_effectorCount);
		}
		assert_true(rpAnnotations_AddInterval(&annotations, &interval, NULL));
		assert_true(rpAnnotations_AddEvent(&annotations, names[n % 5], rpRandom_Index(&random, 20), NULL));
	}
	assert_int_equal(annotations.intervalCount, 500);
	assert_int_equal(annotations.eventCount, 500);
	for (int i = 1; i < 500; ++i)
	{
		assert_true(compareIntervals(annotations.intervals + i - 1, annotations.intervals + i) <= 0);
		const rpEvent *a = annotations.events + i - 1, *b = annotations.events + i;
		assert_true(a->time < b->time || (a->time == b->time && strcmp(a->name, b->name) <= 0));
	}
	rpAnnotations_Free(&annotations);
	assert_null(annotations.intervals);
	assert_int_equal(annotations.intervalCount, 0);
}

static void testMalformed(void** state)
{
	(void)state;
	rpAnnotations annotations = {0};
	rpInterval bad[] = {
		makeLabel("back", 2.0, 1.0),
		makeLabel("nan", NAN, 1.0),
		makeLabel("endless", 0.0, INFINITY),
		makeLabel(NULL, 0.0, 1.0),
		makeContact((rpEffector)rp_effectorCount, 0.0, 1.0),
		makeContact(rp_leftHeel, 0.0, 1.0),
		makeLabel("track", 0.0, 1.0),
		makeLabel("source", 0.0, 1.0),
	};
	bad[5].supportHeight = NAN;
	bad[6].track = (rpTrack)rp_trackCount;
	bad[7].track = rp_trackSource;
	bad[7].sourceEnd = INFINITY;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
	{
		rpError error = {0};
		assert_false(rpAnnotations_AddInterval(&annotations, bad + i, &error));
		assert_int_equal(error.code, rp_errorFormat);
		assert_true(error.message[0] != 0);
	}
	rpError error = {0};
	assert_false(rpAnnotations_AddEvent(&annotations, "never", NAN, &error));
	assert_int_equal(error.code, rp_errorFormat);
	assert_int_equal(annotations.intervalCount + annotations.eventCount, 0);
	rpAnnotations_Free(&annotations);
}

static void testMalformedCurves(void** state)
{
	(void)state;
	static const double times[] = {0.0, 1.0, 2.0}, same[] = {0.0, 1.0, 1.0}, lost[] = {0.0, NAN, 2.0};
	static const float values[9] = {0.0f}, endless[9] = {[8] = INFINITY};
	const rpCurve bad[] = {
		{NULL, rp_curveScalar, 3, times, values}, {"a", (rpCurveKind)rp_curveKindCount, 3, times, values},
		{"a", rp_curveScalar, 0, times, values},  {"a", rp_curveScalar, 3, same, values},
		{"a", rp_curveScalar, 3, lost, values},   {"a", rp_curvePoint, 3, times, endless},
		{"a", rp_curveScalar, -1, times, values},
	};
	rpAnnotations annotations = {0};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
	{
		rpError error = {0};
		assert_false(rpAnnotations_AddCurve(&annotations, bad + i, &error));
		assert_int_equal(error.code, rp_errorFormat);
	}
	assert_int_equal(annotations.curveCount, 0);
	// Beyond the width of one number the last value does not count.
	rpCurve good = {"a", rp_curveScalar, 3, times, endless};
	assert_true(rpAnnotations_AddCurve(&annotations, &good, NULL));
	rpAnnotations_Free(&annotations);
}

// Linear between keys, constant beyond; compared with a straight search.
static void testCurveSampling(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(8);
	for (int n = 0; n < 200; ++n)
	{
		int count = 1 + rpRandom_Index(&random, 12);
		rpCurveKind kind = (rpCurveKind)rpRandom_Index(&random, rp_curveKindCount);
		int width = rpCurveKind_GetWidth(kind);
		double times[12];
		float values[36];
		for (int i = 0; i < count; ++i)
		{
			times[i] = (i > 0 ? times[i - 1] : -1.0) + rpRandom_Range(&random, 0.01f, 1.0f);
		}
		for (int i = 0; i < 36; ++i)
		{
			values[i] = rpRandom_Normal(&random);
		}
		rpCurve curve = {"a", kind, count, times, values};
		for (double t = -2.0; t < 12.0; t += 0.037)
		{
			float out[3];
			int k = 0;
			while (k + 1 < count && times[k + 1] <= t)
			{
				++k;
			}
			double span = k + 1 < count ? times[k + 1] - times[k] : 1.0;
			double part = k + 1 < count && t > times[k] ? (t - times[k]) / span : 0.0;
			rpCurve_Sample(&curve, t, out);
			for (int i = 0; i < width; ++i)
			{
				double from = values[k * width + i], to = k + 1 < count ? values[(k + 1) * width + i] : from;
				assert_true(fabs(out[i] - (from + part * (to - from))) < 1e-5);
			}
		}
	}
}

static void testCurvesByName(void** state)
{
	(void)state;
	static const double times[] = {0.0, 1.0};
	static const float one[] = {1.0f, 1.0f}, two[] = {2.0f, 2.0f};
	static const char* const names[] = {"speed", "gaze", "turn"};
	rpAnnotations annotations = {0};
	for (int i = 0; i < 3; ++i)
	{
		rpCurve curve = {names[i], rp_curveScalar, 2, times, one};
		assert_true(rpAnnotations_AddCurve(&annotations, &curve, NULL));
	}
	assert_string_equal(annotations.curves[0].name, "gaze");
	assert_string_equal(annotations.curves[1].name, "speed");
	assert_string_equal(annotations.curves[2].name, "turn");
	// The same name replaces.
	rpCurve curve = {"speed", rp_curveScalar, 1, times, two};
	assert_true(rpAnnotations_AddCurve(&annotations, &curve, NULL));
	assert_int_equal(annotations.curveCount, 3);
	assert_int_equal(rpAnnotations_FindCurve(&annotations, "speed")->keyCount, 1);
	assert_null(rpAnnotations_FindCurve(&annotations, "Speed"));
	rpAnnotations_Free(&annotations);
}

// A list may be given things of its own, while it grows.
static void testOwnThings(void** state)
{
	(void)state;
	static const double times[] = {0.0};
	static const float values[] = {1.0f};
	rpAnnotations annotations = {0};
	rpInterval label = makeLabel("walk", 0.0, 1.0);
	rpCurve curve = {"speed", rp_curveScalar, 1, times, values};
	assert_true(rpAnnotations_AddInterval(&annotations, &label, NULL));
	assert_true(rpAnnotations_AddCurve(&annotations, &curve, NULL));
	for (int i = 0; i < 40; ++i)
	{
		assert_true(rpAnnotations_AddInterval(&annotations, annotations.intervals + i / 2, NULL));
		assert_true(rpAnnotations_AddCurve(&annotations, annotations.curves, NULL));
		assert_true(rpAnnotations_AddEvent(&annotations, i > 0 ? annotations.events[0].name : "seam", i, NULL));
	}
	assert_int_equal(annotations.intervalCount, 41);
	assert_int_equal(annotations.curveCount, 1);
	assert_string_equal(annotations.intervals[40].name, "walk");
	assert_string_equal(annotations.events[39].name, "seam");
	rpAnnotations_Free(&annotations);
}

static void testClear(void** state)
{
	(void)state;
	rpAnnotations annotations = {0};
	for (int i = 0; i < 6; ++i)
	{
		rpInterval label = makeLabel(i % 2 == 0 ? "walk" : "run", i, i + 1);
		rpInterval contact = makeContact(rp_leftBall, i, i + 0.5);
		assert_true(rpAnnotations_AddInterval(&annotations, &label, NULL));
		assert_true(rpAnnotations_AddInterval(&annotations, &contact, NULL));
	}
	rpAnnotations_Clear(&annotations, rp_trackLabel, "walk");
	assert_int_equal(annotations.intervalCount, 9);
	assert_string_equal(annotations.intervals[0].name, "run");
	rpAnnotations_Clear(&annotations, rp_trackContact, "walk");
	assert_int_equal(annotations.intervalCount, 9);
	rpAnnotations_Clear(&annotations, rp_trackContact, NULL);
	assert_int_equal(annotations.intervalCount, 3);
	rpAnnotations_Clear(&annotations, rp_trackLabel, NULL);
	assert_int_equal(annotations.intervalCount, 0);
	rpAnnotations_Free(&annotations);
}

static void fillAll(rpAnnotations* annotations)
{
	static const double times[] = {0.0, 0.5};
	static const float values[6] = {1.0f, 2.0f, 3.0f};
	rpInterval label = makeLabel("walk", 0.0, 1.0), contact = makeContact(rp_rightToe, 0.25, 0.75);
	rpInterval source = makeLabel("take", 0.0, 1.0);
	rpCurve curve = {"gaze", rp_curvePoint, 2, times, values};
	contact.supportHeight = 0.2f;
	source.track = rp_trackSource;
	source.sourceStart = 7.0;
	source.sourceEnd = 8.0;
	assert_true(rpAnnotations_AddInterval(annotations, &label, NULL));
	assert_true(rpAnnotations_AddInterval(annotations, &contact, NULL));
	assert_true(rpAnnotations_AddInterval(annotations, &source, NULL));
	assert_true(rpAnnotations_AddEvent(annotations, "seam", 0.5, NULL));
	assert_true(rpAnnotations_AddCurve(annotations, &curve, NULL));
}

static void testAppend(void** state)
{
	(void)state;
	rpAnnotations from = {0}, to = {0};
	fillAll(&from);
	assert_true(rpAnnotations_Append(&to, &from, 10.0, NULL));
	rpAnnotations_Free(&from);
	assert_int_equal(to.intervalCount, 3);
	assert_float_equal(to.intervals[0].start, 10.0, 0.0);
	assert_float_equal(to.intervals[0].end, 11.0, 0.0);
	assert_string_equal(to.intervals[0].name, "walk");
	assert_int_equal(to.intervals[1].effector, rp_rightToe);
	assert_float_equal(to.intervals[1].supportHeight, 0.2f, 0.0f);
	assert_null(to.intervals[1].name);
	// The times in the source are the source's own.
	assert_float_equal(to.intervals[2].sourceStart, 7.0, 0.0);
	assert_float_equal(to.events[0].time, 10.5, 0.0);
	assert_float_equal(to.curves[0].times[1], 10.5, 0.0);
	assert_float_equal(to.curves[0].values[2], 3.0f, 0.0f);
	rpAnnotations_Free(&to);
}

// Whatever fails, the list stays whole and nothing leaks.
static void testEveryAllocation(void** state)
{
	(void)state;
	rpAnnotations from = {0};
	fillAll(&from);
	int before = testCountLiveBlocks();
	bool done = false;
	int n = 0;
	for (; !done; ++n)
	{
		rpAnnotations to = {0};
		rpError error = {0};
		testFailAllocation(n);
		done = rpAnnotations_Append(&to, &from, 1.0, &error);
		testFailAllocation(-1);
		assert_true(done || error.code == rp_errorMemory);
		for (int i = 0; i < to.intervalCount; ++i)
		{
			assert_true(to.intervals[i].track == rp_trackContact || to.intervals[i].name != NULL);
		}
		rpAnnotations_Free(&to);
		assert_int_equal(testCountLiveBlocks(), before);
	}
	assert_true(n > 8);
	rpAnnotations_Free(&from);
}

static void testTrackNames(void** state)
{
	(void)state;
	assert_string_equal(rpTrack_GetName(rp_trackContact), "contact");
	assert_string_equal(rpTrack_GetName(rp_trackSource), "source");
	assert_int_equal(rpCurveKind_GetWidth(rp_curveSided), 1);
	assert_int_equal(rpCurveKind_GetWidth(rp_curveVector), 3);
}

// Lists of tracks become what adding one by one would have made, whatever there was.
static void testTrackLists(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(7);
	for (int round = 0; round < 20; ++round)
	{
		rpAnnotations plain = {0}, stored = {0};
		rpTrackLists lists = {0};
		for (int i = 0; i < 10 * round; ++i)
		{
			rpInterval interval = {.track = (rpTrack)rpRandom_Index(&random, rp_trackCount),
								   .name = rpRandom_Index(&random, 2) != 0 ? "a" : "b",
								   .start = rpRandom_Index(&random, 20),
								   .end = 20 + rpRandom_Index(&random, 3)};
			interval.name = interval.track == rp_trackContact ? NULL : interval.name;
			assert_true(rpAnnotations_AddInterval(&plain, &interval, NULL));
			assert_true(i < 3 * round ? rpAnnotations_AddInterval(&stored, &interval, NULL)
									  : rpTrackLists_Add(&lists, &interval, NULL));
		}
		assert_true(rpTrackLists_Store(&lists, &stored, NULL));
		assert_int_equal(stored.intervalCount, plain.intervalCount);
		for (int i = 0; i < plain.intervalCount; ++i)
		{
			assert_int_equal(rpCompareIntervals(&plain.intervals[i], &stored.intervals[i]), 0);
		}
		rpTrackLists_Free(&lists);
		rpAnnotations_Free(&plain);
		rpAnnotations_Free(&stored);
	}
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSorted),        cmocka_unit_test(testMalformed),    cmocka_unit_test(testMalformedCurves),
		cmocka_unit_test(testCurveSampling), cmocka_unit_test(testCurvesByName), cmocka_unit_test(testOwnThings),
		cmocka_unit_test(testClear),         cmocka_unit_test(testAppend),       cmocka_unit_test(testEveryAllocation),
		cmocka_unit_test(testTrackNames),    cmocka_unit_test(testTrackLists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
