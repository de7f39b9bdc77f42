/// How far tracks are from a path: those that cut off a corner, turn in a circle or leave something out.
#include "math/path_distance.h"
#include "support.h"

#include <math.h>

enum
{
	maxPoints = 4000,
};

typedef struct Route
{
	rpVec2 points[maxPoints];
	int count;
} Route;

// Straight on to a place, in steps of a centimetre or two.
static void goTo(Route* route, double x, double y)
{
	rpVec2 from = route->count > 0 ? route->points[route->count - 1] : (rpVec2){(float)x, (float)y};
	int steps = (int)ceil(hypot(x - (double)from.x, y - (double)from.y) / 0.02) + 1;
	for (int i = 1; i <= steps && route->count < maxPoints; ++i)
	{
		float t = (float)i / (float)steps;
		route->points[route->count++] = (rpVec2){from.x + t * ((float)x - from.x), from.y + t * ((float)y - from.y)};
	}
}

static void goAround(Route* route, double radius)
{
	rpVec2 from = route->points[route->count - 1];
	for (int i = 1; i <= 200; ++i)
	{
		double angle = 2.0 * RP_PI * i / 200.0;
		route->points[route->count++] =
			(rpVec2){from.x + (float)(radius * sin(angle)), from.y + (float)(radius * (1.0 - cos(angle)))};
	}
}

// A needle of 5 m in the middle of a straight path that nobody walks up: it counts as far off while it lasts, and not
// for ever.
static void testCutOff(void** state)
{
	(void)state;
	rpVec2 path[] = {{0.0f, 0.0f}, {4.0f, 0.0f}, {4.0f, 5.0f}, {4.1f, 0.0f}, {40.0f, 0.0f}};
	Route route = {0};
	goTo(&route, 0.0, 0.0);
	goTo(&route, 40.0, 0.0);
	rpPathErrors errors = rpMeasureNearest(route.points, route.count, path, 5);
	assert_true(errors.max > 0.3 && errors.mean < 0.5);
	assert_true(rpMeasureCover(route.points, route.count, path, 5) < 0.85);
}

static void testCircle(void** state)
{
	(void)state;
	rpVec2 path[] = {{0.0f, 0.0f}, {10.0f, 0.0f}};
	Route plain = {0}, around = {0};
	goTo(&plain, 0.0, 0.0);
	goTo(&plain, 10.0, 0.0);
	goTo(&around, 0.0, 0.0);
	goTo(&around, 5.0, 0.0);
	goAround(&around, 0.5);
	goTo(&around, 10.0, 0.0);
	assert_true(rpMeasureNearest(plain.points, plain.count, path, 2).max < 1e-6);
	assert_true(rpMeasureEqualLength(plain.points, plain.count, path, 2).max < 1e-3);
	// The nearest points hardly show the circle; those at equal length do. Nothing is left out.
	assert_true(rpMeasureNearest(around.points, around.count, path, 2).mean < 0.3);
	assert_true(rpMeasureEqualLength(around.points, around.count, path, 2).mean > 0.5);
	assert_true(rpMeasureCover(plain.points, plain.count, path, 2) > 0.999);
	assert_true(rpMeasureCover(around.points, around.count, path, 2) > 0.999);
}

// Half of it; all of it, but backwards.
static void testCover(void** state)
{
	(void)state;
	rpVec2 path[] = {{0.0f, 0.0f}, {10.0f, 0.0f}};
	Route half = {0}, back = {0};
	goTo(&half, 0.0, 0.0);
	goTo(&half, 4.5, 0.0);
	goTo(&back, 10.0, 0.0);
	goTo(&back, 0.0, 0.0);
	assert_true(fabs(rpMeasureCover(half.points, half.count, path, 2) - 0.5) < 0.02);
	assert_true(rpMeasureCover(back.points, back.count, path, 2) < 0.2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testCutOff),
		cmocka_unit_test(testCircle),
		cmocka_unit_test(testCover),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
