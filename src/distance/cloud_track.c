/// A smooth track along a course: a Gaussian, with the course turned about its ends beyond them, so that a straight
/// course stays what it is.
#include "distance/metric.h"

#include "base/memory.h"

#include <math.h>

// Deviations after which the Gaussian is cut off.
#define CUT_OFF 4.0

static double beyond(const double* course, int count, int at)
{
	if (at < 0)
	{
		return 2.0 * course[0] - course[-at < count ? -at : count - 1];
	}
	if (at >= count)
	{
		int mirrored = 2 * (count - 1) - at;
		return 2.0 * course[count - 1] - course[mirrored > 0 ? mirrored : 0];
	}
	return course[at];
}

static double smoothAt(const double* course, int count, int at, const double* weights, int reach)
{
	double sum = weights[0] * beyond(course, count, at);
	for (int r = 1; r <= reach; ++r)
	{
		sum += weights[r] * (beyond(course, count, at - r) + beyond(course, count, at + r));
	}
	return sum;
}

bool rpSmoothTrack(const double* course, int count, double deviation, int margin, double* out, rpError* error)
{
	int reach = (int)(CUT_OFF * deviation);
	double* weights = rpAllocate((size_t)reach + 1, sizeof(double), error);
	if (weights == NULL)
	{
		return false;
	}
	double sum = 0.0;
	for (int r = 0; r <= reach; ++r)
	{
		double x = deviation > 0.0 ? r / deviation : 0.0;
		weights[r] = exp(-0.5 * x * x);
		sum += r > 0 ? 2.0 * weights[r] : weights[r];
	}
	for (int r = 0; r <= reach; ++r)
	{
		weights[r] /= sum;
	}
	for (int i = 0; i < count + 2 * margin; ++i)
	{
		out[i] = smoothAt(course, count, i - margin, weights, reach);
	}
	rpFree(weights);
	return true;
}
