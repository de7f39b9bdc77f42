/// What the track of a centre of mass reveals about what bears it.
#include "body/support_load.h"
#include "support.h"

enum
{
	frameCount = 61,
};

// A centre a metre high that is accelerated evenly.
static void throwCenter(rpVec3* centers, double fps, rpVec3 acceleration)
{
	for (int f = 0; f < frameCount; ++f)
	{
		float t = (float)(f / fps);
		centers[f] = rpMulAdd((rpVec3){0.3f * t, 1.0f + 0.2f * t, -0.1f * t}, 0.5f * t * t, acceleration);
	}
}

static void accelerationsAreExact(void** state)
{
	(void)state;
	rpVec3 centers[frameCount], given = {0.7f, -9.81f, 1.2f};
	static const double rates[] = {30.0, 60.0, 120.0};
	for (int i = 0; i < 3; ++i)
	{
		throwCenter(centers, rates[i], given);
		rpSupportLoad load = {centers, frameCount, rates[i]};
		for (int f = 0; f < frameCount; ++f)
		{
			assert_true(rpDistance(rpSupportLoad_GetAcceleration(&load, f, 0.1), given) < 0.02f);
		}
	}
	rpSupportLoad few = {centers, 4, 60.0};
	assert_true(rpLength(rpSupportLoad_GetAcceleration(&few, 1, 0.1)) == 0.0f);
}

static void pressureIsUnderWhatRests(void** state)
{
	(void)state;
	rpVec3 centers[frameCount];
	rpSupportLoad load = {centers, frameCount, 60.0};
	throwCenter(centers, 60.0, rpVec3_zero);
	rpVec2 p = rpSupportLoad_GetPressure(&load, 30, 0.0f, 0.1);
	assert_float_equal(p.x, centers[30].x, 1e-3);
	assert_float_equal(p.y, centers[30].z, 1e-3);
	// Someone who is pushed to the left stands to the right: by height times acceleration over gravity.
	throwCenter(centers, 60.0, (rpVec3){0.981f, 0.0f, 0.0f});
	p = rpSupportLoad_GetPressure(&load, 30, 0.1f, 0.1);
	assert_float_equal(p.x, centers[30].x - 0.1f * (centers[30].y - 0.1f), 1e-3);
	assert_float_equal(p.y, centers[30].z, 1e-3);
	// Someone who falls freely presses on nothing, and nothing is divided by it.
	throwCenter(centers, 60.0, (rpVec3){1.0f, -9.81f, 0.0f});
	assert_true(isfinite(rpSupportLoad_GetPressure(&load, 30, 0.0f, 0.1).x));
}

static void hullsHaveDistances(void** state)
{
	(void)state;
	static const rpVec2 points[] = {{0.0f, 0.0f}, {1.0f, 0.0f}, {1.0f, 1.0f}, {0.0f, 1.0f}};
	assert_true(rpGetHullDistance(points, 4, (rpVec2){0.4f, 0.7f}) == 0.0);
	assert_float_equal(rpGetHullDistance(points, 4, (rpVec2){1.5f, 0.5f}), 0.5, 1e-6);
	assert_float_equal(rpGetHullDistance(points, 2, (rpVec2){0.5f, -0.25f}), 0.25, 1e-6);
	assert_float_equal(rpGetHullDistance(points, 1, (rpVec2){3.0f, 4.0f}), 5.0, 1e-6);
	assert_true(isinf(rpGetHullDistance(points, 0, (rpVec2){0.0f, 0.0f})));
}

// Points that are one do not make everything inside.
static void testSamePoints(void** state)
{
	(void)state;
	static const rpVec2 points[] = {{0, 0}, {0.1f, 0}, {0, 0.2f}, {0.1f, 0.2f}, {0, 0}, {0.1f, 0}, {0.05f, 0.1f}};
	for (int count = 4; count <= 7; ++count)
	{
		assert_float_equal(rpGetHullDistance(points, count, (rpVec2){-2.0f, 0.1f}), 2.0, 1e-6);
		assert_float_equal(rpGetHullDistance(points, count, (rpVec2){0.05f, 0.05f}), 0.0, 1e-6);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testSamePoints),
		cmocka_unit_test(accelerationsAreExact),
		cmocka_unit_test(pressureIsUnderWhatRests),
		cmocka_unit_test(hullsHaveDistances),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
