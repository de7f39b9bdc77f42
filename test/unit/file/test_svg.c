/// Paths from SVG files: path data, what is taken of a file, and what is refused.
#include "file/svg_path.h"
#include "support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rpAffine s_same = {.a = 1.0, .d = 1.0};

static int parse(const char* data, rpVec2** points)
{
	rpPathPoints out = {0};
	rpError error = {0};
	if (!rpParsePathData(data, s_same, 0.001, &out, &error))
	{
		fail_msg("%s: %s", data, error.message);
	}
	*points = out.points;
	return out.count;
}

static void checkPoints(const char* data, const float* expected, int count)
{
	rpVec2* points;
	assert_int_equal(parse(data, &points), count);
	for (int i = 0; i < count; ++i)
	{
		assert_float_equal(points[i].x, expected[2 * i], 1e-4);
		assert_float_equal(points[i].y, expected[2 * i + 1], 1e-4);
	}
	rpFreeBytes(points);
}

static void testLines(void** state)
{
	(void)state;
	const float square[] = {1, 2, 5, 2, 5, 6, 1, 6, 1, 2};
	checkPoints("M1 2 L5 2 L5 6 L1 6 Z", square, 5);
	checkPoints("M 1,2 5,2 5,6 1,6z", square, 5);
	checkPoints("m1 2h4v4h-4z", square, 5);
	checkPoints("M1 2H5V6H1Z", square, 5);
	checkPoints("m1,2 4,0 0,4 -4,0 z", square, 5);
	const float numbers[] = {0.5f, -0.5f, 150.0f, 0.25f};
	checkPoints("M.5-.5 1.5e2+2.5E-1", numbers, 2);
	// A second subpath is left alone.
	const float first[] = {0, 0, 1, 0};
	checkPoints("M0 0 1 0 M5 5 9 9", first, 2);
}

// Points of curves lie on them.
static void testCurves(void** state)
{
	(void)state;
	static const char* const circles[] = {"M10 0 A10 10 0 0 1 -10 0 A10 10 0 0 1 10 0", "M10 0a10 10 0 1 1 0-.001"};
	rpVec2* points;
	for (int c = 0; c < 2; ++c)
	{
		int count = parse(circles[c], &points);
		assert_true(count > 20);
		double max = 0.0;
		for (int i = 0; i < count && c == 0; ++i)
		{
			assert_float_equal(hypot(points[i].x, points[i].y), 10.0, 1e-3);
			max = i > 0 ? fmax(max, hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y)) : max;
		}
		assert_true(max < 1.0);
		rpFreeBytes(points);
	}
	// A cubic against its formula, and the smooth one that goes on with it.
	int count = parse("M0 0 C0 1 1 1 1 0 S2 -1 2 0", &points);
	for (int i = 0; i < count; ++i)
	{
		double best = 1.0;
		for (int k = 0; k <= 2000; ++k)
		{
			double t = k / 1000.0, sign = t > 1.0 ? -1.0 : 1.0, u = t > 1.0 ? t - 1.0 : t;
			double x = 3.0 * u * u * (1.0 - u) + u * u * u + (t > 1.0), y = sign * 3.0 * u * (1.0 - u);
			best = fmin(best, hypot(points[i].x - x, points[i].y - y));
		}
		assert_true(best < 3e-3);
	}
	rpFreeBytes(points);
	count = parse("M0 0 Q1 2 2 0 T4 0", &points);
	assert_float_equal(points[count - 1].x, 4.0, 1e-6);
	double low = 0.0;
	for (int i = 0; i < count; ++i)
	{
		low = fmin(low, points[i].y);
	}
	assert_float_equal(low, -1.0, 1e-2);
	rpFreeBytes(points);
}

static void testBadData(void** state)
{
	(void)state;
	static const struct
	{
		const char* data;
		int column;
	} cases[] = {{"L1 2", 1}, {"M1", 3}, {"M1 2 L3", 8},   {"M0 0 X1 1", 6}, {"M0 0 A1 1 0 2 0 1 1", 13},
				 {"M0 0", 5}, {"", 1},   {"M 1e999 0", 3}, {"M nan 0", 3},   {"M0 0 L 0x10 3", 9}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); ++i)
	{
		rpPathPoints out = {0};
		rpError error = {0};
		assert_false(rpParsePathData(cases[i].data, s_same, 0.01, &out, &error));
		assert_int_equal(error.code, rp_errorFormat);
		if (error.column != cases[i].column)
		{
			fail_msg("\"%s\": column %d, not %d", cases[i].data, error.column, cases[i].column);
		}
		rpFreeBytes(out.points);
	}
}

static bool read(const char* text, rpVec2** points, int* count, rpError* error)
{
	*points = NULL;
	return rpReadSvgPath(text, strlen(text), 0.01, points, count, NULL, error);
}

static void testFiles(void** state)
{
	(void)state;
	rpVec2* points;
	int count;
	rpError error = {0};
	assert_true(read("<svg xmlns='http://www.w3.org/2000/svg'><g><path d='M100 200L300 400'/></g></svg>", &points,
					 &count, &error));
	assert_int_equal(count, 2);
	assert_float_equal(points[1].x, -3.0, 1e-6);
	assert_float_equal(points[1].y, -4.0, 1e-6);
	rpFreeBytes(points);
	assert_true(
		read("<svg:svg xmlns:svg='x'><svg:polyline points='0,0 10,0 10,10'/></svg:svg>", &points, &count, &error));
	assert_int_equal(count, 3);
	rpFreeBytes(points);

	// Of several strokes the first is taken, and how many there are is reported; what comes after it does no harm.
	const char* strokes = "<svg><path d='M0 0L1 1m2 2l1 0'/><polyline points='0,0 5,5'/><path d='M7 7'/><oops";
	int strokeCount = 0;
	assert_true(rpReadSvgPath(strokes, strlen(strokes), 1.0, &points, &count, &strokeCount, &error));
	assert_int_equal(count, 2);
	assert_int_equal(strokeCount, 4);
	rpFreeBytes(points);

	static const char* const bad[] = {
		"<svg/>",
		"<svg><rect width='1'/></svg>",
		"<svg><path d='M0 0 L'/></svg>",
		"no XML",
		"<svg><path",
		"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg><path d='M0 0L1 1'/></svg>",
		"<!DOCTYPE svg [<!ENTITY a SYSTEM 'file:///etc/passwd'>]><svg>&a;<path d='M0 0L1 1'/></svg>",
		"",
	};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); ++i)
	{
		rpError why = {0};
		assert_false(read(bad[i], &points, &count, &why));
		assert_int_equal(why.code, rp_errorFormat);
		assert_true(why.line >= 1 && why.column >= 1);
	}
	char* deep = calloc(1, 8 * 1000 + 100);
	for (int i = 0; i < 1000; ++i)
	{
		strcat(deep + 3 * i, "<g>");
	}
	assert_false(read(deep, &points, &count, &error));
	assert_true(strstr(error.message, "deeper") != NULL);
	free(deep);
	assert_false(rpLoadSvgPath(testPath("nosuch.svg"), 0.01, &points, &count, NULL, &error));
	assert_int_equal(error.code, rp_errorFile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testLines),
		cmocka_unit_test(testCurves),
		cmocka_unit_test(testBadData),
		cmocka_unit_test(testFiles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
