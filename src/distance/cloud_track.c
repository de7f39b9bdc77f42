/// A smooth track through values: a Gaussian, with the values turned about their ends beyond them, so that a straight
/// line stays what it is.
#include "distance/metric.h"

#include "base/memory.h"

#include <math.h>

// Deviations after which the Gaussian is cut off.
#define CUT_OFF 4.0

static double beyond(const double* values, int count, int at)
{
	if (at < 0)
	{
		return 2.0 * values[0] - values[-at < count ? -at : count - 1];
	}
	if (at >= count)
	{
		int mirrored = 2 * (count - 1) - at;
		return 2.0 * values[count - 1] - values[mirrored > 0 ? mirrored : 0];
	}
	return values[at];
}

static double smoothAt(const double* values, int count, int at, const double* weights, int halfWindow)
{
	double sum = weights[0] * beyond(values, count, at);
	for (int r = 1; r <= halfWindow; ++r)
	{
		sum += weights[r] * (beyond(values, count, at - r) + beyond(values, count, at + r));
	}
	return sum;
}

bool rpSmoothTrack(const double* values, int count, double deviation, int margin, double* out, rpError* error)
{
	int halfWindow = (int)(CUT_OFF * deviation);
	double* weights = rpAllocate((size_t)halfWindow + 1, sizeof(double), error);
	if (weights == NULL)
	{
		return false;
	}
	double sum = 0.0;
	for (int r = 0; r <= halfWindow; ++r)
	{
		double x = deviation > 0.0 ? r / deviation : 0.0;
		weights[r] = exp(-0.5 * x * x);
		sum += r > 0 ? 2.0 * weights[r] : weights[r];
	}
	for (int r = 0; r <= halfWindow; ++r)
	{
		weights[r] /= sum;
	}
	for (int i = 0; i < count + 2 * margin; ++i)
	{
		out[i] = smoothAt(values, count, i - margin, weights, halfWindow);
	}
	rpFree(weights);
	return true;
}
