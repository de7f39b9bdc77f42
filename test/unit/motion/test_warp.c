#include "support.h"

enum
{
	knotCount = 9,
};

static void makeKnots(rpRandom* random, double* newTimes, double* oldTimes)
{
	newTimes[0] = rpRandom_Range(random, -1.0f, 1.0f);
	oldTimes[0] = rpRandom_Range(random, -1.0f, 1.0f);
	for (int i = 1; i < knotCount; ++i)
	{
		newTimes[i] = newTimes[i - 1] + pow(10.0, rpRandom_Range(random, -2.0f, 0.5f));
		oldTimes[i] = oldTimes[i - 1] + pow(10.0, rpRandom_Range(random, -2.0f, 0.5f));
	}
}

// Through every knot, strictly increasing inside and beyond the ends, and inverted exactly.
static void checkProperties(const rpWarp* warp)
{
	double first = warp->newTimes[0] - 1.0, last = warp->newTimes[warp->count - 1] + 1.0;
	double before = -1e9;
	for (int i = 0; i < warp->count; ++i)
	{
		assert_true(fabs(rpWarp_Apply(warp, warp->newTimes[i]) - warp->oldTimes[i]) < 1e-12);
		assert_true(fabs(rpWarp_Invert(warp, warp->oldTimes[i]) - warp->newTimes[i]) < 1e-12);
	}
	for (int i = 0; i <= 2000; ++i)
	{
		double t = first + (last - first) * i / 2000.0;
		double old = rpWarp_Apply(warp, t);
		assert_true(old > before);
		// The error in the new time is large where the warp is flat; in the old time it never is.
		assert_true(fabs(rpWarp_Apply(warp, rpWarp_Invert(warp, old)) - old) < 1e-12);
		before = old;
	}
}

static void testProperties(void** state)
{
	(void)state;
	rpRandom random = rpSeedRandom(7);
	for (int n = 0; n < 200; ++n)
	{
		double newTimes[knotCount], oldTimes[knotCount];
		makeKnots(&random, newTimes, oldTimes);
		rpWarp warp = {newTimes, oldTimes, 2 + n % (knotCount - 1), n % 3 > 0};
		checkProperties(&warp);
	}
}

static void testLines(void** state)
{
	(void)state;
	const double newTimes[] = {0.0, 1.0, 3.0}, oldTimes[] = {0.0, 2.0, 3.0};
	rpWarp warp = {newTimes, oldTimes, 3, false};
	const double expected[][2] = {{-1.0, -2.0}, {0.5, 1.0}, {1.0, 2.0}, {2.0, 2.5}, {3.0, 3.0}, {5.0, 4.0}};
	for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); ++i)
	{
		assert_true(fabs(rpWarp_Apply(&warp, expected[i][0]) - expected[i][1]) < 1e-15);
		assert_true(fabs(rpWarp_Invert(&warp, expected[i][1]) - expected[i][0]) < 1e-15);
	}
}

// The speed has no jump at a knot when the warp is smooth, and has one when it is not.
static void testSpeedIsContinuous(void** state)
{
	(void)state;
	const double newTimes[] = {0.0, 1.0, 2.5, 3.0}, oldTimes[] = {0.0, 2.0, 2.5, 5.0};
	for (int smooth = 0; smooth < 2; ++smooth)
	{
		rpWarp warp = {newTimes, oldTimes, 4, smooth != 0};
		double largest = 0.0;
		for (int i = 0; i < 4; ++i)
		{
			double h = 1e-6, t = newTimes[i], middle = rpWarp_Apply(&warp, t);
			double before = (middle - rpWarp_Apply(&warp, t - h)) / h,
				   after = (rpWarp_Apply(&warp, t + h) - middle) / h;
			largest = fmax(largest, fabs(after - before));
		}
		assert_true(smooth ? largest < 1e-3 : largest > 1.0);
	}
}

// A straight line stays one, whatever the knots; a parabola comes out nearly right.
static void testSmoothIsAccurate(void** state)
{
	(void)state;
	double newTimes[knotCount], straight[knotCount], bent[knotCount];
	for (int i = 0; i < knotCount; ++i)
	{
		newTimes[i] = 0.1 * i + 0.01 * i * i;
		straight[i] = 3.0 + 0.5 * newTimes[i];
		bent[i] = newTimes[i] * (1.0 + newTimes[i]);
	}
	rpWarp line = {newTimes, straight, knotCount, true}, parabola = {newTimes, bent, knotCount, true};
	for (double t = -0.5; t < 2.0; t += 0.01)
	{
		assert_true(fabs(rpWarp_Apply(&line, t) - (3.0 + 0.5 * t)) < 1e-12);
		if (t >= 0.0 && t < newTimes[knotCount - 1])
		{
			assert_true(fabs(rpWarp_Apply(&parabola, t) - t * (1.0 + t)) < 1e-3);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testProperties),
		cmocka_unit_test(testLines),
		cmocka_unit_test(testSpeedIsContinuous),
		cmocka_unit_test(testSmoothIsAccurate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
