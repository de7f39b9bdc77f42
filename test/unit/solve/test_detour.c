/// Paths around circles on a path: nobody comes into them, and nobody goes farther than needed.
#include "solve/detour.h"

#include "base/memory.h"
#include "support.h"

#include <math.h>

// What is left around a circle besides the clearance, metres.
#define CLEARANCE 0.1
#define ROOM 0.15

static double getNearest(const rpVec2* points, int count, rpVec2 center)
{
	double nearest = (double)INFINITY;
	for (int i = 0; i < count; ++i)
	{
		nearest = fmin(nearest, (double)hypotf(points[i].x - center.x, points[i].y - center.y));
	}
	return nearest;
}

static double getLength(const rpVec2* points, int count)
{
	double length = 0.0;
	for (int i = 1; i < count; ++i)
	{
		length += (double)hypotf(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
	}
	return length;
}

static rpPathDef makeDef(const rpVec2* points, int pointCount, const rpForbidden* areas, int areaCount)
{
	rpPathDef def = rpDefaultPathDef();
	def.points = points;
	def.pointCount = pointCount;
	def.forbidden = areas;
	def.forbiddenCount = areaCount;
	return def;
}

// Ends stay where they are.
static rpVec2* bend(const rpPathDef* def, int* count)
{
	rpVec2* bent = rpBendAround(def, CLEARANCE, count, NULL);
	rpVec2 first = def->points[0], last = def->points[def->pointCount - 1];
	assert_non_null(bent);
	assert_true(bent[0].x == first.x && bent[0].y == first.y);
	assert_true(bent[*count - 1].x == last.x && bent[*count - 1].y == last.y);
	return bent;
}

// Two tangents and an arc, on the shorter side.
static void testStraight(void** state)
{
	(void)state;
	const rpVec2 line[] = {{0.0f, 0.0f}, {0.0f, 12.0f}};
	const rpForbidden circle = {{0.2f, 6.0f}, 0.75f};
	rpPathDef def = makeDef(line, 2, &circle, 1);
	int count;
	rpVec2* bent = bend(&def, &count);
	assert_true(getNearest(bent, count, circle.center) > 0.999);
	double right = 0.0, left = 0.0, first = 12.0;
	for (int i = 0; i < count; ++i)
	{
		right = fmax(right, (double)bent[i].x);
		left = fmin(left, (double)bent[i].x);
		first = fabsf(bent[i].x) > 1e-6f ? fmin(first, (double)bent[i].y) : first;
	}
	assert_true(right == 0.0 && left < -0.79 && left > -0.801);
	assert_true(first > 3.0 && first < 6.0);
	// The detour leaves the line 2 m and a step before the circle at the most: what tangents and arc are longer.
	double away = 2.1 + sqrt(1.0 - 0.2 * 0.2), far = hypot(away, 0.2);
	double arc = 2.0 * (RP_PI / 2.0 - acos(1.0 / far) - atan2(0.2, away));
	double max = 12.0 + 2.0 * (sqrt(far * far - 1.0) - away) + arc + 0.02;
	assert_true(getLength(bent, count) > 12.0 && getLength(bent, count) < max);
	rpFree(bent);
}

static void testEndsInside(void** state)
{
	(void)state;
	const rpVec2 line[] = {{0.0f, 0.0f}, {0.0f, 3.0f}};
	const rpForbidden circles[] = {{{0.0f, 0.1f}, 0.5f}, {{0.1f, 3.0f}, 0.5f}, {{9.0f, 9.0f}, 1.0f}};
	rpPathDef def = makeDef(line, 2, circles, 3);
	int count;
	rpVec2* bent = bend(&def, &count);
	assert_float_equal(getLength(bent, count), 3.0, 1e-4);
	rpFree(bent);
}

static float getRandom(uint64_t* seed, float low, float high)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return low + (high - low) * (float)(*seed >> 40) / 16777216.0f;
}

// Whatever the path: one circle that no end lies in is never entered.
static void testAnyPath(void** state)
{
	(void)state;
	uint64_t seed = 7;
	int crossed = 0;
	for (int trial = 0; trial < 500; ++trial)
	{
		rpVec2 points[6];
		for (int i = 0; i < 6; ++i)
		{
			points[i] = (rpVec2){getRandom(&seed, -4.0f, 4.0f), getRandom(&seed, -4.0f, 4.0f)};
		}
		rpForbidden circle = {{getRandom(&seed, -3.0f, 3.0f), getRandom(&seed, -3.0f, 3.0f)},
							  getRandom(&seed, 0.2f, 1.5f)};
		double radius = (double)circle.radius + CLEARANCE + ROOM;
		rpPathDef def = makeDef(points, 6, &circle, 1);
		int count;
		rpVec2* bent = bend(&def, &count);
		const rpVec2 ends[] = {points[0], points[5]};
		if (getNearest(ends, 2, circle.center) > radius)
		{
			// Between points the arc's chords are a bit inside, and so may legs of the path be that graze it.
			assert_true(getNearest(bent, count, circle.center) > radius - 0.01);
			++crossed;
		}
		rpFree(bent);
	}
	assert_true(crossed > 200);
}

static bool tryBend(void* context, rpError* error)
{
	int count;
	rpVec2* bent = rpBendAround(context, CLEARANCE, &count, error);
	rpFree(bent);
	return bent != NULL;
}

static void testMemory(void** state)
{
	(void)state;
	const rpVec2 line[] = {{0.0f, 0.0f}, {0.0f, 12.0f}};
	const rpForbidden circle = {{0.2f, 6.0f}, 0.75f};
	rpPathDef def = makeDef(line, 2, &circle, 1);
	testFailEach(tryBend, &def, 3);
}

int main(void)
{
	testUseCountingAllocator();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(testStraight),
		cmocka_unit_test(testEndsInside),
		cmocka_unit_test(testAnyPath),
		cmocka_unit_test(testMemory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
