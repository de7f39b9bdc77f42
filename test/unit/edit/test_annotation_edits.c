/// Each kind of annotation through each edit, against what it must become, written out by hand.
#include "edit_scene.h"

#include <string.h>

// 11 frames at 10 Hz: 0 to 1 s, annotations up to 1.1 s.
static rpMotion* makeMotion(void)
{
	rpSkeleton* body = testMakePuppet(false);
	rpMotion* motion = testMakeMotion(body, "take", 10.0, 11, 9);
	rpReleaseSkeleton(body);
	assert_non_null(motion);
	return motion;
}

static void addInterval(rpMotion* motion, rpInterval interval)
{
	assert_true(rpAnnotations_AddInterval(&motion->annotations, &interval, NULL));
}

static void addLabel(rpMotion* motion, const char* name, double start, double end)
{
	addInterval(motion, (rpInterval){.track = rp_trackLabel, .name = name, .start = start, .end = end});
}

static void addCurve(rpMotion* motion, const char* name, rpCurveKind kind, int keyCount, const double* times,
					 const float* values)
{
	rpCurve curve = {name, kind, keyCount, times, values};
	assert_true(rpAnnotations_AddCurve(&motion->annotations, &curve, NULL));
}

static void checkCurve(const rpMotion* motion, const char* name, int keyCount, const double* times, const float* values)
{
	const rpCurve* curve = rpAnnotations_FindCurve(&motion->annotations, name);
	assert_non_null(curve);
	assert_int_equal(curve->keyCount, keyCount);
	for (int i = 0; i < keyCount; ++i)
	{
		assert_true(fabs(curve->times[i] - times[i]) < 1e-9);
	}
	for (int i = 0; i < keyCount * rpCurveKind_GetWidth(curve->kind); ++i)
	{
		assert_true(fabsf(curve->values[i] - values[i]) < 1e-5f);
	}
}

static void checkLabel(const rpInterval* label, const char* name, double start, double end)
{
	assert_string_equal(label->name, name);
	assert_true(fabs(label->start - start) < 1e-9 && fabs(label->end - end) < 1e-9);
}

