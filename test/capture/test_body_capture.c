/// Bodies in the air fall with g: the centre of mass of captured jumps, by the masses that rpWeighSkeleton gives.
#include "math/order.h"
#include "support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A flight: both feet at least this far above where they stand, for at least this long.
#define CLEARANCE 0.05f
#define SHORTEST 0.25

static float getLowestFoot(const rpMotion* motion, int frame)
{
	static const rpEffector points[] = {rp_leftHeel, rp_leftBall, rp_rightHeel, rp_rightBall};
	float lowest = INFINITY;
	for (int i = 0; i < 4; ++i)
	{
		rpVec3 place;
		assert_true(rpMotion_GetEffector(motion, frame, points[i], &place));
		lowest = fminf(lowest, place.y);
	}
	return lowest;
}

static float getMedian(float* values, int count)
{
	qsort(values, (size_t)count, sizeof(float), rpCompareFloats);
	return values[count / 2];
}

// Least squares of a parabola over frames first … last, time centred: its second derivative.
static double fitAcceleration(const rpVec3* centers, int first, int last, double fps)
{
	double middle = 0.5 * (first + last), s2 = 0, s4 = 0, y0 = 0, y2 = 0;
	int n = last - first + 1;
	for (int i = first; i <= last; ++i)
	{
		double t = (i - middle) / fps;
		s2 += t * t;
		s4 += t * t * t * t;
		y0 += centers[i].y;
		y2 += centers[i].y * t * t;
	}
	return 2.0 * (n * y2 - s2 * y0) / (n * s4 - s2 * s2);
}

static int measureFlights(const rpMotion* motion, float* out, int capacity)
{
	rpBody body;
	assert_true(rpWeighSkeleton(motion->skeleton, NULL, &body, NULL));
	rpVec3* centers = malloc((size_t)motion->frameCount * sizeof(rpVec3));
	float* lowest = malloc(2 * (size_t)motion->frameCount * sizeof(float));
	float* sorted = lowest + motion->frameCount;
	rpBody_GetCenters(&body, motion, centers);
	for (int i = 0; i < motion->frameCount; ++i)
	{
		sorted[i] = lowest[i] = getLowestFoot(motion, i);
	}
	float floor = getMedian(sorted, motion->frameCount) + CLEARANCE;
	int count = 0;
	for (int i = 0, first = -1; i < motion->frameCount; ++i)
	{
		bool flying = lowest[i] > floor;
		first = flying && first < 0 ? i : first;
		if (first >= 0 && !flying)
		{
			// The feet's clearance comes late and goes early; the ends are left out all the same.
			int margin = (int)(0.02 * motion->fps);
			if ((i - first) / motion->fps >= SHORTEST && count < capacity)
			{
				out[count++] = (float)-fitAcceleration(centers, first + margin, i - 1 - margin, motion->fps);
			}
			first = -1;
		}
	}
	free(lowest);
	free(centers);
	return count;
}

static void testJumpsFall(void** state)
{
	(void)state;
	const char* const* paths;
	int pathCount = testListCapture(&paths), count = 0;
	float falls[256];
	for (int i = 0; i < pathCount; ++i)
	{
		if (strstr(paths[i], "/118/") == NULL && strstr(paths[i], "/083/") == NULL && strstr(paths[i], "/016/") == NULL)
		{
			continue;
		}
		rpMotion* motion = rpLoadMotion(paths[i], NULL, NULL, NULL);
		assert_non_null(motion);
		count += measureFlights(motion, falls + count, 256 - count);
		rpDestroyMotion(motion);
	}
	float median = getMedian(falls, count);
	printf("%d flights fall with %.2f m/s² (median; lowest %.2f, highest %.2f)\n", count, (double)median,
		   (double)falls[0], (double)falls[count - 1]);
	// The capture's README measured 9.6 to 10.6 with a centre of mass of its own.
	assert_true(count >= 15);
	assert_true(median > 9.3f && median < 10.6f);
}

int main(void)
{
	testSkipWithoutMocap();
	const struct CMUnitTest tests[] = {cmocka_unit_test(testJumpsFall)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