// Frames 3 to 6: from 0.3 to 0.6 s, standing for 0.3 to 0.7 s.
static void testCropIntervals(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	addLabel(motion, "all", 0.0, 1.1);
	addLabel(motion, "before", 0.0, 0.2);
	addLabel(motion, "touching", 0.1, 0.3);
	addLabel(motion, "into", 0.1, 0.4);
	addLabel(motion, "inside", 0.4, 0.5);
	addLabel(motion, "out of", 0.5, 0.9);
	addLabel(motion, "last frame", 0.6, 0.7);
	addLabel(motion, "touching too", 0.7, 0.8);
	addLabel(motion, "nearly", 0.7 - 1e-12, 0.8);
	addLabel(motion, "empty", 0.5, 0.5);
	addInterval(motion, (rpInterval){.track = rp_trackContact, .start = 0.2, .end = 0.5, .supportHeight = 0.3f});
	addInterval(motion, (rpInterval){.track = rp_trackPhase, .start = 0.6, .end = 1.0, .name = "F"});
	rpMotion* result = rpCropMotion(motion, 0.3, 0.6, NULL);
	rpInterval found[8];
	assert_int_equal(rpMotion_GetIntervals(result, rp_trackLabel, found, 8), 5);
	checkLabel(found + 0, "into", 0.0, 0.1);
	checkLabel(found + 1, "all", 0.0, 0.4);
	checkLabel(found + 2, "inside", 0.1, 0.2);
	checkLabel(found + 3, "out of", 0.2, 0.4);
	checkLabel(found + 4, "last frame", 0.3, 0.4);
	assert_int_equal(rpMotion_GetIntervals(result, rp_trackContact, found, 8), 1);
	assert_true(fabs(found[0].start) < 1e-9 && fabs(found[0].end - 0.2) < 1e-9 && found[0].supportHeight == 0.3f);
	assert_int_equal(rpMotion_GetIntervals(result, rp_trackPhase, found, 8), 1);
	checkLabel(found, "F", 0.3, 0.4);
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

static void testCropSources(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	rpMotion* own = rpCropMotion(motion, 0.3, 0.6, NULL);
	rpInterval found[4];
	assert_int_equal(rpMotion_GetIntervals(own, rp_trackSource, found, 4), 1);
	checkLabel(found, "take", 0.0, 0.4);
	assert_true(fabs(found[0].sourceStart - 0.3) < 1e-9 && fabs(found[0].sourceEnd - 0.7) < 1e-9);

	// A crop of a crop still says where in the take it is.
	rpMotion* again = rpCropFrames(own, 1, 2, NULL);
	assert_int_equal(rpMotion_GetIntervals(again, rp_trackSource, found, 4), 1);
	assert_true(fabs(found[0].sourceStart - 0.4) < 1e-9 && fabs(found[0].sourceEnd - 0.6) < 1e-9);

	// A source played backwards at half its rate.
	addInterval(
		motion,
		(rpInterval){
			.track = rp_trackSource, .name = "other", .start = 0.1, .end = 0.5, .sourceStart = 2.0, .sourceEnd = 1.8});
	rpMotion* other = rpCropMotion(motion, 0.3, 0.6, NULL);
	assert_int_equal(rpMotion_GetIntervals(other, rp_trackSource, found, 4), 1);
	checkLabel(found, "other", 0.0, 0.2);
	assert_true(fabs(found[0].sourceStart - 1.9) < 1e-9 && fabs(found[0].sourceEnd - 1.8) < 1e-9);

	// A motion without a name has nothing to call its source.
	assert_true(rpMotion_SetName(motion, "", NULL));
	rpAnnotations_Clear(&motion->annotations, rp_trackSource, NULL);
	rpMotion* nameless = rpCropMotion(motion, 0.3, 0.6, NULL);
	assert_int_equal(nameless->annotations.intervalCount, 0);
	rpDestroyMotion(motion);
	rpDestroyMotion(own);
	rpDestroyMotion(again);
	rpDestroyMotion(other);
	rpDestroyMotion(nameless);
}

static void testCropEvents(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	const double times[] = {0.2, 0.3, 0.45, 0.6, 0.65, 0.7, 0.9};
	const double kept[] = {0.0, 0.15, 0.3, 0.35};
	for (int i = 0; i < 7; ++i)
	{
		assert_true(rpAnnotations_AddEvent(&motion->annotations, "e", times[i], NULL));
	}
	rpMotion* result = rpCropMotion(motion, 0.3, 0.6, NULL);
	assert_int_equal(result->annotations.eventCount, 4);
	for (int i = 0; i < 4; ++i)
	{
		assert_true(fabs(result->annotations.events[i].time - kept[i]) < 1e-9);
	}
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

static void testCropCurves(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	const double times[] = {0.1, 0.5, 0.9}, early[] = {0.0, 0.1, 0.2}, late[] = {0.7, 0.8, 0.9};
	const double edges[] = {0.3, 0.45, 0.6};
	const float values[] = {1.0f, 5.0f, 1.0f}, points[] = {0.0f, 1.0f, 2.0f, 4.0f, 5.0f, 6.0f, 8.0f, 9.0f, 10.0f};
	addCurve(motion, "across", rp_curveScalar, 3, times, values);
	addCurve(motion, "point", rp_curvePoint, 3, times, points);
	addCurve(motion, "early", rp_curveScalar, 3, early, values);
	addCurve(motion, "late", rp_curveSided, 3, late, values);
	addCurve(motion, "edges", rp_curveScalar, 3, edges, values);
	addCurve(motion, "constant", rp_curveScalar, 1, times, values);
	rpMotion* result = rpCropMotion(motion, 0.3, 0.6, NULL);
	checkCurve(result, "across", 3, (const double[]){0.0, 0.2, 0.3}, (const float[]){3.0f, 5.0f, 4.0f});
	checkCurve(result, "point", 3, (const double[]){0.0, 0.2, 0.3},
			   (const float[]){2.0f, 3.0f, 4.0f, 4.0f, 5.0f, 6.0f, 5.0f, 6.0f, 7.0f});
	checkCurve(result, "early", 1, (const double[]){0.0}, (const float[]){1.0f});
	checkCurve(result, "late", 1, (const double[]){0.3}, (const float[]){1.0f});
	checkCurve(result, "edges", 3, (const double[]){0.0, 0.15, 0.3}, values);
	checkCurve(result, "constant", 1, (const double[]){0.0}, (const float[]){1.0f});
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

static void testMirrorNames(void** state)
{
	(void)state;
	static const char* const names[][2] = {
		{"left", "right"},
		{"turn Left", "turn Right"},
		{"RIGHT_FOOT", "LEFT_FOOT"},
		{"heel_strike_left", "heel_strike_right"},
		{"string:LDRFS", "string:RDLFS"},
		{"string", "string"},
		{"leftFootDown", "rightFootDown"},
		{"FootLeftDown", "FootRightDown"},
		{"FOOTLeft", "FOOTRight"},
		{"left2right", "right2left"},
		{"bright", "bright"},
		{"upright", "upright"},
		{"Leftover", "Leftover"},
		{"lefthand", "lefthand"},
		{"L", "L"},
		{"", ""},
		{"\xc3\xa9left \xc3\xa9 left", "\xc3\xa9left \xc3\xa9 right"},
		{"left-left.left", "right-right.right"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
	{
		rpMotion* motion = makeMotion();
		addLabel(motion, names[i][0], 0.0, 1.0);
		assert_true(rpAnnotations_AddEvent(&motion->annotations, names[i][0], 0.5, NULL));
		addCurve(motion, names[i][0], rp_curveScalar, 1, (const double[]){0.0}, (const float[]){1.0f});
		rpMotion* result = rpMirrorMotion(motion, NULL);
		assert_string_equal(result->annotations.intervals[0].name, names[i][1]);
		assert_string_equal(result->annotations.events[0].name, names[i][1]);
		assert_string_equal(result->annotations.curves[0].name, names[i][1]);
		rpMotion* back = rpMirrorMotion(result, NULL);
		assert_true(testAnnotationsAgree(&motion->annotations, &back->annotations, 0.0));
		rpDestroyMotion(motion);
		rpDestroyMotion(result);
		rpDestroyMotion(back);
	}
}

static void testMirrorKinds(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	const double times[] = {0.0, 0.5};
	const float values[] = {1.0f, 2.0f, 3.0f, 4.0f, 5.0f, 6.0f};
	addCurve(motion, "scalar", rp_curveScalar, 2, times, values);
	addCurve(motion, "sided", rp_curveSided, 2, times, values);
	addCurve(motion, "hand_left", rp_curvePoint, 2, times, values);
	addCurve(motion, "hand_right", rp_curvePoint, 1, times, values + 1);
	addCurve(motion, "vector", rp_curveVector, 2, times, values);
	static const char* const phases[][2] = {{"L", "R"}, {"R", "L"}, {"D", "D"}, {"F", "F"}, {"S", "S"}};
	for (int i = 0; i < 5; ++i)
	{
		addInterval(motion, (rpInterval){.track = rp_trackPhase, .name = phases[i][0], .start = 0.1 * i, .end = 1.0});
	}
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		addInterval(motion,
					(rpInterval){.track = rp_trackContact, .effector = (rpEffector)i, .start = 0.1 * i, .end = 1.0});
	}
	addInterval(motion, (rpInterval){.track = rp_trackSource, .name = "left", .end = 1.0, .sourceEnd = 1.0});
	rpMotion* result = rpMirrorMotion(motion, NULL);
	rpInterval found[16];
	checkCurve(result, "scalar", 2, times, values);
	checkCurve(result, "sided", 2, times, (const float[]){-1.0f, -2.0f});
	checkCurve(result, "hand_right", 2, times, (const float[]){-1.0f, 2.0f, 3.0f, -4.0f, 5.0f, 6.0f});
	checkCurve(result, "hand_left", 1, times, (const float[]){-2.0f, 3.0f, 4.0f});
	checkCurve(result, "vector", 2, times, (const float[]){-1.0f, 2.0f, 3.0f, -4.0f, 5.0f, 6.0f});
	assert_int_equal(rpMotion_GetIntervals(result, rp_trackPhase, found, 16), 5);
	for (int i = 0; i < 5; ++i)
	{
		assert_string_equal(found[i].name, phases[i][1]);
	}
	assert_int_equal(rpMotion_GetIntervals(result, rp_trackContact, found, 16), rp_effectorCount);
	for (int i = 0; i < rp_effectorCount; ++i)
	{
		assert_int_equal(found[i].effector, rpEffector_Mirror((rpEffector)i));
	}
	// The source is a clip's name, not a side.
	assert_int_equal(rpMotion_GetIntervals(result, rp_trackSource, found, 16), 1);
	assert_string_equal(found[0].name, "left");
	rpDestroyMotion(motion);
	rpDestroyMotion(result);
}

// What each of move, scale and change of axes does to points, directions, heights, and to nothing else.
static void testPlaces(void** state)
{
	(void)state;
	rpMotion* motion = makeMotion();
	const double times[] = {0.0};
	const float values[] = {1.0f, 2.0f, 3.0f};
	addCurve(motion, "scalar", rp_curveScalar, 1, times, values);
	addCurve(motion, "sided", rp_curveSided, 1, times, values);
	addCurve(motion, "point", rp_curvePoint, 1, times, values);
	addCurve(motion, "vector", rp_curveVector, 1, times, values);
	addInterval(motion, (rpInterval){.track = rp_trackContact, .end = 1.0, .supportHeight = 0.5f});
	addLabel(motion, "left", 0.0, 1.0);
	rpGroundTransform quarter = {(float)(0.5 * RP_PI), {10.0f, 0.25f, 20.0f}};
	rpQuat zUpToYUp = rpAxisAngle((rpVec3){1.0f, 0.0f, 0.0f}, (float)(-0.5 * RP_PI));
	rpMotion* results[3] = {rpMoveMotion(motion, quarter, NULL), rpScaleMotion(motion, 2.0f, NULL),
							rpChangeAxes(motion, zUpToYUp, NULL)};
	const float points[3][3] = {{13.0f, 2.25f, 19.0f}, {2.0f, 4.0f, 6.0f}, {1.0f, 3.0f, -2.0f}};
	const float vectors[3][3] = {{3.0f, 2.0f, -1.0f}, {1.0f, 2.0f, 3.0f}, {1.0f, 3.0f, -2.0f}};
	const float heights[3] = {0.75f, 1.0f, 0.5f};
	for (int i = 0; i < 3; ++i)
	{
		rpInterval found[2];
		assert_non_null(results[i]);
		checkCurve(results[i], "scalar", 1, times, values);
		checkCurve(results[i], "sided", 1, times, values);
		checkCurve(results[i], "point", 1, times, points[i]);
		checkCurve(results[i], "vector", 1, times, vectors[i]);
		assert_int_equal(rpMotion_GetIntervals(results[i], rp_trackContact, found, 2), 1);
		assert_true(fabsf(found[0].supportHeight - heights[i]) < 1e-6f);
		assert_int_equal(rpMotion_GetIntervals(results[i], rp_trackLabel, found, 2), 1);
		checkLabel(found, "left", 0.0, 1.0);
		rpDestroyMotion(results[i]);
	}
	rpDestroyMotion(motion);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCropIntervals), cmocka_unit_test(testCropSources), cmocka_unit_test(testCropEvents),
		cmocka_unit_test(testCropCurves),    cmocka_unit_test(testMirrorNames), cmocka_unit_test(testMirrorKinds),
		cmocka_unit_test(testPlaces),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
